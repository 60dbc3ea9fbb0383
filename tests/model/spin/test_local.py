# SPDX-License-Identifier: Apache-2.0
"""The local queue of a far group: local.pml."""
import pytest

import checker

# Macros of the planted fault, and what Spin has to say about it.
ITEMS = ["PORTION=1", "ITEMS=4"]
# With portions of one granule, a parity is soon used again.
SMALL = ["PORTION=1", "ITEMS=4"]
# Macros of the planted fault, and what Spin has to say about it.
FAULTS = [
    # Compare, then store, in place of the swap.
    (["LOAD_STORE"], "(ran&"),
    # First and count are read after the swap.
    (["READ_AFTER", *SMALL], "(ran&"),
    # The state has no seq; who has swapped the word stores NONE.
    (["NO_TAG"], "(ran&"),
    # The fetcher uses the seq that it read before it won.
    (["STALE_SEQ"], "(ran&"),
    # STAGED is stored before first and count.
    (["EARLY_STAGED"], "(ran&"),
    # Nobody asks whether a fetch is under way.
    (["NO_FLAG"], "flying"),
    # seq stays when the next portion is taken into use.
    (["SEQ_KEPT"], ">=0"),
    # seq is so short that it comes round while a unit stands still.
    (["SEQS=2", *SMALL], "(ran&"),
    # The CP issues the portion of a dead fetcher though it was published.
    (["RECLAIM_ALWAYS", "KILLS=1"], "(ran&"),
    # Nobody collects what the last unit leaves.
    (["NO_COLLECT", "LEAVES=1"], "(ran=="),
    # Units wait for a dead fetcher.
    (["NO_WAY_OUT", "KILLS=1"], "invalid end state"),
]


def test_each_item_once():
    """Three far units and a near one; portions of 2, so that a parity is used again: S4-R112,
    S4-V8, S4-R74, S4-R83, S4-R86, S4-R87, S4-R88, S4-R63, S4-R64; one fetch under way at
    most: S4-R85, S4-V9; one decrement for each portion: S4-R71, S4-R89; nothing is left: S4-R82."""
    checker.holds("local.pml", least=4000000)


def test_many_portions():
    """Portions of one granule: a take is a fetch as well: S4-R112, S4-R85, S4-V9, S4-R71."""
    checker.holds("local.pml", ["PORTION=1", "ITEMS=3"], least=1000000)


def test_two_groups():
    """Two far groups and a near unit at one entry; a recalled unit leaves the rest to its group, or
    to the CP: S4-R112, S4-V8, S4-R74."""
    checker.holds("local.pml", ["GROUPS=2", "LEAVES=1", "ITEMS=3"], least=1000000)


def test_a_fetcher_dies():
    """At every step of its fetch; the others take from the entry itself: S4-R112, S4-R85."""
    checker.holds("local.pml", ["KILLS=1", "ITEMS=3"], least=2000000)


def test_all_runs_end():
    """No deadlock and no cycle, also behind a fetcher that died: S4-R85, S4-R112."""
    checker.holds("local.pml", ["ITEMS=2", "KILLS=1"], liveness=True, least=1000000)


@pytest.mark.parametrize("fault, expected", FAULTS, ids=checker.name)
def test_planted_fault_is_found(fault, expected):
    """Each rule of the protocol is needed: S4-R112, S4-R85, S4-V9."""
    checker.finds("local.pml", fault, expected)
