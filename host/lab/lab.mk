# SPDX-License-Identifier: Apache-2.0
# The policy laboratory: the scheduler's own files and simulated SMs, for devices of up to 512 and of up to 16,384 SMs.
# `ganger lab` calls lab-program with a policy (docs/POLICIES.md). Waves are left out: the placement is the same.
LAB_SOURCES := $(wildcard host/lab/*.c) \
	$(filter-out firmware/cp/host/config.c,$(filter firmware/%,$(SCHEDULER)))
LAB_CFLAGS := $(WARNINGS) -O2 -D_GNU_SOURCE -I. -DCP_WAVE_SMS=0u -DCP_TRACE_ENTRIES=2u -DCP_POLICY=lab_policy -DCP_ORDER=lab_order
LAB_CFLAGS_512 :=
# Tables of PULL grids, which the laboratory does not play, have entries for 512 SMs.
LAB_CFLAGS_16384 := -DCP_SMS=16384u -DCP_CGAS=16384u -DCP_CGA_CTAS=16384u -Wno-aggressive-loop-optimizations
# The compiler calls a function in each basic block, so that they are counted.
LAB_COUNT := -fsanitize-coverage=trace-pc
LAB_SIZE ?= 512
LAB_OUT := $(BUILD)/lab/$(LAB_SIZE)
LAB_PROGRAM ?= $(LAB_OUT)/$(LAB_NAME)-$(LAB_ORDER)
LAB_NAME ?= policy_round_robin
LAB_ORDER ?= policy_by_age
LAB_POLICY ?=

lab_compile = $(HOSTCC) $(LAB_CFLAGS) $(LAB_CFLAGS_$(LAB_SIZE))

$(LAB_OUT)/obj/firmware/%.o: firmware/%.c host/lab/lab.mk
	$(Q)mkdir -p $(@D)
	$(Q)$(CCACHE) $(lab_compile) $(LAB_COUNT) -MMD -MP -c -o $@ $<

$(LAB_OUT)/obj/host/%.o: host/%.c host/lab/lab.mk
	$(Q)mkdir -p $(@D)
	$(Q)$(CCACHE) $(lab_compile) -MMD -MP -c -o $@ $<

$(LAB_OUT)/lab.a: $(LAB_SOURCES:%.c=$(LAB_OUT)/obj/%.o)
	$(Q)rm -f $@ && ar rcs $@ $^

## [build] lab-program: The policy laboratory's program for a policy (LAB_POLICY=file LAB_NAME=symbol LAB_ORDER=symbol LAB_SIZE= LAB_PROGRAM=)
# A policy that is only tried may have warnings. Its constants get the names that the scheduler's files have for them.
.PHONY: lab-program
lab-program: $(LAB_PROGRAM)
$(LAB_PROGRAM): $(LAB_POLICY) $(LAB_OUT)/lab.a
	$(Q)$(filter-out -Werror,$(lab_compile)) $(LAB_COUNT) -o $@ $^ \
		-Wl,-u,$(LAB_NAME),-u,$(LAB_ORDER),--defsym,lab_policy=$(LAB_NAME),--defsym,lab_order=$(LAB_ORDER)

-include $(shell find $(LAB_OUT)/obj -name '*.d' 2>/dev/null)
