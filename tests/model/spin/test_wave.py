# SPDX-License-Identifier: Apache-2.0
"""SMs that count their ends in a wave: wave.pml."""
import pytest

import checker

# Macros of the planted fault, and what Spin has to say about it.
FAULTS = [
    # Load, then store, in place of the AMO.
    (["LOAD_STORE"], "invalid end state"),
    # An SM does not look whether the wave is open after it has counted itself,
    (["NO_LOOK"], "invalid end state"),
    # ... or looks before that.
    (["LOOK_FIRST"], "invalid end state"),
    # An SM says that it was counted before it is: the next wave begins too early.
    (["ACK_FIRST"], "assertion violated"),
    # An SM reads the entry after it was counted, when the next wave may have begun.
    (["LATE_SERIAL"], "assertion violated"),
    # The control processor does not look at what was counted before it opened the wave,
    (["NO_SCAN"], "invalid end state"),
    # ... or looks before it opens it.
    (["SCAN_FIRST"], "invalid end state"),
    # It does not write that the wave is open.
    (["NO_OPEN"], "invalid end state"),
    # It leaves the wave closed when an SM reports.
    (["NO_OPEN_AT_REPORT"], "invalid end state"),
]


def test_each_sm_is_taken_once():
    """Two SMs, two waves one after the other in an entry, a failure, and a demand at every place: each SM is taken
    once, after its CTAs have ended, and none is forgotten: S0-R34."""
    checker.holds("wave.pml", least=100000)


def test_three_sms():
    """The same with three SMs and one wave."""
    checker.holds("wave.pml", ["SMS=3", "WAVES=1"], least=100000)


@pytest.mark.parametrize("fault, expected", FAULTS, ids=checker.name)
def test_planted_fault_is_found(fault, expected):
    """Each rule of the protocol is needed."""
    checker.finds("wave.pml", fault, expected)
