# SPDX-License-Identifier: Apache-2.0
"""OpenCL C: pictures, particles, transforms and statistics, against plain Python."""
import cmath
import math
import random

import pytest

import ganger
from opencl_support import SIZES, assert_close, dev, get, groups, put, run, single  # noqa: F401

pytestmark = pytest.mark.usefixtures("dev")


def clamped(data, width, height):
    """at(x, y) of a picture whose border goes on outside."""
    return lambda x, y: data[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]


@pytest.mark.parametrize("width, height", [(1, 1), (8, 4), (19, 13)])
def test_stencil_in_a_plane(dev, load, width, height):
    """S3-R74, S3-R18: a tile with a halo in local memory."""
    data = [random.Random(7).getrandbits(20) for _ in range(width * height)]
    at, out = clamped(data, width, height), put(dev, "i", [0] * width * height)
    run(dev, load(dev, "cl/stencil")["stencil2d"], (groups(width, 8), groups(height, 4)), (8, 4),
        put(dev, "i", data), out, width, height)
    assert get(out, "i") == [4 * at(x, y) - at(x - 1, y) - at(x + 1, y) - at(x, y - 1) - at(x, y + 1)
                             for y in range(height) for x in range(width)]


def test_stencil_in_space(dev, load):
    """S0-R42: three dimensions, early return."""
    w, h, d = 6, 5, 8
    data, out = [i * i % 1009 for i in range(w * h * d)], put(dev, "i", [0] * w * h * d)
    run(dev, load(dev, "cl/stencil")["stencil3d"], (3, 1, 2), (2, 5, 4), put(dev, "i", data), out)
    want = list(data)
    for i in range(w * h * d):
        x, y, z = i % w, i // w % h, i // w // h
        if 0 < x < w - 1 and 0 < y < h - 1 and 0 < z < d - 1:
            want[i] = sum(data[i + step] for step in (-1, 1, -w, w, -w * h, w * h)) - 6 * data[i]
    assert get(out, "i") == want


@pytest.mark.parametrize("n", [1, 63, 67])
def test_bodies(dev, load, n):
    """S3-R74: float4 in local memory, swizzles, rsqrt, mad."""
    choose, dt, soft = random.Random(n), 0.01, 0.1
    bodies = [[single(choose.uniform(-1, 1)) for _ in range(3)] + [1.0 + k % 3] for k in range(n)]
    velocity, after = put(dev, "f", [0] * 4 * n), put(dev, "f", [0] * 4 * n)
    run(dev, load(dev, "cl/nbody")["nbody"], groups(n, 16), 16,
        put(dev, "f", [v for b in bodies for v in b]), velocity, after, n, dt, soft,
        ganger.local(16 * 16))
    want = []
    for me in bodies:
        force = [0.0] * 3
        for other in bodies:
            r = [other[k] - me[k] for k in range(3)]
            scale = other[3] * (sum(part * part for part in r) + soft) ** -1.5
            force = [f + part * scale for f, part in zip(force, r)]
        want += [me[k] + force[k] * dt * dt for k in range(3)] + [me[3]]
    assert_close(get(after, "f"), want, 1e-4, 1e-5)


@pytest.mark.parametrize("bits", [1, 5, 7])
def test_fourier_transform(dev, load, bits):
    """S3-R40: sin and cos, float2, a launch for each stage."""
    n, kernel = 1 << bits, load(dev, "cl/fft")["fft_stage"]
    data = [complex(math.sin(3 * i), i % 5) for i in range(n)]
    now, then = (put(dev, "f", [p for c in data for p in (c.real, c.imag)]) for _ in range(2))
    for stage in range(bits):
        run(dev, kernel, groups(n // 2, 16), min(n // 2, 16), now, then, 1 << stage)
        now, then = then, now
    turn = -2j * math.pi / n
    want = [sum(c * cmath.exp(turn * k * i) for i, c in enumerate(data)) for k in range(n)]
    assert_close(get(now, "f"), [p for c in want for p in (c.real, c.imag)], 1e-4, 1e-3)


@pytest.mark.parametrize("radius", [0, 1, 2])
def test_convolution(dev, load, radius):
    """S3-R10: a mask in constant memory as an argument, convert_uchar_sat."""
    width, height = 15, 12
    side, data = 2 * radius + 1, random.Random(2).randbytes(15 * 12)
    mask = [(i * 7) % 11 - 3 for i in range(side * side)]
    at, out = clamped(data, width, height), dev.buffer(bytes(width * height))
    run(dev, load(dev, "cl/convolution")["convolve"], (3, 4), (5, 3), dev.buffer(data), out,
        put(dev, "i", mask), radius, 3)
    sums = [sum(at(x + i % side - radius, y + i // side - radius) * mask[i] for i in range(side * side))
            for y in range(height) for x in range(width)]
    assert list(bytes(out.read())) == [min(max(int(s / 3), 0), 255) for s in sums]


@pytest.mark.parametrize("count", SIZES)
def test_nearest_centre(dev, load, count):
    """S3-R40: k-means, its assignment step."""
    choose, clusters, dimensions = random.Random(count), 5, 3
    points = [choose.randrange(100) for _ in range(dimensions * count)]
    centres = [choose.randrange(100) for _ in range(dimensions * clusters)]
    nearest = put(dev, "i", [-1] * count)
    run(dev, load(dev, "cl/kmeans")["assign_points"], groups(count, 32), 32, put(dev, "f", points),
        put(dev, "f", centres), nearest, count, clusters, dimensions)
    assert get(nearest, "i") == [
        min(range(clusters), key=lambda c: sum(
            (points[d * count + i] - centres[c * dimensions + d]) ** 2 for d in range(dimensions)))
        for i in range(count)]


def test_mandelbrot(dev, load):
    """S3-R70: vector comparisons, any, select; points whose coordinates are exact."""
    width, height, most = 8, 12, 25
    out = put(dev, "I", [0] * 4 * width * height)
    run(dev, load(dev, "cl/mandelbrot")["mandelbrot"], (2, 4), (4, 3), out, -2.0, -0.75, 0.0625, most)
    found, wrong = get(out, "I"), 0
    for i, value in enumerate(found):
        c = complex(-2 + 0.0625 * (i % (4 * width)), -0.75 + 0.0625 * (i // (4 * width)))
        z, count = 0j, 0
        while count < most and z.real ** 2 + z.imag ** 2 <= 4:
            z, count = z * z + c, count + 1
        wrong += abs(value - count) > 0
    assert wrong <= 4, "more than rounding can explain"


def test_monte_carlo(dev, load):
    """S3-R40: 64-bit integers on both XLENs, an atomic on one word."""
    points, items, inside = 200, 96, put(dev, "I", [0])
    run(dev, load(dev, "cl/pi")["pi"], 3, 32, points, 12345, inside)
    hits = 0
    for item in range(items):
        state = 12345 + 7919 * item
        for _ in range(points):
            x = state = (1664525 * state + 1013904223) & 0xffffffff
            y = state = (1664525 * state + 1013904223) & 0xffffffff
            hits += (x >> 8) ** 2 + (y >> 8) ** 2 < 1 << 48
    assert get(inside, "I") == [hits]
    assert abs(4 * hits / (points * items) - math.pi) < 0.1


def test_options(dev, load):
    """S3-R40: log, exp, erfc, sqrt: prices after Black and Scholes."""
    choose, n, rate, volatility = random.Random(5), 60, 0.02, 0.3
    price, strike, years = ([single(choose.uniform(*span)) for _ in range(n)]
                            for span in ((5, 30), (1, 100), (0.25, 10)))
    call, sell = put(dev, "f", [0] * n), put(dev, "f", [0] * n)
    run(dev, load(dev, "cl/black_scholes")["black_scholes"], 5, 12, put(dev, "f", price),
        put(dev, "f", strike), put(dev, "f", years), call, sell, rate, volatility)
    normal = lambda d: 0.5 * math.erfc(-d / math.sqrt(2))  # noqa: E731
    calls, puts = [], []
    for s, x, t in zip(price, strike, years):
        d1 = (math.log(s / x) + (rate + volatility ** 2 / 2) * t) / (volatility * math.sqrt(t))
        d2, discount = d1 - volatility * math.sqrt(t), math.exp(-rate * t)
        calls.append(s * normal(d1) - x * discount * normal(d2))
        puts.append(x * discount * normal(-d2) - s * normal(-d1))
    assert_close(get(call, "f"), calls, 1e-3, 1e-3)
    assert_close(get(sell, "f"), puts, 1e-3, 1e-3)


def test_median(dev, load):
    """S3-R70: min and max on vectors of bytes."""
    width, height = 9, 7
    data, out = random.Random(6).randbytes(4 * width * height), dev.buffer(bytes(4 * width * height))
    run(dev, load(dev, "cl/median")["median"], (3, 7), (3, 1), dev.buffer(data), out)
    planes = [clamped(data[k::4], width, height) for k in range(4)]
    assert list(bytes(out.read())) == [
        sorted(at(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))[4]
        for y in range(height) for x in range(width) for at in planes]
