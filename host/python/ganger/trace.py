# SPDX-License-Identifier: Apache-2.0
"""The device's trace: reading it, and writing it to files."""

import ctypes
from pathlib import Path
from typing import Callable, Dict, List

from . import abi, report, structs, trace_json, trace_svg, trace_vcd
from .clib import Handle
from .files import write
from .trace_events import Event, Events, Names
from .typed import Json
from .typed import Path as AnyPath

_CHUNK = 1024
_TYPES = {number: name for name, number in abi.ENUMS["trace_type"].items()}
NO_SM = 0xffff


def _event(raw: structs.Event) -> Event:
    return Event(_TYPES.get(raw.type, str(raw.type)), None if raw.sm == NO_SM else raw.sm,
                 raw.place, raw.tag, raw.cta, raw.extra, raw.start, raw.end)


class Tracer:
    """Reads the trace rings of a device, that of the control processor and one for each SM, and
    keeps what it has read."""

    def __init__(self, handle: Handle, sms: int, names: Names):
        self._handle = handle
        self._names = names
        self._next = [0] * (1 + sms)
        self._events: List[Event] = []
        self._lost = 0

    def _drain(self, ring: int, keep: bool) -> None:
        array, count = (structs.Event * _CHUNK)(), ctypes.c_uint32(_CHUNK)
        position, lost = ctypes.c_uint32(self._next[ring]), ctypes.c_uint64()
        while count.value == _CHUNK:
            self._handle.device_call("gg_trace_read", ring, ctypes.byref(position), array, _CHUNK,
                                     ctypes.byref(count), ctypes.byref(lost))
            if keep:
                self._events += map(_event, array[:count.value])
        self._next[ring] = position.value
        self._lost += lost.value if keep else 0

    def skip(self) -> None:
        """Skips all that was recorded until now."""
        for ring in range(len(self._next)):
            self._drain(ring, False)

    def read(self) -> "Trace":
        """All events from the beginning of this tracer."""
        for ring in range(len(self._next)):
            self._drain(ring, True)
        return Trace(list(self._events), self._lost, len(self._next) - 1, Names(self._names))


def _report(trace: "Trace") -> str:
    return report.render(trace, "Ganger", trace.facts, trace.faults)


class Trace(Events):
    """Events, and what follows from them. `names`: name of each tag, to be changed at will;
    `lost`: records that the device overwrote before they were read; `facts`, `faults`: what a report
    shows besides."""

    def __init__(self, events: List[Event], lost: int, sms: int, names: Dict[int, str]):
        super().__init__(events, lost, sms, names)
        self.facts: Json = {}
        self.faults: List[str] = []

    def _repr_svg_(self) -> str:
        return trace_svg.render(self)

    def save(self, path: AnyPath) -> None:
        """Writes a file: .html a report, .svg a time line, .vcd for GTKWave, else Perfetto JSON."""
        writers: Dict[str, Callable[["Trace"], str]] = {".html": _report, ".svg": trace_svg.render, ".vcd": trace_vcd.render}
        writer = writers.get(Path(path).suffix.lower(), trace_json.render)
        write(path, writer(self))
