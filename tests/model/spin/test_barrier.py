# SPDX-License-Identifier: Apache-2.0
"""SMs that count who has come to the barrier of a CGA: barrier.pml."""
import pytest

import checker

# Macros of the planted fault, and what Spin has to say about it.
FAULTS = [
    # Load, then store, in place of the compare-and-swap.
    (["LOAD_STORE"], ""),
    # The last one interrupts nobody,
    (["NO_CALL"], "invalid end state"),
    # ... or does so before it has changed the word.
    (["CALL_FIRST"], "invalid end state"),
    # An SM looks at the word before it takes its interrupt back.
    (["LOOK_FIRST"], "invalid end state"),
    # A CTA that ends is still waited for,
    (["LEAVE_STAYS"], "invalid end state"),
    # ... or is taken out twice, because it had come,
    (["LEAVE_TWICE"], "assertion violated"),
    # ... or nobody is told that it was the last one that was missing.
    (["LEAVE_NO_CALL"], "invalid end state"),
    # A CTA that fails does not break the barrier.
    (["NO_BREAK"], "assertion violated"),
]


def test_all_meet():
    """Three CTAs and three rounds, ends and a failure at every place: nobody passes before all others have come or ended, or
    after one has failed, and none is forgotten: S1-R135, S1-R136."""
    checker.holds("barrier.pml", least=10000)


@pytest.mark.parametrize("fault, expected", FAULTS, ids=checker.name)
def test_planted_fault_is_found(fault, expected):
    """Each rule of the protocol is needed."""
    checker.finds("barrier.pml", fault, expected)
