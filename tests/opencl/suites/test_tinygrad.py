# SPDX-License-Identifier: Apache-2.0
"""tinygrad's OpenCL back end: results of NumPy, networks that learn, and a search for fast kernels."""
import re
from pathlib import Path

from conftest import run

HERE = Path(__file__).resolve().parent
# Small kernels, one process, and no results of former searches.
SEARCH = {"BEAM_LOCAL_MAX": "8", "BEAM_UPCAST_MAX": "4", "PARALLEL": "0", "CACHELEVEL": "0", "GANGER_TIME_LIMIT_MS": "5000"}


def test_operations(python):
    """Products of matrices, sums, softmax, and the training of a small network."""
    done = run([python, HERE / "tinygrad_program.py"], DEV="CL")
    assert done.returncode == 0 and done.stdout.endswith("all right\n"), done.stdout + done.stderr[-4000:]


def test_digits(python):
    """A network learns to recognise handwritten digits, and takes each that it has not seen for the same as when it has
    learned on tinygrad's CPU back end."""
    device, cpu = [run([python, HERE / "tinygrad_digits.py"], DEV=name) for name in ("CL", "CPU")]
    right, seen = map(int, re.findall(r"^right: (\d+) of (\d+)$", device.stdout, re.MULTILINE)[0])
    print(f"{right} of {seen}")
    assert device.returncode == cpu.returncode == 0 and device.stdout == cpu.stdout, device.stdout + device.stderr[-2000:] + cpu.stdout + cpu.stderr[-2000:]
    assert seen == 297 and right > 0.85 * seen, right


def test_search_with_hangs(python):
    """A search (BEAM) goes on when a candidate never ends: the time limit of the device ends its kernel, and says so."""
    done = run([python, HERE / "tinygrad_search.py"], DEV="CL", **SEARCH)
    assert done.returncode == 0 and done.stdout.endswith("all right\n"), done.stdout + done.stderr[-4000:]
    assert done.stderr.count("ERR_TIME_LIMIT") == 2, done.stderr[-4000:]
