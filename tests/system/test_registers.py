# SPDX-License-Identifier: Apache-2.0
"""The register model, and counters that agree with one another."""
import pytest

import ganger.registers
from support import LONG, zeros

ARRAYS = ("channel", "command", "completion", "slot", "sm_state", "launch", "trace", "fault_record")
BLOCKS = ("cap", "config", "post", "perf", "error")


def test_every_register_can_be_read(device):
    """S3-R25, S3-R49: all blocks by name; each register says what it is, and who writes it."""
    dev = device(2)
    for name in (*BLOCKS, *ARRAYS):
        block = getattr(dev.regs, name)
        block = block[0] if name in ARRAYS else block
        values, texts = block.read(), block.show()
        assert list(values) == list(texts) == block.names() and values
        for register in block.names():
            word = getattr(block, register)
            word = word if isinstance(word, ganger.registers.Word) else word[0]
            assert word.text and word.writer and word.path.startswith(name)
            assert repr(word).startswith("<")
        assert name in repr(dev.regs) and name in dir(dev.regs)


def test_numbers_of_entries(device):
    """S3-R25: arrays are as long as the capability block says; past the end there is nothing."""
    dev = device(2)
    info = dev.info
    for name, count in (("channel", info.channels), ("slot", info.slots), ("sm_state", 2),
                        ("launch", 2), ("trace", 3), ("fault_record", 2 * info.fault_entries),
                        ("command", info.channels * info.channel_entries),
                        ("completion", info.completion_entries)):
        array = getattr(dev.regs, name)
        assert len(array) == count == len(list(array)), name
        assert array[-1].read() is not None
        for index in (count, -count - 1):
            with pytest.raises(IndexError):
                array[index]  # pylint: disable=pointless-statement
    with pytest.raises(AttributeError):
        dev.regs.no_such_block  # pylint: disable=pointless-statement
    with pytest.raises(AttributeError):
        dev.regs.cap.no_such_register  # pylint: disable=pointless-statement


def test_blocks_do_not_overlap(device):
    """S3-R25: every block lies in the window, none in another; 64 SMs."""
    dev = device(64)
    spans = [(0, dev.regs.cap.bytes.read())]
    for name in (*BLOCKS[1:], *ARRAYS):
        block = getattr(dev.regs, name)
        entries = [block] if name in BLOCKS else [block[0], block[-1]]
        words = [getattr(entry, entry.names()[place]) for entry in entries for place in (0, -1)]
        offsets = [(word if isinstance(word, ganger.registers.Word) else word[-1]).offset
                   for word in words]
        spans.append((min(offsets), max(offsets)))
    fixed = sorted(span for span in spans if span[1] - span[0] < 1 << 16)
    assert max(end for _start, end in spans) < dev.regs.cap.window_bytes.read()
    starts = [start for start, _end in sorted(spans)]
    assert len(set(starts)) == len(starts) and fixed[0][0] == 0


def test_names_of_values(device):
    """S0-R27, S3-R25: enumerations by name, bit fields by name, pairs as one number."""
    dev = device(2)
    regs = dev.regs
    assert regs.cap.magic.read() == 0x52474e47
    assert (regs.cap.abi.major.read(), regs.cap.abi.minor.read()) == (dev.info.abi_major,
                                                                      dev.info.abi_minor)
    assert regs.cap.state.name() == "READY" and regs.cap.state.writer == "CP"
    assert "ATOMICS" in regs.cap.features.name()
    assert regs.sm_state[1].hart_state.name() == "STARTED"
    assert regs.sm_state[1].sync_ack.writer == "SM" and regs.channel[0].put.writer == "host"
    assert regs.cap.heap.read() == dev.info.heap
    assert regs.config.mode.name() == "DEVICE"
    assert "READY" in regs.cap.show()["state"]


def test_state_of_an_assigned_sm(device, load):
    """S0-R27, S0-C2: after a task its SM has acknowledged the very assignment that the CP made."""
    dev = device(2)
    for sm, state in enumerate(dev.regs.sm_state):
        # Of an SM among several, the only ones that have CTAs, the words would be those of before (a closed wave).
        dev.submit(load(dev, "work")["blank"], grid=(16,), block=(1,), affinity=[sm]).wait(LONG)
        assert state.task_assign.read() == state.sync_ack.read() != 0
        assert state.state_sync.name() in ("ACKED", "NONE")


def test_heartbeats(device, load):
    """S3-R31: the CP's heartbeat moves with each bell, an SM's with its work."""
    dev = device(1)
    cp, sm = dev.regs.cap.heartbeat.read(), dev.regs.sm_state[0].health.read()
    dev.nop()
    assert dev.regs.cap.heartbeat.read() > cp
    dev.submit(load(dev, "work")["blank"], grid=(1,), block=(1,)).wait(LONG)
    assert dev.regs.sm_state[0].health.read() > sm


def test_counters_agree(device, load):
    """S0-R34, S0-R27, S3-R31: what the CP, the SMs, the completions and the host counted is the same."""
    dev = device(8)
    kernel = load(dev, "work")["count"]
    before, sms = dev.stat(), [state.read() for state in dev.regs.sm_state]
    sizes = [1, 5, 64, 333, 1000]
    dones = [dev.submit(kernel, grid=(size,), block=(2,), args=[zeros(dev, size)]).wait(LONG)
             for size in sizes]
    dev.nop()
    after = dev.stat()
    delta = {name: after[name] - before[name] for name in after}
    assert delta["ctas"] == sum(sizes) == sum(done.ctas for done in dones)
    assert delta["packets"] == sum(done.packets for done in dones)
    assert delta["tasks_accepted"] == delta["tasks_completed"] == len(sizes)
    assert delta["tasks_failed"] == delta["refused"] == delta["unmatched"] == 0
    assert delta["assignments"] == delta["acks"] >= len(sizes)
    assert 0 < delta["reports"] <= delta["ctas"] and delta["packets"] <= delta["ctas"]
    assert delta["commands"] == len(sizes) + 1
    assert delta["passes"] >= delta["sleeps"] > 0
    now = [state.read() for state in dev.regs.sm_state]
    assert sum(new["ctas"] - old["ctas"] for old, new in zip(sms, now)) == sum(sizes)
    assert all(done.sms <= min(8, size) for done, size in zip(dones, sizes))


def test_accepted_commands(device, load):
    """A channel counts the commands that it accepted, not those that were refused."""
    dev = device(2)
    before = dev.regs.channel[3].accepted.read()
    dev.nop(channel=3)
    dev.submit(load(dev, "work")["blank"], grid=(1,), block=(1,), channel=3).wait(LONG)
    with pytest.raises(ganger.Error):
        dev.command(200, channel=3).wait(LONG)
    assert dev.regs.channel[3].accepted.read() - before == 2


def test_queries(device):
    """S3-R49: queries of the device, and one that it does not know."""
    dev = device(2)
    assert dev.query("TASKS") == dev.query("DEVICE") == 0
    with pytest.raises(ganger.Error) as caught:
        dev.query(77)
    assert (caught.value.status, caught.value.field, caught.value.value) == \
        ("ERR_ARGUMENT", "command.argument0", 77)
