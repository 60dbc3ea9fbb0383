# SPDX-License-Identifier: Apache-2.0
# Ganger: `make run` and `make test` are all that most people need; `make help` lists the rest.
# Each folder says in its own .mk file how it is built; nothing is written outside BUILD, except
# generated files that are committed (make abi, make docs).

BUILD ?= build
# A folder in here has one name, relative, whoever calls: what was built is known by name, and so is what it was built of.
override BUILD := $(patsubst $(CURDIR)/%,%,$(BUILD))
BOARD ?= qemu-virt64
BOARDS := qemu-virt64 qemu-virt32
ALL_BOARDS := $(sort $(patsubst boards/%/board.mk,%,$(wildcard boards/*/board.mk)))
SIZE_BOARDS := $(if $(filter command line,$(origin BOARD)),$(BOARD),$(if $(BRIEF),$(BOARDS),$(ALL_BOARDS)))
SMS ?= 8
V ?=

CROSS ?= riscv64-unknown-elf-
HOSTCC ?= gcc
# What the compiler made is kept by content in the user's cache, for other clones too: by ccache, where it is installed. Debug
# information names files from this folder on, so that it is the same there.
CCACHE := $(shell command -v ccache)
export CCACHE_BASEDIR := $(CURDIR)
FROM_HERE := -fdebug-prefix-map=$(CURDIR)=.
PYTHON := $(BUILD)/venv/bin/python
TEST_TOOLS := $(BUILD)/venv/requirements-test.txt
WARNINGS := -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
RESULTS := $(BUILD)/results
Q := $(if $(V),,@)

# Python keeps what it has compiled, like everything that is built, in BUILD, also where the environment forbids it.
export PYTHONDONTWRITEBYTECODE :=
export PYTHONPYCACHEPREFIX := $(abspath $(BUILD))/pycache
# Set by `make test`: what takes long is left to `make test-all`.
ifdef BRIEF
export PYTEST_ADDOPTS := -p tests.brief
endif
MAKEFLAGS += --no-print-directory $(if $(V),,--silent)
.DEFAULT_GOAL := all
$(CURDIR)/$(BUILD)/%: $(BUILD)/% ;
.DELETE_ON_ERROR:

-include firmware/abi/abi.mk
-include firmware/firmware.mk
-include firmware/kernel/kernel.mk
-include host/host.mk
-include host/opencl/opencl.mk
-include qemu/plugin/plugin.mk
include tests/tests.mk
-include tests/rtl/rtl.mk
-include boards/refsoc/fpga/synth.mk

.PHONY: all run test test-all longest bench figures size check docs deps test-tools format clean distclean help
.PHONY: $(ALL_BOARDS:%=firmware-%)

all: $(BOARDS:%=firmware-%) kernels host ## [build] Build the firmware of both boards, the kernels and the host side

## [build] firmware-BOARD: Build the images of one board
# Each board is built by a make of its own, so that the rules of firmware.mk deal with one board only.
$(ALL_BOARDS:%=firmware-%): firmware-%:
	$(Q)$(MAKE) -f firmware/firmware.mk BOARD=$* $(BUILD)/$*/cp.elf $(BUILD)/$*/sm.elf

run: ## [run] Boot the device, run the pipeline on the picture, check every result (BOARD=, SMS=)
	$(Q)$(MAKE) deps
	$(Q)$(MAKE) all plugin
	$(Q)mkdir -p $(BUILD)/run
	$(Q)PYTHONPATH=host/python $(PYTHON) -m ganger.demo --board $(BOARD) --sms $(SMS) --out $(BUILD)/run

# Every step runs, also after a failure; the last line says how many cases passed and failed. The first steps use all
# processors (AT_ONCE), also without -j. Steps that leave half of two processors idle run in two lanes side by side; those
# that may install something are all in the first one. So do the system tests of the two boards, which share out what is
# no test of a board.
TEST_STEPS := all size check test-unit
AT_ONCE = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))
TEST_LANE := test-opencl-quick test-browser test-cluster test-rtl
OTHER_LANE := test-host-asan test-model test-lab test-spin test-host-tsan
SYSTEM_STEPS := $(BOARDS:%=test-system-%)
test: export BRIEF := 1
test: ## [test] Build everything and run some tests of every kind, both boards; last line: N passed, N failed
test-all: ## [test] All tests, also those that take long
test test-all: export GANGER_BOARDS := $(BOARDS)
test test-all:
	$(Q)$(MAKE) deps test-tools || { echo "0 passed, 1 failed"; exit 1; }
	$(Q)rm -rf $(RESULTS) && mkdir -p $(RESULTS)
	$(Q)timed() { \
		began=$$(date +%s); $(MAKE) $$2 $$1 2>&1; echo "$$? $$(( $$(date +%s) - began ))" >$(RESULTS)/$$1.rc; \
	}; \
	lane() { for step; do timed $$step | sed -u "s/^/$${step#test-}: /"; done; }; \
	for step in $(TEST_STEPS); do echo "== $$step"; timed $$step $(AT_ONCE); done; $(MAKE) plugin; \
	echo "== $(TEST_LANE), $(OTHER_LANE)"; lane $(TEST_LANE) & lane $(OTHER_LANE) & wait; \
	echo "== $(SYSTEM_STEPS)"; for step in $(SYSTEM_STEPS); do lane $$step & done; wait; \
	python3 tools/summary.py $(RESULTS) $(TEST_STEPS) $(TEST_LANE) $(OTHER_LANE) $(SYSTEM_STEPS)

longest: ## [write] The list of what `make test` leaves out, from the results of `make test-all`
	$(Q)python3 tools/longest.py $(RESULTS)

# Side by side with -j, since they wait more than they work; times are then those of a busy machine.
FIGURES := $(patsubst tests/bench/bench_%.py,figures-%,$(sort $(wildcard tests/bench/bench_*.py)))
.PHONY: $(FIGURES)
bench: $(FIGURES) ## [measure] Print the figures: instructions, latencies, sizes (no pass or fail)
$(FIGURES): figures-%: plugin all | $(BUILD)/deps.stamp
	$(Q)mkdir -p $(BUILD)/figures
	$(Q)echo "== tests/bench/bench_$*.py"; PYTHONPATH=host/python GANGER_BUILD=$(BUILD) $(PYTHON) tests/bench/bench_$*.py $(KEEP_FIGURES)

figures: KEEP_FIGURES = --json $(BUILD)/figures/$*.json
figures: $(addprefix figures-,launch cga graph schedule) ## [measure] Measure this commit and add it to docs/FIGURES.md
	$(Q)$(PYTHON) tests/bench/history.py $(BUILD)/figures

size: $(SIZE_BOARDS:%=firmware-%) | $(BUILD)/deps.stamp ## [measure] Print text, data, bss, worst stack of each image of all boards, or BOARD=; fail above the budget
	$(Q)$(PYTHON) tools/size.py --build $(BUILD) --objdump $(CROSS)objdump $(SIZE_BOARDS)

check: | $(TEST_TOOLS) $(OPENCL_DEPS) ## [test] Check layers, headers, style, lint, generated files, coverage: one line each
	$(Q)mkdir -p $(RESULTS)
	$(Q)$(PYTHON) tools/check.py --build $(BUILD) --make "$(MAKE)" --xml $(RESULTS)/check.xml $(if $(BRIEF),--brief)

docs: abi ## [write] Generate docs/REGISTERS.md and docs/COVERAGE.md, and BUILD/COVERAGE.md with the tests of every number
	$(Q)$(PYTHON) tools/coverage.py --write --table $(BUILD)/COVERAGE.md

format: | $(BUILD)/deps.stamp ## [write] Lay out all C files as .clang-format says
	$(Q)$(PYTHON) tools/check_format.py --write

deps: $(BUILD)/deps.stamp ## [build] Install what is missing (apt; Python tools into build/venv)
	@:
$(BUILD)/deps.stamp: tools/deps.sh tools/requirements.txt tools/requirements-rtl.txt
	$(Q)sh tools/deps.sh $(BUILD)
	$(Q)touch $@

# What only tests and checks need: `make run` does not install it. The folder `wheels` has what the package of
# host/python requires, for a test that installs it without a network.
test-tools: $(TEST_TOOLS) ## [build] Install the Python tools of the tests into build/venv
	@:
$(TEST_TOOLS): tools/requirements-test.txt | $(BUILD)/deps.stamp
	$(Q)$(PYTHON) -m pip install --quiet --disable-pip-version-check --retries 5 -r $<
	$(Q)$(PYTHON) -m pip download --quiet --disable-pip-version-check --retries 5 --no-deps \
		--dest $(BUILD)/venv/wheels $$(grep pyelftools tools/requirements.txt)
	$(Q)cp $< $@

abi docs: | $(BUILD)/deps.stamp

clean: ## [clean] Remove what was built, but not the installed Python tools
	$(Q)find $(BUILD) -mindepth 1 -maxdepth 1 ! -name venv ! -name deps.stamp -exec rm -rf {} + 2>/dev/null || true

distclean: ## [clean] Remove the whole build folder
	$(Q)rm -rf $(BUILD)

# The help of a target is `## [group] text` on its line; when its name has a variable, on a line of its own.
HELP_GROUPS := run build test measure write clean
help: ## [run] This list
	@for group in $(HELP_GROUPS); do \
		case $$group in write) echo "Write generated and formatted files";; *) echo "$$group" | sed 's/^./\U&/';; esac; \
		sed -nE "s/^(## \[$$group\] ([A-Za-z-]+): |([a-z-]+):.*## \[$$group\] )(.*)/\2\3|\4/p" $(MAKEFILE_LIST) | \
			LC_ALL=C sort -t'|' -k1,1 | while IFS='|' read -r name text; do printf '  %-20s %s\n' "$$name" "$$text"; done; \
	done
	@echo 'Variables'
	@echo '  BOARD=$(BOARD) SMS=$(SMS) BUILD=$(BUILD) V=1 (show commands)'
	@echo '  Boards: $(ALL_BOARDS)'
