# SPDX-License-Identifier: Apache-2.0
"""No doorbell is lost, whenever it comes."""
import random
import threading
import time

from support import LONG

DOORBELLS = 100_000


def pause(rng):
    """Nothing, a few microseconds of spinning, or a sleep: so that bells hit any instruction."""
    kind = rng.random()
    if kind < 0.5:
        end = time.perf_counter_ns() + rng.randrange(60_000)
        while time.perf_counter_ns() < end:
            pass
    elif kind < 0.51:
        time.sleep(rng.random() / 1000)


class Ringer(threading.Thread):
    """Posts NOPs on a channel, each with a bell of its own, some at a time, with random pauses."""

    def __init__(self, dev, channel, count, seed):
        super().__init__()
        self.dev, self.channel, self.count = dev, channel, count
        self.rng = random.Random(seed)
        self.tags, self.failure = [], None

    def run(self):
        try:
            while len(self.tags) < self.count:
                self._round(min(self.rng.choice((1, 1, 1, 2, 4, 8)),
                                self.count - len(self.tags)))
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error

    def _round(self, burst):
        tasks = []
        for _command in range(burst):
            tasks.append(self.dev.command("NOP", channel=self.channel, timeout=LONG))
            pause(self.rng)
        for task in tasks:
            done = task.wait(timeout=LONG)
            assert done.tag == task.tag
            self.tags.append(done.tag)


def test_no_doorbell_is_lost(device, seed):
    """S0-R15, S0-R11: 100,000 bells from two threads at random times, each answered once.

    A lost wake-up (defect 10: the pending bit cleared after the ring was read) would leave a
    command without an answer until the next bell: with one outstanding it is a time-out.
    """
    dev = device(8)
    before, traffic = dev.stat(), dev.traffic()
    ringers = [Ringer(dev, channel, DOORBELLS // 2, seed.random()) for channel in (1, 2)]
    start = time.monotonic()
    for ringer in ringers:
        ringer.start()
    for ringer in ringers:
        ringer.join()
    print(f"{DOORBELLS} doorbells in {time.monotonic() - start:.1f} s")
    for ringer in ringers:
        assert ringer.failure is None, ringer.failure
    tags = [tag for ringer in ringers for tag in ringer.tags]
    assert len(tags) == DOORBELLS == len(set(tags))
    now = dev.traffic()
    assert now["doorbells"] - traffic["doorbells"] >= DOORBELLS
    assert now["completed"] - traffic["completed"] == DOORBELLS
    assert dev.stat()["commands"] - before["commands"] == DOORBELLS


def test_interrupts_of_sms_are_not_lost(device, load, seed):
    """S0-R27, S0-C2, S0-R28: tasks of one CTA at random times, so that acknowledgements, reports and doorbells meet."""
    dev = device(2)
    module = load(dev, "work")
    before = dev.stat()
    for _task in range(2000):
        task = dev.submit(module["blank"], grid=(1,), block=(1,), channel=seed.randrange(3))
        pause(seed)
        assert task.wait(timeout=LONG).ctas == 1
    assert dev.stat()["tasks_completed"] - before["tasks_completed"] == 2000
