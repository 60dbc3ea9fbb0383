# SPDX-License-Identifier: Apache-2.0
# Tests of the OpenCL platform: quick ones, which are a part of `make test`, and those of other projects.

.PHONY: test-opencl-quick
test-opencl-quick: all opencl | $(TEST_TOOLS) ## [test] The OpenCL platform: small programs of C (both boards)
	$(Q)mkdir -p $(RESULTS)
	$(Q)GANGER_BUILD=$(abspath $(BUILD)) $(PYTHON) -m pytest -p no:cacheprovider -q -ra --timeout 900 \
		--junitxml=$(RESULTS)/test-opencl-quick.xml -o junit_family=xunit2 tests/opencl/test_quick.py
