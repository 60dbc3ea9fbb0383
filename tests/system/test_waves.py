# SPDX-License-Identifier: Apache-2.0
"""Waves: CTAs that go to many idle SMs at once, and whose ends are counted. Whatever happens inside of one, each CTA runs
once and each completion is right."""
import os

import pytest

import ganger
from cluster_support import Gathered, Grid
from support import LONG, expect, run_good_task, until, words, zeros

SMS = [8, 32]
# Tasks of the storm; the environment takes it to a million.
STORM = int(os.environ.get("GANGER_WAVES", "600"))
BATCH = 50


@pytest.fixture(params=SMS)
def dev(device, request):
    """A device with so many SMs."""
    return device(request.param)


def waves(dev):
    """Waves so far, and how many of them were opened."""
    stat = dev.stat()
    return stat["waves"], stat["waves_opened"]


def endless(dev, load, **keywords):
    """A wave with two CTAs an SM: CTA 0 never ends, after all others have ended."""
    before = waves(dev)[0]
    counts = zeros(dev, 2 * dev.info.sms)
    task = dev.submit(load(dev, "work")["forever"], grid=2 * dev.info.sms, block=1,
                      args=[counts, 0], **keywords)
    until(lambda: sum(words(counts.read())) == 2 * dev.info.sms - 1, "all but one")
    assert waves(dev)[0] == before + 1
    return task


def large(dev, load, **keywords):
    """A task of one CTA that needs a whole SM."""
    return dev.submit(load(dev, "shared")["hide"], block=1, **keywords,
                      args=[1, ganger.local(dev.info.sm_shared_bytes), 0])


@pytest.mark.parametrize("each", [1, 3])
def test_contents(dev, load, each):
    """S0-R34, S0-R31: each CTA of a wave runs once, with its own place; SMs get equal numbers, the first ones one more."""
    before = waves(dev)[0]
    ctas = each * dev.info.sms + 3
    counts = zeros(dev, ctas)
    done = dev.submit(load(dev, "work")["count"], grid=ctas, block=1, args=[counts]).wait(LONG)
    assert words(counts.read()) == [1] * ctas
    assert (done.ctas, done.packets, done.sms) == (ctas, dev.info.sms, dev.info.sms)
    times = done.times
    assert times.posted <= times.ready <= times.first < times.last <= times.done
    assert waves(dev)[0] == before + 1


def test_task_behind_a_wave(dev, load):
    """S0-R26: a task behind a wave that never ends gets an SM that is through with it."""
    opened = waves(dev)[1]
    task = endless(dev, load)
    large(dev, load).wait(LONG)
    assert waves(dev)[1] == opened + 1 and task.poll() is None
    task.cancel()
    assert expect("ERR_CANCELLED", task.wait, LONG).done.ctas == 2 * dev.info.sms - 1
    run_good_task(dev, load(dev, "work"))


def test_cancel(dev, load):
    """A wave is cancelled whose other CTAs were counted."""
    task = endless(dev, load)
    task.cancel()
    assert expect("ERR_CANCELLED", task.wait, LONG).done.ctas >= 2 * dev.info.sms - 2
    run_good_task(dev, load(dev, "work"))


def test_pulled_grid(dev, load):
    """S4-R39, S4-R49: the streams of a PULL grid are a wave that nobody looks at; each CTA runs once."""
    before = waves(dev)
    ctas = 40 * dev.info.sms
    counts = zeros(dev, ctas)
    done = dev.submit(load(dev, "work")["count"], grid=ctas, block=1, args=[counts], mode="pull").wait(LONG)
    assert words(counts.read()) == [1] * ctas
    assert (done.ctas, done.packets, done.sms) == (ctas, dev.info.sms, dev.info.sms)
    times = done.times
    assert times.posted <= times.ready <= times.first < times.last <= times.done
    assert waves(dev) == (before[0] + 1, before[1])


def test_task_behind_a_pulled_wave(dev, load):
    """S0-R26, S4-R49: a CTA of a PULL grid never ends. SMs that are through, and counted themselves with what they did,
    go to the task behind it."""
    before, ctas = waves(dev), 40 * dev.info.sms
    counts = zeros(dev, ctas)
    task = dev.submit(load(dev, "work")["forever"], grid=ctas, block=1, args=[counts, 0], mode="pull", chunk=1)
    until(lambda: sum(words(counts.read())) == ctas - 1, "all but one")
    until(lambda: dev.regs.wave[0].left.read() == 1, "all SMs but one have counted themselves")
    assert waves(dev) == (before[0] + 1, before[1])
    large(dev, load).wait(LONG)
    assert waves(dev)[1] == before[1] + 1 and task.poll() is None
    task.cancel()
    assert expect("ERR_CANCELLED", task.wait, LONG).done.ctas == ctas - 1
    run_good_task(dev, load(dev, "work"))


def test_time_limit(dev, load):
    """S3-Q13: a CTA of a wave has a time limit; the others ended well, also when the emulator was held up for a while."""
    task = endless(dev, load, time_limit_ms=3000)
    error = expect("ERR_TIME_LIMIT", task.wait, LONG)
    assert error.record.status == "ERR_TIME_LIMIT" and error.done.ctas >= 2 * dev.info.sms - 2
    run_good_task(dev, load(dev, "work"))


def test_fault(dev, load):
    """S3-R82, S0-R34: a CTA of a wave faults: its record is there, and none of its neighbours is lost."""
    ctas = 2 * dev.info.sms
    for cta in (0, dev.info.sms, ctas - 1):
        counts = zeros(dev, ctas)
        error = expect("ERR_FAULT_ACCESS", dev.submit(
            load(dev, "faults")["fault"], grid=ctas, block=1, args=[counts, 0, 16, cta, 0]).wait, LONG)
        assert error.record.cta == cta
        run_good_task(dev, load(dev, "work"))


@pytest.mark.parametrize("rounds", [1, 3])
def test_clusters(dev, load, rounds):
    """S1-R59, S1-R71, S1-R74, S1-R133, S1-R139: all clusters of a task go as one wave, in rounds over the SMs: each CTA runs once
    and knows its own cluster, all are there at once, and no two have the same id in a GPC."""
    before = waves(dev)
    grid = Grid.of(rounds * dev.info.sms + 4, 4)
    gathered = Gathered(dev, load, grid, held=True)
    gathered.await_met(grid.ctas)
    assert waves(dev) == (before[0] + 1, before[1])
    seen = gathered.seen()
    gathered.release()
    assert gathered.task.wait(LONG).ctas == grid.ctas
    clusters = {}
    for number in range(grid.ctas):
        one = seen[number]
        assert (one.rank, one.cluster, one.times) == (number % 4, number // 4, 1)
        assert one.sm == number % dev.info.sms
        clusters.setdefault(one.cluster, set()).add((one.sm // 4, one.id))
    assert all(len(places) == 1 for places in clusters.values())
    assert len(set.union(*clusters.values())) == len(clusters)
    assert waves(dev) == (before[0] + 1, before[1])


def test_fault_in_a_cluster(dev, load):
    """S3-R82, S1-R139: a CTA of a wave of clusters faults: its record names the CTA and its rank."""
    ctas = 2 * dev.info.sms + 4
    for cta in (0, dev.info.sms + 5, ctas - 1):
        before = waves(dev)[0]
        error = expect("ERR_FAULT_ACCESS", dev.submit(
            load(dev, "faults")["fault"], grid=ctas, block=1, cluster=4, args=[zeros(dev, ctas), 0, 16, cta, 0]).wait, LONG)
        assert (error.record.cta, error.record.rank) == (cta, cta % 4)
        assert waves(dev)[0] == before + 1
        run_good_task(dev, load(dev, "work"))


def test_suspend(dev, load):
    """S0-R13: a wave's task is suspended: it has no CTA left, so it ends when its CTAs do."""
    state = zeros(dev, 2)
    ctas = 2 * dev.info.sms
    task = dev.submit(load(dev, "work")["where"], grid=ctas, block=1,
                      args=[zeros(dev, 2 * ctas), state])
    until(lambda: words(state.read())[0] == ctas, "all have started")
    task.suspend()
    state.write(b"\0\0\0\0\1\0\0\0")
    assert task.wait(LONG).ctas == ctas


def test_beside_each_other(dev, load, seed):
    """S0-R31, S0-R34: small grids of eight channels, of which many run at a time, in any order: each CTA of each runs once."""
    kernels, go = load(dev, "work"), dev.buffer(b"\1\0\0\0")
    counts, sums = [zeros(dev, dev.info.sms) for _channel in range(8)], [[0] * dev.info.sms for _channel in range(8)]
    before, running = waves(dev)[0], []
    for _task in range(STORM):
        channel, ctas = seed.randrange(8), seed.choice((1, 1, 2, 3, 4, dev.info.sms // 2, dev.info.sms))
        name, args = seed.choice((("count", []), ("count_long", [seed.choice((100, 3000)), go])))
        running.append(dev.submit(kernels[name], grid=ctas, args=[counts[channel], *args], channel=channel))
        sums[channel][:ctas] = [one + 1 for one in sums[channel][:ctas]]
        while len(running) > seed.choice((1, 2, 8, 20)):
            running.pop(seed.randrange(len(running))).wait(LONG)
    for task in running:
        task.wait(LONG)
    assert [words(one.read()) for one in counts] == sums
    assert waves(dev)[0] > before


def test_storm(dev, load, seed):
    """S0-R34: waves, and tasks of other sizes and needs between them, at random: each CTA once, nothing left."""
    kernel = load(dev, "work")["count"]
    before = waves(dev)[0]
    for _ in range(max(1, STORM // BATCH)):
        sizes = [seed.choice((1, 2, dev.info.sms, 3 * dev.info.sms, 20 * dev.info.sms))
                 for _ in range(BATCH)]
        counts = [zeros(dev, size) for size in sizes]
        tasks = dev.submit_many([
            dev.work(kernel, grid=size, block=1, args=[out], priority=seed.randint(1, 10))
            for size, out in zip(sizes, counts)])
        if seed.random() < 0.5:
            large(dev, load, priority=seed.randint(1, 10)).wait(LONG)
        if seed.random() < 0.3:
            seed.choice(tasks).wait(LONG)
        for size, task, out in zip(sizes, tasks, counts):
            assert task.wait(LONG).ctas == size and words(out.read()) == [1] * size
            out.free()
    assert waves(dev)[0] > before
