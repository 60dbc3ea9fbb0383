# SPDX-License-Identifier: Apache-2.0
"""A trace as JSON for Perfetto and chrome://tracing, in the Trace Event Format."""

import json
from typing import Dict, List, Set, Tuple

from .report.words import REASONS
from .trace_counts import counters
from .trace_events import CtaBar, Events, TaskBar
from .typed import Json

_TASKS, _CP, _DEVICE, _GRAPHS, _FIRST_SM = 1, 2, 3, 4, 10  # Process numbers: groups of rows.


def _us(nanoseconds: int) -> float:
    return nanoseconds / 1000


def _named(kind: str, name: str, pid: int, tid: int = 0) -> Json:
    return {"ph": "M", "name": f"{kind}_name", "pid": pid, "tid": tid, "args": {"name": name}}


def _process(name: str, pid: int) -> List[Json]:
    return [_named("process", name, pid),
            {"ph": "M", "name": "process_sort_index", "pid": pid, "tid": 0, "args": {"sort_index": pid}}]


def _bar(category: str, name: str, place: Tuple[int, int], begin: int, end: int, **args: object) -> Json:
    return {"ph": "X", "cat": category, "name": name, "pid": place[0], "tid": place[1], "ts": _us(begin),
            "dur": _us(end - begin), "args": args}


def _arrow(phase: str, number: int, place: Tuple[int, int], when: int) -> Json:
    """A point of the arrow that leads from a task's acceptance over a CTA to the task's completion."""
    return {"ph": phase, "cat": "flow", "name": "CTA", "id": number, "pid": place[0], "tid": place[1], "ts": _us(when)}


def _task_rows(trace: Events, tasks: Dict[int, TaskBar]) -> List[Json]:
    """A row for each task, with the times in which its CTAs were kept back inside its bar."""
    rows = _process("Tasks", _TASKS)
    for bar in tasks.values():
        rows.append(_named("thread", f"{bar.name} (tag {bar.tag})", _TASKS, bar.tag))
        rows.append(_bar("task", bar.name, (_TASKS, bar.tag), bar.start, bar.end, tag=bar.tag, status=bar.status))
    for wait in trace.waits():
        if wait.tag in tasks and wait.end <= tasks[wait.tag].end:
            rows.append(_bar("wait", REASONS.get(wait.reason, wait.reason), (_TASKS, wait.tag), wait.start, wait.end,
                             tag=wait.tag, reason=wait.reason))
    return rows


def _cta_rows(trace: Events, ctas: List[CtaBar], tasks: Dict[int, TaskBar]) -> List[Json]:
    rows: List[Json] = []
    seen: Set[int] = set()
    slots: Set[Tuple[int, int]] = set()
    for number, bar in enumerate(ctas):
        place, task = (_FIRST_SM + bar.sm, bar.row), tasks[bar.tag]
        if bar.sm not in seen:
            rows += _process(f"SM {bar.sm}", place[0])
        if place not in slots:
            rows.append(_named("thread", f"slot {bar.row}", *place))
        seen.add(bar.sm)
        slots.add(place)
        rows.append(_arrow("s", number, (_TASKS, bar.tag), task.start))
        rows.append(_bar("cta", f"{trace.name(bar.tag)} [{bar.cta}]", place, bar.start, max(bar.end, bar.start + 1),
                         tag=bar.tag, cta=bar.cta))
        if task.status is None:
            rows.append({**_arrow("f", number, place, bar.start), "bp": "e"})
        else:
            rows += [_arrow("t", number, place, bar.start), _arrow("f", number, (_TASKS, bar.tag), task.end)]
    return rows


def _completion_rows(tasks: Dict[int, TaskBar]) -> List[Json]:
    """Where the arrows end. They follow the arrows in the file, which lead to the next bar of the row."""
    return [_bar("completion", f"completed: {bar.status}", (_TASKS, bar.tag), bar.end, bar.end, tag=bar.tag, status=bar.status)
            for bar in tasks.values() if bar.status is not None]


def _cp_rows(trace: Events) -> List[Json]:
    rows = _process("Control processor", _CP)
    for event in trace.events:
        if event.type not in ("CTA", "TASK", "PASS"):
            rows.append({"ph": "i", "s": "t", "cat": "cp", "name": event.type.lower(), "pid": _CP,
                         "tid": 0, "ts": _us(event.start),
                         "args": {"task": trace.name(event.tag), "tag": event.tag,
                                  "sm": event.sm, "cta": event.cta, "extra": event.extra}})
    return rows


def _counter_rows(trace: Events) -> List[Json]:
    return _process("Device", _DEVICE) + [
        {"ph": "C", "cat": "counter", "name": name, "pid": _DEVICE, "ts": _us(when), "args": {"value": value}}
        for name, values in counters(trace).items() for when, value in values]


def _pass_rows(trace: Events) -> List[Json]:
    """Passes of graphs, those that ran at once in rows below each other."""
    passes = trace.passes()
    rows = _process("Graphs", _GRAPHS) if passes else []
    rows += [_named("thread", f"passes, row {row}", _GRAPHS, row) for row in sorted({bar.row for bar in passes})]
    return rows + [_bar("pass", f"{trace.name(bar.tag)}: {bar.name}", (_GRAPHS, bar.row), bar.start, max(bar.end, bar.start + 1),
                        tag=bar.tag, number=bar.number, status=bar.status) for bar in passes]


def render(trace: Events) -> str:
    """The document. Times in microseconds of the device's clock."""
    tasks, ctas = {bar.tag: bar for bar in trace.tasks()}, trace.ctas()
    return json.dumps({
        "traceEvents": [*_task_rows(trace, tasks), *_cp_rows(trace), *_counter_rows(trace), *_pass_rows(trace),
                        *_cta_rows(trace, ctas, tasks), *_completion_rows(tasks)],
        "displayTimeUnit": "ms",
        "otherData": {"producer": "ganger", "sms": trace.sms, "lost": trace.lost, "note": trace.note},
    })
