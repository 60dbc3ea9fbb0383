# SPDX-License-Identifier: Apache-2.0
# How the images of one board are built: cp.elf (control processor) and sm.elf (SMs), with .bin and
# .hex beside them, in $(BUILD)/$(BOARD). BOARD is any folder of boards/ that has a board.mk.

BUILD ?= build
BOARD ?= qemu-virt64
CROSS ?= riscv64-unknown-elf-
WARNINGS ?= -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
Q ?= $(if $(V),,@)
# What is compiled is kept by content in the user's cache, for other clones, too: by ccache, where it is installed. Objects that
# are linked in one piece (-flto) name the folder that they were compiled in; by this name it is the same everywhere.
CCACHE ?= $(shell command -v ccache)
CCACHE := $(CCACHE)
FIRMWARE_CC = PWD=/proc/self/cwd CCACHE_DEPEND=1 $(CCACHE) $(CROSS)gcc

BOARD_MK := boards/$(BOARD)/board.mk
ifeq ($(wildcard $(BOARD_MK)),)
$(error BOARD=$(BOARD): no such board. There are: $(patsubst boards/%/board.mk,%,$(wildcard boards/*/board.mk)))
endif
include $(BOARD_MK)

FIRMWARE_OUT := $(BUILD)/$(BOARD)
FIRMWARE_IMAGES := $(FIRMWARE_OUT)/cp.elf $(FIRMWARE_OUT)/sm.elf

# The numbers of board.mk, as macros. Only boards/ and linker/ get them.
FIRMWARE_TEXTS := BOARD_MK BOARD_MARCH BOARD_EXTENSIONS BOARD_MABI BOARD_HAL BOARD_SOURCES BOARD_QEMU BOARD_QEMU_ARGS \
	BOARD_CP_PARTS BOARD_TABLES BOARD_OPTIMISE BOARD_OPTIMISE_SM BOARD_DRIVERS BOARD_FLASH BOARD_FLASH_FILE
FIRMWARE_NUMBERS := $(sort $(filter-out $(FIRMWARE_TEXTS),$(filter BOARD_%,$(.VARIABLES))))
FIRMWARE_DEFINES := -DBOARD_NAME='"$(BOARD)"' $(foreach name,$(FIRMWARE_NUMBERS),-D$(name)=$($(name)))

BOARD_OPTIMISE ?= speed
BOARD_OPTIMISE_SM ?= speed
# 32-bit addresses take `lui`, whose upper halves are shared, where `auipc` needs one for each use (0.4 KB of virt32's image).
FIRMWARE_MODEL := $(if $(findstring rv32,$(BOARD_MARCH)),medlow,medany)
# With the ISA of 2019 `csrr` and `fence.i` would need a -march for which there is no C library.
FIRMWARE_TARGET := -march=$(BOARD_MARCH)$(BOARD_EXTENSIONS) -mabi=$(BOARD_MABI) -misa-spec=2.2 -mcmodel=$(FIRMWARE_MODEL)
# The compiler finds no libraries for a -march with extensions: these are those of BOARD_MARCH. The compiler is only asked
# for them when an image is linked.
FIRMWARE_PLAIN := $(CROSS)gcc -march=$(BOARD_MARCH) -mabi=$(BOARD_MABI)
FIRMWARE_LIBRARIES = $(if $(BOARD_EXTENSIONS),--picolibc-buildtype=$(shell $(FIRMWARE_PLAIN) -print-multi-directory) \
	-L$(dir $(shell $(FIRMWARE_PLAIN) -print-libgcc-file-name)))
# An image is optimised in one piece, so that its parts share anchors of data (0.3 KB); static data of up to 128 bytes lies
# where gp reaches it (0.3 KB on virt32, 1.2 KB on refsoc; more would not fit into its 4 KB); sums and masks keep the
# order of the source, or they are gathered in more registers than there are (0.1 to 0.3 KB, and 20 instructions of a task).
# Registers that calls spoil are not saved around them: others would have to be saved instead (0.5 KB of refsoc).
# The loop's frame may grow to 400 bytes, not 256, before it gets no more in line: the short way is, which saves a command
# 26 instructions and a task 61.
FIRMWARE_CODE := -flto -flto-partition=one -msmall-data-limit=128 -fno-tree-reassoc -fno-caller-saves --param=large-stack-frame=400
# Of files that are not hot: no branch becomes two, no prologue is moved or doubled, no switch becomes a table (0.35 KB of virt64).
# With BOARD_OPTIMISE = size it would cost a blank task 2 % on refsoc.
FIRMWARE_COLD := $(if $(filter size,$(BOARD_OPTIMISE)),,-fno-tree-dominator-opts -fno-shrink-wrap -fno-jump-tables)
FIRMWARE_CFLAGS = $(FIRMWARE_TARGET) --specs=picolibc.specs $(WARNINGS) -Os $(FIRMWARE_COLD) $(FIRMWARE_CODE) -g -I. $(FIRMWARE_SAVE) \
	-ffunction-sections -fdata-sections -fno-common -fno-asynchronous-unwind-tables $(FIRMWARE_TABLES)
# Prologues and epilogues by call: about a twentieth less code, and about ten instructions more for each call. What is the same
# in each round of a loop stays there: it would take a register that a call saves (0.2 KB on refsoc-vexmin). Without such
# calls it is machine code that stays there (1 KB of virt64; with them one more CTA would cost 17 % more on refsoc-vexmin).
FIRMWARE_SAVE := $(if $(filter size,$(BOARD_OPTIMISE)),-msave-restore -fno-tree-loop-im,-fno-move-loop-invariants)
FIRMWARE_LDFLAGS = $(FIRMWARE_CODE) $(FIRMWARE_TARGET) $(FIRMWARE_SAVE) --specs=picolibc.specs $(FIRMWARE_LIBRARIES) -nostartfiles -static \
	-Wl,--gc-sections -Wl,--fatal-warnings -Wl,--build-id=none

# The drivers that most boards have need not be named.
BOARD_DRIVERS := $(BOARD_HAL) $(if $(filter hart_%,$(BOARD_HAL)),,hart_csr) \
	$(if $(filter mailbox %_machine,$(BOARD_HAL)),,no_machine) $(if $(filter mailbox %_reset,$(BOARD_HAL)),,no_reset) \
	$(if $(filter %_harts,$(BOARD_HAL)),,reset_harts) $(if $(filter %_link,$(BOARD_HAL)),line)
FIRMWARE_HAL := $(addprefix hal/riscv/,block.S divide.c try.S irq.c hart.c cpu.c memory.c breadcrumb.c) \
	hal/drivers/fdt.c $(wildcard $(foreach driver,$(BOARD_DRIVERS),hal/drivers/$(driver).[cS])) \
	boards/numbers.c $(BOARD_SOURCES)

# Parts that a board may leave out (firmware/cp/base/part.h), and their bits in enum gg_feature. On the control
# processor every call of a part is behind a test of its bit, so the linker leaves out the files of a missing part.
PARTS := cga pull graph queue trace reset watch retry restart park
PART_BIT_cga := 0x200
PART_BIT_pull := 0x400
PART_BIT_graph := 0x800
PART_BIT_queue := 0x1000
PART_BIT_trace := 0x2000
PART_BIT_reset := 0x4000
PART_BIT_watch := 0x8000
PART_BIT_retry := 0x20000
PART_BIT_restart := 0x40000
PART_BIT_park := 0x80000

BOARD_CP_PARTS ?= $(PARTS)
PARTS_HERE := $(filter-out none,$(BOARD_CP_PARTS))
PARTS_UNKNOWN := $(filter-out $(PARTS),$(PARTS_HERE))
ifneq ($(PARTS_UNKNOWN),)
$(error $(BOARD_MK): BOARD_CP_PARTS: no part $(PARTS_UNKNOWN). There are: $(PARTS), or none)
endif
ifeq ($(filter-out reset,$(PARTS_HERE)),$(PARTS_HERE))
ifneq ($(filter watch,$(PARTS_HERE)),)
$(error $(BOARD_MK): BOARD_CP_PARTS: watch needs reset)
endif
endif
PARTS_SUM := 0 $(foreach part,$(PARTS_HERE),| $(PART_BIT_$(part)))

# Sizes of tables, and properties of the core. The defaults are in firmware/cp/base/limits.h, firmware/sm/sm_area.h
# and hal/riscv/csr.h.
FIRMWARE_TABLES = '-DCP_PARTS=($(PARTS_SUM))' \
	$(foreach table,$(BOARD_TABLES),-D$(table)$(if $(filter HAL_% CP_POLICY=% CP_ORDER=%,$(table)),,u))
FIRMWARE_CP := hal/riscv/start.S hal/riscv/restart.S hal/riscv/trap.S \
	$(wildcard firmware/cp/*.c firmware/cp/*/*.c firmware/pull/*.c firmware/graph/*.c) $(FIRMWARE_HAL)
# On the SMs a part is a folder of its own; its absent.c stands for it on a board without that part.
SM_PART_cga := firmware/sm/cga
SM_PART_pull := firmware/sm/pull
SM_PART_park := firmware/sm/park
sm_part = $(if $(filter $(1),$(PARTS_HERE)),$(filter-out %/absent.c,$(wildcard $(SM_PART_$(1))/*.c)),$(SM_PART_$(1))/absent.c)
FIRMWARE_SM := $(wildcard firmware/sm/*.[cS]) $(call sm_part,cga) $(call sm_part,pull) $(call sm_part,park) \
	$(if $(filter pull,$(PARTS_HERE)),$(wildcard firmware/pull/*.c)) $(FIRMWARE_HAL)

# Only a board that names a driver of hal/link.h has the link.
FIRMWARE_CP += $(if $(filter %_link,$(BOARD_HAL)),$(filter-out %/absent.c,$(wildcard firmware/link/*.c)),firmware/link/absent.c)

firmware_objects = $(addprefix $(FIRMWARE_OUT)/obj/,$(addsuffix .o,$(1)))
FIRMWARE_CP_OBJECTS := $(call firmware_objects,$(FIRMWARE_CP))
FIRMWARE_SM_OBJECTS := $(call firmware_objects,$(FIRMWARE_SM))

.PHONY: firmware firmware-size
firmware: $(FIRMWARE_IMAGES) $(FIRMWARE_IMAGES:.elf=.bin) $(FIRMWARE_IMAGES:.elf=.hex) ## [build] Build the images of BOARD in all formats

$(FIRMWARE_OUT)/obj/boards/%.o: FIRMWARE_CFLAGS += $(FIRMWARE_DEFINES)
# Code is compiled for size, except what every task or CTA passes through. With BOARD_OPTIMISE = size that is compiled for size,
# too, on the control processor. The SMs' image, a fifth of that in size, is smaller so only with BOARD_OPTIMISE_SM = size.
FIRMWARE_HOT := $(addprefix firmware/cp/, \
	accept/tmd.c accept/tmd_copy.c accept/tmd_kept.c \
	collect/inbox.c express/express.c express/express_end.c express/refill.c finish/completion.c finish/retire.c \
	graph/graph.c graph/graph_play.c host/channel.c host/host_interface.c \
	launch/launch.c loop.c main.c \
	schedule/allowance.c schedule/issue.c schedule/task_management.c \
	schedule/work_distribution.c sms/availability.c sms/offer.c sms/sm_state.c \
	task/task.c task/task_table.c wave/wave.c wave/wave_launch.c) \
	$(addprefix firmware/graph/,heap.c run.c run_begin.c) \
	hal/drivers/pmp.c hal/drivers/pmp_encode.c
FIRMWARE_HOT_SM := $(addprefix firmware/sm/,bell.c schedule.c sm_run.c)
FIRMWARE_FAST := $(if $(filter size,$(BOARD_OPTIMISE)),,$(FIRMWARE_HOT)) $(if $(filter size,$(BOARD_OPTIMISE_SM)),,$(FIRMWARE_HOT_SM))
$(call firmware_objects,$(FIRMWARE_FAST)): FIRMWARE_CFLAGS += -O2 $(subst -fno-,-f,$(FIRMWARE_COLD)) -fno-partial-inlining -fno-tree-pre

# Its loops go over all SMs (a wave to 128 SMs has 500 instructions less, for 100 bytes).
$(call firmware_objects,firmware/cp/wave/wave.c firmware/cp/wave/wave_launch.c): FIRMWARE_CFLAGS += -fmove-loop-invariants

# They look at a TMD by words of the processor, and at its fields.
$(call firmware_objects,$(addprefix firmware/cp/accept/,tmd_copy.c tmd_kept.c)): FIRMWARE_CFLAGS += -fno-strict-aliasing

# Calls of it come into being when the image is linked, too late for a function that is still to be optimised.
$(call firmware_objects,hal/riscv/divide.c): FIRMWARE_CFLAGS += -fno-lto

# An assertion that fails names its file without the folder: no two files of an image have the same name.
$(FIRMWARE_OUT)/obj/%.c.o: %.c $(BOARD_MK) firmware/firmware.mk
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC    $(BOARD) $<")
	$(Q)$(FIRMWARE_CC) $(FIRMWARE_CFLAGS) -fmacro-prefix-map=$(<D)/= -MMD -MP -c -o $@ $<

$(FIRMWARE_OUT)/obj/%.S.o: %.S $(BOARD_MK) firmware/firmware.mk
	@mkdir -p $(@D)
	$(if $(V),,@echo "  AS    $(BOARD) $<")
	$(Q)$(FIRMWARE_CC) $(FIRMWARE_CFLAGS) -MMD -MP -c -o $@ $<

$(FIRMWARE_OUT)/%.ld: linker/%.ld.S hal/riscv/hart_slot.h $(BOARD_MK) firmware/firmware.mk
	@mkdir -p $(@D)
	$(Q)$(CROSS)gcc $(FIRMWARE_TARGET) $(FIRMWARE_DEFINES) -I. -E -P -x assembler-with-cpp -o $@ $<

# The host library looks for the numbers beside the images.
$(FIRMWARE_OUT)/board.mk: $(BOARD_MK)
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(FIRMWARE_OUT)/cp.elf: $(FIRMWARE_CP_OBJECTS)
$(FIRMWARE_OUT)/sm.elf: $(FIRMWARE_SM_OBJECTS)
$(FIRMWARE_OUT)/sm.elf: FIRMWARE_LDFLAGS += $(if $(filter size,$(BOARD_OPTIMISE_SM)),,-mno-save-restore)
$(FIRMWARE_IMAGES): $(FIRMWARE_OUT)/%.elf: $(FIRMWARE_OUT)/%.ld | $(FIRMWARE_OUT)/board.mk
	$(if $(V),,@echo "  LD    $(BOARD) $@")
	$(Q)$(if $(CCACHE),python3 tools/kept.py $@ $(@:.elf=.map)) $(CROSS)gcc $(FIRMWARE_LDFLAGS) -T $< -Wl,-Map=$(@:.elf=.map) -o $@ \
		$(filter %.o,$^) || { \
		echo "$@: if it does not fit, or relocations are truncated: $(BOARD_MK) leaves the image too little room"; exit 1; }

$(FIRMWARE_OUT)/%.bin: $(FIRMWARE_OUT)/%.elf
	$(Q)$(CROSS)objcopy -O binary $< $@

$(FIRMWARE_OUT)/%.hex: $(FIRMWARE_OUT)/%.elf
	$(Q)$(CROSS)objcopy -O ihex $< $@

# One image of the memory with both of them, for loaders that take one file; BOARD_FLASH is a program that makes the
# platform's format of it, BOARD_FLASH_FILE, and is called with the board's numbers before the two names.
PYTHON ?= python3
FLASH_IMAGES := $(FIRMWARE_OUT)/flash.bin $(FIRMWARE_OUT)/flash.hex $(addprefix $(FIRMWARE_OUT)/,$(BOARD_FLASH_FILE))
.PHONY: flash-image
flash-image: $(FLASH_IMAGES) ## [build] Build one image of the memory with both images of BOARD: flash.bin, flash.hex

$(FIRMWARE_OUT)/flash.bin: $(FIRMWARE_IMAGES) tools/flash_image.py
	$(Q)$(PYTHON) tools/flash_image.py $@ $(FIRMWARE_IMAGES)

$(FIRMWARE_OUT)/flash.hex: $(FIRMWARE_IMAGES) tools/flash_image.py
	$(Q)base=$$($(PYTHON) tools/flash_image.py --print-base $(@:.hex=.tmp) $(FIRMWARE_IMAGES)) && \
		$(CROSS)objcopy -I binary -O ihex --change-addresses $$base $(@:.hex=.tmp) $@; \
		status=$$?; rm -f $(@:.hex=.tmp); exit $$status

ifneq ($(BOARD_FLASH),)
$(FIRMWARE_OUT)/$(BOARD_FLASH_FILE): $(FIRMWARE_OUT)/flash.bin $(BOARD_FLASH)
	$(Q)$(PYTHON) $(BOARD_FLASH) --board $(BOARD_MK) $< $@
endif

# One line for each image; text counts code and constants. Fails above the budget of the board.
firmware-size: $(FIRMWARE_IMAGES) ## [measure] One line for each image of BOARD: text, data, bss; fail above the budget
	$(Q)printf '%-16s %-6s %8s %8s %8s %8s\n' board image text data bss budget
	$(Q)for image in cp:$(BOARD_TEXT_BUDGET_CP) sm:$(BOARD_TEXT_BUDGET_SM); do \
		$(CROSS)size $(FIRMWARE_OUT)/$${image%:*}.elf | awk -v board=$(BOARD) \
			-v image=$${image%:*} -v budget=$${image#*:} 'NR == 2 { \
			printf "%-16s %-6s %8d %8d %8d %8d\n", board, image, $$1, $$2, $$3, budget; \
			over = $$1 > budget } END { exit over }' || \
			{ echo "$${image%:*}: text is above the budget"; status=1; }; \
	done; exit $${status:-0}

-include $(sort $(FIRMWARE_CP_OBJECTS:.o=.d) $(FIRMWARE_SM_OBJECTS:.o=.d))
