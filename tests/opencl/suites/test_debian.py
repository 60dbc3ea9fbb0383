# SPDX-License-Identifier: Apache-2.0
"""Debian's programs that measure an OpenCL platform, and look at what comes out: clFFT's client (package clfft-client), and
clpeak. clFFT itself is compared with NumPy, since its client transforms the same number everywhere."""
import re
from pathlib import Path

import pytest

from conftest import run

HERE = Path(__file__).resolve().parent
# Lengths along x, y and z, and more words.
SHAPES = ("1024", "8", "60 --double", "16384", "243", "3125 --double", "343 --inv", "1024 --inv --double", "64 32", "16 9 10", "8 8 8 --double",
          "1024 -o", "256 -b 5", "256 -b 5 --inLayout 2 --outLayout 2", "1024 -o --inLayout 5 --outLayout 3",
          "60 -o --inLayout 5 --outLayout 3 --double", "1024 -o --inLayout 3 --outLayout 5 --inv")
PARTS = ("global-bandwidth", "compute-sp", "compute-dp", "compute-integer", "compute-intfast", "transfer-bandwidth", "kernel-latency")


@pytest.mark.parametrize("shape", SHAPES)
def test_clfft(shape):
    """clFFT's client compares what comes out with what it expects, and says so."""
    sizes = re.match(r"[\d ]*\d(?= -|$)", shape)[0].split()
    words = [word for axis, size in zip("xyz", sizes) for word in (f"-{axis}", size)]
    done = run(["clFFT-client", *words, *shape.split()[len(sizes):]])
    assert done.returncode == 0 and done.stdout.count("Internal Client Test *****PASS*****") == 1 and "FAIL" not in done.stdout, \
        done.stdout[-2000:] + done.stderr[-2000:]


def test_clfft_with_numpy(python):
    """Random numbers, eight shapes, there and back, single and double."""
    done = run([python, HERE / "clfft_program.py"])
    print(done.stdout)
    assert done.returncode == 0 and done.stdout.endswith("all right\n"), done.stdout + done.stderr[-4000:]


@pytest.mark.parametrize("part", PARTS)
def test_clpeak(part):
    """clpeak measures, and nothing fails: it prints a figure for each kernel, which is more than 0. It gives a device as much work as
    its SMs can take, so it is given one with a single SM."""
    done = run(["clpeak", f"--{part}"], GANGER_DEVICES="qemu-virt64:1")
    print(done.stdout)
    said = done.stdout.partition("Clock frequency")[2]
    figures = [float(one) for one in re.findall(r" : ([\d.]+|inf)(?: us)?$", said, re.MULTILINE)]
    assert done.returncode == 0 and figures and min(figures) > 0 and "Tests skipped" not in said, done.stdout + done.stderr[-2000:]
    assert done.stderr == "", done.stderr
