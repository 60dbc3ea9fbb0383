# SPDX-License-Identifier: Apache-2.0
"""Events of a device's trace, and what they say about tasks and CTAs."""

from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Union

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
    """A CTA on its SM, in ns. row: the slot of the SM, 0 the lowest that was free; open: it still ran when the trace was read."""
    sm: int
    row: int
    tag: int
    cta: int
    start: int
    end: int
    open: bool = False


class PassBar(NamedTuple):
    """A pass of a graph, in ns. tag: of the graph's task; row: 0, or the lowest that no other pass has then."""
    row: int
    tag: int
    number: int
    name: str
    start: int
    end: int
    status: str


class Names(Dict[int, str]):
    """What tasks are called, by tag. passes: names of a graph's passes by number, by the tag of the graph's task, where
    they are known."""

    def __init__(self, names: Optional[Dict[int, str]] = None):
        super().__init__(names or {})
        self.passes: Dict[int, Sequence[str]] = dict(names.passes) if isinstance(names, Names) else {}

    def forget(self) -> None:
        """Forgets all of them."""
        self.clear()
        self.passes.clear()


_REASONS = {number: name for name, number in abi.ENUMS["reason"].items()}


def _status(word: int) -> str:
    """The name of a status, which a record has in an unsigned word."""
    return status_name(word - (1 << 32) if word >> 31 else word)


def _row(rows: List[int], bar: Union[Event, CtaBar]) -> int:
    """The first of the rows that is free when the bar begins. It is taken until the bar has ended; a nanosecond at least."""
    row = next((place for place, end in enumerate(rows) if end <= bar.start), len(rows))
    rows[row:row + 1] = [max(bar.end, bar.start + 1)]
    return row


class Events:
    """Events, and what follows from them. `names`: name of each tag, to be changed at will;
    `lost`: records that the device overwrote before they were read; `note`: what is missing, in words; `standing`: why no more
    CTAs of the tasks in the task table were issued when the trace was read, by tag, None: not asked; `now`: when that was, in
    ns, 0: not known; `running`: CTAs that ran then, if it was asked: their start, SM, tag and number."""

    def __init__(self, events: List[Event], lost: int, sms: int, names: Dict[int, str]):
        ordered = sorted(events, key=lambda event: (event.start, event.end))
        self.events = [event for event in ordered if event.type != "REASON"]
        self._reasons = [event for event in ordered if event.type == "REASON"]
        self.lost = lost
        self.note = f"{lost:,} records were overwritten on the device before they were read." if lost else ""
        self.sms = sms
        self.names = names
        self.standing: Optional[Dict[int, str]] = None
        self.now = 0
        self.running: List[CtaBar] = []

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
            bars[event.tag] = TaskBar(event.tag, self.name(event.tag), event.start, event.end, _status(event.extra))
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

    @property
    def last(self) -> int:
        """The end of the last record, or the time of reading; in ns."""
        return max([self.now, *(event.end for event in self.events), *(event.end for event in self._reasons),
                    *(bar.start for bar in self.running)])

    def unfinished(self) -> Dict[int, int]:
        """When each task was accepted, in ns, that was accepted and has not completed; by tag."""
        over = {event.tag for event in self.of_type("TASK")}
        found: Dict[int, int] = {}
        for event in self.of_type("ACCEPT"):
            if event.tag not in over:
                found.setdefault(event.tag, event.start)
        return found

    def open_waits(self) -> List[Wait]:
        """The waits that were not over when the trace was read, if `standing` is known: each from the last record of progress of
        its task (acceptance, a slot, a launch, the end of another wait) to `last`. A task that is not in the task table, which
        nobody can ask, has the reason "OUT"."""
        if self.standing is None:
            return []
        since = self.unfinished()
        for event in [*self.events, *self._reasons]:
            if event.tag in since and event.type in ("SLOT", "LAUNCH", "REASON"):
                since[event.tag] = max(since[event.tag], event.end)
        waits = [Wait(tag, self.standing.get(tag, "OUT"), start, self.last) for tag, start in since.items()]
        return [wait for wait in waits if wait.reason != "NONE"]

    def ctas(self, running: bool = False) -> List[CtaBar]:
        """One bar for each CTA that has ended, by start, in rows of its SM, so that no bars overlap. running: and for those that
        still ran when the trace was read, up to `last`."""
        found: List[Union[Event, CtaBar]] = [*self.of_type("CTA")]
        if running and self.running:
            last = self.last
            found = sorted([*found, *(bar._replace(end=last) for bar in self.running)], key=lambda one: (one.start, one.end))
        free: Dict[int, List[int]] = {}
        bars = []
        for one in found:
            assert one.sm is not None  # A CTA runs somewhere.
            row = _row(free.setdefault(one.sm, []), one)
            bars.append(CtaBar(one.sm, row, one.tag, one.cta, one.start, one.end, isinstance(one, CtaBar)))
        return bars

    def passes(self) -> List[PassBar]:
        """Passes of graphs that have ended, by start, in rows, so that no bars overlap."""
        rows: List[int] = []
        return [PassBar(_row(rows, event), event.tag, event.cta, self._pass_name(event.tag, event.cta), event.start, event.end,
                        _status(event.extra)) for event in self.of_type("PASS")]

    def _pass_name(self, tag: int, number: int) -> str:
        known = self.names.passes.get(tag, ()) if isinstance(self.names, Names) else ()
        return known[number] if number < len(known) else f"pass {number}"
