# SPDX-License-Identifier: Apache-2.0
"""PyOpenCL's own test files, as they are in its source package."""
import re

import pytest

from conftest import SUITES, run

FILES = ("wrapper", "enqueue_copy", "algorithm", "array", "arrays_in_structs", "clmath", "clrandom")
# Tests that fail with other platforms, too: docs/OPENCL.md.
FAILS = {"array": {"test_xdg_cache_home"}}


@pytest.mark.parametrize("name", FILES)
def test_file(python, name):
    """A file fails in nothing but what is known."""
    folder = next(SUITES.glob("pyopencl-*/test"))
    done = run([python, "-m", "pytest", "-q", "-rf", "--timeout", "1200", "-p", "no:cacheprovider", f"test_{name}.py"], folder)
    failed = set(re.findall(r"^FAILED test_\w+\.py::(\w+)", done.stdout, re.MULTILINE))
    print(done.stdout.splitlines()[-1])
    assert re.search(r"\d+ passed", done.stdout), done.stdout[-4000:]
    assert failed == FAILS.get(name, set()), done.stdout[-8000:]
