# SPDX-License-Identifier: Apache-2.0
"""PULL grids on many SMs, and on an SM that stops: every item is issued, and is counted."""
import math
import struct

import pytest

import ganger
from support import LONG, Held, configured, expect, hash_value, run_good_task, set_flag, until, words, zeros

SMS = 64
GPC_SMS = 16
DEADLINE = max(LONG, 600)  # A board with 65 cores on a few processors: only a hang gets there.
ROW = struct.Struct("<8Q2I")  # A row of the sample nd_fill: index, runs, dimensions.
TASKS = 36
BROKEN = 1  # The SM that is made to stop.
PUSHED = 1  # Push CTAs of each of two tasks that it has meanwhile.


def random_range(seed):
    """A set of 1 to 5 dimensions with up to some thousand items, half of them with holes."""
    sizes = tuple(seed.randint(1, 7) for _ in range(seed.randint(1, 5)))
    order = tuple(seed.sample(range(len(sizes)), len(sizes)))
    offset = tuple(seed.choice([0, 3, 1 << 40]) for _ in sizes)
    first = sizes[order[0]]
    rows = None
    if seed.random() < 0.5:
        rows = [seed.randint(0, first) for _ in range(math.prod(sizes) // first)]
        rows[seed.randrange(len(rows))] = first
    return ganger.Range(sizes, order, offset, seed.random() < 0.5, rows)


class Counted:
    """A plain grid, pulled or pushed: each CTA counts itself."""

    def __init__(self, dev, load, seed, pull):
        self.items = seed.choice([1, seed.randint(2, 100), seed.randint(100, 6000)])
        self.counts = zeros(dev, self.items)
        chunk = seed.choice([None, 1, seed.randint(1, self.items)]) if pull else None
        self.work = dev.work(load(dev, "work")["count"], grid=self.items, args=[self.counts],
                             mode="pull" if pull else None, chunk=chunk,
                             priority=seed.randint(1, 9))

    def check(self):
        """Every CTA once."""
        assert words(self.counts.read()) == [1] * self.items


class Indexed:
    """A pulled set with holes: each item leaves its index."""

    def __init__(self, dev, kernel, seed):
        self.shape = random_range(seed)
        self.items = self.shape.items
        self.rows = dev.buffer(bytes(ROW.size * self.items))
        self.work = dev.work(kernel, range=self.shape, args=[self.rows, self.items], mode="pull",
                             chunk=seed.choice([None, 1, seed.randint(1, self.items)]),
                             priority=seed.randint(1, 9))

    def check(self):
        """Every item once, with its index."""
        dimensions = len(self.shape.sizes)
        for position, row in enumerate(ROW.iter_unpack(self.rows.read())):
            assert row[:dimensions] == self.shape.index(position), position
            assert row[8:] == (1, dimensions), position


@pytest.mark.parametrize("far", [(), (1, 3)], ids=str)
def test_exactly_once(fresh, load, sample_path, seed, far):
    """S4-C1, S4-R62, S4-R97, S4-R112, S4-V8, S4-Q5: 64 SMs at the same entries, some by the queues
    of two far GPCs: no item is left out or runs twice, no entry stays; pushed tasks run beside."""
    dev = fresh(SMS)
    kernel = dev.load(sample_path("nd_fill"))["nd_fill"]
    group = {sm: (sm // GPC_SMS, 0, 0) for sm in range(SMS)}
    latency = [100 if gpc in far else 0 for gpc in range(SMS // GPC_SMS)]
    with configured(dev, group=group, far_ticks=50, latency=latency):
        loads = [Indexed(dev, kernel, seed) if number % 3 == 0 else
                 Counted(dev, load, seed, pull=number % 3 == 1) for number in range(TASKS)]
        tasks = dev.submit_many([one.work for one in loads], timeout=DEADLINE)
        for task, one in zip(tasks, loads):
            assert task.wait(DEADLINE).ctas == one.items
        for one in loads:
            one.check()
        found = portions_of_all(dev, load)
    assert all(one.sm // GPC_SMS in far for one in found if one.portions)
    assert not far or sum(one.portions for one in found) > 0
    stat = dev.stat()
    assert stat["sms_lost"] == stat["pull_reissued"] == stat["unmatched"] == 0
    assert stat["tasks_accepted"] == stat["tasks_completed"]


def portions_of_all(dev, load):
    """What the SMs did of a grid that no SM finishes before all of them have begun."""
    with Held(dev, load(dev, "work"), 2 * SMS * dev.info.sm_ctas, mode="pull", chunk=1) as held:
        until(lambda: held.started() >= SMS * dev.info.sm_ctas, "all SMs take part", DEADLINE)
        found = dev.pull_history()
    assert {one.sm for one in found} == set(range(SMS))
    return found


def spoil_put(dev):
    """More packets than the ring has places."""
    word = dev.regs.launch[BROKEN].launch_put
    word.write((word.read() + 1000) & 0xffffffff)


def spoil_packet(dev):
    """One more packet, of a slot that there is not."""
    cap, word = dev.regs.cap.read(), dev.regs.launch[BROKEN].launch_put
    put = word.read()
    nbytes = ganger.abi.BLOCKS["packet"][0]
    address = cap["base"] + cap["launch_offset"] + cap["launch_stride"] * BROKEN
    address += ganger.abi.BLOCKS["launch"][0] + nbytes * (put % cap["launch_entries"])
    dev.write(address, struct.pack("<I", 255) + bytes(nbytes - 4))
    word.write((put + 1) & 0xffffffff)


def spoil_answers(dev):
    """Answers to requests that it never made."""
    word = dev.regs.launch[BROKEN].request_get
    word.write((word.read() + 1000) & 0xffffffff)


SPOIL = [spoil_put, spoil_packet, spoil_answers]


class Pushed:
    """Two tasks with a CTA on an SM: to stop the second has the SM look at its ring."""

    def __init__(self, dev, module):
        self.dev = dev
        self.held = [Held(dev, module, PUSHED, affinity=[BROKEN], priority=1) for _ in range(2)]
        for one in self.held:
            one.await_started()

    def lose(self, spoil):
        """The SM finds what no control processor writes, and stops on its own assertion. An interrupt for what it has found by itself may come
        late, on a busy machine after the host has spoilt its words; then it is lost before the second task could be cancelled."""
        spoil(self.dev)
        ends = "ERR_CANCELLED"
        try:
            self.held[1].task.cancel()
        except ganger.Error as error:
            assert error.status == "ERR_TASK"
            ends = "ERR_SM_LOST"
        until(lambda: self.dev.stat()["sms_lost"] == 1, "the SM is lost")
        expect("ERR_SM_LOST", self.held[0].task.wait, LONG)
        expect(ends, self.held[1].task.wait, LONG)


def check_rest(dev, load):
    """Tasks run on the other SMs, all of them; nothing is left of the old ones."""
    others = [sm for sm in range(dev.info.sms) if sm != BROKEN]
    run_good_task(dev, load(dev, "work"))
    for mode in (None, "pull"):
        with Held(dev, load(dev, "work"), len(others) * dev.info.sm_ctas, mode=mode) as held:
            held.await_started()
            assert sorted(set(held.sms())) == others
    assert dev.state == "READY" and dev.stat()["sms_lost"] == 1
    until(lambda: dev.query("TASKS") == 0, "no task is left")
    assert all(slot.state.name() == "FREE" for slot in dev.regs.slot)


@pytest.mark.parametrize("chunk", [1, 4])
@pytest.mark.parametrize("spoil", SPOIL, ids=lambda one: one.__name__)
def test_items_of_a_lost_sm(fresh, load, spoil, chunk):
    """S4-Q5, S4-R117: what an SM had when it stopped is issued once more: the items that it ran,
    which begin a second time, and those of its chunk that it had not begun; no others."""
    dev = fresh(3)
    module = load(dev, "work")
    pushed = Pushed(dev, module)
    running = dev.info.sm_ctas - 2 * PUSHED
    streams = 2 * dev.info.sm_ctas + running
    with Held(dev, module, 40 * chunk * dev.info.sms, mode="pull", chunk=chunk, priority=5) as held:
        held.await_started(streams)
        left = sum(one.left for one in dev.pull_history() if one.sm == BROKEN)
        assert held.started() == streams
        pushed.lose(spoil)
        assert dev.stat()["pull_reissued"] == running + left
        assert held.task.poll() is None
    assert held.task.wait(LONG).ctas == held.ctas
    assert held.started() == held.ctas + running
    assert BROKEN not in held.sms()
    check_rest(dev, load)


def lose_at_work(dev, load, spoil, far):
    """Loses an SM that has a chunk in hand, and returns how many items were issued once more: 0 when it was through with
    the chunk before the host got to it."""
    items, spin, salt = 600, 2_000_000, 1024  # No hash is 0.
    module = load(dev, "work")
    out, go = zeros(dev, items), zeros(dev, 1)
    group = {sm: (sm // 2, 0, 0) for sm in range(4)}
    with configured(dev, group=group, far_ticks=50, latency=[100 if far else 0]):
        pushed = Pushed(dev, module)
        task = dev.submit(module["hash_late"], grid=items, args=[out, salt, spin, go], mode="pull",
                          chunk=140, priority=5)
        until(lambda: any(one.left for one in dev.pull_history() if one.sm == BROKEN),
              "it has a chunk in hand")
        assert task.poll() is None
        pushed.lose(spoil)
        set_flag(go, 0)  # The others need not take as long for the rest.
        assert task.wait(DEADLINE).ctas == items
    once, found = [hash_value(salt, item, 0) for item in range(items)], words(out.read())
    twice = [item for item in range(items) if found[item] == 2 * once[item] & 0xffffffff]
    assert all(found[item] == once[item] for item in range(items) if item not in set(twice))
    reissued = dev.stat()["pull_reissued"]
    assert len(twice) <= dev.info.sm_ctas - 2 * PUSHED
    check_rest(dev, load)
    return reissued


@pytest.mark.parametrize("far", [False, True])
@pytest.mark.parametrize("spoil", SPOIL, ids=lambda one: one.__name__)
def test_an_sm_is_lost_at_work(fresh, load, spoil, far):
    """S4-Q5, S4-R102, S4-R112, S4-R117: the others complete the grid, each item once, or twice when
    the lost SM had it."""
    assert any(lose_at_work(fresh(4), load, spoil, far) > 0 for _attempt in range(6))
