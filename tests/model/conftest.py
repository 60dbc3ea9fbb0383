# SPDX-License-Identifier: Apache-2.0
"""The seed of the workloads, and how many ran."""
import sys
from pathlib import Path

import pytest
from hypothesis import Phase, seed, settings

import world

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # tests/seeds.py
from seeds import seed_of  # noqa: E402

SEED = seed_of("model")
settings.register_profile(
    "model", deadline=None, print_blob=True, derandomize=False, report_multiple_bugs=False,
    phases=[phase for phase in Phase if phase is not Phase.explain])
settings.load_profile("model")


def pytest_report_header():
    """The seed, for the log."""
    return f"model: seed {SEED}; GANGER_SEED={SEED} repeats"


def pytest_collection_modifyitems(items):
    """All tests use the seed."""
    for item in items:
        if hasattr(item.function, "hypothesis"):
            seed(SEED)(item.function)


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter):
    """How many workloads ran."""
    terminalreporter.write_line(
        f"model: {world.COUNT['workloads']} workloads, {world.COUNT['turns']} turns, seed {SEED}")
