# SPDX-License-Identifier: Apache-2.0
"""How far a task on its way is, by the words of the task table."""

from typing import TYPE_CHECKING, NamedTuple, Optional

from .registers import Block, Registers, device_registers

if TYPE_CHECKING:
    from .clib import Handle

_WORD = 0xffffffff
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


def _ended_on(regs: Registers, sm: int, slot: int, name: int, shift: int) -> int:
    """CTAs of a pulled grid that an SM has ended: those that it has begun, less those that its streams
    run. The words are read in the reverse of the order in which the SM changes them, so that what it
    does meanwhile is counted once or not at all."""
    hand, pull = regs.hand[sm * len(regs.slot) + slot], regs.pull[sm]
    chunks, words = hand.read(), hand.read()
    if words["id"] != name:
        return 0
    begun = (int(chunks["granules"]) << shift) + max(0, int(words["next"]) - int(words["first"]))
    units = len(pull.last)
    block = pull.words(3 * units)  # A pair of each unit, then the last of each.
    for unit in range(units):
        if not block[2 * unit + 1] >> 31:
            begun -= (block[2 * units + unit] - block[2 * unit] & _WORD) + 1
    return max(0, begun)


def _ended_pulled(regs: Registers, slot: int) -> Optional[int]:
    """The same of the grid in a slot, if SMs pull it. Items that came with packets may be left out."""
    entry = regs.work[slot].read()
    name, shift = int(entry["id"]), int(entry["shift"])
    if not entry["state"] or name & 0xffff != slot:
        return None
    ended = sum(_ended_on(regs, sm, slot, name, shift) for sm in range(len(regs.pull)))
    return max(0, ended - (1 << shift) + 1)  # The last granule may have fewer items.


def ended_ctas(handle: "Handle", tag: int, total: int) -> int:
    """CTAs of a task that have ended; 0 while it is not in the task table."""
    regs = device_registers(handle)
    for number, slot in enumerate(regs.slot):
        ended = _ended(slot, tag, total)
        if ended is not None:
            pulled = _ended_pulled(regs, number)
            return ended if pulled is None else pulled
    return 0
