# SPDX-License-Identifier: Apache-2.0
"""clinfo asks everything that can be asked, and gets answers."""
from conftest import run


def test_whole():
    """No question ends with an error; it compiles a kernel, too."""
    done = run(["clinfo"])
    assert done.returncode == 0 and "error" not in done.stdout.lower().replace("error correction", ""), done.stdout
    assert "Platform Name                                   Ganger" in done.stdout
    assert "Preferred work group size multiple (kernel)     1" in done.stdout
