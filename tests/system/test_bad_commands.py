# SPDX-License-Identifier: Apache-2.0
"""Commands that must be refused, full rings, and arguments that do not fit."""
import os
import signal

import pytest

import ganger
import ganger.abi
from support import LONG, expect, run_good_task, until, zeros


OPCODES = ganger.abi.ENUMS["opcode"]


@pytest.mark.parametrize("opcode", [max(OPCODES.values()) + 1, 100, 128, 255])
def test_unknown_opcode(device, load, opcode):
    """S0-R14: an unknown opcode is refused with its number; it neither succeeds nor ends the line (defect 4)."""
    dev = device(8)
    before = dev.stat()["refused"]
    first = dev.command(opcode)
    behind = dev.command("NOP")
    error = expect("ERR_OPCODE", first.wait, LONG)
    assert (error.field, error.value) == ("command.opcode", opcode)
    assert behind.wait(LONG).status == "OK"
    assert dev.stat()["refused"] == before + 1
    run_good_task(dev, load(dev, "work"))


@pytest.mark.parametrize("opcode", ["CANCEL", "SUSPEND", "RESUME", "RESET_SM", "GRAPH"])
def test_opcodes_that_come_later(device, opcode):
    """S0-R14: what this firmware does not do yet is refused as unsupported, never ignored."""
    dev = device(8)
    for args in ((0, 0, 0, 0), (1, 2, 3, 4)):
        error = expect("ERR_UNSUPPORTED", dev.command(opcode, args=args).wait, LONG)
        assert error.field == "command.opcode"


def test_task_methods_that_come_later(device, load):
    """S0-R14: cancel, suspend and resume say that the device cannot; the task goes on."""
    dev = device(8)
    task = dev.submit(load(dev, "work")["blank"], grid=(1,), block=(1,))
    for call in (task.cancel, task.suspend, task.resume):
        expect("ERR_UNSUPPORTED", call)
    assert task.wait(LONG).ctas == 1


@pytest.mark.parametrize("bit", [9, 10, 16, 31])
@pytest.mark.parametrize("opcode", ["NOP", "SUBMIT", "FENCE", "CONFIG"])
def test_unknown_flag(device, opcode, bit):
    """S0-R14: a flag that nobody knows."""
    dev = device(8)
    error = expect("ERR_FLAGS", dev.command(opcode, flags=1 << bit).wait, LONG)
    assert error.field == "command.command_reserved" and error.value == 1 << bit


@pytest.mark.parametrize("opcode, keywords, field", [
    ("NOP", {"address": 256}, "command.address"), ("NOP", {"args": (5,)}, "command.argument0"),
    ("FENCE", {"args": (0, 0, 0, 7)}, "command.argument3"),
    ("QUERY", {"args": (0, 1)}, "command.argument1"), ("QUERY", {"address": 1}, "command.address"),
    ("CONFIG", {"args": (1, 0, 9)}, "command.argument2"),
    ("SUBMIT", {"args": (0, 1)}, "command.argument1"), ("TRACE", {"address": 8}, "command.address")])
def test_words_that_must_be_zero(device, opcode, keywords, field):
    """S0-R14: words that an opcode does not use must be zero."""
    dev = device(8)
    error = expect("ERR_FLAGS", dev.command(opcode, **keywords).wait, LONG)
    assert error.field == field and error.value
    run = dev.command("TRACE", args=(2,))
    assert expect("ERR_ARGUMENT", run.wait, LONG).value == 2


@pytest.mark.parametrize("address, nbytes", [(0, 64), (0x80000000, 64), (0x80020000, 4),
                                             ((1 << 64) - 4, 4), (1 << 63, 0xffffffff)])
def test_code_outside_the_heap(device, load, address, nbytes):
    """S0-R14: code that is said to lie outside device memory."""
    dev = device(8)
    error = expect("ERR_CODE_RANGE", dev.command("CODE", address=address, args=(nbytes,)).wait, LONG)
    assert (error.field, error.value) == ("command.address", address)
    run_good_task(dev, load(dev, "work"))


def test_ring_full(fresh, load):
    """S0-R11: a device that takes nothing: the ring fills, the next command is refused at its deadline, none is lost.

    The emulator is stopped and goes on later.
    """
    dev = fresh(2)
    entries = dev.info.channel_entries
    os.kill(dev.qemu_pid, signal.SIGSTOP)
    try:
        tasks = [dev.command("NOP", timeout=1) for _entry in range(entries)]
        for _more in range(2):
            error = expect("ERR_RING_FULL", dev.command, "NOP", timeout=0.2)
            assert error.field == "channel" and error.value == 0
        other = dev.command("NOP", channel=1, timeout=1)
        assert all(task.poll() is None for task in (*tasks, other))
    finally:
        os.kill(dev.qemu_pid, signal.SIGCONT)
    assert {task.wait(LONG).tag for task in tasks} == {task.tag for task in tasks}
    assert other.wait(LONG).status == "OK"
    run_good_task(dev, load(dev, "work"))


def test_completions_that_nobody_takes(fresh, load):
    """S0-R11, S0-R15: with a full completion ring the CP keeps what it cannot post and goes on later; nothing is lost."""
    dev = fresh(8)
    kernel = load(dev, "work")["blank"]
    channels = [step % dev.info.channels for step in range(448)]
    tasks = [dev.submit(kernel, grid=(3,), block=(1,), channel=channel, timeout=LONG)
             for channel in channels]
    until(lambda: dev.regs.post.put.read() >= len(tasks) or
          dev.regs.post.put.read() - dev.regs.post.get.read() == dev.info.completion_entries,
          "all or a full ring of completions")
    assert sorted(task.wait(LONG).tag for task in tasks) == sorted(task.tag for task in tasks)
    assert dev.stat()["tasks_completed"] == len(tasks)


ARGUMENTS = [
    ([], "ERR_ARGUMENT_COUNT", "argument count", 0),
    ([1, 2], "ERR_ARGUMENT_COUNT", "argument count", 2),
    (["buffer", 1, 2, 3, 4], "ERR_ARGUMENT_COUNT", "argument count", 5),
    (["buffer", "buffer", 0], "ERR_ARGUMENT_SIZE", "argument 1", None),
    (["buffer", ganger.u64(1), 0], "ERR_ARGUMENT_SIZE", "argument 1", 8),
    (["buffer", ganger.u8(1), 0], "ERR_ARGUMENT_SIZE", "argument 1", 1),
    (["buffer", ganger.local(64), 0], "ERR_ARGUMENT_SIZE", "argument 1", None),
    (["buffer", 1 << 32, 0], "ERR_ARGUMENT_SIZE", "argument 1", 1 << 32),
    (["buffer", 0, -(1 << 31) - 1], "ERR_ARGUMENT_SIZE", "argument 2", -(1 << 31) - 1),
    (["buffer", 0, b"123"], "ERR_ARGUMENT_SIZE", "argument 2", 3),
    ([ganger.local(4), 0, 0], "ERR_ARGUMENT_SIZE", "argument 0", None),
]


@pytest.mark.parametrize("args, status, field, value", ARGUMENTS,
                         ids=[str(number) for number in range(len(ARGUMENTS))])
def test_arguments_that_do_not_fit(device, load, args, status, field, value):
    """S3-R21, S3-R42: number, kind and size of arguments are checked before anything is posted."""
    dev = device(8)
    out = zeros(dev, 4)
    posted = dev.traffic()["posted"]
    args = [out if one == "buffer" else one for one in args]
    error = expect(status, dev.submit, load(dev, "work")["hash"], grid=(1,), block=(1,), args=args)
    assert error.field.startswith(field), error
    assert value is None or error.value == value
    assert dev.traffic()["posted"] == posted
    run_good_task(dev, load(dev, "work"))


@pytest.mark.parametrize("keywords, status", [
    ({"grid": (0,)}, "ERR_GRID_ZERO"), ({"grid": (1, 0)}, "ERR_GRID_ZERO"),
    ({"block": (0,)}, "ERR_BLOCK_ZERO"), ({"block": (1025,)}, "ERR_BLOCK_TOO_LARGE"),
    ({"block": (1 << 16,)}, "ERR_BLOCK_TOO_LARGE"), ({"grid": (1, 1 << 16)}, "ERR_GRID_OVERFLOW"),
    ({"priority": 0}, "ERR_PRIORITY"), ({"priority": 11}, "ERR_PRIORITY"),
    ({"priority": 100}, "ERR_PRIORITY"), ({"mode": "fastest"}, "ERR_MODE"), ({"mode": 9}, "ERR_MODE"),
    ({"mode": "pull"}, "ERR_UNSUPPORTED"), ({"mode": "multicast"}, "ERR_UNSUPPORTED"),
    ({"sequential": True}, "ERR_UNSUPPORTED"), ({"throttle": True}, "ERR_UNSUPPORTED"),
    ({"quota": 5}, "ERR_UNSUPPORTED"), ({"cluster": (2,)}, "ERR_UNSUPPORTED"),
    ({"affinity": [0]}, "ERR_UNSUPPORTED"), ({"gpc_mask": 1}, "ERR_UNSUPPORTED"),
    ({"retry_limit": 1}, "ERR_UNSUPPORTED"), ({"windows": [(0x80000000, 4)]}, "ERR_UNSUPPORTED"),
    ({"grid": (1, 1, 1, 1)}, "ERR_ARGUMENT"), ({"grid": ()}, "ERR_ARGUMENT"),
    ({"grid": (-1,)}, "ERR_ARGUMENT"), ({"grid": (1 << 32,)}, "ERR_ARGUMENT"),
    ({"stack_bytes": 1 << 30}, "ERR_PRIVATE_TOO_LARGE"), ({"affinity": []}, "ERR_AFFINITY")], ids=str)
def test_keywords_that_are_refused(device, load, keywords, status):
    """S0-R02, S0-R03: what submit() takes and the device, or the library, refuses: always an error with a field."""
    dev = device(8)
    keywords = {"grid": (1,), "block": (1,), **keywords}

    def submit():
        dev.submit(load(dev, "work")["blank"], **keywords).wait(LONG)

    error = expect(status, submit)
    assert error.field, error
    run_good_task(dev, load(dev, "work"))


def test_dependences_come_later(device, load):
    """S0-R02: tasks that wait for tasks are refused, not started early."""
    dev = device(8)
    kernel = load(dev, "work")["blank"]
    first = dev.submit(kernel, grid=(1,), block=(1,))
    error = expect("ERR_UNSUPPORTED", lambda: dev.submit(kernel, grid=(1,), block=(1,),
                                                         after=[first]).wait(LONG))
    assert error.field == "tmd.dependence_count"
    assert first.wait(LONG).ctas == 1
