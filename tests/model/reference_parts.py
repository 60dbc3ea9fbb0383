# SPDX-License-Identifier: Apache-2.0
"""What the reference scheduler keeps: tasks and SMs, as plainly as can be.

An SM's memory is a list of units, True when free; a task is its TMD and a few counts.
"""
from dataclasses import dataclass, field, fields

UNIT_BYTES = 2048  # shared memory of a unit
BALANCE, ROUND_ROBIN, BY_DEVICE = 0, 1, 15
DECREMENT, SCHEDULE, INCREMENT_PUT = range(3)
NEVER = 0xffffffff
TICKS_PER_US = 10
WINDOW = 128  # CTAs of a queue task from the oldest unended to the newest


@dataclass(eq=False, repr=False)
class Tmd:
    """What the host, or a kernel, asks for."""
    ident: int
    address: int
    kind: str = "grid"  # or "queue", "null"
    generation: int = 0
    context: int = 0
    priority: int = 5
    head: bool = False
    mode: int = BY_DEVICE
    ctas: int = 1
    warps: int = 1
    shared: int = 0
    resume: int = 0
    part: int = 0  # CTAs from there on; 0 for all
    retry: int = 0  # times that a CTA may run again after its SM was lost
    kernel: int = 0
    sequential: bool = False
    throttle: bool = False
    quota: int = 0
    gpcs: int = 0
    only: tuple = ()  # SMs that may run it; empty for all
    capacity: int = 0  # QUEUE: items that the ring holds
    items: int = 1  # N
    minimum: int = 0
    coalesce_us: int = 0
    closed: bool = False
    outstanding: int = 0
    dependence_count: int = 0
    dependents: list = field(default_factory=list)  # (Tmd, action, amount)
    after: list = field(default_factory=list)  # Tmd

    def __repr__(self):
        plain = Tmd(0, self.address)
        told = [f"{entry.name}={value}" for entry in fields(self) if entry.name != "address" and
                (value := getattr(self, entry.name)) != getattr(plain, entry.name)]
        return f"Tmd({', '.join(told)})"

    @property
    def run(self):
        """The CTAs of a grid that run."""
        return range(self.resume, self.resume + self.part if self.part else self.ctas)

    @property
    def name(self):
        """How commands name it."""
        return self.address, self.generation


class Task:
    """A task in the device."""

    def __init__(self, tmd, tag, channel):
        self.tmd = tmd
        self.tag = tag
        self.channel = channel
        self.ident = tmd.ident
        self.priority = tmd.priority
        self.place = "new"  # held, pending, slot, parked, suspended, ended, over
        self.leaving = False
        self.suspended = False
        self.stamp = 0
        self.next = tmd.resume if tmd.kind == "grid" else 0
        self.left = len(tmd.run) if tmd.kind == "grid" else 0
        self.in_flight = 0
        self.done = 0
        self.status = "OK"
        self.back = []  # ranges of lost CTAs: (first, count, losses, blames), the last one added last
        self.losses = self.blames = 0  # of the CTAs that are issued now
        self.retried = 0
        self.turn_left = tmd.quota  # CTAs before others of the priority have their turn
        self.parent = None
        self.depth = 0
        self.children = []
        self.waits_for = tmd.dependence_count  # DECREMENTs not yet happened
        self.promised = 0  # DECREMENTs that accepted tasks have promised
        self.after = []  # live tasks that it waits for
        self.followers = []  # live tasks that wait `after` it
        self.put = self.taken = 0  # QUEUE: items
        self.came = []  # QUEUE: when each item that waits came
        self.closed = tmd.closed
        self.again = 0  # QUEUE: if the next CTA was lost, number of the first one that is new
        self.running = {}  # QUEUE: CTA number: whether it has ended, first item, items; from the oldest unended on


class Cta:
    """A CTA on an SM."""

    def __init__(self, task, number, units, first_unit, position=0, items=0):
        self.task = task
        self.number = number
        self.units = units
        self.start = first_unit
        self.position = position
        self.items = items
        self.losses, self.blames = task.losses, task.blames  # SMs that it was on; that were not reset by the host


class Sm:
    """An SM."""

    def __init__(self, number, ctas, warps, units):
        self.number = number
        self.enabled = True
        self.gpc = 0
        self.free_ctas = ctas
        self.free_warps = warps
        self.units = [True] * units
        self.task = None  # assigned
        self.owes = False  # has not acknowledged
        self.absent = False  # gets no CTAs: it is being reset, or lost
        self.lost = False  # is not heard
        self.given = False  # the host has asked for its reset
        self.reset = None  # "stops" or "starts" while it is being reset
        self.since = 0  # when that began, in ticks
        self.asleep = False  # its hart sleeps in the start code
        self.runs_again = False  # its hart says so
        self.running = {}  # first unit: Cta

    def runs(self):
        """Lengths of the runs of free units, with their first units."""
        found, at = [], 0
        while at < len(self.units):
            end = at
            while end < len(self.units) and self.units[end]:
                end += 1
            if end > at:
                found.append((at, end - at))
            at = end + 1
        return found

    def room(self, warps, units):
        """How many CTAs with these needs it could start now (S0-R31)."""
        if not self.enabled or self.absent:
            return 0
        fit = sum(length // units for _, length in self.runs())
        return min(self.free_ctas, self.free_warps // warps, fit)

    def take(self, cta):
        """Take the resources of a CTA: the lowest run that is long enough."""
        cta.start = next(at for at, length in self.runs() if length >= cta.units)
        self.units[cta.start:cta.start + cta.units] = [False] * cta.units
        self.free_ctas -= 1
        self.free_warps -= cta.task.tmd.warps

    def give_back(self, cta):
        """Give back the resources of a CTA."""
        self.units[cta.start:cta.start + cta.units] = [True] * cta.units
        self.free_ctas += 1
        self.free_warps += cta.task.tmd.warps
