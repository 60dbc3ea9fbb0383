# SPDX-License-Identifier: Apache-2.0
"""Groups: grids spread over several devices, buffers that are split and put together, devices that are lost."""
import math
import os
import signal
import struct

import pytest

import ganger
from ganger.group.shares import Part, share
from support import LONG, expect, run_ganger, until, words

SIZES = (1, 3, 2)  # SMs of the devices of the group that is kept.
NOBODY = 0xffffffff

np = pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def group(board):
    """Three devices that no test loses."""
    with ganger.DeviceGroup([ganger.Device.boot(board, sms=sms) for sms in SIZES]) as one:
        yield one


@pytest.fixture
def losing(board):
    """Three devices to be lost."""
    with ganger.DeviceGroup.boot(3, board, sms=2) as one:
        yield one


def kill(group, number):
    """Ends the emulator of a device."""
    os.kill(group.devices[number].qemu_pid, signal.SIGKILL)


@pytest.mark.parametrize("ctas, weights, grain, expected", [
    (12, (1, 3, 2), 1, [(0, 2), (2, 6), (8, 4)]), (10, (4, 4, 4), 1, [(0, 3), (3, 3), (6, 4)]), (2, (1, 1, 1), 1, [(0, 0), (0, 1), (1, 1)]),
    (1000000, (64,) * 4, 1, [(0, 250000), (250000, 250000), (500000, 250000), (750000, 250000)]), (60, (1, 1), 8, [(0, 32), (32, 28)])], ids=str)
def test_shares(ctas, weights, grain, expected):
    """A part is cut in proportion, at multiples of the grain, and nothing is left out."""
    found = share(Part(100, ctas), weights, grain)
    assert [(one.first - 100, one.ctas) for one in found] == expected
    assert sum(one.ctas for one in found) == ctas


def grid_of(sizes):
    """Three sizes."""
    return (tuple(sizes) + (1, 1, 1))[:3]


@pytest.mark.parametrize("grid, block, edge, keywords", [
    ((60,), (4,), (3,), {}), ((6, 5, 4), (3, 2), None, {"priority": 2}), ((7, 9), (2, 2), (1, 1), {"mode": "pull"}),
    ((10, 6), (2,), None, {"cluster": (2, 2)}), ((1,), (5,), None, {}), ((9, 4), (3,), None, {"offset": (5, 7)})], ids=str)
def test_ids_are_those_of_the_whole(group, kernel_path, grid, block, edge, keywords):
    """S0-R42: each work-item runs once on one of the devices, and sees the ids and sizes of the whole grid."""
    kernel = group.load(kernel_path("edges"))["edges"]
    full, threads = grid_of(grid), grid_of(block)
    last = tuple(e or b for e, b in zip((*(edge or ()), 0, 0, 0), threads))
    items = math.prod((g - 1) * b + e for g, b, e in zip(full, threads, last))
    counts, wrong = group.buffer(nbytes=4 * items, add="u4"), group.buffer(nbytes=4, add="u4")
    launched = group.buffer(struct.pack("<12I", *full, *threads, *last, *(*keywords.get("offset", ()), 0, 0, 0)[:3]))
    done = group.run(kernel, grid=grid, block=block, edge=edge, args=[counts, wrong, launched], timeout=LONG, **keywords)
    assert wrong.read() == bytes(4) and counts.read() == b"\1\0\0\0" * items
    assert done.ctas == math.prod(full) and not done.lost
    if done.ctas >= 6 * 6:
        shares = {one.device: one.done.ctas for one in done.parts}
        assert [round(6 * shares[number] / done.ctas) for number in range(3)] == list(SIZES)


def test_ranges_are_split(group, sample_path):
    """S4-R35: a work set of three dimensions; results in the order of dispatch lie where one device would put them."""
    shape = ganger.Range((5, 7, 3), (2, 0, 1), descending=True)
    results = group.buffer(nbytes=16 * shape.items, split=0, row_bytes=16)
    done = group.run(group.load(sample_path("nd_result"))["nd_result"], mode="pull", range=shape, args=[results, 2], timeout=LONG)
    assert done.ctas == shape.items and len(done.parts) == 3
    totals = [sum(shape.index(position)) for position in range(shape.items)]
    assert results.read() == b"".join(struct.pack("<2Q", total, 2 * total) for total in totals)


def test_split_buffers(group, kernel_path):
    """A device has the entries of its CTAs and writes them alone; neighbours are seen with a halo; a buffer that is
    split otherwise is, too; the second submission waits for the first."""
    module = group.load(kernel_path("group"))
    n = 1000
    data = np.arange(n, dtype=np.uint32) ** 2
    source, out = group.buffer(data, split=0, halo=1), group.buffer(np.zeros(n, np.uint32), split=0)
    first = group.submit(module["sums"], grid=-(-n // 16), block=16, args=[source, out, n])
    second = group.submit(module["own"], grid=125, args=[again := group.buffer(data, split=0, per_cta=8), 8])
    third = group.submit(module["own"], grid=125, args=[again, 8])
    assert second.done
    assert [one.wait(LONG).ctas for one in (first, second, third)] == [63, 125, 125]
    padded = np.concatenate(([0], data, [0])).astype(np.uint32)
    assert (out.array(np.uint32) == padded[:-2] + padded[1:-1] + padded[2:]).all()
    assert (again.array(np.uint32) == data + 2 * (np.arange(n) // 8)).all()
    source.write(np.ones(n, np.uint32))
    group.run(module["sums"], grid=-(-n // 16), block=16, args=[source, out, n], timeout=LONG)
    assert out.array(np.uint32).sum() == 3 * n - 2


def test_pictures(group, sample_path):
    """S0-R42: in two dimensions a part is whole rows of CTAs; a filter sees the rows of its neighbours, and the picture is that of
    one device."""
    width, height = 50, 43
    image = np.random.default_rng(1).integers(0, 256, (height, width), np.uint8)
    keywords = {"grid": (-(-width // 8), -(-height // 4)), "block": (8, 4)}
    dev = group.devices[1]
    alone = dev.buffer(nbytes=image.nbytes)
    dev.submit(dev.load(sample_path("blur"))["blur"], args=[dev.buffer(image), alone, width, height], **keywords).wait(LONG)
    source, result = group.buffer(image, split=0, halo=1), group.buffer(np.zeros_like(image), split=0)
    done = group.run(group.load(sample_path("blur"))["blur"], args=[source, result, width, height], timeout=LONG, **keywords)
    assert len(done.parts) == 3 and all(one.done.ctas % keywords["grid"][0] == 0 for one in done.parts)
    assert result.read() == alone.read() != bytes(image.nbytes)


def test_a_device_is_lost(losing, kernel_path):
    """What a device had is run by the others: every CTA counts once, also those that the lost device had ended."""
    kernel = losing.load(kernel_path("group"))["counted"]
    total = 600
    counts, gate = losing.buffer(nbytes=4 * total, add="u4"), losing.buffer(struct.pack("<I", 350))
    task = losing.submit(kernel, grid=total, args=[counts, gate], again=True)
    until(lambda: task.progress().ctas == total - 1, "all CTAs but one")  # One CTA of the second device is left.
    gate.write(struct.pack("<I", NOBODY))
    kill(losing, 1)
    done = task.wait(LONG)
    assert (done.ctas, done.lost) == (total, [(1, 200, 200)])
    assert counts.read() == b"\1\0\0\0" * total
    assert sorted((one.device, one.first, one.done.ctas) for one in done.parts) == [(0, 0, 200), (0, 200, 100), (2, 300, 100), (2, 400, 200)]
    assert losing.alive == [0, 2]
    done = losing.run(kernel, grid=10, args=[counts, gate], timeout=LONG)  # It needs no `again`: nothing is lost.
    assert done.ctas == 10 and words(counts.read())[:11] == [2] * 10 + [1]


def test_a_device_boots_again(losing, kernel_path):
    """The control processor of a device restarts: what it had runs again, also there; without `again` that is an error."""
    kernel = losing.load(kernel_path("group"))["counted"]
    for again in (True, False):
        counts, gate = losing.buffer(nbytes=2400, add="u4"), losing.buffer(struct.pack("<I", 350))
        task = losing.submit(kernel, grid=600, args=[counts, gate], again=again)
        until(lambda: task.progress().ctas == 599, "all CTAs but one")  # pylint: disable=cell-var-from-loop
        gate.write(struct.pack("<I", NOBODY))
        losing.devices[1].restart(LONG)
        if again:
            done = task.wait(LONG)
            assert (done.ctas, done.lost) == (600, [(1, 200, 200)])
            assert counts.read() == b"\1\0\0\0" * 600
        else:
            assert "device 1" in str(expect("ERR_DEVICE_RESET", task.wait, LONG))
        assert losing.alive == [0, 1, 2]


def test_a_part_is_lost(losing, kernel_path):
    """A kernel that may not run twice: the error names the part, and what the others did is there. Then all are lost."""
    kernel = losing.load(kernel_path("group"))["counted"]
    counts, gate = losing.buffer(nbytes=2400, add="u4"), losing.buffer(struct.pack("<I", 50))
    task = losing.submit(kernel, grid=600, args=[counts, gate])
    until(lambda: task.progress().ctas == 599, "all CTAs but one")
    kill(losing, 0)
    error = expect("ERR_DEVICE_LOST", task.wait, LONG)
    assert (error.field, error.value) == ("part", 0) and "CTAs 0 to 199 of counted" in str(error) and "again" in str(error)
    assert words(counts.read()) == [0] * 200 + [1] * 400
    kill(losing, 1)
    kill(losing, 2)
    error = expect("ERR_DEVICE_LOST", losing.run, kernel, grid=600, args=[counts, gate], again=True, timeout=LONG)
    assert "No device of the group is left" in str(error) and losing.alive == []


def test_a_part_fails(group, kernel_path):
    """S3-R31: a fault ends all parts, and says where; what is printed comes in the order of the CTAs."""
    kernel = group.load(kernel_path("group"))["fails"]
    gate = group.buffer(struct.pack("<I", 0))
    task = group.submit(kernel, grid=60, args=[None, 45, gate])
    held = task._running[0].task  # pylint: disable=protected-access
    error = expect("ERR_FAULT_ACCESS", task.wait, LONG)
    assert "CTAs 40 to 59 of fails on device 2 of the group" in str(error)
    gate.write(struct.pack("<I", NOBODY))  # The next submission brings that to the devices.
    task = group.submit(kernel, grid=60, args=[None, NOBODY, gate], sequential=True, prints=1000)
    assert task.wait(LONG).ctas == 60
    expect("ERR_CANCELLED", held.wait, LONG)
    assert task.output.split() == [str(number) for number in range(60)]
    assert "0 parts" in repr(task)


def test_refusals(group, kernel_path):
    """What a group cannot do is said before anything is posted."""
    module = group.load(kernel_path("group"))
    split, whole = group.buffer(nbytes=80, split=0, row_bytes=4), group.buffer(nbytes=80)
    halo = group.buffer(nbytes=80, split=0, row_bytes=4, halo=1)
    for args, field, why in (([whole, 1], "argument 0", "const"), ([halo, 1], "argument 0", "neighbours"),
                             ([group.devices[0].buffer(nbytes=80), 1], "argument 0", "buffer of the group")):
        error = expect("ERR_ARGUMENT", group.submit, module["own"], grid=20, args=args)
        assert error.field == field and why in str(error)
    for keywords, status, field in (({}, "ERR_ARGUMENT", "grid"), ({"grid": (2, 0)}, "ERR_GRID_ZERO", "grid"),
                                    ({"grid": 20, "after": []}, "ERR_ARGUMENT", "after"), ({"grid": 2, "range": ganger.Range(2)}, "ERR_ARGUMENT", "grid"),
                                    ({"grid": 20, "priority": 0}, "ERR_PRIORITY", "tmd.priority")):
        assert expect(status, group.submit, module["own"], args=[split, 1], **keywords).field == field
    for keywords, status, field in (({"split": 1}, "ERR_UNSUPPORTED", "split"), ({"split": 0, "per_cta": 0}, "ERR_ARGUMENT", "per_cta"),
                                    ({"split": 0, "add": "u4"}, "ERR_ARGUMENT", "add"), ({"add": "c8"}, "ERR_ARGUMENT", "add"),
                                    ({"split": 0, "row_bytes": 7}, "ERR_ARGUMENT", "row_bytes"),
                                    ({"split": 0, "per_cta": 2, "row_bytes": 7}, "ERR_ARGUMENT", "row_bytes")):
        assert expect(status, group.buffer, nbytes=80, **keywords).field == field
    assert expect("ERR_ARGUMENT", group.buffer, bytes(9), nbytes=8).field == "nbytes"
    assert expect("ERR_ARGUMENT", split.write, bytes(9), 72).field == "buffer"
    assert expect("ERR_ARGUMENT", ganger.DeviceGroup, []).field == "devices"
    assert expect("ERR_ARGUMENT", ganger.DeviceGroup.boot, 2, processors=["0"]).field == "processors"
    assert group.run(module["own"], grid=20, args=[split, 1], timeout=LONG).ctas == 20
    assert words(split.read()) == list(range(20))


def test_processors(board):
    """A device keeps to the processors that it is given; a list that is none, or names none of this machine, is refused."""
    one = min(os.sched_getaffinity(0))
    with ganger.DeviceGroup.boot(2, board, sms=1, processors=[f"{one}", f"{one}-{one}"]) as group:
        assert [os.sched_getaffinity(dev.qemu_pid) for dev in group.devices] == [{one}, {one}]
    for text in ("", "x", "1-0", "0,", "-1", "1023", "99999999999999999999"):
        error = expect("ERR_ARGUMENT", ganger.Device.boot, board, sms=1, processors=text)
        assert "processors" in str(error)


def test_devices_that_are_up(board, monkeypatch, tmp_path):
    """`ganger up --devices N`: devices() attaches to all of them, a group takes their paths, and `ganger down` ends all."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert ganger.devices() == []
    try:
        assert run_ganger("up", "--board", board, "--sms", "1", "--devices", "3").stdout.count("QEMU process") == 3
        with ganger.DeviceGroup(ganger.devices()) as group:
            assert len(group) == 3 and group.sms == 3
            expect("ERR_BUSY", ganger.devices)
        paths = [tmp_path / name for name in ("ganger.sock", "ganger.sock.1", "ganger.sock.2")]
        with ganger.DeviceGroup(paths) as group:
            assert group.devices[2].nop().status == "OK"
        with ganger.Device.attach(paths[1]) as dev:
            os.kill(dev.qemu_pid, signal.SIGKILL)
        until(lambda: not paths[1].exists(), "the end of its broker")
        assert run_ganger("down").returncode == 0
        assert not any(path.exists() for path in paths)
    finally:
        for path in tmp_path.glob("ganger.sock*"):
            ganger.Device.down(path)
    failed = run_ganger("up", "--devices", "0")
    assert failed.returncode == 1 and "ERR_ARGUMENT" in failed.stderr
