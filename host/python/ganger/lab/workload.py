# SPDX-License-Identifier: Apache-2.0
"""Workloads: lists of tasks with the times at which they are posted, and their files of JSON lines."""

import json
from typing import Any, Callable, Dict, List, NamedTuple, Tuple, Union

from .. import files
from ..errors import Error
from ..typed import Json
from ..typed import Path as AnyPath

FORMAT, VERSION = "ganger workload", 1
MOST_TASKS, MOST_NS, MOST_CTAS = 1_000_000, 10 ** 12, 10_000_000


class Task(NamedTuple):
    """A grid of plain CTAs. cta_ns: how long each CTA runs when it does not share its SM: one number, or one for each."""
    at_ns: int
    ctas: int
    cta_ns: Tuple[int, ...]
    priority: int = 5
    threads: int = 32
    shared_bytes: int = 0
    name: str = ""

    def work_ns(self) -> int:
        """Of all CTAs together."""
        return sum(self.cta_ns) if len(self.cta_ns) > 1 else self.cta_ns[0] * self.ctas


class Workload(NamedTuple):
    """Tasks in the order of their times."""
    name: str
    tasks: List[Task]


Range = Tuple[int, int]
_RANGES: Dict[str, Range] = {"at_ns": (0, MOST_NS), "ctas": (1, MOST_CTAS), "priority": (1, 10), "threads": (1, 1024),
                             "shared_bytes": (0, 65536)}


def _refuse(where: str, field: str, value: object, want: str) -> Error:
    return Error("ERR_ARGUMENT", f"{where}: {field} is {want}, not {value!r}.", "workload", where)


def _number(where: str, field: str, value: object, limits: Range) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not limits[0] <= value <= limits[1]:
        raise _refuse(where, field, value, f"a whole number from {limits[0]} to {limits[1]}")
    return value


def _times(where: str, value: object, ctas: int) -> Tuple[int, ...]:
    times = value if isinstance(value, list) else [value]
    if isinstance(value, list) and len(times) != ctas:
        raise _refuse(where, "cta_ns", value if len(times) < 9 else "…", f"a number, or a list of {ctas}, one for each CTA")
    return tuple(_number(where, "cta_ns", one, (1, MOST_NS)) for one in times)


def _task(where: str, found: Any) -> Task:
    if not isinstance(found, dict):
        raise _refuse(where, "a task", found, "an object with at_ns, ctas and cta_ns")
    for name in ("at_ns", "ctas", "cta_ns"):
        if name not in found:
            raise Error("ERR_ARGUMENT", f"{where}: {name} is missing.", "workload", where)
    for name in found:
        if name not in Task._fields:
            raise Error("ERR_ARGUMENT", f"{where}: there is no field {name!r}; there are {', '.join(Task._fields)}.",
                        "workload", where)
    words = {name: _number(where, name, found[name], limits) for name, limits in _RANGES.items() if name in found}
    if not isinstance(found.get("name", ""), str):
        raise _refuse(where, "name", found["name"], "a text")
    return Task(cta_ns=_times(where, found["cta_ns"], words["ctas"]), name=found.get("name", ""), **words)


def _line(where: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Error("ERR_ARGUMENT", f"{where}: this is no JSON.", "workload", where) from None


def check_workload(name: str, tasks: List[Task]) -> Workload:
    """A workload in order. Raises Error ERR_ARGUMENT when it has no task, or too many."""
    if not 1 <= len(tasks) <= MOST_TASKS:
        raise _refuse(name, "the number of tasks", len(tasks), f"1 to {MOST_TASKS}")
    return Workload(name, sorted(tasks, key=lambda task: task.at_ns))


def read_workload(path: AnyPath) -> Workload:
    """A file of JSON lines: a first line that names the format, then a line for each task. Raises Error ERR_ARGUMENT with the
    line and the field that is wrong."""
    tasks: List[Task] = []
    with open(path, encoding="utf-8", errors="replace") as file:
        head = _line(f"{path}:1", file.readline() or "null")
        if not isinstance(head, dict) or head.get("format") != FORMAT:
            raise _refuse(f"{path}:1", "the first line", head, f'{{"format": "{FORMAT}", "version": {VERSION}}}')
        if head.get("version") != VERSION:
            raise _refuse(f"{path}:1", "version", head.get("version"), str(VERSION))
        for number, text in enumerate(file, 2):
            if text.strip():
                tasks.append(_task(f"{path}:{number}", _line(f"{path}:{number}", text)))
    return check_workload(str(head.get("name") or path), tasks)


def _as_json(task: Task) -> Json:
    times: Union[int, List[int]] = list(task.cta_ns) if len(task.cta_ns) > 1 else task.cta_ns[0]
    return {**task._asdict(), "cta_ns": times}


def write_workload(path: AnyPath, workload: Workload, write: Callable[[str, str], None] = files.write) -> None:
    """Writes such a file."""
    head = {"format": FORMAT, "version": VERSION, "name": workload.name}
    write(str(path), "\n".join(json.dumps(line) for line in (head, *map(_as_json, workload.tasks))) + "\n")
