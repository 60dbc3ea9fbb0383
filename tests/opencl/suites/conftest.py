# SPDX-License-Identifier: Apache-2.0
"""Other people's programs on the OpenCL platform. `make test-opencl` gives: GANGER_BUILD; GANGER_SUITES, the folder with
the Python environment of the clients and the unpacked sources of PyOpenCL."""
import os
import subprocess
from pathlib import Path

import pytest

BUILD = Path(os.environ["GANGER_BUILD"]).resolve()
SUITES = Path(os.environ["GANGER_SUITES"]).resolve()
os.environ.setdefault("GANGER_CACHE", str(BUILD / "cache"))  # and not the user's
SECONDS = 5400


def environment(*platforms, **more):
    """Only these platforms: files of the loader."""
    folder = SUITES / "vendors" / "-".join(Path(one).stem for one in platforms)
    folder.mkdir(parents=True, exist_ok=True)
    for one in platforms:
        (folder / Path(one).name).write_text(Path(one).read_text("utf-8"), "utf-8")
    return {**os.environ, "OCL_ICD_VENDORS": str(folder), "GANGER_TIME_LIMIT_MS": "60000", "PYTHONPATH": "", **more}


def run(words, folder=None, **more):
    """Runs a program with our platform alone."""
    return subprocess.run([str(word) for word in words], cwd=folder, env=environment(BUILD / "host" / "ganger.icd", **more),
                          capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False)


@pytest.fixture(scope="session")
def python():
    """The interpreter with PyOpenCL and tinygrad."""
    return SUITES / "venv" / "bin" / "python"
