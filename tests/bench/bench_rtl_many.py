# SPDX-License-Identifier: Apache-2.0
"""What tasks cost on the reference SoC with 2, 8 and 16 SMs, in cycles, and how long harts waited for the bus. `make bench`."""
import os
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in ("tests/rtl", "host/python", "tests/bench"):
    sys.path.insert(0, str(ROOT / folder))
os.environ.setdefault("GANGER_BUILD", str(ROOT / "build"))

import table  # noqa: E402
from device_support import BUILD, Machine, Simulation, zeros  # noqa: E402
from options import read_options  # noqa: E402
from table import Row, Value  # noqa: E402

# Board and simulator, with the launch unit or without: the firmware of refsoc-lock and refsoc-launch runs in those of refsoc.
SIMS = ("refsoc-sms2", "refsoc-sms8", "refsoc-sms16", "refsoc-lock-sms8", "refsoc-lock-sms16",
        "refsoc-launch-sms16", "refsoc-launch-sms8-launch", "refsoc-launch-sms16-launch")
ROUNDS, THREADS = (10, 60), 24  # Of two barriers.
TURNS = 640   # Of a loop that stores a word: some 4,000 cycles.
SCALE = (1, 2, 4, 8, 16)

# Key, title, kernel, its file, the task. Each is preceded by two of its kind: the first loads code, and the second leaves
# behind what the short way of a plain task needs.
TASKS = (
    ("blank", "blank one-CTA task", "blank", "device", {}),
    ("wide16", "16 blank CTAs", "blank", "device", {"grid": 16}),
    ("wide64", "64 blank CTAs", "blank", "device", {"grid": 64}),
    ("wide256", "256 blank CTAs, launched", "blank", "device", {"grid": 256, "mode": "balance"}),
    ("wide1024", "1,024 blank CTAs, launched", "blank", "device", {"grid": 1024, "mode": "balance"}),
    ("pull256", "256 blank CTAs, pulled", "blank", "device", {"grid": 256, "mode": "pull"}),
    ("pull", "1,024 blank CTAs, pulled", "blank", "device", {"grid": 1024, "mode": "pull"}),
    ("cga", "a CGA of 8 blank CTAs", "blank", "device", {"grid": 8, "cluster": 8}),
    ("cgas", "eight such CGAs", "blank", "device", {"grid": 64, "cluster": 8}),
)
ROWS = (*(row for key, title, *_ in TASKS for row in (
            Row(key, title, None, "cycles"), Row(f"{key}_i", "  harts waited to fetch", None, "cycles"),
            Row(f"{key}_d", "  harts waited for data", None, "cycles"))),
        Row("marginal", "one more CTA: of 1,024 instead of 256", None, "cycles"),
        Row("barrier", f"a barrier of {THREADS} threads", None, "cycles"),
        *(Row(f"scale{sms}", f"256 CTAs of some 4,000 cycles on {sms} of the SMs", None, "cycles") for sms in SCALE),
        Row("speed", "simulation of the 1,024 CTAs", None, "kHz"))
NOTES = ("From the control processor's taking of a task to its completion, by mtime, which counts cycles. Cycles in which",
         "harts waited are the sum over all harts. The RAM has 16 banks. Firmware as for two SMs.")
TABLE = table.Table(ROWS, NOTES)


def late(sim):
    """The simulator's counters, which have what was done before."""
    sim.late()
    return sim.counters()


def cycles(machine, kernel, file="device", **task):
    """From taking a task to its completion."""
    times = machine.run(kernel, file, **task).times
    return round((times.done - times.posted) * machine.dev.info.timebase_hz)


def figures(sim, machine):
    """All of one simulator."""
    found, dev = {}, machine.dev
    for key, _title, kernel, file, task in TASKS:
        for _ in range(2):
            cycles(machine, kernel, file, **task)
        before, clock = late(sim), time.monotonic()
        found[key] = Value(cycles(machine, kernel, file, **task))
        clock, after = time.monotonic() - clock, late(sim)
        found[f"{key}_i"], found[f"{key}_d"] = (Value(after[i] - before[i]) for i in (1, 2))
        if key == "wide1024":
            found["speed"] = Value(round(found[key].number / clock / 1000))
    found["marginal"] = Value((found["wide1024"].number - found["wide256"].number) / 768)
    out = zeros(dev, 4 * THREADS)
    few, many = (cycles(machine, "barrier_ids", "barrier_ids", block=(4, 3, 2), args=[out, count]) for count in ROUNDS)
    found["barrier"] = Value((many - few) / (2 * (ROUNDS[1] - ROUNDS[0])))
    place = zeros(dev, 256)
    for sms in SCALE:
        if sms <= dev.info.sms:
            found[f"scale{sms}"] = Value(cycles(machine, "turns", grid=256, args=[place, TURNS], affinity=list(range(sms))))
    return found


def measure(name, why):
    """Figures of a simulator; `why` gets what is missing or failed."""
    board, sms = name.split("-sms", 1)
    simulator = f"refsoc-sms{sms}"
    if not (BUILD / "rtl" / simulator / "sim").exists() or not (BUILD / board / "flash.bin").exists():
        why[name] = f"not built: make rtl-many rtl-kernels; make BOARD={board} flash-image"
        return {}
    try:
        with tempfile.TemporaryDirectory() as folder:
            sim = Simulation(board, folder, sim=simulator)
            try:
                with sim.connect() as dev:
                    return figures(sim, Machine(sim, dev))
            finally:
                sim.end()
    except Exception as error:  # pylint: disable=broad-except
        why[name] = f"{type(error).__name__}: {error}"
        return {}


def main() -> int:
    options = read_options(__doc__, once=False, boards=SIMS)
    why: dict = {}
    results = {name: measure(name, why) for name in options.boards}
    table.report(options.json, TABLE, results, why)
    return 0


if __name__ == "__main__":
    sys.exit(main())
