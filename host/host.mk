# SPDX-License-Identifier: Apache-2.0
# The host side: libganger (shared, and as an archive), the broker, the `ganger` command; and `make install`.

HOST_CFLAGS := $(WARNINGS) -D_GNU_SOURCE -O2 -g $(FROM_HERE) -fPIC -fvisibility=hidden -I. -pthread -MMD -MP
HOST_OUT := $(BUILD)/host
# Of the library. The first number is that of the soname: it goes up when programs have to be compiled again.
HOST_VERSION := 1.0
HOST_SONAME := libganger.so.$(firstword $(subst ., ,$(HOST_VERSION)))
HOST_COMMON_SOURCES := $(wildcard host/common/*.c)
HOST_LIB_SOURCES := $(sort $(wildcard host/lib/*/*.c host/lib/*/*/*.c) $(HOST_COMMON_SOURCES) firmware/pull/nd_range.c firmware/link/frame.c \
	$(addprefix firmware/graph/,op.c code_open.c verify.c))
HOST_BROKER_SOURCES := $(sort $(wildcard host/broker/*.c) $(HOST_COMMON_SOURCES))
host_objects = $(patsubst %.c,$(HOST_OUT)/obj/%.o,$(patsubst host/%,%,$(1)))

.PHONY: host
host: $(HOST_OUT)/libganger.so $(HOST_OUT)/libganger.a $(HOST_OUT)/ganger-broker $(HOST_OUT)/ganger ## [build] Build libganger, the broker and the ganger command

$(HOST_OUT)/obj/%.o: host/%.c host/host.mk
	$(Q)mkdir -p $(@D)
	$(Q)$(CCACHE) $(HOSTCC) $(HOST_CFLAGS) -c -o $@ $<

$(HOST_OUT)/obj/firmware/%.o: firmware/%.c host/host.mk
	$(Q)mkdir -p $(@D)
	$(Q)$(CCACHE) $(HOSTCC) $(HOST_CFLAGS) -c -o $@ $<

$(HOST_OUT)/libganger.so: $(call host_objects,$(HOST_LIB_SOURCES))
	$(Q)$(HOSTCC) -shared -pthread -Wl,-soname,$(HOST_SONAME) -Wl,-z,defs -o $@ $^
	$(Q)ln -sf libganger.so $(@D)/$(HOST_SONAME)

# The same library with a sanitizer, or with delays: GANGER_LIBRARY= says which one Python loads.
HOST_SANITIZER_asan := -fsanitize=address,undefined -fno-sanitize-recover=undefined
# Its fences order accesses of the host with those of the device; threads of the host have locks.
HOST_SANITIZER_tsan := -fsanitize=thread -Wno-tsan
HOST_SANITIZER_delay := -DGG_DELAYS
HOST_SOURCES_delay := tests/system/host_delay.c
define host_sanitizer_rules
$$(HOST_OUT)/$(1)/obj/%.o: %.c host/host.mk
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(HOSTCC) $$(HOST_CFLAGS) -O1 -fno-omit-frame-pointer $$(HOST_SANITIZER_$(1)) -c -o $$@ $$<
$$(HOST_OUT)/$(1)/libganger.so: $$(patsubst %.c,$$(HOST_OUT)/$(1)/obj/%.o,$$(HOST_LIB_SOURCES) $$(HOST_SOURCES_$(1)))
	$$(Q)$$(HOSTCC) -pthread $$(HOST_SANITIZER_$(1)) -shared -Wl,-soname,libganger.so -o $$@ $$^
endef
$(foreach sanitizer,asan tsan delay,$(eval $(call host_sanitizer_rules,$(sanitizer))))

$(HOST_OUT)/libganger.a: $(call host_objects,$(HOST_LIB_SOURCES))
	$(Q)rm -f $@ && ar rcs $@ $^

$(HOST_OUT)/ganger-broker: $(call host_objects,$(HOST_BROKER_SOURCES))
	$(Q)$(HOSTCC) -pthread -o $@ $^

$(HOST_OUT)/ganger: host/ganger
	$(Q)mkdir -p $(@D)
	$(Q)install -m 755 $< $@

# ---- Installation ----
# PREFIX/lib/libganger.so.VERSION and its links; PREFIX/lib/ganger, which is laid out as a build folder: images, sample
# kernels, broker, Python package, and the kernels' compiler with its sources and what it needs of Python;
# PREFIX/include/ganger; PREFIX/bin/ganger and ganger-cc; a file for pkg-config.
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
DESTDIR ?=
INSTALL_LIB = $(DESTDIR)$(LIBDIR)
INSTALL_FOLDER = $(INSTALL_LIB)/ganger
INSTALL_COMPILER := $(addprefix firmware/,abi/*.h pull/nd_range.[ch] kernel/ganger-cc kernel/*.h kernel/*.ld \
	kernel/gangercc/*.py kernel/gangercc/loops/*.py kernel/runtime/* kernel/opencl/* kernel/samples/*.c)
INSTALL_HEADERS := $(wildcard host/include/*.h) firmware/abi/ganger_abi.h

.PHONY: install uninstall
install: all ## [build] Install library, headers, broker, images, commands, kernels' compiler (PREFIX=/usr/local DESTDIR=)
	$(Q)install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include/ganger $(INSTALL_LIB)/pkgconfig \
		$(INSTALL_FOLDER)/host $(INSTALL_FOLDER)/kernels/rv32
	$(Q)install -m 755 $(HOST_OUT)/libganger.so $(INSTALL_LIB)/libganger.so.$(HOST_VERSION)
	$(Q)ln -sf libganger.so.$(HOST_VERSION) $(INSTALL_LIB)/$(HOST_SONAME)
	$(Q)ln -sf $(HOST_SONAME) $(INSTALL_LIB)/libganger.so
	$(Q)install -m 755 $(HOST_OUT)/ganger-broker host/ganger $(INSTALL_FOLDER)/host
	$(Q)ln -sf ../../$(HOST_SONAME) $(INSTALL_FOLDER)/host/libganger.so
	$(Q)ln -sfr $(INSTALL_FOLDER)/host/ganger $(DESTDIR)$(PREFIX)/bin/ganger
	$(Q)for header in $(INSTALL_HEADERS); do \
		sed -E 's,^(#include ")(host/include|firmware/abi)/,\1,' $$header \
			>$(DESTDIR)$(PREFIX)/include/ganger/$${header##*/} || exit 1; \
	done
	$(Q)for board in $(BOARDS); do \
		install -d $(INSTALL_FOLDER)/$$board && \
		install -m 644 $(BUILD)/$$board/cp.elf $(BUILD)/$$board/sm.elf $(BUILD)/$$board/board.mk \
			$(INSTALL_FOLDER)/$$board || exit 1; \
	done
	$(Q)install -m 644 $(BUILD)/kernels/*.elf $(INSTALL_FOLDER)/kernels
	$(Q)install -m 644 $(BUILD)/kernels/rv32/*.elf $(INSTALL_FOLDER)/kernels/rv32
	$(Q)cd host && find python -name '*.py' -exec install -D -m 644 {} $(abspath $(INSTALL_FOLDER))/host/{} \;
	$(Q)for file in $(INSTALL_COMPILER); do \
		test -d $$file || install -D -m $$(test -x $$file && echo 755 || echo 644) $$file \
			$(INSTALL_FOLDER)/$$file || exit 1; \
	done
	$(Q)cp -R $(BUILD)/venv/lib/python3*/site-packages/elftools $(INSTALL_FOLDER)/firmware/kernel
	$(Q)cd $(BUILD) && find opencl \( -name '*.bc' -o -path 'opencl/runtime/*' \) -exec install -D -m 644 {} $(abspath $(INSTALL_FOLDER))/{} \;
	$(Q)touch $(INSTALL_FOLDER)/opencl/prebuilt
	$(Q)ln -sfn . $(INSTALL_FOLDER)/build
	$(Q)ln -sfr $(INSTALL_FOLDER)/firmware/kernel/ganger-cc $(DESTDIR)$(PREFIX)/bin/ganger-cc
	$(Q)printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' 'includedir=$${prefix}/include' '' 'Name: ganger' \
		'Description: Host library for Ganger devices' 'Version: $(HOST_VERSION)' \
		'Cflags: -I$${includedir}' 'Libs: -L$${libdir} -lganger' >$(INSTALL_LIB)/pkgconfig/ganger.pc

uninstall: ## [clean] Remove what `make install` wrote (PREFIX=, DESTDIR= as there)
	$(Q)rm -rf $(INSTALL_FOLDER) $(DESTDIR)$(PREFIX)/include/ganger
	$(Q)rm -f $(INSTALL_LIB)/libganger.so $(INSTALL_LIB)/$(HOST_SONAME) \
		$(INSTALL_LIB)/libganger.so.$(HOST_VERSION) $(INSTALL_LIB)/pkgconfig/ganger.pc $(addprefix $(DESTDIR)$(PREFIX)/bin/,ganger ganger-cc)

# The Python package with all that it needs, for `pip install`: no repository, no environment variables.
.PHONY: wheel
wheel: all | $(TEST_TOOLS) ## [build] Build the Python package as BUILD/wheel/ganger-….whl
	$(Q)rm -f $(BUILD)/wheel/*.whl
	$(Q)GANGER_BUILD=$(abspath $(BUILD)) $(PYTHON) -m pip wheel --quiet --disable-pip-version-check --no-index --no-deps \
		--no-build-isolation --wheel-dir $(BUILD)/wheel host/python

-include $(shell find $(HOST_OUT) -name '*.d' 2>/dev/null)
