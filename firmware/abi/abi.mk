# SPDX-License-Identifier: Apache-2.0
# The ABI: generated files are committed, so only `make abi` and the staleness check need PeakRDL.
PEAKRDL ?= $(BUILD)/venv/bin/peakrdl
ABI_FILES := firmware/abi/ganger_abi.h firmware/abi/ganger_names.h host/python/ganger/abi.py docs/REGISTERS.md docs/ABI.md
abi_export = $(PEAKRDL) ganger firmware/abi/ganger.rdl --peakrdl-cfg firmware/abi/peakrdl.toml -o $(1)

.PHONY: abi abi-check
abi: ## [write] Generate the C header, the Python model, the register manual and the tables of docs/ABI.md from SystemRDL
	@$(call abi_export,.)

abi-check: ## [test] Fail when a file that abi generates is stale
	@rm -rf $(BUILD)/abi-check && mkdir -p $(BUILD)/abi-check
	@$(call abi_export,$(BUILD)/abi-check)
	@for f in $(ABI_FILES); do cmp $$f $(BUILD)/abi-check/$$f || \
		{ echo "$$f is stale: run make abi"; exit 1; }; done
