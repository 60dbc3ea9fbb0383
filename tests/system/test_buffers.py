# SPDX-License-Identifier: Apache-2.0
"""Buffers and what has the buffer protocol: copies of any layout, and arrays on shared memory."""
import array
import ctypes
import gc
import os
import subprocess
import sys

import numpy as np
import pytest

import ganger
from support import LONG, copies_and_fills, expect


def test_any_bytes_like_goes_into_a_buffer(device):
    """Arrays of every layout and type arrive as their elements in C order."""
    dev = device(8)
    grid = np.arange(24, dtype=">i4").reshape(4, 6)
    for given, expected in ((array.array("d", [1.5, -2]), array.array("d", [1.5, -2]).tobytes()),
                            (bytearray(b"abcde"), b"abcde"), (memoryview(b"0123456789")[::3], b"0369"),
                            (grid, grid.tobytes()), (grid[1:3, ::2], grid[1:3, ::2].tobytes()),
                            (grid.T, grid.T.tobytes()), (np.float16([1, 2]), np.float16([1, 2]).tobytes()),
                            (np.zeros((0, 3)), b"")):
        with dev.buffer(given) as buffer:
            assert buffer.nbytes == len(expected) and buffer.read() == expected
    with pytest.raises(TypeError):
        dev.buffer("text")


def test_reads_fill_what_is_given(device):
    """readinto() fills the target only, from an offset on, and refuses what it cannot fill."""
    dev = device(8)
    with dev.buffer(bytes(range(100))) as buffer:
        target = bytearray(10)
        assert buffer.readinto(target, 5) == 10 and target == bytes(range(5, 15))
        words = np.zeros((5, 5), np.uint32)
        assert buffer.readinto(words) == 100 and words.tobytes() == bytes(range(100))
        assert buffer.readinto(memoryview(target)[2:4], 98) == 2 and target[1:5] == bytes([6, 98, 99, 9])
        assert buffer.read(3, 97) == bytes([97, 98, 99]) and buffer.read(0) == b""
        before = bytes(target)
        assert expect("ERR_ARGUMENT", buffer.readinto, target, 91).field == "buffer"
        for wrong in (b"constant", words[:, ::2], "text", 7):
            assert expect("ERR_ARGUMENT", buffer.readinto, wrong).field == "target"
        assert target == before


def test_kernels_and_arrays_share_memory(device, sample_path):
    """Kernels see what is written into an array, and it shows what they write."""
    dev, count = device(8), 1000
    buffers = [dev.buffer(nbytes=4 * count) for _ in range(3)]
    a, b, c = (buffer.array(np.int32) for buffer in buffers)
    a[:], b[:], c[:] = np.arange(count), 5, 0
    dev.submit(dev.load(sample_path("vecadd"))["vecadd"], grid=8, block=128,
               args=[*buffers, np.int64(count)]).wait(LONG)
    assert (c == np.arange(count) + 5).all()


def test_an_array_is_the_buffers_memory(device):
    """Shapes, types and offsets; what an array cannot be is refused with the parameter."""
    dev = device(8)
    with dev.buffer(np.arange(16, dtype=np.int32)) as buffer:
        grid = buffer.array(np.int32, (4, 4))
        assert grid.shape == (4, 4) and (grid.ravel() == range(16)).all()
        grid[2, 3] = -5
        assert np.frombuffer(buffer.read(), np.int32)[11] == -5
        buffer.write(np.int32([77]), 60)
        assert grid[3, 3] == 77 and buffer.array("i4", 1, offset=60)[0] == 77
        assert buffer.array().nbytes == 64 and buffer.array("u1", (0, 3)).shape == (0, 3)
        for dtype, shape, offset, field in (("i4", 17, 0, "buffer"), ("i4", 16, 4, "buffer"),
                                            ("i4", -1, 0, "shape"), (object, 1, 0, "dtype"),
                                            ("i4", 1, -4, "buffer")):
            assert expect("ERR_ARGUMENT", buffer.array, dtype, shape, offset).field == field


def test_memory_stays_while_an_array_is_there(fresh):
    """A free() takes effect when the last array on the memory has gone, and only once."""
    dev = fresh(1)
    context = dev.default_context
    before = context.info.free_bytes
    buffer = dev.buffer(bytes(4096))
    part = buffer.array(np.int32, (2, 512))[1, 5:9]
    buffer.free()
    expect("ERR_HANDLE", buffer.read)
    expect("ERR_HANDLE", buffer.array)
    assert context.info.free_bytes <= before - 4096
    part[:] = 7
    del part
    gc.collect()
    assert context.info.free_bytes == before
    buffer.free()
    view = dev.buffer(bytes(4096)).array()  # Nobody refers to the buffer itself.
    gc.collect()
    assert context.info.free_bytes <= before - 4096 and not view.any()
    del view
    gc.collect()
    assert context.info.free_bytes == before


def test_a_context_stays_while_an_array_is_there(fresh):
    """close() of a context is refused as busy while there are arrays, and works afterwards."""
    dev = fresh(1)
    context = dev.context(1 << 20)
    view = context.buffer(b"abcd").array()
    assert expect("ERR_BUSY", context.close).field == "context"
    assert bytes(view) == b"abcd"
    del view
    gc.collect()
    context.close()
    assert context.destroyed


def test_an_array_outlives_its_device(fresh):
    """After close() an array has what it had, and can still be written; nothing crashes."""
    dev = fresh(1)
    buffer = dev.buffer(np.arange(1 << 16, dtype=np.uint32))
    view = buffer.array(np.uint32)
    dev.close()
    assert int(view.sum()) == sum(range(1 << 16))
    view[:] = 1
    assert int(view.sum()) == 1 << 16
    expect("ERR_DEVICE_LOST", buffer.read)
    buffer.free()
    del view, buffer
    gc.collect()


def test_without_numpy(device, tmp_path):
    """The package works without NumPy; only arrays are refused, with what to install."""
    (tmp_path / "numpy.py").write_text("raise ImportError('not here')\n")
    program = ("import ganger, os\n"
               "with ganger.Device.boot(os.environ['GANGER_BOARD'], sms=1) as dev:\n"
               "    b = dev.buffer(b'abc')\n"
               "    assert b.read() == b'abc'\n"
               "    try: b.array()\n"
               "    except ganger.Error as error: print(error.status, error.message)\n")
    path = os.pathsep.join([str(tmp_path), os.path.dirname(os.path.dirname(ganger.__file__))])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120,
                          check=True, env={**os.environ, "PYTHONPATH": path})
    assert done.stdout == "ERR_UNSUPPORTED NumPy is not installed: run `pip install numpy`.\n"


def test_the_file_of_device_memory(device, tmp_path, board):
    """gg_memory_share(): a new descriptor of the memory's file; refused outside of it and for those who only look."""
    dev = device(8)

    def share(of, address, nbytes):
        file, offset = ctypes.c_int(-1), ctypes.c_uint64()
        of.handle.device_call("gg_memory_share", address, nbytes, ctypes.byref(file), ctypes.byref(offset))
        return file.value, offset.value

    with dev.buffer(b"0123456789abcdef") as buffer:
        file, offset = share(dev, buffer.address + 4, 12)
        try:
            assert os.pread(file, 12, offset) == b"456789abcdef"
            assert not os.get_inheritable(file)
        finally:
            os.close(file)
    end = dev.info.ram + dev.info.ram_bytes
    for address, nbytes in ((dev.info.ram - 4, 4), (end - 4, 8), (end, 1)):
        assert expect("ERR_ARGUMENT", share, dev, address, nbytes).field == "address"
    path = tmp_path / "device"
    ganger.Device.up(path, board, sms=1)
    try:
        with ganger.Device.observe(path) as observer:
            expect("ERR_BUSY", share, observer, observer.info.ram, 4)
    finally:
        ganger.Device.down(path, timeout=LONG)


def test_closed_devices_leave_no_descriptor(fresh):
    """Neither a device nor an array leaves a descriptor or a mapping behind."""
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        dev = fresh(1)
        view = dev.buffer(b"abcd").array()
        dev.close()
        assert bytes(view) == b"abcd"
        del view, dev
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == before


def test_copies_and_fills(device):
    """Ranges of any size and place are copied and filled, by the device itself, and nothing beside them changes."""
    dev = device(2)
    before = dev.stat()["packets"]
    copies_and_fills(dev)
    assert dev.stat()["packets"] > before
