# SPDX-License-Identifier: Apache-2.0
"""What a launch costs on third-party cores, in cycles: one table. `make bench`; --json FILE; --board NAME."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in ("tests/rtl", "host/python", "tests/bench"):
    sys.path.insert(0, str(ROOT / folder))
os.environ.setdefault("GANGER_BUILD", str(ROOT / "build"))

import rtl_costs  # noqa: E402
import table  # noqa: E402
from options import read_options  # noqa: E402
from table import Row  # noqa: E402

COUNTED = "qemu-virt32"  # The column of instructions.

ROWS = tuple(Row(key, title, None, "cycles") for key, title in (
    ("echo", "NOP, host's doorbell to the device's"),
    ("blank", "blank one-CTA task, host's doorbell to the device's"),
    ("marginal", "one more CTA, SMs full"),
    ("wide", "1,024 blank CTAs that are launched, from taking the task to its completion"),
    ("pull", "  as a PULL grid"),
    ("cga", "a CGA of 8 blank CTAs, the same"),
    ("interrupt", "msip store of an SM to the CP's taking it back"),
    ("slice", "context switch of an SM at the end of a time slice"),
    ("thread", "an empty thread with a stack of its own"),
    ("barrier", "a barrier, for each such thread"),
))

NOTES = (
    "Cycles are the simulator's, which mtime counts, too (not mcycle: cores stop it in wfi, or have none). Two SMs on",
    "one bus, RAM with two ports, firmware with BOARD_OPTIMISE = size. NOP, blank task, msip and context switch: from the",
    f"trace of the bus; the others: mtime. The doorbell is looked at every 16 cycles. {COUNTED}, beside: instructions",
    "(-icount, -O2 where it is hot) of the CP until it sleeps, or of the SM; they do not include the way of a doorbell.",
)
TABLE = table.Table(ROWS, NOTES)


def counted(why: dict) -> dict:
    """The column of instructions, of what can be compared."""
    try:
        import instructions
        from rig import Rig
        with Rig(COUNTED, 2, True) as rig:
            found = {**instructions.blank(rig, why), **instructions.marginal(rig, why),
                     **instructions.threads(rig, why)}
        return {"blank": found["blank"], "marginal": found["marginal_batch"], "thread": found["thread"],
                "barrier": found["barrier"]}
    except Exception as error:  # pylint: disable=broad-except
        why[COUNTED] = f"{type(error).__name__}: {error}"
        return {}


def main() -> int:
    options = read_options(__doc__, once=False, boards=rtl_costs.BOARDS)
    why: dict = {}
    results = {board: rtl_costs.measure(board, why) for board in options.boards}
    if not any(results.values()):
        print("n/a: no simulator: make rtl-sims rtl-kernels, and make BOARD=refsoc flash-image …")
        return 0
    results[COUNTED] = counted(why)
    table.report(options.json, TABLE, results, why)
    return 0


if __name__ == "__main__":
    sys.exit(main())
