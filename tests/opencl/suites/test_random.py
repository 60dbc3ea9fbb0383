# SPDX-License-Identifier: Apache-2.0
"""Random programs of API calls leave the same in their buffers as on PoCL. GANGER_SEED repeats a run."""
import os
import subprocess
from pathlib import Path

from conftest import BUILD, SECONDS, environment

HERE = Path(__file__).resolve().parent
SEED = os.environ.get("GANGER_SEED", "1")
COUNT = os.environ.get("GANGER_STEPS", "1000")


def results(python, platform):
    done = subprocess.run([python, HERE / "random_programs.py", SEED, COUNT], env=environment(platform), capture_output=True,
                          text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout.splitlines()


def test_same(python):
    """1,000 programs; which differs first is what a failure tells."""
    ours, theirs = results(python, BUILD / "host" / "ganger.icd"), results(python, "/etc/OpenCL/vendors/pocl.icd")
    different = [number for number, pair in enumerate(zip(ours, theirs)) if pair[0] != pair[1]]
    assert len(ours) == len(theirs) == int(COUNT) and different == [], f"seed {SEED}, programs {different[:10]}"
