# SPDX-License-Identifier: Apache-2.0
# Faults that are planted by rule: tools/mutate.py. Only this installs what plants them.

MUTATOR := universalmutator==1.14.1
MUTATE_TOOLS := $(BUILD)/mutate/tools
SAMPLE ?= 0
FILES ?=
MUTATE_ARGS ?=

.PHONY: mutate

$(MUTATE_TOOLS)/universalmutator: tests/mutate/mutate.mk | $(BUILD)/deps.stamp
	$(Q)$(PYTHON) -m pip install --quiet --disable-pip-version-check --retries 5 --no-deps --upgrade --target $(MUTATE_TOOLS) $(MUTATOR)
	$(Q)touch $@

mutate: $(MUTATE_TOOLS)/universalmutator $(TEST_TOOLS) ## [test] Plant faults in FILES= (all), or SAMPLE= of them, and run the tests that should notice
	$(Q)PYTHONPATH=$(MUTATE_TOOLS) $(PYTHON) tools/mutate.py --build $(BUILD) --sample $(SAMPLE) $(MUTATE_ARGS) $(FILES)
