# SPDX-License-Identifier: Apache-2.0
"""tinygrad's OpenCL back end: results of NumPy, a network that learns, and a search for fast kernels."""
from pathlib import Path

from conftest import run

HERE = Path(__file__).resolve().parent
# Small kernels, one process, and no results of former searches.
SEARCH = {"BEAM_LOCAL_MAX": "8", "BEAM_UPCAST_MAX": "4", "PARALLEL": "0", "CACHELEVEL": "0", "GANGER_TIME_LIMIT_MS": "5000"}


def test_operations(python):
    """Products of matrices, sums, softmax, and the training of a small network."""
    done = run([python, HERE / "tinygrad_program.py"], DEV="CL")
    assert done.returncode == 0 and done.stdout.endswith("all right\n"), done.stdout + done.stderr[-4000:]


def test_search_with_hangs(python):
    """A search (BEAM) goes on when a candidate never ends: the time limit of the device ends its kernel, and says so."""
    done = run([python, HERE / "tinygrad_search.py"], DEV="CL", **SEARCH)
    assert done.returncode == 0 and done.stdout.endswith("all right\n"), done.stdout + done.stderr[-4000:]
    assert done.stderr.count("ERR_TIME_LIMIT") == 2, done.stderr[-4000:]
