# SPDX-License-Identifier: Apache-2.0
# How the images of one board are built: cp.elf (control processor) and sm.elf (SMs), with .bin and
# .hex beside them, in $(BUILD)/$(BOARD). BOARD is any folder of boards/ that has a board.mk.

BUILD ?= build
BOARD ?= qemu-virt64
CROSS ?= riscv64-unknown-elf-
WARNINGS ?= -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
Q ?= $(if $(V),,@)

BOARD_MK := boards/$(BOARD)/board.mk
ifeq ($(wildcard $(BOARD_MK)),)
$(error BOARD=$(BOARD): no such board. There are: $(patsubst boards/%/board.mk,%,$(wildcard boards/*/board.mk)))
endif
include $(BOARD_MK)

FIRMWARE_OUT := $(BUILD)/$(BOARD)
FIRMWARE_IMAGES := $(FIRMWARE_OUT)/cp.elf $(FIRMWARE_OUT)/sm.elf

# The numbers of board.mk, as macros. Only boards/ and linker/ get them.
FIRMWARE_TEXTS := BOARD_MK BOARD_MARCH BOARD_MABI BOARD_HAL BOARD_SOURCES BOARD_QEMU BOARD_QEMU_ARGS
FIRMWARE_NUMBERS := $(sort $(filter-out $(FIRMWARE_TEXTS),$(filter BOARD_%,$(.VARIABLES))))
FIRMWARE_DEFINES := -DBOARD_NAME='"$(BOARD)"' $(foreach name,$(FIRMWARE_NUMBERS),-D$(name)=$($(name)))

# With the ISA of 2019 `csrr` and `fence.i` would need a -march for which there is no C library.
FIRMWARE_TARGET := -march=$(BOARD_MARCH) -mabi=$(BOARD_MABI) -misa-spec=2.2 -mcmodel=medany
FIRMWARE_CFLAGS := $(FIRMWARE_TARGET) --specs=picolibc.specs $(WARNINGS) -Os -flto -g -I. \
	-ffunction-sections -fdata-sections -fno-common -fno-asynchronous-unwind-tables
FIRMWARE_LDFLAGS := $(FIRMWARE_TARGET) --specs=picolibc.specs -nostartfiles -static \
	-Wl,--gc-sections -Wl,--fatal-warnings -Wl,--build-id=none

FIRMWARE_HAL := $(addprefix hal/riscv/,block.S irq.c hart.c cpu.c memory.c stack.c breadcrumb.c) \
	hal/drivers/fdt.c $(wildcard $(foreach driver,$(BOARD_HAL),hal/drivers/$(driver).[cS])) \
	boards/numbers.c $(BOARD_SOURCES)
FIRMWARE_CP := hal/riscv/start.S hal/riscv/trap.S $(wildcard firmware/cp/*.[cS]) $(wildcard firmware/pull/*.c) $(wildcard firmware/graph/*.c) $(FIRMWARE_HAL)
FIRMWARE_SM := $(wildcard firmware/sm/*.[cS]) $(wildcard firmware/pull/*.c) $(FIRMWARE_HAL)

firmware_objects = $(addprefix $(FIRMWARE_OUT)/obj/,$(addsuffix .o,$(1)))
FIRMWARE_CP_OBJECTS := $(call firmware_objects,$(FIRMWARE_CP))
FIRMWARE_SM_OBJECTS := $(call firmware_objects,$(FIRMWARE_SM))

.PHONY: firmware firmware-size
firmware: $(FIRMWARE_IMAGES) $(FIRMWARE_IMAGES:.elf=.bin) $(FIRMWARE_IMAGES:.elf=.hex) ## Build the images of BOARD in all formats

$(FIRMWARE_OUT)/obj/boards/%.o: FIRMWARE_CFLAGS += $(FIRMWARE_DEFINES)
# Small comes first, but for what every task or CTA goes through on the control processor.
FIRMWARE_HOT := $(addprefix firmware/cp/,allowance.c availability.c channel.c completion.c host_interface.c \
	issue.c launch.c launch_stop.c cga.c cga_place.c lake.c shadow.c life.c loop.c main.c needs.c offer.c policy.c policy_balance.c sm_class.c sm_state.c submit.c task.c task_management.c task_table.c tmd.c \
	work_distribution.c report.c)
$(call firmware_objects,$(FIRMWARE_HOT)): FIRMWARE_CFLAGS += -O2

$(FIRMWARE_OUT)/obj/%.c.o: %.c $(BOARD_MK) firmware/firmware.mk
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC    $(BOARD) $<")
	$(Q)$(CROSS)gcc $(FIRMWARE_CFLAGS) -MMD -MP -c -o $@ $<

$(FIRMWARE_OUT)/obj/%.S.o: %.S $(BOARD_MK) firmware/firmware.mk
	@mkdir -p $(@D)
	$(if $(V),,@echo "  AS    $(BOARD) $<")
	$(Q)$(CROSS)gcc $(FIRMWARE_CFLAGS) -MMD -MP -c -o $@ $<

$(FIRMWARE_OUT)/%.ld: linker/%.ld.S hal/riscv/hart_slot.h $(BOARD_MK) firmware/firmware.mk
	@mkdir -p $(@D)
	$(Q)$(CROSS)gcc $(FIRMWARE_TARGET) $(FIRMWARE_DEFINES) -I. -E -P -x assembler-with-cpp -o $@ $<

# The host library looks for the numbers beside the images.
$(FIRMWARE_OUT)/board.mk: $(BOARD_MK)
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(FIRMWARE_OUT)/cp.elf: $(FIRMWARE_CP_OBJECTS)
$(FIRMWARE_OUT)/sm.elf: $(FIRMWARE_SM_OBJECTS)
$(FIRMWARE_IMAGES): $(FIRMWARE_OUT)/%.elf: $(FIRMWARE_OUT)/%.ld | $(FIRMWARE_OUT)/board.mk
	$(if $(V),,@echo "  LD    $(BOARD) $@")
	$(Q)$(CROSS)gcc $(FIRMWARE_LDFLAGS) -T $< -Wl,-Map=$(@:.elf=.map) -o $@ $(filter %.o,$^)

$(FIRMWARE_OUT)/%.bin: $(FIRMWARE_OUT)/%.elf
	$(Q)$(CROSS)objcopy -O binary $< $@

$(FIRMWARE_OUT)/%.hex: $(FIRMWARE_OUT)/%.elf
	$(Q)$(CROSS)objcopy -O ihex $< $@

# One line for each image; text counts code and constants. Fails above the budget of the board.
firmware-size: $(FIRMWARE_IMAGES)
	$(Q)printf '%-16s %-6s %8s %8s %8s %8s\n' board image text data bss budget
	$(Q)for image in cp:$(BOARD_TEXT_BUDGET_CP) sm:$(BOARD_TEXT_BUDGET_SM); do \
		$(CROSS)size $(FIRMWARE_OUT)/$${image%:*}.elf | awk -v board=$(BOARD) \
			-v image=$${image%:*} -v budget=$${image#*:} 'NR == 2 { \
			printf "%-16s %-6s %8d %8d %8d %8d\n", board, image, $$1, $$2, $$3, budget; \
			over = $$1 > budget } END { exit over }' || \
			{ echo "$${image%:*}: text is above the budget"; status=1; }; \
	done; exit $${status:-0}

-include $(sort $(FIRMWARE_CP_OBJECTS:.o=.d) $(FIRMWARE_SM_OBJECTS:.o=.d))
