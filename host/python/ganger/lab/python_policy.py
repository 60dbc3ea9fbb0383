# SPDX-License-Identifier: Apache-2.0
"""Policies that are a class in Python, for quick tries: the scheduler asks it where it would ask a policy in C."""

import importlib.util
import inspect
import subprocess
import tempfile
import threading
import traceback
from pathlib import Path
from typing import Any, Callable, List, NamedTuple, Optional, Type

from ..errors import Error

METHODS = ("sm", "next")


class Ready(NamedTuple):
    """A task as the scheduler sees it. task: its place in the workload; left: CTAs to issue; in_flight: CTAs that SMs have;
    warps: that a CTA takes."""
    task: int
    priority: int
    left: int
    in_flight: int
    warps: int


def load_class(path: Path) -> Type[Any]:
    """The class with a method `sm` or `next` that a file defines. Raises Error ERR_ARGUMENT, OSError."""
    path.read_bytes()
    spec = importlib.util.spec_from_file_location("ganger_lab_policy", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise _failed(str(path), error) from error
    found = [one for one in vars(module).values() if inspect.isclass(one) and one.__module__ == module.__name__
             and any(callable(getattr(one, name, None)) for name in METHODS)]
    if len(found) != 1:
        raise Error("ERR_ARGUMENT", f"{path} defines {len(found)} classes with a method sm(task, room) or next(tasks); one is wanted.",
                    "policy", str(path))
    return found[0]


def _failed(name: str, error: BaseException) -> Error:
    """Says the last line of the traceback, and where it was."""
    said = traceback.format_exception_only(type(error), error)[-1].strip()
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return Error("ERR_ARGUMENT", f"{name} fails: {said}{where}.", "policy", name)


def _answer(policy: Any, words: List[str]) -> int:
    """Answers a question of the scheduler. Raises what the policy raises; ValueError for a wrong answer."""
    kind, numbers = words[1], list(map(int, words[2:]))
    if kind == "sm":
        room = dict(zip(numbers[5::2], numbers[6::2]))
        sm = policy.sm(Ready(*numbers[:5]), dict(room))
        if sm is not None and sm not in room:
            raise ValueError(f"sm() returns {sm!r}; SMs with room are {', '.join(map(str, room))}, or None")
        return -1 if sm is None else int(sm)
    tasks = [Ready(*numbers[place:place + 5]) for place in range(0, len(numbers), 5)]
    chosen = policy.next(list(tasks))
    if chosen not in tasks:
        raise ValueError(f"next() returns {chosen!r}, which is none of the tasks that it was given")
    return tasks.index(chosen)


class _Limit:
    """Ends a process when its time is over. `over` says whether it was."""

    def __init__(self, process: "subprocess.Popen[str]", timeout: Optional[float]):
        self.over = False
        self._process = process
        self._timer = threading.Timer(timeout, self._end) if timeout is not None else None

    def _end(self) -> None:
        self.over = True
        self._process.kill()

    def __enter__(self) -> "_Limit":
        if self._timer is not None:
            self._timer.start()
        return self

    def __exit__(self, *_what: object) -> None:
        if self._timer is not None:
            self._timer.cancel()


def converse(program: Path, text: str, make: Callable[[], Any], name: str,
             timeout: Optional[float]) -> "subprocess.CompletedProcess[str]":
    """Runs the program with this input, and a new policy that answers it. When it returns or raises, the program has ended.
    Raises Error ERR_ARGUMENT when the policy fails; subprocess.TimeoutExpired."""
    try:
        policy = make()
    except Exception as error:
        raise _failed(name, error) from error
    lines: List[str] = []
    with tempfile.TemporaryFile("w+", errors="replace") as said:
        process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True)
        assert process.stdin is not None and process.stdout is not None
        try:
            with _Limit(process, timeout) as limit:
                process.stdin.write(text + "\n")
                process.stdin.flush()
                for line in process.stdout:
                    if line.startswith("ask "):
                        process.stdin.write(f"{_answer(policy, line.split())}\n")
                        process.stdin.flush()
                    else:
                        lines.append(line)
                process.wait()
        except BrokenPipeError:
            process.wait()  # It has ended, and its status says why.
        except Exception as error:
            raise _failed(name, error) from error
        finally:
            process.kill()
            process.stdout.close()
            process.wait()
        if limit.over:
            raise subprocess.TimeoutExpired([str(program)], timeout or 0)
        said.seek(0)
        return subprocess.CompletedProcess([str(program)], process.returncode, "".join(lines), said.read())
