# SPDX-License-Identifier: Apache-2.0
"""Work sets of 1 to 8 dimensions for PULL grids, and what puts their results in place."""

import ctypes
import math
from typing import Any, Dict, Optional, Sequence, Tuple, Union

from . import clib, structs
from .checks import U64, Dimensions, unsigned
from .errors import Error
from .typed import BytesLike, view_of

DIMENSIONS = structs.RANGE_DIMENSIONS
_I64 = (1 << 63) - 1


def _sequence(given: Union[int, Sequence[int]]) -> Tuple[int, ...]:
    return (given,) if isinstance(given, int) else tuple(given)


class Range:
    """A work set: `range=` of ganger.Work, with mode="pull". An item is a CTA; its index is one
    number a dimension, its position its place in the order of dispatch, from 0.

    sizes       items of each dimension, 1 to 8 of them: an int or a tuple; each 1 to 2**32
    order       dimensions, the one that varies fastest first; None: 0, 1, 2, …
    offset      added to the index of each dimension; None: 0
    descending  the last item is dispatched first
    rows        for sets that are no box: how many items each row has. A row runs along the fastest
                dimension, from its low end; rows are numbered by the others, in order.
                Range((8, 2), rows=(8, 6)) has 14 items

    Nothing changes it later. Raises Error ERR_RANGE with the field: a size of 0 or above 2**32, no
    items, 2**63 items or more, an index that 64 bits do not hold, order or rows.
    """

    def __init__(self, sizes: Union[int, Sequence[int]], order: Optional[Sequence[int]] = None,
                 offset: Union[None, int, Sequence[int]] = None, descending: bool = False,
                 rows: Optional[Sequence[int]] = None):
        self.sizes = _sequence(sizes)
        count = len(self.sizes)
        if not 1 <= count <= DIMENSIONS:
            raise Error("ERR_RANGE", f"1 to {DIMENSIONS} dimensions.", "nd_range.dimensions", count)
        self.order = tuple(range(count)) if order is None else _sequence(order)
        self.offset = (0,) * count if offset is None else _sequence(offset)
        self.descending = bool(descending)
        for field, numbers in (("order", self.order), ("offsets", self.offset)):
            if len(numbers) != count:
                raise Error("ERR_RANGE", f"One for each of the {count} dimensions.",
                            f"nd_range.{field}", numbers)
        self.rows = None if rows is None else tuple(rows)
        self._fill()
        items = ctypes.c_uint64()
        clib.call("gg_range_items", self.pointer, ctypes.byref(items))
        self.items = items.value

    def _fill(self) -> None:
        raw = self.raw = structs.Range()
        raw.dimensions, raw.descending = len(self.sizes), self.descending
        for at, size in enumerate(self.sizes):
            raw.sizes[at] = unsigned("nd_range.sizes", size, U64)
            raw.offsets[at] = unsigned("nd_range.offsets", self.offset[at], U64)
            raw.order[at] = unsigned("nd_range.order", self.order[at])
        # All zero stands for the plain order in C.
        if len(self.sizes) > 1 and not any(self.order):
            raise Error("ERR_RANGE", "Each dimension once.", "nd_range.order", self.order)
        if self.rows is not None:
            self._fill_rows(self.rows)

    def _fill_rows(self, rows: Tuple[int, ...]) -> None:
        """Where each row starts, from their lengths."""
        starts, fastest = [0], self.order[0]
        longest = self.sizes[fastest] if fastest < len(self.sizes) else _I64
        for length in rows:
            if not 0 <= length <= longest:
                raise Error("ERR_RANGE", f"A row has 0 to {longest} items.", "nd_range.rows", length)
            starts.append(min(starts[-1] + length, _I64))
        self._starts = (ctypes.c_uint64 * len(starts))(*starts)
        self.raw.rows, self.raw.row_count = self._starts, len(rows)

    @property
    def pointer(self) -> Any:
        """For the library."""
        return ctypes.byref(self.raw)

    def index(self, position: int) -> Tuple[int, ...]:
        """Index of a position, with offset. Raises Error ERR_ARGUMENT: there is none."""
        found = (ctypes.c_uint64 * DIMENSIONS)()
        clib.call("gg_range_index", self.pointer, unsigned("position", position, U64), found)
        return tuple(found[:len(self.sizes)])

    def position(self, index: Union[int, Sequence[int]]) -> int:
        """Position of an index. Raises Error ERR_ARGUMENT: there is no such item."""
        index = _sequence(index)
        if len(index) != len(self.sizes):
            raise Error("ERR_ARGUMENT", f"{len(self.sizes)} numbers.", "index", index)
        given = (ctypes.c_uint64 * DIMENSIONS)(*(unsigned("index", one, U64) for one in index))
        found = ctypes.c_uint64()
        clib.call("gg_range_position", self.pointer, given, ctypes.byref(found))
        return found.value

    def recompose(self, results: BytesLike, item_bytes: int, first: int = 0,
                  into: Optional[bytearray] = None) -> Union[bytes, bytearray]:
        """Puts results, in the order of dispatch, where they belong in N dimensions: an array of
        all sizes, dimension 0 contiguous, as a grid that is not pulled would have written it.

        results     any bytes-like, `item_bytes` for each item. Items with M results have M times
                    the bytes of one
        first       position of the first of them
        into        what to write them into, for parts that come one by one; places that rows leave
                    out stay as they are. None: new bytes, zero where nothing is, of all items
        Raises Error ERR_ARGUMENT: positions or bytes.
        """
        view = view_of(results).cast("B")
        unsigned("item_bytes", item_bytes, _I64)
        count = view.nbytes // item_bytes if item_bytes else 0
        if item_bytes == 0 or view.nbytes % item_bytes:
            raise Error("ERR_ARGUMENT", "Not whole items.", "item_bytes", item_bytes)
        if into is None and (first, count) != (0, self.items):
            raise Error("ERR_ARGUMENT", f"There are {self.items} items.", "results", count)
        output = bytearray(math.prod(self.sizes) * item_bytes) if into is None else into
        given = (ctypes.c_char * view.nbytes).from_buffer_copy(view)
        place = (ctypes.c_char * len(output)).from_buffer(output)
        address = ctypes.addressof(place)
        try:
            clib.call("gg_range_recompose", self.pointer, unsigned("first", first, U64), count,
                      given, item_bytes, address, len(output))
        finally:
            del place  # A bytearray that is referred to, also by an error's frames, cannot grow.
        return bytes(output) if into is None else output

    def __repr__(self) -> str:
        return f"<ganger.Range {'x'.join(map(str, self.sizes))}, {self.items} items>"


class _Expected:
    """Results of one id: in dispatch order until all are there."""

    def __init__(self, work_range: Range, result_bytes: int, per_item: int):
        self.range, self.result_bytes, self.per_item = work_range, result_bytes, per_item
        self.left = work_range.items * per_item
        self.seen = bytearray(self.left)
        self.data = bytearray(self.left * result_bytes)


class Results:
    """Results of several tasks that come one by one, in any order and mixed (S4-R105 to R109):
    each names its task by an id, and its item by the position.

        results = ganger.Results()
        results.expect(7, ganger.Range((4, 4)), result_bytes=4)
        while not results.put(7, position, data): ...
        grid = results.take(7)
    """

    def __init__(self) -> None:
        self._expected: Dict[int, _Expected] = {}

    def _of(self, task_id: int) -> _Expected:
        if task_id not in self._expected:
            raise Error("ERR_ARGUMENT", "No results of this id are expected.", "id", task_id)
        return self._expected[task_id]

    def expect(self, task_id: int, work_range: Range, result_bytes: int, per_item: int = 1) -> None:
        """Begins to take results of an id: `per_item` of `result_bytes` for each item of a range.
        Raises Error ERR_ARGUMENT, ERR_BUSY (the id is in use)."""
        if result_bytes < 1 or per_item < 1:
            raise Error("ERR_ARGUMENT", "1 or more.", "result_bytes * per_item",
                        result_bytes * per_item)
        if task_id in self._expected:
            raise Error("ERR_BUSY", "The id is in use.", "id", task_id)
        self._expected[task_id] = _Expected(work_range, result_bytes, per_item)

    def put(self, task_id: int, position: int, data: BytesLike, part: int = 0) -> bool:
        """A result: number `part` of the item at a position. True when all of the id are there.
        Raises Error ERR_ARGUMENT: id, position, part or bytes, or a result that is there."""
        one = self._of(task_id)
        unsigned("position", position, one.range.items - 1)
        place = position * one.per_item + unsigned("part", part, one.per_item - 1)
        view = view_of(data).cast("B")
        if view.nbytes != one.result_bytes:
            raise Error("ERR_ARGUMENT", f"A result has {one.result_bytes} bytes.", "data",
                        view.nbytes)
        if one.seen[place]:
            raise Error("ERR_ARGUMENT", "The result is there already.", "position", position)
        one.seen[place] = 1
        one.data[place * one.result_bytes:(place + 1) * one.result_bytes] = view
        one.left -= 1
        return one.left == 0

    def left(self, task_id: int) -> int:
        """Results that are still to come. Raises Error ERR_ARGUMENT."""
        return self._of(task_id).left

    def take(self, task_id: int) -> bytes:
        """All results in N dimensions, see Range.recompose(); the id is free again. Raises Error
        ERR_ARGUMENT, ERR_BUSY (some are still to come)."""
        one = self._of(task_id)
        if one.left:
            raise Error("ERR_BUSY", "Results are still to come.", "left", one.left)
        del self._expected[task_id]
        found = one.range.recompose(one.data, one.result_bytes * one.per_item)
        return bytes(found)


def fill_pull(raw: structs.Work, chunk: Optional[int], work_range: Optional[Range],
              grid: Optional[Dimensions]) -> Dimensions:
    """Chunk and range of a work; returns the grid. Raises Error ERR_ARGUMENT."""
    raw.chunk = unsigned("tmd.chunk", chunk or 0)
    if work_range is None:
        return 1 if grid is None else grid
    if grid is not None:
        raise Error("ERR_ARGUMENT", "With `range` there is no `grid`.", "grid", grid)
    raw.range = ctypes.pointer(work_range.raw)
    return 1
