# SPDX-License-Identifier: Apache-2.0
"""The floor: a share of the CTAs for lower priorities while higher ones keep the device busy. All
by counting CTAs in the order in which they were launched."""
import itertools

import pytest

from support import LONG, Held, configured, until
from workload import launch_order, tracing

SHARES = [50, 200, 500]
# Of the highest priority, by floor; with the others they fit into the trace.
CTAS = {50: 400, 200: 280, 500: 160}


def order_of(dev, module, works):
    """Posts (priority, CTAs) tasks while the device is full; returns them, and the index of the
    task of each CTA in the order of launch, once all were posted."""
    most = dev.info.sms * dev.info.sm_ctas
    with tracing(dev) as traced:
        with Held(dev, module, most, priority=1) as held:
            held.await_started()
            tasks = [dev.submit(module["blank"], grid=(ctas,), priority=priority, mode="balance")
                     for priority, ctas in works]
            until(lambda: dev.query("TASKS") == len(tasks) + 1, "all are accepted")
            dev.trace()  # The ring is small: what it has now is kept.
        for task in tasks:
            task.wait(LONG)
    number = {task.tag: index for index, task in enumerate(tasks)}
    return tasks, [number[tag] for tag, _cta in launch_order(traced.result) if tag in number]


def share_of(order, low, high):
    """Part of the CTAs that went to tasks `low`, in thousandths, while the tasks `high` had the
    first four fifths of theirs: towards the end, those that are planned for an SM that has not
    acknowledged them yet do not count as left."""
    places = [place for place, index in enumerate(order) if index in high]
    end = places[len(places) * 4 // 5]
    return 1000 * sum(index in low for index in order[:end]) / end


@pytest.mark.parametrize("sms", [1, 8])
@pytest.mark.parametrize("floor", SHARES)
def test_share_of_the_lowest(device, load, sms, floor):
    """S0-R26: with a floor the lowest priority has its share of the CTAs, within a fifth, while
    grids of the highest run."""
    dev = device(sms)
    high, each = range(1, 21), CTAS[floor] // 20
    with configured(dev, floor_per_mille=floor):
        tasks, order = order_of(dev, load(dev, "work"), [(10, 200)] + [(1, each)] * 20)
    assert share_of(order, {0}, high) == pytest.approx(floor, rel=0.2)
    assert sorted(order) == sorted([0] * 200 + list(high) * each)
    assert all(task.wait(LONG).status == "OK" for task in tasks)


@pytest.mark.parametrize("sms", [1, 8])
def test_without_a_floor(device, load, sms):
    """S0-R26: with a floor of 0 the lowest priority has no CTA until the higher ones have none
    left."""
    dev = device(sms)
    planned = dev.info.sm_ctas * (sms - 1)  # no longer left, and launched later by other SMs
    assert dev.config.floor_per_mille == 0
    _tasks, order = order_of(dev, load(dev, "work"), [(10, 100)] + [(1, 25)] * 20)
    assert order.index(0) >= 500 - planned
    if sms == 1:
        assert order[:500] == [index for index in range(1, 21) for _cta in range(25)]


def crowd(dev, low, ctas):
    """Twice as many tasks of a high priority as the task table has slots, behind those of `low`."""
    high = range(len(low), len(low) + 2 * dev.info.slots)
    return high, low + [(2, ctas)] * len(high)


@pytest.mark.parametrize("floor", SHARES)
def test_table_full_of_high_priorities(device, load, floor):
    """S0-R12, S0-R26: the lowest priority has its share also when more tasks of a high one wait
    than the task table has slots."""
    dev = device(2)
    high, works = crowd(dev, [(10, 200)], CTAS[floor] // (2 * dev.info.slots))
    with configured(dev, floor_per_mille=floor):
        _tasks, order = order_of(dev, load(dev, "work"), works)
    assert share_of(order, {0}, high) == pytest.approx(floor, rel=0.2)


def test_lower_priorities_share(device, load):
    """S0-R26: several lower priorities have the share in turn."""
    dev = device(1)
    low = [0, 1, 2, 3]
    with configured(dev, floor_per_mille=400):
        _tasks, order = order_of(dev, load(dev, "work"),
                                 [(10, 50), (7, 50), (4, 50), (9, 50)] + [(1, 10)] * 20)
    for index in low:
        assert share_of(order, {index}, range(4, 24)) == pytest.approx(100, rel=0.2)


def turns_of(order, low):
    """Tasks of `low` by their turns: CTAs that follow one another, whoever else had some between."""
    return [index for index, _ctas in itertools.groupby(index for index in order if index in low)]


def test_pending_lower_priorities_share(device, load):
    """S0-R12, S0-R26: so have those that wait for a slot of a full task table. How many CTAs a turn has depends on how
    long the task took to get to its slot; whose turn it is does not, but for the moment when the table is full no
    more."""
    dev = device(1)
    low = [2, 1, 3, 0]  # By priority.
    high, works = crowd(dev, [(10, 40), (7, 40), (4, 40), (9, 40)], 3)
    with configured(dev, floor_per_mille=400):
        _tasks, order = order_of(dev, load(dev, "work"), works)
    assert share_of(order, low, high) == pytest.approx(400, rel=0.2)
    shared = order[:max(place for place, index in enumerate(order) if index in high)]
    turns = turns_of(shared, low)
    left = {index: turns.count(index) for index in low}
    in_turn = 0
    for turn, following in itertools.pairwise(turns):
        left[turn] -= 1
        place = low.index(turn)
        in_turn += following == next(one for one in low[place + 1:] + low[:place + 1] if left[one])
    assert len(turns) > 8 and in_turn >= (len(turns) - 1) * 3 // 4, turns


def test_nothing_is_saved_up(device, load):
    """S0-R26: while nobody of a lower priority waits nothing is saved up for later."""
    dev = device(1)
    module = load(dev, "work")
    with configured(dev, floor_per_mille=100):
        dev.submit(module["blank"], grid=(5000,), priority=1).wait(LONG)
        _tasks, order = order_of(dev, module, [(10, 100), (1, 200)])
    assert 0 not in order[:9] and share_of(order, {0}, {1}) == pytest.approx(100, rel=0.2)


def test_changes_at_run_time(device, load):
    """S0-R26: the floor is changed while tasks wait; back at 0 the order is strict again."""
    dev = device(1)
    module = load(dev, "work")
    for floor in (300, 0, 100, 0):
        with configured(dev, floor_per_mille=999):
            dev.config(floor_per_mille=floor)
            _tasks, order = order_of(dev, module, [(8, 100), (3, 200)])
        if floor:
            assert share_of(order, {0}, {1}) == pytest.approx(floor, rel=0.2)
        else:
            assert order[:200] == [1] * 200
