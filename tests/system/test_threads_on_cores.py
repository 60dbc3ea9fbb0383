# SPDX-License-Identifier: Apache-2.0
"""Threads of kernels on cores: where their memories lie, and in which order they run.

The terms of the specification, here: OS thread: the runtime that an SM's hart runs forever; work-group:
CTA; user-level thread: thread of a CTA.
"""
import array
import struct

import pytest

import ganger
from support import LONG, flag_at, run_good_task, words, zeros

RUNTIME = 40960
GROUPS, ITEMS, LOCAL, PRIVATE = 4, 64, 8192, 1024


def places_of(buffer, count):
    """(private, shared, constant, code) of each work-item."""
    flat = memoryview(buffer.read()).cast("Q").tolist()
    return [tuple(flat[4 * item:4 * item + 4]) for item in range(count)]


def units_of(dev, sm):
    """First and last address of the memory of an SM's CTAs."""
    first = dev.regs.sm_state[sm].share.read()
    return first, first + dev.info.sm_area_bytes - RUNTIME


def test_memory_of_four_cores(device, load):
    """S3-T5, S3-R13, S3-R26, S3-R74, S3-R75, S3-R118, S3-C11: M = 4 cores, N = 64 items: 4 local areas of 8 KiB, 256 private ones of 1 KiB, none in another."""
    dev = device(4)
    kernel = load(dev, "places")["where_is"]
    assert kernel.barrier and kernel.stack_bytes <= PRIVATE
    out = dev.buffer(bytes(32 * GROUPS * ITEMS))
    done = dev.submit(kernel, grid=GROUPS, block=ITEMS, args=[out, ganger.local(LOCAL)],
                      stack_bytes=PRIVATE, mode="round-robin").wait(LONG)
    assert done.sms == GROUPS
    found = places_of(out, GROUPS * ITEMS)
    shared = sorted({one[1] for one in found})
    assert len(shared) == GROUPS
    private = sorted(one[0] for one in found)
    spans = [(at // PRIVATE * PRIVATE, PRIVATE) for at in private]  # a stack is 1 KiB, aligned
    assert len(set(spans)) == GROUPS * ITEMS
    assert sum(nbytes for _at, nbytes in spans) == 256 * 1024 and LOCAL * len(shared) == 32 * 1024
    for sm in range(4):
        first, last = units_of(dev, sm)
        here = [at for at in private if first <= at < last]
        assert len(here) == ITEMS and sum(first <= at < last for at in shared) == 1
        assert {b - a for a, b in zip(here, here[1:])} == {PRIVATE}
        assert all(not at - PRIVATE < block < at + LOCAL for at in shared for block in here)


def test_hierarchy_of_memories(device, load):
    """S3-R4, S3-R5, S3-R7, S3-R71, S3-R72, S3-R73, S3-R79, S3-R80, S3-C10, S3-C15, S3-C18: global memory is the heap, local and private memory are the SM's, constants and code the module's; all in one address space."""
    dev = device(4)
    module = load(dev, "places")
    out = dev.buffer(bytes(32 * 8))
    dev.submit(module["where_is"], grid=2, block=4, args=[out, ganger.local(64)]).wait(LONG)
    spans = [units_of(dev, sm) for sm in range(4)]
    heap = dev.default_context.info
    assert heap.heap <= out.address < heap.heap + heap.nbytes
    for private, shared, constant, code in places_of(out, 8):
        assert any(first <= private < last and first <= shared < last for first, last in spans)
        assert all(module.base <= at < module.base + module.code_bytes for at in (constant, code))
        assert dev.read(constant, 4) == b"snoc"
    assert len({constant for _p, _s, constant, _c in places_of(out, 8)}) == 1


def test_one_stack_without_barriers(device, load):
    """S3-R78, S3-R84, S3-R91, S3-R94: without a barrier all items of a group use one private area; with one each has its own."""
    dev = device(4)
    module = load(dev, "places")
    assert module["where_is"].barrier and not module["where_is_plain"].barrier
    out = dev.buffer(bytes(32 * 30))
    dev.submit(module["where_is_plain"], block=30, args=[out]).wait(LONG)
    assert len({one[0] for one in places_of(out, 30)}) == 1
    dev.submit(module["where_is"], block=30, args=[out, ganger.local(64)]).wait(LONG)
    assert len({one[0] for one in places_of(out, 30)}) == 30


def bars_by_sm(dev):
    """Of the trace: CTAs by SM, in the order of their starts."""
    bars = {}
    for bar in sorted(dev.trace().ctas(), key=lambda one: one.start):
        bars.setdefault(bar.sm, []).append(bar)
    return bars


def test_five_groups_on_two_cores(device, load):
    """S3-T6, S3-R67, S3-R76, S3-R95, S3-R103, S3-R110, S3-R117, S3-C4: groups that fill a core: one after another on each core, both cores at once; the memory is that of the core, the same for all its groups."""
    dev = device(2)
    met, places = zeros(dev, 1), zeros(dev, 10)
    dev.trace_on()
    dev.submit(load(dev, "places")["meet"], grid=5, args=[met, places, ganger.local(dev.info.sm_shared_bytes)]).wait(LONG)
    dev.trace_off()
    assert words(met.read()) == [2]  # the two first have met: both cores at once
    bars = bars_by_sm(dev)
    assert len(bars) == 2 and sum(map(len, bars.values())) == 5
    for mine in bars.values():
        assert all(a.end <= b.start for a, b in zip(mine, mine[1:])), "two groups at once"
    assert len(set(struct.unpack("<5Q", places.read()))) == 2


@pytest.mark.parametrize("size", [1, 4, 10])
def test_subsets(device, load, size):
    """S3-T11, S3-C2, S3-C17, S3-C20, S3-R14, S3-R15, S3-R53, S3-R97, S3-R101: 10 items in subsets of 1, 4 and 10: a subset begins after the one before has ended; its items run one after another."""
    dev = device(2)
    log = zeros(dev, 21)
    dev.submit(load(dev, "places")["in_subsets"], grid=-(-10 // size), block=size, args=[log, 10],
               sequential=True).wait(LONG)
    count, *entries = words(log.read())
    assert count == 20
    assert entries == [item | end << 31 for item in range(10) for end in (0, 1)]


def test_no_trap_at_a_barrier(device, load):
    """S3-R69, S3-R120: 64 threads meet 200 times without entering the runtime: no more traps than a CTA without barriers has, but for the time slices."""
    dev = device(1)
    kernel = load(dev, "places")["meetings"]
    counts = zeros(dev, 64)

    def traps(rounds):
        before = dev.regs.sm_state[0].health.read()
        dev.submit(kernel, block=64, args=[counts, rounds]).wait(LONG)
        dev.nop()
        return dev.regs.sm_state[0].health.read() - before

    traps(1)
    assert traps(200) < traps(1) + 200
    assert words(counts.read()) == [1] * 64 and traps(200) and flag_at(counts, 63) == 200


def test_whole_way(device, load, sample_path, build, board):
    """S3-R9, S3-R10, S3-R11, S3-R17, S3-R47, S3-R56, S3-R57, S3-R60, S3-C1, S3-C8, S3-C9, S3-C16, S3-C19: firmware images on CPU cores run kernels that the host names: as many workers as cores, not as items; every item once."""
    assert all((build / board / f"{image}.elf").exists() for image in ("cp", "sm"))
    dev = device(4)
    n = 4096
    module = dev.load(sample_path("vecadd"))
    numbers = array.array("i", range(n))
    a, b, c = dev.buffer(numbers), dev.buffer(numbers), zeros(dev, n)
    for name in module.kernels:  # every kernel of the module, one after another
        done = dev.submit(module[name], grid=n // 64, block=64, args=[a, b, c, n]).wait(LONG)
        assert done.ctas == n // 64 and 1 <= done.sms <= 4
        assert words(c.read()) == [2 * number for number in numbers]
    counts = zeros(dev, n // 8)
    dev.submit(load(dev, "work")["count"], grid=n // 8, block=8, args=[counts]).wait(LONG)
    assert words(counts.read()) == [1] * (n // 8)
    assert dev.info.sms == 4 == sum(state.ctas.read() > 0 for state in dev.regs.sm_state)
    run_good_task(dev, load(dev, "work"))
