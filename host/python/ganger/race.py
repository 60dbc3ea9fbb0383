# SPDX-License-Identifier: Apache-2.0
"""Kernels checked for races: check() runs one that was built with `ganger-cc --race`, whose work-items log their accesses
(firmware/kernel/runtime/race.h), and looks through the log. docs/KERNELS.md, Races.

Two accesses to the same byte are a race if different work-items make them, one of them writes, not both are atomic, and no
barrier is between: one of the CTA, or for CTAs of a cluster one of the cluster. Other CTAs always run at the same time."""

import linecache
import struct
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from .device import Device
from .errors import Error
from .kernels import Kernel, Module
from .memory import Buffer
from .queues import Queue, QueueTask
from .symbols import Place, places_of, value_of
from .tasks import Task
from .typed import Json

LOG_BYTES = 16 << 20
OK_MARK = "race-ok"  # In a comment of a source line: what races there is meant.
_GUARD_BYTES = 65536  # Before the log: what a kernel writes behind its buffers should not be the log.
READ, WRITE, ATOMIC_READ, ATOMIC_WRITE, BARRIER, CLUSTER = range(1, 7)
WORDS = {READ: "read", WRITE: "write", ATOMIC_READ: "atomic read", ATOMIC_WRITE: "atomic write"}
_WRITES, _ATOMIC = (WRITE, ATOMIC_WRITE), (ATOMIC_READ, ATOMIC_WRITE)
_HEADER_BYTES, _CHUNK_BYTES, _CHUNK_HEADER = 64, 4096, struct.Struct("<QQQII3IIIIQ")
_RECORD = struct.Struct("<IIQQ")
_ARRIVE, _WAIT = 1, 2
_OURS = ("ganger_", "stdatomic")  # Names of headers whose functions have the line of their caller.


class Access(NamedTuple):
    """What a work-item did: a word of WORDS or "barrier"; CTA and thread, linear; function, file and line, or None."""
    what: str
    cta: int
    thread: int
    symbol: Optional[str]
    file: Optional[str]
    line: Optional[int]

    def __str__(self) -> str:
        where = str(Place(self.symbol, self.file, self.line)) if self.symbol else "an unknown place"
        return f"{self.what} by thread {self.thread} of CTA {self.cta} in {where}"


class Finding(NamedTuple):
    """kind: "race", "unwritten" (read, and never written), "outside" (of all buffers) or "barrier" (not met by all). memory:
    which bytes, in words; accesses: one or two; times: how often these lines were found."""
    kind: str
    memory: str
    accesses: Tuple[Access, ...]
    times: int

    def as_dict(self) -> Json:
        """For JSON."""
        return {"kind": self.kind, "memory": self.memory, "times": self.times,
                "accesses": [one._asdict() for one in self.accesses]}

    def __str__(self) -> str:
        lines = "".join(f"\n    {one}" for one in self.accesses)
        return f"{self.kind}: {self.memory}{f' ({self.times} times)' if self.times > 1 else ''}{lines}"


class Report(NamedTuple):
    """findings; accesses: how many were looked at; lost: CTAs whose log is not complete, since it was full; status: of the
    task, "OK" or how it failed."""
    findings: Tuple[Finding, ...]
    accesses: int
    lost: int
    status: str

    @property
    def good(self) -> bool:
        """Nothing was found, and all was looked at."""
        return not self.findings and not self.lost and self.status == "OK"

    def as_dict(self) -> Json:
        """For JSON."""
        return {"findings": [one.as_dict() for one in self.findings], "accesses": self.accesses, "lost": self.lost,
                "status": self.status}

    def __str__(self) -> str:
        lines = [str(one) for one in self.findings]
        if self.lost:
            lines.append(f"The log was full: some accesses of {self.lost} CTAs were not looked at. Take a larger log (--log), or "
                         "a smaller grid.")
        if self.status != "OK":
            lines.append(f"The task ended with {self.status}.")
        return "\n".join([*lines, f"{len(self.findings)} findings, {self.accesses:,} accesses"])


class _Record(NamedTuple):
    """An access of the log. base: the pointer that the address was computed from; arrived, waited: barriers of the cluster
    before it."""
    kind: int
    cta: "_Cta"
    thread: int
    pc: int
    address: int
    nbytes: int
    base: int
    epoch: int
    arrived: int
    waited: int


class _Cta:
    """A CTA of the log."""

    def __init__(self, fields: Tuple[int, ...]):
        (self.linear, self.shared, self.args, self.shared_bytes, self.threads, x, y, z, self.members,
         self.outer) = fields[:10]
        self.cluster, self.queue = (x, y, z), fields[11]
        self.raw: List[Tuple[int, int, int, int]] = []
        self.barriers: Dict[int, List[int]] = {}  # Program counters by thread.

    def records(self) -> Iterator[_Record]:
        """Its accesses in order; counts barriers on the way."""
        arrived = waited = 0
        self.barriers = {}
        for pc, what, address, base in self.raw:
            kind, thread, nbytes = what & 15, what >> 4 & 1023, what >> 14
            if kind == BARRIER:
                self.barriers.setdefault(thread, []).append(pc)
            elif kind == CLUSTER:
                arrived += bool(nbytes & _ARRIVE)
                waited += bool(nbytes & _WAIT)
            else:
                yield _Record(kind, self, thread, pc, address, nbytes, base, len(self.barriers.get(thread, ())), arrived,
                              waited)


class _Range(NamedTuple):
    """Memory that the task may use. owner: of shared memory; apart: a CTA has it for itself, and the next one gets it anew."""
    name: str
    begin: int
    nbytes: int
    written: bool
    owner: Optional[_Cta] = None
    apart: bool = False

    def holds(self, address: int) -> bool:
        """Whether an address lies in it."""
        return self.begin <= address < self.begin + self.nbytes


def _conflict(one: _Record, other: _Record) -> bool:
    if one.kind not in _WRITES and other.kind not in _WRITES or one.kind in _ATOMIC and other.kind in _ATOMIC:
        return False
    if one.cta is other.cta:
        return one.thread != other.thread and one.epoch == other.epoch
    if one.cta.outer > 1 or other.cta.outer > 1:  # Barriers of larger clusters may be between: nobody knows.
        if one.cta.cluster != other.cta.cluster:
            return False
    if one.cta.members > 1 and one.cta.cluster == other.cta.cluster:
        return not (other.waited > one.arrived or one.waited > other.arrived)
    return True


class _Checker:
    """Looks through the log of one task."""

    def __init__(self, module: Module, ranges: List[_Range], ctas: List[_Cta], args_bytes: int):
        self.module, self.ranges, self.ctas, self.args_bytes = module, ranges, ctas, args_bytes
        self.accesses = 0
        self.found: Dict[Any, List[Any]] = {}
        self.places: Dict[int, Place] = {}
        # Accesses to a word, with their bytes: by CTAs that were looked at, and by the one that is.
        self.before: Dict[Tuple[Any, int], List[Tuple[_Record, int]]] = {}
        self.here: Dict[Tuple[Any, int], List[Tuple[_Record, int]]] = {}
        self.written: Dict[Tuple[Any, int], List[Tuple[int, _Cta]]] = {}
        self.doubtful: List[Tuple[_Range, Tuple[Any, int], int, _Record]] = []
        self.shared = {cta.linear: _Range("shared memory", cta.shared, cta.shared_bytes, False, cta) for cta in ctas}

    def place(self, pc: int) -> Place:
        """Of a program counter behind a call: the innermost that is not in a header of ours."""
        if pc not in self.places:
            base = self.module.base
            full = base + (pc - base & 0xffffffff) - 1
            found = places_of([self.module], full)
            own = [one for one in found if not (one.file or "").rpartition("/")[2].startswith(_OURS)]
            self.places[pc] = (own or found or (Place("?", None, None),))[0]
        return self.places[pc]

    def access(self, record: _Record) -> Access:
        """As a user sees it."""
        place = self.place(record.pc)
        return Access(WORDS.get(record.kind, "barrier"), record.cta.linear, record.thread, *place)

    def is_meant(self, pc: int) -> bool:
        """Whether the source line is marked."""
        place = self.place(pc)
        return bool(place.file and place.line) and OK_MARK in linecache.getline(place.file or "", place.line or 0)

    def add(self, kind: str, memory: str, *records: _Record) -> None:
        """Keeps a finding, once for the same lines."""
        if any(self.is_meant(record.pc) for record in records):
            return
        key = (kind, memory.split(",")[0], frozenset((record.kind, self.place(record.pc)) for record in records))
        self.found.setdefault(key, [kind, memory, tuple(map(self.access, records)), 0])[3] += 1

    def home(self, of: _Cta, address: int) -> Optional[_Range]:
        """What an address belongs to. Shared memory: the CTA's own, or that of another CTA of its cluster."""
        own = self.shared[of.linear]
        if own.holds(address):
            return own
        for one in self.ranges:
            if one.holds(address):
                return one
        for cta in self.ctas if of.members > 1 else ():
            other = self.shared[cta.linear]
            if cta.cluster == of.cluster and other.holds(address):
                return other
        return None

    def meant(self, record: _Record, at: _Range) -> Optional[_Range]:
        """The other range that an access was meant for: its pointer leads there. A pointer to the end of a range is one into
        that range, too."""
        if at.begin <= record.base <= at.begin + at.nbytes:
            return None
        return self.home(record.cta, record.base)

    def outside(self, record: _Record, at: Optional[_Range]) -> str:
        """Where an address is that belongs to nothing, or not to what its pointer leads to."""
        before = [one for one in self.ranges if one.begin <= record.address] if at is None else [at]
        if not before:
            return f"address {record.address:#x} is in no buffer of the task"
        near = max(before, key=lambda one: one.begin)
        return f"{near.name}, {record.nbytes} bytes at {record.address - near.begin:+,}, has {near.nbytes:,} bytes"

    def look(self, record: _Record) -> None:
        """At one access."""
        self.accesses += 1
        if 0 <= record.address - record.cta.args < self.args_bytes:
            return
        at = self.home(record.cta, record.address)
        meant = self.meant(record, at) if at else None
        if at is None or meant or record.address + record.nbytes > at.begin + at.nbytes:
            self.add("outside", self.outside(record, meant or at), record)
            return
        first, end = record.address, record.address + record.nbytes
        for word in range(first >> 2, (end + 3) >> 2):
            mask = 15 << max(0, first - 4 * word) & 15 & 15 >> max(0, 4 * word + 4 - end)
            owner = record.cta if at.apart else at.owner
            self.look_at_word(record, at, (owner.linear if owner else None, word), mask)

    def look_at_word(self, record: _Record, at: _Range, key: Tuple[Any, int], mask: int) -> None:
        """At one access to some bytes of a word."""
        written = self.written.setdefault(key, [])
        if record.kind != WRITE and not at.written:
            before = 0
            for done, cta in written:
                before |= done if cta is record.cta else 0
            if mask & ~before:
                self.doubtful.append((at, key, mask & ~before, record))
        if record.kind in _WRITES and not any(done & mask == mask and cta is record.cta for done, cta in written):
            written.append((mask, record.cta))
        here = self.here.setdefault(key, [])
        for other, other_mask in [*self.before.get(key, ()), *here]:
            if other_mask & mask and _conflict(other, record):
                self.add("race", f"{at.name}, at {4 * key[1] - at.begin:,}", other, record)
                return
        self.remember(here, record, mask)

    @staticmethod
    def remember(here: List[Tuple[_Record, int]], record: _Record, mask: int) -> None:
        """Keeps an access to a word by the CTA that is looked at. Of those of one kind and between the same barriers two are
        enough, of different threads: whatever comes is in conflict with one of them, or with none. Those from before a
        barrier are in conflict with other CTAs only, as the new one is."""
        alike = [(other, covered) for other, covered in here if other.kind == record.kind and other.waited == record.waited
                 and other.arrived == record.arrived]
        now = [other for other, covered in alike if other.epoch == record.epoch and covered & mask == mask]
        if len(now) > 1 or any(other.thread == record.thread for other in now):
            return
        for one in alike:
            if one[0].epoch != record.epoch and one[1] & mask == one[1]:
                here.remove(one)
        here.append((record, mask))

    def leave(self, cta: _Cta) -> None:
        """After a CTA: what may be in conflict with others. One access of each kind is enough, as there are no barriers
        between CTAs; but there are in a cluster."""
        for key, records in self.here.items():
            if cta.members == 1 and key[0] is not None:
                continue
            before = self.before.setdefault(key, [])
            for record, mask in records:
                if cta.members > 1 or not any(other.kind == record.kind and covered & mask == mask for other, covered in before):
                    before.append((record, mask))
        self.here = {}

    def check_barriers(self, cta: _Cta, whole: bool) -> None:
        """Whether all threads came to the same barriers. whole: none of them was on its way when the task ended."""
        most = max(map(len, cta.barriers.values()), default=0)
        for number in range(most):
            came: Dict[Place, Tuple[int, int]] = {}
            for thread, pcs in cta.barriers.items():
                if len(pcs) > number:
                    came.setdefault(self.place(pcs[number]), (thread, pcs[number]))
            records = [_Record(BARRIER, cta, thread, pc, 0, 0, 0, number, 0, 0) for thread, pc in came.values()]
            count = sum(len(pcs) > number for pcs in cta.barriers.values())
            if len(records) > 1:
                self.add("barrier", "threads of a CTA meet at different barriers", *records[:2])
            elif whole and count < cta.threads:
                self.add("barrier", "not met by all threads of a CTA, "
                         f"{cta.threads - count} of {cta.threads} do not come", *records)

    def run(self, status: str, diverged: Optional[int]) -> Tuple[Finding, ...]:
        """All findings, races first. status: of the task; diverged: linear number of the CTA that it failed by with
        ERR_DIVERGED, if it is known. The other CTAs of a task that failed were stopped somewhere before a barrier."""
        for cta in self.ctas:
            for record in cta.records():
                self.look(record)
            self.check_barriers(cta, status == "OK" or status == "ERR_DIVERGED" and diverged in (None, cta.linear))
            self.leave(cta)
        for at, key, mask, record in self.doubtful:
            for done, cta in self.written.get(key, ()):
                mask &= ~done if cta is not record.cta else mask
            if mask:
                self.add("unwritten", f"{at.name}, at {4 * key[1] - at.begin:,}", record)
        order = ("race", "barrier", "outside", "unwritten")
        return tuple(sorted((Finding(*one) for one in self.found.values()), key=lambda one: order.index(one.kind)))


def _read_log(log: Buffer) -> Tuple[List[_Cta], int]:
    """(CTAs, CTAs that got no room)."""
    chunks, taken, lost = struct.unpack_from("<3I", log.read(_HEADER_BYTES, _GUARD_BYTES))
    ctas: Dict[int, _Cta] = {}
    for number in range(min(chunks, taken)):
        data = log.read(_CHUNK_BYTES, _GUARD_BYTES + _HEADER_BYTES + number * _CHUNK_BYTES)
        fields = _CHUNK_HEADER.unpack_from(data)
        cta = ctas.setdefault(fields[0], _Cta(fields))
        count = fields[10]
        cta.raw += _RECORD.iter_unpack(data[_CHUNK_HEADER.size:_CHUNK_HEADER.size + count * _RECORD.size])
    return [ctas[linear] for linear in sorted(ctas)], lost


def _ranges(kernel: Kernel, module: Module, args: Sequence[Any], buffers: Iterable[Buffer], unwritten: Iterable[Buffer],
            windows: Iterable[Any]) -> List[_Range]:
    """Buffers and windows of the task, by name, and what the module itself has."""
    missing = {one.address for one in unwritten}
    named = [(kernel.parameters[place].name or f"argument {place}", one) for place, one in enumerate(args) if isinstance(one, Buffer)]
    found: Dict[int, _Range] = {}
    for name, one in [*named, *((f"buffer {number}", one) for number, one in enumerate(buffers))]:
        found.setdefault(one.address, _Range(name, one.address, len(one), one.address not in missing))
    for number, window in enumerate(windows):
        address, nbytes = (window.address, window.nbytes) if hasattr(window, "address") else window[:2]
        found.setdefault(address, _Range(f"window {number}", address, nbytes, True))
    return [*found.values(), _Range("variables of the module", module.base, module.info.nbytes, True)]


def _outcome(task: Task, items: bytes, timeout: float) -> Tuple[str, Optional[int]]:
    """Feeds a queue task, and waits; the status that the task ended with, and the CTA that it failed by, if one is known."""
    try:
        if isinstance(task, QueueTask):
            if items:
                task.push(items, timeout)
            task.close(timeout)
    except Error as error:
        if error.status != "ERR_TASK":  # It has ended already: wait() says how.
            raise
    try:
        task.wait(timeout)
    except Error as error:
        if not task.done:
            raise
        return error.status, error.record.cta if error.record else None
    return "OK", None


def check(device: Device, kernel: Kernel, *, args: Sequence[Any] = (), buffers: Iterable[Buffer] = (),
          unwritten: Iterable[Buffer] = (), items: bytes = b"", log_bytes: int = LOG_BYTES, timeout: float = 60,
          **keywords: Any) -> Report:
    """Runs a kernel of a module that was built with `ganger-cc --race`; keywords are those of ganger.Work. buffers: what it
    reaches beside the buffers in args and its windows; unwritten: buffers that nobody has written, which it must not read
    before it writes them; items: pushed into the queue of `queue=ganger.Queue(...)`, which is closed then; log_bytes: of the
    context's memory. Raises ERR_UNSUPPORTED (built without --race), ERR_NO_MEMORY, and what submit() raises. A task that
    fails is no error: Report.status says how it ended."""
    module = kernel.module
    place = value_of(module.source, "ganger_race_log") if module else None
    if module is None or place is None:
        raise Error("ERR_UNSUPPORTED", "The kernel tells nobody of its accesses: build it with `ganger-cc --race`.", "kernel",
                    kernel.name)
    queue: Optional[Queue] = keywords.get("queue")
    if items and queue is None:
        raise Error("ERR_ARGUMENT", "Items are for a queue: give `queue`, too.", "items", len(items))
    chunks = max(1, (log_bytes - _HEADER_BYTES) // _CHUNK_BYTES)
    context = module.context
    with context.buffer(nbytes=_GUARD_BYTES + _HEADER_BYTES + chunks * _CHUNK_BYTES) as log:
        log.write(struct.pack("<I", chunks).ljust(_HEADER_BYTES, b"\0"), _GUARD_BYTES)
        device.write(module.base + place, (log.address + _GUARD_BYTES).to_bytes(module.info.xlen // 8, "little"))
        task = context.submit_many([context.work(kernel, args=list(args), **keywords)])[0]
        status, faulty = _outcome(task, items, timeout)
        ctas, lost = _read_log(log)
        device.write(module.base + place, bytes(module.info.xlen // 8))
    ranges = _ranges(kernel, module, args, buffers, unwritten, keywords.get("windows", ()))
    for address in sorted({cta.queue for cta in ctas if cta.queue and queue}):
        ranges.append(_Range("items of the queue", address, queue.capacity * queue.item_bytes if queue else 0, True, apart=True))
    checker = _Checker(module, ranges, ctas, kernel.argument_bytes)
    findings = checker.run(status, faulty)
    return Report(findings, checker.accesses, lost, status)
