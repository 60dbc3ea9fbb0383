# SPDX-License-Identifier: Apache-2.0
# Reference SoC with Ibex (core.v): two SMs, with memory protection, and all parts.
# Lines are NAME = value: the host library reads this file, too.

# Core. It has no atomic instructions (A). Its mtvec has only the vectored mode.
BOARD_XLEN = 32
BOARD_MARCH = rv32imc
BOARD_EXTENSIONS = _zba_zbb
BOARD_MABI = ilp32
BOARD_WARP = 32
BOARD_CLOCK_HZ = 10000000

# Memory: all the RAM there is. The first CP_IMAGE_BYTES hold the loaded image, the rest of CP_BYTES holds data and
# stack.
BOARD_DEVICE_TREE = 0
BOARD_RAM_BASE = 0x80000000
BOARD_RAM_MIN = 0x00080000
BOARD_CP_BASE = 0x80000000
BOARD_CP_BYTES = 0x00020000
BOARD_CP_IMAGE_BYTES = 0x00018000
BOARD_CP_STACK_BYTES = 0x00001000
BOARD_SM_BASE = 0x80020000
BOARD_SM_BYTES = 0x00006000
BOARD_ABI_BASE = 0x80026000
BOARD_ABI_OFFSET = 0x00026000

# This is added to the addresses of the devices.
BOARD_IO_BASE = 0

# SMs. The same firmware runs on a SoC with up to 16 of them and more RAM.
BOARD_SMS_MAX = 16
BOARD_SMS = 2
BOARD_SLOTS = 8
BOARD_SM_CTAS = 4
BOARD_SM_WARPS = 16
BOARD_SM_UNITS = 8
BOARD_SM_SHARED_BYTES = 8192
BOARD_SM_PRIVATE_BYTES = 16384

# To save memory: the parts of the control processor, sizes of tables, code compiled for size.
BOARD_CP_PARTS = cga pull graph queue trace reset watch
BOARD_TABLES = CP_SMS=32 CP_WAVE_SMS=0 CP_SLOTS=8 CP_KEPT=2 CP_CHANNELS=4 CP_CHANNEL_ENTRIES=16 CP_COMPLETION_ENTRIES=32 CP_UNITS=8 CP_FENCES=4 CP_DEPENDENCES=16 CP_RESERVE=4 CP_GPCS=4 CP_CGAS=16 CP_CGA_CTAS=64 CP_RANGES=64 CP_TRACE_ENTRIES=64 SM_UNITS_MAX=8 SM_RUNTIME_BYTES=16384 SM_PAGE_BYTES=256
BOARD_OPTIMISE = size

# Where the devices are (all cores have the same), and the files of hal/drivers/ that serve them.
BOARD_SOURCES = boards/refsoc/board.c
BOARD_HAL = clint time_mmio uart16550 finisher mailbox pmp pmp_encode pmp_count

# Limits in bytes: text and constants of each image; all memory of the control processor except its stacks.
BOARD_TEXT_BUDGET_CP = 82384
BOARD_TEXT_BUDGET_SM = 20480
BOARD_MEMORY_BUDGET_CP = 114688
