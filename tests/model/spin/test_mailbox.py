# SPDX-License-Identifier: Apache-2.0
"""Commands, completions and the reset of a channel: mailbox.pml."""
import pytest

import checker

# Macros of the planted fault, and what Spin has to say about it.
FAULTS = [
    # The control processor clears its interrupt after it has read the bell.
    (["CLEAR_LATE"], "invalid end state"),
    # The host raises no bell, or raises it before it shows the command.
    (["NO_BELL"], "invalid end state"),
    (["BELL_FIRST"], "invalid end state"),
    # It asks for a reset before it has cleared its count.
    (["RESET_FIRST"], "invalid end state"),
    # The control processor says that the reset is done before it has cleared its own.
    (["DONE_FIRST"], "invalid end state"),
    # The host makes room in a full ring of completions and does not ring,
    (["NO_RING_WHEN_FULL"], "invalid end state"),
    # ... or looks whether it was full before it makes the room.
    (["FULL_EARLY"], "invalid end state"),
    # A full ring does not interrupt a host that wants no interrupt.
    (["NO_INTERRUPT_WHEN_FULL"], "invalid end state"),
    # The interrupt before the count of completions.
    (["INTERRUPT_FIRST"], "invalid end state"),
]


def test_nothing_is_lost():
    """Four commands, with and without interrupts, rings of two entries, and a reset at every place where nothing waits:
    each command is answered once, in order, and nobody sleeps for ever. Every statement of the model is reached."""
    outcome = checker.holds("mailbox.pml", least=1000000)
    assert [line for line in outcome.unreached if "-end-" not in line] == []


@pytest.mark.parametrize("fault, expected", FAULTS, ids=checker.name)
def test_planted_fault_is_found(fault, expected):
    """Each rule of the protocol is needed."""
    checker.finds("mailbox.pml", fault, expected)
