# SPDX-License-Identifier: Apache-2.0
"""The records of a trace that a host keeps: bounded, and with what it dropped."""

from typing import List, NamedTuple, Optional

from .errors import Error
from .trace_events import Event

MOST = 1_000_000  # Records that are kept if nothing else is said.


class Keep(NamedTuple):
    """Which records are kept. most: so many at most; end: "slide" keeps the newest of them, "stop" the oldest; seconds: with
    "slide" only those of the last so many seconds; until_fault: nothing that began after a task or a CTA had failed."""
    most: int = MOST
    end: str = "slide"
    seconds: Optional[float] = None
    until_fault: bool = False

    def checked(self) -> "Keep":
        """Itself. Raises Error ERR_ARGUMENT."""
        if isinstance(self.most, bool) or not isinstance(self.most, int) or self.most < 1:
            raise Error("ERR_ARGUMENT", "It is a number of records, 1 at least.", "most", self.most)
        if self.end not in ("slide", "stop"):
            raise Error("ERR_ARGUMENT", "It is 'slide' (the newest records stay) or 'stop' (the oldest stay).", "end", self.end)
        if self.seconds is not None and (self.end != "slide" or not self.seconds > 0):
            raise Error("ERR_ARGUMENT", "It is a number of seconds above 0, and goes with end='slide'.", "seconds", self.seconds)
        return self


def _failed(event: Event) -> bool:
    return event.type in ("TASK", "CTA") and event.extra != 0


class TraceBuffer:
    """Takes records in any order and keeps, of those with the latest or the earliest ends, as many as it may. It
    never holds more than twice as many."""

    def __init__(self, keep: Keep):
        self.keep = keep
        self.taken = 0                    # Records that came.
        self.fault: Optional[int] = None  # When something first failed, in ns, if it matters.
        self._events: List[Event] = []

    def add(self, events: List[Event]) -> None:
        """Takes records."""
        self.taken += len(events)
        self._events += events
        if self.keep.until_fault:
            ends = [event.end for event in events if _failed(event)]
            self.fault = min(ends + ([self.fault] if self.fault is not None else []), default=None)
        if len(self._events) >= 2 * self.keep.most:
            self._cut()

    def _cut(self) -> None:
        events = sorted(self._events, key=lambda event: event.end)
        if self.fault is not None:
            events = [event for event in events if event.start <= self.fault]
        if self.keep.seconds is not None and events:
            begin = events[-1].end - round(self.keep.seconds * 1e9)
            events = [event for event in events if event.end >= begin]
        self._events = events[-self.keep.most:] if self.keep.end == "slide" else events[:self.keep.most]

    def events(self) -> List[Event]:
        """What is kept, by end."""
        self._cut()
        return list(self._events)

    @property
    def dropped(self) -> int:
        """Records that came and are not kept, once events() was called."""
        return self.taken - len(self._events)

    def note(self) -> str:
        """What is kept and what is not, as a sentence; empty if all is kept."""
        if not self.dropped:
            return ""
        kept = "newest" if self.keep.end == "slide" else "oldest"
        limits = [f"at most {self.keep.most:,} records"]
        limits += [f"the last {self.keep.seconds:g} s"] if self.keep.seconds is not None else []
        limits += [f"nothing that began after the failure at {self.fault / 1e9:.6f} s"] if self.fault is not None else []
        span = f", from {self._events[0].start / 1e9:.6f} s to {self._events[-1].end / 1e9:.6f} s of the device's clock" \
            if self._events else ""
        return f"The {kept} {len(self._events):,} of {self.taken:,} records are kept{span}; {self.dropped:,} were dropped " \
            f"(the buffer keeps {', '.join(limits)})."
