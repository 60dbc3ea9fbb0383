# SPDX-License-Identifier: Apache-2.0
# Lines and branches of the firmware that unit tests, replayed fuzz corpora and the model reach: all of it is compiled once
# more, for gcov and without sanitizers, below BUILD/gcov. Only this installs gcovr.

GCOVR := gcovr==8.8
GCOV := $(BUILD)/gcov

.PHONY: branches

$(GCOV)/tools/gcovr: tests/gcov/gcov.mk | $(BUILD)/deps.stamp
	$(Q)$(PYTHON) -m pip install --quiet --disable-pip-version-check --retries 5 --upgrade --target $(GCOV)/tools $(GCOVR)
	$(Q)touch $@ $(GCOV)/deps.stamp

# A branch of an assertion that would fail is no branch, and neither are those that a sanitizer adds.
branches: $(GCOV)/tools/gcovr $(TEST_TOOLS) ## [test] Lines and branches of the firmware that tests on this machine reach, and those that they do not
	$(Q)find $(GCOV) -name '*.gc??' -delete
	$(Q)find $(GCOV) -name '*.o' -delete
	$(Q)$(MAKE) CCACHE= BUILD=$(GCOV) PYTHON=$(PYTHON) SCALE_PROGRAMS= MODEL_LIBRARIES=$(GCOV)/model/libscheduler.so UNIT_SANITIZERS="-O0 --coverage" test-unit test-model
	$(Q)PYTHONPATH=$(GCOV)/tools $(PYTHON) -m gcovr --root . --filter 'firmware/' --merge-mode-functions separate \
		--exclude-branches-by-pattern '.*\b(assert|BITS_ASSERT|sm_assert|_Static_assert)\(.*' --json $(GCOV)/branches.json $(GCOV)
	$(Q)$(PYTHON) tools/branches.py --lines 98 --branches 95 $(GCOV)/branches.json tests/gcov/reasons.txt
