# SPDX-License-Identifier: Apache-2.0
"""What PULL grids cost (S4): the control processor's instructions for a grid's whole life, and what
a CTA costs the SMs, and in time, beside CTAs that the control processor sends in packets."""

from typing import Dict, List

from rig import Cost, Figures, Rig, measure_groups
from table import Value, number_text

LIVES = (1_000, 10_000, 100_000, 1_000_000)  # CTAs of a grid
LONG = 10_000_000
PUSHED = (10_000, 30_000)
RATE_CTAS = 200_000
RATE_ROUNDS = 3
WAIT_S = 300


class Grid:
    """Grids of empty CTAs on a rig."""

    def __init__(self, rig: Rig, mode: str):
        self.rig, self.mode, self.packets = rig, mode, 0
        for _ in range(2):  # The first loads code, and the second leaves behind what the short way of a grid needs.
            self._run(1000)

    def _run(self, ctas: int) -> None:
        done = self.rig.device.submit(self.rig.module["empty"], grid=ctas, block=1,
                                      mode=self.mode).wait(timeout=WAIT_S)
        if done.ctas != ctas:
            raise RuntimeError(f"{done.ctas:,} of {ctas:,} CTAs were done")
        self.packets = done.packets

    def cost(self, ctas: int) -> Cost:
        """From rest to rest: submission, completion and its interrupt included."""
        return self.rig.cost(lambda: self._run(ctas))


def _slope(small: Cost, large: Cost, ctas: int) -> Value:
    more = round((large.cp - small.cp) / ctas, 2) + 0.0  # No -0.
    return Value((large.sms - small.sms) / ctas, f"control processor: {more:,.2f} for each CTA")


def lives(rig: Rig, _why: Dict[str, str]) -> Figures:
    """Grids of more and more CTAs."""
    grid = Grid(rig, "pull")
    costs = [grid.cost(ctas) for ctas in LIVES]
    figures = {f"pull_{ctas}": Value(cost.cp) for ctas, cost in zip(LIVES, costs)}
    cps = [cost.cp for cost in costs]
    flat = f"all sizes: {number_text(min(cps))} to {number_text(max(cps))}"
    figures[f"pull_{LIVES[-1]}"] = Value(cps[-1], f"{grid.packets} packets; {flat}")
    figures["sm_pulled"] = _slope(costs[-2], costs[-1], LIVES[-1] - LIVES[-2])
    return figures


def pushed(rig: Rig, _why: Dict[str, str]) -> Figures:
    grid = Grid(rig, "balance")
    small, large = (grid.cost(ctas) for ctas in PUSHED)
    return {"sm_pushed": _slope(small, large, PUSHED[1] - PUSHED[0])}


def long_life(rig: Rig, _why: Dict[str, str]) -> Figures:
    """Without -icount, under which it takes too long. Counts differ more from run to run."""
    grid = Grid(rig, "pull")
    before = grid.cost(LIVES[-1]).cp
    cost = grid.cost(LONG)
    return {f"pull_{LONG}": Value(cost.cp, f"1,000,000 CTAs, counted like this: {before:,}")}


def _rate(device, kernel, mode: str) -> float:
    done = device.submit(kernel, grid=(RATE_CTAS,), block=(1,), mode=mode).wait(timeout=WAIT_S)
    return done.ctas / done.times.total


def rates(device, kernel) -> Figures:
    """In turns, so that both meet the same load of the machine."""
    seen: Dict[str, List[float]] = {"balance": [], "pull": []}
    for _ in range(RATE_ROUNDS):
        for mode, found in seen.items():
            found.append(_rate(device, kernel, mode))
    return {key: Value(round(sorted(seen[mode])[RATE_ROUNDS // 2]),
                       f"{min(seen[mode]):,.0f} to {max(seen[mode]):,.0f}, {RATE_ROUNDS} tasks of "
                       f"{RATE_CTAS:,} CTAs")
            for key, mode in (("ctas_rate", "balance"), ("pull_rate", "pull"))}


SMS = 16
GROUPS = (((lives, pushed), SMS, True), ((long_life,), SMS, False))


def measure(board: str, why: Dict[str, str]) -> Figures:
    """All figures of a board but the rates; `why` gets what failed."""
    return measure_groups(board, GROUPS, why)
