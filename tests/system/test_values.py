# SPDX-License-Identifier: Apache-2.0
"""Arguments and floating point: what the host sends is what the kernel gets."""
import array
import struct

import pytest

import ganger
from support import LONG, expect, words, zeros

SEEN = "<4q4Q2d5Q"  # struct seen of values.c


def run_values(dev, module, args):
    """Runs `values`; what it saw, and the buffer's address."""
    seen = zeros(dev, struct.calcsize(SEEN) // 4)
    dev.submit(module["values"], grid=(1,), block=(1,), args=[seen, *args]).wait(LONG)
    return struct.unpack(SEEN, seen.read()), seen.address


@pytest.mark.parametrize("sign", [1, -1])
def test_every_size_and_kind(device, load, sign):
    """S0-R02, S3-R21: numbers of 1 to 8 bytes, signed and not, floats, a structure, a buffer, null."""
    dev = device(1)
    small, large = 0x7f, (1 << 63) - 1
    pair = struct.pack("<B7xQ", 0xab, 0x0123456789abcdef)
    args = [sign * small, sign * 1.25e300, sign * 0x7fff, 0xfe, sign * large, sign * 3.5, 0xfffe,
            ganger.raw(pair), sign * 0x7fffffff, (1 << 64) - 2, None, 0xfffffffe, 7]
    found, address = run_values(dev, load(dev, "values"), args)
    assert found == (sign * small, sign * 0x7fff, sign * 0x7fffffff, sign * large, 0xfe, 0xfffe,
                     0xfffffffe, (1 << 64) - 2, sign * 3.5, sign * 1.25e300, 0xab,
                     0x0123456789abcdef, address, 0, 7)


def test_sizes_by_name(device, load):
    """S3-R21: the same with sizes that the caller names."""
    dev = device(1)
    args = [ganger.i8(-1), ganger.f64(0.1), ganger.i16(-2), ganger.u8(3), ganger.i64(-4),
            ganger.f32(0.1), ganger.u16(5), struct.pack("<B7xQ", 6, 7), ganger.i32(-8),
            ganger.u64(9), 0, ganger.u32(10), ganger.u8(11)]
    found, address = run_values(dev, load(dev, "values"), args)
    single = struct.unpack("<f", struct.pack("<f", 0.1))[0]
    assert found == (-1, -2, -8, -4, 3, 5, 10, 9, single, 0.1, 6, 7, address, 0, 11)


@pytest.mark.parametrize("maker, number", [("u8", 256), ("u8", -1), ("i8", 128), ("u32", 1 << 32),
                                           ("i64", 1 << 63), ("u64", -1), ("f32", 1e300)])
def test_numbers_that_do_not_fit(maker, number):
    """S3-R21: a number that its size cannot hold is refused, not cut."""
    error = expect("ERR_ARGUMENT_SIZE", getattr(ganger, maker), number)
    assert error.value == number


def test_many_tasks_with_their_own_arguments(device, load):
    """S0-R02: arguments are copied when a task is posted: 300 in flight, each sees its own."""
    dev = device(8)
    kernel = load(dev, "work")["hash"]
    out = zeros(dev, 1)
    outs = [zeros(dev, 1) for _task in range(300)]
    tasks = [dev.submit(kernel, grid=(1,), block=(1,), args=[one, number, 0])
             for number, one in enumerate(outs)]
    for task in tasks:
        task.wait(LONG)
    assert [words(one.read())[0] for one in outs] == [
        (number * 16777619) & 0xffffffff for number in range(300)]
    assert words(out.read()) == [0]


def test_required_block(device, load):
    """S3-R62: a kernel that states its block runs with that one only."""
    dev = device(1)
    kernel = load(dev, "values")["fixed_block"]
    assert kernel.block == (16, 2, 1)
    out = zeros(dev, 1)
    error = expect("ERR_ARGUMENT", dev.submit, kernel, grid=(1,), block=(32,), args=[out])
    assert error.field == "block"
    dev.submit(kernel, grid=(3,), block=kernel.block, args=[out]).wait(LONG)
    assert words(out.read()) == [96]


def test_floating_point(device, load):
    """S3-R20: single and double precision, rounded as the host rounds; registers of neighbours are kept apart."""
    dev = device(2)
    n = 1000
    singles = array.array("f", (number * 0.37 - 100 for number in range(n)))
    doubles = array.array("d", (number * 1.7 - 300 for number in range(n)))
    tasks = []
    for _task in range(8):
        first, second = dev.buffer(singles), dev.buffer(doubles)
        tasks.append((first, second, dev.submit(
            load(dev, "values")["floats"], grid=(40,), block=(25,), args=[first, second, n])))

    def single(number):
        return struct.unpack("<f", struct.pack("<f", number))[0]

    for first, second, task in tasks:
        task.wait(LONG)
        found = array.array("f", first.read())
        factor, addend = single(1.1), single(0.3)
        assert all(got in (single(single(x * factor) + addend), single(x * factor + addend))
                   for got, x in zip(found, singles))
        assert list(array.array("d", second.read())) == [x / 3.0 - 0.1 for x in doubles]
