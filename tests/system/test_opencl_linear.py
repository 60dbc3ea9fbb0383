# SPDX-License-Identifier: Apache-2.0
"""OpenCL C: matrices, sums and prefix sums, against plain Python."""
import itertools
import random

import pytest

import ganger
from opencl_support import SIZES, assert_close, dev, get, groups, put, run  # noqa: F401
from support import expect

pytestmark = pytest.mark.usefixtures("dev")


def numbers(count, low=-100, high=100):
    """The same numbers every time."""
    choose = random.Random(count)
    return [choose.randint(low, high) for _ in range(count)]


@pytest.mark.parametrize("n", [1, 7, 8, 19])
def test_matrix_product(dev, load, n):
    """S3-R20, S3-R74, S3-R18: tiles in local memory, a block size that the kernel requires."""
    a, b = numbers(n * n), numbers(n * n + 1)
    kernel, c = load(dev, "cl/matmul")["matmul"], put(dev, "f", [0] * n * n)
    assert kernel.block == (8, 8, 1) and kernel.barrier and kernel.shared_bytes == 2 * 4 * 64
    run(dev, kernel, (groups(n, 8),) * 2, (8, 8), n, put(dev, "f", a), put(dev, "f", b[:n * n]), c)
    assert get(c, "f") == [sum(a[y * n + k] * b[k * n + x] for k in range(n))
                           for y in range(n) for x in range(n)]


def test_required_block_size(dev, load):
    """S0-R04: reqd_work_group_size refuses another block."""
    buffer = put(dev, "f", [0])
    expect("ERR_ARGUMENT", dev.submit, load(dev, "cl/matmul")["matmul"], grid=1, block=(4, 8),
           args=[1, buffer, buffer, buffer])


@pytest.mark.parametrize("size", SIZES)
def test_reduction(dev, load, size):
    """S3-R99, S3-R85, S3-T9: a tree with barriers in a loop; a local buffer as an argument."""
    count = 5 * size - size // 2
    data, sums = numbers(count), put(dev, "i", [0] * 5)
    run(dev, load(dev, "cl/reduce")["reduce"], 5, size, put(dev, "i", data), sums, count,
        ganger.local(4 * size))
    assert get(sums, "i") == [sum(data[g * size:(g + 1) * size]) for g in range(5)]


@pytest.mark.parametrize("size", SIZES)
def test_scan(dev, load, size):
    """S3-R87, S3-R99: prefix sums, with barriers in a called function."""
    data, out = numbers(3 * size), put(dev, "i", [0] * 3 * size)
    run(dev, load(dev, "cl/scan")["scan"], 3, size, put(dev, "i", data), out,
        ganger.local(4 * size))
    assert get(out, "i") == [total for g in range(3) for total in
                             itertools.accumulate(data[g * size:(g + 1) * size])]


@pytest.mark.parametrize("size", [1, 64, 67])
def test_compaction(dev, load, size):
    """S3-R87: what a condition keeps, without gaps."""
    data, out, counts = numbers(4 * size), put(dev, "i", [0] * 4 * size), put(dev, "i", [0] * 4)
    run(dev, load(dev, "cl/scan")["compact"], 4, size, put(dev, "i", data), out, counts,
        ganger.local(4 * size))
    found, kept = get(out, "i"), get(counts, "i")
    for g in range(4):
        want = [value for value in data[g * size:(g + 1) * size] if value > 0]
        assert kept[g] == len(want) and found[g * size:g * size + len(want)] == want


@pytest.mark.parametrize("width, height", [(1, 1), (8, 8), (17, 9), (9, 30)])
def test_transpose(dev, load, width, height):
    """S3-R74: two dimensions, a local pointer behind other arguments."""
    data, out = numbers(width * height), put(dev, "f", [0] * width * height)
    run(dev, load(dev, "cl/transpose")["transpose"], (groups(width, 8), groups(height, 8)), (8, 8),
        out, put(dev, "f", data), width, height, ganger.local(4 * 8 * 9))
    assert get(out, "f") == [data[y * width + x] for x in range(width) for y in range(height)]


def test_sparse_matrix(dev, load):
    """S3-R85: a row for each work-group, a volatile local buffer."""
    rows, columns, size = 21, 50, 8
    choose = random.Random(4)
    table = [{choose.randrange(columns): choose.randint(-9, 9) for _ in range(row)}
             for row in range(rows)]
    x = numbers(columns)
    starts = [0, *itertools.accumulate(map(len, table))]
    y = put(dev, "f", [1] * rows)
    run(dev, load(dev, "cl/spmv")["spmv"], rows, size,
        put(dev, "f", [v for row in table for v in row.values()]),
        put(dev, "i", [c for row in table for c in row]), put(dev, "i", starts), put(dev, "f", x), y,
        ganger.local(4 * size))
    assert get(y, "f") == [sum(v * x[c] for c, v in row.items()) for row in table]


def test_lu_decomposition(dev, load):
    """S3-R40: double precision, two kernels in turns."""
    n, module = 9, load(dev, "cl/lu")
    choose = random.Random(9)
    matrix = [choose.uniform(-1, 1) + 10 * (i % (n + 1) == 0) for i in range(n * n)]
    buffer = put(dev, "d", matrix)
    for k in range(n - 1):
        run(dev, module["lu_column"], 2, 8, buffer, n, k)
        run(dev, module["lu_rest"], (3, 3), (4, 4), buffer, n, k)
    lu = get(buffer, "d")
    product = [sum((1 if k == y else lu[y * n + k]) * lu[k * n + x] for k in range(min(x, y) + 1))
               for y in range(n) for x in range(n)]
    assert_close(product, matrix, 1e-12, 1e-12)


@pytest.mark.parametrize("n", SIZES)
def test_vectors_of_four(dev, load, n):
    """S3-R20: dot products and saxpy on float4."""
    a, b = numbers(4 * n), numbers(4 * n + 1)[:4 * n]
    module, c, y = load(dev, "cl/dot"), put(dev, "f", [0] * n), put(dev, "f", b)
    run(dev, module["dot4"], groups(n, 16), 16, put(dev, "f", a), put(dev, "f", b), c, n)
    run(dev, module["saxpy4"], groups(n, 16), 16, put(dev, "f", a), y, 2.5, n)
    dots = [sum(p * q for p, q in zip(a[4 * i:4 * i + 4], b[4 * i:4 * i + 4])) for i in range(n)]
    assert get(c, "f") == dots
    assert get(y, "f") == [2.5 * p + q for p, q in zip(a, b)]
