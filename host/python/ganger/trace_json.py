# SPDX-License-Identifier: Apache-2.0
"""A trace as JSON for Perfetto and chrome://tracing."""

import json
from typing import List

from .trace_events import Events
from .typed import Json

_TASKS, _CP, _FIRST_SM = 1, 2, 10  # Process numbers: groups of rows.


def _us(nanoseconds: int) -> float:
    return nanoseconds / 1000


def _named(kind: str, name: str, pid: int, tid: int = 0) -> Json:
    return {"ph": "M", "name": f"{kind}_name", "pid": pid, "tid": tid, "args": {"name": name}}


def _order(pid: int) -> Json:
    return {"ph": "M", "name": "process_sort_index", "pid": pid, "tid": 0,
            "args": {"sort_index": pid}}


def _task_rows(trace: Events) -> List[Json]:
    rows = [_named("process", "Tasks", _TASKS), _order(_TASKS)]
    for bar in trace.tasks():
        rows.append(_named("thread", f"{bar.name} (tag {bar.tag})", _TASKS, bar.tag))
        rows.append({"ph": "X", "cat": "task", "name": bar.name, "pid": _TASKS, "tid": bar.tag,
                     "ts": _us(bar.start), "dur": _us(bar.end - bar.start),
                     "args": {"tag": bar.tag, "status": bar.status}})
    return rows


def _cta_rows(trace: Events) -> List[Json]:
    starts = {bar.tag: bar.start for bar in trace.tasks()}
    rows, seen = [], set()
    for arrow, bar in enumerate(trace.ctas()):
        pid, tid = _FIRST_SM + bar.sm, bar.row
        if (pid, tid) not in seen:
            seen.add((pid, tid))
            rows += [_named("process", f"SM {bar.sm}", pid), _order(pid),
                     _named("thread", f"slot {bar.row}", pid, tid)]
        rows.append({"ph": "X", "cat": "cta", "name": f"{trace.name(bar.tag)} [{bar.cta}]",
                     "pid": pid, "tid": tid, "ts": _us(bar.start),
                     "dur": _us(bar.end - bar.start), "args": {"tag": bar.tag, "cta": bar.cta}})
        flow = {"cat": "flow", "name": "CTA", "id": arrow}
        rows.append({**flow, "ph": "s", "pid": _TASKS, "tid": bar.tag, "ts": _us(starts[bar.tag])})
        rows.append({**flow, "ph": "f", "bp": "e", "pid": pid, "tid": tid, "ts": _us(bar.start)})
    return rows


def _cp_rows(trace: Events) -> List[Json]:
    rows = [_named("process", "Control processor", _CP), _order(_CP)]
    for event in trace.events:
        if event.type not in ("CTA", "TASK"):
            rows.append({"ph": "i", "s": "t", "cat": "cp", "name": event.type.lower(), "pid": _CP,
                         "tid": 0, "ts": _us(event.start),
                         "args": {"task": trace.name(event.tag), "tag": event.tag,
                                  "sm": event.sm, "cta": event.cta, "extra": event.extra}})
    return rows


def render(trace: Events) -> str:
    """The document. Times in microseconds of the device's clock."""
    return json.dumps({
        "traceEvents": _task_rows(trace) + _cp_rows(trace) + _cta_rows(trace),
        "displayTimeUnit": "ms",
        "otherData": {"producer": "ganger", "sms": trace.sms, "lost": trace.lost},
    })
