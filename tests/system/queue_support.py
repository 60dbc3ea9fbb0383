# SPDX-License-Identifier: Apache-2.0
"""What the tests of queue tasks share: items, names for kernels, queues that live in a heap."""
import array

import ganger
from support import LONG, words, zeros

ITEM_BYTES = 8  # struct item of tests/kernels/queue.c


def items_of(values, level=0, item_bytes=ITEM_BYTES):
    """Items with these values, and zeros behind what the kernels look at."""
    rest = bytes(item_bytes - ITEM_BYTES)
    return b"".join(array.array("I", [value, level]).tobytes() + rest for value in values)


def minus(dev, count):
    """Words that no status is."""
    return dev.buffer(array.array("i", [-99] * count))


def ints(buffer):
    """Words of a buffer, signed."""
    return array.array("i", bytes(buffer.read())).tolist()


def name_buffer(dev):
    """Room for a task's name, for kernels of queue.c that push by it."""
    return zeros(dev, 3)


def write_name(buffer, task):
    """Tells kernels a task's name."""
    address = task.address
    buffer.write(array.array("I", [address & 0xffffffff, address >> 32, task.generation]))


def ring_of(dev, task):
    """Where the ring of a queue task lies, from its TMD."""
    low, offset = ganger.abi.BLOCKS["tmd"][1]["queue_lo"][0], task.address
    return int.from_bytes(dev.read(offset + low, 8), "little")


def post_queue(dev, kernel, args, **shape):
    """A queue task whose TMD is in the heap, so that kernels can name it: (task, tmd)."""
    tmd = dev.tmd(kernel, args=args, queue=ganger.Queue(**{"item_bytes": ITEM_BYTES, **shape}))
    return dev.submit_tmd(tmd), tmd


def raw_push(dev, tmd, source, count):
    """A PUSH command for such a queue."""
    address = getattr(source, "address", source)
    return dev.command("PUSH", address=tmd.address, args=(
        tmd.generation, address & 0xffffffff, count, address >> 32)).wait(LONG)


def raw_close(dev, tmd):
    """A CLOSE command for such a queue."""
    return dev.command("CLOSE", address=tmd.address, args=(tmd.generation,)).wait(LONG)


class Consumed:
    """Buffers of kernel `consume`, and what they say."""

    def __init__(self, dev, items):
        self.out, self.sizes, self.wrong = zeros(dev, items), zeros(dev, items), zeros(dev, 1)
        self.args = [self.out, self.sizes, self.wrong]

    @property
    def values(self):
        """Sum of the values that were met at each position."""
        return words(self.out.read())

    @property
    def ctas(self):
        """Items of each CTA, in the order of their numbers; 0 if a later one was faster."""
        assert words(self.wrong.read()) == [0]
        sizes = words(self.sizes.read())
        while sizes and sizes[-1] == 0:
            sizes.pop()
        return sizes
