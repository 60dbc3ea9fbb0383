# SPDX-License-Identifier: Apache-2.0
"""CLBlast's test programs (Debian package clblast-tests), each as it is."""
import re
from pathlib import Path

import pytest

from conftest import run

PROGRAMS = sorted(path.name for path in Path("/usr/bin").glob("clblast_test_*"))


@pytest.mark.parametrize("program", PROGRAMS)
def test_routine(program):
    """Some tests pass, and none fails. Half precision, which the device does not have, is left out by CLBlast."""
    done = run([program])
    passed = sum(map(int, re.findall(r"(\d+) test\(s\) passed", done.stdout)))
    failed = sum(map(int, re.findall(r"(\d+) test\(s\) failed", done.stdout)))
    print(f"{program}: {passed} passed, {failed} failed")
    assert passed > 0 and failed == 0 and done.returncode == 0, done.stdout[-4000:]
