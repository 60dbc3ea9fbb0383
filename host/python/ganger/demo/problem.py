# SPDX-License-Identifier: Apache-2.0
"""What the demo computes, and the results that are expected. It needs no device."""

import array
import random
from typing import Any, Callable, Dict, List, NamedTuple, Sequence, Tuple

from ..pictures import Picture
from . import reference

TILE = 16
ROWS, COLUMNS, INNER = 200, 152, 168  # No multiples of the kernels' tile.


class Output(NamedTuple):
    """A place for a result of so many bytes."""
    nbytes: int


class Input(NamedTuple):
    """Bytes for the device. `of`: use the result of another step in place of them."""
    data: Any
    of: str = ""


class Job(NamedTuple):
    """A kernel with its arguments (Input, Output or numbers), and its place in the queue. check:
    number of wrong elements in the bytes of its result."""
    kernel: str
    grid: Tuple[int, ...]
    block: Tuple[int, ...]
    args: List[Any]
    priority: int
    channel: int
    check: Callable[[bytes], int]


def differences(found: Sequence[int], expected: Sequence[int]) -> int:
    """Places where two sequences differ; a different length counts, too."""
    return sum(1 for one, other in zip(found, expected) if one != other) \
        + abs(len(found) - len(expected))


def _tiles(*sizes: int) -> Tuple[int, ...]:
    return tuple(-(-size // TILE) for size in sizes)


def _picture_jobs(picture: Picture) -> List[Job]:
    width, height, pixels = picture
    blurred = reference.blurred(picture)
    edges = reference.edges(Picture(width, height, blurred))
    counts = reference.histogram(pixels)
    source, output = Input(pixels), Output(len(pixels))
    grid, block = _tiles(width, height), (TILE, TILE)
    return [
        Job("blur", grid, block, [source, output, width, height], 3, 0,
            lambda data: differences(data, blurred)),
        Job("sobel", grid, block, [Input(None, of="blur"), output, width, height], 1, 0,
            lambda data: differences(data, edges)),
        Job("histogram", (16,), (128,), [source, Output(4 * 256), len(pixels)], 6, 1,
            lambda data: differences(array.array("I", data), counts)),
    ]


def _matrix_job(kernel: str, matrices: Tuple[Any, Any], priority: int, channel: int,
                check: Callable[[bytes], int]) -> Job:
    left, right = matrices
    args = [Input(left), Input(right), Output(4 * ROWS * COLUMNS), ROWS, COLUMNS, INNER]
    return Job(kernel, _tiles(COLUMNS, ROWS), (TILE, TILE), args, priority, channel, check)


def _matrix_jobs() -> List[Job]:
    generator = random.Random(2024)

    def matrices(code: str, number: Callable[[], Any]) -> Tuple[Any, Any]:
        left, right = (array.array(code, (number() for _ in range(size)))
                       for size in (ROWS * INNER, INNER * COLUMNS))
        return left, right

    words = matrices("I", lambda: generator.getrandbits(32))
    floats = matrices("f", lambda: generator.uniform(-1, 1))
    product = reference.product_u32(*words, INNER, COLUMNS)
    return [
        _matrix_job("matmul_i32", words, 8, 2,
                    lambda data: differences(array.array("I", data), product)),
        _matrix_job("matmul_f32", floats, 9, 3,
                    lambda data: reference.product_errors(array.array("f", data), *floats, INNER,
                                                          COLUMNS)),
    ]


def make_jobs(picture: Picture) -> Dict[str, Job]:
    """All jobs by name, in the order of the pipeline."""
    return {job.kernel: job for job in [*_picture_jobs(picture), *_matrix_jobs()]}
