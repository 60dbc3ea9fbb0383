# SPDX-License-Identifier: Apache-2.0
"""Events of a device's trace, and what they say about tasks and CTAs."""

from typing import Dict, Iterator, List, NamedTuple, Optional

from . import abi
from .errors import status_name


class Event(NamedTuple):
    """A trace record. type: "CTA", "TASK", "LAUNCH"…; sm None: it concerns no SM; times in ns of the
    device's clock; cta and extra as the type says (docs/REGISTERS.md)."""
    type: str
    sm: Optional[int]
    place: int
    tag: int
    cta: int
    extra: int
    start: int
    end: int


class TaskBar(NamedTuple):
    """A task from its acceptance to its completion, in ns; status None: not completed."""
    tag: int
    name: str
    start: int
    end: int
    status: Optional[str]


class Wait(NamedTuple):
    """CTAs of a task were kept back from start to end, in ns. reason: a name of abi.ENUMS["reason"]."""
    tag: int
    reason: str
    start: int
    end: int


class CtaBar(NamedTuple):
    """A CTA on its SM, in ns. row: the slot of the SM, 0 the lowest that was free."""
    sm: int
    row: int
    tag: int
    cta: int
    start: int
    end: int


_REASONS = {number: name for name, number in abi.ENUMS["reason"].items()}


class Events:
    """Events, and what follows from them. `names`: name of each tag, to be changed at will;
    `lost`: records that the device overwrote before they were read."""

    def __init__(self, events: List[Event], lost: int, sms: int, names: Dict[int, str]):
        ordered = sorted(events, key=lambda event: (event.start, event.end))
        self.events = [event for event in ordered if event.type != "REASON"]
        self._reasons = [event for event in ordered if event.type == "REASON"]
        self.lost = lost
        self.sms = sms
        self.names = names

    def __len__(self) -> int:
        return len(self.events)

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def of_type(self, name: str) -> List[Event]:
        """Events of a type, by start."""
        return [event for event in self.events if event.type == name]

    def name(self, tag: int) -> str:
        """What a task is called."""
        return self.names.get(tag) or f"task {tag}"

    def tasks(self) -> List[TaskBar]:
        """One bar for each task, by start. A task without a record of its own has the span of its CTAs."""
        bars = {}
        for event in self.of_type("TASK"):
            status = event.extra - (1 << 32) if event.extra >> 31 else event.extra
            bars[event.tag] = TaskBar(event.tag, self.name(event.tag), event.start, event.end,
                                      status_name(status))
        spans: Dict[int, List[int]] = {}
        for event in self.of_type("CTA"):
            span = spans.setdefault(event.tag, [event.start, event.end])
            span[1] = max(span[1], event.end)
        for tag, (start, end) in spans.items():
            bars.setdefault(tag, TaskBar(tag, self.name(tag), start, end, None))
        return sorted(bars.values(), key=lambda bar: (bar.start, bar.tag))

    def waits(self) -> List[Wait]:
        """Each time that CTAs of a task were kept back, by start, once it is over."""
        return [Wait(event.tag, _REASONS.get(event.extra, str(event.extra)), event.start, event.end)
                for event in self._reasons]

    def ctas(self) -> List[CtaBar]:
        """One bar for each CTA, by start, in rows of its SM, so that no bars overlap."""
        free: Dict[int, List[int]] = {}
        bars = []
        for event in self.of_type("CTA"):
            assert event.sm is not None  # A CTA runs somewhere.
            rows = free.setdefault(event.sm, [])
            row = next((place for place, end in enumerate(rows) if end <= event.start), len(rows))
            rows[row:row + 1] = [event.end]
            bars.append(CtaBar(event.sm, row, event.tag, event.cta, event.start, event.end))
        return bars
