# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the tests on RTL. Each board has one simulation, kept for all tests that damage nothing; after each
test the device must be at rest. A test that fails shows the console and the cycle, and the next one has a new
simulation. GANGER_RTL_BOARDS: names of the boards to be tested; without it, all."""
import os
import signal

import pytest

from device_support import BOARDS, Machine, Simulation

CHOSEN = os.environ.get("GANGER_RTL_BOARDS", "").split() or BOARDS

# Started in the background of a shell, this process would have ^C ignored, and so would what it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config, items):
    """Leaves out the tests of boards that were not chosen."""
    def other(item):
        board = getattr(item, "callspec", None) and item.callspec.params.get("board")
        return board in BOARDS and board not in CHOSEN

    left = [item for item in items if other(item)]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if not other(item)]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Adds to a failure what the simulation says."""
    outcome = yield
    report = outcome.get_result()
    machine = getattr(item, "funcargs", {}).get("machine")
    if call.when == "call" and report.failed:
        item.failed_call = True
        if machine is not None:
            report.sections.append(("simulation", machine.sim.report()))


@pytest.fixture(scope="session", params=BOARDS)
def board(request):
    """Name of each board with a core."""
    return request.param


@pytest.fixture(scope="session")
def kept():
    """Machines that are kept until the end, by board."""
    machines = {}
    yield machines
    for board in list(machines):
        end(machines, board)


def end(machines, board):
    """Ends a machine."""
    machine = machines.pop(board)
    machine.dev.close()
    machine.sim.end()


@pytest.fixture
def machine(request, board, kept, tmp_path_factory):
    """A device that other tests use, too."""
    for other in [name for name in kept if name != board]:
        end(kept, other)
    if board not in kept:
        sim = Simulation(board, tmp_path_factory.mktemp(board))
        try:
            kept[board] = Machine(sim, sim.connect())
        except BaseException:
            sim.end()
            raise
    yield kept[board]
    if getattr(request.node, "failed_call", False):
        end(kept, board)
        return
    try:
        kept[board].at_rest()
    except BaseException:
        print(kept[board].sim.report())
        end(kept, board)
        raise
