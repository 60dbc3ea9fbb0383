# SPDX-License-Identifier: Apache-2.0
"""Tasks that kernels launch: families, their depth, their ends, and what they may not do."""
import pytest

import ganger
from queue_support import ints, items_of, minus
from support import (LONG, expect, flag_at, run_good_task, set_flag, until, words, zeros)
from test_faults import ABORT, STORE

STATUS = ganger.abi.ENUMS["status"]
DEPTH, NO_MEMORY = STATUS["ERR_DEPTH"], STATUS["ERR_NO_MEMORY"]
CALL_LAUNCH = 16  # GG_CALL_LAUNCH of firmware/kernel/gg_cta.h


def tmds_of(dev, count):
    """Room for TMDs that a kernel makes."""
    return dev.buffer(bytes(256 * count), align=256)


@pytest.mark.parametrize("sms, ctas, n, block", [(1, 4, 5, 1), (8, 4, 5, 3), (8, 10, 100, 1),
                                                 (1, 1, 1000, 1)])
def test_children(device, load, sms, ctas, n, block):
    """S0-R07: CTAs of a grid launch up to 1,000 children: all run, once, and are over before their parent; the host
    gets one completion."""
    dev = device(sms)
    module = load(dev, "children")
    total = n * ctas
    out, status = zeros(dev, total), minus(dev, total)
    before = dev.stat()
    with dev.template(module["child"], grid=3, block=block, args=[out, 0]) as pattern:
        done = dev.submit(module["launch"], grid=ctas, block=block, args=[
            pattern, tmds_of(dev, total), dev.buffer(bytes(16 * total)), out, status,
            n]).wait(LONG)
        assert words(out.read()) == [3] * total
    assert ints(status) == [0] * total and (done.status, done.ctas) == ("OK", ctas)
    stat = dev.stat()
    assert stat["tasks_completed"] - before["tasks_completed"] == 1
    assert stat["ctas"] - before["ctas"] == ctas + 3 * total


def nest(dev, load, levels, kernel="nest"):
    """A chain of children: (task, out, status)."""
    room = 40
    out, status, tmds = zeros(dev, room), minus(dev, room), tmds_of(dev, room)
    tmd = dev.tmd(load(dev, "children")[kernel], args=[
        tmds, dev.buffer(bytes(48 * room)), out, status, 0, levels])
    tmd.store(tmds.address)
    return dev.submit_tmd(tmd, address=tmds.address), out, status


@pytest.mark.parametrize("sms", [1, 8])
@pytest.mark.parametrize("levels", [1, 2, 10, 33])
def test_depth(device, load, sms, levels):
    """S0-R07: a child of a child, to depth 32."""
    task, out, status = nest(device(sms), load, levels)
    assert task.wait(LONG).ctas == 1
    assert words(out.read()) == [*range(1, levels + 1), *[0] * (40 - levels)]
    assert ints(status) == [0] * (levels - 1) + [-99] * (41 - levels)


def test_too_deep(device, load):
    """S0-R07: a child of depth 33 is refused, and its parent told; it may go on, or give up, which ends the family."""
    dev = device(8)
    task, out, status = nest(dev, load, 36)
    assert task.wait(LONG).status == "OK"
    assert words(out.read()) == [*range(1, 34), *[0] * 7]
    assert ints(status) == [0] * 32 + [DEPTH] + [-99] * 7
    task, out, status = nest(dev, load, 36, "nest_or_trap")
    error = expect("ERR_ABORTED", task.wait, LONG)
    assert error.record.tag == task.tag and error.record.cause == 3
    assert ints(status)[:33] == [0] * 32 + [DEPTH]
    run_good_task(dev, load(dev, "work"))


def test_scheduled_too_deep(device, load):
    """S0-R07, S0-R02: TMDs that schedule one another, in a circle: each is a child of the one before; the host gets
    ERR_DEPTH."""
    dev = device(8)
    counts = zeros(dev, 1)
    first, second = (dev.tmd(load(dev, "work")["count"], args=[counts],
                             dependents=[((256, 1), "schedule")]) for _tmd in range(2))
    for one, other in ((first, second), (second, first)):
        one.store()
        entry = int(other.address).to_bytes(8, "little") + other.generation.to_bytes(4, "little")
        dev.write(one.dependents, entry)
    error = expect("ERR_DEPTH", dev.submit_tmd(first).wait, LONG)
    assert error.done.ctas == 1
    until(lambda: dev.query("TASKS") == 0, "the family")
    assert words(counts.read()) == [33]


def test_beside_the_parent(device, load):
    """S0-R07, S0-R15: a child runs while its parent waits for what it does."""
    dev = device(1)
    module = load(dev, "children")
    out, status = zeros(dev, 1), minus(dev, 1)
    with dev.template(module["child"], args=[out, 0]) as child:
        assert dev.submit(module["launch_and_wait"], args=[child, out, status]).wait(LONG).ctas == 1
    assert ints(status) == [0]


def test_complete_after_children(device, load):
    """S0-R07: a task whose CTAs are over is not complete before its child is."""
    dev = device(8)
    place, state, status = zeros(dev, 8), zeros(dev, 2), minus(dev, 1)
    with dev.template(load(dev, "work")["where"], grid=4, args=[place, state]) as child:
        task = dev.submit(load(dev, "tasks")["launch_it"], args=[child, status])
        until(lambda: flag_at(state, 0) == 4 and dev.query("DEVICE") == 4, "the child alone")
        assert task.poll() is None and dev.query("TASKS") == 1
        set_flag(state, 1)
        done = task.wait(LONG)
    assert done.ctas == 1 and ints(status) == [0]
    assert sorted(words(place.read())[1::2]) == [0, 1, 2, 3]


def test_between_barriers(device, load):
    """S0-R07, S0-R40: each thread of a CTA launches a child between two barriers."""
    dev = device(8)
    module = load(dev, "children")
    out, status, seen = zeros(dev, 64), minus(dev, 64), zeros(dev, 1)
    with dev.template(module["child"], grid=2, args=[out, 0]) as pattern:
        dev.submit(module["launch_met"], block=64, args=[
            pattern, tmds_of(dev, 64), dev.buffer(bytes(16 * 64)), out, status, seen]).wait(LONG)
    assert ints(status) == [0] * 64 and words(seen.read()) == [64] and words(out.read()) == [2] * 64


@pytest.mark.parametrize("deed, status", [(STORE, "ERR_FAULT_ACCESS"), (ABORT, "ERR_ABORTED")])
def test_child_that_faults(device, load, deed, status):
    """S0-R07, S3-R121: a child's failure is its parent's, with the record of the CTA that failed."""
    dev = device(8)
    answer = minus(dev, 1)
    with dev.template(load(dev, "faults")["fault_answered"], grid=8, block=4,
                      args=[answer, deed, 0x80000000, 3, 2]) as child:
        task = dev.submit(load(dev, "tasks")["launch_it"], args=[child, answer])
        error = expect(status, task.wait, LONG)
    assert (error.record.tag, error.record.cta, error.record.thread) == (task.tag, 3, 2)
    assert error.record.status == status and ints(answer) == [0]
    run_good_task(dev, load(dev, "work"))


def test_failure_ends_the_family(device, load):
    """S0-R07: a parent that fails, and one that is cancelled, take with them children that never end."""
    dev = device(8)
    status, started = minus(dev, 3), zeros(dev, 8)
    with dev.template(load(dev, "work")["forever"], grid=8, args=[started, 7]) as child:
        task = dev.submit(load(dev, "children")["launch_and_abort"], args=[child, status])
        error = expect("ERR_ABORTED", task.wait, LONG)
        assert error.record.tag == task.tag
        until(lambda: dev.query("DEVICE") == 0, "the child's end")
        started.write(bytes(32))
        tasks = [dev.submit(load(dev, "tasks")["launch_it"], args=[child, status])
                 for _task in range(3)]
        until(lambda: sum(words(started.read())) == 21 and dev.query("DEVICE") == 3, "children")
        tasks[1].cancel()
        assert expect("ERR_CANCELLED", tasks[1].wait, LONG).done.ctas == 1
        until(lambda: dev.query("DEVICE") == 2, "its child's end")
        assert tasks[0].poll() is None and tasks[2].poll() is None
        for one in (tasks[0], tasks[2]):
            one.cancel()
            expect("ERR_CANCELLED", one.wait, LONG)
    run_good_task(dev, load(dev, "work"))


def test_generations_that_are_cancelled(device, load):
    """S0-R07: cancelling a root ends descendants that run, wait for others, or wait for items, at any depth."""
    dev = device(8)
    started, go, status = zeros(dev, 4), zeros(dev, 1), minus(dev, 2)
    work, tasks = load(dev, "work"), load(dev, "tasks")
    shape = ganger.Queue(8, 8, 4, coalesce_us=None, initial=items_of([1]))
    with dev.template(work["forever"], grid=4, args=[started, 0]) as runs, \
            dev.template(load(dev, "queue")["hold"], args=[started, go], queue=shape) as queue, \
            dev.template(work["blank"], dependence_count=1) as held, \
            dev.template(tasks["launch_it"], args=[runs, status],
                         dependents=[(queue, "schedule"), (held, "schedule")]) as middle:
        root = dev.submit(tasks["launch_it"], args=[middle, status])
        until(lambda: sum(words(started.read())) == 3 and dev.query("DEVICE") == 1, "a grandchild")
        root.cancel()
        expect("ERR_CANCELLED", root.wait, LONG)
    run_good_task(dev, work)


def test_pool_that_is_full(fresh, load):
    """S0-R07, S0-R11: children without end: the device takes as many as its memory allows, then says so at once; it
    serves others meanwhile, and all of them end with their parent."""
    dev = fresh(2, ram="256M")  # The least: the pool grows with it.
    result, go = minus(dev, 2), zeros(dev, 1)
    with dev.template(load(dev, "work")["blank"], dependence_count=1) as child:
        task = dev.submit(load(dev, "children")["flood"], args=[child, result, go])
        until(lambda: ints(result)[1] != -99, "a refusal")
        dev.nop(timeout=LONG)
        launches, last = ints(result)
        assert last == NO_MEMORY and 1000 < launches < dev.info.tasks_max
        task.cancel()
        expect("ERR_CANCELLED", task.wait, LONG)
    run_good_task(dev, load(dev, "work"))


WRONG = [({"generation": 77}, None), ({"grid_x": 0}, "ERR_GRID_ZERO"), ({"version": 2}, "ERR_TMD_VERSION"),
         ({"priority": 0}, "ERR_PRIORITY"), ({"entry": 4}, "ERR_ENTRY"),
         ({"context": 99}, "ERR_CONTEXT"), ({"heap": 0x80000000}, "ERR_HEAP_RANGE"),
         ({"heap_bytes": 4096}, "ERR_CONTEXT"), ({"heap_bytes": 0}, "ERR_CONTEXT"),
         ({"code": 0x80000000}, "ERR_CODE_RANGE"), ({"args": 0x80000000}, "ERR_ARGS_RANGE"),
         ({"semaphore0": 0x80000000, "semaphore0_op": 1}, "ERR_CONTEXT"),
         ({"semaphore1": 4, "semaphore1_op": 1}, "ERR_CONTEXT"),
         ({"dependents": 0x80000000, "dependent_count": 1}, "ERR_CONTEXT"),
         ({"after": 0x80000000, "after_count": 1}, "ERR_CONTEXT"),
         ({"affinity": 0x80000000}, "ERR_CONTEXT")]


@pytest.mark.parametrize("fields, status", WRONG, ids=str)
def test_wrong_children(device, load, fields, status):
    """S0-R07, S0-R02: a child that is refused: the kernel gets the status, the parent goes on, nothing has started."""
    dev = device(8)
    counts, answer = zeros(dev, 4), minus(dev, 1)
    tmd = dev.tmd(load(dev, "work")["count"], grid=4, args=[counts])
    for name, value in fields.items():
        setattr(tmd, name, value)
    tmd.store()
    done = dev.submit(load(dev, "tasks")["launch_it"], args=[tmd, answer]).wait(LONG)
    assert done.status == "OK"
    assert ints(answer) == [STATUS[status] if status else 0]
    assert words(counts.read()) == [0 if status else 1] * 4


def test_names_that_are_none(fresh, load, kernel_path):
    """S0-R07, S3-R22: TMDs at invalid addresses, of another generation, and in another context's heap."""
    dev = fresh(2)
    context = dev.context(1 << 20)
    counts, answer = context.buffer(bytes(4)), minus(dev, 1)
    other = context.template(context.load(kernel_path("work"))["count"], args=[counts])
    own = dev.template(load(dev, "work")["blank"])
    for address, generation, status in (
            (other.address, other.generation, "ERR_CONTEXT"), (0, 0, "ERR_TMD_RANGE"),
            (own.address + 4, own.generation, "ERR_TMD_ALIGN"), (0x80000000, 1, "ERR_TMD_RANGE"),
            (own.address, own.generation + 1, "ERR_GENERATION"), (0xffffff00, 1, "ERR_TMD_RANGE")):
        dev.submit(load(dev, "tasks")["call_it"], args=[
            CALL_LAUNCH, address, generation, 0, 0, answer]).wait(LONG)
        assert ints(answer) == [STATUS[status]], hex(address)
    assert words(counts.read()) == [0]
