# SPDX-License-Identifier: Apache-2.0
"""Queue tasks that kernels feed: other tasks, their own CTAs, tasks that end, all at once."""
import pytest

import ganger
from queue_support import (ITEM_BYTES, Consumed, ints, items_of, minus, name_buffer, post_queue,
                           raw_close, raw_push, ring_of, write_name)
from support import LONG, Held, expect, run_good_task, until, words, zeros

FULL, CLOSED, TASK, ARGUMENT, CONTEXT = (
    ganger.abi.ENUMS["status"][f"ERR_{name}"]
    for name in ("QUEUE_FULL", "QUEUE_CLOSED", "TASK", "ARGUMENT", "CONTEXT"))
CALL_PUSH, CALL_CLOSE = 17, 20  # GG_CALL_QUEUE_… of firmware/kernel/gg_cta.h


@pytest.mark.parametrize("sms", [1, 8])
@pytest.mark.parametrize("capacity, items", [(16, 4), (7, 3), (64, 1)])
def test_producers(device, load, sms, capacity, items):
    """S0-R05, S0-R06, S0-R15: CTAs of one task push, those of another consume; more items than the ring holds.

    Producers that wait for room must not take all of the SMs: 5 CTAs do not.
    """
    dev = device(sms)
    module = load(dev, "queue")
    counts, status = zeros(dev, 400), minus(dev, 1)
    task, tmd = post_queue(dev, module["tally"], [counts], capacity=capacity, items=items,
                           coalesce_us=1000)
    dev.submit(module["produce"], grid=5, args=[tmd, 80, status]).wait(LONG)
    dev.submit(load(dev, "tasks")["close_it"], args=[tmd, status]).wait(LONG)
    task.wait(LONG)
    assert ints(status) == [0] and words(counts.read()) == [1] * 400


def test_queue_of_the_host(device, load):
    """S0-R05: a kernel names a queue task of the host's by the address of its TMD."""
    dev = device(8)
    module = load(dev, "queue")
    counts, status = zeros(dev, 400), minus(dev, 1)
    queue = dev.queue(module["tally"], args=[counts], capacity=64, items=4, item_bytes=ITEM_BYTES,
                      coalesce_us=1000)
    dev.submit(module["produce"], grid=5, args=[queue.address, 80, status]).wait(LONG)
    queue.close()
    queue.wait(LONG)
    assert ints(status) == [-99] and words(counts.read()) == [1] * 400


@pytest.mark.parametrize("sms, items, levels", [(1, 4, 6), (8, 4, 9), (8, 1, 9), (8, 7, 9)])
def test_feeding_itself(device, load, sms, items, levels):
    """S0-R05: CTAs of a closed queue push into it until a depth; then it is empty, and complete."""
    dev = device(sms)
    module = load(dev, "queue")
    counts, status = zeros(dev, levels), minus(dev, 1)
    at = dev.buffer(nbytes=256, align=256)
    tmd = dev.tmd(module["grow"], args=[at, counts, levels, status], queue=ganger.Queue(
        1024, ITEM_BYTES, items, closed=True, initial=items_of([1])))
    tmd.store(at.address)
    dev.submit_tmd(tmd, address=at.address).wait(LONG)
    assert words(counts.read()) == [2 ** level for level in range(levels)]
    assert ints(status) == [-99]


@pytest.mark.parametrize("sms", [1, 8])
def test_increment_put(device, load, sms):
    """S0-R05, S0-R02: items in place are pushed by the end of another task, in the order of those tasks' ends."""
    dev = device(sms)
    got = Consumed(dev, 40)
    queue = dev.queue(load(dev, "queue")["consume"], args=got.args, capacity=8, items=4,
                      item_bytes=ITEM_BYTES, coalesce_us=None)
    kernel = load(dev, "work")["blank"]
    for place in range(0, 32, 4):
        dev.write(ring_of(dev, queue) + place % 8 * ITEM_BYTES, items_of(range(place, place + 4)))
        dev.submit(kernel, grid=5, dependents=[(queue, "increment-put", 3)]).wait(LONG)
        dev.signal(dependents=[(queue, "increment-put", 1)]).wait(LONG)
        until(lambda: len(got.ctas) == place // 4 + 1 and dev.query("DEVICE") == 0, "a CTA")
    queue.close()
    assert queue.wait(LONG).ctas == 8 and got.values == [*range(32), *[0] * 8]


@pytest.mark.parametrize("closed, amount, status", [(False, 9, "ERR_QUEUE_FULL"),
                                                    (False, 0xffff, "ERR_QUEUE_FULL"),
                                                    (True, 1, "ERR_QUEUE_CLOSED")])
def test_increment_put_refused(device, load, closed, amount, status):
    """S0-R05: an increment without room, or of a closed queue, fails the queue task; the other has ended well."""
    dev = device(8)
    started, go = zeros(dev, 1), zeros(dev, 1)
    queue = dev.queue(load(dev, "queue")["hold"], args=[started, go], capacity=8, items=1,
                      item_bytes=4, closed=closed, initial=bytes(4))
    done = dev.submit(load(dev, "work")["blank"], grid=3,
                      dependents=[(queue, "increment-put", amount)]).wait(LONG)
    assert done.ctas == 3
    error = expect(status, queue.wait, LONG)
    assert (error.field, error.value) == ("dependent.amount", amount)
    run_good_task(dev, load(dev, "work"))


def spread_queue(dev, load, limit, stride, **shape):
    """A queue task of kernel `spread`, held until it knows its name: (task, counts, status, name)."""
    counts, status, name = zeros(dev, limit + 1), minus(dev, 1), name_buffer(dev)
    queue = dev.queue(load(dev, "queue")["spread"], args=[name, counts, limit, stride, status],
                      item_bytes=ITEM_BYTES, dependence_count=1, **shape)
    write_name(name, queue)
    return queue, counts, status, name


@pytest.mark.parametrize("sms", [1, 8])
@pytest.mark.parametrize("items, coalesce_us", [(1, 0), (4, 0), (4, 500), (7, 20)])
def test_all_at_once(device, load, sms, items, coalesce_us):
    """S0-R05, S0-R06, S0-C3, S0-C4: host, two grids, the queue's own CTAs and tasks that end push at the same time:
    each item once, none lost, none new."""
    dev = device(sms)
    stride, levels = 700, 3
    limit = stride * (levels + 1)
    queue, counts, status, name = spread_queue(dev, load, limit, stride, capacity=8192,
                                               items=items, coalesce_us=coalesce_us)
    dev.write(ring_of(dev, queue), items_of([limit] * 8192))
    dev.signal(dependents=[queue]).wait(LONG)
    produce = load(dev, "queue")["produce_named"]
    tasks = [dev.submit(produce, grid=10, args=[name, first, 20, count, levels, status])
             for first, count in ((0, 1), (200, 7))]
    ends = []
    for first in range(400, 700, 15):
        ends.append(dev.submit(load(dev, "work")["blank"], grid=2,
                               dependents=[(queue, "increment-put", 5)]))
        assert queue.push(items_of(range(first, first + 15), levels), timeout=LONG) == 15
    for task in (*tasks, *ends):
        task.wait(LONG)
    queue.close()
    queue.wait(LONG)
    assert words(counts.read()) == [1] * limit + [5 * len(ends)] and ints(status) == [-99]


@pytest.mark.parametrize("sms", [1, 8])
@pytest.mark.parametrize("capacity, items", [(40, 1), (33, 4), (8, 7)])
def test_small_ring(device, load, sms, capacity, items):
    """S0-R05: the same through a ring of a tenth of the items or less, which is full again and again."""
    dev = device(sms)
    stride, levels = 300, 2
    limit = stride * (levels + 1)
    queue, counts, status, name = spread_queue(dev, load, limit, stride, capacity=capacity,
                                               items=items)
    dev.signal(dependents=[queue]).wait(LONG)
    task = dev.submit(load(dev, "queue")["produce_named"], grid=5,
                      args=[name, 0, 30, 4, levels, status])
    assert queue.push(items_of(range(150, 300), levels), timeout=LONG) == 150
    task.wait(LONG)
    queue.close()
    queue.wait(LONG)
    assert words(counts.read()) == [1] * limit + [0] and ints(status) == [-99]


def test_sources(device, load):
    """S0-R05, S0-R40: pushes from shared memory, stack and heap; sources that are not the CTA's are refused."""
    dev = device(2)
    module = load(dev, "tasks")
    counts, status = zeros(dev, 200), minus(dev, 2)
    task, tmd = post_queue(dev, load(dev, "queue")["tally"], [counts], item_bytes=4, capacity=16,
                           items=1)
    dev.submit(module["push_own"], args=[tmd, status]).wait(LONG)
    assert ints(status) == [0, 0]
    until(lambda: sum(words(counts.read())) == 8 and dev.query("DEVICE") == 0, "8 items")
    shares = [state.share.read() for state in dev.regs.sm_state]
    last = 2 * shares[1] - shares[0] - 4096  # In the last unit of SM 1, which no CTA of these has.
    heap = dev.buffer(bytes(64))
    runtime = dev.regs.sm_state[0].area.read()
    for source, count, want in ((last, 1, ARGUMENT), (runtime, 1, ARGUMENT), (4, 1, ARGUMENT),
                                (0xfffffffc, 1, ARGUMENT), (heap.address, 17, FULL),
                                (heap.address, 4, 0), (heap.address, 0, ARGUMENT),
                                (heap.address + 2, 1, ARGUMENT), (0, 17, FULL), (0, 0, ARGUMENT)):
        dev.submit(module["push_it"], args=[tmd, source, count, status]).wait(LONG)
        assert ints(status)[0] == want, (hex(source), count, ints(status))
    until(lambda: words(counts.read())[0] == 4 and dev.query("DEVICE") == 0, "4 items")
    raw_close(dev, tmd)
    assert task.wait(LONG).ctas == 12
    got = words(counts.read())
    assert got[10:14] == [1] * 4 and got[20:24] == [1] * 4 and got[0] == 4 and sum(got) == 12


def test_answers_to_kernels(device, load):
    """S0-R05: a kernel learns that a queue is full, closed, not there, no queue; then nothing was done."""
    dev = device(8)
    module, queues = load(dev, "tasks"), load(dev, "queue")
    status, source = minus(dev, 1), dev.buffer(bytes(64))
    started, go = zeros(dev, 1), zeros(dev, 1)
    task, tmd = post_queue(dev, queues["hold"], [started, go], capacity=2, items=1)

    def ask(kernel, *args):
        dev.submit(module[kernel], args=[*args, status]).wait(LONG)
        return ints(status)[0]

    raw_push(dev, tmd, source, 2)
    assert ask("push_it", tmd, source.address, 1) == FULL
    name = (tmd.address, tmd.generation)
    assert ask("call_it", CALL_PUSH, *name, source.address, 1) == FULL
    assert ask("call_it", CALL_PUSH, name[0], name[1] + 1, source.address, 1) == TASK
    assert ask("call_it", CALL_CLOSE, name[0] + 256, name[1], 0, 0) == TASK
    with Held(dev, load(dev, "work"), 1) as held:
        assert ask("call_it", CALL_PUSH, held.task.address, held.task.generation,
                   source.address, 1) == TASK
    assert ask("close_it", tmd) == 0
    assert ask("push_it", tmd, source.address, 1) == CLOSED
    go.write(b"\1\0\0\0")
    assert task.wait(LONG).ctas == 2
    assert ask("push_it", tmd, source.address, 1) == TASK and ask("close_it", tmd) == TASK


def test_queue_of_another_context(fresh, load, kernel_path):
    """S0-R05, S3-R22: a kernel cannot push into, or close, another context's queue."""
    dev = fresh(2)
    context = dev.context(1 << 20)
    counts = context.buffer(bytes(40))
    queue = context.queue(context.load(kernel_path("queue"))["tally"], args=[counts], capacity=8,
                          items=1, item_bytes=ITEM_BYTES)
    status, source = minus(dev, 1), dev.buffer(items_of([3]))
    for call in (CALL_PUSH, CALL_CLOSE):
        dev.submit(load(dev, "tasks")["call_it"], args=[
            call, queue.address, queue.generation, source.address, 1, status]).wait(LONG)
        assert ints(status) == [CONTEXT]
    queue.push(items_of([4]))
    queue.close()
    assert queue.wait(LONG).ctas == 1 and words(counts.read()) == [0] * 4 + [1] + [0] * 5


def test_many_that_call(device, load):
    """S0-R05, S0-R15, S0-R40: CTAs of 100 at once, each asking again and again: each gets its own answer and
    keeps its registers."""
    dev = device(8)
    wrong = zeros(dev, 1)
    with dev.template(load(dev, "work")["blank"]) as nobody:
        done = dev.submit(load(dev, "tasks")["keep"], grid=100,
                          args=[nobody, 10, TASK, wrong]).wait(LONG)
    assert done.ctas == 100 and words(wrong.read()) == [0]
