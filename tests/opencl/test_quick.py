# SPDX-License-Identifier: Apache-2.0
"""The quick tests of the OpenCL platform: programs of C, which use it through the loader as any program does. Each is
built from tests/opencl/quick/NAME.c; it says what went wrong, and its exit status is 0 when nothing did."""
import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
BUILD = Path(os.environ.get("GANGER_BUILD", HERE.parents[1] / "build")).resolve()
COMPILER = HERE.parents[1] / "firmware" / "kernel" / "ganger-cc"
PROGRAMS = sorted(path.stem for path in (HERE / "quick").glob("*.c"))
BOARDS = ("qemu-virt64:8", "qemu-virt32:2")
WARNINGS = "-std=c11 -Wall -Wextra -Werror".split()
SANITIZE = os.environ.get("GANGER_SANITIZE", "")  # "asan": the programs and the library are under it
SANITIZER = ["-fsanitize=address,undefined"] if SANITIZE else []
ALONE = ("kept",)  # with a test of its own below
OUTPUT = {"faults": "seven\n" * 3, "several": "1 device\n", "recordings": "said\n" * 3, "folded": "5\n5\n"}  # what kernels print, and how many devices there were
EDGES = (0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 128, 5000)  # lengths where SHA-256 pads in another way


def environment(board, cache=BUILD / "cache", **more):
    """Only this platform, no limits of a user, and not the user's cache folder."""
    return {**os.environ, "OCL_ICD_VENDORS": str(BUILD / "host" / SANITIZE / "ganger.icd"), "GANGER_DEVICES": board,
            "GANGER_TIME_LIMIT_MS": "1000", "GANGER_CACHE": str(cache), "GANGER_CC": str(COMPILER), **more}


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """The folder with all of them."""
    folder = tmp_path_factory.mktemp("opencl")
    for name in PROGRAMS:
        subprocess.run(["gcc", *WARNINGS, *SANITIZER, "-g", "-pthread", "-o", folder / name, HERE / "quick" / f"{name}.c", "-lOpenCL"],
                       check=True, timeout=300)
    return folder


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in ALONE])
def test_program(programs, name, board):
    """A program ends well, and has printed nothing but what its kernels print."""
    done = subprocess.run([programs / name], env=environment(board), capture_output=True, text=True, timeout=600,
                          check=False)
    assert (done.stdout, done.stderr, done.returncode) == (OUTPUT.get(name, "") + "0 failures\n", "", 0)


class Bench:
    """A folder with headers, a cache, and a compiler that is counted."""

    def __init__(self, program, folder):
        self.program, self.folder, self.calls = program, folder, folder / "calls"
        script = folder / "compiler"
        script.write_text(f'#!/bin/sh\necho call >> {self.calls}\nexec {COMPILER} "$@"\n')
        script.chmod(0o755)
        self.more = {"GANGER_CC": str(script)}
        (folder / "include").mkdir()
        for length in EDGES:
            (folder / "include" / f"{length}.h").write_text(" " * length)
        self.write(7)

    def write(self, number):
        """Another value of ALL."""
        lines = [f'#include "{length}.h"\n' for length in EDGES]
        (self.folder / "include" / "all.h").write_text(f"{''.join(lines)}#define ALL {number}\n")

    def run(self, **more):
        """(what it printed, how many compilers ran)"""
        self.calls.write_text("")
        done = subprocess.run([self.program], env=environment(BOARDS[0], self.folder / "cache", **self.more, **more),
                              capture_output=True, text=True, timeout=600, check=False, cwd=self.folder)
        assert (done.stderr, done.returncode) == ("", 0), done.stdout
        return done.stdout, len(self.calls.read_text().split())


def test_kept(programs, tmp_path):
    """A program that was built before needs no compiler in another process, until a header, an option or the
    environment changes, or a file of the cache is damaged. A header that is a program is known by its text."""
    bench = Bench(programs / "kept", tmp_path)
    assert bench.run() == ("7\n0 failures\n", 7)
    assert bench.run() == ("7\n0 failures\n", 0)
    bench.write(8)
    assert bench.run() == ("8\n0 failures\n", 1)
    assert bench.run() == ("8\n0 failures\n", 0)
    (tmp_path / "other").mkdir()
    assert bench.run(CPATH=str(tmp_path / "other"))[1] == 7
    kept = sorted((tmp_path / "cache" / "programs").iterdir())
    for path in kept:
        data = path.read_bytes()
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert bench.run() == ("8\n0 failures\n", 7)
    assert bench.run() == ("8\n0 failures\n", 0)
    assert all(len(path.name) == 64 for path in kept)


def test_kept_nowhere(programs, tmp_path):
    """Without a place for files everything is built each time."""
    bench = Bench(programs / "kept", tmp_path)
    (tmp_path / "cache").write_text("")
    for _time in range(2):
        assert bench.run() == ("7\n0 failures\n", 7)
