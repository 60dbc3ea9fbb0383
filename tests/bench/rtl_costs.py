# SPDX-License-Identifier: Apache-2.0
"""What a launch costs on the reference SoC, in cycles: from the device's clock, and from a trace of its bus."""

import subprocess
import tempfile
from typing import Callable, Dict, List, NamedTuple, Optional

from device_support import BOARDS as CORES
from device_support import BUILD, LONG, Machine, Simulation, kernel_path, simulation, zeros
from rig import median, spread
from table import Value

Figures = Dict[str, Value]
BOARDS = (*CORES, "refsoc-lock")  # That one is firmware of its own for the simulator of refsoc.
TIMES = 7
ROUNDS = (10, 20)
THREADS = 32
WHOLE = {"wide": ("", {"grid": 1024, "mode": "balance"}), "pull": ("PULL", {"grid": 1024, "mode": "pull"}),
         "cga": ("CLUSTERS", {"grid": 8, "cluster": 8})}  # Blank tasks, and the feature that they need.
CYCLES = 50_000_000  # A bound.

# What is kept of the trace: the host's doorbells, the control processor's to it, those between harts, and what SMs
# store to RAM.
KEPT = "^(sim:|[0-9]+ (ring$|0 w [1d]0020018 |[0-2] w [0c]2000000 |[12] w 8))"
TO_HOST, MSIP = 0x10020018, 0x02000000
DEVICES = 0x1fffffff  # Without the bits that some boards add to the addresses of devices.


class Event(NamedTuple):
    """A line of the trace: cycle, hart (None: the host), what ("ring", "i", "w"), address, data."""
    cycle: int
    hart: Optional[int]
    what: str
    address: int
    data: int


def read_trace(text: str) -> List[Event]:
    """The events, in their order."""
    events = []
    for line in text.splitlines():
        part = line.split()
        if not part or not part[0].isdigit():
            continue
        if part[1] == "ring":
            events.append(Event(int(part[0]), None, "ring", 0, 0))
        else:
            data = int(part[4], 16) if len(part) > 4 else 0
            events.append(Event(int(part[0]), int(part[1]), part[2], int(part[3], 16), data))
    return events


def simulator(board: str) -> str:
    """The simulator in which a board's firmware runs."""
    return board if board in CORES else board.rsplit("-", 1)[0]


class Traced(Simulation):
    """A simulation of which the log is a trace."""

    def __init__(self, board: str, folder: str):
        super().__init__(board, folder, uart="none", cycles=CYCLES, sim=simulator(board))

    def start(self, command, log):
        """The same through a filter, since a trace has a few lines for each cycle."""
        running = subprocess.Popen([*command, "--trace-harts"], stdout=subprocess.PIPE)
        self._filter = subprocess.Popen(["grep", "--line-buffered", "-E", KEPT],
                                        stdin=running.stdout, stdout=log)
        running.stdout.close()
        return running

    def end(self):
        """The same; then the log is whole."""
        super().end()
        self._filter.wait(LONG)

    def window(self, work: Callable[[], object]) -> tuple:
        """First and last cycle of some work."""
        return self.late(), work(), self.late()


def answers(events: List[Event], windows: List[tuple]) -> List[int]:
    """From the host's doorbell to the device's, in each window."""
    found = []
    for begin, _result, end in windows:
        inside = [event for event in events if begin <= event.cycle <= end]
        ring = next(event.cycle for event in inside if event.what == "ring")
        found.append(next(event.cycle for event in inside if event.what == "w" and event.cycle > ring
                          and event.address & DEVICES == TO_HOST) - ring)
    return found


def interrupts(events: List[Event]) -> List[int]:
    """From an SM's store to the software interrupt of hart 0 to hart 0's taking it back."""
    found: List[int] = []
    stored = None
    for event in events:
        if event.what != "w" or event.address & DEVICES != MSIP:
            continue
        if event.hart != 0 and event.data & 1 and stored is None:
            stored = event.cycle
        elif event.hart == 0 and stored is not None:
            found.append(event.cycle - stored)
            stored = None
    return found


def switches(events: List[Event], first: int, second: int) -> List[int]:
    """What passes between the last store of a CTA and the first one of the other, beyond its own rhythm."""
    stores = [event for event in events if event.hart == 1 and event.address in (first, second)]
    steps = [(after.cycle - before.cycle, after.address == before.address)
             for before, after in zip(stores, stores[1:])]
    rhythm = median([step for step, same in steps if same])
    return [step - rhythm for step, same in steps if not same]


def figure(numbers: List[int]) -> Value:
    """The median, and how far they are apart."""
    return Value(median(numbers), spread(numbers))


def clocked(machine: Machine) -> Figures:
    """Slopes and whole tasks, by the device's clock."""
    hz, dev = machine.dev.info.timebase_hz, machine.dev

    def cycles(kernel: str, file: str = "device", **keywords) -> int:
        times = [machine.run(kernel, file, **keywords).times for _ in range(3)]
        return round(median([time.last - time.first for time in times]) * hz)

    def whole(**keywords) -> int:
        times = [machine.run("blank", **keywords).times for _ in range(3)][-1]  # The third of its kind takes the short way.
        return round((times.done - times.posted) * hz)

    ctas = 8 * dev.info.sms * dev.info.sm_ctas
    few, many = (cycles("blank", grid=number, mode="balance") for number in (ctas, 2 * ctas))
    less, more = (cycles("empty", "threads", block=number) for number in (256, 512))
    rounds = [cycles("barriers", "threads", block=THREADS, args=[number]) for number in ROUNDS]
    return {"marginal": Value((many - few) / ctas, f"{ctas} and {2 * ctas} CTAs"),
            **{key: Value(whole(**task)) for key, (feature, task) in WHOLE.items() if not feature or machine.has(feature)},
            "thread": Value((more - less) / 256),
            "barrier": Value((rounds[1] - rounds[0]) / ((ROUNDS[1] - ROUNDS[0]) * THREADS), f"{THREADS} threads")}


def traced(sim: Traced, machine: Machine) -> Callable[[], Figures]:
    """Does what is traced; the figures are there once the simulation has ended."""
    dev = machine.dev
    machine.run("blank")
    echoes = [sim.window(lambda: dev.nop(timeout=LONG)) for _ in range(TIMES)]
    blanks = [sim.window(lambda: machine.run("blank")) for _ in range(TIMES)]
    place = zeros(dev, 2)
    machine.run("turns", grid=2, args=[place, 4000], affinity=[0])

    def figures() -> Figures:
        events = read_trace(sim.log())
        found = {"echo": answers(events, echoes), "blank": answers(events, blanks),
                 "interrupt": interrupts(events), "slice": switches(events, place.address, place.address + 4)}
        return {key: figure(numbers) for key, numbers in found.items() if numbers}

    return figures


def measure(board: str, why: Dict[str, str]) -> Figures:
    """All figures of a board; `why` gets what is missing or failed."""
    parts = (BUILD / "rtl" / simulator(board) / "sim", BUILD / board / "flash.bin", kernel_path(board, "threads"))
    missing = [str(part) for part in parts if not part.exists()]
    if missing:
        why[board] = f"not built: {', '.join(missing)}"
        return {}
    try:
        with tempfile.TemporaryDirectory() as folder, simulation(board, folder, uart="none", sim=simulator(board)) as sim, \
                sim.connect() as dev:
            figures = clocked(Machine(sim, dev))
        with tempfile.TemporaryDirectory() as folder:
            traced_sim = Traced(board, folder)
            try:
                with traced_sim.connect() as dev:
                    later = traced(traced_sim, Machine(traced_sim, dev))
            finally:
                traced_sim.end()
            return {**figures, **later()}
    except Exception as error:  # pylint: disable=broad-except
        why[board] = f"{type(error).__name__}: {error}"
        return {}
