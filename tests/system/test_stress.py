# SPDX-License-Identifier: Apache-2.0
"""A random mix of everything, with every result checked."""
import collections

import pytest

import ganger
from support import LONG, hash_value, run_good_task, words, zeros

TASKS = 2000
WINDOW = 150  # posted and not waited for

Job = collections.namedtuple("Job", "task check")


class Mix:
    """Random tasks on a device, each with what must come out of it."""

    def __init__(self, dev, load, rng):
        self.dev, self.rng = dev, rng
        self.work, self.barrier, self.faults = (load(dev, name) for name in
                                                ("work", "barrier", "faults"))

    def _post(self, kernel, **keywords):
        rng = self.rng
        return self.dev.submit(kernel, priority=rng.randint(1, 10), head=rng.random() < 0.2,
                               channel=rng.randrange(4), timeout=LONG,
                               mode=rng.choice(("balance", "round-robin", "device")),
                               interrupt=rng.random() < 0.9, **keywords)

    def hash(self):
        """A hash for every work-item."""
        rng = self.rng
        ctas, threads = rng.choice((1, 1, 2, 5, 17, 40)), rng.choice((1, 2, 3, 8))
        seed, spin = rng.getrandbits(32), rng.choice((0, 0, 1, 5))
        out = zeros(self.dev, ctas * threads)
        name = rng.choice(("hash", "hash_met"))
        task = self._post(self.work[name], grid=(ctas,), block=(threads,), args=[out, seed, spin])

        def check():
            assert task.wait(LONG).ctas == ctas
            assert words(out.read()) == [hash_value(seed, item, spin)
                                         for item in range(ctas * threads)]
        return Job(task, check)

    def count(self):
        """More CTAs than the device holds, in three dimensions."""
        grid = tuple(self.rng.randint(1, 9) for _axis in range(3))
        ctas = grid[0] * grid[1] * grid[2]
        out = zeros(self.dev, ctas)
        task = self._post(self.work["count"], grid=grid, block=(self.rng.choice((1, 33, 256)),),
                          args=[out])

        def check():
            assert task.wait(LONG).ctas == ctas
            assert words(out.read()) == [1] * ctas
        return Job(task, check)

    def rotate(self):
        """Barriers in a loop."""
        groups, threads, rounds = self.rng.randint(1, 12), self.rng.choice((1, 7, 64)), 5
        out = zeros(self.dev, groups * threads)
        task = self._post(self.barrier["rotate"], grid=(groups,), block=(threads,), args=[out, rounds])

        def check():
            assert task.wait(LONG).ctas == groups
            assert words(out.read()) == [3 * ((thread + rounds) % threads) + group + rounds
                                         for group in range(groups) for thread in range(threads)]
        return Job(task, check)

    def reduce(self):
        """Shared memory of a random size, so that needs differ."""
        groups, threads = self.rng.randint(1, 12), self.rng.choice((2, 30, 100))
        nbytes = self.rng.choice((4 * threads, 5000, 20000, 40000))
        sums = zeros(self.dev, groups)
        task = self._post(self.barrier["reduce"], grid=(groups,), block=(threads,),
                          args=[sums, ganger.local(max(nbytes, 4 * threads))])

        def check():
            assert task.wait(LONG).ctas == groups
            assert words(sums.read()) == [
                sum((group * 2654435761 ^ thread * 40503) & 0xffffffff for thread in range(threads))
                & 0xffffffff for group in range(groups)]
        return Job(task, check)

    def fail(self):
        """A task that fails, in one CTA of many."""
        ctas = self.rng.randint(1, 30)
        kind = self.rng.randrange(3)
        if kind == 0:
            status, task = "ERR_FAULT_ACCESS", self._post(
                self.faults["fault"], grid=(ctas,), block=(4,),
                args=[zeros(self.dev, ctas), 0, 0x40000000, self.rng.randrange(ctas), 1])
        elif kind == 1:
            status, task = "ERR_DIVERGED", self._post(
                self.barrier["leave_early"], grid=(ctas,), block=(8,), args=[zeros(self.dev, 2), 3])
        else:
            status, task = "ERR_TIME_LIMIT", self._post(
                self.work["forever"], grid=(ctas,), block=(1,), time_limit_ms=5,
                args=[zeros(self.dev, ctas), self.rng.randrange(ctas)])

        def check():
            with pytest.raises(ganger.Error) as caught:
                task.wait(LONG)
            assert caught.value.status == status
            assert caught.value.done.ctas < ctas
        return Job(task, check)

    def refuse(self):
        """A task that the CP refuses."""
        task = self._post(self.work["blank"], grid=(self.rng.choice((0, 1)),), block=(0,))

        def check():
            with pytest.raises(ganger.Error) as caught:
                task.wait(LONG)
            assert caught.value.status in ("ERR_GRID_ZERO", "ERR_BLOCK_ZERO")
        return Job(task, check)

    def fence(self):
        """A fence on some channel."""
        task = self.dev.command("FENCE", channel=self.rng.randrange(4), timeout=LONG)

        def check():
            try:
                task.wait(LONG)
            except ganger.Error as error:
                assert error.status == "ERR_BUSY"
        return Job(task, check)

    def any(self):
        """One of them."""
        kinds = [self.hash] * 8 + [self.count] * 2 + [self.rotate] * 3 + [self.reduce] * 3 + \
            [self.fail, self.refuse, self.fence]
        return self.rng.choice(kinds)()


@pytest.mark.parametrize("sms", [1, 3, 8])
def test_random_mix(device, load, seed, sms):
    """S0-R12, S0-R13, S0-R15, S0-R26, S0-R28, S0-R34, S0-R35, S0-R41, S3-R23: 2,000 tasks of random
    kernels, sizes, needs, priorities, modes and channels, some of which fail: each completes once
    and right (defects 1, 3, 6, 8, 9).
    """
    dev = device(sms)
    mix, jobs = Mix(dev, load, seed), collections.deque()
    before, tags = dev.stat(), []
    for _task in range(TASKS):
        jobs.append(mix.any())
        tags.append(jobs[-1].task.tag)
        while len(jobs) > WINDOW or (jobs and seed.random() < 0.01):
            jobs.popleft().check()
    for job in jobs:
        job.check()
    assert len(set(tags)) == TASKS
    after = dev.stat()
    assert after["commands"] - before["commands"] == TASKS
    assert after["unmatched"] == 0
    run_good_task(dev, mix.work)
