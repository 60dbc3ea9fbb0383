# SPDX-License-Identifier: Apache-2.0
"""Cancel, suspend and resume of tasks, in every state that they can be in."""
import pytest

import ganger
from queue_support import ITEM_BYTES, Consumed, items_of
from support import LONG, Held, expect, flag_at, run_good_task, until, words, zeros


ATTEMPTS = 50  # to meet a grid half-way: the machine may be slow, and the device fast


def half_way(deed, task):
    """Whether a task was still on its way when it was to be cancelled or suspended."""
    try:
        deed()
    except ganger.Error as error:
        assert error.status == "ERR_TASK" and task.wait(LONG).status == "OK", error
        return False
    return True


def cancelled(task):
    """The completion of a task that was cancelled: exactly one, and no record."""
    error = expect("ERR_CANCELLED", task.wait, LONG)
    assert error.record is None and task.poll() == error.done
    return error.done


def endless(dev, load, ctas=4, **keywords):
    """A task whose CTA 0 never ends, after the others have ended."""
    counts = zeros(dev, ctas)
    task = dev.submit(load(dev, "work")["forever"], grid=ctas, args=[counts, 0], **keywords)
    until(lambda: sum(words(counts.read())) == ctas - 1, "all but one")
    return task


@pytest.mark.parametrize("sms", [1, 8])
def test_cancel_of_a_running_task(device, load, sms):
    """S0-R34: a kernel that never ends is stopped; what ran beside it goes on; its SM is free again."""
    dev = device(sms)
    with Held(dev, load(dev, "work"), 2) as held:
        held.await_started()
        task = endless(dev, load)
        until(lambda: dev.query("DEVICE") == 3, "the endless CTA alone")
        task.cancel()
        done = cancelled(task)
        assert done.ctas == 3 and dev.query("DEVICE") == 2
        assert held.task.poll() is None
    run_good_task(dev, load(dev, "work"))


@pytest.mark.parametrize("sms", [1, 8])
def test_cancel_of_a_large_grid(device, load, sms):
    """S0-R13, S0-R34: a grid of a million CTAs is cancelled half-way: no CTA runs after its completion."""
    dev = device(sms)
    kernel = load(dev, "work")["count"]
    for _attempt in range(ATTEMPTS):
        with zeros(dev, 1 << 20) as counts:
            task = dev.submit(kernel, grid=1 << 20, args=[counts])
            until(lambda: flag_at(counts, 100) == 1, "some CTAs")
            if not half_way(task.cancel, task):
                continue
            done = cancelled(task)
            ran = words(counts.read())
            assert done.ctas <= sum(ran) and max(ran) == 1
            run_good_task(dev, load(dev, "work"))
            assert words(counts.read()) == ran
            if sum(ran) < 1 << 20:
                return
    raise AssertionError("no grid was met half-way")


def test_cancel_of_a_pending_task(device, load):
    """S0-R10, S0-R13: tasks behind a full table, in a slot without a CTA, and one that was evicted, are cancelled."""
    dev = device(1)
    work = load(dev, "work")
    counts = zeros(dev, 9)
    with Held(dev, work, 2 * dev.info.sm_ctas, priority=9) as held:
        held.await_started(dev.info.sm_ctas)
        tasks = [dev.submit(work["count"], grid=9, args=[counts], priority=8)
                 for _task in range(dev.info.slots + 10)]
        until(lambda: dev.query("TASKS") == len(tasks) + 1, "all are accepted")
        for task in (tasks[0], tasks[5], tasks[-1], tasks[-2]):
            task.cancel()
            assert cancelled(task).ctas == 0
        held.release()
        done = [task.wait(LONG).ctas for task in tasks[1:5] + tasks[6:-2]]
        assert set(done) == {9} and words(counts.read()) == [len(done)] * 9
    assert sorted(held.order()) == list(range(2 * dev.info.sm_ctas))


def test_cancel_of_an_evicted_task(device, load):
    """S0-R13, S0-R20: a task that is about to leave its slot for a better one is cancelled."""
    dev = device(1)
    work = load(dev, "work")
    low = [Held(dev, work, 40, priority=9), Held(dev, work, 1, priority=1)]
    low[0].await_started(dev.info.sm_ctas - 1)
    table = [dev.submit(work["blank"], grid=9, priority=8) for _slot in range(dev.info.slots - 2)]
    high = dev.submit(work["blank"], grid=3, priority=1)
    until(lambda: dev.query("TASKS") == dev.info.slots + 1, "all are accepted")
    low[0].task.cancel()
    cancelled(low[0].task)
    low[1].release()
    for task in (*table, high, low[1].task):
        assert task.wait(LONG).status == "OK"


def test_cancel_of_a_held_task(device, load):
    """S0-R02: a task that waits for another is cancelled; a task that waits for it fails, the one that it waited for
    does not."""
    dev = device(8)
    work = load(dev, "work")
    with Held(dev, work, 1) as held:
        second = dev.submit(work["blank"], after=[held.task])
        third = dev.submit(work["blank"], after=[second])
        counted = dev.submit(work["blank"], dependence_count=1)
        for task in (second, counted):
            task.cancel()
            cancelled(task)
        assert expect("ERR_DEPENDENCY", third.wait, LONG).value == second.tag
        assert held.task.poll() is None
    run_good_task(dev, work)


@pytest.mark.parametrize("state", ["empty", "waiting", "running", "full", "closed", "suspended"])
def test_cancel_of_a_queue(device, load, state):
    """S0-R05, S0-R06: a queue task is cancelled while it waits for items, for its time-out, or while its CTAs run."""
    dev = device(8)
    started, go = zeros(dev, 1), zeros(dev, 1)
    queue = dev.queue(load(dev, "queue")["hold"], args=[started, go], capacity=200, items=2,
                      item_bytes=4, coalesce_us=0xfffffffe)
    pushed = {"empty": 0, "waiting": 1, "full": 200}.get(state, 7)
    queue.push(bytes(4 * pushed))
    until(lambda: flag_at(started, 0) >= min(pushed // 2, 8), "the CTAs")
    if state == "closed":
        queue.close()
    if state == "suspended":
        queue.suspend()
    queue.cancel()
    assert cancelled(queue).ctas == 0 and dev.query("DEVICE") == 0
    expect("ERR_TASK", queue.push, bytes(4))
    expect("ERR_TASK", queue.close)
    run_good_task(dev, load(dev, "work"))


def test_cancel_of_what_is_over(device, load):
    """A complete task is not there any more; the second cancel of one says so; its successor at the same place
    is not meant."""
    dev = device(8)
    work = load(dev, "work")
    task = dev.submit(work["blank"], grid=3)
    assert task.wait(LONG).ctas == 3
    for call in (task.cancel, task.suspend, task.resume):
        error = expect("ERR_TASK", call)
        assert (error.field, error.value) == ("command.address", task.address)
    assert task.poll().status == "OK"
    second = endless(dev, load)
    second.cancel()
    cancelled(second)
    expect("ERR_TASK", second.cancel)
    with Held(dev, work, 1) as held:
        for old in (task, second):
            expect("ERR_TASK", dev.command("CANCEL", address=held.task.address,
                                           args=(old.generation + (1 << 31), 0)).wait, LONG)
        assert held.task.poll() is None


def test_cancel_twice_at_once(device, load):
    """Two cancels, of which one may come too late: the task completes once."""
    dev = device(8)
    for _round in range(20):
        task = endless(dev, load, ctas=2)
        name = {"address": task.address, "args": (task.generation, 0)}
        both = [dev.command("CANCEL", channel=channel, **name) for channel in (6, 7)]
        cancelled(task)
        statuses = []
        for one in both:
            until(lambda one=one: one.done, "an answer")
            statuses.append(one.poll().status)
        assert "OK" in statuses and set(statuses) <= {"OK", "ERR_TASK"}


def settled(dev, buffer, index=0):
    """A word that does not change any more for some turns of the loop."""
    until(lambda: dev.query("DEVICE") == 0, "CTAs in flight")
    value = flag_at(buffer, index)
    for _turn in range(20):
        dev.nop()
    assert flag_at(buffer, index) == value
    return value


def suspended_again_and_again(dev, load, task, out, n):
    """Suspends a grid while its CTAs run; how often some had run, and some had not."""
    met, last = 0, 0
    while half_way(task.suspend, task):
        last = settled_sum(dev, out)
        if last == n:
            break
        assert task.poll() is None
        run_good_task(dev, load(dev, "work"))
        assert sum(words(out.read())) == last
        met += last > 0
        task.resume()
        if met == 5:
            break
        until(lambda: task.done or sum(words(out.read())) > last, "CTAs")
    if last == n:
        half_way(task.resume, task)
    assert not met or task.wait(LONG).not_issued["suspended"] > 0
    return met


def settled_sum(dev, buffer):
    """The sum of words that do not change any more for some turns of the loop."""
    until(lambda: dev.query("DEVICE") == 0, "CTAs in flight")
    total = sum(words(buffer.read()))
    for _turn in range(20):
        dev.nop()
    assert sum(words(buffer.read())) == total
    return total


@pytest.mark.parametrize("sms", [1, 8])
def test_suspend_of_a_running_grid(device, load, sms):
    """S0-R13, S0-R01: suspended, a grid starts no CTA, those in flight end; resumed, it goes on where it was: each CTA
    once, again and again."""
    dev = device(sms)
    n, met = 40_000, 0
    for _attempt in range(ATTEMPTS):
        with zeros(dev, n) as out:
            task = dev.submit(load(dev, "work")["count"], grid=n, args=[out])
            met += suspended_again_and_again(dev, load, task, out, n)
            done = task.wait(LONG)
            assert (done.status, done.ctas) == ("OK", n) and words(out.read()) == [1] * n
        if met >= 4:
            return
    raise AssertionError("grids were not met half-way")


def test_suspend_before_it_starts(device, load):
    """S0-R10, S0-R12: pending tasks, and held ones, are suspended: nothing of them runs until they are resumed."""
    dev = device(1)
    work = load(dev, "work")
    counts = zeros(dev, 9)
    with Held(dev, work, dev.info.sm_ctas) as held:
        held.await_started()
        pending = [dev.submit(work["count"], grid=9, args=[counts])
                   for _task in range(dev.info.slots + 5)]
        waiting = dev.submit(work["count"], grid=9, args=[counts], after=[held.task])
        chosen = [pending[0], pending[-1], waiting]
        for task in chosen:
            task.suspend()
            task.suspend()
    others = pending[1:-1]
    assert all(task.wait(LONG).ctas == 9 for task in others)
    assert settled(dev, counts) == len(others) and dev.query("TASKS") == 3
    for task in chosen:
        assert task.poll() is None
        task.resume()
        assert task.wait(LONG).ctas == 9
    assert words(counts.read()) == [len(others) + 3] * 9


def test_suspended_and_no_more(device, load):
    """Resume of a task that runs changes nothing; a suspended one can be cancelled; one whose CTAs are all in
    flight completes."""
    dev = device(8)
    work = load(dev, "work")
    with Held(dev, work, 3) as held:
        held.await_started()
        held.task.resume()
        held.task.suspend()
        stopped = dev.submit(work["blank"], after=[held.task])
        stopped.suspend()
    assert held.task.wait(LONG).ctas == 3
    stopped.cancel()
    assert cancelled(stopped).ctas == 0
    with Held(dev, work, 100, priority=3) as held:
        held.await_started(8)
        held.task.suspend()
        held.task.cancel()
        assert cancelled(held.task).ctas == 0
        held.task = dev.signal()


def test_suspend_of_a_queue(device, load):
    """S0-R05, S0-R06: a suspended queue takes items and starts nothing, also when its time-out passes or it is closed."""
    dev = device(8)
    got = Consumed(dev, 40)
    queue = dev.queue(load(dev, "queue")["consume"], args=got.args, capacity=32, items=4,
                      item_bytes=ITEM_BYTES, coalesce_us=1000)
    queue.push(items_of([1] * 4))
    until(lambda: got.ctas == [4], "the first CTA")
    queue.suspend()
    queue.push(items_of([1] * 10))
    assert settled(dev, got.sizes, 1) == 0
    queue.close()
    assert settled(dev, got.sizes, 1) == 0 and queue.poll() is None
    queue.resume()
    assert queue.wait(LONG).ctas == 4 and got.ctas == [4, 4, 4, 2]
    assert got.values[:14] == [1] * 14


@pytest.mark.parametrize("sms", [1, 8])
def test_storm(device, load, seed, sms):
    """S0-R13, S0-R15: suspends, resumes and cancels of 60 tasks at random: each CTA of those that end well once,
    and one completion for all."""
    dev = device(sms)
    kernel = load(dev, "work")["hash"]
    outs = [zeros(dev, 200) for _task in range(60)]
    tasks = [dev.submit(kernel, grid=200, args=[out, 1, 20], priority=seed.randint(1, 10),
                        channel=seed.randrange(4)) for out in outs]
    gone = set()
    for _step in range(300):
        place = seed.randrange(len(tasks))
        deed = seed.choice(["suspend", "resume", "resume", "suspend", "cancel"])
        if deed == "cancel" and len(gone) > 20:
            continue
        try:
            getattr(tasks[place], deed)()
            gone |= {place} if deed == "cancel" else set()
        except ganger.Error as error:
            assert error.status == "ERR_TASK" and tasks[place].done, error
    for place, task in enumerate(tasks):
        try:
            task.resume()
        except ganger.Error as error:
            assert error.status == "ERR_TASK"
    for place, task in enumerate(tasks):
        if place in gone:
            expect("ERR_CANCELLED", task.wait, LONG)
            assert task.poll().ctas <= 200
        else:
            assert task.wait(LONG).ctas == 200 and 0 not in words(outs[place].read())
