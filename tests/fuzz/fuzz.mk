# SPDX-License-Identifier: Apache-2.0
# Fuzz targets: fuzz_X.c for readers in C, fuzz_X.py for those in Python. `make test-unit` and the system tests replay
# tests/fuzz/corpus/X with gcc and Python alone. `make fuzz` makes up more: C with clang's libFuzzer, Python with atheris.
# Only it installs the two. What it keeps for the next run is in BUILD/fuzz/corpus; what breaks a target, in BUILD/fuzz/found.

FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_TARGETS_PYTHON := $(patsubst tests/fuzz/fuzz_%.py,%,$(wildcard tests/fuzz/fuzz_*.py))
FUZZ_PROGRAMS := $(FUZZ_TARGETS:%=$(BUILD)/fuzz/fuzz_%)
FUZZ_OUT := $(BUILD)/fuzz
FUZZ ?= $(FUZZ_TARGETS) $(FUZZ_TARGETS_PYTHON)
FUZZ_SECONDS ?= 10
FUZZ_RUNS ?= -1
SOAK_SECONDS ?= 60
SOAK_TESTS := $(addprefix tests/system/test_,chaos_all.py urgent.py delays.py handle_storm.py)
FUZZ_CC := clang-14
FUZZ_RUNTIME := $(wildcard /usr/lib/llvm-14/lib/clang/14*/lib/linux/libclang_rt.fuzzer-*.a)
FUZZ_ATHERIS := atheris==3.0.0
FUZZ_BYTES := 4096
# The readers of short inputs are faster when nobody makes up long ones.
FUZZ_BYTES_board := 1024
FUZZ_BYTES_graph := 1024
FUZZ_BYTES_print := 256
FUZZ_BYTES_link := 128
FUZZ_BYTES_reply := 64
FUZZ_BYTES_request := 24
FUZZ_BYTES_text := 512
FUZZ_BYTES_program := 1024
FUZZ_BYTES_csr := 1280
# Of comparisons the fuzzer is told where it learns numbers from them. Here most are of single bits and characters, or of
# places of clients.
FUZZ_CFLAGS_print := -fno-sanitize-coverage=trace-cmp
FUZZ_CFLAGS_link := $(FUZZ_CFLAGS_print)
FUZZ_CFLAGS_request := $(FUZZ_CFLAGS_print)
FUZZ_CFLAGS_reply := $(FUZZ_CFLAGS_print)
FUZZ_ARGS = -max_total_time=$(FUZZ_SECONDS) -runs=$(FUZZ_RUNS) -max_len=$(or $(FUZZ_BYTES_$*),$(FUZZ_BYTES)) -timeout=60 -rss_limit_mb=1024 \
	-malloc_limit_mb=512 -entropic=0 -print_final_stats=1 -verbosity=0
fuzz_dictionary = $(patsubst %,-dict=%,$(wildcard tests/fuzz/$(1).dict))
FUZZ_ASAN := quarantine_size_mb=8:malloc_context_size=2
fuzz_words = $(subst :, ,$(filter tests/fuzz/fuzz_$(1).c:%,$(UNIT_SOURCES)))

.PHONY: fuzz soak

# Replay.
$(FUZZ_PROGRAMS): $(BUILD)/unit/obj/tests/fuzz/replay.o
	$(Q)mkdir -p $(@D)
	$(Q)$(HOSTCC) $(UNIT_SANITIZERS) -o $@ $^ -lcmocka -pthread
$(foreach target,$(FUZZ_TARGETS),$(eval $(FUZZ_OUT)/fuzz_$(target): \
	$(patsubst %.c,$(BUILD)/unit/obj/%.o,$(call fuzz_words,$(target)))))

# Fuzzing, one target after the other. The file FUZZ_OUT/run-X is never made, so its rule runs each time.
fuzz: ## [test] Make up input for the host's readers: FUZZ_SECONDS=10 or FUZZ_RUNS= each, FUZZ="elf text …"
	$(Q)for target in $(FUZZ); do $(MAKE) $(FUZZ_OUT)/run-$$target || exit 1; done

soak: ## [test] The same, SOAK_SECONDS=60 each; then everything that can go wrong on a device, as long for each number of SMs
	$(Q)$(MAKE) fuzz FUZZ_SECONDS=$(SOAK_SECONDS)
	$(Q)GANGER_SEED=random GANGER_CHAOS_SECONDS=$(SOAK_SECONDS) GANGER_URGENT=1000 GANGER_ROUNDS=$$(( 100 * $(SOAK_SECONDS) )) GANGER_STEPS=$$(( 17000 * $(SOAK_SECONDS) )) \
		$(MAKE) test-system SYSTEM_TESTS="$(SOAK_TESTS)" SYSTEM_ARGS="-s --timeout $$(( 100 * $(SOAK_SECONDS) + 3600 ))"

$(FUZZ_OUT)/runtime.stamp:
	$(Q)mkdir -p $(@D)
	$(Q)test -n "$(FUZZ_RUNTIME)" || apt-get install -y --no-install-recommends clang-14 libclang-rt-14-dev || \
		{ echo "fuzz: please install clang-14 and libclang-rt-14-dev" >&2; exit 1; }
	$(Q)touch $@

$(FUZZ_OUT)/atheris.stamp: | $(BUILD)/deps.stamp
	$(Q)mkdir -p $(@D)
	$(Q)$(PYTHON) -m pip install --quiet --disable-pip-version-check --no-deps --target $(FUZZ_OUT)/python $(FUZZ_ATHERIS)
	$(Q)touch $@

$(FUZZ_TARGETS:%=$(FUZZ_OUT)/clang/%): $(FUZZ_OUT)/clang/%: tests/fuzz/fuzz_%.c $(FUZZ_OUT)/runtime.stamp
	$(Q)mkdir -p $(@D)
	$(Q)$(FUZZ_CC) -std=c11 -g -O2 -D_GNU_SOURCE -I. -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all $(FUZZ_CFLAGS_$*) \
		-o $@ $(call fuzz_words,$*) -pthread

$(foreach target,$(FUZZ_TARGETS),$(eval $(FUZZ_OUT)/clang/$(target): $(call fuzz_words,$(target))))

$(FUZZ_TARGETS:%=$(FUZZ_OUT)/run-%): $(FUZZ_OUT)/run-%: $(FUZZ_OUT)/clang/%
	$(Q)mkdir -p $(FUZZ_OUT)/corpus/$* $(FUZZ_OUT)/found
	$(Q)echo "== $*"; ASAN_OPTIONS=$(FUZZ_ASAN) $< $(FUZZ_ARGS) -artifact_prefix=$(FUZZ_OUT)/found/$*- $(FUZZ_OUT)/corpus/$* \
		tests/fuzz/corpus/$* >$(FUZZ_OUT)/$*.log 2>&1 || { tail -40 $(FUZZ_OUT)/$*.log; exit 1; }; \
		grep number_of_executed_units $(FUZZ_OUT)/$*.log

$(FUZZ_TARGETS_PYTHON:%=$(FUZZ_OUT)/run-%): $(FUZZ_OUT)/run-%: $(FUZZ_OUT)/atheris.stamp host
	$(Q)mkdir -p $(FUZZ_OUT)/corpus/$* $(FUZZ_OUT)/found
	$(Q)echo "== $*"; PYTHONPATH=host/python:$(FUZZ_OUT)/python:tests/fuzz GANGER_BUILD=$(BUILD) $(PYTHON) tests/fuzz/atheris_main.py \
		fuzz_$* $(FUZZ_ARGS) $(call fuzz_dictionary,$*) -artifact_prefix=$(FUZZ_OUT)/found/$*- $(FUZZ_OUT)/corpus/$* tests/fuzz/corpus/$* \
		>$(FUZZ_OUT)/$*.log 2>&1 || { tail -40 $(FUZZ_OUT)/$*.log; exit 1; }; \
		grep number_of_executed_units $(FUZZ_OUT)/$*.log
