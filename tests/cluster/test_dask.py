# SPDX-License-Identifier: Apache-2.0
"""Kernels on the workers of a cluster of Dask: arrays, workers and devices that die, counters."""
import os
import signal

import dask.array as da
import numpy as np
import pytest
from conftest import LONG, until
from distributed import as_completed

import ganger
import ganger.distributed as gd
from ganger.examples import gigapixel, seeds, sweep

COUNTERS = ("ganger SMs", "ganger tasks", "ganger CTAs", "ganger errors", "ganger lost")


@pytest.fixture(scope="module", autouse=True)
def devices(client):
    """Each worker has a device."""
    client.register_plugin(gd.Devices(sms=2))


def emulators(client):
    """Process of QEMU by address of the worker."""
    return client.run(lambda dask_worker: dask_worker.ganger.device.qemu_pid)


def counters(client):
    """Sums over all workers, as the scheduler has them for its dashboard."""
    metrics = [one["metrics"] for one in client.scheduler_info(n_workers=-1)["workers"].values()]
    return {name: sum(one.get(name, 0) for one in metrics) for name in COUNTERS}


def test_counters(client, code):
    """The scheduler, and with it the dashboard's table of workers, knows what the devices have done."""
    until(lambda: counters(client)["ganger SMs"] == 4, "two devices of two SMs")
    before = counters(client)
    futures = [gd.submit(client, code("own"), grid=20, args=[gd.Out((80,), "u4"), 4]) for _ in range(6)]
    assert all(np.array_equal(one.result(LONG), np.arange(80) // 4) for one in futures)
    until(lambda: counters(client)["ganger tasks"] == before["ganger tasks"] + 6, "six tasks")
    assert counters(client)["ganger CTAs"] == before["ganger CTAs"] + 120
    assert counters(client)["ganger errors"] == counters(client)["ganger lost"] == 0


def test_results(client, code):
    """Arrays come and go as arguments, also as results of other tasks; several results are a tuple; a kernel writes to a
    copy."""
    first = gd.submit(client, code("own"), grid=10, args=[gd.InOut(np.ones((10, 2), np.uint32)), 2])
    second = gd.submit(client, code("sums"), grid=2, block=16, args=[first, gd.Out((20,), "u4"), 20])
    expected = np.repeat(np.arange(10), 2) + 1
    padded = np.concatenate(([0], expected, [0]))
    assert np.array_equal(first.result(LONG), expected.reshape(10, 2))
    assert np.array_equal(second.result(LONG), padded[:-2] + padded[1:-1] + padded[2:])
    both = gd.submit(client, code("sums"), grid=1, block=4, args=[gd.InOut(np.ones(4, np.uint32)), gd.Out((2, 2), "u4"), 4]).result(LONG)
    assert both[0].tolist() == [1] * 4 and both[1].tolist() == [[2, 3], [3, 2]]
    assert gd.submit(client, code("own"), grid=1, args=[None, 0]).result(LONG) == ()
    assert client.submit(lambda: gd.device().nop().status, pure=False).result(LONG) == "OK"


def test_errors(client, code):
    """What fails on a worker is the same ganger.Error here, and is counted; the device goes on."""
    error = pytest.raises(ganger.Error, gd.submit(client, code("fails"), grid=9, args=[None, 5, np.full(1, 99, np.uint32)]).result, LONG).value
    assert error.status == "ERR_FAULT_ACCESS" and error.record.cta == 5 and "ERR_FAULT_ACCESS" in str(error)
    error = pytest.raises(ganger.Error, gd.submit(client, code("none"), grid=1).result, LONG).value
    assert (error.status, error.field, error.value) == ("ERR_KERNEL_NAME", "kernel", "none")
    until(lambda: counters(client)["ganger errors"] == 2, "two errors")
    assert gd.submit(client, code("own"), grid=1, args=[gd.Out((1,), "u4"), 1]).result(LONG).tolist() == [0]


def test_gigapixel(client):
    """The example: a picture in chunks that see their neighbours, on two workers, is what NumPy makes of it in one process."""
    assert gigapixel.run(client, 700, 150, 2, "qemu-virt64")
    picture = np.arange(25, dtype=np.uint8).reshape(5, 5)
    assert gigapixel.blur(picture)[0, 0] == (0 * 4 + 1 * 2 + 5 * 2 + 6 + 4) // 9 and gigapixel.blur(picture)[2, 2] == 12


def test_chunks_of_other_types(client, code):
    """A kernel may get the size of a chunk, or what a function of the chunk gives, and write another type."""
    array = da.arange(1000, chunks=300, dtype=np.uint32)
    sums = gd.map_blocks(code("sums"), array, block=16, dtype=np.int32)
    found = sums.compute()
    assert sums.dtype == found.dtype == np.int32 and sums.chunks == array.chunks
    expected = 3 * np.arange(1000)
    for first, end in ((0, 300), (300, 600), (600, 900), (900, 1000)):  # Nobody sees a neighbour.
        expected[first] -= first - 1
        expected[end - 1] -= end
    expected[0] = 1
    assert np.array_equal(found, expected)


def test_a_worker_dies(client):
    """A worker is killed when some tasks have ended: Dask runs on the others, and on the one that it starts anew, which has a
    device, what was lost with it; the result is right."""
    tasks, each = 24, 64
    image = ganger.build(sweep.SOURCE).image
    futures = [gd.submit(client, gd.Code(image, "orbits"), grid=2, block=32, args=[part, gd.Out((each,), "u4"), each])
               for part in np.split(sweep.parameters(tasks * each), tasks)]
    ended = as_completed(futures)
    for _ in range(6):
        next(ended)
    victim = min(client.run(os.getpid).values())
    os.kill(victim, signal.SIGKILL)
    found = np.concatenate(client.gather(futures))
    assert np.array_equal(found, sweep.orbits(sweep.parameters(tasks * each)))
    until(lambda: counters(client)["ganger SMs"] == 4, "a device for the worker in its place")
    assert victim not in client.run(os.getpid).values()


def test_a_device_dies(client, code):
    """The emulators are killed: without retries the error is ERR_DEVICE_LOST, with them Dask's next try is on a new device."""
    before = emulators(client)
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)
    worker = min(before)
    args = [gd.Out((4,), "u4"), 1]
    error = pytest.raises(ganger.Error, gd.submit(client, code("own"), grid=4, args=args, dask={"workers": [worker]}).result, LONG).value
    assert error.status == "ERR_DEVICE_LOST"
    found = [gd.submit(client, code("own"), grid=4, args=args, dask={"retries": 2, "workers": [one]}) for one in before]
    assert [one.result(LONG).tolist() for one in found] == [[0, 1, 2, 3]] * 2
    assert not set(before.values()) & set(emulators(client).values())
    until(lambda: counters(client)["ganger lost"] == 2, "two lost devices")


def test_sweep(client):
    """The example: parameters of a simulation."""
    found = sweep.run(client, 4, 32)
    assert np.array_equal(found, sweep.orbits(sweep.parameters(128))) and len(set(found.tolist())) > 3


def test_seeds(client):
    """The example: workloads through two policies on the workers are what one process plays; a difference is told with its sign."""
    policies, size = ("balance", "round-robin"), {"tasks": 30, "sms": 8}
    found = seeds.run(client, 5, 2, "mixed", policies, **size)
    assert np.array_equal(found, seeds.play(range(1, 6), "mixed", policies, **size)) and found.shape == (5, 2, 4)
    assert len(set(found[:, 0, 0].tolist())) == 5  # Each seed is another workload.
    told = seeds.compare(np.array([[[2.0] * 4, [1.0, 3.0, 2.0, 2.0]], [[2.0] * 4, [1.0, 4.0, 2.0, 1.0]]]))
    assert told["mean_ms"] == [-50, 0, 100] and told["wait_99_ms"][0] == 75 and told["fairness"] == [0, 0, 0]
    assert told["blocks"][0] == -25 and told["blocks"][2] == 50 and round(told["blocks"][1], 6) == 50


def test_attached(client, tmp_path, code):
    """Devices that are up: each worker takes one, and there is an error when there is none for a worker; then 32 bits."""
    client.unregister_worker_plugin("ganger")
    error = pytest.raises(ganger.Error, gd.submit(client, code("own"), grid=1, args=[None, 0]).result, LONG).value
    assert error.status == "ERR_NO_DEVICE" and "register_plugin" in str(error)
    paths = [tmp_path / "one", tmp_path / "two"]
    for path in paths:
        ganger.Device.up(path, "qemu-virt32", sms=1)
    try:
        client.register_plugin(gd.Devices(attach=paths))
        futures = [gd.submit(client, code("own", 32), grid=3, args=[gd.Out((3,), "u4"), 1], dask={"workers": [one]}) for one in list(client.run(os.getpid))]
        assert [one.result(LONG).tolist() for one in futures] == [[0, 1, 2]] * 2
        for path in paths:
            assert pytest.raises(ganger.Error, ganger.Device.attach, path).value.status == "ERR_BUSY"
        client.unregister_worker_plugin("ganger")
        for path in paths:
            ganger.Device.attach(path).close()
    finally:
        for path in paths:
            ganger.Device.down(path)
