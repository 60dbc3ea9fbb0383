# SPDX-License-Identifier: Apache-2.0
"""The walks of a task through the files and rooms of the control processor (docs/DESIGN.md, "Walks").

The scheduler is built for this machine, with every function instrumented and none inlined, and runs one grid of one
CTA. A walk is a call of a function and all that happens until it returns. At each moment it is in the file of the
function that runs. Entering a function of another file is a change of file, and so is the return from it; a change of
room is counted in the same way. A source file and its header are one file. Accessors that are defined in a header
are counted with --headers only: nobody has to go there to understand the caller.

    tests/bench/walks.py [--root ANOTHER_TREE] [--headers] [--files]
"""
import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
CP = "firmware/cp/"
DATA = ("task", "base")  # rooms that decide nothing
# A walk, and the functions whose calls it consists of; before there were rooms, some had other names.
WALKS = (
    ("a TMD through submit", (("serve",),)),
    ("a report", (("take_reports", "launch_take_reports"),)),
    ("the end of a task", (("retire_run", "life_run"), ("host_interface_post", "completion_run"))),
)
FLAGS = ("-std=c11", "-O0", "-g", "-fno-inline", "-no-pie", "-D_GNU_SOURCE")


def sources(root):
    """The scheduler's files that any machine can run, and those of the fake device, of a tree from its root."""
    fakes = ("fake_device.c", "fake_memory.c", "fake_sms.c", "fake_whole.c")
    left_out = ("main.c", "boot.c", "machine_check.c", "panic.c", "absent.c")
    files = [f for folder in ("cp", "pull", "graph") for f in sorted((root / "firmware" / folder).rglob("*.c"))]
    return ([f for f in files if f.name not in left_out and f.parent.name != "none"],
            [f for f in (root / "tests/unit" / name for name in fakes) if f.exists()] + [HERE / "walks.c"])


def compile_to(root, folder, files, *more):
    objects = []
    for number, file in enumerate(files):
        objects.append(f"{folder}/{file.stem}{number}{len(more)}.o")
        subprocess.run(["gcc", *FLAGS, *more, "-Itests/fake", "-I.", "-c", file, "-o", objects[-1]], cwd=root,
                       check=True)
    return objects


def run(root):
    """The events of the program: (whether a function is entered, its name, its file)."""
    with tempfile.TemporaryDirectory() as folder:
        scheduler, fakes = sources(root)
        objects = compile_to(root, folder, scheduler, "-finstrument-functions") + compile_to(root, folder, fakes)
        program = f"{folder}/walks"
        subprocess.run(["gcc", "-no-pie", "-o", program, *objects], check=True)
        lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
        if any(line[0] not in "+-" for line in lines):
            sys.exit(lines[-1])
        events = [line.split() for line in lines]
        addresses = sorted({address for _, address in events})
        text = subprocess.run(["addr2line", "-f", "-e", program, *addresses], check=True, capture_output=True,
                              text=True).stdout.splitlines()
    names = {address: (text[2 * i], text[2 * i + 1].rsplit(":", 1)[0]) for i, address in enumerate(addresses)}
    return [(sign == "+", names[address][0], Path(names[address][1]).relative_to(root).as_posix())
            for sign, address in events]


def call_of(events, names):
    """The events of the first call of one of these functions, from its entry to its return."""
    start = next(i for i, (_, name, _) in enumerate(events) if name in names)
    depth = 0
    for end in range(start, len(events)):
        depth += 1 if events[end][0] else -1
        if depth == 0:
            return start, end + 1
    raise ValueError(f"{names[0]} does not return")


def places(events, headers):
    """Where a walk is, one after the other: the file on top of the stack of calls."""
    stack, seen = [], []
    for entered, _, file in events:
        if not file.startswith(CP) or (file.endswith(".h") and not headers):
            continue
        if entered:
            stack.append(file.rsplit(".", 1)[0])
        else:
            stack.pop()
        if stack:
            seen.append(stack[-1])
    return seen


def changes(seen):
    """The items without those that equal the one before."""
    return [place for i, place in enumerate(seen) if i == 0 or place != seen[i - 1]]


def walk_of(events, parts, headers):
    """The files of the next walk, and the events behind it."""
    seen = []
    for names in parts:
        start, end = call_of(events, names)
        seen += places(events[start:end], headers)
        events = events[end:]
    return changes(seen), events


def room(file):
    folder = file.removeprefix(CP).rpartition("/")[0]
    return folder or "top"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path("."), help="measure this tree")
    parser.add_argument("--headers", action="store_true", help="count functions of headers, too")
    parser.add_argument("--files", action="store_true", help="print the files of each walk, too")
    options = parser.parse_args()
    events = run(options.root.resolve())
    for title, parts in WALKS:
        files, events = walk_of(events, parts, options.headers)
        rooms = changes([room(file) for file in files])
        stages = changes([name for name in rooms if name not in DATA])
        print(f"{title}: {len(set(files))} files, {len(files) - 1} changes of file; {len(set(rooms))} rooms, "
              f"{len(rooms) - 1} changes of room, {len(stages) - 1} without visits to {' and '.join(DATA)}")
        print("   ", " > ".join(stages))
        if options.files:
            print("   ", " > ".join(file.removeprefix(CP) for file in files))
    return 0


if __name__ == "__main__":
    sys.exit(main())
