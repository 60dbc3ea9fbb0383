# SPDX-License-Identifier: Apache-2.0
"""Stacks: an overrun is found, and the thread that did it is named.

Between the stacks of a CTA lie canaries (S3-Q11): the lowest stack is guarded by PMP as well, but two
entries for each of up to 1,024 stacks are more than any core has. A canary is looked at whenever its
thread gives the core away: at a barrier, and at its end; a kernel without barriers has one stack, and
its canary is looked at after each work-item. So no other thread runs on what was overwritten.
"""
import pytest

from support import LONG, expect, run_good_task, words, zeros


@pytest.fixture
def dev(device):
    """The device of these tests."""
    return device(2)


def overflow(dev, load, kernel, thread, nbytes, threads, *more, **keywords):
    """The error of a CTA in which that thread overruns, and the counts of the others."""
    count = zeros(dev, 3)
    task = dev.submit(load(dev, "isolation")[kernel], block=threads,
                      args=[thread, nbytes, count, *more], **keywords)
    error = expect("ERR_STACK_OVERFLOW", task.wait, LONG)
    assert error.record.thread == thread and error.record.tag == task.tag
    assert error.record.status == "ERR_STACK_OVERFLOW"
    return error, words(count.read())


@pytest.mark.parametrize("where", [0, 1, 2])
def test_every_thread_of_a_barrier_kernel(dev, load, where):
    """S3-T8, S3-R82, S3-C12: each of 16 threads, before, between and after barriers, by a word and by far."""
    stack = load(dev, "isolation")["deep_met"].stack_bytes
    for thread in range(16):
        for nbytes in (stack, 2 * stack):
            if thread == 0 and where == 0 and nbytes > stack:
                continue  # below: the lowest stack
            _error, counts = overflow(dev, load, "deep_met", thread, nbytes, 16, where)
            assert counts[:where] == [16] * where  # nobody went on after it
            assert counts[where] <= thread + 1 and counts[where + 1:] == [0] * (2 - where)
    run_good_task(dev, load(dev, "work"))


def test_lowest_stack(dev, load):
    """S3-T8, S3-R82: below the first stack is no memory of the CTA: the access itself faults."""
    for kernel, more in (("deep", ()), ("deep_met", (1,))):
        stack = load(dev, "isolation")[kernel].stack_bytes
        error, _counts = overflow(dev, load, kernel, 0, stack + 64, 4, *more)
        window = dev.regs.sm_state[error.record.sm].share.read()
        unit = dev.info.sm_area_bytes // dev.info.sm_units // 4096 * 4096
        assert error.record.cause == 7 and error.record.address < window + 32 * unit
        assert (error.record.address + 4) % 4096 == 0, "the first word below its memory"


@pytest.mark.parametrize("thread", [0, 1, 7, 62])
def test_one_stack_for_all(dev, load, thread):
    """S3-R78, S3-C12: without barriers: found after the work-item that did it, before the next one."""
    kernel = load(dev, "isolation")["deep"]
    found = set()
    for nbytes in range(kernel.stack_bytes - 96, kernel.stack_bytes + 32, 4):
        count = zeros(dev, 1)
        task = dev.submit(kernel, block=63, args=[thread, nbytes, count])
        if task_status(task) == "OK":
            assert words(count.read()) == [63]
            continue
        error = expect("ERR_STACK_OVERFLOW", task.wait, LONG)
        assert error.record.thread == thread
        assert words(count.read())[0] in (thread, thread + 1)
        found.add(error.record.cause)
    assert found == {7, 8}, "by the canary, and by PMP"
    run_good_task(dev, load(dev, "work"))


def task_status(task):
    """How it ended."""
    try:
        return task.wait(LONG).status
    except Exception as error:  # noqa: BLE001
        return error.status


@pytest.mark.parametrize("threads", [3, 64, 1024])
def test_neighbours_of_a_stack(dev, load, threads):
    """S3-T8, S3-C12: the stacks of the last two threads, and of many: the overrun is that of its thread, not of the one below."""
    stack = load(dev, "isolation")["deep_met"].stack_bytes
    for thread in (threads - 2, threads - 1):
        error, counts = overflow(dev, load, "deep_met", thread, stack, threads, 1)
        assert counts == [threads, thread + 1, 0]
        assert error.record.cause == 8
    assert stack % 16 == 0


def test_enough_is_enough(dev, load):
    """S3-R75: a frame that fits of half a stack is left alone in every thread."""
    kernel = load(dev, "isolation")["deep_met"]
    for thread in range(8):
        count = zeros(dev, 3)
        dev.submit(kernel, block=8, args=[thread, kernel.stack_bytes // 2, count, 1]).wait(LONG)
        assert words(count.read()) == [8] * 3
