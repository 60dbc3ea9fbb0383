# SPDX-License-Identifier: Apache-2.0
"""CTAs of lost SMs run again: `retry_limit`."""
import pytest

import ganger
from queue_support import items_of
from test_reset import ANSWER_MS, hung
from support import LONG, Held, expect, run_good_task, sm_of, until, words, zeros

SMS = 8
VICTIM = 3
ITEMS = 30_000


@pytest.fixture
def dev(device):
    """The device that most tests share."""
    return device(SMS)


def test_elsewhere(dev, load):
    """S1-R100: what an SM ran is started again on others, each CTA once, and what others ran is not; a task beside it that
    did not ask for that fails."""
    alone = Held(dev, load(dev, "work"), 1, affinity=[VICTIM])
    alone.await_started()
    held = Held(dev, load(dev, "work"), 2 * SMS, retry_limit=1)
    held.await_started()
    before = held.sms()
    gone = [cta for cta, sm in enumerate(before) if sm == VICTIM]
    dev.sm_reset(VICTIM)
    held.await_started(2 * SMS + len(gone))
    after = held.sms()
    held.release()
    done = held.task.wait(LONG)
    assert gone and (done.ctas, done.retried) == (2 * SMS, len(gone))
    assert [cta for cta in range(2 * SMS) if after[cta] != before[cta]] == gone
    error = expect("ERR_SM_LOST", alone.task.wait, LONG)
    assert (error.field, error.done.retried) == (None, 0)


@pytest.mark.parametrize("keywords", [{}, {"mode": "round-robin"}, {"quota": 64}, {"mode": "pull", "chunk": 64}], ids=str)
def test_a_long_grid(dev, load, keywords):
    """S0-R31, S0-R32, S4-R102: all SMs are reset while a long grid runs: each CTA has run, and the completion tells how many of
    them may have run more than once."""
    counts = zeros(dev, ITEMS)
    task = dev.submit(load(dev, "work")["count"], grid=ITEMS, block=1, args=[counts], retry_limit=15, **keywords)
    for sm in range(SMS):
        dev.sm_reset(sm)
    done = task.wait(LONG)
    found = words(counts.read())
    assert done.ctas == ITEMS and min(found) == 1
    assert sum(found) - ITEMS <= done.retried


def test_one_after_the_other(dev, load):
    """S0-R23: the CTA that is lost of a sequential task comes when no other is left, and alone."""
    held = Held(dev, load(dev, "work"), 3, retry_limit=1, sequential=True)
    held.await_started(1)
    dev.sm_reset(sm_of(dev, words(held.place.read())[0]))
    held.await_started(2)
    held.release()
    done = held.task.wait(LONG)
    assert (done.ctas, done.retried) == (3, 1)
    assert held.order() == [3, 1, 2]


def test_the_limit(dev, load):
    """A CTA runs again on its only SM when that is back, as often as the limit says."""
    held = Held(dev, load(dev, "work"), 1, retry_limit=2, affinity=[VICTIM])
    for count in (1, 2, 3):
        held.await_started(count)
        assert not held.task.done
        dev.sm_reset(VICTIM)
    error = expect("ERR_SM_LOST", held.task.wait, LONG)
    assert (error.field, error.value, error.done.retried) == ("tmd.retry_limit", 2, 2)
    run_good_task(dev, load(dev, "work"))


def test_items_of_a_queue(dev, load):
    """S0-R05: CTAs of a queue that an SM had are started again on others, under their numbers, and no others are."""
    place, state = zeros(dev, 4 * SMS), zeros(dev, 2)
    task = dev.queue(load(dev, "work")["where"], capacity=2 * SMS, item_bytes=8, items=1, initial=items_of(range(2 * SMS)),
                     closed=True, args=[place, state], retry_limit=1)
    until(lambda: words(state.read())[0] == 2 * SMS, "all have started")
    before = [sm_of(dev, address) for address in words(place.read())[0::2]]
    gone = [cta for cta, sm in enumerate(before) if sm == VICTIM]
    dev.sm_reset(VICTIM)
    until(lambda: words(state.read())[0] == 2 * SMS + len(gone), "those that were lost, too")
    after = [sm_of(dev, address) for address in words(place.read())[0::2]]
    state.write(b"\1", 4)
    done = task.wait(LONG)
    assert gone and (done.ctas, done.retried) == (2 * SMS, len(gone))
    assert [cta for cta in range(2 * SMS) if after[cta] != before[cta]] == gone


@pytest.mark.parametrize("items", [1, 3])
def test_a_long_queue(dev, load, items):
    """S0-R05: all SMs are reset while a queue of many items runs: each item has run, and the completion tells how many CTAs may
    have run more than once."""
    capacity = 6000
    counts = zeros(dev, capacity)
    task = dev.queue(load(dev, "queue")["tally"], capacity=capacity, item_bytes=8, items=items, initial=items_of(range(capacity)),
                     closed=True, args=[counts], retry_limit=15)
    for sm in range(SMS):
        dev.sm_reset(sm)
    done = task.wait(LONG)
    found = words(counts.read())
    assert done.ctas == capacity // items and min(found) == 1
    assert sum(found) - capacity <= items * done.retried


def test_passes_of_a_graph(dev, load):
    """S2-R45: a pass whose CTAs were lost is completed, and the passes behind it run."""
    work = load(dev, "work")
    place, state, counts = zeros(dev, 2 * SMS), zeros(dev, 2), zeros(dev, SMS)
    with ganger.Graph() as graph:
        first = graph.argument("place", 8 * SMS)
        graph.pass_(work["where"], SMS, 1, [graph.write(first), state], retry_limit=1)
        graph.pass_(work["count"], SMS, 1, [graph.write(counts)], reads=[first])
    task = graph.launch(dev, place=place)
    until(lambda: words(state.read())[0] == SMS, "the first pass runs")
    dev.sm_reset(VICTIM)
    until(lambda: words(state.read())[0] == SMS + 1, "its lost CTA, too")
    state.write(b"\1", 4)
    done = task.wait(LONG)
    assert (done.retried, words(counts.read())) == (1, [1] * SMS)


def broken(dev, poke, sm):
    """An SM stops on a bug of its own: it finds packets that nobody wrote."""
    put = dev.regs.launch[sm].launch_put
    put.write(put.read() + 1000)
    poke.task.cancel()
    expect("ERR_CANCELLED", poke.task.wait, LONG)


def test_who_is_guilty(fresh, load):
    """S1-R100: a task whose CTA was on two SMs that failed is stopped, whatever its limit; one beside it goes on. Its kernel is
    refused until its channel is reset."""
    dev = fresh(4)
    work = load(dev, "work")
    beside = Held(dev, work, 8, retry_limit=15)
    beside.await_started()
    counts = zeros(dev, 2)
    task = dev.submit(work["forever"], args=[counts, 0], affinity=[1], retry_limit=15, channel=2)
    for count in (1, 2):
        until(lambda: dev.query("DEVICE") == 9, "it runs beside the others")
        poke = Held(dev, work, 1, affinity=[1])
        poke.await_started()
        broken(dev, poke, 1)
        assert task.done == (count == 2)
        dev.sm_reset(1)
    error = expect("ERR_QUARANTINE", task.wait, LONG)
    assert (error.field, error.value, error.done.retried) == ("tmd.entry", work.base + work["forever"].entry, 1)
    for channel in (2, 3):
        again = expect("ERR_QUARANTINE", dev.submit(work["forever"], args=[counts, 1], channel=channel).wait, LONG)
        assert (again.field, again.value) == (error.field, error.value)
    dev.channel_reset(3)
    expect("ERR_QUARANTINE", dev.submit(work["forever"], args=[counts, 1]).wait, LONG)
    dev.channel_reset(2)
    assert dev.submit(work["forever"], args=[counts, 1]).wait(LONG).ctas == 1
    beside.release()
    done = beside.task.wait(LONG)
    assert (done.ctas, done.retried > 0) == (8, True)
    assert [dev.stat()[name] for name in ("sms_lost", "unmatched")] == [2, 0]


def test_written_off(fresh, load):
    """S1-R100: what an SM had that hears nothing runs again on the others, and nobody is told to be guilty by one SM."""
    dev = fresh(4)
    dev.config(answer_ms=ANSWER_MS)
    beside = Held(dev, load(dev, "work"), 8, retry_limit=1)
    beside.await_started()
    items, error = hung(dev, load, 1)
    assert error.status == "ERR_SM_LOST"
    beside.await_started(10)
    items.cancel()
    expect("ERR_CANCELLED", items.wait, LONG)
    beside.release()
    done = beside.task.wait(LONG)
    assert (done.ctas, done.retried) == (8, 2)


def test_refused(dev, load):
    """S0-R01: a limit that is too large is refused with field and value."""
    error = expect("ERR_UNSUPPORTED", dev.submit(load(dev, "work")["blank"], grid=4, block=1, retry_limit=16).wait, LONG)
    assert (error.field, error.value) == ("tmd.retry_limit", 16)
