# SPDX-License-Identifier: Apache-2.0
"""Threads of a CTA: their order, barriers, and threads that do not agree."""
import pytest

import ganger
from support import LONG, expect, run_good_task, words, zeros

NAMES = {1: "S", 2: "B", 3: "R", 4: "B'", 5: "R'", 6: "E"}
BLOCKS = [1, 2, 3, 31, 33, 64, 255, 256, 1000, 1024]


def trace_of(dev, kernel, threads):
    """What the work-items logged: "S0 B0 S1 …"."""
    log = zeros(dev, 1 + 8 * threads)
    dev.submit(kernel, grid=(1,), block=(threads,), args=[log]).wait(LONG)
    count, *entries = words(log.read())
    return " ".join(f"{NAMES[entry >> 16]}{entry & 0xffff}" for entry in entries[:count])


def test_order_without_barrier(device, load):
    """S3-T2, S3-R68, S3-R92, S3-R104, S3-R112, S3-C2: work-items run one after another from start to end."""
    dev = device(1)
    kernel = load(dev, "order")["order_plain"]
    assert not kernel.barrier
    assert trace_of(dev, kernel, 3) == "S0 E0 S1 E1 S2 E2"
    assert trace_of(dev, kernel, 40) == " ".join(f"S{i} E{i}" for i in range(40))


def test_order_with_a_barrier(device, load):
    """S3-T2, S3-R86, S3-R96, S3-R98, S3-R100, S3-R102, S3-R105, S3-R112, S3-R113, S3-C5: all arrive before any goes on."""
    dev = device(1)
    kernel = load(dev, "order")["order_one"]
    assert trace_of(dev, kernel, 3) == "S0 B0 S1 B1 S2 B2 R0 E0 R1 E1 R2 E2"
    assert trace_of(dev, kernel, 1) == "S0 B0 R0 E0"


def test_order_with_two_barriers(device, load):
    """S3-T3, S3-R99, S3-C5: the second barrier holds as the first."""
    dev = device(1)
    assert trace_of(dev, load(dev, "order")["order_two"], 2) == \
        "S0 B0 S1 B1 R0 B'0 R1 B'1 R'0 E0 R'1 E1"


def mixed(group, thread):
    """What `reduce` adds up."""
    return (group * 2654435761 ^ thread * 40503) & 0xffffffff


@pytest.mark.parametrize("threads", BLOCKS)
def test_reduction(device, load, threads):
    """S3-T9, S0-R40, S3-R18, S3-R74, S3-R85, S3-R88, S3-C7: sums through local memory, with a barrier in a loop, any block size."""
    dev = device(8)
    groups = 20
    sums = zeros(dev, groups)
    dev.submit(load(dev, "barrier")["reduce"], grid=(groups,), block=(threads,),
               args=[sums, ganger.local(4 * threads)]).wait(LONG)
    assert words(sums.read()) == [sum(mixed(group, thread) for thread in range(threads))
                                  & 0xffffffff for group in range(groups)]


def test_reduction_of_eight(device, load):
    """S3-T9: N = 8, in two dimensions."""
    dev = device(1)
    sums = zeros(dev, 1)
    dev.submit(load(dev, "barrier")["reduce"], grid=(1,), block=(4, 2),
               args=[sums, ganger.local(32)]).wait(LONG)
    assert words(sums.read()) == [sum(mixed(0, thread) for thread in range(8)) & 0xffffffff]


@pytest.mark.parametrize("threads", [1, 2, 31, 256, 1024])
def test_barrier_in_a_loop(device, load, threads):
    """S1-R33, S1-R180, S0-R40, S3-R99, S3-R113: two barriers a round, 23 rounds."""
    dev = device(8)
    groups, rounds = 9, 23
    out = zeros(dev, groups * threads)
    dev.submit(load(dev, "barrier")["rotate"], grid=(groups,), block=(threads,),
               args=[out, rounds]).wait(LONG)
    assert words(out.read()) == [3 * ((thread + rounds) % threads) + group + rounds
                                 for group in range(groups) for thread in range(threads)]


@pytest.mark.parametrize("threads", [1, 2, 31, 256, 1000])
def test_barrier_in_a_called_function(device, load, threads):
    """S3-R29, S3-R87, S3-R79: the barrier lies two calls below the kernel."""
    dev = device(8)
    out = zeros(dev, 7 * threads)
    dev.submit(load(dev, "barrier")["called"], grid=(7,), block=(threads,), args=[out]).wait(LONG)
    assert words(out.read()) == [1000 * ((thread + 2) % threads) + thread
                                 for thread in range(threads)] * 7


@pytest.mark.parametrize("threads", [1, 2, 33, 256])
def test_values_survive_a_barrier(device, load, threads):
    """S3-T4, S3-R29, S3-R75, S3-R114, S3-C6: integers, floats and arrays of each thread live across barriers."""
    dev = device(8)
    wrong = zeros(dev, 1)
    dev.submit(load(dev, "barrier")["survive"], grid=(33,), block=(threads,),
               args=[wrong, 12345]).wait(LONG)
    assert words(wrong.read()) == [0]


@pytest.mark.parametrize("threads, stay", [(2, 1), (32, 16), (33, 1), (256, 255), (1024, 1023)])
def test_divergent_barrier(device, load, threads, stay):
    """S3-T10, S3-R121: some threads return, others wait: ERR_DIVERGED with a record, no hang, the next task runs."""
    dev = device(8)
    module = load(dev, "barrier")
    out = zeros(dev, 2)
    task = dev.submit(module["leave_early"], grid=(1,), block=(threads,), args=[out, stay])
    error = expect("ERR_DIVERGED", task.wait, LONG)
    assert words(out.read()) == [threads, 0], "a thread passed a barrier that not all reached"
    assert error.record.status == "ERR_DIVERGED" and error.record.cta == 0
    assert error.record.thread < threads
    run_good_task(dev, load(dev, "work"))


def test_all_leave_or_all_stay(device, load):
    """S3-T10: no thread at the barrier, or all of them, is not divergent."""
    dev = device(8)
    kernel = load(dev, "barrier")["leave_early"]
    for stay, passed in ((0, 0), (64, 640)):
        out = zeros(dev, 2)
        assert dev.submit(kernel, grid=(10,), block=(64,), args=[out, stay]).wait(LONG).ctas == 10
        assert words(out.read()) == [640, passed]


def test_one_thread_comes_more_often(device, load):
    """S3-T10: a thread waits at a second barrier while all others have returned; alone it may."""
    dev = device(8)
    kernel = load(dev, "barrier")["one_more"]
    out = zeros(dev, 1)
    error = expect("ERR_DIVERGED", dev.submit(kernel, grid=(1,), block=(32,), args=[out, 1]).wait,
                   LONG)
    assert error.record.thread < 32
    assert words(out.read()) == [31]
    alone = dev.submit(kernel, grid=(3,), block=(1,), args=[out, 5]).wait(LONG)
    assert alone.ctas == 3


def test_divergence_harms_nobody(device, load):
    """S3-T10: neighbours of a divergent task are complete and right."""
    dev = device(2)
    module, work = load(dev, "barrier"), load(dev, "work")
    outs, good = [zeros(dev, 2000) for _ in range(6)], []
    bad = []
    for out in outs:
        good.append(dev.submit(work["count"], grid=(2000,), block=(2,), args=[out]))
        bad.append(dev.submit(module["leave_early"], grid=(50,), block=(16,),
                              args=[zeros(dev, 2), 8]))
    for task in bad:
        expect("ERR_DIVERGED", task.wait, LONG)
    assert all(task.wait(LONG).ctas == 2000 for task in good)
    assert all(words(out.read()) == [1] * 2000 for out in outs)
