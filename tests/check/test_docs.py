# SPDX-License-Identifier: Apache-2.0
"""Links between the documents lead somewhere: to a file of the repository, and to a heading of it."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import tree  # noqa: E402
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def anchor(heading):
    """What GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def wrong_links(root, name):
    text = (root / name).read_text(encoding="utf-8")
    for path, heading in LINK.findall(CODE.sub("", text)):
        target = (root / name).parent / path if path else root / name
        if not target.exists():
            yield f"{name}: there is no {path}"
        elif heading and heading not in map(anchor, re.findall(r"^#+ (.*)$", target.read_text(), re.MULTILINE)):
            yield f"{name}: {path} has no heading {heading}"


def test_links_lead_somewhere():
    names = tree.files(ROOT, {".md"})
    assert len(names) > 10
    assert not [wrong for name in names for wrong in wrong_links(ROOT, name)]


def test_a_wrong_link_is_noticed(tmp_path):
    (tmp_path / "a.md").write_text("# One two\n[x](b.md) [x](#one-two) [x](#three) [x](a.md#one-two) `[x](c.md)`\n")
    assert list(wrong_links(tmp_path, "a.md")) == ["a.md: there is no b.md", "a.md:  has no heading three"]
