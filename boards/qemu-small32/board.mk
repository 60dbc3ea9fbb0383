# SPDX-License-Identifier: Apache-2.0
# QEMU's `virt` machine as a small soft-core: rv32i, machine mode only, no memory protection, little memory, no
# optional parts. Lines are NAME = value: the host library reads this file, too.

# Core.
BOARD_XLEN = 32
BOARD_MARCH = rv32i
BOARD_MABI = ilp32
BOARD_WARP = 32

# Memory. The first CP_IMAGE_BYTES hold the loaded image, the rest of CP_BYTES holds data and stack.
BOARD_DEVICE_TREE = 1
BOARD_RAM_BASE = 0x80000000
BOARD_RAM_MIN = 0x00400000
BOARD_CP_BASE = 0x80000000
BOARD_CP_BYTES = 0x00014000
BOARD_CP_IMAGE_BYTES = 0x00010000
BOARD_CP_STACK_BYTES = 0x00001000
BOARD_SM_BASE = 0x80014000
BOARD_SM_BYTES = 0x00004000
BOARD_ABI_BASE = 0x80018000
BOARD_ABI_OFFSET = 0x00018000

# SMs.
BOARD_SMS_MAX = 7
BOARD_SMS = 2
BOARD_SLOTS = 8
BOARD_SM_CTAS = 4
BOARD_SM_WARPS = 16
BOARD_SM_UNITS = 8
BOARD_SM_SHARED_BYTES = 8192
BOARD_SM_PRIVATE_BYTES = 16384

# To save memory: the parts of the control processor, sizes of tables, code compiled for size.
BOARD_CP_PARTS = none
BOARD_TABLES = CP_SMS=32 CP_WAVE_SMS=0 CP_SLOTS=8 CP_KEPT=1 CP_CHANNELS=4 CP_CHANNEL_ENTRIES=16 CP_COMPLETION_ENTRIES=32 CP_UNITS=8 CP_FENCES=4 CP_DEPENDENCES=16 CP_RESERVE=4 CP_GPCS=2 CP_CGAS=1 CP_CGA_CTAS=1 CP_RANGES=1 CP_TRACE_ENTRIES=1 SM_UNITS_MAX=8 SM_RUNTIME_BYTES=16384 SM_PAGE_BYTES=256 HAL_MISA=0 HAL_USER_MODE=0 HAL_SCRATCH=0
BOARD_OPTIMISE = size

# Where the devices are (as those of the other boards of QEMU), and the files of hal/drivers/ that serve them.
BOARD_SOURCES = boards/qemu-virt64/board.c
BOARD_HAL = clint time_mmio uart16550 finisher ivshmem no_protection

# Limits in bytes: text and constants of each image; all memory of the control processor except its stacks.
BOARD_TEXT_BUDGET_CP = 53248
BOARD_TEXT_BUDGET_SM = 15360
BOARD_MEMORY_BUDGET_CP = 65536

# Emulator. The host adds -smp, -m, the memory backend `ram`, the doorbell and the images.
BOARD_QEMU = qemu-system-riscv32
BOARD_QEMU_ARGS = -machine virt,memory-backend=ram -cpu rv32,a=false,m=false,c=false,f=false,d=false,s=false,h=false,u=false,mmu=false,pmp=false -bios none -nodefaults -display none
