# SPDX-License-Identifier: Apache-2.0
"""OpenCL C: mathematical functions at the edges that the standard lists (OpenCL C 3.0, 6.15.2 and 7.5.1)."""
import math

import pytest

from opencl_support import get, put, run, single

INF, NAN = math.inf, math.nan
FP_ILOGB0 = -2147483648
ROW = ("trunc", "pown", "powr", "rootn", "sinpi", "cospi", "tanpi", "half_powr", "native_powr")
POWR = [(x, y, 1.0) for x in (2.0, 1.0, 1e-30) for y in (0.0, -0.0)] + [
    (zero, y, INF) for zero in (0.0, -0.0) for y in (-1.0, -2.0, -0.5, -INF)] + [
    (zero, y, 0.0) for zero in (0.0, -0.0) for y in (1.0, 3.0, 0.5, INF)] + [
    (zero, y, NAN) for zero in (0.0, -0.0) for y in (0.0, -0.0, NAN)] + [
    (1.0, 7.5, 1.0), (1.0, -1e30, 1.0), (1.0, INF, NAN), (1.0, -INF, NAN), (1.0, NAN, NAN),
    (INF, 0.0, NAN), (INF, -0.0, NAN), (INF, 0.5, INF), (INF, -3.0, 0.0), (INF, INF, INF), (INF, -INF, 0.0),
    (-1.0, 2.0, NAN), (-2.0, 3.0, NAN), (-2.0, 0.0, NAN), (-INF, 1.0, NAN), (-INF, 0.0, NAN), (NAN, 0.0, NAN),
    (NAN, 2.0, NAN), (3.0, NAN, NAN), (0.5, INF, 0.0), (2.0, -INF, 0.0), (2.0, 10.0, 1024.0), (4.0, -0.5, 0.5)]


def one(*pairs):
    """Functions of one number: (x, result)."""
    return [(x, 1.0, 1, result) for x, result in pairs]


def two(cases):
    """Functions of two numbers: (x, y, result)."""
    return [(x, y, 1, result) for x, y, result in cases]


def whole(*cases):
    """Functions of a number and an integer: (x, n, result)."""
    return [(x, 1.0, n, result) for x, n, result in cases]


def both_signs(*pairs):
    """An odd function: the same at -x, with the other sign."""
    return one(*pairs, *((-x, -result) for x, result in pairs))


def cases(name):
    """{function: [(x, y, n, result)]} for float or double."""
    # An even integer above those of int, or of long, and with as many bits as the type has.
    large = (2.0 ** 24 - 1) * 2 ** 16 if name == "float" else (2.0 ** 53 - 1) * 2 ** 17
    tiny, root = (2.0 ** -149, 2.0 ** 40) if name == "float" else (2.0 ** -1074, 2.0 ** 300)
    return {
        "trunc": both_signs((0.0, 0.0), (tiny, 0.0), (0.75, 0.0), (1.0, 1.0), (2.5, 2.0), (4194303.5, 4194303.0),
                            (8388609.0, 8388609.0), (4294967296.0, 4294967296.0), (large, large), (INF, INF)) +
        one((NAN, NAN)),
        "pown": whole((0.0, 0, 1.0), (-0.0, 0, 1.0), (NAN, 0, 1.0), (INF, 0, 1.0), (-3.0, 0, 1.0), (0.0, -1, INF),
                      (-0.0, -1, -INF), (-0.0, -2, INF), (0.0, 2, 0.0), (-0.0, 2, 0.0), (0.0, 3, 0.0), (-0.0, 3, -0.0),
                      (-1.0, 16777217, -1.0), (-1.0, -2147483647, -1.0), (-1.0, -2147483648, 1.0), (-2.0, 3, -8.0),
                      (-2.0, -2, 0.25), (-INF, 3, -INF), (-INF, -3, -0.0), (INF, -2147483648, 0.0), (NAN, 1, NAN)),
        "powr": two(POWR),
        "rootn": whole((0.0, -3, INF), (-0.0, -3, -INF), (0.0, -4, INF), (-0.0, -4, INF), (0.0, 4, 0.0), (-0.0, 4, 0.0),
                       (0.0, 5, 0.0), (-0.0, 5, -0.0), (-8.0, 3, -2.0), (-8.0, -3, -0.5), (-8.0, 2, NAN), (-INF, 4, NAN),
                       (7.0, 0, NAN), (0.0, 0, NAN), (-0.0, 0, NAN), (INF, 0, NAN), (-INF, 3, -INF), (INF, -2, 0.0),
                       (-1.0, 2147483647, -1.0), (NAN, 3, NAN), (243.0, 5, 3.0), (root ** 3, 3, root)),
        "sinpi": both_signs((0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (large, 0.0), (0.5, 1.0), (1.5, -1.0),
                            (2.5, 1.0), (2.0 ** -60, math.pi * 2.0 ** -60)) + one((INF, NAN), (-INF, NAN), (NAN, NAN)),
        "cospi": one(*((sign * x, result) for sign in (1, -1) for x, result in (
            (0.0, 1.0), (0.5, 0.0), (1.5, 0.0), (2.5, 0.0), (1.0, -1.0), (2.0, 1.0), (large, 1.0), (INF, NAN)))),
        "tanpi": both_signs((0.0, 0.0), (1.0, -0.0), (2.0, 0.0), (3.0, -0.0), (large, 0.0), (0.5, INF), (1.5, -INF),
                            (2.5, INF), (0.25, 1.0), (2.0 ** -60, math.pi * 2.0 ** -60)) + one((INF, NAN), (NAN, NAN)),
        **({"half_powr": two(POWR), "native_powr": two(POWR)} if name == "float" else {}),
    }


def same(found, expected, bits):
    """NaN, or the number with its sign; what is no edge may be off by 4 units in the last place, as sinpi may."""
    if math.isnan(expected):
        return math.isnan(found)
    return math.isclose(found, expected, rel_tol=4 * 2.0 ** -bits) and math.copysign(1, found) == math.copysign(1, expected)


@pytest.mark.parametrize("name, code, bits", [("float", "f", 23), ("double", "d", 52)])
def test_edges(device, load, name, code, bits):
    """S3-R20: signed zeros, infinities, NaN, negative numbers, odd and even integers."""
    dev = device(2)
    rows = [(function, *case) for function, some in cases(name).items() for case in some]
    rows += rows[:-len(rows) % 8]
    x, y, n = ([row[k] for row in rows] for k in (1, 2, 3))
    out, exponents = put(dev, code, [0] * len(ROW) * len(rows)), put(dev, "i", [0] * len(rows))
    run(dev, load(dev, "cl/edges")["edges_" + name], len(rows) // 8, 8, put(dev, code, x), put(dev, code, y),
        put(dev, "i", n), out, exponents)
    found = get(out, code)
    wrong = {row: value for i, row in enumerate(rows) for value in [found[len(ROW) * i + ROW.index(row[0])]]
             if not same(value, single(row[4]) if code == "f" else row[4], bits)}
    assert not wrong, sorted({row[0] for row in wrong})
    for number, exponent in zip(x, get(exponents, "i")):
        if number == 0:
            assert exponent == FP_ILOGB0
        elif math.isfinite(number):
            assert exponent == math.frexp(number)[1] - 1, number
