# SPDX-License-Identifier: Apache-2.0
"""docs/POLICIES.md does what it says."""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from page import follow  # noqa: E402


def test_policies(tmp_path):
    """Its commands are run as they stand, in a folder that has the repository's; their output is the page's."""
    for part in ("docs", "firmware", "host"):
        (tmp_path / part).symlink_to(ROOT / part)
    follow(ROOT / "docs" / "POLICIES.md", tmp_path, lambda text: text)
