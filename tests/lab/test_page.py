# SPDX-License-Identifier: Apache-2.0
"""docs/POLICIES.md does what it says."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from page import follow  # noqa: E402


def test_policies(tmp_path):
    """Its commands are run as they stand, in a folder that has the repository's; their output is the page's, but for the basic
    blocks, which change with every file of the control processor. The curves of its picture are those that are drawn."""
    for part in ("docs", "firmware", "host"):
        (tmp_path / part).symlink_to(ROOT / part)
    follow(ROOT / "docs" / "POLICIES.md", tmp_path, lambda text: re.sub(r"(?m)^([a-z]+  +[a-z-]+  .*) [\d.,]+$", r"\1 …", text))
    drawn, page = (re.findall(r"<polyline[^>]*>", (folder / "policies.svg").read_text(encoding="utf-8"))
                   for folder in (tmp_path, ROOT / "docs" / "pictures"))
    assert len(page) == 28 and drawn == page
