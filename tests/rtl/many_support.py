# SPDX-License-Identifier: Apache-2.0
"""Fixtures of files whose tests share a simulation of their own: SIM, with the firmware of BOARD, which the file names."""
import pytest
from device_support import Machine, simulation


@pytest.fixture(scope="module", name="device")
def fixture_device(request, tmp_path_factory):
    """One simulation for all tests of the file."""
    board, sim_name = request.module.BOARD, request.module.SIM
    with simulation(board, tmp_path_factory.mktemp(sim_name), sim=sim_name) as sim, sim.connect() as dev:
        yield Machine(sim, dev)


@pytest.fixture(name="machine")
def fixture_machine(device):
    """The device, which is at rest afterwards."""
    yield device
    device.at_rest()
