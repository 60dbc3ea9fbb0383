# SPDX-License-Identifier: Apache-2.0
"""Packets, reports and sleep between the control processor and an SM: rings.pml."""
import pytest

import checker

# Macros of the planted fault, and what Spin has to say about it.
FAULTS = [
    # The SM clears its interrupt after it has read how many packets there are.
    (["CLEAR_LATE"], "invalid end state"),
    # The control processor reads how many reports there are before it reads the bell.
    (["HEARD_LATE"], "invalid end state"),
    # It takes its interrupt back after it has looked, then sleeps.
    (["TAKEN_LATE"], "invalid end state"),
    # The slot gets the next task before the CTAs of the last one are heard of.
    (["SLOT_EARLY", "PACKETS=2"], "primed==task"),
    # An SM takes no task's state but the first one's.
    (["NO_PRIME"], "primed==task"),
    # The count of packets before the packet, or of reports before the report.
    (["COUNT_FIRST"], "(number=="),
    (["PUT_FIRST"], "(number!=0)"),
    # The interrupt before the count, or before the bell.
    (["RING_FIRST"], "invalid end state"),
    (["BELL_LATE"], "invalid end state"),
    # More CTAs than entries of a ring.
    (["UNITS=3"], "(number=="),
]


def test_nothing_is_lost():
    """Two tasks, one after the other in a slot, three packets each, and rings of two entries: each CTA runs once, with
    the state of its task taken and acknowledged before, each report is taken, and nobody sleeps for ever: S0-C2."""
    checker.holds("rings.pml", least=75000)


@pytest.mark.parametrize("fault, expected", FAULTS, ids=checker.name)
def test_planted_fault_is_found(fault, expected):
    """Each rule of the protocol is needed."""
    checker.finds("rings.pml", fault, expected)
