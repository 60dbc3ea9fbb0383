# SPDX-License-Identifier: Apache-2.0
# LiteX with VexRiscv-SMP. The numbers are from csr.json by `python boards/litex/from_csr.py`, which also
# makes boards/<yours> from your build. Lines are NAME = value: the host library reads this file, too.

# Core: no compressed instructions, no floating point; user mode, but no PMP; a CSR for time, but none for cycles.
BOARD_XLEN = 32
BOARD_MARCH = rv32ima
BOARD_MABI = ilp32
BOARD_WARP = 32
BOARD_CLOCK_HZ = 100000000

# Memory: main RAM, which all harts cache coherently.
BOARD_DEVICE_TREE = 0
BOARD_RAM_BASE = 0x40000000
BOARD_RAM_MIN = 0x10000000
BOARD_CP_BASE = 0x40000000
BOARD_CP_BYTES = 0x00070000
BOARD_CP_IMAGE_BYTES = 0x00020000
BOARD_CP_STACK_BYTES = 0x00002000
BOARD_SM_BASE = 0x40070000
BOARD_SM_BYTES = 0x00010000
BOARD_ABI_BASE = 0x40080000
BOARD_ABI_OFFSET = 0x00080000

# SMs: every hart of the core but hart 0.
BOARD_SMS_MAX = 3
BOARD_SMS = 3
BOARD_SLOTS = 32
BOARD_SM_CTAS = 8
BOARD_SM_WARPS = 64
BOARD_SM_UNITS = 32
BOARD_SM_SHARED_BYTES = 65536
BOARD_SM_PRIVATE_BYTES = 2097152

# Where the devices are, and the files of hal/drivers/ that serve them.
BOARD_SOURCES = boards/litex/board.c
BOARD_HAL = clint time_csr litex_uart no_finisher no_doorbell no_protection

# All parts but `restart`, which is tested in QEMU alone.
BOARD_CP_PARTS = cga pull graph queue trace reset watch retry

# mtvec has the direct mode, so there is no table of vectors.
BOARD_TABLES = HAL_VECTORS=0

# There are no compressed instructions: with -O2 the image would not fit.
BOARD_OPTIMISE = size

# Limits in bytes: text and constants of each image.
BOARD_TEXT_BUDGET_CP = 126976
BOARD_TEXT_BUDGET_SM = 24576

# The format that the BIOS's serial boot takes: `make BOARD=litex flash-image`, then boards/litex/upload.py.
BOARD_FLASH = boards/litex/sfl.py
BOARD_FLASH_FILE = flash.sfl
