# SPDX-License-Identifier: Apache-2.0
"""The tutorials do what they say: their files are written, their commands run, and the output is theirs (tests/page.py)."""
import re
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # tests/page.py
from page import check_output, follow  # noqa: E402

pytestmark = pytest.mark.shared

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = ROOT / "docs" / "tutorials"
# What the commands use, from a folder that is not the repository, so that nothing is written into it.
PARTS = ("firmware", "host", "boards", "hal", "linker", "qemu", "tools", "tests")


@pytest.fixture
def folder(tmp_path):
    for part in PARTS:
        (tmp_path / part).symlink_to(ROOT / part)
    return tmp_path


def test_first_kernel(folder, board):
    """S3-R40, S3-R52, S3-R113: a kernel, a barrier and a fault, on this board."""
    def change(text):
        text = text.replace("qemu-virt64", board).replace("ganger run ", f"ganger run --board {board} ")
        text = text.replace("ganger-cc -g", f"ganger-cc --xlen {board[-2:]} -g")
        return text if board.endswith("64") else text.replace("uint *      8", "uint *      4")

    follow(TUTORIALS / "first-kernel.md", folder, change)


def test_beat_round_robin(tmp_path, board, build):
    """S0-R26: another order of tasks, in a copy of the tree with what was built of it: in the laboratory, and on this board."""
    for part in (*PARTS, "Makefile"):
        source = ROOT / part
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, tmp_path / part)
    (tmp_path / "build").mkdir()
    for part in build.iterdir():
        if part.name == board:
            shutil.copytree(part, tmp_path / "build" / board)
        elif part.name in ("deps.stamp", "host", "kernels", "opencl", "qemu", "venv"):
            (tmp_path / "build" / part.name).symlink_to(part)
    kernels = "build/kernels/" + ("rv32/" if board.endswith("32") else "")
    follow(TUTORIALS / "beat-round-robin.md", tmp_path,
           lambda text: text.replace("qemu-virt64", board).replace("build/kernels/", kernels),
           {"GANGER_BUILD": str(tmp_path / "build"), "BUILD": "build"})


def test_why_it_waited(folder, board, tmp_path):
    """S0-R27, S3-R40: a report of two tasks on a device that is up, on this board."""
    def change(text):
        return text.replace("ganger up", f"ganger up --board {board}").replace("ganger-cc -g", f"ganger-cc --xlen {board[-2:]} -g")

    follow(TUTORIALS / "why-it-waited.md", folder, change, {"TMPDIR": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)})
    page = (folder / "my" / "report.html").read_text(encoding="utf-8")
    assert page.count('"status":"OK"') == 2 and '"span":' in page


def test_find_the_slow_line(folder, board):
    """S3-R40: a line that costs most, before and after it was changed, on this board."""
    def change(text):
        return text.replace("ganger prof", f"ganger prof --board {board}").replace("ganger-cc -g", f"ganger-cc --xlen {board[-2:]} -g")

    follow(TUTORIALS / "find-the-slow-line.md", folder, change)


def test_catch_a_wrong_barrier(folder, board):
    """S3-R96: a missing barrier, a wrong one and a right one, on this board."""
    def change(text):
        xlen = f"ganger-cc --xlen {board[-2:]} "
        return re.sub(r"ganger (run|race) my", rf"ganger \1 --board {board} my", text).replace("ganger-cc ", xlen)

    follow(TUTORIALS / "catch-a-wrong-barrier.md", folder, change)


def test_stop_at_a_barrier(folder, board):
    """S3-R8, S3-R52: who waits at a barrier that the others never reach, in GDB on this board."""
    def change(text):
        text = text.replace("ganger run ", f"ganger run --board {board} ").replace("ganger gdb my", f"ganger gdb --board {board} my")
        return text.replace("ganger-cc -g", f"ganger-cc --xlen {board[-2:]} -g")

    follow(TUTORIALS / "stop-at-a-barrier.md", folder, change)


def test_output_is_compared():
    """A line that is missing, or in another order, is noticed."""
    check_output("a 1 b\nc\n", "a … b\nc")
    for wrong in "a … c", "c\na … b", "a 1":
        with pytest.raises(AssertionError):
            check_output("a 1 b\nc\n", wrong)
