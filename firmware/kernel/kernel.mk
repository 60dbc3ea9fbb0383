# SPDX-License-Identifier: Apache-2.0
# The sample kernels, and the kernels by which task graphs copy and fill buffers, for both XLENs:
# BUILD/kernels/NAME.elf and BUILD/kernels/rv32/NAME.elf.
# Uses BUILD, PYTHON and Q of the root Makefile.

BUILD ?= build
PYTHON ?= $(BUILD)/venv/bin/python

KERNEL_DIR := firmware/kernel
KERNEL_NAMES := $(sort $(basename $(notdir $(wildcard $(KERNEL_DIR)/samples/*.c $(KERNEL_DIR)/graph/*.c))))
vpath %.c $(KERNEL_DIR)/samples $(KERNEL_DIR)/graph
KERNEL_ELFS := $(KERNEL_NAMES:%=$(BUILD)/kernels/%.elf) $(KERNEL_NAMES:%=$(BUILD)/kernels/rv32/%.elf)
KERNEL_TOOLS := $(KERNEL_DIR)/ganger-cc $(KERNEL_DIR)/kernel.ld $(wildcard $(KERNEL_DIR)/gangercc/*.py) $(wildcard $(KERNEL_DIR)/gangercc/loops/*.py) \
	$(wildcard $(KERNEL_DIR)/*.h) $(wildcard $(KERNEL_DIR)/runtime/*) \
	firmware/pull/nd_range.c firmware/pull/nd_range.h firmware/abi/ganger_abi.h
GANGER_CC := $(PYTHON) $(KERNEL_DIR)/ganger-cc
KERNEL_FLAGS := -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror

# OpenCL C's built-in functions as bitcode, and the objects of the runtime; ganger-cc would also build them when it needs them.
OPENCL_SOURCES := $(wildcard $(KERNEL_DIR)/opencl/*) $(wildcard $(KERNEL_DIR)/*.h) \
	$(KERNEL_DIR)/gangercc/opencl_library.py $(KERNEL_DIR)/gangercc/toolchain.py

.PHONY: kernels
kernels: $(KERNEL_ELFS) $(BUILD)/opencl/stamp ## [build] Build the sample kernels and the OpenCL library for both XLENs

$(BUILD)/opencl/stamp: $(OPENCL_SOURCES) $(KERNEL_TOOLS) | $(BUILD)/deps.stamp
	$(Q)GANGER_BUILD=$(abspath $(BUILD)) $(GANGER_CC) --opencl-library ilp32d lp64d
	$(Q)touch $@

$(BUILD)/kernels/rv32/%.elf: %.c $(KERNEL_TOOLS) | $(BUILD)/deps.stamp
	$(Q)$(GANGER_CC) --xlen 32 $(KERNEL_FLAGS) -o $@ $<

$(BUILD)/kernels/%.elf: %.c $(KERNEL_TOOLS) | $(BUILD)/deps.stamp
	$(Q)$(GANGER_CC) --xlen 64 $(KERNEL_FLAGS) -o $@ $<
