# SPDX-License-Identifier: Apache-2.0
# Faults that are planted by rule: tools/mutate.py. Only this installs what plants them.

MUTATOR := universalmutator==1.14.1
MUTATE_TOOLS := $(BUILD)/mutate/tools
SAMPLE ?= 0
FILES ?=
MUTATE_ARGS ?=

# What is always looked at: scheduler, launch, CGAs, pull, graphs, and what guards memory.
MUTATE_CP := schedule launch wave collect cga pull graph express task/dependence.c accept/dependence_decode.c accept/tmd_memory.c \
	start/machine_check.c
MUTATE_ROOMS := $(MUTATE_CP:%=firmware/cp/%) firmware/graph firmware/pull firmware/sm/protect.c hal/drivers/pmp.c hal/drivers/pmp_encode.c

.PHONY: mutate mutate-sample

$(MUTATE_TOOLS)/universalmutator: tests/mutate/mutate.mk | $(BUILD)/deps.stamp
	$(Q)$(PYTHON) -m pip install --quiet --disable-pip-version-check --retries 5 --no-deps --upgrade --target $(MUTATE_TOOLS) $(MUTATOR)
	$(Q)touch $@

mutate: $(MUTATE_TOOLS)/universalmutator $(UNIT_PROGRAMS) $(TEST_TOOLS) ## [test] Plant faults in FILES= (all), or SAMPLE= of them, and run the tests that should notice
	$(Q)PYTHONPATH=$(MUTATE_TOOLS) $(PYTHON) tools/mutate.py --build $(BUILD) --flags "$(filter-out -MMD -MP -g,$(UNIT_CFLAGS)) -w" \
		--sample $(SAMPLE) $(MUTATE_ARGS) $(FILES)

# The same faults each time, as long as their lines stay: a change elsewhere draws no others.
mutate-sample: FILES = $(MUTATE_ROOMS)
mutate-sample: SAMPLE = 200
mutate-sample: MUTATE_ARGS = --quick 4 --least 90
mutate-sample: mutate ## [test] 200 faults in what matters most, and the quick unit programs alone; fails when fewer than 90 % are caught
