# SPDX-License-Identifier: Apache-2.0
# How the tests are built and run. Each tests/unit/test_X.c is a program; a comment in its first
# lines names the files that it is linked with, as /* sources: room:cga memory tests/unit/cga_fixture.c */: files, and
# words that tools/unit_sources.py knows. Its output is a word for each program, of files with colons between them.
# tests/fake comes before the root in the include path: a header there replaces its namesake.
UNIT_SOURCES := $(shell python3 tools/unit_sources.py)

# All files of the control processor that run on any machine, and the device that plays the rest.
SCHEDULER := $(subst :, ,$(patsubst scheduler:%,%,$(filter scheduler:%,$(UNIT_SOURCES))))

UNIT_TESTS := $(sort $(wildcard tests/unit/test_*.c))
UNIT_PROGRAMS := $(UNIT_TESTS:tests/unit/%.c=$(BUILD)/unit/%)
UNIT_SANITIZERS ?= -fsanitize=address,undefined
UNIT_CFLAGS := $(WARNINGS) -g $(FROM_HERE) -O1 -fno-omit-frame-pointer -D_GNU_SOURCE -Itests/fake -I. -Ihost/include \
	$(UNIT_SANITIZERS) -fno-sanitize-recover=all -MMD -MP
SYSTEM_ARGS ?=
SYSTEM_TESTS ?= tests/system

.PHONY: repeat test-delays test-host-asan test-host-tsan test-unit test-lab test-model test-spin test-system walks $(BOARDS:%=test-system-%)

$(BUILD)/unit/obj/%.o: %.c
	$(Q)mkdir -p $(@D)
	$(Q)$(CCACHE) $(HOSTCC) $(UNIT_CFLAGS) -c -o $@ $<

$(UNIT_PROGRAMS):
	$(Q)$(HOSTCC) $(UNIT_SANITIZERS) -o $@ $^ -lcmocka -pthread -lm

$(foreach word,$(filter tests/unit/%,$(UNIT_SOURCES)),$(eval \
	$(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(firstword $(subst :, ,$(word)))): \
		$(patsubst %.c,$(BUILD)/unit/obj/%.o,$(subst :, ,$(word)))))

-include tests/mutate/mutate.mk
-include tests/gcov/gcov.mk
-include tests/scale/scale.mk
-include host/lab/lab.mk
-include tests/browser/browser.mk
-include tests/cluster/cluster.mk
-include tests/fuzz/fuzz.mk

-include $(shell find $(BUILD)/unit/obj -name '*.d' 2>/dev/null)

# A program that does not build counts as a failed case and the others still run, hence -k and `|| true`.
test-unit: | $(BUILD)/deps.stamp ## [test] Unit tests on this machine, with sanitizers
	$(Q)mkdir -p $(RESULTS)
	$(Q)$(MAKE) -k $(UNIT_PROGRAMS) $(SCALE_PROGRAMS) $(FUZZ_PROGRAMS) || true
	$(Q)python3 tools/run_unit.py --xml $(RESULTS)/test-unit.xml $(UNIT_PROGRAMS) $(SCALE_PROGRAMS) $(FUZZ_PROGRAMS)

# One board after the other, also with -j, because QEMU uses all processors.
test-system: ## [test] System tests in QEMU, both boards (SYSTEM_ARGS= goes to pytest)
	$(Q)status=0; for board in $(BOARDS); do $(MAKE) test-system-$$board || status=1; done; exit $$status

# GANGER_BOARD and GANGER_BUILD tell the tests what to boot.
## [test] test-system-BOARD: System tests of one board (SYSTEM_ARGS="-k word -x")
$(BOARDS:%=test-system-%): test-system-%: firmware-% kernels host plugin | $(TEST_TOOLS)
	$(Q)mkdir -p $(RESULTS)
	$(Q)PYTHONPATH=$(abspath host/python) GANGER_BOARD=$* GANGER_BUILD=$(abspath $(BUILD)) \
		HYPOTHESIS_STORAGE_DIRECTORY=$(BUILD)/hypothesis \
		$(PYTHON) -m pytest -p no:cacheprovider -q -ra --timeout 900 \
		--junitxml=$(RESULTS)/test-system-$*.xml -o junit_family=xunit2 \
		$(SYSTEM_ARGS) $(SYSTEM_TESTS)

REPEATS ?= 4
repeat: all plugin | $(TEST_TOOLS) ## [test] The system tests REPEATS=4 times: on a busy machine, on one processor, with emulators stopped, quietly (WAYS= names some)
	$(Q)GANGER_BOARDS="$(BOARDS)" python3 tests/repeat.py --build $(BUILD) --make "$(MAKE)" --times $(REPEATS) $(if $(WAYS),--ways "$(WAYS)") $(BOARDS)

# The tests of handles with the library under a sanitizer, whose runtime must be loaded before Python. What it
# finds in the library fails the test run; Python itself is neither instrumented nor looked at for leaks.
HOST_TESTS ?= tests/system/test_handles.py tests/system/test_handle_storm.py
ASAN_SETTINGS := LD_PRELOAD=$$($(HOSTCC) -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0:abort_on_error=1
TSAN_SETTINGS := LD_PRELOAD=$$($(HOSTCC) -print-file-name=libtsan.so) \
	TSAN_OPTIONS=halt_on_error=1:abort_on_error=1:die_after_fork=0:second_deadlock_stack=1
test-host-asan: SANITIZER = $(ASAN_SETTINGS)
test-host-tsan: SANITIZER = $(TSAN_SETTINGS)
test-host-asan: ## [test] The tests of handles with the library under AddressSanitizer (HOST_TESTS=, GANGER_STEPS=)
test-host-tsan: ## [test] The same under ThreadSanitizer
test-host-asan test-host-tsan: test-host-%: $(BUILD)/host/%/libganger.so firmware-$(BOARD) kernels host | $(TEST_TOOLS)
	$(Q)mkdir -p $(RESULTS)
	$(Q)PYTHONPATH=$(abspath host/python) GANGER_BOARD=$(BOARD) GANGER_BOARDS= GANGER_BUILD=$(abspath $(BUILD)) \
		HYPOTHESIS_STORAGE_DIRECTORY=$(BUILD)/hypothesis \
		GANGER_LIBRARY=$(abspath $(BUILD))/host/$*/libganger.so $(SANITIZER) \
		$(PYTHON) -m pytest -p no:cacheprovider -q -s -ra --timeout 3600 \
		--junitxml=$(RESULTS)/test-host-$*.xml -o junit_family=xunit2 $(HOST_TESTS)

# Any system tests while harts and the host's threads are held up at random. GANGER_DELAYS is the seed; what follows from
# it also depends on how this machine runs the threads. (test_delays.py is a part of the system tests; there only harts are.)
DELAY_TESTS ?= $(addprefix tests/system/test_,delays.py waves.py random_workloads.py)
test-delays: $(BUILD)/host/delay/libganger.so ## [test] Storms while harts and host threads are held up at random (GANGER_DELAYS=seed DELAY_TESTS=)
	$(Q)GANGER_LIBRARY=$(abspath $<) GANGER_DELAYS=$(or $(GANGER_DELAYS),1) \
		$(MAKE) test-system-$(BOARD) SYSTEM_TESTS="$(DELAY_TESTS)"

# The scheduler's C against the reference of tests/model: with few slots, so that tasks are evicted; then with
# all of them, and undefined behaviour caught.
MODEL_SOURCES := tests/model/driver.c tests/model/driver_tell.c $(filter firmware/%,$(SCHEDULER))
MODEL_CFLAGS := $(WARNINGS) -g $(FROM_HERE) -O1 -D_GNU_SOURCE -fPIC -I. -DCP_SMS=32u -DCP_SWEEP=4096u -DCP_WAVE_SMS=1u
MODEL_HEADERS := $(wildcard firmware/cp/*.h firmware/cp/*/*.h firmware/pull/*.h firmware/abi/*.h hal/*.h tests/model/*.h)
MODEL_LIBRARIES := $(BUILD)/model/libscheduler.so $(BUILD)/model/libscheduler-checked.so
$(BUILD)/model/libscheduler.so: MODEL_CFLAGS += -DCP_SLOTS=4u
$(BUILD)/model/libscheduler-checked.so: MODEL_CFLAGS += -fsanitize=undefined -fno-sanitize-recover=all -DCP_ORDER=driver_order

MODEL_COVERAGE := $(if $(filter --coverage,$(UNIT_SANITIZERS)),$(UNIT_SANITIZERS))
define model_rules
$$(BUILD)/model/$(1)/%.o: %.c $$(MODEL_HEADERS)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(HOSTCC) $$(MODEL_CFLAGS) $$(MODEL_COVERAGE) -c -o $$@ $$<
$$(BUILD)/model/$(1).so: $$(MODEL_SOURCES:%.c=$$(BUILD)/model/$(1)/%.o)
	$$(Q)$$(HOSTCC) $$(MODEL_CFLAGS) $$(MODEL_COVERAGE) -shared -Wl,-Bsymbolic -o $$@ $$^
endef
$(foreach library,libscheduler libscheduler-checked,$(eval $(call model_rules,$(library))))

# GANGER_MODEL says which library; the second run (libscheduler-checked.so) is optional.
test-model: $(MODEL_LIBRARIES) | $(BUILD)/deps.stamp ## [test] The scheduler against a reference: random workloads (GANGER_SEED= repeats)
	$(Q)mkdir -p $(RESULTS)
	$(Q)PYTHONPATH=$(abspath host/python) GANGER_MODEL=$(abspath $(BUILD))/model/libscheduler.so \
		HYPOTHESIS_STORAGE_DIRECTORY=$(BUILD)/hypothesis \
		$(PYTHON) tests/model/run.py --xml $(RESULTS)/test-model.xml

# All interleavings of the protocols between processors, by the model checker Spin.
test-spin: | $(BUILD)/deps.stamp ## [test] Models of the protocols between processors, every interleaving of each; states printed
	$(Q)mkdir -p $(RESULTS)
	$(Q)GANGER_BUILD=$(abspath $(BUILD)) $(PYTHON) tests/model/spin/run.py --xml $(RESULTS)/test-spin.xml

# The policy laboratory: no device and no QEMU.
test-lab: | $(TEST_TOOLS) ## [test] The policy laboratory: workloads through policies, with simulated SMs
	$(Q)mkdir -p $(RESULTS)
	$(Q)PYTHONPATH=$(abspath host/python) GANGER_BUILD=$(abspath $(BUILD)) \
		$(PYTHON) -m pytest -p no:cacheprovider -q -ra --timeout 600 \
		--junitxml=$(RESULTS)/test-lab.xml -o junit_family=xunit2 $(SYSTEM_ARGS) tests/lab

walks: ## [measure] How often a task changes file and room on its way through the control processor
	$(Q)python3 tests/bench/walks.py
