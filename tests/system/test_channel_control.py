# SPDX-License-Identifier: Apache-2.0
"""Cancel, suspend and resume of channels."""
import threading

import pytest

import ganger
from support import LONG, Held, error_of, expect, run_good_task, until, words, zeros

CHANNEL = ganger.abi.ENUMS["target"]["CHANNEL"]
SUSPENDED = ganger.abi.ENUMS["channel_state"]["SUSPENDED"]


def test_suspended_channel(device, load):
    """S0-R11: a suspended channel is not read: it fills, the next command is refused by name; others are read;
    resumed, nothing is lost."""
    dev = device(8)
    work = load(dev, "work")
    channel, entries = dev.channels[2], dev.info.channel_entries
    counts = zeros(dev, 9)
    before = dev.submit(work["count"], grid=9, args=[counts], channel=2)
    before.wait(LONG)
    channel.suspend()
    assert channel.state == "SUSPENDED" and "SUSPENDED" in repr(channel)
    assert [one.state for one in dev.channels].count("OPEN") == dev.info.channels - 1
    tasks = [dev.submit(work["count"], grid=9, args=[counts], channel=2, timeout=1)
             for _task in range(entries)]
    for _more in range(2):
        error = expect("ERR_RING_FULL", dev.submit, work["blank"], channel=2, timeout=0.2)
        assert (error.field, error.value) == ("channel.state", SUSPENDED)
        error = expect("ERR_RING_FULL", dev.command, "NOP", channel=2, timeout=0.1)
        assert error.field == "channel.state"
    run_good_task(dev, work)
    assert all(task.poll() is None for task in tasks) and words(counts.read()) == [1] * 9
    channel.suspend()
    channel.resume()
    assert channel.state == "OPEN"
    assert [task.wait(LONG).ctas for task in tasks] == [9] * entries
    assert words(counts.read()) == [entries + 1] * 9
    channel.resume()
    assert dev.nop(channel=2).channel == 2


def test_tasks_go_on(device, load):
    """What the device has taken from a channel goes on while the channel is suspended, and can be cancelled; what
    waits in it cannot, and says so."""
    dev = device(8)
    work = load(dev, "work")
    with Held(dev, work, 30, channel=1) as held:
        held.await_started(8)
        second = dev.submit(work["blank"], after=[held.task], channel=1)
        dev.nop(channel=1)
        dev.channels[1].suspend()
        late = dev.submit(work["blank"], channel=1)
        expect("ERR_RING_FULL", dev.submit_many, [dev.work(work["blank"], channel=1)] * 100,
               timeout=0.1)
        second.cancel()
        expect("ERR_CANCELLED", second.wait, LONG)
        error_of(late.cancel, timeout=0.2)
        held.release()
        assert held.task.wait(LONG).ctas == 30 and late.poll() is None
        dev.channels[1].resume()
    until(lambda: late.done, "the late one")
    assert late.poll().status in ("OK", "ERR_CANCELLED")
    dev.fence(channel=1, timeout=LONG)


def test_a_waiting_host(device, load):
    """S0-R11: a host that waits for room in a suspended channel goes on when it is resumed."""
    dev = device(8)
    kernel = load(dev, "work")["blank"]
    dev.channels[3].suspend()
    tasks = []
    poster = threading.Thread(target=lambda: tasks.extend(
        dev.submit_many([dev.work(kernel, channel=3) for _task in range(200)], timeout=LONG)))
    poster.start()
    until(lambda: dev.regs.channel[3].put.read() - dev.regs.channel[3].get.read() ==
          dev.info.channel_entries, "a full channel")
    dev.channels[3].resume()
    poster.join(LONG)
    assert len(tasks) == 200 and all(task.wait(LONG).ctas == 1 for task in tasks)


def test_the_last_open_channel(device, load):
    """All channels but one can be suspended; that one takes the commands that open them again."""
    dev = device(8)
    number = dev.info.channels
    for place in range(1, number):
        dev.channels[place].suspend()
    error = expect("ERR_ARGUMENT", dev.channels[0].suspend)
    assert (error.field, error.value) == ("channel", 0)
    error = expect("ERR_ARGUMENT", dev.command("SUSPEND", args=(0, CHANNEL)).wait, LONG)
    assert (error.field, error.value) == ("command.argument0", 0)
    run_good_task(dev, load(dev, "work"))
    task = dev.submit(load(dev, "work")["blank"], dependence_count=1)
    task.suspend()
    task.cancel()
    expect("ERR_CANCELLED", task.wait, LONG)
    for place in range(1, number):
        dev.channels[place].resume()
        assert dev.nop(channel=place).channel == place
    assert len(dev.channels) == number and all(one.state == "OPEN" for one in dev.channels)


@pytest.mark.parametrize("sms", [1, 8])
def test_cancel_of_a_channel(device, load, sms):
    """S0-R11: a channel with 300 tasks, running, pending, held and queues: each completes once, cancelled; those of
    other channels, and later ones, are left alone."""
    dev = device(sms)
    work = load(dev, "work")
    before = dev.traffic()
    queue = load(dev, "queue")["tally"]
    with Held(dev, work, 2, channel=0) as held:
        held.await_started()
        waiting = dev.submit(work["blank"], after=[held.task], channel=1)
        tasks = [dev.submit(work["forever"], grid=2, args=[zeros(dev, 2), 1], channel=2)]
        for number in range(299):
            keywords = {"channel": 2, "priority": 1 + number % 10}
            if number % 7 == 0:
                tasks.append(dev.queue(queue, args=[zeros(dev, 4)], capacity=4, item_bytes=8,
                                       items=2, coalesce_us=None, **keywords))
            elif number % 7 == 1:
                tasks.append(dev.submit(work["blank"], after=[held.task], **keywords))
            else:
                tasks.append(dev.submit(work["forever"], grid=100, args=[zeros(dev, 100), 0],
                                        **keywords))
        depending = dev.submit(work["blank"], after=[tasks[-1]], channel=1)
        dev.channels[2].cancel()
        later = dev.submit(work["blank"], grid=9, channel=2)
        for task in tasks:
            assert expect("ERR_CANCELLED", task.wait, LONG).done.tag == task.tag
        assert expect("ERR_DEPENDENCY", depending.wait, LONG).value == tasks[-1].tag
        assert later.wait(LONG).ctas == 9 and held.task.poll() is None and waiting.poll() is None
    assert held.task.wait(LONG).ctas == 2 and waiting.wait(LONG).ctas == 1
    traffic = dev.traffic()
    assert traffic["unknown"] == before["unknown"]
    assert traffic["posted"] == traffic["completed"]
    dev.fence(channel=2, timeout=LONG)


def test_cancel_takes_children(device, load):
    """S0-R07: cancelling a channel ends families whose roots came from it, once each."""
    dev = device(8)
    status, counts = zeros(dev, 1), zeros(dev, 4)
    with dev.template(load(dev, "work")["forever"], grid=4, args=[counts, 1]) as child:
        roots = [dev.submit(load(dev, "tasks")["launch_it"], args=[child, status], channel=4)
                 for _root in range(6)]
        until(lambda: sum(words(counts.read())) == 18 and dev.query("DEVICE") == 6, "children")
        dev.channels[4].cancel()
        for root in roots:
            assert expect("ERR_CANCELLED", root.wait, LONG).done.ctas == 1
    assert dev.query("DEVICE") == 0


def test_cancel_of_an_empty_channel(device, load):
    """Nothing there is nothing to do; two at a time are one too many, which is said."""
    dev = device(8)
    for channel in dev.channels:
        channel.cancel()
    answers = [dev.command("CANCEL", channel=place, args=(5, CHANNEL)) for place in range(8)]
    for answer in answers:
        until(lambda answer=answer: answer.done, "an answer")
        assert answer.poll().status in ("OK", "ERR_BUSY")
    assert answers[0].poll().status == "OK"
    expect("ERR_ARGUMENT", dev.command("CANCEL", args=(dev.info.channels, CHANNEL)).wait, LONG)
    run_good_task(dev, load(dev, "work"))


def test_cancel_of_a_suspended_channel(device, load):
    """Of a suspended channel, what was taken is cancelled; what waits in it runs after all."""
    dev = device(8)
    work = load(dev, "work")
    with Held(dev, work, 1) as held:
        taken = dev.submit(work["blank"], after=[held.task], channel=6)
        dev.nop(channel=6)
        dev.channels[6].suspend()
        waits = dev.submit(work["blank"], after=[held.task], channel=6)
        dev.channels[6].cancel()
        expect("ERR_CANCELLED", taken.wait, LONG)
        dev.channels[6].resume()
    assert waits.wait(LONG).ctas == 1


def test_refused_and_reset(device, load):
    """A refused channel says so, also when it is suspended; reset() opens it all the same."""
    dev = device(2)
    channel = dev.channels[5]
    dev.raw_put(5, dev.regs.channel[5].get.read() + 1000)
    until(lambda: channel.state == "REFUSED", "the refusal")
    expect("ERR_CHANNEL", dev.command, "NOP", channel=5)
    channel.suspend()
    assert channel.state == "REFUSED"
    channel.reset()
    assert channel.state == "OPEN" and dev.nop(channel=5).channel == 5
    run_good_task(dev, load(dev, "work"))


def test_cancel_among_many_ends(device):
    """S0-R15: 4,000 tasks end at once; cancelling the last is either done, or comes too late and is told so."""
    dev = device(8)
    for _round in range(3):
        gate = dev.signal(dependence_count=1)
        tasks = [dev.signal(after=[gate], channel=step % 4) for step in range(4000)]
        dev.nop()
        opening = dev.signal(dependents=[gate], channel=7)
        cancel = dev.command("CANCEL", channel=7, address=tasks[-1].address,
                             args=(tasks[-1].generation, 0))
        for task in (*tasks, cancel):
            until(lambda task=task: task.done, "the end")
        assert opening.wait(LONG).status == "OK"
        told = cancel.poll().status, tasks[-1].poll().status
        assert told in (("OK", "ERR_CANCELLED"), ("ERR_TASK", "OK"))
        assert all(task.poll().status == "OK" for task in tasks[:-1])
