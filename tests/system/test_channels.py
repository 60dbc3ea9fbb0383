# SPDX-License-Identifier: Apache-2.0
"""Channels and fences: what waits does not block what follows."""
import pytest

from support import LONG, Held, expect, run_good_task, until


def test_fence_waits_for_its_channel_only(device, load):
    """S3-R48, S3-R50: a fence completes when all before it on its channel have; commands behind it go on (defect 3)."""
    dev = device(8)
    module = load(dev, "work")
    with Held(dev, module, 4, channel=1) as held:
        held.await_started()
        fence = dev.command("FENCE", channel=1)
        other = dev.command("FENCE", channel=2)
        assert other.wait(LONG).status == "OK"
        behind = dev.submit(module["blank"], grid=(4,), block=(1,), channel=1)
        assert behind.wait(LONG).ctas == 4
        assert dev.nop(channel=1, timeout=LONG).status == "OK"
        assert fence.poll() is None
    assert fence.wait(LONG).times.done >= held.task.wait(LONG).times.last


def test_fence_does_not_wait_for_later_tasks(device, load):
    """S0-R15: a fence counts what was accepted before it, not after it."""
    dev = device(8)
    module = load(dev, "work")
    with Held(dev, module, 1, channel=1) as before:
        before.await_started()
        fence = dev.command("FENCE", channel=1)
        late = Held(dev, module, 1, channel=1)
        late.await_started()
        assert fence.poll() is None
    with late:
        assert fence.wait(LONG).status == "OK"
        assert late.task.poll() is None


def test_fences_in_order(device, load):
    """Several fences of a channel complete in order, an empty one at once."""
    dev = device(8)
    module = load(dev, "work")
    assert dev.command("FENCE", channel=4).wait(LONG).status == "OK"
    with Held(dev, module, 1, channel=4) as held:
        held.await_started()
        first = dev.command("FENCE", channel=4)
        with Held(dev, module, 1, channel=4) as second_held:
            second_held.await_started()
            second = dev.command("FENCE", channel=4)
        second_held.task.wait(LONG)
        assert first.poll() is None and second.poll() is None
    assert first.wait(LONG).times.done <= second.wait(LONG).times.done


def test_too_many_fences(device, load):
    """S0-R11: more fences in flight than a channel keeps are refused as busy, and the others hold."""
    dev = device(8)
    with Held(dev, load(dev, "work"), 1, channel=4) as held:
        held.await_started()
        fences = [dev.command("FENCE", channel=4) for _fence in range(16)]
        error = expect("ERR_BUSY", dev.command("FENCE", channel=4).wait, LONG)
        assert error.field == "command.opcode" and error.value == 16
        assert all(fence.poll() is None for fence in fences)
    assert all(fence.wait(LONG).status == "OK" for fence in fences)
    dev.fence(channel=4, timeout=LONG)


def test_fence_of_the_library(device, load):
    """S3-R48: fence() waits, with a deadline."""
    dev = device(8)
    with Held(dev, load(dev, "work"), 1, channel=3) as held:
        held.await_started()
        expect("ERR_TIMEOUT", dev.fence, channel=3, timeout=0.1)
    dev.fence(channel=3, timeout=LONG)


def test_a_failed_task_opens_the_fence(device, load):
    """S0-R15: a task that failed has completed, too."""
    dev = device(8)
    module = load(dev, "barrier")
    task = dev.submit(module["leave_early"], grid=(1,), block=(4,), channel=5,
                      args=[dev.buffer(bytes(8)), 2])
    dev.fence(channel=5, timeout=LONG)
    assert task.poll().status == "ERR_DIVERGED"


@pytest.mark.parametrize("put", [65, 66, 1000, 0x7fffffff, 0x80000000, 0xffffffff])
def test_put_out_of_range(device, load, put):
    """A put word out of range refuses the channel with the value, not the device; a reset reopens it."""
    dev = device(8)
    channel = 6
    get = dev.regs.channel[channel].get.read()
    dev.raw_put(channel, (get + put) & 0xffffffff)
    until(lambda: dev.regs.channel[channel].state.name() == "REFUSED", "channel is refused")
    assert dev.regs.channel[channel].refused_put.read() == (get + put) & 0xffffffff
    assert dev.regs.channel[channel].get.read() == get
    error = expect("ERR_CHANNEL", dev.command, "NOP", channel=channel)
    assert error.field == "channel.put" and error.value == (get + put) & 0xffffffff
    run_good_task(dev, load(dev, "work"))
    dev.channel_reset(channel, timeout=LONG)
    assert dev.regs.channel[channel].state.name() == "OPEN"
    for _command in range(70):
        assert dev.nop(channel=channel, timeout=LONG).status == "OK"


def test_reset_of_a_good_channel(device):
    """A channel that is not refused is reset if all its commands are taken: then they are numbered anew."""
    dev = device(8)
    dev.channel_reset(2)
    for count in (1, 70, 3):
        for _command in range(count):
            dev.nop(channel=2, timeout=LONG)
        assert dev.regs.channel[2].get.read() == count
        dev.channel_reset(2)
        assert [dev.regs.channel[2].read()[name] for name in ("put", "get")] == [0, 0]
    dev.channels[2].suspend()
    task = dev.command("NOP", channel=2)
    error = expect("ERR_BUSY", dev.channel_reset, 2)
    assert error.field == "channel" and error.value == 2
    dev.channels[2].resume()
    task.wait(LONG)


def test_channel_that_is_not_there(device, load):
    """S0-R14: channels past the last, and priorities out of range, are refused."""
    dev = device(8)
    kernel = load(dev, "work")["blank"]
    error = expect("ERR_ARGUMENT", dev.submit, kernel, grid=(1,), block=(1,), channel=8)
    assert error.field == "channel" and error.value == 8
    assert expect("ERR_ARGUMENT", dev.command, "NOP", channel=1000).value == 1000
    for priority in (0, 11):
        assert expect("ERR_PRIORITY", dev.channel_priority, 1, priority).value == priority


def test_rings_wrap(device):
    """S0-R11: several times round each channel's ring and the completion ring."""
    dev = device(8)
    for channel in range(6):
        tasks = []
        for _command in range(300):
            tasks.append(dev.command("NOP", channel=channel, timeout=LONG))
        assert len({task.wait(LONG).tag for task in tasks}) == 300
