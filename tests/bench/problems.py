# SPDX-License-Identifier: Apache-2.0
"""What bench_kernels.py computes: problems with their data, and ways to split them over CTAs."""

import math
import random
from array import array
from typing import Callable, Dict, List, NamedTuple, Tuple

SGEMM_SIZE = 256
PICTURE_SIZE = 512
TAPS = 5  # LOOPS_TAPS of kernels/loops.h
SUM_SIZE = 1_000_000
TILE = 16  # of kernels/forms.c
CTA_THREADS = (16, 64, 256, 1024)


class Problem(NamedTuple):
    """loop: of baseline.LOOPS; size: n, width or elements; right: whether a
    result is what Python computes; it looks at some elements."""
    loop: str
    title: str
    size: int
    inputs: List[bytes]
    result_bytes: int
    right: Callable[[bytes], bool]


class Shape(NamedTuple):
    """A launch: grid and block, and the numbers that the kernel takes after its buffers."""
    grid: Tuple[int, ...]
    block: Tuple[int, ...]
    numbers: Tuple[int, ...]

    @property
    def ctas(self) -> int:
        return math.prod(self.grid)

    @property
    def threads(self) -> int:
        """Of all CTAs."""
        return self.ctas * math.prod(self.block)


class Split(NamedTuple):
    """A kernel that does a problem, with so many results or elements for each thread."""
    problem: str
    kernel: str
    each: int


class Form(NamedTuple):
    """A kernel of the comparison of barriers. meetings: barriers of a thread, also where loops or
    nothing take their place; threads: of all CTAs, seen as work-items."""
    problem: str
    title: str
    kernel: str
    shape: Shape
    meetings: int
    threads: int


SPLITS = (
    Split("sgemm", "sgemm", 1),
    Split("convolve", "convolve", 1), Split("convolve", "convolve_row", 8),
    Split("sum", "sum_atomic", 16), Split("sum", "sum_atomic", 256),
)


def shape(problem: Problem, split: Split, threads: int) -> Shape:
    """CTAs of so many threads: rows of the result, as long as they are, else elements."""
    if problem.loop == "sum":
        ctas = math.ceil(problem.size / split.each / threads)
        return Shape((ctas,), (threads,), (problem.size, split.each))
    columns = problem.size // split.each
    x = min(threads, columns)
    numbers = (problem.size,) if split.each == 1 else (problem.size, split.each)
    return Shape((columns // x, problem.size * x // threads), (x, threads // x), numbers)


def forms() -> Tuple[Form, ...]:
    """Each problem with stacks, with loops, and without barriers, in CTAs of as many work-items."""
    n, threads, count = SGEMM_SIZE, TILE * TILE, 16
    tiles, ctas = n // TILE, math.ceil(SUM_SIZE / count / threads)
    items, meetings, levels = n * n, 2 * n // TILE, threads.bit_length()
    return (
        Form("sgemm", "tiles, barriers with stacks", "sgemm_stacks",
             Shape((tiles, tiles), (TILE, TILE), (n,)), meetings, items),
        Form("sgemm", "tiles, loops between barriers", "sgemm_loops",
             Shape((tiles, tiles), (1, 1), (n,)), meetings, items),
        Form("sgemm", "no tiles, no barrier", "sgemm",
             Shape((tiles, tiles), (TILE, TILE), (n,)), 0, items),
        Form("sum", "tree, barriers with stacks", "sum_stacks",
             Shape((ctas,), (threads,), (SUM_SIZE, count)), levels, ctas * threads),
        Form("sum", "tree, loops between barriers", "sum_loops",
             Shape((ctas,), (1,), (SUM_SIZE, count, threads)), levels, ctas * threads),
        Form("sum", "no tree, no barrier", "sum_atomic",
             Shape((ctas,), (threads,), (SUM_SIZE, count)), 0, ctas * threads),
    )


def _floats(dice: random.Random, count: int) -> array:
    """0 to 1, each a multiple of 1/1000 as far as a float can."""
    return array("f", [number / 1000 for number in dice.choices(range(1001), k=count)])


def _near(result: bytes, expected: Callable[[int], float]) -> bool:
    """Some elements, among them the first and the last; with room for the order of the sum."""
    values = array("f", result)
    return all(math.isclose(values[i], expected(i), rel_tol=1e-4)
               for i in (*range(0, len(values), 4099), len(values) - 1))


def _sgemm(dice: random.Random) -> Problem:
    n = SGEMM_SIZE
    a, b = _floats(dice, n * n), _floats(dice, n * n)

    def element(i: int) -> float:
        row, column = divmod(i, n)
        return sum(a[row * n + k] * b[k * n + column] for k in range(n))

    return Problem("sgemm", f"sgemm {n} x {n} x {n}", n, [a.tobytes(), b.tobytes()], 4 * n * n,
                   lambda result: _near(result, element))


def _convolve(dice: random.Random) -> Problem:
    n, pitch = PICTURE_SIZE, PICTURE_SIZE + TAPS - 1
    picture, taps = _floats(dice, pitch * pitch), _floats(dice, TAPS * TAPS)

    def pixel(i: int) -> float:
        y, x = divmod(i, n)
        return sum(taps[dy * TAPS + dx] * picture[(y + dy) * pitch + x + dx]
                   for dy in range(TAPS) for dx in range(TAPS))

    return Problem("convolve", f"convolution {n} x {n}, {TAPS} x {TAPS}", n,
                   [picture.tobytes(), taps.tobytes()], 4 * n * n,
                   lambda result: _near(result, pixel))


def _sum(dice: random.Random) -> Problem:
    data = array("I", dice.randbytes(4 * SUM_SIZE))
    total = array("I", [sum(data) % 2**32]).tobytes()
    return Problem("sum", f"sum of {SUM_SIZE:,}", SUM_SIZE, [data.tobytes()], 4,
                   lambda result: result == total)


def problems() -> Dict[str, Problem]:
    """The same data at each call."""
    dice = random.Random(20)
    return {problem.loop: problem for problem in (_sgemm(dice), _convolve(dice), _sum(dice))}
