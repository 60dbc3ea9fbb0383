# SPDX-License-Identifier: Apache-2.0
"""CGAs from the host's side: keywords and the words they become, refusals, configuration, trace, records."""
import math

import pytest

import ganger
from support import LONG, expect, run_good_task, until, words, zeros

TYPES = ganger.abi.ENUMS["task_type"]
DOMAINS = ganger.abi.ENUMS["domain"]
GPU, GPC, CPC, TPC = (DOMAINS[name] for name in ("GPU", "GPC", "CPC", "TPC"))

# (keywords, type, domains of the words, sizes of the levels)
SHAPES = [
    ({"cluster": 4}, "GPC_CGA", (), [(4, 1, 1)]),
    ({"cluster": (3, 2)}, "GPC_CGA", (), [(3, 2, 1)]),
    ({"cluster": [3, 2, 5]}, "GPC_CGA", (), [(3, 2, 5)]),
    ({"cluster": (3, 2), "cluster_in": "gpc"}, "GPC_CGA", (), [(3, 2, 1)]),
    ({"cluster": [(9, 6)], "cluster_in": ["gpu"]}, "GPU_CGA", (), [(9, 6, 1)]),
    ({"cluster": 2, "cluster_in": "cpc"}, "CGA", (CPC,), [(2, 1, 1)]),
    ({"cluster": 65535, "cluster_in": TPC}, "CGA", (TPC,), [(65535, 1, 1)]),
    ({"cluster": [(3, 2), (3, 3)]}, "GPU_GPC_CGA", (), [(3, 2, 1), (3, 3, 1)]),
    ({"cluster": [(3, 2), 1023], "cluster_in": (GPC, GPU)}, "GPU_GPC_CGA", (), [(3, 2, 1), (1023, 1, 1)]),
    ({"cluster": [2, (1, 2)], "cluster_in": ["tpc", "gpc"]}, "CGA", (TPC, GPC), [(2, 1, 1), (1, 2, 1)]),
    ({"cluster": [(1, 2), (3,), (2, 3, 4)]}, "CGA", (CPC, GPC, GPU), [(1, 2, 1), (3, 1, 1), (2, 3, 4)]),
    ({"cluster": [(2,), (3,), (4,)], "cluster_in": ("tpc", "gpc", "gpu")}, "CGA", (TPC, GPC, GPU),
     [(2, 1, 1), (3, 1, 1), (4, 1, 1)]),
]


@pytest.mark.parametrize("keywords, kind, domains, sizes", SHAPES, ids=str)
def test_words(device, load, keywords, kind, domains, sizes):
    """S1-R6, S1-R35, S1-R36, S1-R37: what submit() takes, in the words of the TMD; no other field is changed."""
    dev = device(8)
    tmd = dev.tmd(load(dev, "work")["blank"], grid=(36, 36, 36), **keywords)
    plain = dev.tmd(load(dev, "work")["blank"], grid=(36, 36, 36))
    sizes = [*sizes, (0, 0, 0), (0, 0, 0)][:3]
    domains = [*domains, 0, 0, 0][:3]
    assert tmd.type == TYPES[kind] and plain.type == TYPES["GRID"]
    for name, size, domain in zip(("cluster", "outer", "top"), sizes, domains):
        found = tuple(getattr(tmd, f"{name}_{axis}") for axis in "xyz")
        # The word `cluster_z` has its domain above the field of the same name.
        assert (found[0], found[1], found[2] & 0xffff) == size, name
        assert getattr(tmd, f"{name}_domain") == domain
    ours = ("type", "cluster", "outer", "top", "generation")
    assert {name: value for name, value in tmd.fields().items() if not name.startswith(ours)} == \
        {name: value for name, value in plain.fields().items() if not name.startswith(ours)}


@pytest.mark.parametrize("mode, number", [("multicast", 2), ("balance", 0), (None, 15)])
def test_mode(device, load, mode, number):
    """S1-R77: the mode goes into the TMD."""
    dev = device(8)
    tmd = dev.tmd(load(dev, "work")["blank"], grid=4, cluster=2, mode=mode)
    assert (tmd.type, tmd.mode) == (TYPES["GPC_CGA"], number)


# What is refused before a device is asked: (keywords, status, field, value)
HOST = [
    ({"cluster": 0}, "ERR_CLUSTER", "tmd.cluster_x", 0),
    ({"cluster": (2, 0)}, "ERR_CLUSTER", "tmd.cluster_y", 0),
    ({"cluster": [2, (1, 1, 0)]}, "ERR_CLUSTER", "tmd.outer_z", 0),
    ({"cluster": [2, 2, (0,)]}, "ERR_CLUSTER", "tmd.top_x", 0),
    ({"cluster": 65536}, "ERR_CLUSTER", "tmd.cluster_x", 65536),
    ({"cluster": (1, 1, 0xffffffff)}, "ERR_CLUSTER", "tmd.cluster_z", 0xffffffff),
    ({"cluster": [2, (1, 1024)]}, "ERR_CLUSTER", "tmd.outer_y", 1024),
    ({"cluster": [2, 2, (1024,)]}, "ERR_CLUSTER", "tmd.top_x", 1024),
    ({"cluster": 2, "cluster_in": 4}, "ERR_CLUSTER", "tmd.cluster_domain", 4),
    ({"cluster": -1}, "ERR_ARGUMENT", "cluster", -1),
    ({"cluster": 1 << 32}, "ERR_ARGUMENT", "cluster", 1 << 32),
    ({"cluster": (1, 1, 1, 1)}, "ERR_ARGUMENT", "cluster", (1, 1, 1, 1)),
    ({"cluster": ()}, "ERR_ARGUMENT", "cluster", ()),
    ({"cluster": [(1,)] * 4}, "ERR_CLUSTER", "cluster", 4),
    ({"cluster": 2, "cluster_in": "board"}, "ERR_ARGUMENT", "cluster_in", "board"),
    ({"cluster": 2, "cluster_in": -1}, "ERR_ARGUMENT", "cluster_in", -1),
    ({"cluster": 2, "cluster_in": ("gpc", "gpu")}, "ERR_ARGUMENT", "cluster_in", 2),
    ({"cluster": [(2,), (2,)], "cluster_in": "gpu"}, "ERR_ARGUMENT", "cluster_in", 1),
    ({"cluster": [(2,), (2,)], "cluster_in": ("gpu", "gpc")}, "ERR_CLUSTER", "cluster_in", "gpc"),
    ({"cluster": [(2,), (2,)], "cluster_in": ("cpc", "cpc")}, "ERR_CLUSTER", "cluster_in", "cpc"),
    ({"cluster_in": "gpc"}, "ERR_ARGUMENT", "cluster_in", "gpc"),
]


@pytest.mark.parametrize("keywords, status, field, value", HOST, ids=str)
def test_refused_by_the_host(device, load, keywords, status, field, value):
    """S1-R35, S1-R36: what the words cannot hold is refused with field and value before anything is sent."""
    dev = device(8)
    kernel = load(dev, "work")["blank"]
    posted = dev.traffic()["posted"]
    for call in (dev.submit, dev.template, dev.tmd, dev.max_active_clusters):
        error = expect(status, call, kernel, grid=16, **keywords)
        assert (error.field, error.value) == (field, value), error
    assert dev.traffic()["posted"] == posted
    run_good_task(dev, load(dev, "work"))


def test_no_grid_no_clusters(device, load):
    """S1-R37: queues and signals have no CGAs; nothing is sent."""
    dev = device(8)
    posted = dev.traffic()["posted"]
    shape = ganger.Queue(4, 4, 1)
    kernel = load(dev, "work")["blank"]
    for call in (lambda **more: dev.queue(kernel, capacity=4, item_bytes=4, items=1, **more),
                 lambda **more: dev.template(kernel, queue=shape, **more), dev.signal):
        error = expect("ERR_CLUSTER", call, cluster=(3, 2))
        assert (error.field, error.value) == ("tmd.cluster_x", 3)
    assert dev.traffic()["posted"] == posted


# What the device refuses, on 8 SMs in two GPCs: (keywords, status, field, value)
DEVICE = [
    ({"grid": 9, "cluster": 2}, "ERR_CLUSTER", "tmd.grid_x", 9),
    ({"grid": (4, 9), "cluster": (2, 2)}, "ERR_CLUSTER", "tmd.grid_y", 9),
    ({"grid": (4, 4), "cluster": [(2, 2), (1, 1, 2)]}, "ERR_CLUSTER", "tmd.grid_z", 1),
    ({"grid": 18, "cluster": [(2,), (3,), (2,)]}, "ERR_CLUSTER", "tmd.grid_x", 18),
    ({"grid": 33, "cluster": 33}, "ERR_CLUSTER", "tmd.cluster_x", 32),
    ({"grid": (8, 8, 2), "cluster": (8, 8, 2), "cluster_in": "gpu"}, "ERR_CLUSTER", "tmd.cluster_x", 64),
    ({"grid": 3, "block": 1024, "cluster": 3, "cluster_in": "tpc"}, "ERR_CLUSTER", "tmd.cluster_x", 2),
    ({"grid": 32, "block": 1024, "cluster": 32, "cluster_in": "gpu"}, "ERR_CLUSTER", "tmd.cluster_x", 16),
    ({"grid": 66, "cluster": [2, (33,)]}, "ERR_CLUSTER", "tmd.outer_x", 32),
    ({"grid": 72, "cluster": [(2,), (4,), (9,)]}, "ERR_CLUSTER", "tmd.top_x", 8),
    ({"grid": 5, "cluster": 5, "mode": "multicast"}, "ERR_CLUSTER", "tmd.mode", 4),
    ({"grid": 9, "cluster": 9, "cluster_in": "gpu", "mode": "multicast"}, "ERR_CLUSTER", "tmd.mode", 8),
    ({"grid": 4, "cluster": 4, "affinity": [0, 1, 4], "mode": "multicast"}, "ERR_CLUSTER", "tmd.mode", 2),
    ({"grid": 33, "cluster": 33, "gpcs": [1], "cluster_in": "gpu"}, "ERR_CLUSTER", "tmd.cluster_x", 32),
    ({"grid": 4, "cluster": 2, "mode": "round-robin"}, "ERR_MODE", "tmd.mode", 1),
    ({"grid": 4, "mode": "multicast"}, "ERR_MODE", "tmd.mode", 2),
    ({"grid": 4, "cluster": 2, "mode": "pull"}, "ERR_MODE", "tmd.mode", 3),
    ({"grid": 4, "cluster": 2, "throttle": True}, "ERR_UNSUPPORTED", "tmd.throttle", 1),
]


@pytest.mark.parametrize("keywords, status, field, value", DEVICE, ids=str)
def test_refused_by_the_device(device, load, keywords, status, field, value):
    """S1-Q10, S1-R37, S1-R77: what can never run is refused when it is submitted, and when it is asked about, with the limit."""
    dev = device(8)
    kernel = load(dev, "work")["blank"]
    for call in (lambda: dev.submit(kernel, **keywords).wait(LONG),
                 lambda: dev.max_active_clusters(kernel, **keywords)):
        error = expect(status, call)
        assert (error.field, error.value) == (field, value), error
    run_good_task(dev, load(dev, "work"))


def test_windows_of_members(device, load):
    """S1-R37: members of a CGA need protection entries, so a task with CGAs has three windows at most."""
    dev = device(8)
    buffers = [dev.context(1 << 16).buffer(nbytes=64) for _window in range(4)]
    kernel = load(dev, "work")["blank"]
    error = expect("ERR_WINDOW_RANGE", lambda: dev.submit(kernel, grid=4, cluster=2, windows=buffers).wait(LONG))
    assert (error.field, error.value) == ("tmd.window_count", 4)
    assert dev.submit(kernel, grid=4, cluster=2, windows=buffers[:3]).wait(LONG).ctas == 4


@pytest.mark.parametrize("keywords, _kind, _domains, sizes", [
    one for one in SHAPES if 65535 not in one[3][0] and 1023 not in one[3][-1]], ids=str)
def test_runs(device, load, keywords, _kind, _domains, sizes):
    """S1-R35, S1-R36, S1-R39: every shape that the host can write runs, each CTA once."""
    dev = device(64)
    size = tuple(math.prod(axis) for axis in zip(*sizes))
    grid, ctas = (2 * size[0], size[1], size[2]), 2 * math.prod(size)
    counts, before = zeros(dev, ctas), dev.stat()["cgas"]
    done = dev.submit(load(dev, "work")["count"], grid=grid, args=[counts], **keywords).wait(LONG)
    assert done.ctas == ctas and words(counts.read()) == [1] * ctas
    assert dev.stat()["cgas"] - before == 2


def test_template(device, load):
    """S1-R6: a grid of CGAs that another task schedules."""
    dev = device(8)
    counts = zeros(dev, 16)
    before = dev.stat()["cgas"]
    with dev.template(load(dev, "work")["count"], grid=16, args=[counts], cluster=4) as template:
        dev.signal(dependents=[(template, "schedule")]).wait(LONG)
        until(lambda: words(counts.read()) == [1] * 16, "the scheduled grid ran")
        until(lambda: dev.query("TASKS") == 0, "it is over")
    assert dev.stat()["cgas"] - before == 4
