# SPDX-License-Identifier: Apache-2.0
"""Run by test_random.py: random programs of API calls on the first platform; for each a line with what the buffers hold
at its end. The same seed makes the same calls on every platform.

    random_programs.py SEED COUNT
"""
import hashlib
import random
import sys

import numpy as np
import pyopencl as cl

BYTES, BUFFERS, STEPS = 4096, 3, 24
SOURCE = """
kernel void churn(global uint *a, global const uint *b, uint k)
{
    size_t i = get_global_id(0);

    a[i] = a[i] * 1664525u + b[i] + k;
}
kernel void turn(global uint *a, local uint *tile)
{
    size_t i = get_local_id(0), n = get_local_size(0);

    tile[i] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = tile[n - 1 - i] + (uint)get_group_id(0);
}
"""


class Program:
    """One random program: its own buffers, and a queue in order or one out of order with events."""

    def __init__(self, context, kernels, rng):
        self.context, self.rng, self.kernels = context, rng, kernels
        self.loose = rng.random() < 0.5
        flags = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE if self.loose else 0
        self.queue = cl.CommandQueue(context, properties=flags)
        self.buffers = [cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=self.data(BYTES)) for _ in range(BUFFERS)]
        self.last, self.kept = None, []

    def data(self, count):
        return np.frombuffer(self.rng.randbytes(count), np.uint8)

    def waits(self):
        """Out of order, each command waits for the one before it."""
        return [self.last] if self.loose and self.last is not None else None

    def pick(self):
        return self.rng.randrange(BUFFERS)

    def part(self, step=1):
        offset = self.rng.randrange(BYTES // step) * step
        return offset, self.rng.randrange(1, (BYTES - offset) // step + 1) * step

    def write(self):
        offset, size = self.part()
        data = self.data(size)
        self.kept.append(data)
        return cl.enqueue_copy(self.queue, self.buffers[self.pick()], data, dst_offset=offset, is_blocking=False,
                               wait_for=self.waits())

    def copy(self):
        a, b = self.rng.sample(range(BUFFERS), 2)
        offset, size = self.part()
        return cl.enqueue_copy(self.queue, self.buffers[a], self.buffers[b], src_offset=offset,
                               dst_offset=self.rng.randrange(BYTES - size + 1), byte_count=size, wait_for=self.waits())

    def fill(self):
        width = self.rng.choice((1, 2, 4, 8, 16))
        offset, size = self.part(width)
        return cl.enqueue_fill_buffer(self.queue, self.buffers[self.pick()], self.data(width), offset, size,
                                      wait_for=self.waits())

    def box(self):
        a, b = self.rng.sample(range(BUFFERS), 2)
        region = tuple(self.rng.randrange(1, 9) for _ in range(3))
        places = [tuple(self.rng.randrange(16 - extent) for extent in region) for _ in range(2)]
        return cl.enqueue_copy(self.queue, self.buffers[a], self.buffers[b], src_origin=places[0], dst_origin=places[1],
                               region=region, src_pitches=(16, 256), dst_pitches=(16, 256), wait_for=self.waits())

    def map(self):
        offset, size = self.part()
        array, event = cl.enqueue_map_buffer(self.queue, self.buffers[self.pick()],
                                             cl.map_flags.READ | cl.map_flags.WRITE, offset, (size,), np.uint8,
                                             wait_for=self.waits(), is_blocking=False)
        event.wait()
        array += 1
        return array.base.release(self.queue)

    def mix(self):
        a, b = self.rng.sample(range(BUFFERS), 2)
        count = self.rng.randrange(1, BYTES // 4 + 1)
        return self.kernels[0](self.queue, (count,), None, self.buffers[a], self.buffers[b],
                               np.uint32(self.rng.randrange(1 << 32)), wait_for=self.waits())

    def turn(self):
        local = self.rng.choice((1, 2, 8, 32, 64))
        count = local * self.rng.randrange(1, BYTES // 4 // local + 1)
        return self.kernels[1](self.queue, (count,), (local,), self.buffers[self.pick()], cl.LocalMemory(4 * local),
                               wait_for=self.waits())

    def sub(self):
        """A kernel on a part of a buffer."""
        part = self.buffers[self.pick()].get_sub_region(1024 * self.rng.randrange(4), 1024)
        self.kept.append(part)
        return self.kernels[1](self.queue, (256,), (32,), part, cl.LocalMemory(128), wait_for=self.waits())

    def run(self):
        calls = (self.write, self.copy, self.fill, self.box, self.map, self.mix, self.mix, self.turn, self.sub)
        for _step in range(STEPS):
            self.last = self.rng.choice(calls)()
            if self.rng.random() < 0.1:
                cl.enqueue_barrier(self.queue)
        self.queue.finish()
        digest = hashlib.sha256()
        for one in self.buffers:
            found = np.empty(BYTES, np.uint8)
            cl.enqueue_copy(self.queue, found, one)
            digest.update(found)
        return digest.hexdigest()


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    program = cl.Program(context, SOURCE).build()
    kernels = cl.Kernel(program, "churn"), cl.Kernel(program, "turn")
    for number in range(count):
        print(Program(context, kernels, random.Random(seed * 1_000_003 + number)).run(), flush=True)


if __name__ == "__main__":
    main()
