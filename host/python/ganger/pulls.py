# SPDX-License-Identifier: Apache-2.0
"""What SMs did for PULL grids (S4-R38): dev.pull_history()."""

from typing import Any, Dict, List, NamedTuple

from .registers import Registers

_TICK_PARTS = 256  # Parts of a tick in ticks_per_granule.


class PullHistory(NamedTuple):
    """What an SM did for the PULL grid that is, or was last, in a slot.

    id               slot | generation << 16 of the task
    chunks, items    that it has finished; items modulo 2**32 granules
    ticks_per_item   smoothed, in ticks of the device's clock
    last_items, last_ticks  of its last chunk
    left             items of the chunk in hand that it has not started
    portions         that it fetched for its GPC's local queue
    """
    sm: int
    slot: int
    id: int
    chunks: int
    items: int
    ticks_per_item: float
    last_items: int
    last_ticks: int
    left: int
    portions: int


def _history(sm: int, slot: int, hand: Dict[str, Any], entry: Dict[str, Any]) -> PullHistory:
    granule = 1 << (entry["shift"] & 31)
    return PullHistory(sm, slot, entry["id"], hand["chunks"], hand["granules"] * granule,
                       hand["ticks_per_granule"] / _TICK_PARTS / granule,
                       hand["last_granules"] * granule, hand["last_ticks"], hand["left"],
                       hand["portions"])


def pull_history(regs: Registers) -> List[PullHistory]:
    """By SM and slot, those that took something of the task that is or was last in the slot: its
    entry stays until the next one's, and so does what an SM had in hand of an earlier task."""
    entries = [entry.read() for entry in regs.work]
    found = []
    for number, block in enumerate(regs.hand):
        sm, slot = divmod(number, len(entries))
        hand, entry = block.read(), entries[slot]
        if hand["id"] in (0, entry["id"]) and (hand["chunks"] or hand["items"]):
            found.append(_history(sm, slot, hand, entry))
    return found
