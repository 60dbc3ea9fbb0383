# SPDX-License-Identifier: Apache-2.0
"""Plug-in of pytest for `make test`: leaves out the tests that tests/long.txt names, which `make test-all` runs."""
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LONG = frozenset((ROOT / "tests" / "long.txt").read_text(encoding="utf-8").splitlines())

# It is meant for this process, not for what its tests start.
os.environ.pop("PYTEST_ADDOPTS", None)


def is_long(item):
    """Whether the list has the test, or its function with all of its cases."""
    name = f"{item.path.relative_to(ROOT)}::{item.nodeid.split('::', 1)[1]}"
    return name in LONG or name.split("[", 1)[0] in LONG


def pytest_collection_modifyitems(config, items):
    """Called by pytest when it has found its tests."""
    long = [item for item in items if is_long(item)]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if not is_long(item)]
