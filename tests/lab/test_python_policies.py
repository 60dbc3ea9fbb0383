# SPDX-License-Identifier: Apache-2.0
"""Policies that are classes in Python: they are asked what they say they are, and what is wrong with them is told."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ganger
from ganger import lab

US = 1000
ROOT = Path(__file__).resolve().parents[2]


def grid(at_us, ctas, us, **more):
    return lab.Task(at_us * US, ctas, (us * US,), **more)


class Last:
    """The last SM that has room."""

    def sm(self, task, room):
        return max(room)


class Youngest:
    """The task that came last."""

    def next(self, tasks):
        return tasks[-1]


class Told:
    """What it is told."""
    rooms = []
    tasks = []

    def sm(self, task, room):
        self.rooms.append((task, room))
        return None if task.task == 1 and task.priority == 5 and len(self.rooms) == 4 else 0

    def next(self, tasks):
        self.tasks.append(list(tasks))
        return tasks[0]


def test_sm(played):
    """Every CTA goes where the class says, with a packet of its own."""
    found = played(lab.find_policy(Last), [grid(0, 10, 10)], sms=4, lanes=8)
    assert sorted((packet.first, packet.sm, packet.ctas) for packet in found.log) == \
        [(cta, 3 if cta < 8 else 2, 1) for cta in range(10)]


def test_next(played):
    """The tasks are taken as the class says; where their CTAs go is load balancing's."""
    found = played(lab.find_policy(Youngest), [grid(0, 1, 10), *(grid(at, 2, 10) for at in (1, 2, 3))], sms=1, slots=1, lanes=1)
    assert found.spans == [(0, 10 * US), (50 * US, 70 * US), (30 * US, 50 * US), (10 * US, 30 * US)]
    assert len(played(lab.find_policy(Youngest), [grid(0, 8, 10)], sms=4, lanes=8).log) == 4


def test_what_it_is_told(played):
    """The task, its priority, what it has left and in flight, its warps; the room that each SM has; None keeps it back."""
    found = played(lab.find_policy(Told), [grid(0, 3, 10, priority=2), grid(1, 1, 10, threads=64)], sms=2, slots=4, lanes=4)
    assert Told.rooms == [(lab.Ready(0, 2, 3, 0, 1), {0: 4, 1: 4}), (lab.Ready(0, 2, 2, 1, 1), {0: 3, 1: 4}),
                          (lab.Ready(0, 2, 1, 2, 1), {0: 2, 1: 4}), (lab.Ready(1, 5, 1, 0, 2), {0: 1, 1: 4}),
                          (lab.Ready(1, 5, 1, 0, 2), {0: 4, 1: 4})]
    assert Told.tasks[0] == [lab.Ready(0, 2, 3, 0, 1)] and found.spans[1][0] == 10 * US


@pytest.mark.parametrize("name", lab.WORKLOADS)
def test_as_in_c(name, tmp_path):
    """The same policy in C and in Python gives the same packets at the same times."""
    (tmp_path / "shortest.py").write_text(
        "class Shortest:\n    def next(self, tasks):\n"
        "        return min((one for one in tasks if one.priority == tasks[0].priority), key=lambda one: one.left * one.warps)\n")
    (tmp_path / "shortest.c").write_text(
        (ROOT / "firmware/cp/policy/policy_shortest_first.c").read_text(encoding="utf-8").replace(", .seat = shortest", ""))
    work = lab.make_workload(name, lab.Scale(16, 4, tasks=120))
    in_c, in_python = lab.play(work, [lab.find_policy(str(tmp_path / f"shortest.{kind}")) for kind in ("c", "py")],
                               lab.Machine(sms=16), log=True)
    assert in_c.log == in_python.log and in_c.spans == in_python.spans


@pytest.mark.parametrize("body, says", [
    ("def sm(self, task, room):\n        return task.colour", "has no attribute 'colour' (mine.py, line 3)"),
    ("def sm(self, task, room):\n        return 9", "ValueError: sm() returns 9; SMs with room are 0, 1, or None"),
    ("def sm(self, task, room):\n        return 'a'", "sm() returns 'a'"),
    ("def next(self, tasks):\n        return None", "next() returns None, which is none of the tasks"),
    ("def next(self, tasks):\n        tasks.clear()\n        raise KeyError('gone')", "KeyError: 'gone' (mine.py, line 4)"),
    ("def __init__(self):\n        raise OSError('no disk')\n    def sm(self, task, room):\n        return 0", "OSError: no disk"),
    ("def sm(self, task, room):\n        return None", "the policy issues none"),
    ("def sm(self, room):\n        return None", "takes 2 positional arguments"),
])
def test_wrong_classes(tmp_path, body, says):
    """An exception, or an answer that is impossible, ends the run with what it says; no process is left."""
    (tmp_path / "mine.py").write_text(f"class Mine:\n    {body}\n")
    with pytest.raises(ganger.Error) as found:
        lab.play(lab.Workload("w", [grid(0, 20, 10)]), [lab.find_policy(str(tmp_path / "mine.py"))], lab.Machine(sms=2))
    assert says in str(found.value) and "Mine" in str(found.value)
    assert "policy_ask" not in subprocess.run(["ps", "--ppid", str(os.getpid()), "-o", "args"],
                                              capture_output=True, text=True, check=False).stdout


def test_one_without_an_end(tmp_path):
    """A class that asks for ever is ended by the time limit at its next question."""
    (tmp_path / "mine.py").write_text("import time\nclass Mine:\n    def sm(self, task, room):\n        time.sleep(0.2)\n        return 0\n")
    with pytest.raises(ganger.Error, match="longer than 0.1 s"):
        lab.play(lab.Workload("w", [grid(0, 20, 10)]), [lab.find_policy(str(tmp_path / "mine.py"))], lab.Machine(sms=4), timeout=0.1)


@pytest.mark.parametrize("text, says", [
    ("x = 3\n", "defines 0 classes"), ("class A:\n    def sm(self): pass\nclass B:\n    def sm(self): pass\n", "defines 2 classes"),
    ("class A:\n  def\n", "SyntaxError"), ("1 / 0\n", "ZeroDivisionError: division by zero (mine.py, line 1)")])
def test_wrong_files(tmp_path, text, says):
    """A file without a class, with two, and one that cannot be loaded."""
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(ganger.Error) as found:
        lab.find_policy(str(tmp_path / "mine.py"))
    assert says in str(found.value) and "mine.py" in str(found.value)
    with pytest.raises(ganger.Error, match="neither a method"):
        lab.find_policy(int)
    with pytest.raises(ganger.Error, match="the class itself"):
        lab.find_policy(lab.find_policy("balance"))


def test_the_command(tmp_path):
    """`ganger lab run` takes the file, and tells the last line of a traceback without the others."""
    (tmp_path / "mine.py").write_text("class Mine:\n    def next(self, tasks):\n        return tasks[99]\n")
    done = subprocess.run([sys.executable, "-m", "ganger.cli", "lab", "run", "--workload", "poisson", "--tasks", "3", "--policy",
                           str(tmp_path / "mine.py")], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "IndexError: list index out of range (mine.py, line 3)" in done.stderr
    assert "Traceback" not in done.stderr
