# SPDX-License-Identifier: Apache-2.0
"""The same results, computed in plain Python in another way than by the kernels."""

import array
import math
from operator import mul
from typing import Any, List, Sequence

from ..pictures import Picture


def _padded(picture: Picture) -> List[bytes]:
    """Rows with one pixel more at each side, edges repeated."""
    width, height, pixels = picture
    rows = [pixels[row * width:(row + 1) * width] for row in range(height)]
    rows = [row[:1] + row + row[-1:] for row in rows]
    return [rows[0], *rows, rows[-1]]


def blurred(picture: Picture) -> bytes:
    """Mean of 3 x 3 pixels, rounded to nearest."""
    rows = _padded(picture)
    result = bytearray()
    for above, here, below in zip(rows, rows[1:], rows[2:]):
        columns = [sum(three) for three in zip(above, here, below)]
        result += bytes((left + middle + right + 4) // 9 for left, middle, right in
                        zip(columns, columns[1:], columns[2:]))
    return bytes(result)


def edges(picture: Picture) -> bytes:
    """Sobel's operator: |across| + |down|, at most 255."""
    rows = _padded(picture)
    result = bytearray()
    for above, here, below in zip(rows, rows[1:], rows[2:]):
        smooth = [a + 2 * b + c for a, b, c in zip(above, here, below)]
        steep = [c - a for a, c in zip(above, below)]
        result += bytes(
            min(255, abs(smooth[x + 2] - smooth[x])
                + abs(steep[x] + 2 * steep[x + 1] + steep[x + 2]))
            for x in range(picture.width))
    return bytes(result)


def histogram(data: bytes) -> List[int]:
    """How often each of 256 values occurs."""
    return [data.count(value) for value in range(256)]


def _columns(matrix: Sequence[Any], columns: int) -> List[Sequence[Any]]:
    return [matrix[column::columns] for column in range(columns)]


def product_u32(left: Sequence[int], right: Sequence[int], inner: int, columns: int) -> "array.array[int]":
    """Matrix product modulo 2 ** 32; left has rows of `inner`, right rows of `columns`."""
    turned = _columns(right, columns)
    return array.array("I", (sum(map(mul, left[place:place + inner], column)) & 0xffffffff
                             for place in range(0, len(left), inner) for column in turned))


def product_errors(found: Sequence[float], left: Sequence[float], right: Sequence[float],
                   inner: int, columns: int) -> int:
    """Elements of a float product that are off by more than rounding in single precision can be."""
    turned = _columns(right, columns)
    wrong, place = 0, 0
    for row in range(0, len(left), inner):
        for column in turned:
            terms = list(map(mul, left[row:row + inner], column))
            bound = inner * 2.0 ** -23 * math.fsum(map(abs, terms))
            wrong += not abs(found[place] - math.fsum(terms)) <= bound
            place += 1
    return wrong
