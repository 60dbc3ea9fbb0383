# SPDX-License-Identifier: Apache-2.0
"""What a context leaves in the registers and stacks of an SM, and in the heap, the next one does not find. Other memory: test_shared.py,
test_throttle.py (shared memory), test_handles.py (the heap, arguments, items), test_hosts.py (the share of another process)."""

import struct

import pytest

import ganger
from support import LONG, words

STACK_WORDS = 64  # WORDS of secrets.c.
BYTES = 512  # 64 registers of 8 bytes.
SECRET = 0x5ec2e75e
ZERO_FLOATS = [0, 0xffffffff] * 32  # A zero of single precision in a register for doubles.


class Program:
    """The kernels of tests/kernels/secrets.c in a context, entered where they are."""

    def __init__(self, dev, context, path):
        self.dev, self.context, self.places = dev, context, context.load(path)["places"]
        self.out = context.buffer(bytes(BYTES))
        context.submit(self.places, grid=(1,), block=(1,), args=[self.out]).wait(LONG)
        found = words(self.out.read())
        self.leave, self.look = found[0] | found[1] << 32, found[2] | found[3] << 32

    def run(self, entry):
        """One CTA that is entered there; what it has stored, in words of 32 bits."""
        self.out.write(bytes(BYTES))
        with self.context.tmd(self.places, grid=(1,), block=(1,), args=[self.out]) as tmd:
            tmd.entry = entry
            assert self.dev.submit_tmd(tmd).wait(LONG).ctas == 1
        return words(self.out.read())


def test_registers(fresh, kernel_path):
    """S3-R22, S3-R95: a kernel finds nothing of another context in the integer and floating-point registers, nor in the
    rounding mode, and nothing of the SM's runtime: they are zero."""
    dev = fresh(1)
    first = Program(dev, dev.default_context, kernel_path("secrets"))
    second = Program(dev, dev.context(1 << 20), kernel_path("secrets"))
    for _round in range(3):
        first.run(first.leave)
        assert second.run(second.look) == [0] * 64 + ZERO_FLOATS


@pytest.mark.parametrize("threads", [1, 8])
def test_stacks(fresh, kernel_path, threads):
    """S3-R75, S3-R22, S3-R95: a kernel finds what an earlier CTA of its own context left on the stacks of its threads, and
    nothing that one of another context left there."""
    dev = fresh(1)
    contexts = [dev.default_context, dev.context(1 << 20)]
    kernels = [context.load(kernel_path("secrets"))["stack"] for context in contexts]

    def found(which):
        count = contexts[which].buffer(bytes(4))
        contexts[which].submit(kernels[which], grid=(1,), block=(threads,), args=[count]).wait(LONG)
        return words(count.read())[0]

    for _round in range(3):
        assert [found(0), found(0)] == [0, STACK_WORDS * threads]
        assert [found(1), found(1)] == [0, STACK_WORDS * threads]


def test_nothing_is_left_of_a_context(fresh, kernel_path):
    """S3-R22, S3-R24: what was in a freed buffer and in a transient of a graph, what a kernel had as an argument and what it printed,
    is nowhere in the device's heap once their context is closed."""
    dev = fresh(2)
    secret, info = struct.pack("<I", SECRET), dev.info

    def found():
        return dev.read(info.heap, info.heap_bytes).count(secret)

    assert found() == 0
    with dev.context(1 << 20) as context:
        kernels, prints = context.load(kernel_path("secrets")), context.load(kernel_path("print"))
        context.buffer(secret * 100).free()
        assert found() == 100
        with ganger.Graph() as graph:
            inside = graph.buffer(400)
            graph.fill(inside, SECRET)
            graph.pass_(kernels["stack"], 1, 1, [graph.update(inside)])
        graph.launch(context).wait(LONG)
        assert found() > 100
        text = context.buffer(b"text\0")
        task = context.submit(prints["conversions"], args=[1, SECRET, 2, 3.0, text], prints=1 << 16)
        task.wait(LONG)
        assert str(SECRET) in task.output
    assert found() == 0
