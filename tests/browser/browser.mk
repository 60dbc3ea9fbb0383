# SPDX-License-Identifier: Apache-2.0
# Pages in a real browser: Debian's Chromium without a window, driven by Selenium. Its pictures of the pages are kept in
# BUILD/browser.

BROWSER_TOOLS := $(BUILD)/venv/requirements-browser.txt
.PHONY: test-browser
test-browser: all plugin | $(TEST_TOOLS) $(BROWSER_TOOLS) ## [test] The report's page in Chromium; pictures of it in build/browser
	$(Q)mkdir -p $(RESULTS) $(BUILD)/browser
	$(Q)PYTHONPATH=$(abspath host/python) GANGER_BUILD=$(abspath $(BUILD)) $(PYTHON) -m pytest -p no:cacheprovider -q -ra \
		--timeout 900 --junitxml=$(RESULTS)/test-browser.xml -o junit_family=xunit2 tests/browser

.PHONY: bench-report
bench-report: all | $(TEST_TOOLS) $(BROWSER_TOOLS) ## [measure] How long Chromium takes to open a report of a million records
	$(Q)PYTHONPATH=$(abspath host/python) GANGER_BUILD=$(abspath $(BUILD)) $(PYTHON) tests/browser/bench_report.py

$(BROWSER_TOOLS): tests/browser/requirements.txt | $(TEST_TOOLS)
	$(Q)sh tools/deps.sh $(BUILD) browser
	$(Q)$(PYTHON) -m pip install --quiet --disable-pip-version-check --retries 5 -r $<
	$(Q)cp $< $@
