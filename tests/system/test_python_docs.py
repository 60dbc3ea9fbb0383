# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/PYTHON.md print what they should, each as a program of its own."""
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.shared

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "docs/PYTHON.md").read_text(), re.DOTALL)
PRINTED = ("vecadd ['a', 'b', 'c', 'n']\nOK 8 1.0\n1998\n", "22 132\n", "[10, 20, 30]\n",
           "782 [(0, 0, 391), (1, 391, 391)] []\n199998\n", "[0, 1, 0] 36000 4\n",
           "b'\\x02\\x00\\x00\\x00'\n", "8 8 True\n", "False [('race', 'total, at 0')]\n", "40\n")


def test_every_example_is_run():
    """There are as many results here as examples there."""
    assert len(EXAMPLES) == len(PRINTED)


@pytest.mark.parametrize("number", range(len(PRINTED)))
def test_example(board, tmp_path, number):
    """It runs on the board under test, in any folder, and prints the right results."""
    program = EXAMPLES[number].replace("qemu-virt64", board)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600, check=False,
                          cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT / "host/python")})
    assert (done.returncode, done.stdout) == (0, PRINTED[number]), done.stderr
