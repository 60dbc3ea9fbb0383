# SPDX-License-Identifier: Apache-2.0
"""Runs a fuzz target in Python under atheris: atheris_main.py fuzz_X [options of libFuzzer] [folders]."""
import importlib
import sys
from functools import partial

import atheris

with atheris.instrument_imports(include=["ganger.graph", "boards.litex"]):
    target = importlib.import_module(sys.argv[1])

every = getattr(target, "EVERY", None)  # What costs most is done with one input of so many.
atheris.Setup([sys.argv[0], *sys.argv[2:]], partial(target.check, every=every) if every else target.check)
atheris.Fuzz()
