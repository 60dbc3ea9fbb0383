# SPDX-License-Identifier: Apache-2.0
# Raspberry Pi Pico 2 (RP2350): of its two Hazard3 cores one is the control processor, one the SM. docs/boards/pico2.md.
# Lines are NAME = value: the host library reads this file, too.

# Core. It has more extensions than are named here; gcc 12 does not compile the firmware for Zbs.
BOARD_XLEN = 32
BOARD_MARCH = rv32imac
BOARD_EXTENSIONS = _zba_zbb
BOARD_MABI = ilp32
BOARD_WARP = 32

# Memory: the 512 KB of SRAM whose words are spread over eight banks. SRAM 8 and 9 behind it are not used.
BOARD_DEVICE_TREE = 0
BOARD_RAM_BASE = 0x20000000
BOARD_RAM_MIN = 0x00080000
BOARD_CP_BASE = 0x20000000
BOARD_CP_BYTES = 0x00020000
BOARD_CP_IMAGE_BYTES = 0x00018000
BOARD_CP_STACK_BYTES = 0x00001000
BOARD_SM_BASE = 0x20020000
BOARD_SM_BYTES = 0x00006000
BOARD_ABI_BASE = 0x20026000
BOARD_ABI_OFFSET = 0x00026000

# SMs: core 1.
BOARD_SMS_MAX = 1
BOARD_SMS = 1
BOARD_SLOTS = 8
BOARD_SM_CTAS = 4
BOARD_SM_WARPS = 16
BOARD_SM_UNITS = 8
BOARD_SM_SHARED_BYTES = 16384
BOARD_SM_PRIVATE_BYTES = 32768

# To save memory: the parts of the control processor, sizes of tables, code compiled for size. Its PMP has no ranges, and
# user mode reaches no RAM without it: so kernels run in machine mode.
BOARD_CP_PARTS = cga pull graph queue trace
BOARD_TABLES = HAL_VECTORS=0 HAL_USER_MODE=0 CP_SMS=32 CP_WAVE_SMS=0 CP_SLOTS=8 CP_KEPT=2 CP_CHANNELS=4 CP_CHANNEL_ENTRIES=16 CP_COMPLETION_ENTRIES=32 CP_UNITS=8 CP_FENCES=4 CP_DEPENDENCES=16 CP_RESERVE=4 CP_GPCS=2 CP_CGAS=16 CP_CGA_CTAS=64 CP_RANGES=64 CP_TRACE_ENTRIES=64 SM_UNITS_MAX=8 SM_RUNTIME_BYTES=16384 SM_PAGE_BYTES=256
BOARD_OPTIMISE = size
BOARD_OPTIMISE_SM = size

# Where the devices are, and the files of hal/drivers/ that serve them.
BOARD_SOURCES = boards/pico2/board.c
BOARD_HAL = rp2350_sio rp2350_harts rp2350_machine time_mmio no_console no_finisher no_doorbell pl011_link no_protection

# Limits in bytes: text and constants of each image; all memory of the control processor except its stacks.
BOARD_TEXT_BUDGET_CP = 81920
BOARD_TEXT_BUDGET_SM = 14576
BOARD_MEMORY_BUDGET_CP = 114688
