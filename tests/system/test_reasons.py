# SPDX-License-Identifier: Apache-2.0
"""Why CTAs were kept back: each reason is counted for what it is, in completions, in slots and in
PERF."""
import pytest

import ganger
from support import LONG, Held, expect, until, zeros

REASONS = ("slot", "sm", "affinity", "throttle", "sequence", "quota", "coalesce", "dependence",
           "cluster", "suspended")
# In turns: an SM that was just assigned a task takes nothing else until it has acknowledged it.
ASSIGNING = 2


def check(done, reason, also=()):
    """`reason` has risen, and nothing else but for the turns until SMs had acknowledged the
    task."""
    assert set(done.not_issued) == set(REASONS)
    counted = {name: turns for name, turns in done.not_issued.items() if turns}
    if "sm" not in also and reason != "sm" and counted.get("sm", 0) <= ASSIGNING:
        counted.pop("sm", None)
    assert reason in counted and set(counted) <= {reason, *also}, done.not_issued


def turns(dev, count=20):
    """Lets the control processor's loop turn between what the host did before and what it does next. It may take the first of
    these commands in one turn with what was posted before, and in the turn of the last one see what comes of the next."""
    for _turn in range(count + 2):
        dev.nop()


def full(dev, module, **keywords):
    """CTAs that fill the device and wait."""
    held = Held(dev, module, dev.info.sms * dev.info.sm_ctas, **keywords)
    held.await_started()
    return held


def reason_in_slot(dev, task):
    """What the slot of a task says now."""
    return next(slot.reason.name() for slot in dev.regs.slot
                if slot.tag.read() == task.tag and slot.state.name() != "FREE")


def test_nothing_keeps_it_back(device, load):
    """S0-R12, S0-R15: a task that is issued at once has no reason."""
    dev = device(8)
    done = dev.submit(load(dev, "work")["blank"], grid=8).wait(LONG)
    assert sum(done.not_issued.values()) <= ASSIGNING


def test_slot(device, load):
    """S0-R12: pending behind a full task table."""
    dev = device(1)
    module = load(dev, "work")
    with full(dev, module):
        table = [dev.submit(module["blank"]) for _slot in range(dev.info.slots - 1)]
        task = dev.submit(module["blank"])
        until(lambda: dev.query("TASKS") == dev.info.slots + 1, "all are accepted")
        turns(dev)
    check(task.wait(LONG), "slot", also=("sm",))
    assert task.wait(LONG).not_issued["slot"] >= 20
    assert all(one.wait(LONG).not_issued["slot"] == 0 for one in table)


def test_sm(device, load):
    """S0-R30, S0-R35: in the table, and no SM has room."""
    dev = device(2)
    module = load(dev, "work")
    with full(dev, module) as held:
        task = dev.submit(module["blank"])
        turns(dev)
        assert reason_in_slot(dev, task) == "SM"
        assert reason_in_slot(dev, held.task) == "NONE"
    check(task.wait(LONG), "sm")
    assert task.wait(LONG).not_issued["sm"] >= 20


def test_affinity(device, load):
    """S0-R25: the SMs that it may use have no room, others have."""
    dev = device(2)
    module = load(dev, "work")
    with Held(dev, module, dev.info.sm_ctas, affinity=[1]) as held:
        held.await_started()
        task = dev.submit(module["blank"], affinity=[1])
        turns(dev)
        assert reason_in_slot(dev, task) == "AFFINITY"
        assert dev.submit(module["blank"]).wait(LONG).not_issued["affinity"] == 0
    check(task.wait(LONG), "affinity")


def test_throttle(device, load):
    """S0-R22: the mode does not match; also for those that wait until it is off again."""
    dev = device(2)
    module = load(dev, "work")
    with Held(dev, module, 1) as held:
        held.await_started()
        with Held(dev, module, 1, throttle=True) as throttle:
            after = dev.submit(module["blank"])
            turns(dev)
            assert reason_in_slot(dev, throttle.task) == "THROTTLE" == reason_in_slot(dev, after)
            held.release()
            throttle.await_started()
            turns(dev)
            assert reason_in_slot(dev, throttle.task) == "NONE"
    check(throttle.task.wait(LONG), "throttle")
    check(after.wait(LONG), "throttle")
    assert held.task.wait(LONG).not_issued["throttle"] == 0


def test_sequence(device, load):
    """S0-R23: a CTA of a sequential task is in flight."""
    dev = device(2)
    with Held(dev, load(dev, "work"), 4, sequential=True) as held:
        held.await_started(1)
        turns(dev)
        assert reason_in_slot(dev, held.task) == "SEQUENCE"
    check(held.task.wait(LONG), "sequence")
    assert held.task.wait(LONG).not_issued["sequence"] >= 20


def test_quota(device, load):
    """S0-R24: the quota is used, and another of the priority has its turn and takes what room there
    is."""
    dev = device(1)
    module = load(dev, "work")
    alone = dev.submit(module["blank"], grid=100, quota=3)
    assert alone.wait(LONG).not_issued["quota"] == 0, "it goes on at once"
    with full(dev, module, priority=1):
        tasks = [dev.submit(module["hash"], grid=12, quota=2, args=[zeros(dev, 12), 1, 20])
                 for _task in range(3)]
        until(lambda: dev.query("TASKS") == 4, "all are accepted")
    for task in tasks[:2]:
        check(task.wait(LONG), "quota", also=("sm",))


def test_coalesce(device, load):
    """S0-R06: a queue task waits for items."""
    dev = device(2)
    out = [zeros(dev, 8), zeros(dev, 8), zeros(dev, 1)]
    task = dev.queue(load(dev, "queue")["consume"], args=out, capacity=8, item_bytes=8, items=4,
                     coalesce_us=None)
    turns(dev)
    task.push(bytes(8 * 3))
    turns(dev)
    task.push(bytes(8))
    task.close()
    check(task.wait(LONG), "coalesce")
    assert task.wait(LONG).not_issued["coalesce"] >= 40


def test_dependence(device, load):
    """S0-R01, S0-R08: a task that waits for another one, in the table or not."""
    dev = device(2)
    module = load(dev, "work")
    with Held(dev, module, 1) as held:
        held.await_started()
        task = dev.submit(module["blank"], after=[held.task])
        later = dev.signal(after=[task])
        turns(dev)
    for one in (task, later):
        check(one.wait(LONG), "dependence")
        assert one.wait(LONG).not_issued["dependence"] >= 20


def test_suspended(device, load):
    """S0-R13: a task that was suspended, before its first CTA or in the middle."""
    dev = device(1)
    module = load(dev, "work")
    with full(dev, module) as held:
        task = dev.submit(module["blank"])
        until(lambda: dev.query("TASKS") == 2, "it is accepted")
        task.suspend()
        held.release()
        held.task.wait(LONG)
        turns(dev)
        task.resume()
    check(task.wait(LONG), "suspended", also=("sm",))
    assert task.wait(LONG).not_issued["suspended"] >= 20
    with Held(dev, module, 12) as half:
        half.await_started(8)
        half.task.suspend()
        half.release()
        until(lambda: dev.query("DEVICE") == 0, "those in flight end")
        turns(dev)
        half.task.resume()
    check(half.task.wait(LONG), "suspended", also=("sm", "slot"))


@pytest.mark.parametrize("reason", [name for name in REASONS if name not in ("cluster", "suspended")])
def test_sums_of_the_device(device, load, reason):
    """S0-R12: PERF holds the sums of the completed tasks, reason by reason."""
    dev = device(2)
    module = load(dev, "work")
    before = dev.stat()
    with Held(dev, module, 1, priority=1) as held:
        held.await_started()
        tasks = [dev.submit(module["blank"], grid=40, sequential=index % 3 == 1,
                            quota=4 if index % 3 == 2 else None, throttle=index % 20 == 7,
                            affinity=[index % 2] if index % 5 == 3 else None,
                            after=[held.task] if index % 7 == 5 else ())
                 for index in range(60)]
        turns(dev)
    waiting = dev.queue(load(dev, "queue")["consume"], capacity=4, item_bytes=8, items=4,
                        coalesce_us=None, args=[zeros(dev, 4), zeros(dev, 4), zeros(dev, 1)])
    turns(dev)
    waiting.close()
    done = [task.wait(LONG) for task in (held.task, *tasks, waiting)]
    risen = dev.stat()[f"not_issued_{reason}"] - before[f"not_issued_{reason}"]
    assert risen == sum(one.not_issued[reason] for one in done) > 0


def test_cancelled_task_has_them_too(device, load):
    """S0-R12: the completion of a task that failed says what kept it back until then."""
    dev = device(1)
    module = load(dev, "work")
    with full(dev, module):
        task = dev.submit(module["blank"])
        turns(dev)
        task.cancel()
        error = expect("ERR_CANCELLED", task.wait, LONG)
    assert isinstance(error, ganger.Error)
    check(error.done, "sm")
