# SPDX-License-Identifier: Apache-2.0
"""`info ganger`, and the convenience functions that conditions use: $cta_x(), $thread() and others."""

from typing import Callable, List, Sequence, Tuple

import gdb

from ..cli.common import table
from ..hang_sms import Item
from ..typed import Json
from .printers import tasks
from .session import Ids, Session


def _ranges(items: Sequence[Item]) -> List[Tuple[Item, str]]:
    """Neighbours in the same state at the same place are one line: the first of them, and their numbers."""
    found: List[List[Item]] = []
    for item in items:
        if found and (found[-1][-1].state, found[-1][-1].pc, found[-1][-1].number + 1) == (item.state, item.pc, item.number):
            found[-1].append(item)
        else:
            found.append([item])
    return [(of[0], f"{of[0].number}-{of[-1].number}" if len(of) > 1 else str(of[0].number)) for of in found]


def _state(session: Session, cta: Json, item: Item) -> str:
    """In words, with the line."""
    place = session.where(item)
    line = place.rpartition(":")[2].rstrip(")") if ":" in place else ""
    if item.state == "running":
        return f"running {place}".rstrip() if cta["on_hart"] else f"ready, another CTA has the SM {place}".rstrip()
    if item.state == "at a barrier":
        return f"at barrier line {line}" if line else f"at a barrier {place}".rstrip()
    if item.state == "waits for its turn":
        return f"waits for its turn after barrier line {line}" if line else item.state
    return {"has returned": "done"}.get(item.state, item.state)


def _rows(session: Session) -> List[Sequence[object]]:
    rows: List[Sequence[object]] = []
    shown = session.focus
    for sm, cta in session.ctas():
        head = [sm, cta["tag"], cta["kernel"] or "not known", ",".join(map(str, cta.get("cta_id", (cta["cta"],))))]
        if "block" not in cta:
            rows.append(["", *head, "", cta["state"]])
            continue
        for item, numbers in _ranges(cta["work_items"]):
            focused = shown is not None and shown.block == cta["block"] and any(
                one.number == shown.number for one in cta["work_items"] if one.state == item.state and one.pc == item.pc)
            if cta["state"] != "started" and item.state == "running":
                rows.append(["", *head, numbers, cta["state"]])
            else:
                rows.append(["*" if focused else "", *head, numbers, _state(session, cta, item)])
    return rows


class _Info(gdb.Command):
    """List CTAs and work-items on all SMs: where each is, or waits. `*` marks the one in focus.
Usage: info ganger [tasks]
With `tasks`: the tasks of the control processor, in slots and pending."""

    def __init__(self, session: Session):
        super().__init__("info ganger", gdb.COMMAND_STATUS)
        self._session = session

    def invoke(self, argument: str, _from_tty: bool) -> None:
        """The command."""
        if argument == "tasks":
            print("\n".join(tasks()) or "The control processor has no task.")
            return
        if argument:
            raise gdb.GdbError("usage: info ganger [tasks]")
        rows = _rows(self._session)
        print(table(("", "SM", "tag", "kernel", "CTA", "work-items", "state"), rows) if rows else "No SM has a CTA.")


class _Function(gdb.Function):
    """A number of the work-item in focus, or of the one that runs in the current thread."""

    def __init__(self, name: str, session: Session, value: Callable[[Ids], int]):
        self.__doc__ = f"${name}(): of the work-item in focus, or of the one that this thread runs."
        super().__init__(name)
        self._session, self._value = session, value

    def invoke(self) -> int:
        """The value."""
        return self._value(self._session.ids())


class _Sm(gdb.Function):
    """$sm(): the SM of this thread, or -1."""

    def __init__(self) -> None:
        super().__init__("sm")

    def invoke(self) -> int:
        """The value."""
        return int(gdb.selected_thread().ptid[1]) - 2


def install(session: Session) -> None:
    """The commands and functions."""
    gdb.Command("ganger", gdb.COMMAND_STACK, prefix=True)
    _Info(session)
    _Sm()
    _Function("cta", session, lambda ids: ids.cta_linear)
    _Function("thread", session, lambda ids: ids.thread_linear)
    for place, letter in enumerate("xyz"):
        _Function(f"cta_{letter}", session, lambda ids, place=place: ids.cta[place])  # type: ignore[misc]
        _Function(f"thread_{letter}", session, lambda ids, place=place: ids.thread[place])  # type: ignore[misc]
