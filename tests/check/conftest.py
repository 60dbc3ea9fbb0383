# SPDX-License-Identifier: Apache-2.0
"""The checks are imported from tools/."""
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))


@pytest.fixture
def tree(request, tmp_path):
    """A folder with the files of GOOD of the test's module."""
    for name, content in request.module.GOOD.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return tmp_path
