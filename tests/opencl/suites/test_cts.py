# SPDX-License-Identifier: Apache-2.0
"""Khronos' conformance tests (https://github.com/KhronosGroup/OpenCL-CTS). `make test-opencl SUITE="-k cts" CTS=folder` builds them in
folder/build-ganger with Debian's headers and loader, and runs them; nothing of them is in this repository. CMake is needed, and
whatever else they ask for: CTS_CMAKE has more words for CMake."""
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import SECONDS, run

SUITES = ("computeinfo", "profiling", "events", "buffers", "compiler", "api", "thread_dimensions", "printf", "basic")
# What fails and what is left out, with reasons in docs/OPENCL.md.
FAILS = {"computeinfo": {"conformance_version"},
         "api": {"create_context_from_type_device_type_all", "create_context_from_type_device_type_default"}}
LEFT_OUT = {"api": r"min_max_constant_buffer_size", "thread_dimensions": r"full_.*|quick_3d_.*"}
FOLDER = os.environ.get("GANGER_CTS", "")

pytestmark = pytest.mark.skipif(not FOLDER, reason="CTS= names no checkout of the conformance tests")


def built(*words):
    """A step of the build, which says what is wrong."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]


@pytest.fixture(scope="session")
def programs():
    """The folder where CMake builds the programs."""
    sources, build = Path(FOLDER).resolve(), Path(FOLDER).resolve() / "build-ganger"
    assert (sources / "test_conformance").is_dir(), f"{sources} is no checkout of OpenCL-CTS"
    assert shutil.which("cmake"), "the conformance tests are built with cmake: apt-get install cmake"
    built("cmake", "-S", sources, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS=-O1 -Wno-error", "-DCMAKE_C_FLAGS=-O1 -Wno-error",
          "-DCL_INCLUDE_DIR=/usr/include", "-DSPIRV_INCLUDE_DIR=/usr", "-DCL_LIB_DIR=/usr/lib", "-DOPENCL_LIBRARIES=OpenCL",
          *os.environ.get("CTS_CMAKE", "").split())
    return build


def names(word, said):
    """The tests of which a program says this."""
    return set(re.findall(rf"^(\w+) {word}$", said, re.MULTILINE))


def chosen(program, suite):
    """All tests of a program but for those that are left out; nothing if none is."""
    if suite not in LEFT_OUT:
        return []
    found = re.findall(r"^\t(\w+)$", run([program, "--help"]).stdout.partition("Test names:")[2], re.MULTILINE)
    wanted = [name for name in found if not re.fullmatch(LEFT_OUT[suite], name)]
    assert wanted and len(wanted) < len(found), found
    return wanted


@pytest.mark.parametrize("suite", SUITES)
def test_suite(programs, suite):
    """Some tests pass, and none fails but what is known; the program comes to its end."""
    program = programs / "test_conformance" / suite / f"test_{suite}"
    built("cmake", "--build", programs, "--parallel", "2", "--target", program.name)
    done = run([program, *chosen(program, suite)], program.parent)
    passed, failed = names("passed", done.stdout), names("FAILED", done.stdout)
    print(f"{suite}: {len(passed)} passed, {len(failed)} failed, {len(names('test not supported', done.stdout))} not supported")
    assert passed and re.search(r"^(PASSED|FAILED) \d+ of \d+ tests\.$", done.stdout, re.MULTILINE), done.stdout[-4000:] + done.stderr[-2000:]
    assert failed == FAILS.get(suite, set()), done.stdout[-8000:]
