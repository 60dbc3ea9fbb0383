# SPDX-License-Identifier: Apache-2.0
"""What a context leaves in the registers and stacks of an SM, the next one does not find. Other memory: test_shared.py,
test_throttle.py (shared memory), test_handles.py (the heap, arguments, items), test_hosts.py (the share of another process)."""

import pytest

from support import LONG, words

STACK_WORDS = 64  # WORDS of secrets.c.
BYTES = 512  # 64 registers of 8 bytes.
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
