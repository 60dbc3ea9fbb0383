# SPDX-License-Identifier: Apache-2.0
"""Each member of struct task is written only by the rooms that its comment names.

    /** Turns in the scheduler table. Written by: schedule. */
    struct task_turn turn;

The comment stands above the member or behind it; several rooms are separated by commas. A room is a folder of
firmware/cp, and `top` for the files directly in it. Every source and header of a room is compiled with a copy of
task.h in which the members of other rooms are const, so the compiler finds each assignment, also through a pointer
to a member, and whole structures. A member whose comment names no room is a problem.

Not seen: memset() and the like of a whole task, a cast that removes const, and what a function of another room does
with the address of a member that it is given.
"""
import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import compilers
import tree

FOLDER = "firmware/cp"
HEADER = Path("firmware/cp/task/task.h")
TOP = "top"
STRUCT = re.compile(r"^struct task \{", re.MULTILINE)
OWNERS = re.compile(r"Written by:\s*(\w+(?:(?:,|\s+and)\s+\w+)*)")
# The name of a member stands in front of its dimensions.
NAME = re.compile(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$")
TRAILING = re.compile(r"[ \t]*/\*.*?\*/", re.DOTALL)
FOUND = re.compile(r"^([^\s:]+):(\d+):\d+: error: (.*(?:read-only|discards).*)$")
NOTE = re.compile(r"^([^\s:]+):\d+:\d+: note: expected ", re.MULTILINE)
FLAGS = ["-std=c11", "-fsyntax-only", "-fno-diagnostics-show-caret", "-Werror=discarded-qualifiers"]


@dataclass
class Member:
    name: str
    at: int  # offset of the name in the header
    rooms: tuple


def members(content):
    """The members of struct task."""
    code = tree.code_only(content)
    start = STRUCT.search(code)
    if not start:
        return
    depth, begin = 0, start.end()
    for match in re.finditer(r"[{};]", code[start.end():]):
        at = start.end() + match.start()
        depth += {"{": 1, "}": -1}.get(match.group(), 0)
        if depth < 0:
            return
        if match.group() == ";" and depth == 0:
            name = NAME.search(code[:at], begin)
            behind = TRAILING.match(content, at + 1)
            first = begin + len(code[begin:at]) - len(code[begin:at].lstrip())
            comments = content[begin:first] + (behind.group() if behind else "")
            owners = OWNERS.search(re.sub(r"\n[ \t]*\*", "\n", comments))
            yield Member(name.group(1), name.start(1), tuple(re.findall(r"\w+", owners.group(1).replace(" and ", " ")))
                         if owners else ())
            begin = behind.end() if behind else at + 1


def as_seen_by(room, content):
    """task.h with the members of other rooms const."""
    for member in sorted(members(content), key=lambda m: -m.at):
        if member.rooms and room not in member.rooms:
            content = f"{content[:member.at]}const {content[member.at:]}"
    return content


def room_of(path):
    parts = Path(path).relative_to(FOLDER).parts
    return parts[0] if len(parts) > 1 else TOP


def problems_in(output, path, room):
    """The problems in files of the room itself; other files are checked with their own rooms."""
    # Each error with its notes.
    for text in re.split(r"\n(?=[^\n]*: error: )", "\n" + output):
        line, _, notes = text.partition("\n")
        found = FOUND.match(line)
        if not found and ": error: " in line:
            yield f"{path} does not compile: {line}"
        elif found and found.group(1).startswith(FOLDER + "/") and room_of(found.group(1)) == room:
            note = NOTE.search(notes)
            given = note and note.group(1).startswith(FOLDER + "/") and room_of(note.group(1)) != room
            if not given:
                yield f"{found.group(1)}:{found.group(2)}: {room} does not write this: {found.group(3)}"


def compile_one(root, path, copies):
    """The problems of a file, compiled with its room's copy of the header."""
    room = room_of(path)
    copy = f"{copies}/{room}"
    command = next(c for c in compilers.commands(root, path) if c[0] == "gcc")
    _, output = compilers.run(root, [command[0], f"-I{copy}", *command[1:], *FLAGS, "-x", "c", "-"],
                              input=f"#include <{path}>\n")
    return problems_in(re.sub(rf"^(?:{re.escape(copy)}|\.)/", "", output, flags=re.MULTILINE), path, room)


def problems_of(root):
    content = tree.text(root, HEADER)
    found = list(members(content))
    files = tree.files(root, {".c", ".h"}, (FOLDER,))
    rooms = {room_of(path) for path in files}
    named = {room for member in found for room in member.rooms}
    problems = {f"{HEADER}: there is no room {room}" for room in named - rooms}
    problems.update(f"{HEADER}: no room writes {member.name}: name one" for member in found if not member.rooms)
    if not found:
        problems.add(f"{HEADER}: struct task was not found")
    with tempfile.TemporaryDirectory() as copies, ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for room in rooms:
            copy = Path(copies, room, HEADER)
            copy.parent.mkdir(parents=True)
            copy.write_text(as_seen_by(room, content), encoding="utf-8")
        for found in pool.map(lambda path: list(compile_one(root, path, copies)), files):
            problems.update(found)
    return sorted(problems)


if __name__ == "__main__":
    sys.exit(tree.check(__doc__, problems_of, "every room writes its own members of struct task"))
