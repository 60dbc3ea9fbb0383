# SPDX-License-Identifier: Apache-2.0
"""The device's trace: reading it, and writing it to files."""

import ctypes
import threading
from pathlib import Path
from typing import Callable, Dict, List, Optional

from . import abi, report, structs, trace_json, trace_svg, trace_vcd
from .clib import Handle
from .errors import Error
from .files import write
from .registers import device_registers
from .stages import Stage
from .trace_buffer import Keep, TraceBuffer
from .trace_events import Event, Events, Names
from .typed import Json
from .typed import Path as AnyPath

_CHUNK = 1024
_TYPES = {number: name for name, number in abi.ENUMS["trace_type"].items()}
NO_SM = 0xffff
PAUSE_S = 0.005  # Between two looks of the thread that reads.


def _event(raw: structs.Event) -> Event:
    return Event(_TYPES.get(raw.type, str(raw.type)), None if raw.sm == NO_SM else raw.sm,
                 raw.place, raw.tag, raw.cta, raw.extra, raw.start, raw.end)


class Tracer:
    """Reads the trace rings of a device, that of the control processor and one for each SM, and keeps what it has read, as
    `keep` says. It may be called from several threads."""

    def __init__(self, handle: Handle, sms: int, names: Names, keep: Keep = Keep()):
        self._handle = handle
        self._names = names
        self._next = [0] * (1 + sms)
        self._resets = device_registers(handle).cap.resets
        self._boots = self._resets.read()
        self._lost = [0] * (1 + sms)
        self._buffer = TraceBuffer(keep.checked())
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread: Optional[threading.Thread] = None

    def _drain(self, ring: int, keep: bool) -> int:
        array, count = (structs.Event * _CHUNK)(), ctypes.c_uint32(_CHUNK)
        position, lost = ctypes.c_uint32(self._next[ring]), ctypes.c_uint64()
        most = 0
        while count.value == _CHUNK:
            self._handle.device_call("gg_trace_read", ring, ctypes.byref(position), array, _CHUNK,
                                     ctypes.byref(count), ctypes.byref(lost))
            most = max(most, count.value)
            if keep:
                self._buffer.add(list(map(_event, array[:count.value])))
        self._next[ring] = position.value
        self._lost[ring] += lost.value if keep else 0
        return most

    def skip(self) -> None:
        """Skips all that was recorded until now."""
        with self._lock:
            for ring in range(len(self._next)):
                self._drain(ring, False)

    def fetch(self) -> int:
        """Reads what is new; returns the most records that one ring had."""
        with self._lock:
            boots = self._resets.read()
            if boots != self._boots:  # The device has booted again, and counts anew.
                self._boots, self._next = boots, [0] * len(self._next)
            return max(self._drain(ring, True) for ring in range(len(self._next)))

    @property
    def taken(self) -> int:
        """Records that were read so far."""
        return self._buffer.taken

    @property
    def fault(self) -> bool:
        """Whether something has failed, if nothing of what follows is kept."""
        return self._buffer.fault is not None

    def start(self) -> None:
        """Reads from now on again and again in a thread, so that rings are not overwritten, until stop()."""
        self._thread = threading.Thread(target=self._run, daemon=True, name="ganger trace")
        self._thread.start()

    def _run(self) -> None:
        pause = PAUSE_S
        while not self._ended.wait(pause):
            try:
                pause = PAUSE_S if self.fetch() < _CHUNK // 4 else 0
            except Error:  # The device is closed or lost: whoever reads hears of it.
                return

    def stop(self) -> None:
        """Ends the thread, if there is one: also one whose start was interrupted, which takes no step any more."""
        self._ended.set()
        if self._thread is not None and self._thread.is_alive():
            self._thread.join()
        self._thread = None

    def read(self) -> "Trace":
        """All events from the beginning of this tracer, as far as they are kept."""
        self.fetch()
        with self._lock:
            trace = Trace(self._buffer.events(), sum(self._lost), len(self._next) - 1, Names(self._names))
            trace.dropped = self._buffer.dropped
            trace.note = self._buffer.note()
        if trace.lost:
            places = ["the control processor" if ring == 0 else f"SM {ring - 1}" for ring, lost in enumerate(self._lost) if lost]
            more = f" and {len(places) - 4} more" if len(places) > 5 else ""
            trace.note += f"{' ' if trace.note else ''}{trace.lost:,} records were overwritten on the device before they were read, " \
                f"the oldest ones of {', '.join(places[:4] if more else places)}{more}."
        return trace


def _report(trace: "Trace") -> str:
    return report.render(trace, "Ganger", trace.facts, trace.faults, trace.stages)


class Trace(Events):
    """Events, and what follows from them. `names`: name of each tag, to be changed at will;
    `lost`: records that the device overwrote before they were read; `dropped`: records that were read and not kept; `note`:
    both in words, or empty; `facts`, `faults`, `stages` (StageProfiler.stages()): what a report shows besides."""

    def __init__(self, events: List[Event], lost: int, sms: int, names: Dict[int, str]):
        super().__init__(events, lost, sms, names)
        self.dropped = 0
        self.facts: Json = {}
        self.faults: List[str] = []
        self.stages: List[Stage] = []

    def _repr_svg_(self) -> str:
        return trace_svg.render(self)

    def save(self, path: AnyPath) -> None:
        """Writes a file: .html a report, .svg a time line, .vcd for GTKWave, else Perfetto JSON."""
        writers: Dict[str, Callable[["Trace"], str]] = {".html": _report, ".svg": trace_svg.render, ".vcd": trace_vcd.render}
        writer = writers.get(Path(path).suffix.lower(), trace_json.render)
        write(path, writer(self))
