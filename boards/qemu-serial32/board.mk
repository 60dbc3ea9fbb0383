# SPDX-License-Identifier: Apache-2.0
# QEMU's `virt` machine, 32 bits, whose serial line is the link to the host. Lines are NAME = value: the host library reads this file, too.

# Core. Floating point is for kernels; the firmware itself does without.
BOARD_XLEN = 32
BOARD_MARCH = rv32imac
BOARD_EXTENSIONS = _zba_zbb
BOARD_MABI = ilp32
BOARD_WARP = 32

# Memory. RAM_MIN is also the size when there is no device tree. The first CP_IMAGE_BYTES hold the loaded image, the
# rest of CP_BYTES holds data and stack.
BOARD_DEVICE_TREE = 1
BOARD_RAM_BASE = 0x80000000
BOARD_RAM_MIN = 0x10000000
BOARD_CP_BASE = 0x80000000
BOARD_CP_BYTES = 0x00070000
BOARD_CP_IMAGE_BYTES = 0x0001c000
BOARD_CP_STACK_BYTES = 0x00002000
BOARD_SM_BASE = 0x80070000
BOARD_SM_BYTES = 0x00010000
BOARD_ABI_BASE = 0x80080000
BOARD_ABI_OFFSET = 0x00080000

# SMs: how many at most, how many without a device tree, and what each has.
BOARD_SMS_MAX = 511
BOARD_SMS = 8
BOARD_SLOTS = 32
BOARD_SM_CTAS = 8
BOARD_SM_WARPS = 64
BOARD_SM_UNITS = 32
BOARD_SM_SHARED_BYTES = 65536
BOARD_SM_PRIVATE_BYTES = 2097152

# Where the devices are (both widths have the same), and the files of hal/drivers/ that serve them.
BOARD_SOURCES = boards/qemu-virt64/board.c boards/qemu-serial32/board.c
BOARD_HAL = clint time_csr no_console finisher no_doorbell uart_link pmp pmp_encode pmp_count

# All parts but `retry`, for which the link leaves too little room. mtvec has the direct mode, so there is no table of
# vectors.
BOARD_CP_PARTS = cga pull graph queue trace reset watch
BOARD_TABLES = HAL_VECTORS=0

# Limits in bytes: text and constants of each image.
BOARD_TEXT_BUDGET_CP = 106176
BOARD_TEXT_BUDGET_SM = 17136

# Emulator. The host adds -smp, -m, the memory backend `ram`, the doorbell and the images.
BOARD_QEMU = qemu-system-riscv32
BOARD_QEMU_ARGS = -machine virt,memory-backend=ram -cpu rv32 -bios none -nodefaults -display none
