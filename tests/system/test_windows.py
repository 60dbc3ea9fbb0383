# SPDX-License-Identifier: Apache-2.0
"""Memory windows: what a task's kernels may reach besides their own context."""
import pytest

import ganger
from isolation import ATOMIC, EXECUTE, READ, WRITE, is_denied, reaches
from support import LONG, expect, run_good_task, words, zeros


@pytest.fixture
def dev(device):
    """The device of these tests."""
    return device(2)


@pytest.fixture
def other(dev):
    """Another context, with a buffer of 64 words: 0, 1, 2, …"""
    with dev.context(1 << 20) as context:
        yield context


def numbers(context, count=64, first=0):
    """A buffer of that many words."""
    return context.buffer(b"".join((first + i).to_bytes(4, "little") for i in range(count)))


def test_read_only(dev, load, other):
    """S3-R72, S3-R73, S3-R80: a window for reading: reads come through, writes and jumps fault."""
    with numbers(other) as buffer:
        window = (buffer.address, buffer.nbytes, "r")
        assert reaches(dev, load, READ, buffer.address + 20, windows=[window]) == 5
        assert reaches(dev, load, READ, buffer.address + 252, windows=[window]) == 63
        for deed in (WRITE, ATOMIC, EXECUTE):
            is_denied(dev, load, deed, buffer.address + 20, windows=[window])
        assert words(buffer.read()) == list(range(64))
    run_good_task(dev, load(dev, "work"))


def test_read_and_write(dev, load, other):
    """S3-R72, S3-R73: a window on a buffer of another context: for reading and writing, not to execute."""
    with numbers(other) as buffer:
        reaches(dev, load, WRITE, buffer.address + 8, windows=[buffer])
        reaches(dev, load, ATOMIC, buffer.address + 12, windows=[buffer])
        assert words(buffer.read(16)) == [0, 1, 0x5eed, 4]
        is_denied(dev, load, EXECUTE, buffer.address, windows=[buffer])


def test_edges(dev, load, other):
    """S3-R82, S3-C12: one word before a window and one behind it are out of reach, of any size."""
    with numbers(other) as buffer:
        for start, nbytes in ((64, 64), (64, 4), (68, 4), (68, 60), (4, 240), (128, 128), (100, 36)):
            first = buffer.address + start
            for rights in ("r", "rw"):
                window = (first, nbytes, rights)
                assert reaches(dev, load, READ, first, windows=[window]) == start // 4
                assert reaches(dev, load, READ, first + nbytes - 4,
                               windows=[window]) == (start + nbytes) // 4 - 1
                for deed in (READ, WRITE):
                    is_denied(dev, load, deed, first - 4, windows=[window])
                    is_denied(dev, load, deed, first + nbytes, windows=[window])
        assert words(buffer.read()) == list(range(64))


def test_without_a_window(dev, load, other):
    """S3-R22: the same addresses fault in a task without windows, also right after one with them."""
    with numbers(other) as buffer:
        for _round in range(5):
            assert reaches(dev, load, READ, buffer.address + 4, windows=[buffer]) == 1
            is_denied(dev, load, READ, buffer.address + 4)
        elsewhere = (buffer.address + 128, 64, "rw")
        is_denied(dev, load, READ, buffer.address + 4, windows=[elsewhere])


def test_four_windows(dev, load, other):
    """S3-R45: four windows at once, each with its own right, none a power of two: all that a core can hold."""
    buffers = [numbers(other, 50, 1000 * place) for place in range(4)]
    windows = [(buffer.address + 12, 180, "rw" if place % 2 else "r")
               for place, buffer in enumerate(buffers)]
    for place, buffer in enumerate(buffers):
        assert reaches(dev, load, READ, buffer.address + 12, windows=windows) == 1000 * place + 3
        is_denied(dev, load, READ, buffer.address + 8, windows=windows)
        is_denied(dev, load, READ, buffer.address + 192, windows=windows)
        if place % 2:
            reaches(dev, load, WRITE, buffer.address + 188, windows=windows)
        else:
            is_denied(dev, load, WRITE, buffer.address + 188, windows=windows)
    assert words(buffers[1].read(4, 188)) == [0x5eed] and words(buffers[0].read(4, 188)) == [47]
    for buffer in buffers:
        buffer.free()


def test_windows_take_nothing(dev, load, other):
    """S3-R80: code and arguments stay read-only under a window, and the heap stays writable under a read-only one."""
    module = load(dev, "isolation")
    code = (module.base, module.code_bytes, "rw")
    is_denied(dev, load, WRITE, module.base, windows=[code])
    with numbers(dev) as own:
        reaches(dev, load, WRITE, own.address, windows=[(own.address, own.nbytes, "r")])
        assert words(own.read(4)) == [0x5eed]
    with numbers(other) as buffer:
        both = [(buffer.address, 16, "r"), (buffer.address, 64, "rw")]
        is_denied(dev, load, WRITE, buffer.address + 12, windows=both)
        reaches(dev, load, WRITE, buffer.address + 16, windows=both)


def test_between_contexts(dev, load, other, kernel_path):
    """S3-R73, S3-R24: two tenants hand data over: one writes into the other's buffer, the other reads on."""
    module = other.load(kernel_path("isolation"))
    with numbers(other, 500) as theirs, dev.buffer(bytes(2000)) as ours:
        copy = load(dev, "isolation")["copy"]
        dev.submit(copy, grid=8, block=64, args=[theirs.address, ours.address, 500],
                   windows=[(theirs.address, 2000, "r")]).wait(LONG)
        other.submit(module["copy"], grid=8, block=64, args=[ours.address, theirs.address, 500],
                     windows=[ours]).wait(LONG)
        assert words(ours.read()) == list(range(1, 501))
        assert words(theirs.read()) == list(range(2, 502))
    module.unload()


def test_refused(dev, load, other):
    """S3-Q14, S3-R45: five windows, and windows outside of device memory, misaligned, empty, or write-only."""
    reach = load(dev, "isolation")["reach"]
    out = zeros(dev, 2)
    heap, end = dev.info.heap, dev.info.heap + dev.info.heap_bytes

    def refused(windows):
        return expect("ERR_WINDOW_RANGE", lambda: dev.submit(
            reach, args=[READ, heap, out], windows=windows).wait(LONG))

    with numbers(other) as buffer:
        one = (buffer.address, 16, "r")
        assert refused([one] * 5).field == "tmd.window_count"
        for base, nbytes in ((0, 4096), (0x80000000, 4096), (dev.info.base, 64), (heap - 4, 8),
                             (end - 4, 8), (end, 4), (dev.regs.sm_state[0].share.read(), 4096),
                             (0x10000000, 4), (heap, 1 << 40), (heap + 2, 4), (heap, 6), (heap, 0)):
            assert refused([one, (base, nbytes, "rw")]).field.startswith("window.")
        assert refused([(buffer.address, 16, "w")]).field == "window.read"
        expect("ERR_WINDOW_RANGE", dev.submit, reach, args=[READ, heap, out],
               windows=[(heap, 1 << 48, "r")])
        assert words(buffer.read()) == list(range(64))
    assert words(out.read()) == [0, 0]
    run_good_task(dev, load(dev, "work"))


def test_refused_by_the_device(dev, load):
    """S3-R45: the same where the library is gone round: a count of 5, a list outside of memory."""
    for field, value in (("window_count", 5), ("window_count", 0xffffffff), ("windows", 0x80000000),
                         ("windows", dev.info.heap + 2)):
        tmd = dev.tmd(load(dev, "isolation")["reach"], args=[READ, dev.info.heap, zeros(dev, 2)],
                      windows=[(dev.info.heap, 64, "r")])
        setattr(tmd, field, value)
        error = expect("ERR_WINDOW_RANGE", dev.submit_tmd(tmd).wait, LONG)
        assert error.field in ("tmd.window_count", "tmd.windows")


def test_children(dev, load, other):
    """S0-R07: a child has what its parent has, and a kernel cannot give it more."""
    module = load(dev, "isolation")
    with numbers(other) as buffer:
        window = (buffer.address, 64, "rw")
        with dev.buffer(bytes(8)) as out, dev.buffer(nbytes=256, align=256) as tmd, \
                dev.template(module["reach"], args=[WRITE, buffer.address + 4, out],
                             windows=[window]) as pattern, dev.buffer(nbytes=16) as place:
            for base, status in ((buffer.address, "OK"), (buffer.address + 64, "ERR_CONTEXT"),
                                 (buffer.address + 4, "ERR_CONTEXT")):
                result = zeros(dev, 1)
                dev.submit(module["child"], args=[pattern, tmd, place, base, result],
                           windows=[window]).wait(LONG)
                number = ganger.abi.ENUMS["status"][status]
                assert words(result.read()) == [number & 0xffffffff], status
            assert words(buffer.read(8)) == [0, 0x5eed]
    run_good_task(dev, load(dev, "work"))
