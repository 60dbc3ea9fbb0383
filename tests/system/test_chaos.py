# SPDX-License-Identifier: Apache-2.0
"""Ten thousand tasks that do everything wrong, among ten thousand good ones."""
import collections

from support import LONG, hash_value, run_good_task, words

GOOD = BAD = 10_000
ENDLESS = 1000  # of the bad ones: each takes the time of its limit
LIMIT_MS = 5
BATCH = 400
SLOT = 16 * 4  # of the output, for each good task

# Also in tests/kernels/faults.c: what one work-item does, and what must come of it.
FAULTS = {0: "ERR_FAULT_ACCESS", 1: "ERR_FAULT_ACCESS", 2: "ERR_FAULT_ACCESS",
          3: "ERR_FAULT_ILLEGAL", 4: "ERR_FAULT_CALL", 5: "ERR_ABORTED", 6: "ERR_FAULT_ILLEGAL",
          7: "ERR_FAULT_ILLEGAL", 8: "ERR_ABORTED", 9: "ERR_FAULT_ACCESS", 10: "ERR_FAULT_ACCESS",
          11: "ERR_STACK_OVERFLOW", 12: "ERR_FAULT_ACCESS"}
STRAY = (0, 4, 0x1000, 0x02000000, 0x0c000000, 0x10000000, 0x40000000, 0x80000000, 0x80080000,
         0xfffffffc)
OVERFLOW = 11

Expected = collections.namedtuple("Expected", "work status check")


class Chaos:
    """Works of all kinds, each with what must come of it."""

    def __init__(self, dev, load, rng):
        self.dev, self.rng = dev, rng
        self.kernels = {name: load(dev, name) for name in
                        ("work", "faults", "barrier", "isolation", "print")}
        self.out = dev.buffer(bytes(SLOT * GOOD))
        self.waste = dev.buffer(bytes(4096))

    def _work(self, module, kernel, **keywords):
        return self.dev.work(self.kernels[module][kernel], priority=self.rng.randint(1, 10),
                             channel=self.rng.randrange(4), **keywords)

    def good(self, number):
        """A hash for every work-item, in its own place."""
        ctas, threads = self.rng.randint(1, 4), self.rng.randint(1, 4)
        seed = self.rng.getrandbits(32)
        kernel = self.rng.choice(("hash", "hash_met"))
        work = self._work("work", kernel, grid=ctas, block=threads,
                          args=[self.out.address + SLOT * number, seed, 0])
        values = [hash_value(seed, item, 0) for item in range(ctas * threads)]
        return Expected(work, "OK", (number, values + [0] * (16 - len(values))))

    def fault(self):
        """A deed of faults.c, in one work-item of some."""
        rng = self.rng
        deed = rng.choice(tuple(FAULTS))
        address = 100_000 if deed == OVERFLOW else rng.choice((0, 5, 99)) if deed == 4 \
            else rng.choice(STRAY)
        ctas, threads = rng.randint(1, 3), rng.randint(1, 4)
        work = self._work("faults", rng.choice(("fault", "fault_met")), grid=ctas, block=threads,
                          args=[self.waste, deed, address, rng.randrange(ctas),
                                rng.randrange(threads)])
        return Expected(work, FAULTS[deed], None)

    def stray(self):
        """Read, write, execute or an atomic somewhere."""
        work = self._work("isolation", "reach", args=[self.rng.randrange(4), self.rng.choice(STRAY),
                                                      self.waste])
        return Expected(work, "ERR_FAULT_ACCESS", None)

    def diverge(self):
        """Some threads return, others wait."""
        threads = self.rng.randint(2, 9)
        work = self._work("barrier", "leave_early", block=threads,
                          args=[self.waste, self.rng.randint(1, threads - 1)])
        return Expected(work, "ERR_DIVERGED", None)

    def flood(self):
        """Prints without an end."""
        return Expected(self._work("print", "flood", args=[0, 0], prints=self.rng.choice((4, 100))),
                        "ERR_PRINT_FLOOD", None)

    def endless(self):
        """Never ends."""
        work = self._work("work", "forever", args=[self.waste, 0], time_limit_ms=LIMIT_MS)
        return Expected(work, "ERR_TIME_LIMIT", None)

    def refused(self):
        """An invalid window: the task never runs."""
        work = self._work("isolation", "reach", args=[0, 0, self.waste],
                          windows=[(self.rng.choice(STRAY), 64, "rw")])
        return Expected(work, "ERR_WINDOW_RANGE", None)

    def all(self):
        """In random order."""
        makers = [self.endless] * ENDLESS
        cheap = (self.fault, self.fault, self.fault, self.stray, self.diverge, self.flood,
                 self.refused)
        makers += [self.rng.choice(cheap) for _task in range(BAD - ENDLESS)]
        makers += [lambda number=number: self.good(number) for number in range(GOOD)]
        self.rng.shuffle(makers)
        return makers


def finish(tasks, expected, statuses):
    """Waits for tasks; their statuses must be those expected."""
    for task, one in zip(tasks, expected):
        while not task.done:
            try:
                task.wait(LONG)
            except Exception:  # noqa: BLE001 - its status is looked at below
                assert task.done
        done = task.poll()
        assert done.status == one.status, (done, one)
        assert done.tag == task.tag
        statuses[done.status] += 1


def test_chaos(device, load, seed):
    """S3-R121, S3-T10, S3-C12: 10,000 faulting and endless tasks of random kinds among 10,000 good ones: every good result right, every bad one reported once with its own status."""
    dev = device(8)
    chaos = Chaos(dev, load, seed)
    before, traffic = dev.stat(), dev.traffic()
    makers, statuses, results = chaos.all(), collections.Counter(), {}
    behind = ([], [])
    for first in range(0, len(makers), BATCH):
        expected = [make() for make in makers[first:first + BATCH]]
        results.update(one.check for one in expected if one.check)
        tasks = dev.submit_many([one.work for one in expected], timeout=LONG)
        finish(*behind, statuses)
        behind = (tasks, expected)
    finish(*behind, statuses)
    stat, after = dev.stat(), dev.traffic()
    assert sum(statuses.values()) == GOOD + BAD and statuses["OK"] == GOOD
    assert statuses["ERR_TIME_LIMIT"] == ENDLESS and len(statuses) >= 10
    assert after["completed"] - traffic["completed"] == GOOD + BAD and after["unknown"] == 0
    assert stat["tasks_failed"] - before["tasks_failed"] == BAD - statuses["ERR_WINDOW_RANGE"]
    found = words(chaos.out.read())
    for number, values in results.items():
        assert found[16 * number:16 * number + 16] == values, number
    assert dev.orphans() == []
    run_good_task(dev, load(dev, "work"))
