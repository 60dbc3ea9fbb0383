# SPDX-License-Identifier: Apache-2.0
"""Ten thousand CGAs of random sizes among plain grids, with members that do something wrong."""
import collections
import contextlib

import pytest

import ganger
from cluster_random import (ABORT, ACCESS, BAD_RANK, ENDLESS, GOOD, LATE, LATE_MAP, LATE_READ, LATE_WRITE, LEAVE,
                            STATUS, Randoms)
from cluster_support import TREES
from support import LONG, configured, expect, run_good_task, words, zeros

BATCH = 40  # Tasks on their way at once, twice.
DEEDS = (ABORT, ABORT, ACCESS, ACCESS, BAD_RANK, ENDLESS, LATE_READ, LATE_READ, LATE_READ, LATE_WRITE, LATE_WRITE,
         LATE_MAP)


def one_of(randoms, rng, most):
    """Half are good grids of CGAs, the others plain ones and bad ones."""
    number = rng.random()
    if number < 0.25:
        return randoms.plain()
    if number >= 0.5:
        return randoms.cgas(rng.choice((GOOD, GOOD, LEAVE)), most)
    if not randoms.deeds:  # In a random order, but all of them: none is left out by chance.
        randoms.deeds = rng.sample(DEEDS, len(DEEDS))
    return randoms.cgas(randoms.deeds.pop(), most)


def disturb(tasks, rng):
    """Cancels a task, or suspends another one for a while; it may be over already. Returns tags of those cancelled."""
    cancelled, (first, second) = [], rng.sample(tasks, 2)
    with contextlib.suppress(ganger.Error):
        first.cancel()
        cancelled.append(first.tag)
    with contextlib.suppress(ganger.Error):
        second.suspend()
        second.resume()
    return cancelled


def finish(tasks, plans, cancelled, found):
    """Waits for tasks; the status of each must be its own."""
    for task, plan in zip(tasks, plans):
        try:
            done, error = task.wait(LONG), None
        except ganger.Error as failure:
            done, error = task.poll(), failure
        assert done is not None and done.tag == task.tag, error
        if task.tag not in cancelled or done.status != "ERR_CANCELLED":
            assert done.status == plan.status, (error, plan)
            if error is not None and error.record is not None:  # It is overwritten after some more.
                assert error.record.status == plan.status and error.record.cga is not None
        found[done.status] += 1


def check_words(out, plan, cancelled):
    """Each CTA once; of a task that was cancelled at most once."""
    if plan.expected is not None:
        found = out[plan.place:plan.place + len(plan.expected)]
        if cancelled:
            found = [value or right for value, right in zip(found, plan.expected)]
        assert found == plan.expected, plan


def run(dev, load, rng, cgas, most, ids=256):
    """Until so many CGAs were launched. Returns how many tasks had which status."""
    randoms, statuses = Randoms(dev, load, rng, ids), collections.Counter()
    before, traffic, plans, behind, cancelled = dev.stat(), dev.traffic(), [], ([], []), set()
    while dev.stat()["cgas"] - before["cgas"] < cgas:
        batch = [one_of(randoms, rng, most) for _task in range(BATCH)]
        tasks = dev.submit_many([plan.work for plan in batch], timeout=LONG)
        cancelled.update(disturb(tasks, rng))
        finish(*behind, cancelled, statuses)
        behind = (tasks, batch)
        plans += zip((task.tag for task in tasks), batch)
    finish(*behind, cancelled, statuses)
    assert randoms.found_wrong() == {}
    out = words(randoms.out.read())
    for tag, plan in plans:
        check_words(out, plan, tag in cancelled)
    stat, after = dev.stat(), dev.traffic()
    assert sum(statuses.values()) == len(plans) == stat["tasks_accepted"] - before["tasks_accepted"]
    assert after["completed"] - traffic["completed"] == after["posted"] - traffic["posted"]
    assert after["unknown"] == 0 and dev.orphans() == []
    return statuses


def test_ten_thousand(device, load, seed):
    """S1-C1, S1-C10, S1-C14, S1-C20, S1-R121, S1-R133, S1-R134, S1-R136, S1-R142, S1-R143, S1-R145, S1-R146, S1-R148, S1-R149,
    S1-R151, S1-R152, S1-R155, S1-R156, S1-R197, S1-R200, S1-Q18, S1-Q20: 10,000 CGAs of random sizes, levels and domains
    among plain grids, on 8 SMs in GPCs of 1, 2 and 5: every good result is right, every bad task has its own status
    once; some are cancelled or suspended; no CGA sees another one's memory or id, also where a member goes on to use that of one that has ended."""
    dev = device(8)
    with configured(dev, group=TREES[8]):
        statuses = run(dev, load, seed, 10_000, 60)
    assert set(statuses) - {"ERR_CANCELLED"} == {"OK", *STATUS.values()}
    assert dev.query("TASKS") == 0 and dev.query("DEVICE") == 0
    run_good_task(dev, load(dev, "work"))


@pytest.mark.shared
@pytest.mark.parametrize("ids", [1, 2, 5])
def test_few_ids(device, load, seed, ids):
    """S1-R139, S1-R141, S1-R142, S1-R143, S1-R149, S1-R153, S1-R196, S1-T9: the same with very few ids in each pool: CGAs stall
    until an id is free, and none is used by two at the same time."""
    dev = device(8)
    stalls = dev.stat()["cga_stalls"]
    with configured(dev, group=TREES[8], cga_ids=ids):
        statuses = run(dev, load, seed, 2000, 12, ids)
    assert dev.stat()["cga_stalls"] > stalls and {STATUS[deed] for deed in LATE} <= set(statuses)


def test_many_sms(device, load, seed):
    """S1-C1, S1-C20, S1-R134, S1-R143, S1-R152: some on 32 SMs in GPCs of 3, 9 and 20."""
    dev = device(32)
    with configured(dev, group=TREES[32]):
        run(dev, load, seed, 2000, 20)


@pytest.mark.shared
@pytest.mark.parametrize("deed", [ABORT, ACCESS, ENDLESS, BAD_RANK])
def test_the_first_fault_is_told(device, load, deed):
    """S1-R155, S1-R156, S1-C20: a member fails while all others go on to read its memory: the task's status and record
    are those of the failure, not of an access that came too late because of it."""
    dev = device(8)
    kernel = load(dev, "cluster_load")["read_and_fail"]
    for _run in range(40):
        error = expect(STATUS[deed], dev.submit(
            kernel, grid=16, cluster=16, cluster_in="gpu", block=1, args=[zeros(dev, 1), deed],
            time_limit_ms=30 if deed == ENDLESS else None).wait, LONG)
        assert deed == ENDLESS or error.record.rank == 0


@pytest.mark.parametrize("deed", [ABORT, ACCESS, ENDLESS, BAD_RANK])
def test_nobody_passes_without_it(device, load, deed):
    """S1-R135, S1-R136, S1-Q20: a barrier does not open because a member failed on the way to it."""
    dev, passed = device(8), zeros(device(8), 1)
    kernel = load(dev, "cluster_load")["fail_and_wait"]
    for number in range(100):
        expect(STATUS[deed], dev.submit(
            kernel, grid=16, cluster=[(8,), (2,)], block=1, args=[passed, deed, number % 2],
            time_limit_ms=5 if deed == ENDLESS else None).wait, LONG)
    assert words(passed.read()) == [0]
