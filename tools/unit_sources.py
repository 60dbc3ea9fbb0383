# SPDX-License-Identifier: Apache-2.0
"""What each unit-test program is linked with, for tests/tests.mk and tools/check_tests_alone.py.

A comment in the first lines of tests/unit/test_X.c names files, and these words stand for several of them:

    room:sms   the files of that room of firmware/cp, and of all rooms below it (EDGES of tools/check_layers.py)
    memory     the memory and the map of a device in arrays
    device     memory, the SMs, and tests/unit/rooms/X.c for each room X that is not linked: a small fake of it
    scheduler  memory, the SMs, and all rooms with the loop of the control processor

Each word of the output is a test and its files, with colons between them; the first is of the word `scheduler`, and the
last ones are those of the fuzz targets, tests/fuzz/fuzz_X.c.
"""
import functools
import re
import sys
from pathlib import Path

import tree
from check_layers import CP, EDGES

UNIT = "tests/unit/"
FIRST_LINES = 20  # of a test, that may have the comment
COMMENT = re.compile(r"\bsources:(.*?)\*/", re.DOTALL)
MEMORY = [UNIT + "fake_memory.c", CP + "start/layout.c", CP + "start/pool.c"]
DEVICE = MEMORY + [UNIT + "fake_sms.c", UNIT + "fake_device.c", UNIT + "fake_run.c"]
SCHEDULER = MEMORY + [UNIT + "fake_device.c", UNIT + "fake_whole.c", CP + "loop.c", CP + "kinds.c"]
TARGET_ONLY = (CP + "start/machine_check.c", CP + "start/panic.c")  # other files that a host cannot link: absent.c


@functools.cache
def folder_files(root, folder):
    files = sorted(f.relative_to(root).as_posix() for f in (root / folder).glob("*.c"))
    return [f for f in files if f not in TARGET_ONLY and not f.endswith("/absent.c")]


@functools.cache
def rooms_below(room):
    """Folders that a room may include from, itself first: other folders than rooms, too."""
    folders = [CP + room]
    for folder in folders:
        folders += [f for f in EDGES[folder] if f not in folders and f in EDGES]
    return folders


def files_of(root, words):
    """The files that words of the comment stand for, each once."""
    rooms = [word.removeprefix("room:") for word in words if word.startswith("room:")]
    if "scheduler" in words:
        rooms = [f.removeprefix(CP) for f in EDGES if f.startswith(CP)]
    linked = [folder for room in rooms for folder in rooms_below(room)]
    files = [f for folder in linked for f in folder_files(root, folder)]
    for word in words:
        if word == "device":
            fakes = folder_files(root, UNIT + "rooms")
            files += DEVICE + [f for f in fakes if CP + Path(f).stem not in linked]
        elif word in ("memory", "scheduler"):
            files += MEMORY + [UNIT + "fake_sms.c"] if word == "memory" else SCHEDULER
        elif not word.startswith("room:"):
            files.append(word)
    return list(dict.fromkeys(files))


def sources_of(root, test):
    """The files that a test, a path from the root, is linked with; the test is the first."""
    first_lines = "\n".join(tree.text(root, test).splitlines()[:FIRST_LINES])
    comment = COMMENT.search(first_lines)
    words = re.sub(r"[*,]", " ", comment.group(1)).split() if comment else []
    return [test.as_posix()] + files_of(root, words)


def tests_of(root):
    return [t.relative_to(root) for t in sorted((root / UNIT).glob("test_*.c"))]


def fuzz_targets_of(root):
    return [t.relative_to(root) for t in sorted((root / "tests/fuzz").glob("fuzz_*.c"))]


def main():
    root = Path(".")
    print(":".join(["scheduler"] + files_of(root, ["scheduler"])))
    for test in tests_of(root) + fuzz_targets_of(root):
        print(":".join(sources_of(root, test)))


if __name__ == "__main__":
    sys.exit(main())
