# SPDX-License-Identifier: Apache-2.0
"""The makefiles: `make help` lists every target that is meant to be called; a folder of what is built has one name."""
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# One makes files be built again, the others are a part of `install` and `uninstall`; nobody calls them.
INTERNAL = {"synth-again", "install-opencl", "uninstall-opencl"}


@pytest.fixture
def copy(tmp_path):
    """The makefiles, without anything that they build."""
    for path in [ROOT / "Makefile", *ROOT.rglob("*.mk")]:
        name = path.relative_to(ROOT)
        if not name.parts[0].startswith("build"):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, tmp_path / name)
    return tmp_path


def make(root, *words):
    """What it said."""
    return subprocess.run(["env", "-u", "MAKEFLAGS", "-u", "MFLAGS", "-u", "MAKELEVEL", "make", *words], cwd=root, text=True, capture_output=True,
                          check=True).stdout


def unlisted(root):
    """Phony targets that the list does not have. Of names with a variable only the literal part counts."""
    listed = set(re.findall(r"^  ([A-Za-z-]+)  ", make(root, "help"), re.MULTILINE))
    phony = " ".join(match for path in [root / "Makefile", *root.rglob("*.mk")]
                     for match in re.findall(r"^\.PHONY:(.*)$", path.read_text(), re.MULTILINE))
    plain = set(re.sub(r"\$\([^)]*\)", "", phony).split())
    families = {family + "BOARD" for family in re.findall(r"\$\(\w+:%=([a-z-]+)%\)", phony)}
    return (plain | families) - listed - INTERNAL


def test_help_is_complete(copy):
    assert not unlisted(copy)


@pytest.mark.parametrize("line, name", [("wash:\n", "wash"), ("$(BOARDS:%=wash-%):\n", "wash-BOARD")])
def test_a_target_without_help_is_noticed(copy, line, name):
    with (copy / "host/host.mk").open("a", encoding="utf-8") as file:
        file.write(".PHONY: " + line.split(":\n")[0] + "\n" + line)
    assert unlisted(copy) == {name}


def test_a_group_that_is_none_is_noticed(copy):
    """A typing error in the group would hide the target."""
    path = copy / "host/host.mk"
    path.write_text(path.read_text().replace("## [build]", "## [bulid]", 1))
    assert unlisted(copy) == {"host"}


def test_one_name(copy):
    """Objects are known by name, and so are the headers that they depend on: a caller who names the folder from the root on
    gets the same names, and what they depend on is looked at."""
    show = ("--eval", "show: ; @echo $(BUILD)", "show")
    assert make(copy, *show) == make(copy, f"BUILD={copy}/build", *show) == "build\n"
    assert make(copy, f"BUILD={copy}/other", *show) == "other\n"
    assert make(copy, "BUILD=/tmp/elsewhere", *show) == "/tmp/elsewhere\n"
    rule = ("--eval", "build/object: header ; @mkdir -p build && echo made && touch $@", f"BUILD={copy}/build")
    (copy / "header").write_text("old")
    assert make(copy, *rule, f"{copy}/build/object") == "made\n"
    assert make(copy, *rule, f"{copy}/build/object") == ""
    newer = (copy / "build" / "object").stat().st_mtime + 10
    os.utime(copy / "header", (newer, newer))
    assert make(copy, *rule, f"{copy}/build/object") == "made\n"
