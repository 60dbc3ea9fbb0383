# SPDX-License-Identifier: Apache-2.0
"""Groups of devices from C: gg_group_run() as C's host would call it, through ctypes."""
import ctypes
import os
import signal
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import ganger
from ganger import clib, structs
from support import LONG, expect, free_bytes, until

UINT, LONG_UINT, POINTER = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_void_p
MERGE_FUNCTION = ctypes.CFUNCTYPE(None, POINTER, POINTER, POINTER, LONG_UINT)
WHOLE, SPLIT, MERGE = range(3)
MEMBERS_MAX = 64
NOBODY = 0xffffffff


class Member(ctypes.Structure):
    """struct gg_group_member."""
    _fields_ = [("device", POINTER), ("module", POINTER), ("lost", UINT), ("reserved", UINT)]


class Buffer(ctypes.Structure):
    """struct gg_group_buffer."""
    _fields_ = [("data", POINTER), ("bytes", LONG_UINT), ("spread", UINT), ("writes", UINT), ("entry_bytes", LONG_UINT),
                ("cta_entries", LONG_UINT), ("halo", LONG_UINT), ("merge", MERGE_FUNCTION), ("user", POINTER)]


class Argument(ctypes.Structure):
    """struct gg_group_argument."""
    _fields_ = [("buffer", ctypes.POINTER(Buffer)), ("value", structs.Argument)]


class GroupWork(ctypes.Structure):
    """struct gg_group_work."""
    _fields_ = [("work", structs.Work), ("arguments", ctypes.POINTER(Argument)), ("argument_count", UINT), ("again", UINT)]


class GroupDone(ctypes.Structure):
    """struct gg_group_done."""
    _fields_ = [("ctas", LONG_UINT), ("lost_ctas", LONG_UINT), ("parts", UINT), ("lost", UINT),
                ("member_ctas", LONG_UINT * MEMBERS_MAX)]


@MERGE_FUNCTION
def add_words(_user, data, part, nbytes):
    """Adds words: what `merge` of a buffer does."""
    total = np.ctypeslib.as_array((UINT * (nbytes // 4)).from_address(data))
    total += np.ctypeslib.as_array((UINT * (nbytes // 4)).from_address(part))


def buffer_of(array, spread=WHOLE, **fields):
    """A buffer of the group on an array, which it keeps."""
    made = Buffer(array.ctypes.data, array.nbytes, spread, **fields)
    made.array = array
    return made


def split(array, each, **fields):
    """A buffer with so many entries for each CTA."""
    return buffer_of(array, SPLIT, entry_bytes=array.itemsize, cta_entries=each, **fields)


class Group:
    """Devices and a module on each of them."""

    def __init__(self, devices, elf):
        self.devices, self.elf = devices, elf
        self.modules = [device.load(elf) for device in devices]
        self.members = (Member * len(devices))(*(Member(device.handle.pointer, module.pointer)
                                                 for device, module in zip(devices, self.modules)))

    def run(self, kernel, grid, args, block=(1, 1, 1), again=0, timeout=LONG, count=None, **fields):
        """The status and what gg_group_run() says."""
        found = UINT()
        clib.call("gg_kernel_find", POINTER(self.modules[0].pointer), kernel.encode(), ctypes.byref(found))
        arguments, kept = (Argument * len(args))(), []
        for raw, one in zip(arguments, args):
            if isinstance(one, Buffer):
                raw.buffer = ctypes.pointer(one)
            elif one is None:
                kept.append(LONG_UINT())
                raw.value = structs.Argument(1, 8, ctypes.addressof(kept[-1]))
            else:
                kept.append(UINT(one))
                raw.value = structs.Argument(0, 4, ctypes.addressof(kept[-1]))
        work = structs.Work(kernel=found.value, grid=grid, block=block, mode=ganger.abi.ENUMS["task_mode"]["DEVICE"], **fields)
        whole, done = GroupWork(work, arguments, len(args), again), GroupDone()
        function = clib.library().gg_group_run
        function.restype = ctypes.c_int32
        status = function(self.members, UINT(len(self.members) if count is None else count), ctypes.byref(whole),
                          UINT(clib.milliseconds(timeout)), ctypes.byref(done))
        if status:
            error = clib.failure_error(status)
            error.group_done = done
            raise error
        return done

    def shares(self, done):
        """CTAs that each device completed."""
        return list(done.member_ctas)[:len(self.devices)]


@pytest.fixture(scope="module")
def group(board, kernel_path):
    """Three devices that no test loses."""
    devices = [ganger.Device.boot(board, sms=sms) for sms in (1, 3, 2)]
    yield Group(devices, kernel_path("group"))
    for device in devices:
        device.close()


@pytest.fixture
def losing(board, kernel_path):
    """Three devices to be lost."""
    devices = [ganger.Device.boot(board, sms=2) for _ in range(3)]
    yield Group(devices, kernel_path("group"))
    for device in devices:
        device.close()


def start(group, *args, **keywords):
    """run() in a thread: `error` or `done` when it has ended."""
    found = SimpleNamespace(done=None, error=None)

    def call():
        try:
            found.done = group.run(*args, **keywords)
        except ganger.Error as error:
            found.error = error
    found.thread = threading.Thread(target=call)
    found.thread.start()
    return found


def wait(found):
    """The end of a run()."""
    found.thread.join(LONG)
    assert not found.thread.is_alive()
    return found


def kill_at_work(group, number, found, before=lambda: None):
    """Ends the emulator of a device once it has got CTAs, and after that call."""
    device = group.devices[number]
    until(lambda: sum(device.regs.sm_state[sm].ctas.read() for sm in range(device.info.sms)), "a CTA that runs")
    assert found.thread.is_alive()
    before()
    os.kill(device.qemu_pid, signal.SIGKILL)


def test_parts(group):
    """S0-R42: a grid is shared out by SMs, kernels see the indices of the whole, a device has the entries of its own CTAs
    and those of the neighbours that it asks for; what is merged is the sum over all."""
    n = 1000
    data = np.arange(n, dtype=np.uint32) ** 2
    out = np.zeros(n, np.uint32)
    done = group.run("sums", (-(-n // 16), 1, 1), [split(data, 16, halo=1), split(out, 16, writes=1), n], block=(16, 1, 1))
    padded = np.concatenate(([0], data, [0])).astype(np.uint32)
    assert (out == padded[:-2] + padded[1:-1] + padded[2:]).all()
    assert (done.ctas, done.parts, done.lost) == (63, 3, 0) and group.shares(done) == [10, 32, 21]
    counts, gate = np.full(600, 5, np.uint32), np.array([NOBODY], np.uint32)
    done = group.run("counted", (10, 6, 10), [buffer_of(counts, MERGE, merge=add_words), buffer_of(gate)])
    assert (counts == 6).all() and group.shares(done) == [100, 300, 200]
    own = np.ones(80, np.uint32)
    both = split(own, 8, writes=1)
    group.run("own", (10, 1, 1), [both, 8])
    group.run("own", (10, 1, 1), [both, 8])
    assert (own == 1 + 2 * (np.arange(80) // 8)).all()
    own = np.zeros(560, np.uint32)
    done = group.run("own", (10, 7, 1), [split(own, 80, writes=1), 8])  # A part is whole rows of CTAs.
    assert (own == np.arange(560) // 8).all() and group.shares(done) == [10, 30, 30]


def test_shares_as_in_python(group):
    """S0-R42: the group of C and that of Python give each device the same CTAs, for grids of any shape, with entries
    that go along and without."""
    random, other = np.random.default_rng(22), ganger.DeviceGroup(group.devices)
    kernel = other.load(group.elf)["own"]
    for turn in range(40):
        grid = tuple(int(one) for one in random.integers(1, random.permutation([40, 7, 2])))
        slowest = max(axis for axis in range(3) if axis == 0 or grid[axis] > 1)
        entries = 8 * int(np.prod(grid[:slowest]))
        own = np.zeros(8 * int(np.prod(grid)), np.uint32)
        buffer = split(own, entries, writes=1) if turn % 2 else buffer_of(own, MERGE, merge=add_words)
        shares = group.shares(group.run("own", grid, [buffer, 8]))
        theirs = other.buffer(own * 0, split=0, per_cta=entries) if turn % 2 else other.buffer(own * 0, add="uint32")
        parts = other.run(kernel, grid=grid, args=[theirs, 8], timeout=LONG).parts
        assert shares == [sum(part.done.ctas for part in parts if part.device == at) for at in range(3)], (grid, turn)
        assert own.tobytes() == theirs.read(), (grid, turn)


def test_a_device_is_lost(losing):
    """What a device had is run by the others, and every CTA counts once, also where the lost device had ended it."""
    counts, gate = np.zeros(600, np.uint32), np.array([350], np.uint32)
    args = [buffer_of(counts, MERGE, merge=add_words), buffer_of(gate)]
    found = start(losing, "counted", (600, 1, 1), args, again=1)
    kill_at_work(losing, 1, found, lambda: gate.fill(NOBODY))  # What runs again sees that.
    done = wait(found).done
    assert (counts == 1).all() and done.ctas == 600
    assert (done.lost, done.lost_ctas, done.parts) == (1, 200, 4)
    assert [member.lost for member in losing.members] == [0, 1, 0] and losing.shares(done) == [300, 0, 300]
    assert losing.run("counted", (10, 1, 1), args).parts == 2  # It needs no `again`: nothing is lost.
    for device in losing.devices[::2]:
        os.kill(device.qemu_pid, signal.SIGKILL)
    error = expect("ERR_DEVICE_LOST", losing.run, "counted", (10, 1, 1), args, again=1)
    assert "No device of the group is left" in str(error)


def test_a_device_boots_again(losing):
    """The control processor of a device restarts: what it had runs again, also there; without `again` that is an error."""
    for again in (1, 0):
        counts, gate = np.zeros(600, np.uint32), np.array([350], np.uint32)
        before = losing.devices[1].stat()["reports"]
        found = start(losing, "counted", (600, 1, 1), [buffer_of(counts, MERGE, merge=add_words), buffer_of(gate)], again=again)
        until(lambda: losing.devices[1].stat()["reports"] > before, "a CTA has ended")  # pylint: disable=cell-var-from-loop
        gate.fill(NOBODY)
        losing.devices[1].restart(LONG)
        done = wait(found).done
        if again:
            assert (counts == 1).all() and (done.ctas, done.lost, done.lost_ctas) == (600, 0, 200)
        else:
            assert found.error.status == "ERR_DEVICE_RESET" and "device 1" in str(found.error)
        assert [member.lost for member in losing.members] == [0, 0, 0]


def test_a_part_is_lost(losing):
    """A kernel that may not run twice: the error names the part, and what the others did is there."""
    counts, gate = np.zeros(600, np.uint32), np.array([50], np.uint32)
    args = [buffer_of(counts, MERGE, merge=add_words), buffer_of(gate)]
    found = start(losing, "counted", (600, 1, 1), args)
    kill_at_work(losing, 0, found)
    error = wait(found).error
    assert (error.status, error.field, error.value) == ("ERR_DEVICE_LOST", "part", 0) and "CTAs 0 to 199" in str(error)
    assert counts.tolist() == [0] * 200 + [1] * 400 and error.group_done.ctas == 400
    os.kill(losing.devices[2].qemu_pid, signal.SIGKILL)
    counts, half = np.zeros(100000, np.uint32), 50000  # Long enough that the loss is seen before the other part is done.
    args = [buffer_of(counts, MERGE, merge=add_words), buffer_of(np.array([NOBODY], np.uint32))]
    error = expect("ERR_DEVICE_LOST", losing.run, "counted", (2 * half, 1, 1), args)
    assert error.value == half and counts[:half].all() and not counts[half:].any()


def test_a_part_fails(group):
    """S3-R31: a fault ends all parts, and the error says where; later runs are well."""
    gate = np.array([NOBODY], np.uint32)
    error = expect("ERR_FAULT_ACCESS", group.run, "fails", (60, 1, 1), [None, 45, buffer_of(gate)])
    assert "CTAs 40 to 59 on device 2 of the group" in str(error)
    assert group.run("fails", (60, 1, 1), [None, NOBODY, buffer_of(gate)]).ctas == 60


def test_deadline(group):
    """A part that does not end in time is cancelled, and the device is there for others."""
    counts, gate = np.zeros(60, np.uint32), np.array([45], np.uint32)
    args = [buffer_of(counts, MERGE, merge=add_words), buffer_of(gate)]
    free = {device: free_bytes(device) for device in group.devices}
    error = expect("ERR_TIMEOUT", group.run, "counted", (60, 1, 1), args, timeout=1)
    assert "cancelled" in str(error)
    for device in group.devices:  # The part that was cancelled has ended, too: its memory is free.
        assert free_bytes(device) == free[device]
    gate[0] = NOBODY
    counts[:] = 0
    assert group.run("counted", (60, 1, 1), args).ctas == 60 and (counts == 1).all()


def test_refusals(group):
    """What a group cannot do is said before anything is posted."""
    data, gate = np.zeros(60, np.uint32), buffer_of(np.array([NOBODY], np.uint32))
    good = buffer_of(data, MERGE, merge=add_words)
    for wrong in (buffer_of(data, 3), buffer_of(data, SPLIT), buffer_of(data, WHOLE, writes=1), buffer_of(data, MERGE), Buffer(),
                  split(data, 0), split(data, 1, writes=1, halo=1), buffer_of(data, SPLIT, entry_bytes=7, cta_entries=1)):
        assert expect("ERR_ARGUMENT", group.run, "counted", (60, 1, 1), [good, wrong]).field == "argument"
    assert expect("ERR_ARGUMENT", group.run, "counted", (60, 1, 1), [good, gate], count=0).field == "members"
    assert expect("ERR_ARGUMENT", group.run, "counted", (60, 1, 1), [good, gate], count=65).field == "members"
    for fields in ({"first_cta": 1}, {"ctas": 1}, {"after_count": 1}, {"type": ganger.abi.ENUMS["task_type"]["QUEUE"]}):
        assert expect("ERR_ARGUMENT", group.run, "counted", (60, 1, 1), [good, gate], **fields).field == "work"
    expect("ERR_GRID_ZERO", group.run, "counted", (60, 0, 1), [good, gate])
    expect("ERR_GRID_OVERFLOW", group.run, "counted", (NOBODY, NOBODY, NOBODY), [good, gate])
    assert expect("ERR_PRIORITY", group.run, "counted", (60, 1, 1), [good, gate], priority=11).field == "tmd.priority"
    expect("ERR_ARGUMENT_COUNT", group.run, "counted", (60, 1, 1), [good])
    swapped = Group(group.devices, group.elf)
    swapped.members[0].module, swapped.members[2].module = swapped.members[2].module, swapped.members[0].module
    assert "Device 0 of the group" in str(expect("ERR_HANDLE", swapped.run, "counted", (60, 1, 1), [good, gate]))
    assert not data.any()
    assert group.run("counted", (60, 1, 1), [good, gate]).ctas == 60 and (data == 1).all()
