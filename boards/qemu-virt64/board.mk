# SPDX-License-Identifier: Apache-2.0
# QEMU's `virt` machine, 64 bits. Lines are NAME = value: the host library reads this file, too.

# Core. Floating point is for kernels; the firmware itself does without.
# The firmware's own code uses the instructions for addresses and bits: a blank task costs 5 % less with them, one more
# CTA 11 %, and the image of the control processor is 5 KB smaller.
BOARD_XLEN = 64
BOARD_MARCH = rv64imac
BOARD_EXTENSIONS = _zba_zbb_zbs
BOARD_MABI = lp64
BOARD_WARP = 32

# Memory. RAM_MIN is also the size when there is no device tree. The first CP_IMAGE_BYTES hold the loaded image, the
# rest of CP_BYTES holds data and stack.
BOARD_DEVICE_TREE = 1
BOARD_RAM_BASE = 0x80000000
BOARD_RAM_MIN = 0x10000000
BOARD_CP_BASE = 0x80000000
BOARD_CP_BYTES = 0x00078000
BOARD_CP_IMAGE_BYTES = 0x0001b000
BOARD_CP_STACK_BYTES = 0x00002000
BOARD_SM_BASE = 0x80078000
BOARD_SM_BYTES = 0x00008000
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
BOARD_SOURCES = boards/qemu-virt64/board.c
BOARD_HAL = clint time_csr uart16550 finisher ivshmem pmp pmp_encode pmp_count

# mtvec has the direct mode, so there is no table of vectors.
BOARD_TABLES = HAL_VECTORS=0

# Limits in bytes: text and constants of each image.
BOARD_TEXT_BUDGET_CP = 106080
BOARD_TEXT_BUDGET_SM = 17520

# Emulator. The host adds -smp, -m, the memory backend `ram`, the doorbell and the images.
BOARD_QEMU = qemu-system-riscv64
BOARD_QEMU_ARGS = -machine virt,memory-backend=ram -cpu rv64,zba=true,zbb=true,zbs=true -bios none -nodefaults -display none
