# SPDX-License-Identifier: Apache-2.0
# The QEMU plugin that counts instructions per hart. The functions that it calls are in QEMU itself.

PLUGIN_DIR := qemu/plugin
PLUGIN := $(BUILD)/qemu/libcount.so
PLUGIN_SOURCES := $(addprefix $(PLUGIN_DIR)/,count.c riscv.c watch.c)
PLUGIN_HEADERS := $(addprefix $(PLUGIN_DIR)/,count.h plugin_api.h riscv.h watch.h word.h)
PLUGIN_CFLAGS := $(WARNINGS) -D_POSIX_C_SOURCE=200809L -I. -O2 -g -fPIC -fvisibility=hidden

.PHONY: plugin
plugin: $(PLUGIN) ## [build] Build the QEMU plugin that counts instructions

$(PLUGIN): $(PLUGIN_SOURCES) $(PLUGIN_HEADERS) $(PLUGIN_DIR)/plugin.mk
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(PLUGIN_CFLAGS) -shared $(PLUGIN_SOURCES) -o $@
