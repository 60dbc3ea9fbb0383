# SPDX-License-Identifier: Apache-2.0
"""The global entry that units pull from: pull.pml."""
import pytest

import checker

# Macros of the planted fault, and what Spin has to say about it.
FAULTS = [
    # Load, then store, in place of the AMO.
    (["LOAD_STORE"], "==granted"),
    # The last grant is not cut to what is left.
    (["NO_CUT"], "<=tn"),
    # The entry is freed when WIR is 0.
    (["FREE_AT_ZERO"], "(items=="),
    # ... when all items ran, though some units have not seen it empty.
    (["FREE_WHEN_DONE"], "(open==set)"),
    # ... though the rest of a dead or recalled unit waits.
    (["FREE_WITH_REST"], "(items=="),
    # ... when all approved units are gone, though WIR is above 0.
    (["FREE_WITH_WIR", "TN1=1"], "(items=="),
    # A recalled unit counts before it has answered.
    (["SEEN_AT_RECALL"], "(open==set)"),
    # A unit looks once more after its report.
    (["TOUCH_AFTER_SEEN"], "(open==set)"),
    # A kill hits between the AMO and the record of the chunk.
    (["KILL_IN_TAKE"], "(items=="),
    # Nobody is approved anew when all are gone.
    (["NO_RESUME", "TN1=1"], "invalid end state"),
]


def test_each_item_once_and_no_early_free():
    """Three units, two sets one after the other in an entry, a kill and a recall at every place:
    S4-R112, S4-V8, S4-R114, S4-R47, S4-R103, S4-R113, S4-R115, S4-V11, S4-R116, S4-R49, S4-R92.
    Every statement of the model is reached."""
    outcome = checker.holds("pull.pml", least=1000000)
    ends = ("-end-", "finished")
    assert [line for line in outcome.unreached if not any(end in line for end in ends)] == []


def test_two_kills():
    """The same with two units killed, at the same time as well: S4-R112, S4-R115, S4-R116."""
    checker.holds("pull.pml", ["KILLS=2", "RECALLS=0", "TN1=3", "TN2=2"], least=400000)


def test_both_sets_end():
    """No deadlock and no cycle: in every run the entry is freed, and used again: S4-V11, S4-R21."""
    checker.holds("pull.pml", ["TN1=3", "TN2=2"], liveness=True, least=400000)


def test_reset_inside_a_take_is_noticed():
    """A unit that is reset between its AMO and its record takes a chunk along that nobody knows:
    the count of items tells, so the set ends with an error: S4-R112, S4-R116."""
    checker.holds("pull.pml", ["HARD_RESET", "RECALLS=0"], least=200000)


@pytest.mark.parametrize("fault, expected", FAULTS, ids=checker.name)
def test_planted_fault_is_found(fault, expected):
    """Each rule of the protocol is needed: S4-R112, S4-R47, S4-R115, S4-R116."""
    checker.finds("pull.pml", fault, expected)
