# SPDX-License-Identifier: Apache-2.0
"""PULL grids of CTAs that are so short that an SM runs many of them without a trap between them. Time is what was executed, so that
they are short however busy the machine is."""
import re

import pytest

from print_support import printed
from support import LONG, expect, words, zeros

CTAS = 3000


@pytest.fixture
def runs(fresh, load):
    """A device of two SMs, its kernels, and words for their counts."""
    dev = fresh(2, icount=True)
    return dev, load(dev, "runs"), zeros(dev, 1 + CTAS)


def counted(place, ctas=CTAS):
    """How often each CTA ran. There were runs."""
    many, *found = words(place.read())
    assert many > ctas // 2
    return found


def test_each_begins_anew(runs):
    """S4-R16, S0-R42: each CTA runs once, with the rounding mode and the flags that a CTA begins with."""
    dev, module, place = runs
    seen = zeros(dev, 1)
    done = dev.submit(module["rounding"], grid=CTAS, block=1, args=[place, seen], mode="pull").wait(LONG)
    assert counted(place) == [1] * CTAS and done.ctas == CTAS and words(seen.read()) == [0]


def test_a_failure_names_its_cta(runs):
    """S0-R12, S4-R49: in the midst of a run the CTA that fails is named, those before it are counted, and none after it runs."""
    dev, module, place = runs
    for _ in range(2):
        error = expect("ERR_ABORTED", dev.submit(module["fails"], grid=CTAS, block=1, args=[place, 1777], mode="pull", affinity=[1]).wait, LONG)
        assert (error.record.cta, error.record.sm, error.done.ctas) == (1777, 1, 1777)
        assert counted(place, 1777) == [1] * 1778 + [0] * (CTAS - 1778)
        place.write(bytes(4 * (1 + CTAS)))


def test_a_question_in_between(runs):
    """S4-R16: a CTA that waits for an answer goes on where it was, and the rest of its run follows."""
    dev, module, place = runs
    output = printed(dev, module["prints"], grid=CTAS, block=1, args=[place, 97], mode="pull")
    assert counted(place) == [1] * CTAS
    assert sorted(int(cta) for cta in re.findall(r"\[(\d+)\]", output)) == list(range(0, CTAS, 97))
