# SPDX-License-Identifier: Apache-2.0
"""Kernels on the chunks of Dask's arrays."""

from typing import Any, Callable, List, Optional, Sequence, Union

import dask.array as da
import numpy as np

from ..checks import Dimensions, dimensions
from ..typed import Json
from .calls import call
from .code import Code, Out

_Array = Any  # np.ndarray, or what Dask has in place of it.


class _Mark:
    """A place of an argument."""

    def __init__(self, name: str):
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Mark) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"ganger.distributed.{self.name}"


IN = _Mark("IN")  # The chunk.
OUT = _Mark("OUT")  # The chunk of the result.


def rows(chunk: _Array) -> int:
    """Its length along the first axis."""
    return int(chunk.shape[0])


def columns(chunk: _Array) -> int:
    """Its length along the second axis."""
    return int(chunk.shape[1])


def size(chunk: _Array) -> int:
    """Its number of elements."""
    return int(chunk.size)


def _grid_of(chunk: _Array, block: Dimensions) -> List[int]:
    """A thread for each element, x along the last axis; the last CTAs may reach over the end."""
    return [-(-length // threads) for length, threads in
            zip(reversed(chunk.shape), (*dimensions("block", block), 1, 1, 1))]


def _chunk(chunk: _Array, code: Code, args: Sequence[Any], grid: Optional[Callable[[_Array], Dimensions]],
           block: Dimensions, kind: Any, keywords: Json) -> _Array:
    """The chunk of the result."""
    if chunk.size == 0:  # Dask asks for the type with such a chunk, also where there is no worker.
        return np.empty(chunk.shape, kind)
    given = [chunk if one == IN else Out(chunk.shape, kind) if one == OUT else one(chunk) if callable(one) else one
             for one in args]
    return call(code, given, {"grid": _grid_of(chunk, block) if grid is None else grid(chunk), "block": block, **keywords})


def map_blocks(code: Code, array: Any, *, args: Sequence[Any] = (IN, OUT, size), block: Dimensions = 64,
               grid: Optional[Callable[[_Array], Dimensions]] = None, dtype: Any = None,
               depth: Union[int, Sequence[int]] = 0, boundary: Any = "none", **keywords: Any) -> Any:
    """An array of Dask's whose chunks are what a kernel makes of those of another one, of the same shape.

    args      the kernel's: IN is the chunk, OUT that of the result, a function is called with the chunk (rows, columns,
              size, or any that can be sent to a worker); all else as of submit()
    grid      a function of the chunk; None: a thread for each element, x along the last axis
    dtype     type of the result; None: of the array
    depth     elements of the neighbours that a chunk sees on each side, as of dask.array.map_overlap(); boundary: as there
    Others as of ganger.Work. Nothing runs before compute() or persist().
    """
    kind = np.dtype(array.dtype if dtype is None else dtype)
    more = {"code": code, "args": list(args), "grid": grid, "block": block, "kind": kind, "keywords": keywords}
    meta = np.empty((0,) * array.ndim, kind)
    if depth == 0:
        return da.map_blocks(_chunk, array, dtype=kind, meta=meta, **more)
    return da.map_overlap(_chunk, array, depth=depth, boundary=boundary, meta=meta, **more)
