# SPDX-License-Identifier: Apache-2.0
"""tinygrad's OpenCL back end: results of NumPy, and a network that learns."""
from pathlib import Path

from conftest import run

HERE = Path(__file__).resolve().parent


def test_operations(python):
    """Products of matrices, sums, softmax, and the training of a small network."""
    done = run([python, HERE / "tinygrad_program.py"], DEV="CL")
    assert done.returncode == 0 and done.stdout.endswith("all right\n"), done.stdout + done.stderr[-4000:]
