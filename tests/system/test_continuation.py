# SPDX-License-Identifier: Apache-2.0
"""A parent that wants its children's results saves its state into the queue of its continuation."""
import array

import pytest

import ganger
from queue_support import ints, minus
from support import LONG, expect, run_good_task, words, zeros

PARTS = 64  # struct run of tests/kernels/continuation.c
RUN_BYTES = 256 * (2 + PARTS) + 16 * PARTS + 64
DEPTH = ganger.abi.ENUMS["status"]["ERR_DEPTH"]


class Run:
    """A parent, its children and its continuation."""

    def __init__(self, dev, module, n, seed, part="part", **keywords):
        self.n, self.seed = n, seed
        self.run = dev.buffer(bytes(RUN_BYTES), align=256)
        self.results, self.out, self.status = zeros(dev, n), zeros(dev, 2), minus(dev, n + 1)
        following = dev.tmd(module["finish"])
        following.type, following.closed, following.queue_items = 1, 1, 1
        following.coalesce_us = 0xffffffff
        following.store(self.run.address)
        child = dev.tmd(module[part], args=[self.results, 0, 0])
        child.store(self.run.address + 256)
        self.task = dev.submit(module["begin"], args=[
            self.run, self.results, self.out, n, seed, self.status], **keywords)

    def check(self):
        """Waits for its end, and checks what the continuation found."""
        assert self.task.wait(LONG).ctas == 1
        assert ints(self.status) == [0] * (self.n + 1)
        total = self.seed * self.n * (self.n + 1) // 2
        assert words(self.out.read()) == [total & 0xffffffff, self.seed]


@pytest.mark.parametrize("sms", [1, 8])
@pytest.mark.parametrize("n", [1, 2, 20, PARTS])
def test_continuation(device, load, sms, n):
    """S0-R08, S0-R07, S0-R15: the continuation runs once, when all children are complete, with the saved state."""
    dev = device(sms)
    before = dev.stat()
    Run(dev, load(dev, "continuation"), n, 7).check()
    stat = dev.stat()
    assert stat["ctas"] - before["ctas"] == n + 2
    assert stat["tasks_completed"] - before["tasks_completed"] == 1


@pytest.mark.parametrize("sms", [1, 8])
def test_many_continuations(device, load, sms):
    """S0-R08: 24 parents at once, more than an SM holds: none waits for another's children; an SM is never blocked by
    a parent that waits."""
    dev = device(sms)
    module = load(dev, "continuation")
    runs = [Run(dev, module, 1 + number % 9, 100 + number, priority=1 + number % 10)
            for number in range(24)]
    for run in runs:
        run.check()


def test_child_that_fails(device, load):
    """S0-R08, S0-R07: when a child fails, the continuation does not run, and the parent fails with the child's record."""
    dev = device(8)
    run = Run(dev, load(dev, "continuation"), 8, 5, part="part_broken")
    error = expect("ERR_ABORTED", run.task.wait, LONG)
    assert error.record.tag == run.task.tag and error.record.cause == 3
    assert words(run.out.read()) == [0, 0]
    run_good_task(dev, load(dev, "work"))


@pytest.mark.parametrize("last, refused", [(0, False), (10, False), (31, False), (32, True)])
def test_steps(device, load, last, refused):
    """S0-R08, S0-R07: a continuation that has a continuation, and so on: each adds to the state that it was given."""
    dev = device(8)
    module = load(dev, "continuation")
    count = last + 2
    tmds, saved = dev.buffer(bytes(256 * count), align=256), dev.buffer(bytes(64 * count))
    trail, status, answer = zeros(dev, count), minus(dev, count), minus(dev, 1)
    pointer = "I" if dev.info.xlen == 32 else "Q"
    state = array.array(pointer, [one.address for one in (tmds, saved, trail, status)]).tobytes()
    state += array.array("I", [0, last, 1000]).tobytes()
    state += bytes(-len(state) % (4 if pointer == "I" else 8))
    first = dev.tmd(module["step"], queue=ganger.Queue(1, len(state), 1, closed=True, initial=state))
    first.store(tmds.address)
    task = dev.submit(load(dev, "tasks")["launch_it"], args=[tmds, answer])
    assert task.wait(LONG).ctas == 1 and ints(answer) == [0]
    assert ints(status) == [0] * (last - refused) + [DEPTH] * refused + [-99] * 2
    done = last + (not refused)
    assert words(trail.read())[:done] == [1000 + step * (step + 1) // 2 for step in range(done)]
