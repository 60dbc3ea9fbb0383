# SPDX-License-Identifier: Apache-2.0
"""PULL grids from the host to the cores and back: sets of up to 8 dimensions, chunks, results, histories, the command."""
import itertools
import json
import math
import struct

import pytest

import ganger
from support import LONG, Held, configured, expect, run_ganger, run_good_task, words, zeros

ROW = struct.Struct("<8QII")  # A row of the sample nd_fill: index, runs, dimensions.

SETS = [
    ganger.Range(1),
    ganger.Range(97),
    ganger.Range((4, 4, 2)),
    ganger.Range((7, 5), (1, 0), (3, 1 << 33), True),
    ganger.Range((8, 2), rows=(8, 6)),
    ganger.Range((5, 3, 2), (2, 0, 1), (1, 0, 9), True, rows=[(row * 5) % 3 for row in range(15)]),
    ganger.Range((2, 1, 3, 2, 1, 2, 3, 2), (7, 3, 0, 1, 2, 6, 5, 4), tuple(range(8))),
]


def direct(shape, value):
    """What loops over all indices write: dimension 0 contiguous, zeros where there is no item."""
    have = {shape.index(position) for position in range(shape.items)}
    places = itertools.product(*(range(low, low + size) for low, size in zip(shape.offset[::-1], shape.sizes[::-1])))
    return b"".join(value(place[::-1]) if place[::-1] in have else bytes(len(value(shape.index(0))))
                    for place in places)


def products(shape, many):
    """What the sample nd_result writes for an index."""
    def value(index):
        total = sum(one - low for one, low in zip(index, shape.offset))
        return struct.pack(f"<{many}Q", *(total * number for number in range(1, many + 1)))
    return value


@pytest.mark.parametrize("grid, block, chunk", [
    (1, 1, None), (3, 1, None), (1000, 1, None), (1000, 1, 1), (1000, 4, 7), (500, 1, 500), ((9, 5, 3), (2, 2), 4),
    ((1, 64, 2), 1, None)], ids=str)
def test_each_cta_once(device, load, grid, block, chunk):
    """S4-R16, S4-R57, S4-R96, S4-C1: every CTA of a pulled grid runs once; the control processor sends one packet an SM."""
    dev = device(8)
    total = math.prod(grid) if isinstance(grid, tuple) else grid
    counts = zeros(dev, total)
    done = dev.submit(load(dev, "work")["count"], grid=grid, block=block, args=[counts], mode="pull",
                      chunk=chunk).wait(LONG)
    assert words(counts.read()) == [1] * total
    assert done.ctas == total and done.packets <= 8 and done.sms <= 8


@pytest.mark.parametrize("shape", SETS, ids=repr)
@pytest.mark.parametrize("chunk", [None, 1])
def test_indices(device, sample_path, shape, chunk):
    """S4-R35, S4-R97, S4-R98, S4-R99, S4-R106, S4-V6, S4-V7: the cores and the host agree on the index of each position."""
    dev = device(8)
    rows = dev.buffer(bytes(ROW.size * shape.items))
    with_module = dev.load(sample_path("nd_fill"))
    done = dev.submit(with_module["nd_fill"], args=[rows, shape.items], mode="pull", range=shape, chunk=chunk).wait(LONG)
    assert done.ctas == shape.items
    for position, row in enumerate(ROW.iter_unpack(rows.read())):
        assert row[:len(shape.sizes)] == shape.index(position) and not any(row[len(shape.sizes):8])
        assert row[8:] == (1, len(shape.sizes)), position


@pytest.mark.parametrize("shape", SETS, ids=repr)
@pytest.mark.parametrize("many", [1, 3])
def test_results(device, sample_path, shape, many):
    """S4-R105, S4-R109, S4-R110, S4-C7: results, one or M an item, come out as loops over the set would write them."""
    dev = device(8)
    results = dev.buffer(bytes(8 * many * shape.items))
    dev.submit(dev.load(sample_path("nd_result"))["nd_result"], args=[results, many], mode="pull", range=shape).wait(LONG)
    assert shape.recompose(results.read(), 8 * many) == direct(shape, products(shape, many))


def test_many_at_once(device, sample_path):
    """S4-V10, S4-C5, S4-C6: sets that run at the same time do not mix; a plain task runs beside them."""
    dev = device(8)
    kernel = dev.load(sample_path("nd_result"))["nd_result"]
    shapes = [SETS[number % len(SETS)] for number in range(24)]
    buffers = [dev.buffer(bytes(16 * shape.items)) for shape in shapes]
    tasks = dev.submit_many([dev.work(kernel, args=[buffer, 2], mode="pull", range=shape, chunk=number % 2,
                                      priority=1 + number % 10)
                             for number, (shape, buffer) in enumerate(zip(shapes, buffers))])
    for task, shape, buffer in zip(tasks, shapes, buffers):
        assert task.wait(LONG).ctas == shape.items
        assert shape.recompose(buffer.read(), 16) == direct(shape, products(shape, 2))


def test_history(fresh, kernel_path):
    """S4-R37, S4-R38, S4-R57: with a preset each chunk is of that size; the SMs' histories add up to the set."""
    dev = fresh(8)
    counts = zeros(dev, 400)
    before = dev.stat()
    dev.submit(dev.load(kernel_path("work"))["count"], grid=400, args=[counts], mode="pull", chunk=5).wait(LONG)
    found = dev.pull_history()
    assert sum(one.items for one in found) == 400 and sum(one.chunks for one in found) == 80
    assert {one.last_items for one in found} == {5} and len({one.id for one in found}) == 1
    assert all(one.ticks_per_item > 0 and one.left == 0 for one in found)
    after = dev.stat()
    assert 1 <= after["pull_packets"] - before["pull_packets"] <= 8


@pytest.mark.parametrize("chosen, sms", [({"affinity": [1, 2, 6]}, {1, 2, 6}), ({"gpcs": [0, 2]}, {0, 1, 4, 5})], ids=str)
def test_entry(device, load, chosen, sms):
    """S4-R18, S4-R20, S4-R22, S4-R25, S4-R26, S4-V12, S4-C5: while a set runs its entry can be read: items, what
    remains, and who may take, which a task says by SMs or by GPCs."""
    dev = device(8)
    with configured(dev, group={sm: (sm // 2, 0, 0) for sm in range(8)}), \
            Held(dev, load(dev, "work"), 1000, mode="pull", chunk=1, **chosen) as held:
        held.await_started(3)
        slot = next(place for place, one in enumerate(dev.regs.slot) if one.state.read())
        entry = dev.regs.work[slot].read()
        assert entry["id"] & 0xffff == slot and entry["state"] == 2
        assert (entry["items"], entry["first"], entry["units"]) == (1000, 0, len(sms))
        assert entry["approved"][0] == sum(1 << sm for sm in sms)
        assert entry["chunk_fixed"] == 1 and 0 < entry["remaining"] <= 997
        hands = [one for one in dev.pull_history() if one.slot == slot and one.id == entry["id"]]
        assert {one.sm for one in hands} <= sms
    assert held.task.wait(LONG).ctas == 1000


@pytest.mark.parametrize("far", [(0, 1), (1,)], ids=str)
def test_far_gpcs(fresh, kernel_path, far):
    """S4-R30, S4-R59, S4-R62, S4-R74: SMs of far GPCs share portions of a local queue; every item runs once."""
    dev = fresh(8)
    kernel = dev.load(kernel_path("work"))["count"]
    gpc = {sm: place[0] for sm, place in dev.config.group.items()}
    with configured(dev, far_ticks=10, latency=[100 if number in far else 0 for number in range(2)]):
        for gpcs in ((0, 1), far):
            counts = zeros(dev, 3000)
            dev.submit(kernel, grid=3000, args=[counts], mode="pull", gpcs=gpcs).wait(LONG)
            assert words(counts.read()) == [1] * 3000
            found = dev.pull_history()
            assert sum(one.items for one in found) == 3000 and {gpc[one.sm] for one in found} <= set(gpcs)
            assert all(one.portions == 0 for one in found if gpc[one.sm] not in far)
    # The last one ran on far SMs alone.
    assert sum(one.portions for one in found) >= 1


# What the device refuses when a host writes such a TMD: (changes of it, status, field, value)
BAD = [
    ({"chunk": 33}, "ERR_CHUNK", "tmd.chunk", 33),
    ({"sequential": 1}, "ERR_MODE", "tmd.sequential", 1),
    ({"throttle": 1}, "ERR_MODE", "tmd.throttle", 1),
    ({"quota_enable": 1, "quota": 4}, "ERR_MODE", "tmd.quota_enable", 1),
    ({"grid_x": 2}, None, None, None),
    ({"queue": 0x1000}, None, "tmd.queue", None),
    ({"queue_hi": 0xffff}, None, "tmd.queue", None),
]


@pytest.mark.parametrize("changes, status, field, value", BAD, ids=str)
def test_bad_tmd(device, load, changes, status, field, value):
    """S4-R35, S4-R57: what a pulled grid cannot be is refused with field and value; the device goes on."""
    dev = device(8)
    tmd = dev.tmd(load(dev, "work")["blank"], mode="pull", range=ganger.Range((4, 4, 2)))
    for name, number in changes.items():
        setattr(tmd, name, number)
    try:
        dev.submit_tmd(tmd).wait(LONG)
        raise AssertionError("it was accepted")
    except ganger.Error as error:
        assert status in (None, error.status) and field in (None, error.field), error
        assert value in (None, error.value), error
    run_good_task(dev, load(dev, "work"))


# Words of a descriptor that no host of ours writes: (name of a word, place in it, value, statuses, field)
WRONG = [
    ("shape", 0, 0, "nd_range.dimensions"), ("shape", 0, 9, "nd_range.dimensions"),
    ("shape", 0, 3 | 1 << 5, "nd_range.range_reserved"), ("order", 0, 0x211, "nd_range.order"),
    ("order", 0, 0x310, "nd_range.order"), ("sizes", 2, 0, "nd_range.sizes"), ("sizes", 3, 2, "nd_range.sizes"),
    ("rows_lo", 0, 4, "nd_range.rows"), ("rows_hi", 0, 0xffff, "nd_range.rows"),
]


@pytest.mark.parametrize("name, place, value, field", WRONG, ids=str)
def test_bad_descriptor(device, load, name, place, value, field):
    """S4-R35: the device believes nothing that a descriptor says."""
    dev = device(8)
    tmd = dev.tmd(load(dev, "work")["blank"], mode="pull", range=ganger.Range((4, 4, 2)))
    offset = ganger.abi.BLOCKS["nd_range"][1][name][0] + 4 * place
    dev.write(tmd.queue + offset, struct.pack("<I", value))
    task = dev.submit_tmd(tmd)
    try:
        task.wait(LONG)
        raise AssertionError("it was accepted")
    except ganger.Error as error:
        assert error.status in ("ERR_RANGE", "ERR_GRID_ZERO", "ERR_GRID_OVERFLOW") and error.field == field, error
    run_good_task(dev, load(dev, "work"))


def test_cancel(device, load):
    """S4-R115: a pulled grid that is cancelled stops; its SMs and its slot are free again."""
    dev = device(8)
    module = load(dev, "work")
    held = Held(dev, module, 100000, mode="pull", chunk=1)
    try:
        held.await_started(8)
        held.task.cancel()
        expect("ERR_CANCELLED", held.task.wait, LONG)
    finally:
        held.release()
    run_good_task(dev, module)


def test_command(kernel_path, tmp_path, board):
    """S4-R38, S4-R57: `ganger run --mode pull --chunk` runs it, and `ganger stat` shows it."""
    socket, out = tmp_path / "ganger.sock", tmp_path / "counts.bin"
    assert run_ganger("up", "--device", socket, "--board", board, "--sms", 4).returncode == 0
    try:
        done = run_ganger("run", kernel_path("work"), "--kernel", "count", "--grid", 40, "--mode", "pull", "--chunk", 4,
                          "--arg", f"out:160:{out}", "--device", socket)
        assert done.returncode == 0, done.stderr
        assert words(out.read_bytes()) == [1] * 40
        counters = json.loads(run_ganger("stat", "--json", "--device", socket).stdout)
        assert 1 <= counters["pull_packets"] <= 4
        history = json.loads(run_ganger("stat", "--pull", "--json", "--device", socket).stdout)
        assert sum(one["items"] for one in history) == 40 and sum(one["chunks"] for one in history) == 10
        shown = run_ganger("stat", "--pull", "--device", socket).stdout.splitlines()
        assert shown[0].split()[:5] == ["sm", "slot", "id", "chunks", "items"] and len(shown) == 2 + len(history)
    finally:
        run_ganger("down", "--device", socket)
