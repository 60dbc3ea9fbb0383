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
from typing import Dict, Iterable, List, Sequence, Tuple, Union

from ..trace_events import Events
from ..typed import Json
from .words import REASONS

# Records of the control processor that are counted, and what each stands for.
CP_KINDS = {"ACCEPT": "accepted", "SLOT": "took a slot", "ASSIGN": "SM assigned", "LAUNCH": "packet sent", "TASK": "completed"}
Numbers = Iterable[int]
Stages = Sequence[Tuple[str, str, int]]
_BYTES = {"B": 1, "H": 2, "I": 4, "d": 8}  # Types of columns: unsigned numbers, or one that has whole numbers up to 2^53.


def _column(numbers: Numbers, rising: bool = False) -> List[Union[str, bool]]:
    """Whole numbers, 0 at least, as the page unpacks them: little endian, of the smallest type that has room, packed, in base64.
    rising: they never fall, and only how much each is above the one before is written."""
    found = list(numbers)
    if rising:
        found = [one - other for one, other in zip(found, [0, *found])]
    code = next(code for code in _BYTES if code == "d" or max(found, default=0) < 1 << 8 * _BYTES[code])
    column = array.array(code, found)
    if column.itemsize != _BYTES[code]:
        raise TypeError(f"This Python's arrays of {code!r} have {column.itemsize} bytes")
    return [code, rising, base64.b64encode(gzip.compress(column.tobytes(), 6, mtime=0)).decode()]


def _begin(trace: Events) -> int:
    """The instant that the page calls 0, in ns of the device's clock: the first record, or if there is none, the first CTA that runs."""
    return min((event.start for event in trace.events if event.start), default=min((bar.start for bar in trace.running), default=0))


def _tasks(trace: Events, begin: int) -> List[Json]:
    """Those that have completed, or had CTAs, or were accepted. What is not over has its bar up to the end of the trace."""
    bars, last = {bar.tag: (bar.start, bar.end, bar.status) for bar in trace.tasks()}, trace.last
    for tag, start in [*((bar.tag, bar.start) for bar in trace.running), *trace.unfinished().items()]:
        bars[tag] = (min(start, bars.get(tag, (start,))[0]), last, None)
    return [{"tag": tag, "name": trace.name(tag), "status": status, "start": max(0, start - begin), "end": end - begin}
            for tag, (start, end, status) in sorted(bars.items(), key=lambda one: (one[1][0], one[0]))]


def _waits(trace: Events, rows: Dict[int, int], begin: int) -> List[List[int]]:
    """[task, reason, start, end, 1: not over] of each time that CTAs of a task were kept back."""
    names = list(REASONS)
    return [[rows[wait.tag], names.index(wait.reason), max(0, wait.start - begin), wait.end - begin, is_open]
            for is_open, waits in enumerate((trace.waits(), trace.open_waits())) for wait in waits
            if wait.tag in rows and wait.reason in REASONS]


def data_of(trace: Events, facts: Json, faults: Sequence[str], stages: Stages = ()) -> Json:
    """What the page is given."""
    begin = _begin(trace)
    tasks = _tasks(trace, begin)
    rows = {task["tag"]: row for row, task in enumerate(tasks)}
    ctas = trace.ctas(running=True)
    records = [event for event in trace.events if event.type in CP_KINDS]
    kinds = list(CP_KINDS)
    return {
        "facts": facts, "faults": list(faults), "stages": list(stages), "note": trace.note, "sms": trace.sms, "span": max(1, trace.last - begin),
        "tasks": tasks, "reasons": list(REASONS.values()), "waits": _waits(trace, rows, begin), "kinds": list(CP_KINDS.values()),
        "passes": [[rows[bar.tag], bar.row, bar.number, bar.name, max(0, bar.start - begin), bar.end - begin, bar.status]
                   for bar in trace.passes() if bar.tag in rows],
        "ctas": {
            "sm": _column(bar.sm for bar in ctas),
            "row": _column(bar.row for bar in ctas),
            "task": _column(rows[bar.tag] for bar in ctas),
            "cta": _column(bar.cta for bar in ctas),
            "start": _column((max(0, bar.start - begin) for bar in ctas), rising=True),
            "span": _column(bar.end - max(begin, bar.start) for bar in ctas),
        },
        # Places of those that still run, and whether they began before the first record.
        "open": [[place, bar.start < begin] for place, bar in enumerate(ctas) if bar.open],
        "cp": {
            "kind": _column(kinds.index(event.type) for event in records),
            "at": _column(max(0, (event.end if event.type == "TASK" else event.start) - begin) for event in records),
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


def render(trace: Events, title: str = "Ganger", facts: Json = {}, faults: Sequence[str] = (), stages: Stages = ()) -> str:
    """The page. facts: names and values that are shown above the time line; faults: a line for each;
    stages: of the control processor, each with what it does and its instructions."""
    data = json.dumps(data_of(trace, facts, faults, stages), separators=(",", ":")).replace("<", "\\u003c")
    return page(__package__, title, data)
