# SPDX-License-Identifier: Apache-2.0
"""What became of a graph: its passes with their states and times."""

import ctypes
import struct
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, NamedTuple, Optional, Sequence

from .. import abi
from ..clib import Handle
from ..errors import status_name
from ..typed import Json

if TYPE_CHECKING:
    from .program import Program

REPORT_BYTES, PASS_BYTES = abi.BLOCKS["graph_report"][0], abi.BLOCKS["graph_pass"][0]
_REPORT, _PASS = struct.Struct("<8I4Q"), struct.Struct("<IiIIQIIQQQ")
_STATES = {number: name for name, number in abi.ENUMS["graph_pass_state"].items()}
Before = Optional[Sequence[Iterable[int]]]  # For each pass those that it waits for.
_NOT_RUN = ("WAITING", "READY", "SKIPPED")


class PassReport(NamedTuple):
    """A pass. state: "WAITING", "READY", "RUNNING", "DONE", "FAILED", "SKIPPED"; status: "OK" or of
    its first failure; step: that completed it; cause: the pass whose failure kept it from running,
    or None; ctas: that completed; estimate: expected time; units: expected at once; ready, started,
    ended: seconds of the device's clock, or None."""
    number: int
    name: str
    state: str
    status: str
    step: int
    cause: Optional[int]
    ctas: int
    estimate: float
    units: int
    ready: Optional[float]
    started: Optional[float]
    ended: Optional[float]

    @property
    def time(self) -> float:
        """From its start to its end, in seconds; 0 if it did not run."""
        return self.ended - self.started if self.started and self.ended else 0.0


class GraphReport(NamedTuple):
    """A run. resources, reads, writes: of the graph; steps: executed; failed, skipped: passes;
    at_once: most passes at once; sum_bytes: of all transient buffers; peak_bytes: that they took;
    started, made: seconds, when the program began, and when the graph was made; total: passes of
    the graph, of which `passes` has the first ones; critical: numbers of passes that made it take as
    long as it did, first to last."""
    passes: List[PassReport]
    total: int
    resources: int
    reads: int
    writes: int
    steps: int
    failed: int
    skipped: int
    at_once: int
    sum_bytes: int
    peak_bytes: int
    started: Optional[float]
    made: Optional[float]
    critical: List[int]

    def as_dict(self) -> Json:
        """For JSON."""
        return {**self._asdict(), "passes": [one._asdict() for one in self.passes]}

    @classmethod
    def from_dict(cls, given: Json) -> "GraphReport":
        """From JSON."""
        return cls(**{**given, "passes": [PassReport(**one) for one in given["passes"]]})

    @property
    def time(self) -> float:
        """From its start to the end of its last pass, in seconds."""
        ends = [one.ended for one in self.passes if one.ended]
        return max(ends) - self.started if ends and self.started else 0.0


def critical_path(passes: Sequence[PassReport], before: Before = None) -> List[int]:
    """The chain of passes that ends last: before each pass comes the one that it waited for longest. before:
    the passes that each waits for; None: any that ended when it became ready."""
    ran = {one.number: one for one in passes if one.ended}
    ends = {one.number: one.ended or 0.0 for one in ran.values()}
    if not ran:
        return []
    path = [max(ran.values(), key=lambda one: ends[one.number])]
    while True:
        last = path[-1]
        allowed = ran if before is None or last.number >= len(before) else before[last.number]
        waited = [ran[number] for number in allowed
                  if number in ran and number != last.number
                  and ends[number] <= (last.ready or last.started or 0)]
        if not waited:
            return [one.number for one in reversed(path)]
        path.append(max(waited, key=lambda one: ends[one.number]))


def pass_name(program: "Program", number: int, word: int, step: int, counts: Dict[str, int]) -> str:
    """Name of a pass: the graph's own, or that of its definition with a number."""
    if number < len(program.pass_names):
        return program.pass_names[number]
    base = "pass"
    if 0 < word >> 16 <= len(program.definitions):
        base = program.definitions[(word >> 16) - 1].name
    counts[base] = counts.get(base, 0) + 1
    return f"{base}#{counts[base]}"


def read_report(handle: Handle, task: Any, room: int, program: "Program", hz: int,
                before: Before = None) -> GraphReport:
    """From the library. Raises Error ERR_ARGUMENT when there is none."""
    head = ctypes.create_string_buffer(REPORT_BYTES)
    body = ctypes.create_string_buffer(max(1, room) * PASS_BYTES)
    count = ctypes.c_uint32()
    handle.call("gg_graph_report", task, head, body, room, ctypes.byref(count))
    return make_report(head.raw, body.raw[:count.value * PASS_BYTES], program, hz, before)


def make_report(head: bytes, body: bytes, program: "Program", hz: int,
                before: Before = None) -> GraphReport:
    """From the words of the device; hz: its ticks in a second."""
    def seconds(ticks: int) -> Optional[float]:
        return ticks / hz if ticks else None

    passes: List[PassReport] = []
    counts: Dict[str, int] = {}
    for number, words in enumerate(_PASS.iter_unpack(body)):
        word, status, step, cause, ctas, estimate, units, ready, started, ended = words
        state = _STATES.get(word & 255, "?")
        passes.append(PassReport(
            number, pass_name(program, number, word, step, counts), state, status_name(status),
            step, cause - 1 if cause else None, ctas, estimate / hz, units, seconds(ready),
            seconds(started), seconds(ended) if state not in _NOT_RUN else None))
    total, resources, reads, writes, steps, failed, skipped, at_once, sum_bytes, peak, started, \
        made = _REPORT.unpack(head)
    return GraphReport(passes, total, resources, reads, writes, steps, failed, skipped, at_once,
                       sum_bytes, peak, seconds(started), seconds(made),
                       critical_path(passes, before))
