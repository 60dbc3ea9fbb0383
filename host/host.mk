# SPDX-License-Identifier: Apache-2.0
# The host side: libganger (shared, and as an archive), the broker, the `ganger` command.

HOST_CFLAGS := $(WARNINGS) -D_GNU_SOURCE -O2 -g -fPIC -fvisibility=hidden -I. -pthread -MMD -MP
HOST_OUT := $(BUILD)/host
HOST_COMMON_SOURCES := $(wildcard host/common/*.c)
HOST_LIB_SOURCES := $(sort $(wildcard host/lib/*/*.c host/lib/*/*/*.c) $(HOST_COMMON_SOURCES) firmware/pull/nd_range.c firmware/link/frame.c)
HOST_BROKER_SOURCES := $(sort $(wildcard host/broker/*.c) $(HOST_COMMON_SOURCES))
host_objects = $(patsubst %.c,$(HOST_OUT)/obj/%.o,$(patsubst host/%,%,$(1)))

.PHONY: host
host: $(HOST_OUT)/libganger.so $(HOST_OUT)/libganger.a $(HOST_OUT)/ganger-broker $(HOST_OUT)/ganger ## [build] Build libganger, the broker and the ganger command

$(HOST_OUT)/obj/%.o: host/%.c host/host.mk
	$(Q)mkdir -p $(@D)
	$(Q)$(HOSTCC) $(HOST_CFLAGS) -c -o $@ $<

$(HOST_OUT)/obj/firmware/%.o: firmware/%.c host/host.mk
	$(Q)mkdir -p $(@D)
	$(Q)$(HOSTCC) $(HOST_CFLAGS) -c -o $@ $<

$(HOST_OUT)/libganger.so: $(call host_objects,$(HOST_LIB_SOURCES))
	$(Q)$(HOSTCC) -shared -pthread -Wl,-soname,libganger.so -Wl,-z,defs -o $@ $^

# The same library with a sanitizer: GANGER_LIBRARY= says which one Python loads.
HOST_SANITIZER_asan := -fsanitize=address,undefined -fno-sanitize-recover=undefined
# Its fences order accesses of the host with those of the device; threads of the host have locks.
HOST_SANITIZER_tsan := -fsanitize=thread -Wno-tsan
$(HOST_OUT)/%/libganger.so: $(HOST_LIB_SOURCES) $(HOST_OUT)/libganger.so
	$(Q)mkdir -p $(@D)
	$(Q)$(HOSTCC) $(filter-out -MMD -MP -O2,$(HOST_CFLAGS)) -O1 -fno-omit-frame-pointer $(HOST_SANITIZER_$*) \
		-shared -Wl,-soname,libganger.so -o $@ $(HOST_LIB_SOURCES)

$(HOST_OUT)/libganger.a: $(call host_objects,$(HOST_LIB_SOURCES))
	$(Q)rm -f $@ && ar rcs $@ $^

$(HOST_OUT)/ganger-broker: $(call host_objects,$(HOST_BROKER_SOURCES))
	$(Q)$(HOSTCC) -pthread -o $@ $^

$(HOST_OUT)/ganger: host/ganger
	$(Q)mkdir -p $(@D)
	$(Q)install -m 755 $< $@

-include $(shell find $(HOST_OUT)/obj -name '*.d' 2>/dev/null)
