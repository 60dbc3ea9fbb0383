# SPDX-License-Identifier: Apache-2.0
"""Workloads from traces: what a device ran, to be played again."""

import json
from typing import Any, Dict, List

from ..errors import Error
from ..typed import Path as AnyPath
from .workload import MOST_NS, Task, Workload, check_workload


def _refuse(path: AnyPath, why: str) -> Error:
    return Error("ERR_ARGUMENT", f"{path}: {why}; `ganger trace FILE.json` and `ganger run --trace FILE.json` write traces.",
                 "workload", str(path))


def _events(path: AnyPath) -> List[Any]:
    with open(path, encoding="utf-8", errors="replace") as file:
        try:
            found = json.load(file)
        except (ValueError, RecursionError):
            raise _refuse(path, "this is no JSON") from None
    events = found.get("traceEvents") if isinstance(found, dict) else None
    if not isinstance(events, list):
        raise _refuse(path, "this is no trace of a device")
    return [event for event in events if isinstance(event, dict) and event.get("cat") in ("task", "cta")]


def _ns(event: Any, field: str) -> int:
    """A time of a trace, which has microseconds."""
    return min(MOST_NS, round(float(event[field]) * 1000))


def read_trace(path: AnyPath) -> Workload:
    """The tasks of a trace of a device, in the form of Perfetto: each is posted when the device took it, and its CTAs run as long
    as they ran there. Tasks without CTAs are left out; needs and priorities are the usual ones, as a trace has none. Raises
    Error ERR_ARGUMENT."""
    starts: Dict[int, Any] = {}
    times: Dict[int, Dict[int, int]] = {}
    for event in _events(path):
        try:
            tag = int(event["args"]["tag"])
            if event["cat"] == "task":
                starts[tag] = (_ns(event, "ts"), str(event["name"]))
            else:
                times.setdefault(tag, {})[int(event["args"]["cta"])] = max(1, _ns(event, "dur"))
        except (KeyError, TypeError, ValueError, OverflowError):
            raise _refuse(path, "an event lacks a tag or a time") from None
    run = {tag: start for tag, start in starts.items() if tag in times}
    if not run:
        raise _refuse(path, "no task of it has run a CTA")
    begin = min(at for at, _name in run.values())
    return check_workload(str(path), [Task(at - begin, len(times[tag]), tuple(ns for _cta, ns in sorted(times[tag].items())),
                                           name=name) for tag, (at, name) in run.items()])
