# SPDX-License-Identifier: Apache-2.0
"""Commands that must be refused, full rings, and arguments that do not fit."""
import os
import re
import signal

import pytest

import ganger
import ganger.abi
from support import LONG, expect, free_bytes, run_good_task, stop, until, words, zeros


OPCODES = ganger.abi.ENUMS["opcode"]


@pytest.mark.parametrize("opcode", [max(OPCODES.values()) + 1, 100, 128, 255])
def test_unknown_opcode(device, load, opcode):
    """An unknown opcode is refused with its number; it neither succeeds nor ends the line (defect 4)."""
    dev = device(8)
    before = dev.stat()["refused"]
    first = dev.command(opcode)
    behind = dev.command("NOP")
    error = expect("ERR_OPCODE", first.wait, LONG)
    assert (error.field, error.value) == ("command.opcode", opcode)
    assert behind.wait(LONG).status == "OK"
    assert dev.stat()["refused"] == before + 1
    run_good_task(dev, load(dev, "work"))


TASK, CHANNEL = ganger.abi.ENUMS["target"]["TASK"], ganger.abi.ENUMS["target"]["CHANNEL"]


@pytest.mark.parametrize("address, args, status, field, value", [
    (0, (0, TASK), "ERR_TASK", "command.address", 0),
    (0x80000000, (1, TASK), "ERR_TASK", "command.address", 0x80000000),
    ((1 << 64) - 256, (7, TASK), "ERR_TASK", "command.address", (1 << 64) - 256),
    (0, (0, 2), "ERR_ARGUMENT", "command.argument1", 2),
    (0, (0, 0xffffffff), "ERR_ARGUMENT", "command.argument1", 0xffffffff),
    (0, (8, CHANNEL), "ERR_ARGUMENT", "command.argument0", 8),
    (256, (1, CHANNEL), "ERR_ARGUMENT", "command.argument0", 1),
    (0, (1, CHANNEL, 3), "ERR_FLAGS", "command.argument2", 3),
    (0, (1, CHANNEL, 0, 4), "ERR_FLAGS", "command.argument3", 4)])
@pytest.mark.parametrize("opcode", ["CANCEL", "SUSPEND", "RESUME"])
def test_targets_that_are_none(device, load, opcode, address, args, status, field, value):
    """Cancel, suspend and resume of what is no task and no channel are refused and change nothing."""
    dev = device(8)
    error = expect(status, dev.command(opcode, address=address, args=args).wait, LONG)
    assert (error.field, error.value) == (field, value)
    assert all(channel.state == "OPEN" for channel in dev.channels)
    run_good_task(dev, load(dev, "work"))


@pytest.mark.parametrize("address", [0, 255, 0x80000000, (1 << 64) - 256])
@pytest.mark.parametrize("opcode, args", [("PUSH", (1, 0, 1, 0)), ("CLOSE", (1,))])
def test_queues_that_are_none(device, load, opcode, args, address):
    """S0-R05: items for a queue that is not there."""
    dev = device(8)
    error = expect("ERR_TASK", dev.command(opcode, address=address, args=args).wait, LONG)
    assert (error.field, error.value) == ("command.address", address)
    run_good_task(dev, load(dev, "work"))


@pytest.mark.parametrize("bit", [9, 10, 16, 31])
@pytest.mark.parametrize("opcode", ["NOP", "SUBMIT", "FENCE", "CONFIG"])
def test_unknown_flag(device, opcode, bit):
    """An unknown flag is refused."""
    dev = device(8)
    error = expect("ERR_FLAGS", dev.command(opcode, flags=1 << bit).wait, LONG)
    assert error.field == "command.command_reserved" and error.value == 1 << bit


@pytest.mark.parametrize("opcode, keywords, field", [
    ("NOP", {"address": 256}, "command.address"), ("NOP", {"args": (5,)}, "command.argument0"),
    ("FENCE", {"args": (0, 0, 0, 7)}, "command.argument3"),
    ("QUERY", {"args": (0, 1)}, "command.argument1"), ("QUERY", {"address": 1}, "command.address"),
    ("CONFIG", {"args": (1, 0, 9)}, "command.argument2"),
    ("SUBMIT", {"args": (0, 1)}, "command.argument1"), ("TRACE", {"address": 8}, "command.address"),
    ("CLOSE", {"args": (0, 1)}, "command.argument1"),
    ("RESET_SM", {"args": (0, 0, 1)}, "command.argument2"), ("RESET_SM", {"address": 4}, "command.address"),
    ("CANCEL", {"args": (0, 0, 1)}, "command.argument2")])
def test_words_that_must_be_zero(device, opcode, keywords, field):
    """Words that an opcode does not use must be zero."""
    dev = device(8)
    error = expect("ERR_FLAGS", dev.command(opcode, **keywords).wait, LONG)
    assert error.field == field and error.value
    run = dev.command("TRACE", args=(2,))
    assert expect("ERR_ARGUMENT", run.wait, LONG).value == 2


@pytest.mark.parametrize("address, nbytes", [(0, 64), (0x80000000, 64), (0x80020000, 4),
                                             ((1 << 64) - 4, 4), (1 << 63, 0xffffffff)])
def test_code_outside_the_heap(device, load, address, nbytes):
    """Code that is said to lie outside device memory."""
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
    stop(dev.qemu_pid)
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
    out, kernel = zeros(dev, 4), load(dev, "work")["hash"]
    posted = dev.traffic()["posted"]
    args = [out if one == "buffer" else one for one in args]
    error = expect(status, dev.submit, kernel, grid=(1,), block=(1,), args=args)
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
    ({"mode": "multicast"}, "ERR_MODE"), ({"mode": "pull", "chunk": 2}, "ERR_CHUNK"),
    ({"cluster": (2,)}, "ERR_CLUSTER"), ({"affinity": [8]}, "ERR_AFFINITY"),
    ({"affinity": [512]}, "ERR_AFFINITY"), ({"gpcs": []}, "ERR_AFFINITY"),
    ({"gpcs": [32]}, "ERR_ARGUMENT"), ({"gpcs": [31]}, "ERR_AFFINITY"),
    ({"quota": -1}, "ERR_ARGUMENT"), ({"dependence_count": -1}, "ERR_ARGUMENT"),
    ({"dependence_count": 1 << 31}, "ERR_DEPENDENT"),
    ({"semaphores": [(0x80000000, 1)]}, "ERR_SEMAPHORE"),
    ({"semaphores": [(256, 1)] * 3}, "ERR_SEMAPHORE"),
    ({"semaphores": [(256, 1, "swap")]}, "ERR_ARGUMENT"),
    ({"dependents": [((256, 1), "bless")]}, "ERR_ARGUMENT"),
    ({"dependents": [((256, 1), 3)]}, "ERR_DEPENDENT"),
    ({"dependents": [(256, 1)]}, "ERR_DEPENDENT"),
    ({"dependents": [((256, 1), "schedule")]}, "ERR_DEPENDENT"),
    ({"dependents": [((256, 1), "increment-put", 1)]}, "ERR_DEPENDENT"),
    ({"dependents": [((256, 1), "increment-put", 1 << 16)]}, "ERR_ARGUMENT"),
    ({"dependents": [(256, 1)] * 65}, "ERR_ARGUMENT"),
    ({"retry_limit": 16}, "ERR_UNSUPPORTED"), ({"windows": [(0x80000000, 4)]}, "ERR_WINDOW_RANGE"),
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


@pytest.mark.parametrize("keywords, field, value, limit", [
    ({"grid": (1, 1 << 16)}, "tmd.grid_y", 1 << 16, "at most 65,535 CTAs along y and z"),
    ({"grid": ((1 << 32) - 1, (1 << 16) - 1, (1 << 16) - 1)}, "tmd.grid_x", ((1 << 32) - 1) * ((1 << 16) - 1) ** 2, "2^63 - 1 in all")])
def test_grids_that_are_too_large(device, load, keywords, field, value, limit):
    """S0-R02: the refusal of a grid names its field, its value, the limit, and what to do."""
    dev = device(8)
    error = expect("ERR_GRID_OVERFLOW", lambda: dev.submit(load(dev, "work")["blank"], block=1, **keywords).wait(LONG))
    assert (error.field, error.value) == (field, value)
    assert limit in error.message and "Launch several grids" in error.message


@pytest.mark.parametrize("keywords", [
    {"sequential": True}, {"throttle": True}, {"quota": 5}, {"affinity": [0]}, {"affinity": [7, 2]},
    {"gpc_mask": 1}, {"gpcs": [0]}, {"after": ()}], ids=str)
def test_keywords_that_are_taken(device, load, keywords):
    """S0-R02: what this firmware does: such a task runs whole."""
    dev = device(8)
    counts = zeros(dev, 20)
    done = dev.submit(load(dev, "work")["count"], grid=20, args=[counts], **keywords).wait(LONG)
    assert (done.status, done.ctas) == ("OK", 20) and words(counts.read()) == [1] * 20


def test_commands_that_are_no_tasks(device, load):
    """A NOP has no name, so it cannot be cancelled, waited for on the device, or named."""
    dev = device(8)
    nop = dev.command("NOP")
    for call in (nop.cancel, nop.suspend, nop.resume, lambda: nop.address):
        assert expect("ERR_ARGUMENT", call).value == nop.tag
    kernel = load(dev, "work")["blank"]
    for keywords in ({"after": [nop]}, {"dependents": [nop]}):
        assert expect("ERR_ARGUMENT", dev.submit, kernel, **keywords).field == next(iter(keywords))
    assert nop.wait(LONG).status == "OK"


@pytest.mark.parametrize("call", [
    lambda dev: dev.buffer(nbytes=-1), lambda dev: dev.buffer(nbytes=(1 << 64) + 8),
    lambda dev: dev.buffer(nbytes=8, align=1 << 32),
    lambda dev: dev.context(-1), lambda dev: dev.context((1 << 64) + 4096), lambda dev: dev.read(1 << 64, 4),
    lambda dev: dev.read(0, -1), lambda dev: dev.write(-1, b"1234"), lambda dev: dev.command("NOP", channel=1 << 32),
    lambda dev: dev.command("NOP", args=(1 << 32,)), lambda dev: dev.command("NOPE"), lambda dev: dev.query("NOTHING"),
    lambda dev: dev.query(1 << 32), lambda dev: dev.raw_put(1 << 32, 0), lambda dev: dev.channel_reset(1 << 32),
    lambda dev: dev.channel_priority(0, (1 << 32) + 5), lambda dev: dev.nop(timeout=float("nan"))])
def test_numbers_that_do_not_fit(device, load, call):
    """S3-R21: a number that the library's parameter cannot hold is refused; it is not cut to one that it can."""
    dev = device(8)
    posted, free = dev.traffic()["posted"], free_bytes(dev)
    error = expect("ERR_ARGUMENT", call, dev)
    assert error.field and error.value is not None, error
    # What earlier tests have left may be given back meanwhile.
    assert dev.traffic()["posted"] == posted and free_bytes(dev) >= free
    run_good_task(dev, load(dev, "work"))


def test_things_of_a_wrong_kind(device, load):
    """S3-R121: what is no kernel, no path, no number is a TypeError that says what is wanted."""
    dev = device(8)
    module = load(dev, "work")
    for call, said in ((lambda: dev.submit("blank"), 'module["name"], not str'), (lambda: dev.submit(module), "not Module"),
                       (lambda: dev.load(7), "path of a kernel ELF, or its bytes, not int"),
                       (lambda: dev.submit(module["blank"], grid="8"), "grid is an integer, not str"),
                       (lambda: dev.submit(module["blank"], block=(8, 1.5)), "block is an integer, not float"),
                       (lambda: ganger.Device.boot(sms="8"), "sms is an integer, not str"),
                       (lambda: ganger.Device.boot(64), "not int"), (lambda: dev.nop(timeout="1"), "timeout is a number of seconds"),
                       (lambda: dev.submit_many([module["blank"]]), "work is a Work, not Kernel"),
                       (lambda: dev.max_active_clusters("blank"), "kernel is a Kernel, not str"),
                       (lambda: dev.buffer(nbytes=4).copy(b"1234"), "source is a Buffer, not bytes"),
                       (lambda: dev.submit_tmd(0x1000), "tmd is a Tmd, not int"),
                       (lambda: dev.record_trace(100), "keep is a Keep, not int"),
                       (lambda: dev.core(None, "core"), "record is a Fault, not NoneType")):
        with pytest.raises(TypeError, match=re.escape(said)):
            call()
    assert "its kernels are" in str(expect("ERR_KERNEL_NAME", lambda: module["blanc"]))
    run_good_task(dev, module)
