# SPDX-License-Identifier: Apache-2.0
"""Distributed shared memory: what clusters do with it, and what they must not do."""
import array
import random

import pytest

import ganger
from support import LONG, expect, expect_status, flag_at, run_good_task, set_flag, until, words, zeros

(MAP_RANK, MAP_RANGE, BEYOND, BEFORE, STRADDLE, GONE_MAP, GONE_LOAD, GONE_LATE, QUERY,
 EXECUTE) = range(10)  # Deeds of kernels/cluster_memory.c.
MASK = 0xffffffff


@pytest.fixture
def sample(sample_path):
    """sample(dev, "cluster_ring"): a kernel that ships with the project."""

    def get(dev, name):
        modules = vars(dev).setdefault("test_samples", {})
        if name not in modules:
            modules[name] = dev.load(sample_path(name))
        return modules[name][name]

    return get


def numbers(dev, values):
    """A buffer of 32-bit words."""
    return dev.buffer(array.array("I", [value & MASK for value in values]))


def some(count, most, seed=5):
    """The same random numbers every time."""
    choose = random.Random(seed)
    return [choose.randrange(most) for _ in range(count)]


@pytest.mark.parametrize("mode", ["balance", "multicast"])
@pytest.mark.parametrize("sms, members, threads", [(1, 1, 4), (2, 2, 1), (2, 2, 8), (8, 8, 4)])
def test_histogram(device, sample, sms, members, threads, mode):
    """S1-R73, S1-R145, S1-R77, S1-C11: atomic operations on the memory of all members, from all of them."""
    dev, share = device(sms), 37
    data = some(3000, members * share + 5)
    bins = zeros(dev, members * share)
    dev.submit(sample(dev, "cluster_hist"), grid=2 * members, block=threads, cluster=members, cluster_in="gpu",
               mode=mode, args=[numbers(dev, data), bins, len(data), ganger.local(4 * share),
                                share]).wait(LONG)
    assert words(bins.read()) == [data.count(value) for value in range(members * share)]


def after_steps(row, steps):
    """A ring of cells."""
    for _ in range(steps):
        row = [(cell + row[i - 1] + row[(i + 1) % len(row)]) & MASK for i, cell in enumerate(row)]
    return row


@pytest.mark.parametrize("sms, members, threads", [(1, 1, 7), (1, 8, 5), (2, 6, 4), (8, 16, 3)])
def test_halo_exchange(device, sample, sms, members, threads):
    """S1-R145, S1-R135: cells at the edges are read from the neighbours at each step."""
    dev, length = device(sms), members * threads
    cells = some(3 * length, 1000)
    buffer = numbers(dev, cells)
    dev.submit(sample(dev, "cluster_halo"), grid=3 * members, block=threads, cluster=members, cluster_in="gpu",
               args=[buffer, 25]).wait(LONG)
    assert words(buffer.read()) == [cell for first in range(0, 3 * length, length)
                                    for cell in after_steps(cells[first:first + length], 25)]


@pytest.mark.parametrize("sms, members", [(1, 1), (1, 3), (2, 2), (2, 12), (8, 8), (8, 13)])
def test_ring_all_reduce(device, sample, sms, members):
    """S1-R29, S1-R145: plain loads and stores around a ring; each member has the sum."""
    dev, part, rings = device(sms), 5, 2
    length = members * part
    vectors = [some(length, 1 << 32, seed) for seed in range(rings * members)]
    out = zeros(dev, rings * members * length)
    dev.submit(sample(dev, "cluster_ring"), grid=rings * members, block=2, cluster=members, cluster_in="gpu",
               args=[numbers(dev, sum(vectors, [])), out, ganger.local(4 * length), part]).wait(LONG)
    sums = [[sum(column) & MASK for column in zip(*vectors[ring * members:][:members])]
            for ring in range(rings)]
    assert words(out.read()) == [value for one in sums for value in one * members]


@pytest.mark.parametrize("sms, side, n", [(1, 1, 8), (1, 2, 32), (2, 2, 48), (8, 3, 48), (8, 4, 64)])
def test_matrix_product(device, sample, sms, side, n):
    """S1-R145, S1-R162: tiles that one member loads and all read."""
    dev, a, b = device(sms), some(n * n, 1 << 31, 1), some(n * n, 1 << 31, 2)
    c = zeros(dev, n * n)
    dev.submit(sample(dev, "cluster_matmul"), grid=(n // 8, n // 8), block=(8, 8),
               cluster=(side, side), args=[numbers(dev, a), numbers(dev, b), c, n]).wait(LONG)
    columns = [b[x::n] for x in range(n)]
    assert words(c.read()) == [sum(map(int.__mul__, a[y * n:(y + 1) * n], columns[x])) & MASK
                               for y in range(n) for x in range(n)]


def windows(dev, count):
    """That many windows of another context, none of which is a power of two."""
    if not count:
        return []
    other = vars(dev).setdefault("test_other", None) or dev.context(1 << 20)
    dev.test_other = other
    return [other.buffer(nbytes=12) for _ in range(count)]


@pytest.mark.parametrize("count", [0, 3])
@pytest.mark.parametrize("sms, members", [(1, 8), (2, 16), (8, 60)])
def test_everyone_and_everyone(device, load, sms, members, count):
    """S1-R144, S1-R145: more members than windows fit into the core; also with as many windows of the task as it
    may have; query_shared_rank() is the way back."""
    dev, out = device(sms), zeros(device(sms), members)
    dev.submit(load(dev, "cluster_memory")["everyone"], grid=members, block=1, cluster=members, cluster_in="gpu",
               args=[out, 3], windows=windows(dev, count)).wait(LONG)
    assert words(out.read()) == [3 * members * (members + 1) // 2] * members


def test_in_opencl_c(device, load):
    """S1-R117, S1-R145: the same built-ins in OpenCL C."""
    dev, members, items = device(2), 4, 3
    out = zeros(dev, 2 * members * items)
    dev.submit(load(dev, "cl/cluster")["rotate_right"], grid=2 * members, block=items,
               cluster=members, cluster_in="gpu", args=[out, ganger.local(4 * items)]).wait(LONG)
    left = [(rank - 1) % members for rank in range(members)]
    assert words(out.read()) == 2 * [
        10000000 * rank + 100000 + 1000 * rank + item for rank in left for item in range(items)]


def wrong(dev, load, deed, members=4, **keywords):
    """Runs kernel `faults`; its task and its words."""
    state = zeros(dev, 4)
    heap = zeros(dev, 4)
    task = dev.submit(load(dev, "cluster_memory")["faults"], grid=members, block=1, cluster=members, cluster_in="gpu",
                      args=[state, deed, heap], **keywords)
    return task, state, heap


DEEDS = [(MAP_RANK, "ERR_CLUSTER_RANK"), (MAP_RANGE, "ERR_CLUSTER_RANGE"),
         (QUERY, "ERR_CLUSTER_RANGE"), (BEYOND, "ERR_CLUSTER_RANGE"), (BEFORE, "ERR_CLUSTER_RANGE"),
         (STRADDLE, "ERR_CLUSTER_RANGE"), (EXECUTE, "ERR_FAULT_ACCESS")]


@pytest.mark.parametrize("mode", ["balance", "multicast"])
@pytest.mark.parametrize("deed, status", DEEDS)
def test_wrong_access(device, load, deed, status, mode):
    """S1-R30, S1-R206, S1-R146, S1-R155, S1-R156, S1-R157, S1-R159, S1-Q21, S1-Q23, S1-Q24: a wrong rank, pointer
    or access ends the task; the record is that of the CTA that made it, and names the address."""
    dev = device(8)
    task, state, heap = wrong(dev, load, deed, mode=mode)
    error = expect(status, task.wait, LONG)
    record = error.record
    assert (record.status, record.cta, record.rank) == (status, 0, 0) and record.cga is not None
    assert flag_at(state, 3) == 0
    if deed in (MAP_RANGE, QUERY):
        assert record.address == heap.address
    run_good_task(dev, load(dev, "work"))


def resident(dev):
    """CTAs on all SMs."""
    return sum(sm.resident.read() for sm in dev.regs.sm_state)


@pytest.mark.parametrize("sms", [1, 2, 8])
@pytest.mark.parametrize("deed", [GONE_MAP, GONE_LOAD, GONE_LATE])
def test_a_member_that_has_ended(device, load, deed, sms):
    """S1-R146, S1-R152, S1-R155, S1-Q18: mapping it, reaching it for the first time, and going on to use it, is a
    fault; the last at the end of a time slice at the latest."""
    dev = device(sms)
    task, state, _heap = wrong(dev, load, deed)
    until(lambda: flag_at(state, 1) == 1, "rank 0 is ready")
    until(lambda: resident(dev) == 3, "rank 1 has ended")
    set_flag(state, 0)
    error = expect("ERR_CLUSTER_GONE", task.wait, LONG)
    assert (error.record.cta, error.record.rank) == (0, 0) and flag_at(state, 3) == 0
    run_good_task(dev, load(dev, "work"))


@pytest.mark.parametrize("sms", [1, 2])
def test_nobody_else_reaches_it(device, load, sms):
    """S1-R73, S1-R145, S3-R45: the shared memory of a cluster's CTAs is closed to a plain grid and to other clusters.
    (It may be the page below the memory of the CTA that tries: as if its stack overflowed.)"""
    dev, members = device(sms), 4
    where, state = dev.buffer(bytes(8 * members)), zeros(dev, 3)
    module = load(dev, "cluster_memory")
    held = dev.submit(module["host_of_memory"], grid=members, block=1, cluster=2,
                      args=[where, state])
    until(lambda: flag_at(state, 0) == members, "all hold their memory")
    try:
        for address in array.array("Q", bytes(where.read())):
            for write in (0, 1):
                expect_status(("ERR_FAULT_ACCESS", "ERR_STACK_OVERFLOW"), dev.submit(
                    module["touch"], grid=1, block=1, args=[address, write]).wait, LONG)
                expect_status(("ERR_CLUSTER_RANGE", "ERR_STACK_OVERFLOW"), dev.submit(
                    module["touch"], grid=2, block=1, cluster=2, args=[address, write]).wait, LONG)
    finally:
        set_flag(state, 1)
        held.wait(LONG)
    assert flag_at(state, 2) == 0


@pytest.mark.parametrize("below", [16, 2048, 2400])
def test_a_stack_that_overflows_into_a_member(device, load, below):
    """S3-R82: the page below a CTA's memory may be the shared memory of the member beside it: a stack that overflows
    does not reach it."""
    dev, out = device(1), zeros(device(1), 2)
    share = dev.info.sm_shared_bytes // dev.info.sm_units
    error = expect("ERR_STACK_OVERFLOW", dev.submit(
        load(dev, "cluster_memory")["overflow"], grid=8, block=1, cluster=8,
        args=[out, ganger.local(share), below]).wait, LONG)
    assert error.record.rank == 7 and words(out.read()) == [0, 0]


def test_without_protection(fresh, load, xlen):
    """S1-R145: a core without PMP: members' memory is reached directly, and what is asked is checked all the same."""
    dev = fresh(2, extra_args=("-cpu", f"rv{xlen},pmp=false"))
    out = zeros(dev, 4)
    dev.submit(load(dev, "cluster_memory")["everyone"], grid=4, block=1, cluster=4,
               args=[out, 3]).wait(LONG)
    assert words(out.read()) == [30] * 4
    for deed in (MAP_RANK, MAP_RANGE):
        task, _state, _heap = wrong(dev, load, deed)
        expect_status(("ERR_CLUSTER_RANK", "ERR_CLUSTER_RANGE"), task.wait, LONG)
