# SPDX-License-Identifier: Apache-2.0
# The QEMU plugins that count, instructions per hart and by place in the code, and the one that delays harts. The functions that they call are in QEMU itself.

PLUGIN_DIR := qemu/plugin
PLUGIN := $(BUILD)/qemu/libcount.so
PLUGIN_SOURCES := $(addprefix $(PLUGIN_DIR)/,count.c riscv.c watch.c)
PLUGIN_HEADERS := $(addprefix $(PLUGIN_DIR)/,count.h plugin_api.h riscv.h watch.h word.h)
PROFILE_PLUGIN := $(BUILD)/qemu/libprofile.so
PROFILE_SOURCES := $(PLUGIN_DIR)/profile.c
PROFILE_HEADERS := $(addprefix $(PLUGIN_DIR)/,plugin_api.h profile.h word.h)
DELAY_PLUGIN := $(BUILD)/qemu/libdelay.so
DELAY_SOURCES := $(addprefix $(PLUGIN_DIR)/,delay.c riscv.c)
PLUGIN_CFLAGS := $(WARNINGS) -D_POSIX_C_SOURCE=200809L -I. -O2 -g -fPIC -fvisibility=hidden

.PHONY: plugin
plugin: $(PLUGIN) $(PROFILE_PLUGIN) $(DELAY_PLUGIN) ## [build] Build the QEMU plugins that count instructions and delay harts

$(PLUGIN): $(PLUGIN_SOURCES) $(PLUGIN_HEADERS) $(PLUGIN_DIR)/plugin.mk
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(PLUGIN_CFLAGS) -shared $(PLUGIN_SOURCES) -o $@

$(PROFILE_PLUGIN): $(PROFILE_SOURCES) $(PROFILE_HEADERS) $(PLUGIN_DIR)/plugin.mk
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(PLUGIN_CFLAGS) -shared $(PROFILE_SOURCES) -o $@

$(DELAY_PLUGIN): $(DELAY_SOURCES) $(addprefix $(PLUGIN_DIR)/,plugin_api.h riscv.h plugin.mk)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(PLUGIN_CFLAGS) -shared $(DELAY_SOURCES) -o $@
