# SPDX-License-Identifier: Apache-2.0
# The OpenCL platform: libganger-opencl.so, which OpenCL's loader finds by ganger.icd. `make run` and `make all` do
# without it; it needs OpenCL's headers, and its tests a loader (Debian: opencl-c-headers, ocl-icd-opencl-dev).

OPENCL_SOURCES := $(wildcard host/opencl/*.c) host/common/deadline.c
OPENCL_LIBRARY := $(HOST_OUT)/libganger-opencl.so
OPENCL_ICD := $(HOST_OUT)/ganger.icd
OPENCL_DEPS := $(BUILD)/deps-opencl.stamp

.PHONY: opencl
opencl: $(OPENCL_LIBRARY) $(OPENCL_ICD) ## [build] Build the OpenCL platform: BUILD/host/libganger-opencl.so, ganger.icd

$(OPENCL_DEPS): tools/deps.sh
	$(Q)sh tools/deps.sh $(BUILD) opencl
	$(Q)touch $@

$(call host_objects,$(wildcard host/opencl/*.c)): | $(OPENCL_DEPS)

$(OPENCL_LIBRARY): $(call host_objects,$(OPENCL_SOURCES)) $(HOST_OUT)/libganger.so
	$(Q)$(HOSTCC) -shared -pthread -Wl,-soname,libganger-opencl.so -Wl,-z,defs -Wl,-rpath,'$$ORIGIN' -o $@ $^ -ldl

$(OPENCL_ICD): $(OPENCL_LIBRARY)
	$(Q)echo $(abspath $(OPENCL_LIBRARY)) >$@

# With `make install`, once it is built. The loader looks in ICD_FOLDER only if that is /etc/OpenCL/vendors.
ICD_FOLDER ?= $(PREFIX)/etc/OpenCL/vendors
.PHONY: install-opencl uninstall-opencl
install: install-opencl
install-opencl:
	$(Q)if test -e $(OPENCL_ICD); then \
		install -d $(INSTALL_LIB) $(DESTDIR)$(ICD_FOLDER) && \
		install -m 755 $(OPENCL_LIBRARY) $(INSTALL_LIB)/libganger-opencl.so && \
		echo $(LIBDIR)/libganger-opencl.so >$(DESTDIR)$(ICD_FOLDER)/ganger.icd; \
	fi

uninstall: uninstall-opencl
uninstall-opencl:
	$(Q)rm -f $(INSTALL_LIB)/libganger-opencl.so $(DESTDIR)$(ICD_FOLDER)/ganger.icd

-include tests/opencl/opencl.mk
