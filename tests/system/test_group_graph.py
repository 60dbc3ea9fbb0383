# SPDX-License-Identifier: Apache-2.0
"""Graphs over the devices of a group: passes in the order of the buffers that they read and write, wherever they run."""
import os
import random
import signal
import threading

import pytest

import ganger
from conftest import seed_of
from support import LONG, expect, until, words

NOBODY = 0xffffffff

np = pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def group(board):
    """Three devices that no test loses."""
    with ganger.DeviceGroup([ganger.Device.boot(board, sms=sms) for sms in (1, 2, 1)]) as one:
        yield one


@pytest.fixture
def losing(board):
    """Three devices to be lost."""
    with ganger.DeviceGroup.boot(3, board, sms=1) as one:
        yield one


def kill(group, number):
    """Ends the emulator of a device."""
    os.kill(group.devices[number].qemu_pid, signal.SIGKILL)


def test_random(board, group, kernel_path):
    """S2-R59, S2-R61: 60 passes over 8 buffers give what they give one after the other; buffers move, and several devices work."""
    module, draw, n = group.load(kernel_path("group")), random.Random(seed_of(f"group graph {board}")), 64
    expected = [np.array([draw.getrandbits(16) for _ in range(n)], np.uint32) for _ in range(8)]
    buffers = [group.buffer(one) for one in expected]
    graph = group.graph()
    for number in range(60):
        source, target = draw.sample(range(8), 2)
        if draw.random() < 0.4:
            assert graph.add(module["own"], grid=8, args=[buffers[target], 8]) == number
            expected[target] = expected[target] + np.arange(n, dtype=np.uint32) // 8
        else:
            assert graph.add(module["sums"], grid=4, block=16, args=[buffers[source], buffers[target], n]) == number
            padded = np.concatenate(([0], expected[source], [0])).astype(np.uint32)
            expected[target] = padded[:-2] + padded[1:-1] + padded[2:]
    done = graph.run(timeout=LONG)
    assert [words(one.read()) for one in buffers] == [one.tolist() for one in expected]
    assert len(done.passes) == len(graph) == 60 and len({one.device for one in done.passes}) > 1
    assert done.moved >= 8 * 2 * 4 * n and not done.lost


def test_side_by_side(group, kernel_path):
    """Passes that have nothing to do with one another are on all devices at once, in proportion to SMs; a buffer that stays on a
    device does not move, and a graph runs again with what the host has written since."""
    kernel = group.load(kernel_path("group"))["own"]
    buffers = [group.buffer(bytes(64)) for _ in range(4)]
    graph = group.graph()
    for buffer in buffers:
        graph.add(kernel, grid=4, args=[buffer, 4])
    done = graph.run(timeout=LONG)
    assert sorted(one.device for one in done.passes)[:1] == [0] and done.passes[1].device == 1
    assert done.moved == 4 * 2 * 64
    graph = group.graph()
    for _ in range(5):
        graph.add(kernel, grid=4, args=[buffers[0], 4])
    assert graph.run(timeout=LONG).moved <= 2 * 64
    buffers[0].write(bytes(64))
    graph.run(timeout=LONG)
    assert words(buffers[0].read()) == [5 * (i // 4) for i in range(16)]


@pytest.mark.parametrize("victim", [0, 1, 2])
def test_a_device_is_lost(losing, kernel_path, victim):
    """What a device was running goes to others, from what the host has: passes that add do it once. Without `again` the error
    names the pass."""
    module = losing.load(kernel_path("group"))
    gates = [losing.buffer(np.array([3], np.uint32)) for _ in range(3)]
    counts, data = [losing.buffer(bytes(64)) for _ in range(3)], [losing.buffer(bytes(64)) for _ in range(3)]
    graph = losing.graph()
    for number in range(3):
        graph.add(module["own"], grid=4, args=[data[number], 4])
        graph.add(module["own"], grid=4, args=[data[number], 4])
    for number in range(3):
        graph.add(module["counted"], grid=16, args=[counts[number], gates[number]])
    for number in range(3):
        graph.add(module["own"], grid=4, args=[counts[number], 4])

    def open_gates():
        """Once each device has the CTA that stays: one is lost, and the others go on."""
        until(lambda: all(dev.stat()["reports"] for dev in losing.devices), "three devices at work")
        kill(losing, victim)
        for gate in gates:
            for at, copy in list(gate._copies.items()):  # pylint: disable=protected-access
                if at != victim:
                    copy[1].write(np.array([NOBODY], np.uint32))
            gate.write(np.array([NOBODY], np.uint32))
    thread = threading.Thread(target=open_gates)
    thread.start()
    done = graph.run(timeout=LONG, again=True)
    thread.join()
    for number in range(3):
        assert words(data[number].read()) == [2 * (i // 4) for i in range(16)]
        assert words(counts[number].read()) == [1 + i // 4 for i in range(16)]
    assert all(device == victim for device, _ in done.lost) and victim not in losing.alive


def test_a_device_boots_again(losing, kernel_path):
    """The control processor of a device restarts: the pass that it had runs again, and no device is lost."""
    counts, gate = losing.buffer(bytes(64)), losing.buffer(np.array([3], np.uint32))
    graph = losing.graph()
    graph.add(losing.load(kernel_path("group"))["counted"], grid=16, args=[counts, gate])

    def restart():
        """Once a CTA has ended."""
        until(lambda: losing.devices[0].stat()["reports"], "the first device at work")
        gate.write(np.array([NOBODY], np.uint32))
        losing.devices[0].restart(LONG)
    thread = threading.Thread(target=restart)
    thread.start()
    done = graph.run(timeout=LONG, again=True)
    thread.join()
    assert done.lost == [(0, 0)] and losing.alive == [0, 1, 2]
    assert words(counts.read()) == [1] * 16


def test_a_pass_fails(group, kernel_path):
    """S3-R31: a fault ends the graph, and says where; what was done before is there, and the next run is well."""
    module = group.load(kernel_path("group"))
    gate, data = group.buffer(np.array([NOBODY], np.uint32)), group.buffer(bytes(64))
    graph = group.graph()
    graph.add(module["own"], grid=4, args=[data, 4])
    graph.add(module["fails"], grid=4, args=[data, 2, gate])
    graph.add(module["own"], grid=4, args=[data, 4])
    assert graph.run(timeout=LONG).passes[1].done.status == "OK"
    assert words(data.read()) == [1] + [2 * (i // 4) for i in range(1, 16)]
    graph.add(module["fails"], grid=4, args=[None, 2, gate])
    graph.add(module["own"], grid=4, args=[data, 4])
    error = expect("ERR_FAULT_ACCESS", graph.run, timeout=LONG)
    assert "Pass 3 (fails) on device" in str(error)
    counts, graph = group.buffer(bytes(64)), group.graph()
    graph.add(module["counted"], grid=4, args=[counts, group.buffer(np.array([3], np.uint32))], time_limit_ms=100)
    expect("ERR_TIME_LIMIT", graph.run, timeout=LONG)  # What it has written does not count.
    graph = group.graph()
    graph.add(module["own"], grid=4, args=[counts, 4])
    graph.run(timeout=LONG)
    assert words(counts.read()) == [i // 4 for i in range(16)]
    before = words(data.read())
    graph = group.graph()
    graph.add(module["own"], grid=4, args=[data, 4])
    assert graph.run(timeout=LONG).passes[0].done.status == "OK"
    assert words(data.read()) == [before[i] + i // 4 for i in range(16)]


def test_deadline_and_loss(losing, kernel_path):
    """A pass that does not end is cancelled at the deadline, and named; a device that is lost without `again` is an error."""
    module = losing.load(kernel_path("group"))
    graph = losing.graph()
    graph.add(module["counted"], grid=8, args=[losing.buffer(bytes(64)), losing.buffer(np.array([3], np.uint32))])
    error = expect("ERR_TIMEOUT", graph.run, timeout=1)
    assert error.value == 0 and "0 (counted)" in str(error)
    kill(losing, 0)
    error = expect("ERR_DEVICE_LOST", graph.run, timeout=LONG)
    assert "Pass 0 (counted) on device 0" in str(error) and losing.alive == [1, 2]
    for number in (1, 2):
        losing.lose(number)
    assert "No device of the group is left" in str(expect("ERR_DEVICE_LOST", graph.run, timeout=LONG, again=True))


def test_refusals(group, kernel_path):
    """What a pass cannot have is said when it is added."""
    module, graph = group.load(kernel_path("group")), group.graph()
    for wrong, field in ((group.buffer(bytes(64), split=0, row_bytes=4), "argument 0"), (group.buffer(bytes(64), add="u4"), "argument 0"),
                         (group.devices[0].buffer(bytes(64)), "argument 0")):
        assert expect("ERR_ARGUMENT", graph.add, module["own"], grid=4, args=[wrong, 4]).field == field
    for name in ("after", "again", "context"):
        assert expect("ERR_ARGUMENT", graph.add, module["own"], grid=4, args=[None, 4], **{name: 1}).field == name
    assert len(graph) == 0 and graph.run().passes == [] and "0 passes" in repr(graph)
