# SPDX-License-Identifier: Apache-2.0
"""A trace as one HTML file: time line, tables, and why tasks waited. It needs no network and no server.

The page's own files, page.html, page.css and page.js, lie beside this one, and common.js, which `ganger web` uses, too. What was recorded goes into the page as JSON;
the columns of its CTAs, of which there may be a million, as numbers in base64 that are packed by gzip.
"""

import array
import base64
import gzip
import json
from html import escape
from importlib.resources import files
from typing import Dict, Iterable, List, Sequence, Union

from ..trace_events import Events
from ..typed import Json
from .words import REASONS

CP_KINDS = ("ACCEPT", "SLOT", "ASSIGN", "LAUNCH", "TASK")  # Records of the control processor that are counted.
Numbers = Iterable[Union[int, float]]


def _column(code: str, numbers: Numbers) -> str:
    """Numbers as the page unpacks them: little endian, packed, in base64."""
    column = array.array(code, numbers)
    if column.itemsize != {"d": 8, "I": 4}[code]:
        raise TypeError(f"This Python's arrays of {code!r} have {column.itemsize} bytes")
    return base64.b64encode(gzip.compress(column.tobytes(), 6, mtime=0)).decode()


def _begin(trace: Events) -> int:
    """The instant that the page calls 0, in ns of the device's clock."""
    return min((event.start for event in trace.events if event.start), default=0)


def _tasks(trace: Events, begin: int) -> List[Json]:
    return [{"tag": bar.tag, "name": bar.name, "status": bar.status, "start": bar.start - begin,
             "end": bar.end - begin} for bar in trace.tasks()]


def _waits(trace: Events, rows: Dict[int, int], begin: int) -> List[List[int]]:
    """[task, reason, start, end] of each time that CTAs of a task were kept back."""
    names = list(REASONS)
    return [[rows[wait.tag], names.index(wait.reason), wait.start - begin, wait.end - begin]
            for wait in trace.waits() if wait.tag in rows and wait.reason in REASONS]


def data_of(trace: Events, facts: Json, faults: Sequence[str]) -> Json:
    """What the page is given."""
    begin = _begin(trace)
    tasks = _tasks(trace, begin)
    rows = {task["tag"]: row for row, task in enumerate(tasks)}
    ctas = trace.ctas()
    records = [event for event in trace.events if event.type in CP_KINDS]
    last = max((event.end for event in trace.events), default=begin)
    return {
        "facts": facts, "faults": list(faults), "note": trace.note, "sms": trace.sms, "span": max(1, last - begin),
        "tasks": tasks, "reasons": list(REASONS.values()), "waits": _waits(trace, rows, begin), "kinds": CP_KINDS,
        "ctas": {
            "count": len(ctas),
            "sm": _column("I", (bar.sm for bar in ctas)),
            "row": _column("I", (bar.row for bar in ctas)),
            "task": _column("I", (rows[bar.tag] for bar in ctas)),
            "cta": _column("I", (bar.cta & 0xffffffff for bar in ctas)),
            "start": _column("d", (bar.start - begin for bar in ctas)),
            "end": _column("d", (bar.end - begin for bar in ctas)),
        },
        "cp": {
            "count": len(records),
            "kind": _column("I", (CP_KINDS.index(event.type) for event in records)),
            "at": _column("d", ((event.end if event.type == "TASK" else event.start) - begin for event in records)),
        },
    }


def page(package: str, title: str, data: str = "") -> str:
    """A page of a package: its page.html with its page.js, and what all pages share, page.css and common.js of this folder."""
    own, common = files(package), files(__package__)
    text = (own / "page.html").read_text(encoding="utf-8")
    for name, part in (("title", escape(title)), ("style", common / "page.css"), ("common", common / "common.js"),
                       ("script", own / "page.js"), ("data", data)):
        text = text.replace("{{" + name + "}}", part if isinstance(part, str) else part.read_text(encoding="utf-8"))
    return text


def render(trace: Events, title: str = "Ganger", facts: Json = {}, faults: Sequence[str] = ()) -> str:
    """The page. facts: names and values that are shown above the time line; faults: a line for each."""
    data = json.dumps(data_of(trace, facts, faults), separators=(",", ":")).replace("<", "\\u003c")
    return page(__package__, title, data)
