# SPDX-License-Identifier: Apache-2.0
"""Preemption inside CTAs: those that never end give way to what is more urgent, and lose nothing by it."""
import pytest

import ganger
from support import LONG, Held, expect, expect_status, flag_at, run_good_task, set_flag, until, words, zeros
from test_hosts import up
from test_reset import ANSWER_MS, hang

PARK_MS = 20
LOW, URGENT = 9, 1
VALUES, SHARED, MASK = 24, 64, 0xffffffff


@pytest.fixture(autouse=True)
def _parks(board_parts):
    if "park" not in board_parts:
        pytest.skip("the board parks no CTAs")


def mixed(value, what):
    return ((value ^ what) * 16777619 + 7) & MASK


def waited(cta):
    """What the registers of the work-item that waits have in the end."""
    return cta + 1 + 3 * (cta + 2) + 5 * (cta + 3) + 7 * (cta + 4)


def kept(seed, ctas, items):
    """What kernel `keep` writes."""
    out = []
    for cta in range(ctas):
        for item in range(items):
            value = 0
            for i in range(VALUES):
                value = mixed(value, mixed(seed + i, cta * items + item))
            common = (item + 1) % min(items, SHARED)
            out.append(mixed(mixed(value, mixed(seed, common + cta)), waited(cta)))
    return out


class Endless:
    """CTAs of kernel `keep`, which run until release()."""

    def __init__(self, dev, load, ctas, items=1, seed=1, priority=LOW, **options):
        self.dev, self.ctas, self.items, self.seed = dev, ctas, items, seed
        self.out, self.started, self.beats, self.go = zeros(dev, ctas * items), zeros(dev, 1), zeros(dev, ctas), zeros(dev, 1)
        self.task = dev.submit(load(dev, "park")["keep"], grid=(ctas,), block=items, priority=priority,
                               args=[self.out, self.started, self.beats, self.go, seed], **options)

    def await_started(self, ctas=None):
        until(lambda: flag_at(self.started, 0) >= (ctas or self.ctas), "its CTAs have started")

    def running(self):
        """The CTAs that run: those that show it before all of the others can have."""
        before = words(self.beats.read())
        return lambda: [cta for cta, beat in enumerate(words(self.beats.read())) if beat != before[cta]]

    def release(self):
        set_flag(self.go, 0)

    def check(self):
        """Releases them; each has the values that it had."""
        self.release()
        self.task.wait(LONG)
        assert words(self.out.read()) == kept(self.seed, self.ctas, self.items)


def filled(dev, load, items=1, options=None, **more):
    """CTAs that never end on all that every SM has."""
    occupied = Endless(dev, load, dev.info.sms * dev.info.sm_ctas, items, **(options or {}), **more)
    occupied.await_started()
    return occupied


def all_parked(dev, load):
    """CTAs that never end, which are all parked since their task is suspended."""
    endless = filled(dev, load, 4)
    endless.task.suspend()
    until(lambda: dev.query("DEVICE") == 0, "no CTA is left on an SM")
    return endless


@pytest.mark.parametrize("items", [1, 4, 64])
def test_urgent_behind_endless(fresh, load, items):
    """S0-R10, S0-R13: every SM is full of CTAs that never end. A more urgent task gets its CTAs, and then they go on."""
    dev = fresh(4)
    dev.config(park_ms=PARK_MS)
    endless = filled(dev, load, items)
    with Held(dev, load(dev, "work"), 3, priority=URGENT) as urgent:
        urgent.await_started()
        assert sum(urgent.per_sm()) == 3 and not endless.task.done
    until(lambda: dev.query("DEVICE") == endless.ctas, "all are back")
    assert 3 * dev.info.sm_ctas >= dev.stat()["ctas_parked"] >= 3
    endless.check()


def test_a_large_one_behind_small_ones(fresh, load):
    """S0-R10: a CTA that needs all of an SM's memory runs behind many small ones, and leaves its own behind in none of theirs."""
    dev = fresh(2)
    dev.config(park_ms=PARK_MS)
    endless = filled(dev, load, 16)
    out, ctas, size = zeros(dev, 2), 2, dev.info.sm_shared_bytes - 1024
    big = load(dev, "park")["scribble"]
    dev.submit(big, grid=(ctas,), block=1, priority=URGENT, args=[out, ganger.local(size), size // 4]).wait(LONG)
    assert words(out.read()) == [1, 1]
    endless.check()


def test_two_victims(fresh, load):
    """S0-R13: a task behind CTAs of two others of different priorities gets its room: that of the lower one first."""
    dev = fresh(1)
    dev.config(park_ms=PARK_MS)
    half = dev.info.sm_ctas // 2
    low, middle = Endless(dev, load, half, 4, seed=3), Endless(dev, load, half, 4, seed=4, priority=5)
    low.await_started()
    middle.await_started()
    with Held(dev, load(dev, "work"), dev.info.sm_ctas, priority=URGENT) as urgent:
        urgent.await_started()
        assert dev.stat()["ctas_parked"] >= 2 * half
    low.check()
    middle.check()


def test_one_behind_the_other(fresh, load):
    """S0-R10: who was urgent is parked for who is more so, while what was there before is still parked; each comes back."""
    dev = fresh(2)
    dev.config(park_ms=PARK_MS)
    low = filled(dev, load, 4)
    middle = filled(dev, load, 4, priority=5, seed=2)
    with Held(dev, load(dev, "work"), 2 * dev.info.sm_ctas, priority=URGENT) as urgent:
        urgent.await_started()
        until(lambda: dev.query("DEVICE") == urgent.ctas, "all others are parked")
    until(lambda: dev.query("DEVICE") == middle.ctas, "those of the middle are back")
    middle.check()
    low.check()


def test_equals_wait(fresh, load):
    """S0-R10: nobody is parked for a task of the same priority, nor for one of a lower one."""
    dev = fresh(1)
    dev.config(park_ms=1)
    endless = filled(dev, load, priority=5)
    others = [dev.submit(load(dev, "work")["blank"], priority=priority) for priority in (5, 6)]
    before = dev.clock()
    until(lambda: dev.clock() - before > 0.05, "50 periods pass by the device's clock")
    assert not any(task.done for task in others) and dev.stat()["ctas_parked"] == 0
    endless.check()
    for task in others:
        task.wait(LONG)


def test_off(fresh, load):
    """At boot nobody is parked: CTAs end by themselves, or by their time limit."""
    dev = fresh(1)
    endless = filled(dev, load)
    task = dev.submit(load(dev, "work")["blank"], priority=URGENT)
    before = dev.clock()
    until(lambda: dev.clock() - before > 0.05, "time passes by the device's clock")
    assert dev.config.park_ms == 0 and not task.done and dev.stat()["ctas_parked"] == 0
    dev.config(park_ms=1)
    task.wait(LONG)
    endless.check()


def test_the_rest_goes_on(fresh, load):
    """S0-R13: CTAs that were parked come first; the grid's other CTAs are issued to the SMs that are free."""
    dev = fresh(2)
    dev.config(park_ms=PARK_MS)
    endless = Endless(dev, load, 5 * dev.info.sm_ctas, 4)
    endless.await_started(2 * dev.info.sm_ctas)
    with Held(dev, load(dev, "work"), dev.info.sm_ctas, priority=URGENT, affinity=[0]) as urgent:
        urgent.await_started()
        assert urgent.per_sm() == [dev.info.sm_ctas, 0]
        endless.release()
        endless.await_started(4 * dev.info.sm_ctas)  # all but those that are parked, and they are not in the way
        assert not endless.task.done
    endless.check()


def test_suspended(fresh, load):
    """S0-R13: a grid that is suspended leaves its SMs within the bound, and goes on where it was when it is resumed."""
    dev = fresh(4)
    dev.config(park_ms=PARK_MS)
    endless = all_parked(dev, load)
    assert dev.stat()["ctas_parked"] == endless.ctas
    run_good_task(dev, load(dev, "work"))
    endless.release()
    endless.task.resume()
    endless.check()


def test_evicted(fresh, load):
    """S0-R13: the task table is full of tasks whose CTAs never end. Urgent ones get slots, one after the other."""
    dev = fresh(4)
    dev.config(park_ms=PARK_MS)
    endless = [Endless(dev, load, 1, 2, seed=number) for number in range(dev.info.slots)]
    for one in endless:
        one.await_started()
    for _ in range(3):
        dev.submit(load(dev, "work")["blank"], grid=(2,), priority=URGENT).wait(LONG)
    assert dev.stat()["evictions"] >= 1 and dev.stat()["ctas_parked"] >= 1
    for one in endless:
        one.check()


@pytest.mark.parametrize("how", ["cancel", "channel"])
def test_ended_while_parked(fresh, load, how):
    """A task with parked CTAs ends when it is cancelled, and nothing of it comes back."""
    dev = fresh(2)
    dev.config(park_ms=PARK_MS)
    endless = filled(dev, load, channel=1)
    with Held(dev, load(dev, "work"), 2 * dev.info.sm_ctas, priority=URGENT) as urgent:
        urgent.await_started()
        if how == "cancel":
            endless.task.cancel()
        else:
            dev.channels[1].cancel(LONG)
        expect("ERR_CANCELLED", endless.task.wait, LONG)
        again = Endless(dev, load, 1, 4, seed=9)
    again.await_started()
    again.check()


def test_reset_while_parked(fresh, load):
    """An SM is reset while CTAs are parked from it. They are in the heap, and go on there when it is back."""
    dev = fresh(2)
    dev.config(park_ms=PARK_MS)
    endless = all_parked(dev, load)
    dev.sm_reset(1)
    endless.release()
    endless.task.resume()
    endless.check()


def test_lost_while_parked(fresh, load):
    """An SM is written off while CTAs are parked from it: their task ends, as with CTAs that the SM has."""
    dev = fresh(2)
    dev.config(park_ms=PARK_MS, answer_ms=ANSWER_MS)
    endless = all_parked(dev, load)
    stuck = hang(dev, load, 1)
    expect("ERR_SM_LOST", dev.command("RESET_SM", args=(1, 0, 0, 0)).wait, LONG)
    expect("ERR_SM_LOST", endless.task.wait, LONG)
    stuck.cancel()
    expect_status(("ERR_CANCELLED", "ERR_SM_LOST"), stuck.wait, LONG)


def test_throttle(fresh, load):
    """S0-R22: CTAs that never end do not hold up throttle mode."""
    dev = fresh(4)
    dev.config(park_ms=PARK_MS)
    endless = filled(dev, load, 4)
    dev.submit(load(dev, "work")["blank"], grid=(3,), priority=LOW, throttle=True).wait(LONG)
    assert dev.stat()["throttle_switches"] >= 1
    endless.check()


def test_storm(fresh, load, seed):
    """S0-R10, S0-R13: tasks of all priorities, suspended, resumed and cancelled at random, with a bound of a millisecond."""
    dev = fresh(3)
    dev.config(park_ms=1)
    alive, blanks, work, suspended = [], [], load(dev, "work"), None
    for step in range(60):
        alive.append(Endless(dev, load, seed.randrange(1, 2 * dev.info.sm_ctas), seed.choice([1, 2, 16]), seed=step,
                             priority=seed.randrange(URGENT + 1, 11)))
        chosen = seed.choice(alive)
        what = seed.randrange(6)
        if suspended is not None:
            suspended.task.resume()
            suspended = None
        if what == 0:
            chosen.task.suspend()
            suspended = chosen
        elif what == 1:
            blanks.append(dev.submit(work["blank"], grid=(seed.randrange(1, 20),), priority=URGENT))
        elif what == 2 and len(alive) > 4:
            alive.remove(chosen)
            chosen.task.cancel()
            expect("ERR_CANCELLED", chosen.task.wait, LONG)
        elif what == 3 or len(alive) > 12:
            for one in alive:
                one.release()
            while alive:
                alive.pop().check()
    if suspended is not None and suspended in alive:
        suspended.task.resume()
    for one in alive:
        one.release()
    for one in alive:
        one.check()
    for blank in blanks:
        blank.wait(LONG)
    assert dev.stat()["ctas_parked"] > 0


@pytest.mark.parametrize("ms,field,value", [(60001, "config.park_ms", 60001)])
def test_refused(fresh, ms, field, value):
    """A bound that is too large is refused, and nothing changes."""
    dev = fresh(1)
    error = expect("ERR_CONFIG", dev.config, park_ms=ms)
    assert (error.field, error.value) == (field, value) and dev.config.park_ms == 0


def test_the_next_host(board, tmp_path, kernel_path):
    """What one host has given to parked CTAs is nobody's memory for the next one, which finds the bound as it is."""
    path = tmp_path / "device.sock"
    ganger.Device.up(path, board, sms=2)
    try:
        with ganger.Device.attach(path) as dev:
            dev.config(park_ms=PARK_MS)
            page, bytes_each = dev.regs.config.park_page.read(), 2 * dev.info.sms * dev.info.sm_area_bytes
        with ganger.Device.attach(path) as dev:
            assert dev.config.park_ms == PARK_MS
            taken = [dev.context(1 << 20).buffer(bytes(1 << 19)) for _ in range(8)]
            taken.append(dev.buffer(bytes(1 << 20)))
            for buffer in taken:
                assert buffer.address >= page * 4096 + bytes_each or buffer.address + (1 << 19) <= page * 4096
            dev.config(park_ms=2 * PARK_MS)
            assert dev.regs.config.park_page.read() == page
            modules = {}
            endless = filled(dev, lambda _dev, name: modules.setdefault(name, dev.load(kernel_path(name))), 4)
            dev.submit(dev.load(kernel_path("work"))["blank"], priority=URGENT).wait(LONG)
            endless.check()
    finally:
        ganger.Device.down(path)


def test_several_hosts(board, tmp_path, kernel_path):
    """S0-R10, S3-R22: CTAs of one host give way to a task of another one; what is kept of them is in no host's memory."""
    with up(tmp_path / "g.sock", board, sms=4, hosts=2) as path, ganger.Device.attach(path) as one, ganger.Device.attach(path) as other:
        one.config(park_ms=PARK_MS)
        page = one.regs.config.park_page.read()
        assert all(host.heap + host.heap_bytes <= 4096 * page for host in ganger.hosts(path))
        modules = {}
        endless = filled(other, lambda dev, name: modules.setdefault(name, dev.load(kernel_path(name))), 4)
        one.submit(one.load(kernel_path("work"))["blank"], grid=(4,), priority=URGENT).wait(LONG)
        assert one.stat()["ctas_parked"] >= 1 and not endless.task.done
        endless.check()
