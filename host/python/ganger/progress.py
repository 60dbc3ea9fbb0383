# SPDX-License-Identifier: Apache-2.0
"""How far a task on its way is, by the words of the task table."""

from typing import TYPE_CHECKING, NamedTuple, Optional

from .registers import Block, device_registers

if TYPE_CHECKING:
    from .clib import Handle

_TRIES = 8  # Reads of a slot whose CTAs are issued meanwhile.


class Progress(NamedTuple):
    """ctas: that have ended, as far as the device has told; total: of the grid."""
    ctas: int
    total: int

    @property
    def fraction(self) -> float:
        """0.0 to 1.0; of a task without CTAs 1.0."""
        return self.ctas / self.total if self.total else 1.0


def _ended(slot: Block, tag: int, total: int) -> Optional[int]:
    """Ended CTAs of the task with a tag, if it is in the slot. What is issued between two reads
    may be counted as left, and never as ended."""
    before = slot.read()
    for _ in range(_TRIES):
        words = slot.read()
        if words["tag"] != tag or slot.state.name() == "FREE":
            return None
        if words["left"] == before["left"]:
            return max(0, total - int(words["left"]) - int(words["in_flight"]))
        before = words
    return None


def ended_ctas(handle: "Handle", tag: int, total: int) -> int:
    """CTAs of a task that have ended; 0 while it is not in the task table."""
    found = [_ended(slot, tag, total) for slot in device_registers(handle).slot]
    return max((count for count in found if count is not None), default=0)
