# SPDX-License-Identifier: Apache-2.0
"""How GDB prints tasks, lists of tasks and queues of the control processor."""

from typing import Iterator, List, Tuple

import gdb
import gdb.printing

from ..registers import enumerator

_MOST = 200_000  # Tasks of a list that are followed: more than there can be.


def _number(value: gdb.Value) -> int:
    return int(value)


def task_text(task: gdb.Value) -> str:
    """A struct task in one line."""
    work, state = task["work"], _number(task["life"]["state"])
    names = {field.enumval: field.name.removeprefix("TASK_") for field in gdb.lookup_type("enum task_state").fields()}
    parts = [f"tag {_number(task['source']['tag'])}", f"channel {_number(task['source']['channel'])}", names.get(state, str(state)),
             f"priority {_number(task['rules']['priority'])}", f"{_number(work['done'])} CTAs ended",
             f"{_number(work['in_flight'])} in flight", f"{_number(work['left'])} left"]
    if _number(task["turn"]["slot"]) != 0xff:
        parts.insert(0, f"slot {_number(task['turn']['slot'])}")
    reason = enumerator("reason", _number(task["stall"]["reason"]))
    parts += [f"kept back: {reason}"] if reason != "NONE" else []
    status = _number(task["failure"]["status"])
    parts += [enumerator("status", status & 0xffffffff)] if status else []
    return "task: " + ", ".join(parts)


def followed(head: gdb.Value) -> Iterator[gdb.Value]:
    """The tasks of a list, from its head on."""
    for _place in range(_MOST):
        if not head:
            return
        yield head.dereference()
        head = head["next"]


class _Task:
    def __init__(self, value: gdb.Value):
        self._value = value

    def to_string(self) -> str:
        """One line; `print/r` shows all members."""
        return task_text(self._value)


class _List:
    def __init__(self, value: gdb.Value):
        self._value = value

    def to_string(self) -> str:
        """How many."""
        count = sum(1 for _task in followed(self._value["head"]))
        return f"list of {count} task{'s' if count != 1 else ''}"

    def children(self) -> Iterator[Tuple[str, gdb.Value]]:
        """Its tasks, from the first on."""
        for number, task in enumerate(followed(self._value["head"])):
            yield str(number), task

    @staticmethod
    def display_hint() -> str:
        """For GDB."""
        return "array"


class _Queue:
    def __init__(self, value: gdb.Value):
        self._value = value

    def to_string(self) -> str:
        """One line."""
        put, taken, freed, capacity = (_number(self._value[name]) for name in ("put", "taken", "freed", "capacity"))
        return f"queue: {put} items pushed, {taken} taken, {freed} freed, room for {capacity - (put - freed)} of {capacity}" \
            + (", closed" if self._value["closed"] else "")


def _static(name: str) -> gdb.Value:
    """A variable of a file. Optimized copies of its unit have it, too, without a place."""
    return next(value for value in (symbol.value() for symbol in gdb.lookup_static_symbols(name)) if not value.is_optimized_out)


class _SlotTask(gdb.Function):
    """$task(SLOT): pointer to the control processor's task in a slot, or NULL."""

    def __init__(self) -> None:
        super().__init__("task")

    def invoke(self, slot: gdb.Value) -> gdb.Value:
        """The pointer."""
        return _static("holders")[slot]


class _Pending(gdb.Function):
    """$pending(PRIORITY): the control processor's list of pending tasks of a priority, 1 to 10."""

    def __init__(self) -> None:
        super().__init__("pending")

    def invoke(self, priority: gdb.Value) -> gdb.Value:
        """The list."""
        return _static("pending")[priority]


def tasks() -> List[str]:
    """A line for each task in a slot or pending, the most urgent first."""
    holders, pending = _static("holders"), _static("pending")
    rows = [task_text(holders[slot].dereference()) for slot in range(holders.type.range()[1] + 1) if holders[slot]]
    for priority in range(pending.type.range()[1] + 1):
        rows += map(task_text, followed(pending[priority]["head"]))
    return rows


def install() -> None:
    """The printers, and functions for what they print."""
    _SlotTask()
    _Pending()
    printers = gdb.printing.RegexpCollectionPrettyPrinter("ganger")
    for name, printer in (("task", _Task), ("task_list", _List), ("queue", _Queue)):
        printers.add_printer(name, f"^{name}$", printer)
    gdb.printing.register_pretty_printer(None, printers)
