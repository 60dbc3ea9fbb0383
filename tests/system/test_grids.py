# SPDX-License-Identifier: Apache-2.0
"""Every work-item of every grid exactly once, with the right ids."""
import array
import itertools
import math
import struct

import pytest

import ganger
from support import LONG, expect, words, zeros

RECORD = 12
GRIDS = [(1,), (7,), (63,), (64,), (65,), (66,), (67,), (1000, 3), (5, 7, 11), (65_537,),
         (3, 1, 2), (1, 66), (1, 1, 67)]
BLOCKS = [(1,), (2,), (31,), (33,), (256,), (1024,), (8, 8), (3, 11), (7, 5, 3), (1, 1, 64),
          (32, 32), (1, 1024), (16, 8, 8), (2, 3, 4)]


def filled(sizes):
    """Three sizes."""
    return (tuple(sizes) + (1, 1, 1))[:3]


def positions(sizes):
    """All (x, y, z), x fastest."""
    return [(x, y, z) for z, y, x in itertools.product(*map(range, reversed(sizes)))]


def expected(grid, block, offset):
    """Records that the work-items have to leave, in linear order, as bytes."""
    threads = positions(block)
    size = [g * b for g, b in zip(grid, block)]
    records = array.array("I")
    for cta, group in enumerate(positions(grid)):
        for thread, local in enumerate(threads):
            x, y, z = (g * b + l for g, b, l in zip(group, block, local))
            records.extend((*group, *local, *(o + i for o, i in zip(offset, (x, y, z))), thread, x + size[0] * (y + size[1] * z), cta))
    return records.tobytes()


def run_ids(dev, module, grid, block, tag=77, offset=None, **keywords):
    """Launches `ids` and checks all that it left."""
    dimensions = max(len(grid), len(block))
    grid, block = filled(grid), filled(block)
    items = grid[0] * grid[1] * grid[2] * block[0] * block[1] * block[2]
    counts, wrong = zeros(dev, items), zeros(dev, 1)
    records = dev.buffer(nbytes=4 * RECORD * items)
    launched = ganger.raw(struct.pack("<11I", *grid, *block, *(offset or (0, 0, 0)), dimensions, tag))
    done = dev.submit(module["ids"], grid=grid[:dimensions], block=block[:dimensions],
                      correlation=tag, offset=offset, **keywords, args=[counts, records, wrong, items, launched]).wait(LONG)
    assert done.ctas == grid[0] * grid[1] * grid[2]
    assert counts.read() == b"\1\0\0\0" * items, "not every work-item exactly once"
    assert words(wrong.read()) == [0], "sizes, dimensions or tag are wrong"
    assert records.read() == expected(grid, block, offset or (0, 0, 0))


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_grid_sizes(device, load, grid):
    """S0-R04, S0-R42, S0-R34: every CTA once, all ids and sizes right, also in tails (sizes of 63, 66, 67 were wrong elsewhere)."""
    dev = device(8)
    run_ids(dev, load(dev, "ids"), grid, (1,) if grid[0] > 60_000 else (3, 2))


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_block_sizes(device, load, block):
    """S0-R04, S0-R41, S0-R42, S3-C1, S3-R43, S3-R62: every thread once, all its ids right, 1 to 1,024 threads in 1 to 3 dimensions."""
    dev = device(8)
    run_ids(dev, load(dev, "ids"), (5, 3), block)


@pytest.mark.parametrize("sms", [1, 2, 64])
def test_grids_on_other_devices(device, load, sms):
    """S0-R04, S3-C3, S3-T12: the same on 1, 2 and 64 SMs."""
    dev = device(sms)
    run_ids(dev, load(dev, "ids"), (67, 3), (33,))


@pytest.mark.parametrize("mode", ["balance", "round-robin"])
def test_grids_in_each_mode(device, load, mode):
    """S0-R04, S0-R33, S0-R32: the order of SMs does not change what runs."""
    dev = device(8)
    counts = zeros(dev, 997)
    done = dev.submit(load(dev, "work")["count"], grid=(997,), block=(5,), mode=mode,
                      args=[counts]).wait(LONG)
    assert done.ctas == 997 and words(counts.read()) == [1] * 997


def test_twenty_items_two_cores(device, load):
    """S3-T1, S3-R90, S3-C1, S3-C3: 20 items in groups of ten on two cores: 20 executions, each id once, two workers."""
    dev = device(2)
    before = [state.ctas.read() for state in dev.regs.sm_state]
    run_ids(dev, load(dev, "ids"), (2,), (10,))
    after = [state.ctas.read() for state in dev.regs.sm_state]
    assert [new - old for old, new in zip(before, after)] == [1, 1]


@pytest.mark.parametrize("block", [1, 2, 33, 1024])
def test_ids_do_not_change(device, load, block):
    """S0-R42, S3-R29, S3-R87: ids are the same after other threads, and other CTAs, have run."""
    dev = device(1)
    wrong = zeros(dev, 1)
    dev.submit(load(dev, "ids")["ids_stay"], grid=(16,), block=(block,),
               args=[wrong, 8]).wait(LONG)
    assert words(wrong.read()) == [0]


def test_same_results_on_one_core_and_many(device, load):
    """S3-T12: one SM and 64 give bit-identical results."""
    results = []
    for sms in (1, 64):
        dev = device(sms)
        out = zeros(dev, 64 * 50)
        dev.submit(load(dev, "work")["hash_met"], grid=(50,), block=(64,),
                   args=[out, 99, 20]).wait(LONG)
        results.append(out.read())
    assert results[0] == results[1]


@pytest.mark.parametrize("offset", [(1, 0, 0), (0, 7, 0), (0, 0, 5), (100, 2000, 30000), (1 << 31, 3, 1 << 30)], ids=str)
@pytest.mark.parametrize("keywords", [{}, {"mode": "pull"}, {"mode": "pull", "chunk": 2}, {"cluster": (2, 1, 1)}], ids=str)
def test_global_offset(device, load, offset, keywords):
    """S0-R42: with an offset global ids begin there, linear ones at 0; the next task without one has none."""
    dev = device(2)
    run_ids(dev, load(dev, "ids"), (4, 3, 2), (5, 2, 3), offset=offset, **keywords)
    run_ids(dev, load(dev, "ids"), (4, 3, 2), (5, 2, 3))


def test_bad_global_offset(device, load):
    """S0-R42: an offset is refused for a range, and on 32 bits where global ids would not fit; by the device,
    too."""
    dev = device(1)
    module = load(dev, "ids")
    arguments = [zeros(dev, 1), zeros(dev, RECORD), zeros(dev, 1), 1, ganger.raw(bytes(44))]
    error = expect("ERR_ARGUMENT", dev.submit, module["ids"], mode="pull", range=ganger.Range((2, 2)), block=1, offset=3,
                   args=arguments)
    assert error.field == "offset" and error.value == 3 and "range" in str(error)
    for offset, place in ((0xFFFFFFFF, "queue_capacity"), ((0, 0xFFFFFFFF), "queue_item_bytes"), ((0, 0, 0xFFFFFFFF), "queue_outstanding")):
        if dev.info.xlen == 32:
            error = expect("ERR_GRID_OVERFLOW", dev.submit, module["ids"], grid=(2, 2, 2), block=1, offset=offset, args=arguments)
            assert error.field == "offset" and error.value == 0xFFFFFFFF
        tmd = dev.tmd(module["ids"], grid=(2, 2, 2), block=1, args=arguments)
        setattr(tmd, place, 0xFFFFFFFF)
        if dev.info.xlen == 32:
            error = expect("ERR_GRID_OVERFLOW", dev.submit_tmd(tmd).wait, LONG)
            assert error.field == f"tmd.{place}" and error.value == 0xFFFFFFFF
        tmd = dev.tmd(module["ids"], mode="pull", range=ganger.Range((2, 2)), block=1, args=arguments)
        setattr(tmd, place, 1)
        assert expect("ERR_QUEUE", dev.submit_tmd(tmd).wait, LONG).field == "tmd.queue"


EDGES = [((5,), (8,), (3,)), ((1,), (64,), (1,)), ((3, 2, 2), (4, 3, 2), (1, 2, 1)), ((2, 3), (16, 16), (0, 7)), ((1, 1, 4), (2, 2, 9), (0, 0, 8)),
         ((9,), (1024,), (1023,)), ((130,), (2,), (1,))]


@pytest.mark.parametrize("keywords", [{}, {"mode": "round-robin"}, {"mode": "pull"}, {"offset": (7, 70, 700)}, {"cluster": 1}], ids=str)
@pytest.mark.parametrize("kernel", ["edges", "edges_met", "edges_threads"])
def test_smaller_at_the_edge(device, load, kernel, keywords):
    """S0-R42: the last CTAs along each axis have fewer threads: sizes and ids in all forms of kernels, each work-item once;
    the next task without an edge has whole CTAs."""
    dev = device(8)
    module = load(dev, "edges")
    for grid, block, edge in [*EDGES, ((4,), (8,), None)]:
        if kernel == "edges_threads" and block == (1024,):
            continue  # stacks for that many
        grid, block = filled(grid), filled(block)
        last = tuple(e or b for e, b in zip((*(edge or ()), 0, 0, 0), block))
        items = math.prod((g - 1) * b + e for g, b, e in zip(grid, block, last))
        counts, wrong = zeros(dev, items), zeros(dev, 1)
        launched = dev.buffer(struct.pack("<12I", *grid, *block, *last, *keywords.get("offset", (0, 0, 0))))
        done = dev.submit(module[kernel], grid=grid, block=block, edge=edge, args=[counts, wrong, launched], **keywords).wait(LONG)
        assert (done.ctas, words(wrong.read())) == (math.prod(grid), [0]), (grid, block, edge)
        assert counts.read() == b"\1\0\0\0" * items, (grid, block, edge)


def test_bad_edge(device, load):
    """S0-R42: an edge is refused for a range, for a kernel with a block of its own, and where it is not smaller."""
    dev = device(2)
    module = load(dev, "edges")
    arguments = {"args": [zeros(dev, 9)] * 3}
    for keywords, value, why in (({"grid": 2, "block": 4, "edge": 4}, 4, "fewer"), ({"grid": (2, 2), "block": (4, 4), "edge": (0, 5)}, 5, "axis 1"),
                                 ({"mode": "pull", "range": ganger.Range((2, 2)), "block": 4, "edge": 3}, 3, "range")):
        error = expect("ERR_ARGUMENT", dev.submit, module["edges"], **keywords, **arguments)
        assert (error.field, error.value) == ("edge", value) and why in str(error)
    error = expect("ERR_ARGUMENT", dev.submit, module["edges_fixed"], grid=2, block=(4, 2, 1), edge=1, args=[zeros(dev, 1)])
    assert error.field == "edge" and "one size" in str(error)


@pytest.mark.parametrize("keywords, cga", [({}, 1), ({"mode": "round-robin"}, 1), ({"mode": "pull"}, 1), ({"cluster": (2, 1, 1)}, 2),
                                           ({"sequential": True}, 1)], ids=str)
def test_parts(device, load, keywords, cga):
    """S0-R13, S0-R42: tasks that each run a part of a grid: ids and sizes are those of the whole, each work-item runs once,
    and the completions count the CTAs of the parts."""
    dev = device(8)
    module = load(dev, "edges")
    for grid, block, edge in (((60,), (4,), (3,)), ((6, 5, 2), (3, 2), None), ((100, 2), (1,), None)):
        grid, block = filled(grid), filled(block)
        last = tuple(e or b for e, b in zip((*(edge or ()), 0, 0, 0), block))
        total, items = math.prod(grid), math.prod((g - 1) * b + e for g, b, e in zip(grid, block, last))
        counts, wrong = zeros(dev, items), zeros(dev, 1)
        args = [counts, wrong, dev.buffer(struct.pack("<12I", *grid, *block, *last, 0, 0, 0))]
        cuts = [0, 1 * cga, 5 * cga, total // 2 // cga * cga, total - cga, total]
        tasks = [dev.submit(module["edges"], grid=grid, block=block, edge=edge, args=args,
                            part=(first, end - first if end < total else 0), **keywords)
                 for first, end in zip(cuts, cuts[1:])]
        assert [task.wait(LONG).ctas for task in tasks] == [end - first for first, end in zip(cuts, cuts[1:])]
        assert words(wrong.read()) == [0] and counts.read() == b"\1\0\0\0" * items, (grid, block, edge)


def test_part_of_a_range(device, sample_path):
    """S0-R13, S4-R35: of a work set, too, positions and indices are those of the whole."""
    dev = device(4)
    kernel = dev.load(sample_path("nd_result"))["nd_result"]
    shape = ganger.Range((5, 4, 3), (2, 0, 1), descending=True)
    whole, parts = zeros(dev, 2 * shape.items), zeros(dev, 2 * shape.items)
    dev.submit(kernel, mode="pull", range=shape, args=[whole, 1]).wait(LONG)
    for first, count in ((0, 7), (7, 30), (37, 0)):
        done = dev.submit(kernel, mode="pull", range=shape, args=[parts, 1], part=(first, count)).wait(LONG)
        assert done.ctas == (count or shape.items - first)
    assert parts.read() == whole.read() != bytes(8 * shape.items)


def test_bad_part(device, load):
    """S0-R13: a part that starts or ends outside of the grid, or inside of a CGA, is refused; so is one of a queue."""
    dev = device(2)
    kernel = load(dev, "work")["blank"]
    for part, keywords, field, value in (((8, 0), {}, "tmd.resume", 8), ((3, 6), {}, "tmd.queue_items", 6), ((1, 2), {"cluster": 2}, "tmd.resume", 1),
                                         ((2, 3), {"cluster": 2}, "tmd.queue_items", 3), ((1 << 40, 1), {"mode": "pull"}, "tmd.resume", 1 << 40)):
        error = expect("ERR_RESUME", dev.submit(kernel, grid=8, part=part, **keywords).wait, LONG)
        assert (error.field, error.value) == (field, value)
    error = expect("ERR_ARGUMENT", dev.queue, kernel, capacity=4, item_bytes=4, items=1, part=(1, 1))
    assert error.field == "first_cta" and "queue" in str(error)
