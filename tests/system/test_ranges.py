# SPDX-License-Identifier: Apache-2.0
"""Work sets of 1 to 8 dimensions on the host: positions, indices and the way back of results, against nested loops."""
import itertools
import math
import random
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ganger
from support import expect

pytestmark = pytest.mark.shared

ITEMS_MOST = 600
LOOK = settings(max_examples=150, deadline=None, print_blob=True)


def loops(sizes, order, offset, descending, rows):
    """Index of each item in dispatch order, by loops: the slowest dimension outside."""
    found = []
    slow = [range(sizes[dimension]) for dimension in reversed(order[1:])]
    for row, digits in enumerate(itertools.product(*slow)):
        for first in range(rows[row] if rows else sizes[order[0]]):
            index = list(offset)
            for dimension, digit in zip(order, (first, *reversed(digits))):
                index[dimension] += digit
            found.append(tuple(index))
    return found[::-1] if descending else found


@st.composite
def shapes(draw):
    """Keywords of a Range, all of them."""
    left, sizes = ITEMS_MOST, []
    for _dimension in range(draw(st.integers(1, 8))):
        sizes.append(draw(st.integers(1, max(1, min(left, 13)))))
        left //= sizes[-1]
    order = draw(st.permutations(range(len(sizes))))
    offset = draw(st.tuples(*(st.sampled_from([0, 1, 5, (1 << 32) - 1, (1 << 64) - 13]) for _one in sizes)))
    rows = None
    if draw(st.booleans()):
        count = math.prod(sizes) // sizes[order[0]]
        rows = draw(st.lists(st.integers(0, sizes[order[0]]), min_size=count, max_size=count).filter(any))
    return {"sizes": tuple(sizes), "order": tuple(order), "offset": offset, "descending": draw(st.booleans()),
            "rows": rows}


def direct(shape, items, result):
    """The array that a grid writes which is not pulled: dimension 0 contiguous, zero where there is no item."""
    have = set(items)
    places = itertools.product(*(range(low, low + size) for low, size in
                                 zip(reversed(shape["offset"]), reversed(shape["sizes"]))))
    return b"".join(result(place[::-1]) if place[::-1] in have else bytes(len(result(items[0])))
                    for place in places)


def one_result(index):
    """Four bytes that are of this index."""
    return struct.pack("<I", hash(index) & 0xffffffff)


@LOOK
@given(shapes())
def test_like_loops(shape):
    """S4-R96, S4-R97, S4-R98, S4-R99, S4-R106, S4-C2, S4-C4: every item once, in the order of the loops, there and back."""
    found, items = ganger.Range(**shape), loops(**shape)
    assert found.items == len(items) == len(set(items))
    assert [found.index(position) for position in range(len(items))] == items
    assert [found.position(index) for index in items] == list(range(len(items)))
    for bad in (found.items, (1 << 64) - 1):
        assert expect("ERR_ARGUMENT", found.index, bad).field == "position"
    have, low, high = set(items), shape["offset"], [a + b for a, b in zip(shape["offset"], shape["sizes"])]
    holes = [index for index in itertools.product(*map(range, low, high)) if index not in have]
    for index in (*holes, tuple(high) if max(high) < 1 << 64 else None):
        if index is not None:
            assert expect("ERR_ARGUMENT", found.position, index).field == "index"


@LOOK
@given(shapes(), st.integers(1, 7))
def test_recomposition(shape, part):
    """S4-R105, S4-R107, S4-R110, S4-C7: the output is that of a grid, from all results at once or from parts."""
    found, items = ganger.Range(**shape), loops(**shape)
    results = b"".join(map(one_result, items))
    assert found.recompose(results, 4) == direct(shape, items, one_result)
    into = bytearray(math.prod(shape["sizes"]) * 4)
    starts = list(range(0, len(items), part))
    for first in starts[::-1]:
        assert found.recompose(results[4 * first:4 * (first + part)], 4, first, into) is into
    assert into == direct(shape, items, one_result)


@LOOK
@given(shapes(), shapes(), st.integers(1, 3), st.randoms(use_true_random=False))
def test_two_tasks_at_once(one, other, per_item, rng):
    """S4-V10, S4-R107, S4-R108, S4-R109, S4-C6, S4-C7: mixed and shuffled, of one and of several results an item; all are
    there at exactly TN or M times TN."""
    tasks = {1 << 16 | 3: (one, 1), 2 << 16 | 3: (other, per_item)}
    results, arriving = ganger.Results(), []
    for number, (shape, count) in tasks.items():
        results.expect(number, ganger.Range(**shape), 5, count)
        arriving += [(number, position, part, one_result(index) + bytes([number >> 16 << 4 | part]))
                     for position, index in enumerate(loops(**shape)) for part in range(count)]
    rng.shuffle(arriving)
    left = {number: sum(entry[0] == number for entry in arriving) for number in tasks}
    for number, position, part, data in arriving:
        assert results.left(number) == left[number]
        left[number] -= 1
        assert results.put(number, position, data, part) is (left[number] == 0)
    for number, (shape, count) in tasks.items():
        def all_parts(index, number=number, count=count):
            return b"".join(one_result(index) + bytes([number >> 16 << 4 | part]) for part in range(count))
        assert results.take(number) == direct(shape, loops(**shape), all_parts)
        expect("ERR_ARGUMENT", results.left, number)


@LOOK
@given(st.lists(st.sampled_from([1, 2, 3, 7, 65537, (1 << 31) - 1, 1 << 32]), min_size=1, max_size=8),
       st.booleans(), st.randoms(use_true_random=False))
def test_large_sets(sizes, descending, rng):
    """S4-R96, S4-R106: up to 2^63 items, by plain division; more are refused."""
    order = rng.sample(range(len(sizes)), len(sizes))
    total = math.prod(sizes)
    if total >= 1 << 63:
        assert expect("ERR_RANGE", ganger.Range, sizes, order).field == "nd_range.sizes"
        return
    found = ganger.Range(sizes, order, descending=descending)
    assert found.items == total
    for position in {0, total - 1, *(rng.randrange(total) for _one in range(20))}:
        number, index = total - 1 - position if descending else position, [0] * len(sizes)
        for dimension in order:
            number, index[dimension] = divmod(number, sizes[dimension])
        assert found.index(position) == tuple(index) and found.position(index) == position


def test_examples():
    """S4-V6, S4-V7, S4-R98, S4-R100, S4-R106: the worked examples."""
    assert ganger.Range((4, 4, 2)).index(22) == (2, 1, 1)
    assert ganger.Range((3, 3, 3)).index(26) == (2, 2, 2) and ganger.Range((3, 3, 3)).items == 27
    for sizes in ((4, 4), (2, 8), (8, 2), (4, 2, 2), (2, 3, 4, 5)):
        found = ganger.Range(sizes)
        assert len({found.index(position) for position in range(found.items)}) == math.prod(sizes)
    uneven = ganger.Range((8, 2), rows=(8, 6))
    assert uneven.items == 14
    assert [uneven.index(position) for position in (7, 8, 13)] == [(7, 0), (0, 1), (5, 1)]
    for hole in ((6, 1), (7, 1)):
        expect("ERR_ARGUMENT", uneven.position, hole)


BAD = [
    (((),), {}, "ERR_RANGE", "nd_range.dimensions", 0),
    (((1,) * 9,), {}, "ERR_RANGE", "nd_range.dimensions", 9),
    (((4, 0, 1 << 40),), {}, "ERR_RANGE", "nd_range.sizes", 0),
    ((((1 << 32) + 1,),), {}, "ERR_RANGE", "nd_range.sizes", (1 << 32) + 1),
    (((1 << 32, 1 << 31),), {}, "ERR_RANGE", "nd_range.sizes", 1 << 31),
    (((4, -1),), {}, "ERR_ARGUMENT", "nd_range.sizes", -1),
    (((4, 1 << 64),), {}, "ERR_ARGUMENT", "nd_range.sizes", 1 << 64),
    (((4, 4), (0, 0)), {}, "ERR_RANGE", "nd_range.order", (0, 0)),
    (((4, 4), (1, 1)), {}, "ERR_RANGE", "nd_range.order", 1),
    (((4, 4), (0, 2)), {}, "ERR_RANGE", "nd_range.order", 2),
    (((4, 4), (0,)), {}, "ERR_RANGE", "nd_range.order", (0,)),
    (((4, 4), (256, 1)), {}, "ERR_RANGE", "nd_range.order", 256),
    (((4, 4),), {"offset": (0, (1 << 64) - 3)}, "ERR_RANGE", "nd_range.offsets", (1 << 64) - 3),
    (((4, 4),), {"offset": (0, 1, 2)}, "ERR_RANGE", "nd_range.offsets", (0, 1, 2)),
    (((8, 2),), {"rows": (8,)}, "ERR_RANGE", "nd_range.rows", 1),
    (((8, 2),), {"rows": ()}, "ERR_RANGE", "nd_range.rows", 0),
    (((8, 2),), {"rows": (3, 9)}, "ERR_RANGE", "nd_range.rows", 9),
    (((8, 2),), {"rows": (3, -1)}, "ERR_RANGE", "nd_range.rows", -1),
    (((8, 2),), {"rows": (0, 0)}, "ERR_RANGE", "nd_range.rows", 0),
    (((8, 2), (7, 0)), {"rows": (8, 8)}, "ERR_RANGE", "nd_range.order", 7),
]


@pytest.mark.parametrize("given_, more, status, field, value", BAD, ids=str)
def test_bad_ranges(given_, more, status, field, value):
    """S4-R35, S4-R98: a wrong set is refused when it is made, with field and value."""
    error = expect(status, ganger.Range, *given_, **more)
    assert (error.field, error.value) == (field, value), error


def test_bad_results():
    """S4-R105, S4-R108, S4-C6: what is of no task, comes twice, or does not fit, changes nothing."""
    results, uneven = ganger.Results(), ganger.Range((2, 2), rows=(2, 1))
    results.expect(5, uneven, 2)
    expect("ERR_BUSY", results.expect, 5, uneven, 2)
    for nbytes, count in ((0, 1), (2, 0), (-1, 1)):
        expect("ERR_ARGUMENT", results.expect, 6, uneven, nbytes, count)
    assert not results.put(5, 1, b"bb")
    for bad, field in (((6, 0, b"aa"), "id"), ((5, 3, b"aa"), "position"), ((5, -1, b"aa"), "position"),
                       ((5, 0, b"a"), "data"), ((5, 0, b"aaa"), "data"), ((5, 0, b"aa", 1), "part"),
                       ((5, 1, b"xx"), "position")):
        assert expect("ERR_ARGUMENT", results.put, *bad).field == field
    assert expect("ERR_BUSY", results.take, 5).value == 2 == results.left(5)
    assert not results.put(5, 2, b"cc") and results.put(5, 0, b"aa")
    assert results.take(5) == b"aabbcc\0\0"
    results.expect(5, uneven, 2)
    assert results.left(5) == 3


def test_bad_recompositions():
    """S4-R105: positions and bytes that are not those of the set; the output stays as it is."""
    box, into = ganger.Range((3, 2)), bytearray(b"......")
    for call, field in (((b"abcde", 1), "results"), ((b"abcdefg", 1), "results"), ((b"abc", 2), "item_bytes"),
                        ((b"abc", 0), "item_bytes"), ((b"abc", -1), "item_bytes"), ((b"abc", 1, 4, into), "count"),
                        ((b"", 1, 7, into), "first"), ((b"ab", 1, -1, into), "first"),
                        ((b"ab", 1, 0, bytearray(7)), "output_bytes"), ((b"abcd", 2, 0, into), "output_bytes")):
        assert expect("ERR_ARGUMENT", box.recompose, *call).field == field, call
    assert into == b"......"
    into.append(1)  # Nothing holds on to it.


def test_shuffled_positions_are_one_order():
    """S4-R99: the order is the same for all that ask, and for every way to ask."""
    found = ganger.Range((5, 3, 2), (2, 0, 1), (9, 0, 4), True)
    asked = list(range(found.items))
    random.Random(4).shuffle(asked)
    assert {position: found.index(position) for position in asked} == \
        dict(enumerate(loops((5, 3, 2), (2, 0, 1), (9, 0, 4), True, None)))
