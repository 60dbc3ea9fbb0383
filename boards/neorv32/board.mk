# SPDX-License-Identifier: Apache-2.0
# NEORV32 1.13 with two harts, RAM and mailbox on its external bus: README.md has the generics. Lines
# are NAME = value: the host library reads this file, too.

# Core. CLOCK_HZ is the generic CLOCK_FREQUENCY; the CLINT counts it.
BOARD_XLEN = 32
BOARD_MARCH = rv32imac
BOARD_MABI = ilp32
BOARD_WARP = 32
BOARD_CLOCK_HZ = 100000000

# Memory. The boot loader has its variables in the first 256 bytes at 0x80000000 while it loads the image,
# so the image begins a page later.
BOARD_DEVICE_TREE = 0
BOARD_RAM_BASE = 0x80000000
BOARD_RAM_MIN = 0x01000000
BOARD_CP_BASE = 0x80001000
BOARD_CP_BYTES = 0x0006f000
BOARD_CP_IMAGE_BYTES = 0x00018000
BOARD_CP_STACK_BYTES = 0x00002000
BOARD_SM_BASE = 0x80070000
BOARD_SM_BYTES = 0x00010000
BOARD_ABI_BASE = 0x80080000
BOARD_ABI_OFFSET = 0x00080000

# SMs: hart 1.
BOARD_SMS_MAX = 1
BOARD_SMS = 1
BOARD_SLOTS = 32
BOARD_SM_CTAS = 8
BOARD_SM_WARPS = 64
BOARD_SM_UNITS = 32
BOARD_SM_SHARED_BYTES = 65536
BOARD_SM_PRIVATE_BYTES = 2097152

# Where the devices are, and the files of hal/drivers/ that serve them.
BOARD_SOURCES = boards/neorv32/board.c
BOARD_HAL = clint time_csr neorv32_harts neorv32_machine neorv32_uart no_finisher no_doorbell pmp pmp_encode pmp_count

# All parts but `restart`, which is tested in QEMU alone.
BOARD_CP_PARTS = cga pull graph queue trace reset watch retry

# With -O2 the image would be larger than what its boot loader is given room for.
BOARD_OPTIMISE = size

# mtvec has the direct mode, so there is no table of vectors.
BOARD_TABLES = HAL_VECTORS=0 CP_WAVE_SMS=0

# Limits in bytes: text and constants of each image.
BOARD_TEXT_BUDGET_CP = 94208
BOARD_TEXT_BUDGET_SM = 20480

# The format that the boot loader takes: `make BOARD=neorv32 flash-image`, then boards/neorv32/upload.py.
BOARD_FLASH = boards/neorv32/image.py
BOARD_FLASH_FILE = flash.exe
