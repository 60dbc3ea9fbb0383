# SPDX-License-Identifier: Apache-2.0
"""Contexts: tenants that cannot reach one another."""
import contextlib
import ctypes
import threading

import pytest

import ganger
from support import LONG, expect, free_bytes, run_good_task, until, words
from test_faults import AMO, JUMP, LOAD, STORE

VALUE = b"\xa5\x5a\xc3\x3c"


@pytest.mark.parametrize("deed", [STORE, LOAD, JUMP, AMO])
def test_heap_of_another_context(fresh, kernel_path, deed):
    """S3-R22, S3-R121: a kernel of one context cannot write, read or execute another's memory, nor the other way round."""
    dev = fresh(2)
    contexts = [dev.default_context, dev.context(1 << 20)]
    buffers = [context.buffer(VALUE * 16) for context in contexts]
    modules = [context.load(kernel_path("faults")) for context in contexts]
    numbers = [context.info.number for context in contexts]
    assert numbers[0] != numbers[1]
    for me, other in ((0, 1), (1, 0)):
        for address in (buffers[other].address, modules[other].base, contexts[other].info.heap):
            counts = contexts[me].buffer(bytes(4))
            task = contexts[me].submit(modules[me]["fault"], grid=(1,), block=(1,),
                                       args=[counts, deed, address, 0, 0])
            error = expect("ERR_FAULT_ACCESS", task.wait, LONG)
            assert error.record.context == numbers[me]
            assert (error.record.pc if deed == JUMP else error.record.address) == address
        done = contexts[me].submit(modules[me]["fault"], grid=(1,), block=(1,), args=[
            counts, STORE, buffers[me].address, 0, 0]).wait(LONG)
        assert done.status == "OK"
    assert [buffer.read() for buffer in buffers] == [b"\1\0\0\0" + VALUE * 15] * 2


def test_contexts_at_the_same_time(fresh, kernel_path):
    """S3-R22, S3-R23: tasks of two contexts on the same SMs, each with its own data, are right."""
    dev = fresh(2)
    contexts = [dev.default_context, dev.context(4 << 20), dev.context(4 << 20)]
    outs, tasks = [], []
    kernels = [context.load(kernel_path("work"))["count"] for context in contexts]
    for round_number in range(60):
        context, kernel = (one[round_number % 3] for one in (contexts, kernels))
        outs.append(context.buffer(bytes(4 * 100)))
        tasks.append(context.submit(kernel, grid=(100,), block=(4,), args=[outs[-1]]))
    assert all(task.wait(LONG).ctas == 100 for task in tasks)
    assert all(words(out.read()) == [1] * 100 for out in outs)


def test_closing_a_context(device, load, kernel_path):
    """S3-R22, S3-R45: a context that runs tasks cannot be closed; a closed one gives its memory back."""
    dev = device(2)
    free = free_bytes(dev)
    context = dev.context(2 << 20)
    assert context.info.nbytes == 2 << 20 and context.info.free_bytes <= 2 << 20
    module = context.load(kernel_path("work"))
    place, state = context.buffer(bytes(8)), context.buffer(bytes(8))
    task = context.submit(module["where"], grid=(1,), block=(1,), args=[place, state])
    expect("ERR_BUSY", context.close)
    expect("ERR_BUSY", module.unload)
    state.write(b"\1\0\0\0", offset=4)
    assert task.wait(LONG).ctas == 1
    context.close()
    expect("ERR_HANDLE", context.buffer, b"1234")
    with dev.context(2 << 20) as again:
        assert again.info.nbytes == 2 << 20
    assert free_bytes(dev) == free
    run_good_task(dev, load(dev, "work"))


def test_memory_of_a_context_ends(device):
    """S3-R42, S3-R44: allocation fails when the heap is full, and works again when it is not."""
    dev = device(2)
    with dev.context(1 << 20) as context:
        assert expect("ERR_NO_MEMORY", context.buffer, nbytes=(1 << 20) + 4).message
        whole = context.buffer(nbytes=context.info.free_bytes - 4096)
        expect("ERR_NO_MEMORY", context.buffer, nbytes=8192)
        whole.free()
        whole.free()
        pieces = [context.buffer(nbytes=1000, align=256) for _piece in range(500)]
        assert len({piece.address for piece in pieces}) == 500
        assert all(piece.address % 256 == 0 for piece in pieces)
        del pieces
        assert context.buffer(nbytes=1 << 19).nbytes == 1 << 19
    expect("ERR_NO_MEMORY", dev.context, 1 << 50)


def test_who_has_the_memory(fresh, load):
    """S3-R42, S3-R44: a failed allocation says how much was asked for, how much is free, how much in one piece, and who
    holds the rest."""
    dev = fresh(2)
    with dev.context(1 << 20) as context:
        number = context.info.number
        pieces = [context.buffer(nbytes=1 << 18) for _piece in range(4)]
        pieces[0].free()
        pieces[2].free()
        error = expect("ERR_NO_MEMORY", context.buffer, nbytes=1 << 19)
        assert (error.field, error.value) == ("bytes", 1 << 19)
        assert f"No room for a buffer: 524288 bytes are wanted, context {number} has 524288 free, 262144 in one piece; " \
               "2 pieces hold 524288, of them modules 0" in str(error)
        largest = dev.default_context.info
        told = str(expect("ERR_NO_MEMORY", dev.context, 1 << 50))
        assert "No room for a context" in told and "2 contexts hold" in told
        assert f"the largest, {largest.number}, {largest.nbytes};" in told
    load(dev, "work")
    told = str(expect("ERR_NO_MEMORY", dev.buffer, nbytes=1 << 40))
    assert "of them modules" in told and "modules 0" not in told


def test_buffers(device):
    """S3-R24, S3-R73: what is written is read, in pieces, and never past the end."""
    dev = device(2)
    data = bytes(range(256)) * 40
    with dev.buffer(data) as buffer:
        assert buffer.read() == data and len(buffer) == len(data)
        assert buffer.read(7, offset=1003) == data[1003:1010]
        buffer.write(b"abc", offset=5)
        assert buffer.read(5, offset=4) == data[4:5] + b"abc" + data[8:9]
        assert dev.read(buffer.address, 8) == buffer.read(8)
        for call in (lambda: buffer.read(1, offset=len(data)), lambda: buffer.write(b"12", len(data) - 1),
                     lambda: buffer.read(-1), lambda: buffer.read(4, offset=-4)):
            expect("ERR_ARGUMENT", call)
    expect("ERR_HANDLE", buffer.read)
    for address in (0, dev.info.ram - 1, dev.info.ram + dev.info.ram_bytes - 3, 1 << 63):
        expect("ERR_ARGUMENT", dev.read, address, 4)
        expect("ERR_ARGUMENT", dev.write, address, b"1234")


def test_a_late_write_stays_out(device):
    """S3-R44: a thread writes to a context that another one closes: the next context, in the same memory, has nothing of it."""
    dev, content = device(2), b"\xff" * (1 << 20)

    def write(buffer, begun):
        with contextlib.suppress(ganger.Error):
            while True:
                buffer.write(content)
                begun.set()

    for _round in range(20):
        context, begun = dev.context(4 << 20), threading.Event()
        heap, buffer = context.info.heap, context.buffer(nbytes=len(content))
        thread = threading.Thread(target=write, args=(buffer, begun))
        thread.start()
        assert begun.wait(LONG)
        until(lambda: closed(context), "the context to close")
        with dev.context(4 << 20) as following:
            assert following.info.heap == heap
            thread.join(LONG)
            assert not thread.is_alive()
            assert following.buffer(nbytes=len(content)).read() == bytes(len(content))


def closed(context):
    """Whether a context could be closed; it is busy while a call uses it."""
    try:
        context.close()
    except ganger.Error as error:
        assert error.status == "ERR_BUSY", error
        return False
    return True


def test_only_its_own_memory(device):
    """S3-R42: the copies of a context in C reach its memory and nothing beside it."""
    dev = device(2)
    with dev.context(1 << 20) as context:
        info, word = context.info, ctypes.create_string_buffer(8)
        for address, nbytes, good in ((info.heap, 8, True), (info.heap + info.nbytes - 8, 8, True), (info.heap - 4, 8, False),
                                      (info.heap + info.nbytes - 4, 8, False), (info.heap, 1 << 63, False), (0, 8, False)):
            for name in ("gg_context_read", "gg_context_write"):
                if good:
                    context.call(name, address, word, nbytes)
                else:
                    assert expect("ERR_ARGUMENT", context.call, name, address, word, nbytes).value == address
