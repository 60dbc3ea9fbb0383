# SPDX-License-Identifier: Apache-2.0
"""Images that are kept by content (tools/kept.py): linked once, and again when anything that they hang on is another."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

KEPT = Path(__file__).resolve().parents[2] / "tools" / "kept.py"
LINKER = """#!/bin/sh
[ "$1" = --version ] && { cat "$0.version"; exit; }
echo once >>"$0.runs"
[ -s "$3" ] || exit 3
cat "$3" "$0.a" >"$1"
printf 'LOAD %s\\nLOAD %s\\n' "$3" "$0.a" >"$2"
"""


class Linker:
    """A linker that counts its runs; `link` runs it by kept.py and tells the image, or the exit status."""

    def __init__(self, folder):
        self.folder, self.program = folder, folder / "linker"
        self.program.write_text(LINKER)
        self.program.chmod(0o755)
        for name, text in (("linker.version", "1"), ("linker.a", "library"), ("one.o", "object")):
            self.write(name, text)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    @property
    def runs(self):
        runs = self.folder / "linker.runs"
        return len(runs.read_text().splitlines()) if runs.exists() else 0

    def link(self, flag=""):
        image, plan = self.folder / "image", self.folder / "map"
        done = subprocess.run([sys.executable, KEPT, image, plan, self.program, image, plan, self.folder / "one.o", flag], check=False, timeout=60,
                              env={**os.environ, "GANGER_CACHE": str(self.folder / "cache"), "GANGER_CACHE_BYTES": "2000"})
        assert plan.exists() == image.exists() == (done.returncode == 0)
        return image.read_text() if done.returncode == 0 else done.returncode


@pytest.fixture
def linker(tmp_path):
    """A linker with an empty cache."""
    return Linker(tmp_path)


def test_linked_once(linker):
    """The second time the image is that of the first, and the linker does not run."""
    assert [linker.link(), linker.link()] == ["objectlibrary"] * 2 and linker.runs == 1


@pytest.mark.parametrize("name, text, image", [
    ("one.o", "other", "otherlibrary"), ("linker.a", "other", "objectother"), ("linker.version", "2", "objectlibrary")])
def test_linked_again(linker, name, text, image):
    """Another object, library or compiler makes another image; and what is kept is that one then."""
    linker.link()
    linker.write(name, text)
    assert [linker.link(), linker.link()] == [image] * 2 and linker.runs == 2


def test_another_command(linker):
    """Another flag makes another image."""
    linker.link()
    linker.link(flag="-O9")
    assert linker.runs == 2


def test_failure(linker):
    """What does not link is not kept, and its status is told."""
    linker.write("one.o", "")
    assert [linker.link(), linker.link()] == [3, 3] and linker.runs == 2


def test_bounded(linker):
    """Images are kept in as many bytes as the cache may have; those that were used last."""
    for number in range(12):
        linker.link(flag=str(number))
    kept = list((linker.folder / "cache/images").iterdir())
    assert 4 <= len(kept) < 12 and sum(file.stat().st_size for file in kept) <= 2000
    linker.link(flag="11")
    assert linker.runs == 12


def test_damaged(linker):
    """An image that is damaged where it is kept is linked again."""
    linker.link()
    for file in (linker.folder / "cache/images").iterdir():
        file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert [linker.link(), linker.link()] == ["objectlibrary"] * 2 and linker.runs == 2


def test_no_cache(linker):
    """Without a place to keep it the image is linked all the same."""
    linker.write("cache", "a file")
    assert linker.link() == "objectlibrary"
