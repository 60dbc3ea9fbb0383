# SPDX-License-Identifier: Apache-2.0
"""OpenCL C: sorting, searching, counting and hashing, against plain Python."""
import hashlib
import random
import struct
import zlib

import pytest

import ganger
from opencl_support import SIZES, dev, get, groups, put, run  # noqa: F401
from support import expect

pytestmark = pytest.mark.usefixtures("dev")


@pytest.mark.parametrize("bits", [1, 6, 9])
def test_bitonic_sort(dev, load, bits):
    """S3-R40: many launches on one buffer."""
    n, kernel = 1 << bits, load(dev, "cl/bitonic")["bitonic"]
    data = [random.Random(bits).getrandbits(32) for _ in range(n)]
    buffer = put(dev, "I", data)
    for stage in range(bits):
        for step in range(stage + 1):
            run(dev, kernel, groups(n // 2, 64), min(n // 2, 64), buffer, stage, step, 0)
    assert get(buffer, "I") == sorted(data)


@pytest.mark.parametrize("size", SIZES)
def test_histogram(dev, load, size):
    """S3-R74: local and global atomics."""
    data, bins = random.Random(size).randbytes(5000), put(dev, "I", [0] * 256)
    run(dev, load(dev, "cl/histogram")["histogram"], 7, size, dev.buffer(data), len(data), bins)
    assert get(bins, "I") == [data.count(value) for value in range(256)]


@pytest.mark.parametrize("size", [1, 64, 67])
def test_radix_step(dev, load, size):
    """S3-R74: two local variables; each group is sorted by its digit, and stays in order else."""
    keys = [random.Random(size).getrandbits(32) for _ in range(3 * size)]
    out = put(dev, "I", [0] * 3 * size)
    run(dev, load(dev, "cl/radix")["radix_step"], 3, size, put(dev, "I", keys), out, 8)
    assert get(out, "I") == [key for g in range(3) for key in
                             sorted(keys[g * size:(g + 1) * size], key=lambda k: k >> 8 & 15)]


def test_sha256(dev, load):
    """S3-R40: rotate, bitselect, tables in constant memory, arrays of each work-item."""
    texts = [bytes(range(length)) for length in range(56)]
    digests = put(dev, "I", [0] * 8 * 56)
    run(dev, load(dev, "cl/sha256")["sha256"], 7, 8, dev.buffer(b"".join(t.ljust(64) for t in texts)),
        put(dev, "I", map(len, texts)), 64, digests)
    assert get(digests, "I") == [word for text in texts for word in
                                 struct.unpack(">8I", hashlib.sha256(text).digest())]


@pytest.mark.parametrize("size", SIZES)
def test_crc32(dev, load, size):
    """S3-R74: a table in local memory that the whole group makes."""
    part, text = 37, random.Random(size).randbytes(37 * 2 * size)
    sums = put(dev, "I", [0] * 2 * size)
    run(dev, load(dev, "cl/crc32")["crc32"], 2, size, dev.buffer(text), part, sums)
    assert get(sums, "I") == [zlib.crc32(text[i:i + part]) for i in range(0, len(text), part)]


@pytest.mark.parametrize("size", [1, 63, 67])
def test_string_search(dev, load, size):
    """S3-R85: async_work_group_copy; places collected with an atomic."""
    choose, pattern = random.Random(size), b"abba"
    text = bytes(choose.choice(b"ab") for _ in range(600))
    found, count = put(dev, "I", [0] * 600), put(dev, "I", [0])
    run(dev, load(dev, "cl/search")["search"], groups(600, size), size, dev.buffer(text), 600,
        dev.buffer(pattern), len(pattern), ganger.local(16), found, count)
    want = [i for i in range(597) if text[i:i + 4] == pattern]
    assert get(count, "I") == [len(want)]
    assert sorted(get(found, "I")[:len(want)]) == want


def test_breadth_first_search(dev, load):
    """S3-R40: structures in memory, compare and exchange, a launch for each level."""
    choose, n, kernel = random.Random(3), 90, load(dev, "cl/bfs")["bfs_step"]
    edges = [sorted({choose.randrange(n) for _ in range(2)}) for _ in range(n)]
    starts = [sum(map(len, edges[:i])) for i in range(n)]
    nodes = put(dev, "i", [v for i in range(n) for v in (starts[i], len(edges[i]))])
    lists = put(dev, "i", [o for one in edges for o in one])
    now, then = dev.buffer(bytes([1]) + bytes(n - 1)), dev.buffer(bytes(n))
    costs, more = put(dev, "i", [0] + [-1] * (n - 1)), put(dev, "i", [1])
    for _ in range(n):
        more.write(bytes(4))
        run(dev, kernel, groups(n, 32), 32, nodes, lists, now, then, costs, more, n)
        now, then = then, now
        if get(more, "i") == [0]:
            break
    assert get(costs, "i") == levels(edges)


def levels(edges):
    """Distance of each node from node 0, or -1."""
    cost, queue = [0] + [-1] * (len(edges) - 1), [0]
    for node in queue:
        for other in edges[node]:
            if cost[other] < 0:
                cost[other] = cost[node] + 1
                queue.append(other)
    return cost


def test_game_of_life(dev, load):
    """S3-R40: generations in turns between two buffers, in two dimensions."""
    width, height, kernel = 24, 18, load(dev, "cl/life")["life"]
    cells = [random.Random(1).getrandbits(16) >> i & 1 for i in range(16)] * (width * height // 16)
    now, then = dev.buffer(bytes(cells)), dev.buffer(bytes(len(cells)))
    for _ in range(4):
        run(dev, kernel, (3, 6), (8, 3), now, then)
        now, then = then, now
        around = [sum(cells[(y + dy) % height * width + (x + dx) % width] for dy in (-1, 0, 1)
                      for dx in (-1, 0, 1) if dx or dy) for y in range(height) for x in range(width)]
        cells = [int(a == 3 or a == 2 and c) for a, c in zip(around, cells)]
        assert list(bytes(now.read())) == cells


def test_copy_of_a_rectangle(dev, load):
    """S3-R40: vectors by value, swizzles."""
    source, target = list(range(10 * 8)), put(dev, "I", [0] * 12 * 9)
    run(dev, load(dev, "cl/copy2d")["copy2d"], (2, 5), (3, 1), put(dev, "I", source), 10, target, 12,
        struct.pack("2I", 2, 1), struct.pack("2I", 5, 3))
    want = [0] * 12 * 9
    for y in range(5):
        for x in range(6):
            value = source[(y + 1) * 10 + x + 2]
            want[(y + 3) * 12 + x + 5] = int.from_bytes(value.to_bytes(4, "little"), "big")
    assert get(target, "I") == want


def test_structures(dev, load):
    """S3-R21: structures and vectors by value; each work-item has a copy that it may change."""
    settings = struct.pack("<b15x4f3h2xd", -3, 1, 2, 3, 4, 5, 6, 7, 0.5)
    kernel, data = load(dev, "cl/structs")["structs"], put(dev, "f", range(4 * 67))
    sizes = {p.name: (p.type, p.size, p.align) for p in kernel.parameters if p.kind == "value"}
    assert sizes == {"settings": ("aggregate", 48, 16), "first": ("unsigned", 1, 1),
                     "shift": ("aggregate", 16, 16), "packed": ("aggregate", 5, 1),
                     "last": ("unsigned", 8, 8)}
    run(dev, kernel, 1, 67, data, settings, 200, struct.pack("4f", 10, 20, 30, 0),
        dev.buffer(settings), struct.pack("<BI", 9, 77777), 2 ** 33)
    want = [(4 * i + k) * (k + 1) + (10, 20, 30, 0.5)[k] + 5 + i - 3 + 200
            for i in range(67) for k in range(4)]
    assert get(data, "f") == [1, 77777, 9, 2 ** 33] + want[4:]


@pytest.mark.parametrize("grid, block", [((3,), (5,)), ((2, 3), (4, 1)), ((2, 1, 3), (3, 2, 2))])
def test_work_item_functions(dev, load, grid, block):
    """S0-R42, S3-R26: ids and sizes in one, two and three dimensions."""
    grid3, block3 = ((*t, 1, 1)[:3] for t in (grid, block))
    size = [g * b for g, b in zip(grid3, block3)]
    out = put(dev, "I", [0] * 8 * size[0] * size[1] * size[2])
    run(dev, load(dev, "cl/work_items")["work_items"], grid, block, out)
    pack = lambda t: t[0] | t[1] << 8 | t[2] << 16  # noqa: E731
    found = get(out, "I")
    for i in range(size[0] * size[1] * size[2]):
        at = (i % size[0], i // size[0] % size[1], i // size[0] // size[1])
        inside, group = zip(*(divmod(a, b)[::-1] for a, b in zip(at, block3)))
        assert found[8 * i:8 * i + 8] == [
            len(grid) | 1 << 16, pack(inside), pack(block3), pack(group), pack(grid3), pack(at), 0,
            pack(size)]


@pytest.mark.parametrize("threads, stay", [(2, 1), (64, 63), (67, 1)])
def test_return_before_a_barrier(dev, load, threads, stay):
    """S3-T10, S3-R121: some work-items return early: an error and no hang."""
    out = put(dev, "i", [0] * threads)
    kernel = load(dev, "cl/work_items")["diverge"]
    expect("ERR_DIVERGED", run, dev, kernel, 1, threads, out, stay)
    run(dev, kernel, 1, threads, out, threads)
    assert get(out, "i") == [1] * threads


def test_a_kernel_without_arguments(dev, load):
    """S3-R17: nothing to pass."""
    kernel = load(dev, "cl/work_items")["nothing"]
    assert not kernel.barrier and not kernel.parameters
    assert run(dev, kernel, 5, 64).ctas == 5
