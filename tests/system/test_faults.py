# SPDX-License-Identifier: Apache-2.0
"""Kernels that do what they must not: a status, a record, and nobody else is harmed."""
import pytest

from support import LONG, expect, run_good_task, sm_of, words, zeros

# Also in tests/kernels/faults.c.
(STORE, LOAD, JUMP, ILLEGAL, BAD_CALL, BREAKPOINT, READ_CSR, RETURN_FROM_TRAP, ABORT, WRITE_CODE,
 WRITE_ARGUMENTS, OVERFLOW, AMO, NOTHING) = range(14)
LOAD_CAUSE, STORE_CAUSE, FETCH_CAUSE = 5, 7, 1

CP_IMAGE, SM_IMAGE, ABI_WINDOW, CLINT, UART = 0x80000000, 0x80078000, 0x80080000, 0x2000000, 0x10000000


def run_fault(dev, load, deed, address=0, cta=3, thread=2, kernel="fault", **keywords):
    """Runs 8 CTAs of 4 threads, of which one work-item misbehaves; returns the error."""
    counts = zeros(dev, 8)
    module = load(dev, "faults")
    keywords.setdefault("grid", (8,))
    task = dev.submit(module[kernel], block=(4,), args=[counts, deed, address, cta, thread],
                      **keywords)
    with pytest.raises(Exception) as caught:
        task.wait(LONG)
    error = caught.value
    record = error.record
    if record is not None:
        assert record.status == error.status
        assert (record.tag, record.cta, record.thread) == (task.tag, cta, thread), record
        assert record.context == dev.default_context.info.number
        assert record.sm == error.done.fault_sm < dev.info.sms
        assert len(record.registers) == 31
    # A small overrun is found when the thread returns, so the thread may have counted.
    assert words(counts.read())[cta] < (5 if deed == OVERFLOW else 4)
    assert error.done.ctas < 8
    return error


def in_code(dev, load, address):
    """Whether an address lies in the faulting module's code."""
    module = load(dev, "faults")
    return module.base <= address < module.base + module.code_bytes


@pytest.mark.parametrize("address", [0, 4, CP_IMAGE, CP_IMAGE + 0x100, SM_IMAGE, ABI_WINDOW, CLINT,
                                     UART, 0x4000_0000, 0xfffffffc], ids=hex)
@pytest.mark.parametrize("deed, cause", [(STORE, STORE_CAUSE), (LOAD, LOAD_CAUSE),
                                         (AMO, STORE_CAUSE)])
def test_stray_access(device, load, deed, cause, address):
    """S3-R121, S3-R54, S3-C12, S3-R82: a store, load or atomic to memory that is not the kernel's: the record names pc, address, CTA and thread."""
    dev = device(8)
    magic = dev.regs.cap.magic.read()
    error = run_fault(dev, load, deed, address)
    assert error.status == "ERR_FAULT_ACCESS", error
    assert error.record.cause == cause and error.record.address == address
    assert in_code(dev, load, error.record.pc)
    assert dev.regs.cap.magic.read() == magic
    run_good_task(dev, load(dev, "work"))


@pytest.mark.parametrize("kernel", ["fault", "fault_met"])
@pytest.mark.parametrize("deed, status, cause", [
    (JUMP, "ERR_FAULT_ACCESS", FETCH_CAUSE), (ILLEGAL, "ERR_FAULT_ILLEGAL", 2),
    (BAD_CALL, "ERR_FAULT_CALL", 8), (BREAKPOINT, "ERR_ABORTED", 3),
    (READ_CSR, "ERR_FAULT_ILLEGAL", 2), (RETURN_FROM_TRAP, "ERR_FAULT_ILLEGAL", 2),
    (ABORT, "ERR_ABORTED", None), (WRITE_CODE, "ERR_FAULT_ACCESS", STORE_CAUSE),
    (WRITE_ARGUMENTS, "ERR_FAULT_ACCESS", STORE_CAUSE)])
def test_other_faults(device, load, kernel, deed, status, cause):
    """S0-R02, S3-R121: jumps out, illegal and privileged instructions, unknown calls, writes to code and to arguments."""
    dev = device(8)
    address = 0x40000000 if deed == JUMP else 99
    error = run_fault(dev, load, deed, address, kernel=kernel)
    assert error.status == status, error
    assert error.record is not None
    if cause is not None:
        assert error.record.cause == cause
    if deed == JUMP:
        assert error.record.pc == address
    else:
        assert in_code(dev, load, error.record.pc)
    run_good_task(dev, load(dev, "work"))


@pytest.mark.parametrize("number", [0, 5, 15, 24, 0x7fffffff])
def test_unknown_calls(device, load, number):
    """S3-R121: environment calls that are unknown or not built yet are refused, not ignored."""
    assert run_fault(device(8), load, BAD_CALL, number).status == "ERR_FAULT_CALL"


def test_jump_into_data(device, load):
    """S3-R121: data cannot be executed."""
    dev = device(8)
    buffer = dev.buffer(b"\x82\x80" * 32)  # ret
    error = run_fault(dev, load, JUMP, buffer.address)
    assert error.status == "ERR_FAULT_ACCESS" and error.record.pc == buffer.address


@pytest.mark.parametrize("kernel", ["fault", "fault_met"])
def test_stack_overflow(device, load, kernel):
    """S3-T8, S3-R82, S3-C12: a thread that overruns its stack by far is found out, with one stack and with many."""
    dev = device(8)
    for cta, thread in ((0, 0), (3, 2), (7, 3)):
        error = run_fault(dev, load, OVERFLOW, 300_000, cta=cta, thread=thread, kernel=kernel)
        assert error.status == "ERR_STACK_OVERFLOW", error
    run_good_task(dev, load(dev, "work"))


@pytest.mark.parametrize("kernel", ["fault", "fault_met"])
def test_small_stack_overflow(device, load, kernel):
    """S3-T8, S3-R82, S3-C12: an overrun by a few bytes hits the guard, not just the neighbour's memory."""
    dev = device(8)
    stack = load(dev, "faults")[kernel].stack_bytes
    assert 2048 <= stack <= 8192
    for thread in (0, 1, 3):
        error = run_fault(dev, load, OVERFLOW, stack + 32, thread=thread, kernel=kernel)
        assert error.status == "ERR_STACK_OVERFLOW", error
    counts = zeros(dev, 8)
    done = dev.submit(load(dev, "faults")[kernel], grid=(8,), block=(4,),
                      args=[counts, OVERFLOW, stack // 2, 3, 2]).wait(LONG)
    assert done.ctas == 8 and words(counts.read()) == [4] * 8


def test_memory_of_other_sms(device, load):
    """S3-R74, S0-R40, S3-C12: the memory of another SM, and of another CTA of the same one, is out of reach."""
    dev = device(2)
    runtimes = [state.area.read() for state in dev.regs.sm_state]
    shares = [state.share.read() for state in dev.regs.sm_state]
    runtime, units = runtimes[1] - runtimes[0], shares[1] - shares[0]
    for sm in range(2):
        for address in (runtimes[sm], runtimes[sm] + 64, runtimes[sm] + runtime - 4, shares[sm],
                        shares[sm] + 4096, shares[sm] + units // 2, shares[sm] + units - 4):
            assert sm_of(dev, address) == sm
            error = run_fault(dev, load, STORE, address, cta=1 - sm, grid=(2,))
            assert error.status in ("ERR_FAULT_ACCESS", "ERR_STACK_OVERFLOW")
    run_good_task(dev, load(dev, "work"))


def test_nothing_wrong(device, load):
    """S3-R31: the same kernel without a fault ends well, so the tests above see the faults that they name."""
    dev = device(8)
    for kernel in ("fault", "fault_met"):
        counts = zeros(dev, 8)
        done = dev.submit(load(dev, "faults")[kernel], grid=(8,), block=(4,),
                          args=[counts, NOTHING, 0, 3, 2]).wait(LONG)
        assert done.ctas == 8 and words(counts.read()) == [4] * 8


def test_every_cta_faults(device, load):
    """S3-R121, S0-R21: a thousand CTAs that all fault make one completion; nothing more is issued after the first."""
    dev = device(8)
    before = dev.stat()
    counts = zeros(dev, 1000)
    module = load(dev, "order")
    task = dev.submit(module["order_plain"], grid=(1000,), block=(1,), args=[None])
    error = expect("ERR_FAULT_ACCESS", task.wait, LONG)
    assert error.record.address == 0 and error.done.ctas == 0
    stat = dev.stat()
    assert stat["tasks_failed"] - before["tasks_failed"] == 1
    assert stat["ctas"] - before["ctas"] <= 2 * 8 * dev.info.sm_ctas
    assert words(counts.read()) == [0] * 1000
    run_good_task(dev, load(dev, "work"))


def test_fault_records_of_many(device, load):
    """S3-R121: forty faults one after another, each with its own record, on all SMs."""
    dev = device(8)
    sms = set()
    for number in range(40):
        error = run_fault(dev, load, STORE, 0x1000 + 4 * number, cta=number % 8, thread=number % 4)
        assert error.record.address == 0x1000 + 4 * number
        sms.add(error.record.sm)
    assert len(sms) > 1
    assert sum(state.faults.read() for state in dev.regs.sm_state) >= 40


def test_neighbours_are_unharmed(device, load):
    """S3-R121, S0-R15: tasks beside faulting ones, of all priorities, are complete and right."""
    dev = device(2)
    module, work = load(dev, "faults"), load(dev, "work")
    good, bad, outs = [], [], []
    for number in range(30):
        outs.append(zeros(dev, 300))
        good.append(dev.submit(work["count"], grid=(300,), block=(3,), args=[outs[-1]],
                               priority=1 + number % 10))
        bad.append(dev.submit(module["fault_met" if number % 2 else "fault"], grid=(40,), block=(8,),
                              args=[zeros(dev, 40), number % 4, 0x40000000, number, number % 8],
                              priority=1 + number % 10))
    for task in bad:
        assert expect_any(task).startswith("ERR_FAULT")
    assert all(task.wait(LONG).ctas == 300 for task in good)
    assert all(words(out.read()) == [1] * 300 for out in outs)


def expect_any(task):
    """Status of a task that must fail."""
    with pytest.raises(Exception) as caught:
        task.wait(LONG)
    return caught.value.status
