# SPDX-License-Identifier: Apache-2.0
"""Preemption storms, and very many tasks that wait."""
import time

from support import LONG, Held, flag_at, until, words, zeros
from workload import launches_of

LOW, CTAS = 1000, 1000
HIGH = 300
SEEN = 6  # tasks whose way to their first SM the trace must show
SAMPLED = 25  # of the low tasks count each of their CTAs
STORM = 4 * LONG
ATTEMPTS = 30  # to meet the device at work: the machine may be slow, and the device fast


def evictions(dev):
    """Times that a task had to leave its slot."""
    return dev.stat()["evictions"]


def post_low(dev, module, rng):
    """The load: 10^6 CTAs of low priorities. Returns the tasks, and the counters of some."""
    sampled = set(rng.sample(range(LOW), SAMPLED))
    outs = {index: zeros(dev, CTAS) for index in sampled}
    works = [dev.work(module["count"], grid=CTAS, args=[outs[index]], priority=rng.randint(6, 10))
             if index in sampled else
             dev.work(module["blank"], grid=CTAS, priority=rng.randint(6, 10))
             for index in range(LOW)]
    return dev.submit_many(works, timeout=STORM), outs


def worse_before(trace, task, better):
    """CTAs that were launched after a task was accepted and before it was given its first SM, but
    for those of tasks `better` (tags); None if the trace does not reach back so far. That SM then
    launches nothing before it, while others go on: it has to acknowledge the task."""
    accepted = [event.start for event in trace.of_type("ACCEPT") if event.tag == task.tag]
    given = [event for event in trace.of_type("ASSIGN") if event.tag == task.tag]
    first = launches_of(trace, task.tag)
    if not accepted or not given or not first:
        return None
    others = [event for event in trace.of_type("LAUNCH")
              if event.tag != task.tag and event.tag not in better and event.start > accepted[0]]
    for one in given:
        own = next((event.start for event in first if event.sm == one.sm), one.start)
        assert not [event for event in others
                    if event.sm == one.sm and one.start < event.start < own]
    return sum(event.extra for event in others if event.start < given[0].start)


class Storm:
    """High-priority tasks, at random."""

    def __init__(self, dev, module, rng):
        self.dev, self.module, self.rng = dev, module, rng
        self.tasks, self.priorities = [], {}
        self.waited = []  # CTAs of lower priorities that came before the tasks that were traced

    def _post(self, grid):
        priority = self.rng.randint(1, 5)
        task = self.dev.submit(self.module["blank"], grid=grid, priority=priority, channel=7)
        self.tasks.append(task)
        self.priorities[task.tag] = priority
        return task

    def arrive(self):
        """One more."""
        if self.rng.random() < 0.8:
            self._post(self.rng.choice((1, 2, 20, 100)))
            time.sleep(self.rng.choice((0, 0, 0.001, 0.02)))
            return
        self.dev.trace_on()
        task = self._post(3)
        task.wait(STORM)
        self.dev.trace_off()
        better = {tag for tag, priority in self.priorities.items()
                  if priority <= self.priorities[task.tag]}
        worse = worse_before(self.dev.trace(), task, better)
        if worse is not None:
            self.waited.append(worse)


def test_preemption_storm(device, load, seed):
    """S0-R11, S0-R13, S0-R15, S0-R20, S0-R34, S0-C7: 1,000 tasks of 1,000 CTAs under random
    arrivals of higher priorities. All complete, each CTA runs once, tasks are evicted and come
    back, and a task of a higher priority waits for no more CTAs than were in flight when it was
    accepted."""
    dev = device(8)
    dev.channel_priority(7, 1)
    evicted, waited = 0, []  # of all attempts: the load may be over before the storm has traced as many tasks as it has to
    for _attempt in range(ATTEMPTS):
        more, seen = run_storm(dev, load(dev, "work"), seed)
        print(f"evictions {more}, CTAs before {seen}")
        evicted, waited = evicted + more, waited + seen
        assert max(waited, default=0) <= dev.info.sms * dev.info.sm_ctas
        if evicted and len(waited) >= SEEN:
            break
    else:
        raise AssertionError("the storm did not meet the load")
    dev.channel_priority(7, 5)


def run_storm(dev, module, rng):
    """The storm over the load; how many tasks were evicted, and CTAs of lower priorities that came before."""
    before = dev.stat()
    low, outs = post_low(dev, module, rng)
    storm = Storm(dev, module, rng)
    while (len(storm.tasks) < HIGH or len(storm.waited) < SEEN) and not all(task.done for task in low[-20:]):
        storm.arrive()
    assert all(task.wait(STORM).ctas == CTAS for task in low)
    assert all(task.wait(STORM).status == "OK" for task in storm.tasks)
    assert all(words(out.read()) == [1] * CTAS for out in outs.values())
    after = dev.stat()
    assert after["tasks_completed"] - before["tasks_completed"] == LOW + len(storm.tasks)
    return after["evictions"] - before["evictions"], storm.waited


def test_sequence_of_evictions(device, load, seed):
    """S0-R13, S0-R01: waves of ever higher priorities, each of which fills the task table: every
    task of a lower wave that had begun resumes where it was."""
    dev = device(3)
    before = evictions(dev)
    for _attempt in range(ATTEMPTS):
        waves(dev, load(dev, "work"), seed)
        if evictions(dev) > before:
            return
    raise AssertionError("no task was evicted")


def waves(dev, module, seed):
    """Waves of all priorities, the highest last."""
    outs, tasks = [], []
    for priority in range(10, 0, -1):
        for _task in range(dev.info.slots + 8):
            ctas = seed.choice((1, 5, 60))
            outs.append(zeros(dev, ctas))
            tasks.append(dev.submit(module["count"], grid=ctas, args=[outs[-1]], priority=priority,
                                    block=seed.choice((1, 40, 1024))))
    for task, out in zip(tasks, outs):
        assert task.wait(LONG).ctas == len(out) // 4
        assert words(out.read()) == [1] * (len(out) // 4)


def test_a_hundred_thousand_tasks_wait(device, load):
    """S0-R10, S0-R11, S0-R12, S0-R15: 100,000 tasks wait for one that is held. Meanwhile others
    run. Released, all of them complete, each once."""
    dev = device(1)
    module = load(dev, "work")
    most = min(100_000, dev.info.tasks_max - 100)
    out = zeros(dev, 1)
    with Held(dev, module, 1) as gate:
        gate.await_started()
        work = dev.work(module["count"], grid=1, args=[out], after=[gate.task], interrupt=False)
        tasks = dev.submit_many([work] * most, timeout=STORM)
        until(lambda: dev.query("TASKS") == most + 1, "all are accepted", STORM)
        urgent = dev.submit(module["blank"], grid=20, priority=1).wait(LONG)
        assert urgent.ctas == 20 and flag_at(out, 0) == 0
    tasks[-1].wait(STORM)
    dev.fence(timeout=STORM)
    assert all(task.poll().status == "OK" for task in tasks)
    assert len({task.tag for task in tasks}) == most == flag_at(out, 0)


def test_many_tasks_pending_behind_a_full_device(device, load):
    """S0-R10, S0-R11, S0-R12, S0-R26: 20,000 tasks in the scheduler table; one of a higher priority
    passes them all."""
    dev = device(1)
    module = load(dev, "work")
    count = 20_000
    out = zeros(dev, 1)
    with Held(dev, module, dev.info.sm_ctas, priority=5) as held:
        held.await_started()
        work = dev.work(module["count"], grid=1, args=[out], priority=7, interrupt=False)
        tasks = dev.submit_many([work] * count, timeout=STORM)
        until(lambda: dev.query("TASKS") == count + 1, "all are accepted", STORM)
        urgent = dev.submit(module["blank"], priority=3)
        until(lambda: dev.query("TASKS") == count + 2, "it is accepted", STORM)
    firsts = [task.wait(STORM).times.first for task in tasks]
    assert urgent.wait(LONG).times.first <= min(firsts)
    assert firsts == sorted(firsts) and flag_at(out, 0) == count
