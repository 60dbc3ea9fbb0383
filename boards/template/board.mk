# SPDX-License-Identifier: Apache-2.0
# Copy this folder to boards/<your board>, change what is marked CHANGE, and build with
# `make firmware BOARD=<your board>`. It compiles as it is, for a core with a CLINT and nothing
# else. Lines are NAME = value, one value each unless a list is mentioned; no functions of make and no
# comment behind a value: the host library reads this file, too.

# CHANGE: Core. MARCH without _zicsr and _zifencei, which are implied. A, C and M are not needed.
# EXTENSIONS are more letters of MARCH that only the firmware's own code uses: `_zba_zbb`, when the cores have them, make
# it faster and smaller. WARP is the number of threads that are counted as one warp.
BOARD_XLEN = 32
BOARD_MARCH = rv32imac
BOARD_EXTENSIONS =
BOARD_MABI = ilp32
BOARD_WARP = 32

# CHANGE: Memory. Without a device tree (0) RAM_MIN is the size of the RAM. All harts have to be reset
# to CP_BASE. ABI_OFFSET is ABI_BASE - RAM_BASE: there the host finds the capability block.
BOARD_DEVICE_TREE = 0
BOARD_RAM_BASE = 0x80000000
BOARD_RAM_MIN = 0x01000000
BOARD_CP_BASE = 0x80000000
BOARD_CP_BYTES = 0x00070000
BOARD_SM_BASE = 0x80070000
BOARD_SM_BYTES = 0x00010000
BOARD_ABI_BASE = 0x80080000
BOARD_ABI_OFFSET = 0x00080000

# The part of CP_BYTES that the image is loaded to; data and stack have the rest.
BOARD_CP_IMAGE_BYTES = 0x0001c000
BOARD_CP_STACK_BYTES = 0x00002000

# CHANGE: SMs. SMS is their number without a device tree; hart 0 is not one of them. UNITS cut the
# memory of an SM into equal parts; a CTA takes whole units.
BOARD_SMS_MAX = 4
BOARD_SMS = 3
BOARD_SLOTS = 32
BOARD_SM_CTAS = 8
BOARD_SM_WARPS = 64
BOARD_SM_UNITS = 32
BOARD_SM_SHARED_BYTES = 16384
BOARD_SM_PRIVATE_BYTES = 262144

# CHANGE: Files with the addresses of the devices (a list), and the files of hal/drivers/ for them (a
# list). Choose one from each line:
#   interrupts between harts, deadlines   clint
#   time                                  time_csr | time_mmio
#   text output                           uart16550 | no_console
#   end of the machine                    finisher | no_finisher
#   interrupts from and to the host       ivshmem | mailbox | no_doorbell
#   number of a hart                      hart_csr (need not be named) | hart_mailbox
#   reset of one hart                     no_reset (need not be named) | mailbox
#   protection of memory                  pmp pmp_encode pmp_count | no_protection
BOARD_SOURCES = boards/template/board.c
BOARD_HAL = clint time_mmio no_console no_finisher no_doorbell no_protection

# CHANGE: For a small board: BOARD_CP_PARTS (a list of cga pull graph queue trace reset watch retry restart, or none; without the line
# all, for which 100 KB are too few here), BOARD_TABLES (a list of NAME=number: sizes of tables, what the core lacks; see docs/PORTING.md) and
# BOARD_OPTIMISE = size. Waves make grids cheap: CP_WAVE_SMS=0 leaves them out, and 4 brings them.
BOARD_TABLES = CP_WAVE_SMS=0
BOARD_CP_PARTS = cga pull graph queue trace reset watch retry

# Limits in bytes: code and constants of each image.
BOARD_TEXT_BUDGET_CP = 102400
BOARD_TEXT_BUDGET_SM = 16432

# For a board that an emulator can run: BOARD_QEMU (program) and BOARD_QEMU_ARGS (list).
