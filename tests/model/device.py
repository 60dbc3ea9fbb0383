# SPDX-License-Identifier: Apache-2.0
"""The control processor's units in this process: tests/model/driver.c through ctypes.

`ops` collects what host and SMs do; `turn()` carries it out, makes one turn of the loop and returns the visible
state.
"""
import ctypes
import os
from pathlib import Path
from typing import NamedTuple

from ganger import abi

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = Path(os.environ.get("GANGER_MODEL", ROOT / "build/model/libscheduler.so"))
HEAP = 0x90000000
OUT_WORDS = 16384

POST, MEMORY, CHANNEL, CONFIG, ACK, REPORT, REQUEST, TIME, STOP, COUNT, WAVES, LOSE, SLEEP, BOOT, \
    WATCH, LIFT = range(1, 17)
EXPRESS_OFF, EXPRESS_ON, EXPRESS_SWITCHED = range(3)
SLOT_WORDS, SM_WORDS, PACKET_WORDS, COMPLETION_WORDS = 12, 11, 13, 7
TASK_ASSIGN, SYNC, LENT, PACKET_ASSIGN = 0, 1, 10, 11  # words of an SM and of a packet
SYNC_NONE, SYNC_ACKED = 0, 3
SLOT = 0xff  # in an assignment
STATUS = abi.ENUMS["status"]
NAMES = {number: name for name, number in STATUS.items()}


class Slot(NamedTuple):
    """A slot in use. `ident` is the TMD's correlation."""
    index: int
    generation: int
    ident: int
    state: int
    stamp: int
    priority: int
    in_flight: int
    next: int
    left: int
    status: int
    reason: int
    wave_open: int


class Sm(NamedTuple):
    """State words of an SM."""
    task_assign: int
    state_sync: int
    cta_launch: int
    free_units: int
    free_ctas: int
    free_warps: int
    stop_slot: int
    share_lo: int
    share_sms: int
    share_sequence: int
    lent: int  # to a wave: the words above are those of before


class Packet(NamedTuple):
    """A launch packet and its SM."""
    sm: int
    task: int
    starts: int
    first: int
    first_hi: int
    units: int
    cga: int
    reserved: int
    sequence: int
    queue_position: int
    queue_last: int
    assign: int
    pull: int


class Completion(NamedTuple):
    """A completion."""
    tag: int
    status: int
    field: int
    value: int
    source: int
    ctas: int
    retried: int


class Seen(NamedTuple):
    """The visible state after a turn."""
    more: bool
    deadline: int  # ticks until the timer's next interrupt
    slots: list
    sms: list
    packets: list
    answers: list
    completions: list


class Broken(Exception):
    """An assertion of the units failed."""


def status_name(word):
    """Name of a status word."""
    return NAMES[word - (1 << 32) if word >> 31 else word]


class Device:
    """A device that has just booted."""

    def __init__(self, sms, ctas=8, warps=64, units=32, tasks=256):
        self.library = ctypes.CDLL(str(LIBRARY))
        self.setup = (sms, ctas, warps, units, tasks)
        self.out = (ctypes.c_uint32 * OUT_WORDS)()
        self.sms = sms
        self.ops = []
        self.turns = []  # of each turn: its ops, and all that was told
        self.begin(EXPRESS_SWITCHED)

    def begin(self, express):
        """A device that has just booted."""
        self.library.model_init((ctypes.c_uint32 * 6)(*self.setup, express))

    def replay(self):
        """Make all turns again, without the short way of plain tasks and with it alone. The first turn that tells
        anything else, or None."""
        for express in (EXPRESS_OFF, EXPRESS_ON):
            self.begin(express)
            for number, (ops, told) in enumerate(self.turns):
                count = self.library.model_turn(ops, len(ops), self.out)
                found = ctypes.string_at(self.out, 4 * count)
                if found != told and not self.same(memoryview(found).cast("I").tolist(), memoryview(told).cast("I").tolist()):
                    return express, number
        return None

    def same(self, words, others):
        """Whether two turns tell the same but for when it was looked up what lent SMs hold: words of SMs that are lent in one of them,
        and the sequence numbers of assignments, which such an SM gets none of."""
        if words[2] != others[2]:
            return False
        first = 3 + words[2] * SLOT_WORDS
        behind = first + self.sms * SM_WORDS
        for row in range(first, behind, SM_WORDS):
            if words[row + LENT] or others[row + LENT]:
                words[row:row + SM_WORDS] = others[row:row + SM_WORDS]
            elif words[row + SYNC] == others[row + SYNC] == SYNC_NONE:
                words[row + TASK_ASSIGN] = others[row + TASK_ASSIGN]
            words[row + TASK_ASSIGN] &= SLOT
            others[row + TASK_ASSIGN] &= SLOT
        for told in (words, others):
            for row in range(behind + 1, behind + 1 + told[behind] * PACKET_WORDS, PACKET_WORDS):
                told[row + PACKET_ASSIGN] &= SLOT
        return words == others

    def turn(self):
        """Carry out `ops`, and make one turn."""
        ops = (ctypes.c_uint32 * len(self.ops))(*self.ops)
        count = self.library.model_turn(ops, len(self.ops), self.out)
        self.ops.clear()
        if not count:
            raise Broken("an assertion of the units failed: see the output")
        self.turns.append((ops, ctypes.string_at(self.out, 4 * count)))
        words = self.out[:count]
        at = [2]

        def rows(make, width, number=None):
            if number is None:
                number = words[at[0]]
                at[0] += 1
            first = at[0]
            at[0] = last = first + number * width
            return [make(*words[n:n + width]) for n in range(first, last, width)]

        return Seen(bool(words[0]), words[1], rows(Slot, SLOT_WORDS), rows(Sm, SM_WORDS, self.sms),
                    rows(Packet, PACKET_WORDS), rows(lambda *answer: answer, 3),
                    rows(Completion, COMPLETION_WORDS))
