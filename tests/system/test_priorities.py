# SPDX-License-Identifier: Apache-2.0
"""Order of tasks: priorities, age, head, eviction; order of channels."""
import array

from support import LONG, Held, until, words, zeros


def full_sm(dev, module, **keywords):
    """CTAs that take all of the only SM and wait."""
    held = Held(dev, module, dev.info.sm_ctas, **keywords)
    held.await_started()
    return held


def firsts(tasks):
    """When the first CTA of each started."""
    return [task.wait(LONG).times.first for task in tasks]


def test_high_priority_overtakes_many(device, load):
    """S0-R03, S0-R12, S0-R26, S0-C6, S0-R15: a task of priority 1 starts before 80 of priority 9 that were there first."""
    dev = device(1)
    module = load(dev, "work")
    out = zeros(dev, 16)
    with full_sm(dev, module):
        low = [dev.submit(module["count"], grid=(16,), block=(1,), priority=9, args=[out],
                          channel=step % 2) for step in range(80)]
        high = dev.submit(module["blank"], grid=(16,), block=(1,), priority=1, channel=3)
        until(lambda: dev.query("TASKS") == 82, "all are accepted")
    high_first = high.wait(LONG).times.first  # The last one may share the SM's time with others.
    assert all(high_first <= first for first in firsts(low))
    assert words(out.read()) == [80] * 16


def test_ten_priorities(device, load, seed):
    """S0-R03, S0-R10: all ten levels, posted in any order, start in theirs."""
    dev = device(1)
    module = load(dev, "work")
    levels = list(range(1, 11)) * 2
    seed.shuffle(levels)
    with full_sm(dev, module):
        tasks = [(level, dev.submit(module["blank"], grid=(8,), block=(1,), priority=level))
                 for level in levels]
        until(lambda: dev.query("TASKS") == 21, "all are accepted")
    order = sorted(tasks, key=lambda one: one[1].wait(LONG).times.first)
    assert [level for level, _task in order] == sorted(levels)


def test_head_and_tail(device, load):
    """S0-R10: behind a full task table a task with `head` goes before the others of its priority, not before higher ones."""
    dev = device(1)
    kernel = load(dev, "work")["blank"]

    def post(priority=5, head=False):
        return dev.submit(kernel, grid=(8,), block=(1,), priority=priority, head=head)

    with full_sm(dev, load(dev, "work"), priority=5):
        table = [post() for _slot in range(dev.info.slots - 1)]
        until(lambda: dev.query("TASKS") == dev.info.slots, "all have slots")
        tails = [post() for _task in range(3)]
        first_head, second_head = post(head=True), post(head=True)
        lower_head = post(priority=6, head=True)
        until(lambda: dev.query("TASKS") == dev.info.slots + 6, "all are accepted")
    order = [*table, second_head, first_head, *tails, lower_head]
    found = firsts(order)
    assert found == sorted(found)


def slots_taken(trace, task):
    """How often a task entered the task table."""
    return sum(event.tag == task.tag for event in trace.of_type("SLOT"))


def test_eviction_and_resume(device, load):
    """S0-R13, S0-R20, S0-C7, S0-R01, S0-R12: a task leaves its slot half-way for a higher one and resumes; no CTA lost or twice."""
    dev = device(1)
    module = load(dev, "work")
    out = zeros(dev, 1)
    dev.trace_on()
    with Held(dev, module, 40, priority=9) as low:
        low.await_started(dev.info.sm_ctas)
        middle = [dev.submit(module["count"], grid=(1,), block=(1,), priority=8, args=[out])
                  for _slot in range(dev.info.slots - 1)]
        high = dev.submit(module["blank"], grid=(1,), block=(1,), priority=1)
        until(lambda: dev.query("TASKS") == dev.info.slots + 1, "all are accepted")
        dev.nop()
        states = [slot.state.name() for slot in dev.regs.slot]
        assert states.count("LEAVING") == 1
        dev.trace()  # The ring is small: what it has now is kept.
    done = low.task.wait(LONG)
    assert high.wait(LONG).status == "OK"
    dev.trace_off()
    trace = dev.trace()
    assert done.ctas == 40 and sorted(low.order()) == list(range(40))
    assert slots_taken(trace, low.task) == 2 and slots_taken(trace, high) == 1
    assert all(slots_taken(trace, task) == 1 for task in middle)
    # The slot is free when the last CTA in flight has ended. Then the better task has it, and after that the one
    # that left it.
    entries = [event.tag for event in sorted(trace.of_type("SLOT"), key=lambda event: event.start)]
    assert entries.index(high.tag) < len(entries) - 1 - entries[::-1].index(low.task.tag)
    assert done.times.last >= max(task.wait(LONG).times.first for task in middle)
    assert words(out.read()) == [31] and trace.lost == 0


def test_evicted_before_it_began(device, load):
    """S0-R13: tasks that never started leave their slots for better ones, again and again, and all complete."""
    dev = device(1)
    module = load(dev, "work")
    outs, tasks = [], []
    with full_sm(dev, module, priority=1):
        for level in range(10, 1, -1):
            for _task in range(20):
                outs.append(zeros(dev, 9))
                tasks.append(dev.submit(module["count"], grid=(9,), block=(1,), priority=level,
                                        args=[outs[-1]]))
        until(lambda: dev.query("TASKS") == 181, "all are accepted")
    found = firsts(tasks[::-1])
    by_level = [found[place:place + 20] for place in range(0, 180, 20)]
    for better, worse in zip(by_level, by_level[1:]):
        assert max(better) <= min(worse)
    assert all(words(out.read()) == [1] * 9 for out in outs)


def test_random_priorities_under_eviction(device, load, seed):
    """S0-R13, S0-R34: 400 tasks of random priority, 12 CTAs each, on one SM: each CTA once."""
    dev = device(1)
    kernel = load(dev, "work")["count"]
    outs = [zeros(dev, 12) for _task in range(400)]
    tasks = [dev.submit(kernel, grid=(12,), block=(1,), priority=seed.randint(1, 10), args=[out],
                        head=seed.random() < 0.3, channel=seed.randrange(4)) for out in outs]
    assert all(task.wait(LONG).ctas == 12 for task in tasks)
    assert all(words(out.read()) == [1] * 12 for out in outs)


def raw_nops(dev, channel, count, first_tag):
    """Writes NOPs into a channel's ring behind the library's back; the put word is not moved."""
    entries = dev.info.channel_entries
    for place in range(count):
        command = dev.regs.command[channel * entries + place]
        command.header.write(0)
        command.tag.write(first_tag + place)
        for name in ("address", "argument0", "argument1", "argument2", "argument3"):
            getattr(command, name).write(0)


def test_priority_of_channels(fresh):
    """S0-R14: of two full channels the one of higher priority is read first.

    Both are filled, then one doorbell shows both at once; the one of higher priority first, because the CP may still be awake
    and look between the two. The tags are not the library's, so the completions come as orphans, in the order in which the
    CP made them.
    """
    dev = fresh(1)
    dev.channel_priority(6, 9)
    dev.channel_priority(7, 2)
    raw_nops(dev, 6, 40, 0x6000_0000)
    raw_nops(dev, 7, 40, 0x7000_0000)
    dev.regs.channel[7].put.write(40)
    dev.raw_put(6, 40)
    found = []
    until(lambda: found.extend(done.tag for done in dev.orphans()) or len(found) >= 80,
          "80 completions")
    assert found == [*range(0x7000_0000, 0x7000_0028), *range(0x6000_0000, 0x6000_0028)]
    assert dev.regs.channel[6].get.read() == 40 == dev.regs.channel[7].get.read()


def test_equal_channels_take_turns(device, load):
    """S0-R14: with equal priorities no channel waits forever behind busy ones."""
    dev = device(8)
    kernel = load(dev, "work")["blank"]
    for channel in range(dev.info.channels):
        assert dev.regs.channel[channel].state.name() == "OPEN"
    works = [dev.work(kernel, grid=(1,), block=(1,), channel=step % 4) for step in range(400)]
    tasks = dev.submit_many(works, timeout=LONG)
    late = dev.submit(kernel, grid=(1,), block=(1,), channel=5)
    assert late.wait(LONG).channel == 5
    assert array.array("I", (task.wait(LONG).channel for task in tasks)).tolist() == \
        [step % 4 for step in range(400)]
