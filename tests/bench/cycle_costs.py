# SPDX-License-Identifier: Apache-2.0
"""Cycles of each kind of instruction on the cores of the RTL boards, beside the figures of ganger.cycle_costs. A minute for
each board: `make rtl-sims rtl-kernels`, then `python3 tests/bench/cycle_costs.py [BOARD …]`."""

import os
import sys
import tempfile
from pathlib import Path
from typing import Callable

ROOT = Path(__file__).resolve().parents[2]
for folder in ("tests/rtl", "host/python"):
    sys.path.insert(0, str(ROOT / folder))
os.environ.setdefault("GANGER_BUILD", str(ROOT / "build"))

from device_support import Machine, simulation, zeros  # noqa: E402
from ganger.cycle_costs import CORES, RESIDENT  # noqa: E402

COPIES, SHIFTED = 32, 13  # Of what is in question in a turn of a loop of classes.c; bits of its shift.
TURNS = 200
SHORT, LONG = (12, 16), (300, 16)  # Turns and items of a CTA shorter than a time slice, and of one in which time slices end.
LATER = 8  # CTAs that wait until others have ended.
# Loop, and what else is in it: what is left belongs to the figure of that name, or to `use` or `chain`.
LOOPS = {"alu": "", "load": "", "store": "", "branch": "", "taken": "", "jump": "", "jump_register": "address",
         "multiply": "", "multiply_high": "", "divide": ""}


def measure(board: str) -> dict:
    """Cycles of one of each kind."""
    with tempfile.TemporaryDirectory() as folder, simulation(board, folder) as sim, sim.connect() as dev:
        machine, word = Machine(sim, dev), zeros(dev, 1)

        def cycles(name: str, turns: int, **shape: int) -> int:
            done = machine.run(name, "classes", args=[turns, word], affinity=[0], **shape)
            return round(done.times.run * dev.info.timebase_hz)

        def turn(name: str) -> float:
            cycles(name, 5)
            return (cycles(name, 2 * TURNS) - cycles(name, TURNS)) / TURNS

        module = machine.kernel("turn", "classes").module
        assert module is not None
        empty = turn("turn")
        one = {name: (turn(name) - empty) / COPIES for name in module.info.kernels if name != "turn"}
        found = {name: one[name] - (one[less] if less else 0) for name, less in LOOPS.items() if name in one}
        found["shift"] = (one["shift"] - one["alu"]) / SHIFTED
        found["use"] = one["load_use"] - one["load"] - one["alu"]
        found["chain"] = one["alu_chain"] - one["alu"]
        found["first"] = cycles("turn", TURNS) - TURNS * empty
        around(found, cycles)
        return found


def around(found: dict, cycles: Callable[..., int]) -> None:
    """What the SM does around CTAs: of one item and no length, so that no time slice ends, and of a block that is long."""
    def of(ctas: int, turns: int = 1, block: int = 1) -> int:
        return cycles("turn", turns, grid=ctas, block=block)

    of(RESIDENT + LATER)  # The caches are warm then.
    first, resident = of(1), of(RESIDENT)
    found["more"] = (resident - first) / (RESIDENT - 1)
    found["pace"] = (of(RESIDENT + LATER) - resident) / LATER
    found["later"] = 0
    for shape in (SHORT, LONG):  # The time slices are those of the long ones, and `later` is the mean.
        some, kernel = of(RESIDENT, *shape), of(1, *shape) - found["first"]
        found["slices"] = (some - found["first"] - (RESIDENT - 1) * found["more"]) / (RESIDENT * kernel) - 1
        found["later"] += ((of(RESIDENT + LATER, *shape) - some) / LATER - kernel * (1 + found["slices"])) / 2


def main() -> None:
    for board in sys.argv[1:] or CORES:
        found = measure(board)
        print(f"{board:18} measured  used")
        for name, used in CORES[board]._asdict().items():
            if name in found:
                print(f"{name:18} {found[name]:8.3g}  {used}")


if __name__ == "__main__":
    main()
