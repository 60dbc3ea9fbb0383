# SPDX-License-Identifier: Apache-2.0
"""Where the cycles of tasks go on a device that counts them: the reference SoC in RTL simulation or on an FPGA.

    with ganger.Device.connect("mmap:ram") as dev:
        marks = ganger.Sections(dev, ["load", "sum"], ctas=8)     # for ganger_section_end() of the kernel, if it has some
        dev.trace_on(most=100_000)
        task = dev.submit(module["blur"], grid=8, args=[picture, marks.buffer])
        task.wait()
        dev.trace_off()
        profile = ganger.CycleProfile.of(dev, dev.trace(), {task.tag: marks})

A CTA's cycles are from its start to its end by the device's clock, which counts the cycles of the cores on such boards. Those of a
section are counted by the core itself, where kernels may read its counter. There are no counts of instructions, source lines and bytes:
they need the plug-in of `ganger prof` in QEMU.
"""

from statistics import median_low
from typing import TYPE_CHECKING, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from . import profile_files
from .errors import Error
from .profile_work import imbalance
from .trace_events import Events
from .typed import Json

if TYPE_CHECKING:
    from .device import Device


class CtaCycles(NamedTuple):
    """A CTA; `start`: a cycle of the device's clock. Its SM may have run others in these cycles, too, if they took turns."""
    tag: int
    task: str
    cta: int
    sm: int
    start: int
    cycles: int


class TaskCycles(NamedTuple):
    """CTAs of a task: the cycles of all of them, of the shortest, the middle and the longest one. `span`: from the first start to
    the last end; `whole`: from the acceptance to the completion, None: it has not completed."""
    tag: int
    task: str
    ctas: int
    cycles: int
    least: int
    middle: int
    most: int
    span: int
    whole: Optional[int]


class SmCycles(NamedTuple):
    """An SM: its CTAs; `busy`: cycles in which it had one at least; `cycles`: the sum over its CTAs, more than `busy` when they took turns."""
    sm: int
    ctas: int
    busy: int
    cycles: int


class Mark(NamedTuple):
    """A section of a CTA: the cycles that its work-items were in it, and how often one left it."""
    section: str
    cta: int
    cycles: int
    times: int


class SectionCycles(NamedTuple):
    """A section of a task: the same for all CTAs that were in it; the cycles of the CTA with the least and with the most."""
    tag: int
    section: str
    ctas: int
    times: int
    cycles: int
    least: int
    most: int


class Sections:
    """Counters of what a kernel marks with ganger_section_end(), in memory of a device: a row for each CTA of a grid. The kernel
    gets `buffer`, and the number of names. A name is one thing to count: a part of the kernel, or a group of work-items."""

    def __init__(self, device: "Device", names: Sequence[str], ctas: int):
        if not names or ctas < 1:
            raise Error("ERR_ARGUMENT", "Sections have a name each, and the grid has CTAs.", "names" if not names else "ctas", ctas)
        self.names = tuple(names)
        self.buffer = device.buffer(nbytes=8 * len(names) * ctas)  # Refused here if there is no room; then zeros are made.
        self.buffer.write(bytes(self.buffer.nbytes))

    def read(self) -> List[Mark]:
        """What was counted so far: exact when the task is over. CTAs that were not in a section are left out."""
        words = memoryview(self.buffer.read()).cast("I")
        places = ((at // len(self.names), name) for at, name in enumerate(self.names * (len(words) // 2 // len(self.names))))
        return [Mark(name, cta, words[2 * at], words[2 * at + 1]) for at, (cta, name) in enumerate(places) if words[2 * at + 1]]


def _busy(spans: Sequence[Tuple[int, int]]) -> int:
    """Cycles that are in one of the spans at least."""
    total, end = 0, 0
    for start, stop in sorted(spans):
        total += max(0, stop - max(start, end))
        end = max(end, stop)
    return total


class CycleProfile:
    """From the events of a trace, times in ns, of a device with a clock of `hz` and so many SMs. `marks`: by the tag of their task.
    `lost`: records that were overwritten before they were read: their CTAs are missing."""

    def __init__(self, events: Events, hz: int, marks: Optional[Mapping[int, Sequence[Mark]]] = None):
        self.hz, self.lost, self._sms = hz, events.lost, events.sms
        self.marks = {tag: list(found) for tag, found in (marks or {}).items()}
        self._whole = {bar.tag: self._cycle(bar.end) - self._cycle(bar.start) for bar in events.tasks() if bar.status is not None}
        self.ctas = [CtaCycles(bar.tag, events.name(bar.tag), bar.cta, bar.sm, self._cycle(bar.start),
                               self._cycle(bar.end) - self._cycle(bar.start)) for bar in events.ctas()]

    @classmethod
    def of(cls, device: "Device", events: Events, marks: Optional[Mapping[int, Sections]] = None) -> "CycleProfile":
        """Of a trace of a device, with what the kernels of these tasks have marked. The device's clock has to count the cycles of its
        cores, which it does not say: so it does on the reference SoC and on NEORV32. Raises Error ERR_UNSUPPORTED in QEMU, which has no cycles."""
        if device.qemu_pid != 0:
            raise Error("ERR_UNSUPPORTED", "The device is in QEMU, which has no cycles: there `ganger prof` counts instructions.",
                        "board", device.info.board)
        return cls(events, device.info.timebase_hz, {tag: sections.read() for tag, sections in (marks or {}).items()})

    def _cycle(self, ns: int) -> int:
        return round(ns * self.hz / 1_000_000_000)

    def tasks(self) -> List[TaskCycles]:
        """By the cycles of their CTAs, the most first."""
        by_tag: Dict[int, List[CtaCycles]] = {}
        for cta in self.ctas:
            by_tag.setdefault(cta.tag, []).append(cta)
        found = []
        for tag, ctas in by_tag.items():
            cycles = [cta.cycles for cta in ctas]
            span = max(cta.start + cta.cycles for cta in ctas) - min(cta.start for cta in ctas)
            found.append(TaskCycles(tag, ctas[0].task, len(ctas), sum(cycles), min(cycles), median_low(cycles), max(cycles), span,
                                    self._whole.get(tag)))
        return sorted(found, key=lambda one: -one.cycles)

    def sms(self) -> List[SmCycles]:
        """By number."""
        found = []
        for sm in range(self._sms):
            ctas = [cta for cta in self.ctas if cta.sm == sm]
            found.append(SmCycles(sm, len(ctas), _busy([(cta.start, cta.start + cta.cycles) for cta in ctas]), sum(cta.cycles for cta in ctas)))
        return found

    @property
    def imbalance(self) -> float:
        """Cycles in which the busiest SM had CTAs, by the mean of all SMs: 1 is even; 0: nothing ran."""
        return imbalance([one.busy for one in self.sms()])

    def sections(self) -> List[SectionCycles]:
        """By task and section, the most cycles first."""
        found = []
        for tag, marks in self.marks.items():
            for name in dict.fromkeys(mark.section for mark in marks):
                mine = [mark for mark in marks if mark.section == name]
                cycles = [mark.cycles for mark in mine]
                found.append(SectionCycles(tag, name, len(mine), sum(mark.times for mark in mine), sum(cycles), min(cycles), max(cycles)))
        return sorted(found, key=lambda one: -one.cycles)

    def stacks(self) -> Dict[Tuple[str, ...], int]:
        """Cycles by task, SM, CTA and section, as of functions that call each other. Together they are the cycles of all CTAs; of a
        CTA with sections, those that are in none have none. Sections within each other count twice, and make a CTA longer."""
        inside: Dict[Tuple[int, int], List[Mark]] = {}
        for tag, marks in self.marks.items():
            for mark in marks:
                inside.setdefault((tag, mark.cta), []).append(mark)
        found: Dict[Tuple[str, ...], int] = {}
        for cta in self.ctas:
            names = (cta.task, f"SM {cta.sm}", f"CTA {cta.cta}")
            mine = inside.get((cta.tag, cta.cta), [])
            rest = cta.cycles - sum(mark.cycles for mark in mine)
            for key, cycles in [(names, rest), *((names + (mark.section,), mark.cycles) for mark in mine)]:
                if cycles > 0:
                    found[key] = found.get(key, 0) + cycles
        return found

    def folded(self) -> str:
        """stacks() as other programs read it: a line for each, `a;b;c count`."""
        return profile_files.folded(self.stacks())

    def flame(self, title: str = "") -> str:
        """stacks() as a flame graph, a picture in SVG."""
        return profile_files.flame(self.stacks(), title, "cycles", "the width of a task, an SM, a CTA or a section is its share of them")

    def as_dict(self) -> Json:
        """For JSON."""
        return {"hz": self.hz, "lost": self.lost, "imbalance": self.imbalance, "tasks": [one._asdict() for one in self.tasks()],
                "sms": [one._asdict() for one in self.sms()], "sections": [one._asdict() for one in self.sections()],
                "ctas": [one._asdict() for one in self.ctas]}
