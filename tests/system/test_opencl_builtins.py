# SPDX-License-Identifier: Apache-2.0
"""OpenCL C: built-in functions on many values, against exact arithmetic in Python."""
import math
import random
import struct
from fractions import Fraction

import pytest

from opencl_support import assert_close, get, put, run, single

INTEGERS = {"char": ("b", 8), "uchar": ("B", 8), "short": ("h", 16), "ushort": ("H", 16),
            "int": ("i", 32), "uint": ("I", 32), "long": ("q", 64), "ulong": ("Q", 64)}
ROW = 20


@pytest.fixture
def dev(device):
    """One size is enough: what a function returns does not depend on the SMs."""
    return device(2)


def span(name):
    """Smallest and largest number of an integer type."""
    bits = INTEGERS[name][1]
    return (0, (1 << bits) - 1) if name[0] == "u" else (-1 << (bits - 1), (1 << (bits - 1)) - 1)


def samples(name, count, seed):
    """Borders and random numbers of all sizes."""
    low, high = span(name)
    choose = random.Random(seed)
    edges = [low, low + 1, 0, 1, high - 1, high, high // 2, (low + high) // 2]
    some = [choose.randint(low, high) >> choose.randrange(INTEGERS[name][1]) for _ in range(count)]
    return [choose.choice(edges) if choose.random() < 0.4 else value for value in some]


def wrapped(name, value):
    """A number as the type keeps it."""
    low, high = span(name)
    return (value - low) % (high - low + 1) + low


def saturated(name, value):
    """The nearest number that the type has."""
    low, high = span(name)
    return min(max(value, low), high)


def integer_row(name, x, y, z):
    """What kernel integers_TYPE of integers.cl writes for one work-item."""
    bits, (low, _high) = INTEGERS[name][1], span(name)
    plain, size = x % (1 << bits), y % bits
    turned = wrapped(name, plain << size | plain >> (bits - size))
    sum_high = (x * y >> bits) + z
    chosen = z < 0 if low else z >> (bits - 1)
    return [abs(x), abs(x - y), saturated(name, x + y), saturated(name, x - y), (x + y) >> 1,
            (x + y + 1) >> 1, bits - plain.bit_length(), plain.bit_count(), x * y >> bits,
            wrapped(name, sum_high), saturated(name, x * y + z), turned, max(x, y), min(x, y),
            min(max(x, min(y, z)), max(y, z)), x & ~z | y & z, y if chosen else x,
            saturated(name, x * y + z), turned, x]


@pytest.mark.parametrize("name", INTEGERS)
def test_integer_functions(dev, load, name):
    """S3-R20: abs to rotate, saturated and not, scalars and vectors."""
    count, code = 160, INTEGERS[name][0]
    # Two more, since vload3 reads behind the last.
    a, b, c = (samples(name, count + 2, f"{name}{which}") for which in "abc")
    out = put(dev, "Q", [0] * ROW * count)
    run(dev, load(dev, "cl/integers")["integers_" + name], 5, 32, put(dev, code, a),
        put(dev, code, b), put(dev, code, c), out)
    found = get(out, "Q")
    for i in range(count):
        want = [value % (1 << 64) for value in integer_row(name, a[i], b[i], c[i])]
        assert found[ROW * i:ROW * i + ROW] == want, (a[i], b[i], c[i])


def test_products_of_24_bits(dev, load):
    """S3-R20: mul24, mad24, upsample."""
    choose = random.Random(24)
    a = [choose.randint(-1 << 23, (1 << 23) - 1) for _ in range(65)]
    b = [choose.getrandbits(24) for _ in range(65)]
    out = put(dev, "i", [0] * 4 * 64)
    run(dev, load(dev, "cl/integers")["products_24"], 2, 32, put(dev, "i", a), put(dev, "I", b), out)
    assert get(out, "i") == [wrapped("int", v) for i in range(64) for v in (
        a[i] * a[i + 1], a[i] * a[i + 1] + a[i], b[i] * b[i + 1], a[i] << 16 | b[i] & 0xffff)]


@pytest.mark.parametrize("name", INTEGERS)
def test_quotients(dev, load, name):
    """S3-R20: in a vector, an element with a divisor of 0, or a quotient that its type does not have, changes no other."""
    count, code = 64 * 16, INTEGERS[name][0]
    a, b = (samples(name, count, f"{name}{which}") for which in "ab")
    out = put(dev, code, [0] * 2 * count)
    run(dev, load(dev, "cl/integers")["quotients_" + name], 2, 32, put(dev, code, a), put(dev, code, b), out)
    found = get(out, code)
    for i, (x, y) in enumerate(zip(a, b)):
        if y not in (0, -1):
            quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
            assert (found[i], found[count + i]) == (quotient, x - y * quotient), (i, x, y)


def bits_of(number):
    """A float's bits as a signed word."""
    return struct.unpack("<i", struct.pack("<f", number))[0]


def float_of(bits):
    """The reverse."""
    return struct.unpack("<f", struct.pack("<i", bits))[0]


def neighbours(exact):
    """The largest float that is not above, and the smallest that is not below."""
    try:
        near = single(float(exact))
    except OverflowError:
        near = math.copysign(math.inf, exact)
    if near == exact:
        return near, near
    step = 1 if (near > exact) == (near < 0) else -1
    other = float_of(bits_of(near) + step)
    return (other, near) if near > exact else (near, other)


def nearest(exact):
    """Rounded to the nearest float, half to even."""
    low, high = neighbours(exact)
    below, above = exact - Fraction(low), Fraction(high) - exact
    return low if below < above or (below == above and bits_of(low) % 2 == 0) else high


def conversion_row(x):
    """What kernel from_TYPE of conversions.cl writes for a finite number."""
    exact = Fraction(x)
    low, high = neighbours(exact)
    up, down, even, cut = math.ceil(exact), math.floor(exact), round(exact), math.trunc(exact)
    sums = saturated("int", cut) + bits_of(nearest(exact))
    return [saturated("char", cut), saturated("uchar", even), saturated("short", up),
            saturated("ushort", down), saturated("int", cut), saturated("uint", even),
            saturated("long", down), wrapped("long", saturated("ulong", up)),
            bits_of(high if x < 0 else low), bits_of(high), bits_of(low), wrapped("int", sums)]


@pytest.mark.parametrize("name", ["char", "ushort", "int", "uint", "long", "ulong"])
def test_conversions_of_integers(dev, load, name):
    """S3-R20: saturated to all types; to float in every rounding."""
    count = 96
    data, out = samples(name, count, name), put(dev, "q", [0] * 12 * count)
    run(dev, load(dev, "cl/conversions")["from_" + name], 3, 32, put(dev, INTEGERS[name][0], data), out)
    found = get(out, "q")
    for i, x in enumerate(data):
        assert found[12 * i:12 * i + 12] == conversion_row(x), x


@pytest.mark.parametrize("name, code", [("float", "f"), ("double", "d")])
def test_conversions_of_reals(dev, load, name, code):
    """S3-R20: the four roundings, ties, and numbers that no integer type has."""
    choose = random.Random(name)
    data = [0.5, 1.5, 2.5, -0.5, -1.5, 127.5, -128.5, 255.5, 65535.5, 2147483520.0, 4294967040.0,
            1e10, -1e10, 1e19, -1e19, 3e20, 0.0, 1e-30, -1e-30, 16777217.0]
    data += [choose.uniform(-1, 1) * 2 ** choose.randrange(66) for _ in range(76)]
    data = [single(x) for x in data] if code == "f" else data
    out = put(dev, "q", [0] * 12 * len(data))
    run(dev, load(dev, "cl/conversions")["from_" + name], 3, 32, put(dev, code, data), out)
    found = get(out, "q")
    for i, x in enumerate(data):
        assert found[12 * i:12 * i + 12] == conversion_row(x), x


def half_values():
    """All halves that are not negative, in order; the last is where infinity begins."""
    return [struct.unpack("<e", struct.pack("<H", bits))[0] for bits in range(0x7c00)] + [65536.0]


def half_row(x, halves):
    """Bits in the modes nearest, to zero, up, down, nearest."""
    low = max(i for i, h in enumerate(halves) if h <= min(abs(x), 65504))
    high = low if abs(x) == halves[low] else low + 1
    middle = (halves[low] + halves[high]) / 2
    near = high if abs(x) > middle or (abs(x) == middle and low % 2) else low
    sign = 0x8000 if x < 0 else 0
    return [sign | mode for mode in (near, low, low if sign else high, high if sign else low, near)]


def test_halves(dev, load):
    """S3-R20: vstore_half in every rounding, from float and double; vload_half."""
    choose, halves = random.Random(16), half_values()
    data = [0.0, 1.0, -1.0, 2049.0, 2051.0, -2049.0, 65504.0, 65519.0, 65520.0, -65520.0, 2.0 ** -24,
            2.0 ** -25, 3 * 2.0 ** -26, -2.0 ** -26, 2.0 ** -14, 1023.75 * 2.0 ** -24, 70000.0, 1e-8]
    data += [single(choose.uniform(-2, 2) * 2.0 ** choose.randrange(-26, 15)) for _ in range(46)]
    out, back = put(dev, "H", [0] * 5 * 64), put(dev, "f", [0] * 64)
    run(dev, load(dev, "cl/conversions")["halves"], 2, 32, put(dev, "f", data), out, back)
    want = [half_row(x, halves) for x in data]
    assert get(out, "H") == [bits for row in want for bits in row]
    assert get(back, "f") == [struct.unpack("<e", struct.pack("<H", row[0]))[0] for row in want]


def test_shuffles(dev, load):
    """S3-R20: shuffle, shuffle2, vectors of three in memory without gaps."""
    choose = random.Random(4)
    data, mask = ([choose.getrandbits(32) for _ in range(4 * 16)] for _ in range(2))
    out = put(dev, "I", [0] * 4 * (64 + 12))
    run(dev, load(dev, "cl/conversions")["shuffles"], 1, 16, put(dev, "I", data), put(dev, "I", mask), out)
    found, want = get(out, "I"), []
    for i in range(0, 64, 4):
        x, m = data[i:i + 4], mask[i:i + 4]
        both = x + x[::-1]
        want += [x[k & 3] for k in m] + [both[k & 7] for k in m]
    assert found[:128] == want
    assert found[256:304] == [data[3 * (i // 3) + 2 - i % 3] for i in range(48)]


def math_row(x, y):
    """What kernel maths_TYPE of maths.cl writes for one work-item."""
    t = min(max((x + 2) / 7, 0), 1)
    size = math.sqrt(2 * (x * x + y * y))
    return [
        math.sin(x), math.cos(x), math.tan(x), math.exp(x / 8), math.log(abs(x)), math.log2(abs(x)),
        2 ** y, abs(x) ** y, math.sqrt(abs(x)), math.atan2(x, y), math.fmod(x, y), math.floor(x),
        math.ceil(x), math.copysign(math.floor(abs(x) + 0.5), x), round(x), math.trunc(x),
        math.hypot(x, y), x * y + x, math.copysign(x, y), max(x, y), min(x, y),
        math.copysign(abs(x) ** (1 / 3), x), math.sinh(y), math.tanh(x), math.erf(y),
        math.gamma(abs(y) + 1), math.sin(math.pi * y), math.cos(math.pi * x), x + (y - x) / 4,
        t * t * (3 - 2 * t), min(max(x, -1), 2), size, 4 * x * y, y / size, x * x - 2 * y, x, x,
        math.sin(y) + math.cos(y), (x > 0) - (x < 0) + (y >= x) + y, math.asinh(x)]


@pytest.mark.parametrize("name, code, relative", [("float", "f", 2e-5), ("double", "d", 1e-12)])
def test_mathematics(dev, load, name, code, relative):
    """S3-R20: mathematical, common, geometric and relational functions, both precisions."""
    choose, count = random.Random(name), 64
    a = [single(choose.uniform(-9, 9)) for _ in range(count)]
    b = [single(choose.uniform(0.1, 4) * choose.choice((-1, 1))) for _ in range(count)]
    out, flags = put(dev, code, [0] * 40 * count), put(dev, "i", [0] * count)
    run(dev, load(dev, "cl/maths")["maths_" + name], 2, 32, put(dev, code, a), put(dev, code, b), out,
        flags)
    found, signs = get(out, code), get(flags, "i")
    for i, (x, y) in enumerate(zip(a, b)):
        assert_close(found[40 * i:40 * i + 40], math_row(x, y), relative, 50 * relative)
        exponent = math.frexp(x)[1] - 1
        assert signs[i] == 2 | (x < y) << 2 | (x < 0) << 3 | 1 << 4 | (x >= y) << 5 | exponent << 8
