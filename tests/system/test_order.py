# SPDX-License-Identifier: Apache-2.0
"""Which task is next: one CTA at a time, quotas, age, and only what is left to issue."""
import itertools

import pytest

import ganger
from support import LONG, Held, until, words, zeros
from workload import ctas_of, launch_order, launches_of, overlaps, tracing


def full_sm(dev, module, **keywords):
    """CTAs that take all of the only SM and wait."""
    held = Held(dev, module, dev.info.sm_ctas, **keywords)
    held.await_started()
    return held


def behind_full_sm(dev, module, works):
    """Posts tasks while the only SM is full, so that all are in the task table before the first CTA
    of any; returns the tasks and the trace."""
    with tracing(dev) as traced:
        with full_sm(dev, module, priority=1):
            tasks = [dev.submit(kernel, **keywords) for kernel, keywords in works]
            until(lambda: dev.query("TASKS") == len(tasks) + 1, "all are accepted")
        for task in tasks:
            task.wait(LONG)
    return tasks, traced.result


@pytest.mark.parametrize("sms", [1, 8])
def test_sequential_tasks_do_not_overlap(device, load, sms):
    """S0-R23, S0-C10: CTAs of a sequential task run one after the other, in order, also beside
    others."""
    dev = device(sms)
    module = load(dev, "work")
    outs = [zeros(dev, 40) for _task in range(4)]
    with tracing(dev) as traced:
        tasks = [dev.submit(module["hash"], grid=(40,), block=(1,), args=[out, 5, 30],
                            sequential=index != 3) for index, out in enumerate(outs)]
        for task in tasks:
            task.wait(LONG)
    trace = traced.result
    for task in tasks[:3]:
        bars = ctas_of(trace, task.tag)
        assert [bar.cta for bar in bars] == list(range(40))
        assert not overlaps(bars)
        assert all(event.extra == 1 for event in launches_of(trace, task.tag))
    if sms == 1:
        assert any(event.extra > 1 for event in launches_of(trace, tasks[3].tag)), \
            "the others' CTAs would not have met either"
    assert len({tuple(words(out.read())) for out in outs}) == 1


def test_sequential_task_holds_one_place(device, load):
    """S0-R23, S0-C10: while its CTA runs nothing else of it starts, and the SMs are free for
    others."""
    dev = device(2)
    module = load(dev, "work")
    with Held(dev, module, 6, sequential=True, priority=1) as first:
        first.await_started(1)
        with Held(dev, module, 15, priority=9) as others:
            others.await_started()
            assert first.started() == 1 and dev.query("DEVICE") == 16
            slot = next(slot.read() for slot in dev.regs.slot if slot.tag.read() == first.task.tag)
            assert slot["in_flight"] == 1 and slot["left"] == 5
    assert first.order() == list(range(6))
    assert first.task.wait(LONG).not_issued["sequence"] > 0


def rotation(quotas, ctas):
    """Numbers of tasks, CTA by CTA, when each goes behind the others after its quota (0: none)."""
    order, queue, left = [], list(range(len(quotas))), list(ctas)
    while queue:
        task = queue.pop(0)
        turn = min(left[task], quotas[task] or left[task])
        order += [task] * turn
        left[task] -= turn
        if left[task]:
            queue.append(task)
    return order


@pytest.mark.parametrize("quotas, ctas", [((3, 3, 3), (12, 12, 12)), ((1, 1), (9, 5)),
                                          ((2, 0, 5, 1), (11, 7, 13, 6)), ((7,), (30,)),
                                          ((100, 2), (9, 9))])
def test_quota_rotates_among_equals(device, load, quotas, ctas):
    """S0-R24, S0-C12: after its quota a task goes behind the others of its priority, with a new
    one."""
    dev = device(1)
    module = load(dev, "work")
    outs = [zeros(dev, count) for count in ctas]
    tasks, trace = behind_full_sm(dev, module, [
        (module["count"], {"grid": (count,), "args": [out], "quota": quota})
        for out, count, quota in zip(outs, ctas, quotas)])
    number = {task.tag: index for index, task in enumerate(tasks)}
    found = [number[tag] for tag, _cta in launch_order(trace) if tag in number]
    assert found == rotation(quotas, ctas)
    for out, count in zip(outs, ctas):
        assert words(out.read()) == [1] * count


def test_quota_does_not_help_lower_priorities(device, load):
    """S0-R24, S0-R26: a task with a used quota still goes before those of lower priority."""
    dev = device(1)
    module = load(dev, "work")
    tasks, trace = behind_full_sm(dev, module, [
        (module["blank"], {"grid": (20,), "priority": 6}),
        (module["blank"], {"grid": (9,), "priority": 3, "quota": 2}),
        (module["blank"], {"grid": (20,), "priority": 7, "quota": 1})])
    order = [tag for tag, _cta in launch_order(trace)]
    found = [tag for tag, _count in itertools.groupby(order)]
    assert [tag for tag in found if tag in {task.tag for task in tasks}] == \
        [tasks[1].tag, tasks[0].tag, tasks[2].tag]


def test_priority_then_age(device, load, seed):
    """S0-R26, S0-C6: of the tasks in the table the best priority is issued first, of equals the
    oldest."""
    dev = device(1)
    module = load(dev, "work")
    levels = [seed.randint(1, 10) for _task in range(dev.info.slots - 1)]
    tasks, trace = behind_full_sm(dev, module, [
        (module["blank"], {"grid": (seed.randint(1, 9),), "priority": level}) for level in levels])
    number = {task.tag: index for index, task in enumerate(tasks)}
    found = [number[tag] for tag, _same in itertools.groupby(
        tag for tag, _cta in launch_order(trace)) if tag in number]
    assert found == sorted(range(len(levels)), key=lambda index: (levels[index], index))


def test_only_tasks_with_ctas_left(device, load):
    """S0-C8, S0-R21, S0-R34: a better task that has issued all its CTAs does not keep a worse one
    back."""
    dev = device(1)
    module = load(dev, "work")
    with Held(dev, module, 3, priority=1) as better:
        better.await_started()
        until(lambda: dev.regs.slot[0].state.name() == "DRAINING", "all is issued")
        with Held(dev, module, 5, priority=10) as worse:
            worse.await_started()
            assert better.started() == 3
    assert worse.task.wait(LONG).not_issued["sm"] <= 2  # the turns of its assignment


def test_deallocating_task_gets_nothing(device, load):
    """S0-C7, S0-R20, S0-R13: from the request to leave its slot until it has one again no CTA of a
    task starts."""
    dev = device(1)
    module = load(dev, "work")
    with tracing(dev) as traced:
        with Held(dev, module, 30, priority=9, mode="balance") as low:
            low.await_started(dev.info.sm_ctas)
            others = [dev.submit(module["blank"], grid=(9,), priority=8)
                      for _slot in range(dev.info.slots - 1)]
            high = dev.submit(module["blank"], grid=(9,), priority=1)
            until(lambda: dev.query("TASKS") == dev.info.slots + 1, "all are accepted")
            dev.nop()
            assert [slot.state.name() for slot in dev.regs.slot].count("LEAVING") == 1
        for task in (low.task, *others, high):
            task.wait(LONG)
    trace = traced.result
    slots = [event.start for event in trace.of_type("SLOT") if event.tag == low.task.tag]
    launches = launches_of(trace, low.task.tag)
    before = [event for event in launches if event.start < slots[1]]
    assert len(slots) == 2 and sum(event.extra for event in before) == dev.info.sm_ctas
    assert sum(event.extra for event in launches) == 30


def test_sequential_with_quota_and_eviction(device, load):
    """S0-R23, S0-R24, S0-R13: two sequential tasks with quotas, evicted again and again, stay in
    order."""
    dev = device(1)
    module = load(dev, "work")
    outs = [zeros(dev, 60) for _task in range(2)]
    with tracing(dev) as traced:
        tasks = [dev.submit(module["hash"], grid=(60,), args=[out, 1, 20], sequential=True, quota=3,
                            priority=9) for out in outs]
        crowd = [dev.submit(module["hash"], grid=(3,), args=[zeros(dev, 3), 1, 50], priority=4)
                 for _task in range(2 * dev.info.slots)]
        for task in tasks + crowd:
            task.wait(LONG)
    for task, out in zip(tasks, outs):
        bars = ctas_of(traced.result, task.tag)
        assert [bar.cta for bar in bars] == list(range(60)) and not overlaps(bars)
    assert words(outs[0].read()) == words(outs[1].read())


@pytest.mark.parametrize("keywords", [{"quota": 0x1_0000_0000}, {"quota": -1}])
def test_wrong_quota(device, load, keywords):
    """S0-R24: a quota that is not a count of CTAs is refused, and nothing is posted."""
    dev = device(1)
    with pytest.raises(ganger.Error) as caught:
        dev.submit(load(dev, "work")["blank"], **keywords)
    assert caught.value.status == "ERR_ARGUMENT"
