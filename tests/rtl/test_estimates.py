# SPDX-License-Identifier: Apache-2.0
"""Cycles estimated from counts of QEMU beside those that the cores need: within 20 %."""
import functools
import random

import pytest

import ganger
from device_support import BUILD, LONG, Machine, kernel_path, numbers_of, simulation

COUNTED = "qemu-virt32"
WITHIN = 0.2
ITEMS = 24


def jobs(dev):
    """Kernel: its ELF, and what it is submitted with; SM 0 alone, so that no other one is on the bus."""
    draw = random.Random(3)

    def some(count):
        return dev.buffer(numbers_of([draw.randrange(1, 1 << 30) for _ in range(count)]))

    small = {"grid": 6, "block": 4, "affinity": [0]}
    return {
        "sort": ("costs", {**small, "args": [some(24 * ITEMS)]}),
        "divisor": ("costs", {**small, "args": [some(2 * ITEMS), some(ITEMS)]}),
        "crc": ("costs", {**small, "args": [some(16 * ITEMS), some(ITEMS)]}),
        "both": ("costs", {"grid": 4, "block": 16, "affinity": [0], "args": [some(256), some(64)]}),
        "vecadd": ("vecadd", {"grid": 19, "block": 16, "affinity": [0], "args": [some(300), some(300), some(300), 300]}),
        "reduce": ("reduce", {"grid": 4, "block": 50, "affinity": [0], "args": [some(200), some(4), 200]}),
        "barrier_ids": ("barrier_ids", {"grid": (1, 1, 2), "block": (4, 3, 2), "affinity": [0], "args": [some(2048), 5]}),
    }


@functools.lru_cache(maxsize=None)
def profile(path, name):
    """Of a kernel of an ELF; boards with the same instructions have the same ELF."""
    with ganger.Profiler() as profiler, ganger.Device.boot(COUNTED, sms=2, plugin=profiler.plugin(BUILD)) as dev:
        module = dev.load(path)
        profiler.watch(dev, module)
        dev.submit(module[name], **jobs(dev)[name][1]).wait(LONG)
        return profiler.read(dev)


@pytest.mark.parametrize("board", ["refsoc", "refsoc-cv32e40p", "refsoc-vexriscv", "refsoc-vexmin"])
def test_estimates(tmp_path, board):
    """S3-R27: samples, and kernels from which no figure of the cores was taken, in each kernel's second run, when the caches are
    warm. VexRiscv foresees branches, but not those of `crc`, which follow random bits: it is not among its kernels."""
    with simulation(board, tmp_path) as sim, sim.connect() as dev:
        machine, measured = Machine(sim, dev), {}
        work = {name: job for name, job in jobs(dev).items() if (board, name) != ("refsoc-vexriscv", "crc")}
        for turn in (0, 1):
            for name, (elf, keywords) in work.items():
                if turn and name == "sort":  # What was sorted is no work.
                    keywords["args"] = jobs(dev)[name][1]["args"]
                done = machine.finish(dev.submit(machine.kernel(name, elf), **keywords))
                measured[name] = done.times.run * dev.info.timebase_hz
    told = {name: ganger.estimate_cycles(profile(kernel_path(board, elf), name), board).span() for name, (elf, _keywords) in work.items()}
    wrong = {name: told[name] / measured[name] - 1 for name in work}
    print({name: f"{100 * one:+.1f} %" for name, one in wrong.items()})
    assert all(abs(one) <= WITHIN for one in wrong.values()), wrong
