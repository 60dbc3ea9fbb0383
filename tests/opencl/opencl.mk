# SPDX-License-Identifier: Apache-2.0
# Tests of the OpenCL platform: quick ones, which are a part of `make test`, and those of other projects.

.PHONY: test-opencl-quick
test-opencl-quick: all opencl | $(TEST_TOOLS) ## [test] The OpenCL platform: small programs of C (both boards), devices at all places
	$(Q)mkdir -p $(RESULTS)
	$(Q)GANGER_BUILD=$(abspath $(BUILD)) $(PYTHON) -m pytest -p no:cacheprovider -q -ra --timeout 900 \
		--junitxml=$(RESULTS)/test-opencl-quick.xml -o junit_family=xunit2 tests/opencl/test_quick.py \
		tests/opencl/test_places.py

# The same programs and the library under AddressSanitizer, which also tells what is lost at the end.
OPENCL_ASAN := $(HOST_OUT)/asan/libganger-opencl.so
.PHONY: test-opencl-asan
test-opencl-asan: all opencl $(OPENCL_ASAN) | $(TEST_TOOLS) ## [test] Those programs and the OpenCL platform under AddressSanitizer
	$(Q)echo $(abspath $(OPENCL_ASAN)) >$(HOST_OUT)/asan/ganger.icd
	$(Q)GANGER_SANITIZE=asan GANGER_BUILD=$(abspath $(BUILD)) $(PYTHON) -m pytest -p no:cacheprovider -q -ra --timeout 900 \
		tests/opencl/test_quick.py
$(OPENCL_ASAN): $(OPENCL_SOURCES) $(wildcard host/opencl/*.h) $(HOST_OUT)/libganger.so
	$(Q)mkdir -p $(@D)
	$(Q)$(HOSTCC) $(filter-out -MMD -MP -O2,$(HOST_CFLAGS)) -O1 -fno-omit-frame-pointer $(HOST_SANITIZER_asan) -shared \
		-Wl,-soname,libganger-opencl.so -o $@ $(OPENCL_SOURCES) $(HOST_OUT)/libganger.so -Wl,-rpath,$(abspath $(HOST_OUT)) -ldl

.PHONY: bench-opencl
bench-opencl: plugin all opencl | $(TEST_TOOLS) ## [measure] What the OpenCL platform costs, beside PoCL (apt: pocl-opencl-icd) and libganger alone
	$(Q)GANGER_BUILD=$(abspath $(BUILD)) $(PYTHON) tests/bench/opencl/bench.py

# Programs of other projects: nothing of them is kept in the repository. What they need is installed below SUITES, and the
# source packages of those that have tests or examples are unpacked there.
SUITES := $(BUILD)/opencl-suites
SUITES_STAMP := $(SUITES)/stamp
SUITES_SOURCES := pyopencl tinygrad loopy pyvkfft pyclblast reikna
SUITES_PINS := tests/opencl/requirements.txt tests/opencl/requirements-reikna.txt
.PHONY: test-opencl
test-opencl: all opencl $(SUITES_STAMP) ## [test] Clients of OpenCL from Debian and PyPI on the OpenCL platform (SUITE="-k word", CTS=folder): hours
	$(Q)mkdir -p $(RESULTS)
	$(Q)cd tests/opencl/suites && PYTHONPATH= GANGER_CTS=$(abspath $(CTS)) GANGER_BUILD=$(abspath $(BUILD)) GANGER_SUITES=$(abspath $(SUITES)) \
		$(abspath $(SUITES))/venv/bin/python -m pytest -p no:cacheprovider -v -rA --tb=short \
		--junitxml=$(abspath $(RESULTS))/test-opencl.xml -o junit_family=xunit2 $(SUITE) .

# pip asks a package how it is built before it says where it is.
$(SUITES_STAMP): $(SUITES_PINS) tools/deps.sh | $(OPENCL_DEPS)
	$(Q)sh tools/deps.sh $(BUILD) opencl-suites
	$(Q)rm -rf $(SUITES) && mkdir -p $(SUITES) && python3 -m venv $(SUITES)/venv && python3 -m venv $(SUITES)/venv-reikna
	$(Q)$(SUITES)/venv/bin/pip install --quiet --disable-pip-version-check --retries 5 -r $(word 1,$(SUITES_PINS))
	$(Q)$(SUITES)/venv-reikna/bin/pip install --quiet --disable-pip-version-check --retries 5 -r $(word 2,$(SUITES_PINS))
	$(Q)for one in $(SUITES_SOURCES); do \
		$(SUITES)/venv/bin/pip download --quiet --disable-pip-version-check --retries 5 --no-deps --no-binary $$one \
			--dest $(SUITES) $$(cat $(SUITES_PINS) | grep -m1 "^$$one==") && \
		tar -xzf $(SUITES)/$$one-*.tar.gz -C $(SUITES) || exit 1; \
	done
	$(Q)touch $@
