# SPDX-License-Identifier: Apache-2.0
# ganger.distributed on clusters of Dask, which only these tests install.
CLUSTER_TOOLS := $(BUILD)/venv/requirements-dask.txt

$(CLUSTER_TOOLS): tests/cluster/requirements.txt | $(TEST_TOOLS)
	$(Q)$(PYTHON) -m pip install --quiet --disable-pip-version-check --retries 5 -r $<
	$(Q)cp $< $@

.PHONY: test-cluster
test-cluster: $(BOARDS:%=firmware-%) kernels host | $(CLUSTER_TOOLS) ## [test] Kernels on the workers of Dask (SYSTEM_ARGS="-k word -x")
	$(Q)mkdir -p $(RESULTS)
	$(Q)PYTHONPATH=$(abspath host/python) GANGER_BUILD=$(abspath $(BUILD)) \
		$(PYTHON) -m pytest -p no:cacheprovider -q -ra --timeout 600 \
		--junitxml=$(RESULTS)/test-cluster.xml -o junit_family=xunit2 $(SYSTEM_ARGS) tests/cluster

.PHONY: bench-group
bench-group: plugin all | $(TEST_TOOLS) ## [measure] Several devices: a large grid with one killed in between; one to four devices (GROUP=)
	$(Q)PYTHONPATH=host/python GANGER_BUILD=$(BUILD) $(PYTHON) tests/bench/group.py $(GROUP)
