# SPDX-License-Identifier: Apache-2.0
"""The image pipeline of test_graph_workloads.py in Python: as tests/kernels/graph_image.c."""


def grey(colours):
    """Brightness."""
    return [((c >> 16 & 255) * 77 + (c >> 8 & 255) * 150 + (c & 255) * 29) >> 8 for c in colours]


def _near(picture, w, h, x, y):
    return picture[min(max(y, 0), h - 1) * w + min(max(x, 0), w - 1)]


def blur(picture, w, h, along_y):
    """1 4 6 4 1."""
    return [sum(weight * _near(picture, w, h, x + (0 if along_y else i), y + (i if along_y else 0))
                for i, weight in zip(range(-2, 3), (1, 4, 6, 4, 1))) + 8 >> 4
            for y in range(h) for x in range(w)]


def slope(picture, w, h, along_y):
    """Sobel."""
    def at(x, y, i, side):
        return _near(picture, w, h, x + (i if along_y else side), y + (side if along_y else i))
    return [sum(weight * (at(x, y, i, 1) - at(x, y, i, -1)) for i, weight in zip((-1, 0, 1), (1, 2, 1)))
            for y in range(h) for x in range(w)]


def edge(along_x, along_y):
    """Size of the slope."""
    return [min(abs(x) + abs(y), 255) for x, y in zip(along_x, along_y)]


def table(picture):
    """The table that makes all values about equally frequent."""
    total, made = 0, []
    for value in range(256):
        total += picture.count(value)
        made.append(total * 255 // len(picture))
    return made


def half(picture, w, h):
    """Half the size."""
    return [sum(picture[(2 * y + dy) * w + 2 * x + dx] for dy in (0, 1) for dx in (0, 1)) // 4
            for y in range(h // 2) for x in range(w // 2)]


def pipeline(colours, w, h, least):
    """(result, its half, the table)."""
    plain = grey(colours)
    soft = blur(blur(plain, w, h, 0), w, h, 1)
    edges = edge(slope(soft, w, h, 0), slope(soft, w, h, 1))
    values = table(plain)
    even = [values[one] for one in plain]
    joined = [255 if one >= least else other for one, other in zip(edges, even)]
    return joined, half(joined, w, h), values
