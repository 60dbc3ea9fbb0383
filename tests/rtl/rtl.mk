# SPDX-License-Identifier: Apache-2.0
# Simulators of the reference SoC, one for each board with a core (boards/*/core.v and core.f):
# BUILD/rtl/<board>/sim. tests/rtl/sim/README.md says how one is used.
# BUILD/rtl/<board>-sms<N>/sim is the same with N SMs, a RAM of 4 MiB, and as many banks as keep the harts busy.
# <name>-launch is any of them with the launch unit. <board>-small has the numbers of RTL_SMALL_NUMBERS.
# RTL_VCD=1 builds BUILD/rtl/<board>-vcd/sim, which knows --vcd and is slower.
RTL_BOARDS := $(sort $(patsubst boards/%/core.f,%,$(wildcard boards/*/core.f)))
RTL_MANY := $(addprefix refsoc-sms,2 8 16)
RTL_SMALL := refsoc-vexmin-small
RTL_LAUNCH := $(addsuffix -launch,$(RTL_BOARDS) refsoc-sms8 refsoc-sms16)
RTL_VCD ?=
RTL_VARIANT := $(if $(RTL_VCD),-vcd)
RTL_SIMS := $(RTL_BOARDS:%=$(BUILD)/rtl/%$(RTL_VARIANT)/sim)
RTL_MANY_SIMS := $(RTL_MANY:%=$(BUILD)/rtl/%$(RTL_VARIANT)/sim)
RTL_SMALL_SIM := $(BUILD)/rtl/$(RTL_SMALL)$(RTL_VARIANT)/sim
RTL_LAUNCH_SIMS := $(RTL_LAUNCH:%=$(BUILD)/rtl/%$(RTL_VARIANT)/sim)
RTL := boards/refsoc/rtl
VERILATOR ?= verilator
RTL_CROSS ?= $(CROSS)

RTL_SOURCES := $(addprefix $(RTL)/,mailbox_regs_pkg.sv mailbox_regs.sv mailbox.v launch_regs_pkg.sv launch_regs.sv launch.v \
	arbiter.v crossbar.v clint.v fifo.v uart16550.v devices.v uncore.v)
RTL_SIM_SOURCES := $(abspath $(addprefix tests/rtl/sim/,sim.cpp memory.cpp console.cpp crew.cpp))
RTL_DEPENDS := $(RTL_SOURCES) $(RTL_SIM_SOURCES) $(addprefix tests/rtl/sim/,top.v hart.v ram.v sim.hpp crew.hpp waivers.vlt) \
	tests/rtl/rtl.mk

# $(call rtl_number,board,name,default): a number of a board, or the default while the board has no board.mk.
rtl_number = $(or $(shell sed -n 's/^$(2) *= *//p' boards/$(1)/board.mk 2>/dev/null),$(3))
# The smallest useful device: what the RAM of an ECP5-45F has room for. `make synth` can have these numbers, too.
RTL_SMALL_NUMBERS := BOARD_SMS=1 BOARD_RAM_MIN=0x34000 BOARD_SM_SHARED_BYTES=2048 BOARD_SM_PRIVATE_BYTES=8192
rtl_small = $(if $(filter %-small,$(1)),$(patsubst $(2)=%,%,$(filter $(2)=%,$(RTL_SMALL_NUMBERS))))

# <board>[-sms<N>][-launch]: the board and N; a board alone has the numbers of its board.mk.
rtl_board = $(firstword $(subst -sms, ,$(patsubst %-small,%,$(1:-launch=))))
rtl_sms = $(word 2,$(subst -sms, ,$(1:-launch=)))
rtl_harts = $(or $(RTL_HARTS),$(shell expr $(or $(call rtl_sms,$(1)),$(call rtl_small,$(1),BOARD_SMS),$(call rtl_number,$(rtl_board),BOARD_SMS,2)) + 1))
rtl_ram = $(shell printf %d $(if $(call rtl_sms,$(1)),0x400000,$(or $(call rtl_small,$(1),BOARD_RAM_MIN),$(call rtl_number,$(rtl_board),BOARD_RAM_MIN,0x400000))))
rtl_banks = $(or $(RTL_BANKS),$(if $(call rtl_sms,$(1)),16,1))
rtl_hz = 10000000

# The folder of the package that core.f names in its first line.
rtl_package = $$($(PYTHON) -c "import $$(sed -n '1s,// package: ,,p' boards/$(call rtl_board,$(1))/core.f) as p; print(p.data_location)")

rtl_lint_flags = -Wall -Wno-fatal --default-language 1800-2017
rtl_numbers = -GN=$(call rtl_harts,$(1)) -GBANKS=$(call rtl_banks,$(1)) -GRAM_BYTES=$(call rtl_ram,$(1)) -GCLOCK_HZ=$(rtl_hz) \
	$(if $(filter %-launch,$(1)),-GLAUNCH=1)
rtl_core = -f boards/$(call rtl_board,$(1))/core.f boards/$(call rtl_board,$(1))/core.v
rtl_verilate = OBJCACHE=$(CCACHE) CCACHE_NOHASHDIR=1 $(VERILATOR) --cc --build -j 2 --x-assign fast --x-initial fast --noassert --no-timing -Wno-fatal \
	-Wno-lint -Wno-style $(if $(RTL_VCD),--trace) -MAKEFLAGS "OPT_FAST=-O2 OPT_SLOW=-O1 OPT_GLOBAL=-O2" tests/rtl/sim/waivers.vlt
rtl_cflags = -std=c++20 -Wall -Wextra -I$(abspath tests/rtl/sim) -DSIM_HARTS=$(call rtl_harts,$(1))u \
	-DSIM_RAM_BYTES=$(call rtl_ram,$(1))u -DSIM_CLOCK_HZ=$(rtl_hz)u

# One model of the core serves all harts of a simulator, and all simulators of a board.
define rtl_core_rules
$$(BUILD)/rtl/$(1)$$(RTL_VARIANT)/core/Vhart__ALL.a: $$(addprefix boards/$(1)/,core.v core.f) tests/rtl/sim/hart.v \
		tests/rtl/sim/waivers.vlt tests/rtl/rtl.mk | $$(BUILD)/deps.stamp
	$$(Q)mkdir -p $$(@D)
	$$(Q)export CORE="$$(call rtl_package,$(1))"; $$(rtl_verilate) --top-module hart --Mdir $$(@D) \
		$$(call rtl_core,$(1)) tests/rtl/sim/hart.v >$$(@D)/build.log 2>&1 || { tail -20 $$(@D)/build.log; exit 1; }
endef
$(foreach board,$(RTL_BOARDS),$(eval $(call rtl_core_rules,$(board))))

define rtl_rules
$$(BUILD)/rtl/$(1)$$(RTL_VARIANT)/sim: $$(BUILD)/rtl/$(call rtl_board,$(1))$$(RTL_VARIANT)/core/Vhart__ALL.a $$(RTL_DEPENDS) \
		$$(wildcard boards/$(call rtl_board,$(1))/board.mk)
	$$(Q)mkdir -p $$(@D)
	$$(Q)rm -f $$(foreach file,$$(RTL_SIM_SOURCES:.cpp=),$$(@D)/model/$$(notdir $$(file)).[do])
	$$(Q)$$(rtl_verilate) --exe --top-module top $$(call rtl_numbers,$(1)) \
		-CFLAGS "$$(call rtl_cflags,$(1)) -I$$(abspath $$(<D))" -LDFLAGS "$$(abspath $$<) -pthread" --Mdir $$(@D)/model -o ../sim \
		$$(RTL_SOURCES) tests/rtl/sim/ram.v tests/rtl/sim/top.v $$(RTL_SIM_SOURCES) \
		>$$(@D)/build.log 2>&1 || { tail -20 $$(@D)/build.log; exit 1; }
endef
$(foreach name,$(RTL_BOARDS) $(RTL_MANY) $(RTL_LAUNCH) $(RTL_SMALL),$(eval $(call rtl_rules,$(name))))

.PHONY: rtl-sims rtl-many rtl-launch rtl-lint rtl-registers rtl-registers-check $(RTL_BOARDS:%=rtl-lint-%)
rtl-sims: $(RTL_SIMS) ## [build] Build the simulators of the reference SoC with each core
rtl-many: $(RTL_MANY_SIMS) ## [build] Build the simulators of the reference SoC with 2, 8 and 16 SMs

rtl-launch: $(RTL_LAUNCH_SIMS) ## [build] Build the simulators of the reference SoC with the launch unit

rtl-lint: $(RTL_BOARDS:%=rtl-lint-%) ## [test] Warnings of Verilator about the reference SoC with each core

# Verilator's exit status is 0 when it only warned, so any output is a failure.
## [test] rtl-lint-BOARD: The same with the core of one board
$(RTL_BOARDS:%=rtl-lint-%): rtl-lint-%: | $(BUILD)/deps.stamp
	$(Q)mkdir -p $(BUILD)/rtl
	$(Q)export CORE="$(call rtl_package,$*)"; for top in soc top hart; do \
		$(VERILATOR) --lint-only $(rtl_lint_flags) tests/rtl/sim/waivers.vlt --top-module $$top --no-timing \
		$$(case $$top in \
			soc) echo $(call rtl_numbers,$*-launch) $(call rtl_core,$*) $(RTL_SOURCES) $(addprefix $(RTL)/,soc.v ram.v uart_serial.v);; \
			top) echo $(call rtl_numbers,$*) $(RTL_SOURCES) $(addprefix tests/rtl/sim/,ram.v top.v);; \
			hart) echo $(call rtl_core,$*) tests/rtl/sim/hart.v;; \
		esac) >$(BUILD)/rtl/lint-$*.log 2>&1; \
		if [ -s $(BUILD)/rtl/lint-$*.log ]; then cat $(BUILD)/rtl/lint-$*.log; exit 1; fi; done

# The registers of the mailbox block and of the launch unit. Structures are packed, which open synthesis tools want.
RTL_BLOCKS := mailbox launch
rtl_registers = for block in $(RTL_BLOCKS); do $(PEAKRDL) regblock $(RTL)/$$block.rdl --cpuif passthrough --err-if-bad-addr \
	-o $(1) && sed -i 's/struct {/struct packed {/; 1i // SPDX-License-Identifier: Apache-2.0' \
	$(1)/$${block}_regs.sv $(1)/$${block}_regs_pkg.sv || exit 1; done
rtl-registers: | $(BUILD)/deps.stamp ## [write] Generate the registers of the mailbox block and the launch unit
	$(Q)$(call rtl_registers,$(RTL))
rtl-registers-check: | $(BUILD)/deps.stamp ## [test] Fail when a file that rtl-registers generates is stale
	$(Q)mkdir -p $(BUILD)/rtl/registers
	$(Q)$(call rtl_registers,$(BUILD)/rtl/registers)
	$(Q)for f in $(foreach block,$(RTL_BLOCKS),$(block)_regs.sv $(block)_regs_pkg.sv); do cmp $(RTL)/$$f $(BUILD)/rtl/registers/$$f || \
		{ echo "$(RTL)/$$f is stale: run make rtl-registers"; exit 1; }; done

# The bench of the launch unit alone.
RTL_BENCH := $(BUILD)/rtl/launch_unit/bench
RTL_BENCH_SOURCES := $(addprefix $(RTL)/,launch_regs_pkg.sv launch_regs.sv launch.v clint.v) tests/rtl/launch_unit/bench.v
$(RTL_BENCH): $(RTL_BENCH_SOURCES) tests/rtl/launch_unit/bench.cpp tests/rtl/rtl.mk
	$(Q)mkdir -p $(@D)
	$(Q)$(VERILATOR) --cc --exe --build -j 2 --top-module bench --x-assign fast --noassert --no-timing -Wno-fatal -Wno-lint \
		-Wno-style -CFLAGS "-std=c++17 -Wall -Wextra" --Mdir $(@D)/model -o ../bench \
		$(RTL_BENCH_SOURCES) $(abspath tests/rtl/launch_unit/bench.cpp) >$(@D)/build.log 2>&1 || { tail -20 $(@D)/build.log; exit 1; }

# Small images that test the SoC and the cores' wrappers; RV32I, so that they run on all.
RTL_SMOKE := $(patsubst tests/rtl/smoke/smoke_%.c,$(BUILD)/rtl/smoke/%.bin,$(wildcard tests/rtl/smoke/smoke_*.c))
RTL_SMOKE_FLAGS := -std=gnu11 -Wall -Wextra -Werror -Os -march=rv32i_zicsr_zifencei -mabi=ilp32 -mcmodel=medany \
	-ffreestanding -nostdlib -fno-builtin -msmall-data-limit=0 -Itests/rtl/smoke -Wl,--no-warn-rwx-segments

$(RTL_SMOKE): $(BUILD)/rtl/smoke/%.bin: tests/rtl/smoke/smoke_%.c $(addprefix tests/rtl/smoke/,smoke.c smoke.h start.S smoke.ld)
	$(Q)mkdir -p $(@D)
	$(Q)$(CROSS)gcc $(RTL_SMOKE_FLAGS) -T tests/rtl/smoke/smoke.ld -o $(@:.bin=.elf) $(filter %.S %.c,$^)
	$(Q)$(CROSS)objcopy -O binary $(@:.bin=.elf) $@

# The firmware of each board; that of one whose serial line is the link to the host; kernels for each core.
RTL_FIRMWARE := $(patsubst %,rtl-firmware-%,$(RTL_BOARDS) refsoc-lock refsoc-launch)
RTL_SERIAL := refsoc-vexmin
RTL_SERIAL_HAL = $(patsubst uart16550,no_console uart_link,$(call rtl_number,$(RTL_SERIAL),BOARD_HAL))
RTL_KERNELS := $(addprefix tests/rtl/kernels/,classes.c costs.c cycles.c device.c threads.c) \
	$(addprefix firmware/kernel/samples/,vecadd.c reduce.c barrier_ids.c cluster_ring.c)
RTL_MARCHES := $(sort $(foreach board,$(RTL_BOARDS),$(call rtl_number,$(board),BOARD_MARCH)))
RTL_KERNEL_ELFS := $(foreach march,$(RTL_MARCHES),$(patsubst %.c,$(BUILD)/rtl/kernels/$(march)/%.elf,$(notdir $(RTL_KERNELS))))

define rtl_kernel_rules
$$(BUILD)/rtl/kernels/$(1)/%.elf: %.c $$(KERNEL_TOOLS) | $$(BUILD)/deps.stamp
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(PYTHON) firmware/kernel/ganger-cc $$(KERNEL_FLAGS) -march=$(1) -o $$@ $$<
endef
vpath %.c tests/rtl/kernels
$(BUILD)/rtl/kernels/%/threads.elf: KERNEL_FLAGS += -fno-loops
$(foreach march,$(RTL_MARCHES),$(eval $(call rtl_kernel_rules,$(march))))

.PHONY: rtl-smoke rtl-kernels rtl-serial rtl-small $(RTL_FIRMWARE) test-rtl
rtl-smoke: $(RTL_SMOKE) ## [build] Small images that test the SoC and the wrappers of the cores
rtl-kernels: $(RTL_KERNEL_ELFS) ## [build] The kernels of the tests on RTL, for each core

## [build] rtl-firmware-BOARD: The image of the memory of one board on RTL
$(RTL_FIRMWARE): rtl-firmware-%: | $(BUILD)/deps.stamp
	$(Q)$(MAKE) -f firmware/firmware.mk PYTHON=$(PYTHON) BOARD=$* flash-image

# $(call rtl_line,folder,numbers): an image of the board whose serial line is the link.
rtl_line = $(MAKE) -f firmware/firmware.mk BUILD=$(BUILD)/rtl/$(1) PYTHON=$(abspath $(PYTHON)) BOARD=$(RTL_SERIAL) BOARD_HAL="$(RTL_SERIAL_HAL)" \
	BOARD_SOURCES="boards/refsoc/board.c boards/refsoc/link.c" $(2) flash-image
rtl-serial: | $(BUILD)/deps.stamp ## [build] The firmware whose serial line is the link to the host
	$(Q)$(call rtl_line,serial)
rtl-small: $(RTL_SMALL_SIM) | $(BUILD)/deps.stamp ## [build] The smallest useful device: its simulator, its firmware, and one that has no room there
	$(Q)$(call rtl_line,small,$(RTL_SMALL_NUMBERS))
	$(Q)$(call rtl_line,full,$(RTL_SMALL_NUMBERS) BOARD_SM_SHARED_BYTES=4096)

# Simulators take one core each, so two pytests share the boards: run.py.
RTL_ARGS ?=
test-rtl: rtl-lint $(RTL_SIMS) $(BUILD)/rtl/refsoc-sms16/sim $(BUILD)/rtl/refsoc-sms16-launch/sim $(RTL_BENCH) $(RTL_SMOKE) $(RTL_FIRMWARE) rtl-serial rtl-small rtl-kernels host plugin firmware-qemu-virt32 | $(BUILD)/deps.stamp ## [test] Tests on RTL: the reference SoC with each core, simulated
	$(Q)mkdir -p $(RESULTS)
	$(Q)PYTHONPATH=$(abspath host/python) GANGER_BUILD=$(abspath $(BUILD)) \
		$(PYTHON) tests/rtl/run.py --xml $(RESULTS)/test-rtl.xml $(RTL_ARGS)
