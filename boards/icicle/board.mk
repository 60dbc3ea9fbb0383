# SPDX-License-Identifier: Apache-2.0
# Microchip PolarFire SoC (Icicle Kit, BeagleV-Fire): an E51 as the control processor and four U54 as SMs. docs/boards/icicle.md.
# Lines are NAME = value: the host library reads this file, too.

# Core. What all five have: the E51 has neither F nor D. Kernels may be rv64gc. The time CSR traps on the chip.
BOARD_XLEN = 64
BOARD_MARCH = rv64imac
BOARD_MABI = lp64
BOARD_WARP = 32

# Memory: the DDR that the L2 cache serves, 512 MB of it: older designs of the FPGA map 736 MB there, newer ones 1 GB.
BOARD_DEVICE_TREE = 0
BOARD_RAM_BASE = 0x80000000
BOARD_RAM_MIN = 0x20000000
BOARD_CP_BASE = 0x80000000
BOARD_CP_BYTES = 0x00070000
BOARD_CP_IMAGE_BYTES = 0x0001c000
BOARD_CP_STACK_BYTES = 0x00002000
BOARD_SM_BASE = 0x80070000
BOARD_SM_BYTES = 0x00010000
BOARD_ABI_BASE = 0x80080000
BOARD_ABI_OFFSET = 0x00080000

# SMs: the four U54.
BOARD_SMS_MAX = 4
BOARD_SMS = 4
BOARD_SLOTS = 32
BOARD_SM_CTAS = 8
BOARD_SM_WARPS = 64
BOARD_SM_UNITS = 32
BOARD_SM_SHARED_BYTES = 65536
BOARD_SM_PRIVATE_BYTES = 2097152

# Where the devices are, and the files of hal/drivers/ that serve them.
BOARD_SOURCES = boards/icicle/board.c
BOARD_HAL = clint time_mmio no_console no_finisher no_doorbell uart_link pmp pmp_encode pmp_count

# All parts but `restart`: the session of the link would end with it.
BOARD_CP_PARTS = cga pull graph queue trace reset watch retry

# mtvec has the direct mode, so there is no table of vectors.
BOARD_TABLES = HAL_VECTORS=0

# Limits in bytes: text and constants of each image.
BOARD_TEXT_BUDGET_CP = 112640
BOARD_TEXT_BUDGET_SM = 17408

# Emulator: no broker, the serial line is the link. The machine has more RAM than is used, and its harts would start in
# the boot loader's memory.
BOARD_QEMU_RAM = 0x80000000
BOARD_QEMU = qemu-system-riscv64
BOARD_QEMU_ARGS = -machine microchip-icicle-kit,memory-backend=ram -bios none -nodefaults -display none -device loader,addr=0x80000000,cpu-num=0 -device loader,addr=0x80000000,cpu-num=1 -device loader,addr=0x80000000,cpu-num=2 -device loader,addr=0x80000000,cpu-num=3 -device loader,addr=0x80000000,cpu-num=4
