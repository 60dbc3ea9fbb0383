# SPDX-License-Identifier: Apache-2.0
"""The kept inputs of the fuzz targets in Python, tests/fuzz/fuzz_X.py: each is read or refused. No device. Those of the
targets in C are replayed by `make test-unit`."""
import importlib
import sys

import pytest

from conftest import ROOT

FUZZ = ROOT / "tests" / "fuzz"
sys.path.insert(0, str(FUZZ))


@pytest.mark.parametrize("target", sorted(one.stem for one in FUZZ.glob("fuzz_*.py")))
def test_corpus(target):
    """S2-Q1, S2-Q2: what was found once stays mended."""
    check, files = importlib.import_module(target).check, sorted((FUZZ / "corpus" / target[5:]).iterdir())
    assert files
    for file in files:
        check(file.read_bytes())
