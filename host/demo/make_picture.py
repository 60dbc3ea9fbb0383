#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Paints harbour.pgm, the picture of the demo: a harbour at dusk, 320 x 240, 8-bit grey.

    make_picture.py [FILE]

Made of formulas only, so the picture is ours. Needs the standard library.
"""

import math
import sys
from pathlib import Path

WIDTH, HEIGHT, HORIZON = 320, 240, 132
SUN = (228.0, 74.0, 17.0)
Picture = list  # Rows of floats, 0 black to 255 white.


def _hash(x: int, y: int, seed: int) -> float:
    """0 to 1, from integers."""
    word = (x * 374761393 + y * 668265263 + seed * 2147483647) & 0xffffffff
    word = (word ^ word >> 13) * 1274126177 & 0xffffffff
    return ((word ^ word >> 16) & 0xffff) / 65535


def _noise(x: float, y: float, seed: int) -> float:
    """Smooth, 0 to 1, features of size 1."""
    left, top = math.floor(x), math.floor(y)
    u, v = x - left, y - top
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    above = _hash(left, top, seed) * (1 - u) + _hash(left + 1, top, seed) * u
    below = _hash(left, top + 1, seed) * (1 - u) + _hash(left + 1, top + 1, seed) * u
    return above * (1 - v) + below * v


def _clouds(x: float, y: float, seed: int) -> float:
    """Noise of four octaves, 0 to 1."""
    return sum(_noise(x * 2 ** octave, y * 2 ** octave, seed + octave) / 2 ** (octave + 1)
               for octave in range(4)) / 0.9375


def _sky(x: int, y: int) -> float:
    light = 96 + 108 * y / HORIZON
    distance = math.hypot(x - SUN[0], y - SUN[1])
    light += 70 * math.exp(-distance / 34)
    veil = max(0.0, _clouds(x / 74, y / 17, 3) - 0.46) * 2.3
    light = light * (1 - 0.45 * veil) + 34 * veil
    return 252 if distance < SUN[2] and veil < 0.75 else min(light, 246)


def _hills(x: int) -> float:
    far = 16 + 13 * math.sin(x / 37 + 0.8) + 7 * math.sin(x / 15)
    return HORIZON - max(2.0, far + 10 * (_noise(x / 9, 0, 11) - 0.5))


def _land(x: int, y: int) -> float:
    return 74 + 30 * _clouds(x / 13, y / 7, 21) - (y - _hills(x)) * 0.7


def _water(x: int, y: int) -> float:
    depth = (y - HORIZON) / (HEIGHT - HORIZON)
    wave = math.sin((y - HORIZON) ** 0.72 * 3.1 + 2.5 * _noise(x / 22, y / 6, 31))
    ripple = _clouds(x / (6 + 26 * depth), y / (1.4 + 5 * depth), 41) - 0.5
    light = 124 - 62 * depth + 13 * wave * (0.35 + depth) + 46 * ripple
    spread = 9 + 34 * depth
    glitter = math.exp(-((x - SUN[0]) / spread) ** 2) * max(0.0, 0.35 + wave * 0.5 + ripple)
    return light + 150 * glitter * (1 - 0.55 * depth)


def _scene() -> Picture:
    rows = []
    for y in range(HEIGHT):
        row = []
        for x in range(WIDTH):
            if y >= HORIZON:
                row.append(_water(x, y))
            else:
                row.append(_land(x, y) if y > _hills(x) else _sky(x, y))
        rows.append(row)
    return rows


def _dot(rows: Picture, x: int, y: int, shade: float, cover: float = 1.0) -> None:
    if 0 <= x < WIDTH and 0 <= y < HEIGHT:
        rows[y][x] = rows[y][x] * (1 - cover) + shade * cover


def _polygon(rows: Picture, corners, shade) -> None:
    """Fills a polygon; shade is a number, or a function of x and y."""
    low, high = min(y for _x, y in corners), max(y for _x, y in corners)
    for y in range(math.ceil(low), math.floor(high) + 1):
        cuts = []
        for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1]):
            if (y0 <= y) != (y1 <= y):
                cuts.append(x0 + (y - y0) * (x1 - x0) / (y1 - y0))
        cuts.sort()
        for begin, end in zip(cuts[::2], cuts[1::2]):
            for x in range(math.ceil(begin), math.floor(end) + 1):
                _dot(rows, x, y, shade(x, y) if callable(shade) else shade)


def _line(rows: Picture, x0: float, y0: float, x1: float, y1: float, shade: float) -> None:
    steps = int(max(abs(x1 - x0), abs(y1 - y0))) + 1
    for step in range(steps + 1):
        x = x0 + (x1 - x0) * step / steps
        y = y0 + (y1 - y0) * step / steps
        _dot(rows, math.floor(x), round(y), shade, 1 - (x - math.floor(x)))
        _dot(rows, math.floor(x) + 1, round(y), shade, x - math.floor(x))


def _lighthouse(rows: Picture) -> None:
    def tower(x: int, y: int) -> float:
        stripe = 216 if (y - 52) // 13 % 2 == 0 else 92
        return stripe - 6.5 * abs(x - 61)

    _polygon(rows, [(26, 132), (38, 121), (88, 122), (104, 132)],
             lambda x, y: 52 + 34 * _clouds(x / 6, y / 4, 51))
    _polygon(rows, [(54, 123), (57, 52), (67, 52), (70, 123)], tower)
    _polygon(rows, [(54, 52), (54, 49), (70, 49), (70, 52)], 44)
    _polygon(rows, [(58, 49), (58, 40), (66, 40), (66, 49)], 244)
    _polygon(rows, [(56, 40), (62, 33), (68, 40)], 38)
    for distance in range(1, 70):
        for side in range(-distance // 9, distance // 9 + 1):
            _dot(rows, 66 + distance, 44 + side - distance // 22, 255,
                 0.5 * math.exp(-distance / 24))


def _boat(rows: Picture, x: float, y: float, length: float, shade: float) -> None:
    mast = y - length * 1.25
    _polygon(rows, [(x - length / 2, y - 1), (x + length / 2, y - 2), (x + length * 0.4, y + 5),
                    (x - length * 0.38, y + 5)], lambda a, b: shade + 3 * (y - b))
    _polygon(rows, [(x + 1, mast), (x + 1, y - 5), (x + length * 0.42, y - 5)],
             lambda a, b: 222 - 1.6 * (a - x))
    _polygon(rows, [(x - 1, mast + 4), (x - 1, y - 5), (x - length * 0.36, y - 5)],
             lambda a, b: 186 + 1.2 * (a - x))
    _line(rows, x, mast - 3, x, y - 1, 30)
    for depth in range(6, int(length * 0.8)):
        sway = 2.2 * math.sin(depth * 0.9 + x)
        for across in range(-int(length * 0.34), int(length * 0.34)):
            _dot(rows, int(x + across + sway), int(y + depth), shade,
                 0.42 * (1 - depth / (length * 0.8)))


def _pier(rows: Picture) -> None:
    _polygon(rows, [(196, 206), (320, 186), (320, 197), (192, 214)],
             lambda x, y: 58 + 22 * ((x + y) // 5 % 2) + 18 * _hash(x // 2, y, 61))
    for post in range(8):
        x, top = 200 + post * 16, 205 - post * 2.6
        _polygon(rows, [(x, top - 9), (x + 4, top - 9), (x + 4, HEIGHT - 8), (x, HEIGHT - 8)],
                 lambda a, b: 30 + 9 * (a % 4))
        if post:
            _line(rows, x - 14, top - 6, x + 2, top - 7, 24)


def paint() -> bytes:
    """The pixels, row by row."""
    rows = _scene()
    _lighthouse(rows)
    _boat(rows, 152, 150, 26, 54)
    _boat(rows, 262, 160, 34, 40)
    _boat(rows, 96, 186, 52, 34)
    _pier(rows)
    grain = [(_hash(place % WIDTH, place // WIDTH, 71) - 0.5) * 5
             for place in range(WIDTH * HEIGHT)]
    return bytes(max(0, min(255, round(value + grain[place]))) for place, value in
                 enumerate(value for row in rows for value in row))


def main() -> None:
    """Writes the picture."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("harbour.pgm")
    path.write_bytes(b"P5\n%d %d\n255\n" % (WIDTH, HEIGHT) + paint())


if __name__ == "__main__":
    main()
