# SPDX-License-Identifier: Apache-2.0
"""Tasks from submission to completion."""
import array
import random
import threading

import pytest

import ganger
from support import LONG, expect, words, zeros

BLANKS = 10_000


def test_blank_tasks(device, load):
    """S0-R11, S0-R15, S0-R12: 10,000 one-CTA tasks, exactly 10,000 completions, each tag once."""
    dev = device(8)
    kernel = load(dev, "work")["blank"]
    before, traffic = dev.stat(), dev.traffic()
    tasks = [dev.submit(kernel, grid=(1,), block=(1,), timeout=LONG) for _ in range(BLANKS)]
    dones = [task.wait(LONG) for task in tasks]
    assert [done.tag for done in dones] == [task.tag for task in tasks]
    assert len({done.tag for done in dones}) == BLANKS
    assert all(done.ctas == 1 and done.sms == 1 for done in dones)
    stat, now = dev.stat(), dev.traffic()
    for name, count in (("tasks_accepted", BLANKS), ("tasks_completed", BLANKS),
                        ("tasks_failed", 0), ("ctas", BLANKS), ("commands", BLANKS)):
        assert stat[name] - before[name] == count, name
    assert now["completed"] - traffic["completed"] == BLANKS and now["unknown"] == 0


def test_blank_tasks_in_batches(device, load):
    """S0-R11: the same posted many at a time, from four channels."""
    dev = device(8)
    kernel = load(dev, "work")["blank"]
    before = dev.stat()
    tasks = []
    for batch in range(20):
        tasks += dev.submit_many([dev.work(kernel, grid=(1,), block=(1,), channel=batch % 4)
                                  for _ in range(100)], timeout=LONG)
    assert len({task.wait(LONG).tag for task in tasks}) == 2000
    assert dev.stat()["tasks_completed"] - before["tasks_completed"] == 2000


def test_vecadd(device, board, sample_path):
    """S3-R24, S3-R21, S3-R40, S3-C14: the example of the manual, on the kernel that ships with the project."""
    n = 8192
    data_a = array.array("i", range(n))
    data_b = array.array("i", (3 * value - 7 for value in range(n)))
    with ganger.Device.boot(board, sms=8) as dev:
        mod = dev.load(sample_path("vecadd"))
        assert "vecadd" in mod.kernels
        a, b = dev.buffer(data_a), dev.buffer(data_b)
        c = dev.buffer(nbytes=4 * n)
        task = dev.submit(mod["vecadd"], grid=(n // 128,), block=(128,), args=[a, b, c, n])
        done = task.wait(timeout=LONG)
        result = array.array("i", c.read())
    assert done.status == "OK" and done.ctas == n // 128
    assert list(result) == [x + y for x, y in zip(data_a, data_b)]


def test_completion_tells(device, load):
    """S0-R01, S3-R31, S3-R116: what a completion says: CTAs, SMs, packets, and times in order."""
    dev = device(8)
    counts = zeros(dev, 300)
    task = dev.submit(load(dev, "work")["count"], grid=(300,), block=(3,), args=[counts], channel=2)
    done = task.wait(LONG)
    assert task.done and task.poll() == done
    assert (done.status, done.ctas, done.channel, done.opcode) == ("OK", 300, 2, 1)
    assert 1 <= done.sms <= 8 and done.packets >= 300 // (8 * dev.info.sm_ctas)
    times = done.times
    assert times.posted <= times.ready <= times.first <= times.last <= times.done
    assert done.field is None and done.fault_sequence == 0
    assert words(counts.read()) == [1] * 300


def test_times_go_on(device, load):
    """S0-R26: tasks of one priority take their turn in the order of submission."""
    dev = device(1)
    kernel = load(dev, "work")["blank"]
    tasks = [dev.submit(kernel, grid=(8,), block=(1,)) for _ in range(200)]
    firsts = [task.wait(LONG).times.first for task in tasks]
    assert firsts == sorted(firsts)


def test_wait_any_and_poll(device, load):
    """S3-R31, S3-R93: waiting for the first of several; polling does not wait."""
    dev = device(8)
    module = load(dev, "work")
    state = zeros(dev, 2)
    held = dev.submit(module["where"], grid=(1,), block=(1,), args=[zeros(dev, 2), state])
    assert held.poll() is None and not held.done
    quick = dev.submit(module["blank"], grid=(1,), block=(1,))
    assert ganger.wait_any([held, quick], timeout=LONG) == 1
    expect("ERR_TIMEOUT", held.wait, timeout=0.05)
    expect("ERR_TIMEOUT", ganger.wait_any, [held], timeout=0.05)
    state.write(array.array("I", [1]), offset=4)
    assert held.wait(LONG).ctas == 1
    assert ganger.wait_any([held, quick], timeout=LONG) in (0, 1)


def test_no_interrupt(device, load):
    """S3-R31: a task that asked for no interrupt is found by its waiter all the same."""
    dev = device(8)
    kernel = load(dev, "work")["blank"]
    tasks = [dev.submit(kernel, grid=(1,), block=(1,), interrupt=False) for _ in range(20)]
    assert all(task.wait(LONG).ctas == 1 for task in tasks)


def test_buffers_of_a_forgotten_task(device, load):
    """S3-R24: memory of a task that nobody waits for is not given to somebody else while it runs."""
    dev = device(1)
    module = load(dev, "work")
    free = dev.default_context.info.free_bytes
    for round_number in range(50):
        out = zeros(dev, 64)
        dev.submit(module["hash"], grid=(1,), block=(64,), args=[out, round_number, 50])
        del out
        other = zeros(dev, 64)
        assert words(other.read()) == [0] * 64
        del other
    dev.fence(timeout=LONG)
    dev.submit(module["blank"], grid=(1,), block=(1,)).wait(LONG)
    assert free - dev.default_context.info.free_bytes < 65536


def submit_many(dev, kernel, count, channel, seed, failures):
    """A thread's share of the work."""
    rng = random.Random(seed)
    try:
        out = zeros(dev, count)
        tasks = []
        for _ in range(20):
            tasks.append(dev.submit(kernel, grid=(count,), block=(1,), channel=channel,
                                    priority=rng.randint(1, 10), args=[out], timeout=LONG))
        for task in tasks:
            assert task.wait(LONG).ctas == count
        assert words(out.read()) == [20] * count
    except Exception as error:  # pylint: disable=broad-except
        failures.append(error)


@pytest.mark.parametrize("threads", [4])
def test_threads_of_the_host(device, load, seed, threads):
    """S3-R23: several host threads at once, each with a channel of its own."""
    dev = device(8)
    kernel = load(dev, "work")["count"]
    failures = []
    workers = [threading.Thread(target=submit_many, args=(
        dev, kernel, 50, number, seed.random(), failures)) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures
