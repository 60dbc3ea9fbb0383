# SPDX-License-Identifier: Apache-2.0
"""The quick tests of the OpenCL platform: programs of C, which use it through the loader as any program does. Each is
built from tests/opencl/quick/NAME.c; it says what went wrong, and its exit status is 0 when nothing did."""
import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
BUILD = Path(os.environ.get("GANGER_BUILD", HERE.parents[1] / "build")).resolve()
PROGRAMS = sorted(path.stem for path in (HERE / "quick").glob("*.c"))
BOARDS = ("qemu-virt64:8", "qemu-virt32:2")
WARNINGS = "-std=c11 -Wall -Wextra -Werror".split()
OUTPUT = {"faults": "seven\n" * 3}  # what kernels print


def environment(board):
    """Only this platform, and no limits of a user."""
    return {**os.environ, "OCL_ICD_VENDORS": str(BUILD / "host" / "ganger.icd"), "GANGER_DEVICES": board,
            "GANGER_TIME_LIMIT_MS": "1000"}


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """The folder with all of them."""
    folder = tmp_path_factory.mktemp("opencl")
    for name in PROGRAMS:
        subprocess.run(["gcc", *WARNINGS, "-g", "-pthread", "-o", folder / name, HERE / "quick" / f"{name}.c", "-lOpenCL"],
                       check=True, timeout=300)
    return folder


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_program(programs, name, board):
    """A program ends well, and has printed nothing but what its kernels print."""
    done = subprocess.run([programs / name], env=environment(board), capture_output=True, text=True, timeout=600,
                          check=False)
    assert (done.stdout, done.stderr, done.returncode) == (OUTPUT.get(name, "") + "0 failures\n", "", 0)
