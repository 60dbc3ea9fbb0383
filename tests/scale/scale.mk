# SPDX-License-Identifier: Apache-2.0
# The scheduler on large devices: two more programs of test-unit. 132 SMs fit in the tables that all
# unit tests are built with; for 16,384 all of it is compiled with larger ones, and without config.c:
# the CONFIG block has entries for 512.

SCALE_SOURCES := tests/scale/scale_storm.c tests/scale/scale_device.c tests/unit/fake_run.c tests/unit/fake_cga.c
SCALE_PROGRAMS := $(BUILD)/scale/test_scale_132 $(BUILD)/scale/test_scale_16384
SCALE_LARGE := -DCP_SMS=16384u -DCP_CGAS=16384u -DCP_CGA_CTAS=16384u -DCP_TRACE_ENTRIES=2u \
	-DFAKE_WINDOW=0x10000000u

SCALE_132 := $(SCHEDULER) $(SCALE_SOURCES) tests/scale/test_scale_132.c
SCALE_16384 := $(filter-out firmware/cp/host/config.c,$(SCHEDULER)) $(SCALE_SOURCES) \
	host/lab/config_none.c tests/scale/test_scale_16384.c

$(BUILD)/scale/obj/%.o: %.c
	$(Q)mkdir -p $(@D)
	$(Q)$(CCACHE) $(HOSTCC) $(UNIT_CFLAGS) $(SCALE_LARGE) -c -o $@ $<

$(BUILD)/scale/test_scale_132: $(SCALE_132:%.c=$(BUILD)/unit/obj/%.o)
$(BUILD)/scale/test_scale_16384: $(SCALE_16384:%.c=$(BUILD)/scale/obj/%.o)
$(SCALE_PROGRAMS):
	$(Q)mkdir -p $(@D)
	$(Q)$(HOSTCC) -fsanitize=address,undefined -o $@ $^ -lcmocka -lm

-include $(shell find $(BUILD)/scale/obj -name '*.d' 2>/dev/null)
