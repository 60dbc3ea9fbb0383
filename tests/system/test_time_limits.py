# SPDX-License-Identifier: Apache-2.0
"""CTAs that never end, of all sorts: each is pulled out, its task fails, its SM goes on."""
import pytest

from support import LONG, configured, expect, run_good_task, words, zeros

LOOP, YIELD, MEET, PUSH, PRINT, FLOATS = range(6)
KINDS = {"loop": LOOP, "yield": YIELD, "floats": FLOATS, "print": PRINT}
SHORT_MS = 20
SHARED_MS = 2000  # Where good CTAs, which take microseconds, have the limit, too.


@pytest.fixture
def dev(device):
    """The device of these tests: one SM, so that later tasks need the same one."""
    return device(1)


def ends(dev, load, task, source="isolation"):
    """It must end with its time limit and a record; the SM runs others."""
    error = expect("ERR_TIME_LIMIT", task.wait, LONG)
    assert error.record.status == "ERR_TIME_LIMIT" and error.record.tag == task.tag
    module = load(dev, source)
    assert module.base <= error.record.pc < module.base + module.code_bytes
    run_good_task(dev, load(dev, "work"))
    return error


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("own", [True, False])
def test_endless(dev, load, kind, own):
    """S3-Q13, S3-R121: a loop, yields, floating point, prints: by the task's limit and by the device's."""
    kernel = load(dev, "isolation")["endless"]
    if own:
        ends(dev, load, dev.submit(kernel, args=[KINDS[kind], 0, 0], time_limit_ms=SHORT_MS))
        return
    with configured(dev, time_limit_us=1000 * SHARED_MS):
        ends(dev, load, dev.submit(kernel, args=[KINDS[kind], 0, 0]))


@pytest.mark.parametrize("threads", [1, 2, 64])
def test_endless_barriers(dev, load, threads):
    """S3-Q13, S3-R113: threads that meet forever; the record names the thread that had the core."""
    error = ends(dev, load, dev.submit(load(dev, "isolation")["endless_met"], block=threads,
                                       time_limit_ms=SHORT_MS))
    assert error.record.thread < threads


def test_endless_loops(dev, load):
    """S3-Q13, S3-R113: a kernel of loops that never comes to where a fault could come from: the record names one of its
    threads, not one of the CTA before it."""
    dev.submit(load(dev, "work")["count"], block=8, args=[zeros(dev, 1)]).wait(LONG)
    error = ends(dev, load, dev.submit(load(dev, "meeting")["endless_loops"], block=2,
                                       time_limit_ms=SHORT_MS), "meeting")
    assert error.record.thread == 0


def test_blocked(dev, load):
    """S3-Q13, S0-R05: a CTA that asks the control processor again and again, for room that never comes."""
    work = load(dev, "work")
    ring = dev.queue(work["blank"], capacity=4, item_bytes=4, items=4, minimum=4, coalesce_us=None,
                     initial=bytes(12))
    ring.suspend(LONG)
    kernel = load(dev, "isolation")["endless"]
    ends(dev, load, dev.submit(kernel, args=[PUSH, ring.address, ring.generation],
                              time_limit_ms=SHORT_MS))
    expect("ERR_QUEUE_FULL", ring.push, bytes(4), timeout=0)
    ring.resume(LONG)
    ring.close()
    assert ring.wait(LONG).ctas == 1


def test_many_at_once(dev, load):
    """S3-R66: every place of the SM has an endless CTA of another kind; all are pulled out, good ones run between."""
    kernel, work = load(dev, "isolation")["endless"], load(dev, "work")["count"]
    counts = zeros(dev, 50)
    tasks, good = [], []
    for number in range(12):
        tasks.append(dev.submit(kernel, grid=2, block=2, time_limit_ms=SHORT_MS,
                                args=[list(KINDS.values())[number % 4], 0, 0]))
        good.append(dev.submit(work, grid=50, args=[counts]))
    for task in tasks:
        expect("ERR_TIME_LIMIT", task.wait, LONG)
    assert all(task.wait(LONG).ctas == 50 for task in good)
    assert words(counts.read()) == [12] * 50


def test_limit_counts_for_each_cta(dev, load):
    """S3-Q13: the limit is that of a CTA, not of the task: many short CTAs take longer together."""
    ctas, run = 2000, 0.0
    with dev.buffer(nbytes=4 * 4 * ctas << 8) as out:
        while run < SHARED_MS / 1000:
            done = dev.submit(load(dev, "work")["hash"], grid=ctas, block=4, args=[out, 1, 2000],
                              time_limit_ms=SHARED_MS).wait(LONG)
            assert done.ctas == ctas
            run, ctas = done.times.run, min(2 * ctas, 2000 << 8)


def test_without_a_limit(dev, load):
    """S3-R121: no limit is no limit: it runs until it is cancelled."""
    with configured(dev, time_limit_us=0):
        task = dev.submit(load(dev, "isolation")["endless"], args=[LOOP, 0, 0])
        assert not task.done
        task.cancel(LONG)
        expect("ERR_CANCELLED", task.wait, LONG)
    run_good_task(dev, load(dev, "work"))


def test_limits_that_pass_at_once(fresh, load):
    """S3-Q13: limits that have passed when their timers are set, on two SMs at once. Instructions are counted, so the clock goes
    on to the next alarm while all harts sleep: one that is left at the end of time would stop the machine for good."""
    dev = fresh(2, icount=True)
    for limit_us in range(1, 11):
        work = dev.work(load(dev, "isolation")["endless"], args=[LOOP, 0, 0], time_limit_ms=limit_us / 1000)
        for task in dev.submit_many([work] * 2, timeout=LONG):
            expect("ERR_TIME_LIMIT", task.wait, LONG)
        dev.nop(timeout=LONG)


def test_limit_at_boot(fresh, load):
    """S3-Q13: five minutes if nobody says otherwise, also for a CTA that is alone on its SM, where no turns end. The clock
    of this device goes on by a microsecond with each instruction."""
    dev = fresh(1, extra_args=["-icount", "shift=10,sleep=off"])
    task = dev.submit(load(dev, "isolation")["endless"], args=[LOOP, 0, 0])
    ends(dev, load, task)
    assert 300 <= task.poll().times.run < 320
