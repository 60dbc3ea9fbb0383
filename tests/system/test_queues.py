# SPDX-License-Identifier: Apache-2.0
"""Queue tasks that the host feeds: coalescing, closing, full rings, wrong shapes."""
import os
import signal
import threading

import pytest

import ganger
import ganger.abi
from queue_support import ITEM_BYTES, Consumed, items_of, post_queue, raw_close, raw_push, ring_of
from support import (LONG, error_of, expect, flag_at, run_good_task, set_flag, stop, until, words, zeros)

MS = 1000  # microseconds


def settled(dev, consumed, ctas):
    """Waits for CTAs of these sizes; then no other one may follow for some turns of the loop."""
    until(lambda: sum(consumed.ctas) >= sum(ctas) and dev.query("DEVICE") == 0, f"CTAs {ctas}")
    for _turn in range(20):
        dev.nop()
    assert consumed.ctas == ctas


@pytest.mark.parametrize("sms", [1, 8])
@pytest.mark.parametrize("items, capacity, block", [(1, 16, 1), (4, 16, 4), (7, 9, 3), (9, 9, 1)])
def test_items_of_a_cta(device, load, seed, sms, items, capacity, block):
    """S0-R05, S0-R06, S0-C3, S0-R42: ten times more items than the ring holds, pushed in pieces of any size: each once,
    in order, N to a CTA; the rest runs when the queue is closed."""
    dev = device(sms)
    total = 10 * capacity + capacity // 2
    got = Consumed(dev, total)
    values = [seed.randrange(1, 1 << 31) for _item in range(total)]
    queue = dev.queue(load(dev, "queue")["consume"], args=got.args, block=block,
                      capacity=capacity, item_bytes=ITEM_BYTES, items=items, coalesce_us=None)
    place = 0
    while place < total:
        some = values[place:place + seed.randint(1, 2 * capacity)]
        assert queue.push(items_of(some), timeout=LONG) == len(some)
        place += len(some)
    settled(dev, got, [items] * (total // items))
    assert not queue.done
    queue.close()
    done = queue.wait(LONG)
    sizes = [items] * (total // items) + [total % items] * (total % items != 0)
    assert got.ctas == sizes and done.ctas == len(sizes) and done.status == "OK"
    assert got.values == values


def test_a_late_answer(device, load):
    """S0-R05: a device that stands still for three seconds keeps a push waiting, no more: its item is in the queue once."""
    dev = device(1)
    got = Consumed(dev, 1)
    queue = dev.queue(load(dev, "queue")["consume"], args=got.args, block=1, capacity=4, item_bytes=ITEM_BYTES, items=1)
    stop(dev.qemu_pid)
    threading.Timer(3, os.kill, (dev.qemu_pid, signal.SIGCONT)).start()
    assert queue.push(items_of([7]), timeout=LONG) == 1
    settled(dev, got, [1])
    queue.close()
    assert queue.wait(LONG).status == "OK" and got.values == [7]


@pytest.mark.parametrize("item_bytes", [8, 12, 64, 4096])
def test_sizes_of_items(device, load, item_bytes):
    """S0-R05: items of any size up to that of a push; large ones go one at a time."""
    dev = device(8)
    got = Consumed(dev, 40)
    queue = dev.queue(load(dev, "queue")["consume"], args=got.args, capacity=3, items=2,
                      item_bytes=item_bytes, initial=items_of([7], 0, item_bytes))
    assert queue.push(items_of(range(100, 138), 0, item_bytes), timeout=LONG) == 38
    expect("ERR_ARGUMENT", queue.push, bytes(item_bytes + 4))
    queue.close()
    queue.wait(LONG)
    assert got.values == [7, *range(100, 138), 0] and sum(got.ctas) == 39


def test_at_once(device, load):
    """S0-R06, S0-C4: time-out 0: a CTA starts with whatever is there."""
    dev = device(8)
    got = Consumed(dev, 100)
    queue = dev.queue(load(dev, "queue")["consume"], args=got.args, capacity=32, items=4,
                      item_bytes=ITEM_BYTES)
    for count in (1, 3, 4):
        before = got.ctas
        queue.push(items_of([1] * count))
        settled(dev, got, [*before, count])
    queue.push(items_of([1] * 6))
    settled(dev, got, [1, 3, 4, 4, 2])
    queue.close()
    assert queue.wait(LONG).ctas == 5


def test_time_out(device, load):
    """S0-R06, S0-C4: fewer than N items start after the time-out, whole CTAs before it."""
    dev = device(8)
    got = Consumed(dev, 100)
    queue = dev.queue(load(dev, "queue")["consume"], args=got.args, capacity=32, items=4,
                      item_bytes=ITEM_BYTES, coalesce_us=50 * MS)
    queue.push(items_of([1] * 3))
    settled(dev, got, [3])
    queue.push(items_of([1] * 9))
    settled(dev, got, [3, 4, 4, 1])
    queue.push(items_of([1]))
    settled(dev, got, [3, 4, 4, 1, 1])
    queue.close()
    done = queue.wait(LONG)
    assert done.ctas == 5 and done.not_issued["coalesce"] > 0


def test_time_out_that_is_far(device, load):
    """S0-R06, S0-C3: before the time-out only whole CTAs start, and several queues wait at the same time."""
    dev = device(8)
    kernel = load(dev, "queue")["consume"]
    far, near = Consumed(dev, 20), Consumed(dev, 20)
    queues = [dev.queue(kernel, args=got.args, capacity=9, items=3, item_bytes=ITEM_BYTES,
                        coalesce_us=us) for got, us in ((far, 0xfffffffe), (near, 100 * MS))]
    for queue in queues:
        queue.push(items_of([5, 6]))
    settled(dev, near, [2])
    settled(dev, far, [])
    queues[0].push(items_of([7, 8]))
    settled(dev, far, [3])
    for queue in queues:
        queue.close()
    assert [queue.wait(LONG).ctas for queue in queues] == [2, 1]
    assert far.values[:5] == [5, 6, 7, 8, 0] and far.ctas == [3, 1]


def test_minimum(device, load):
    """S0-R02, S0-R06, S0-C3: the coalescing rule: a CTA starts when the minimum is there, and takes up to N."""
    dev = device(8)
    got = Consumed(dev, 100)
    queue = dev.queue(load(dev, "queue")["consume"], args=got.args, capacity=32, items=8, minimum=3,
                      item_bytes=ITEM_BYTES, coalesce_us=None)
    queue.push(items_of([1] * 2))
    settled(dev, got, [])
    queue.push(items_of([1]))
    settled(dev, got, [3])
    queue.push(items_of([1] * 13))
    settled(dev, got, [3, 8, 5])
    queue.push(items_of([1] * 10))
    settled(dev, got, [3, 8, 5, 8])
    queue.close()
    queue.wait(LONG)
    assert got.ctas == [3, 8, 5, 8, 2]


@pytest.mark.parametrize("closed", [False, True])
def test_closing(device, load, closed):
    """S0-R05: a closed queue runs what is in it, in CTAs of fewer items, too; then the task is complete."""
    dev = device(8)
    kernel = load(dev, "queue")["consume"]
    for count in (0, 1, 8, 13, 16):
        got = Consumed(dev, 20)
        queue = dev.queue(kernel, args=got.args, capacity=16, items=8, item_bytes=ITEM_BYTES,
                          coalesce_us=None, closed=closed, initial=items_of(range(1, count + 1)))
        if not closed:
            queue.close()
        done = queue.wait(LONG)
        assert (done.status, done.ctas) == ("OK", (count + 7) // 8)
        assert got.values == [*range(1, count + 1), *[0] * (20 - count)]


def test_after_the_end(device, load):
    """S0-R05: a closed queue takes nothing more, a complete one is unknown; neither harms anybody."""
    dev = device(8)
    module = load(dev, "queue")
    started, go = zeros(dev, 1), zeros(dev, 1)
    queue = dev.queue(module["hold"], args=[started, go], capacity=8, items=1, item_bytes=8)
    queue.push(bytes(8))
    until(lambda: flag_at(started, 0) == 1, "the CTA")
    queue.close()
    error = expect("ERR_QUEUE_CLOSED", queue.push, bytes(16))
    assert error.pushed == 0
    queue.close()
    set_flag(go, 0)
    assert queue.wait(LONG).ctas == 1
    assert expect("ERR_TASK", queue.push, bytes(8)).pushed == 0
    expect("ERR_TASK", queue.close)
    run_good_task(dev, load(dev, "work"))


@pytest.mark.parametrize("sms", [1, 8])
def test_full_ring(device, load, sms):
    """S0-R05, S0-R11: a full ring takes nothing, and a place is free only when the items before it were worked on."""
    dev = device(sms)
    counts, started, go = zeros(dev, 100), zeros(dev, 1), zeros(dev, 1)
    queue = dev.queue(load(dev, "queue")["tally_held"], args=[counts, started, go], capacity=8,
                      items=1, item_bytes=ITEM_BYTES, initial=items_of(range(5)))
    error = expect("ERR_QUEUE_FULL", queue.push, items_of(range(5, 11)), timeout=0.3)
    assert error.pushed == 3
    until(lambda: sum(words(counts.read())) == 7, "all but item 0")
    assert expect("ERR_QUEUE_FULL", queue.push, items_of([8]), timeout=0.1).pushed == 0
    set_flag(go, 0)
    assert queue.push(items_of(range(8, 100)), timeout=LONG) == 92
    queue.close()
    assert queue.wait(LONG).ctas == 100
    assert words(counts.read()) == [1] * 100


def test_slow_oldest(device, load):
    """S0-R05, S0-R15: CTAs end out of order; behind the oldest a bounded number starts, then it goes on."""
    dev = device(8)
    counts, started, go = zeros(dev, 400), zeros(dev, 1), zeros(dev, 1)
    queue = dev.queue(load(dev, "queue")["tally_held"], args=[counts, started, go], capacity=400,
                      items=1, item_bytes=ITEM_BYTES, initial=items_of(range(400)))
    until(lambda: flag_at(started, 0) >= 64 and dev.query("DEVICE") == 1, "a full window")
    for _turn in range(20):
        dev.nop()
    assert 64 <= flag_at(started, 0) <= 128 and dev.query("DEVICE") == 1
    other = dev.submit(load(dev, "work")["blank"], grid=50, priority=10)
    assert other.wait(LONG).ctas == 50
    set_flag(go, 0)
    queue.close()
    assert queue.wait(LONG).ctas == 400 and words(counts.read()) == [1] * 400


WRONG = [({"queue_capacity": 0}, "queue_capacity"), ({"queue_capacity": 1 << 31}, "queue_capacity"),
         ({"queue_item_bytes": 0}, "queue_item_bytes"), ({"queue_item_bytes": 6}, "queue_item_bytes"),
         ({"queue_item_bytes": 0xffffffff}, "queue_item_bytes"),
         ({"queue_items": 0}, "queue_items"), ({"queue_items": 9}, "queue_items"),
         ({"queue_minimum": 5}, "queue_minimum"), ({"queue_minimum": 0xffff}, "queue_minimum"),
         ({"queue_outstanding": 9}, "queue_outstanding"),
         ({"queue_outstanding": 0xffffffff}, "queue_outstanding"),
         ({"queue": 0}, "queue"), ({"queue": 0x80000000}, "queue"), ({"queue": (1 << 64) - 4}, "queue"),
         ({"queue_capacity": 0x7fffffff, "queue_item_bytes": 0xfffffffc}, "queue"),
         ({"heap_bytes": 0}, "queue")]


@pytest.mark.parametrize("fields, named", WRONG, ids=str)
def test_wrong_shapes(device, load, fields, named):
    """S0-R02, S0-R05: fields of a queue that are wrong, or a ring that is not in the heap: refused by name."""
    dev = device(8)
    counts = zeros(dev, 8)
    shape = {"capacity": 8, "items": 4, "initial": items_of(range(8))}
    tmd = dev.tmd(load(dev, "queue")["tally"], args=[counts],
                  queue=ganger.Queue(item_bytes=ITEM_BYTES, **shape))
    for name, value in fields.items():
        setattr(tmd, name, value)
    error = expect("ERR_QUEUE", dev.submit_tmd(tmd).wait, LONG)
    assert (error.field, error.value) == (f"tmd.{named}", getattr(tmd, named))
    assert words(counts.read()) == [0] * 8
    run_good_task(dev, load(dev, "work"))


def test_ring_of_another(fresh, load):
    """S0-R05, S3-R22: a ring in another context's heap, past the end of the own one, or misaligned."""
    dev = fresh(2)
    context = dev.context(1 << 20)
    tmd = dev.tmd(load(dev, "queue")["consume"], args=Consumed(dev, 8).args,
                  queue=ganger.Queue(8, ITEM_BYTES, 4))
    for ring in (context.buffer(bytes(64)).address, tmd.queue + 2, tmd.heap - 4,
                 tmd.heap + tmd.heap_bytes - 60):
        tmd.queue = ring
        error = expect("ERR_QUEUE", dev.submit_tmd(tmd).wait, LONG)
        assert (error.field, error.value) == ("tmd.queue", ring)


def test_grids_have_no_queue(device, load):
    """S0-R04: fields of a queue in a grid. The word of the time-out says how many threads the last CTA has, which must be
    fewer than the others have."""
    dev = device(8)
    tmd = dev.tmd(load(dev, "work")["blank"], grid=1, block=1)
    tmd.coalesce_us = 1
    assert expect("ERR_ARGUMENT", dev.submit_tmd(tmd).wait, LONG).field == "tmd.coalesce_us"
    for fields in ({"closed": 1}, {"queue": 256}):
        tmd = dev.tmd(load(dev, "work")["blank"], grid=1, block=1)
        for name, value in fields.items():
            setattr(tmd, name, value)
        error = expect("ERR_QUEUE", dev.submit_tmd(tmd).wait, LONG)
        assert error.field == ("tmd.closed" if "closed" in fields else "tmd.queue")


def test_wrong_pushes(device, load):
    """S0-R05: no items, too many bytes, invalid sources, and items of a task that has no queue."""
    dev = device(8)
    counts = zeros(dev, 64)
    task, tmd = post_queue(dev, load(dev, "queue")["tally"], [counts], capacity=1024, items=1)
    source = dev.buffer(items_of(range(64)))
    wrong = [(source, 0), (source, 513), (source, 0xffffffff), (source.address + 2, 1),
             (0x80000000, 1), ((1 << 64) - 8, 1), (0, 0)]
    for place, count in wrong:
        error = error_of(raw_push, dev, tmd, place, count)
        assert error.status == "ERR_ARGUMENT" and error.field, (place, count, error)
    assert expect("ERR_QUEUE_FULL", raw_push, dev, tmd, 0, 1025).value == 1025
    assert sum(words(counts.read())) == 0
    raw_push(dev, tmd, source, 64)
    dev.write(ring_of(dev, tmd) + 64 * ITEM_BYTES, items_of(range(64)))
    raw_push(dev, tmd, 0, 64)
    raw_close(dev, tmd)
    assert task.wait(LONG).ctas == 128 and words(counts.read()) == [2] * 64
    with dev.template(load(dev, "work")["blank"]) as other:
        expect("ERR_TASK", raw_push, dev, other, source, 1)
