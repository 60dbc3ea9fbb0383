# SPDX-License-Identifier: Apache-2.0
"""The checks are imported from tools/."""
import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
os.environ.setdefault("GANGER_CACHE", str(Path(os.environ.get("GANGER_BUILD", ROOT / "build")).resolve() / "cache"))


@pytest.fixture
def tree(request, tmp_path):
    """A folder with the files of GOOD of the test's module."""
    for name, content in request.module.GOOD.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return tmp_path
