# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the tests of ganger.distributed: clusters of Dask on this machine."""
import os
import sys
import time
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("GANGER_BUILD", ROOT / "build")).resolve()
os.environ.setdefault("GANGER_CACHE", str(BUILD / "cache"))
LONG = float(os.environ.get("GANGER_DEADLINE", "120"))

sys.path.insert(0, str(ROOT / "host/python"))


def until(condition, what):
    """Polls until condition() is true; fails with `what` after the deadline."""
    deadline = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < deadline, f"not within {LONG} s: {what}"
        time.sleep(0.05)


@pytest.fixture(scope="session")
def code(tmp_path_factory):
    """code("name"): a kernel of tests/kernels/group.c; code("name", 32) for 32 bits."""
    import ganger
    import ganger.distributed as gd

    def get(name, xlen=64):
        return gd.Code(ganger.build((ROOT / "tests/kernels/group.c").read_text(), f"--xlen={xlen}").image, name)
    return get


@pytest.fixture(scope="module")
def client():
    """A cluster of two workers, each a process with one thread, which tests may kill: Dask starts others."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as one:
        yield one
