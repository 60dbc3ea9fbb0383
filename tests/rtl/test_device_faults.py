# SPDX-License-Identifier: Apache-2.0
"""Kernels that do what they must not, on RTL: their tasks fail with a record, all others live on."""
import pytest
from device_support import expect, words, zeros

STORE, LOAD, JUMP, ILLEGAL, BAD_CALL, OVERRUN = range(6)
CTAS, CTA, THREAD = 6, 3, 2
SHORT_MS = 1  # of the device's time: 10,000 cycles


def fails(machine, status, deed, address=0):
    """A task of which one thread does it, beside tasks that hold an SM's place and that count; the record."""
    dev, kernel = machine.dev, machine.kernel("fault")
    counts, others = zeros(dev, CTAS), zeros(dev, 8)
    with machine.held(2):
        task = dev.submit(kernel, grid=CTAS, block=4, args=[counts, deed, address, CTA, THREAD])
        other = dev.submit(machine.kernel("count"), grid=8, args=[others])
        error = expect(status, machine.finish, task)
        assert machine.finish(other).ctas == 8 and words(others.read()) == [1] * 8
    record = error.record
    assert (record.status, record.tag, record.cta) == (status, task.tag, CTA)
    assert words(counts.read())[CTA] <= 1
    machine.works()
    return record


@pytest.mark.parametrize("deed", [STORE, LOAD, JUMP])
def test_access(machine, deed):
    """S3-R121, S3-R71: where there is protection, memory of the control processor cannot be reached."""
    if not machine.has("PROTECTION"):
        pytest.skip("the core has no protection")
    address = machine.dev.info.ram + 0x1000
    record = fails(machine, "ERR_FAULT_ACCESS", deed, address)
    assert record.thread == THREAD
    assert record.address == address
    image = machine.sim.image.read_bytes()
    assert machine.dev.read(address, 64) == image[0x1000:0x1040]


def test_illegal(machine):
    """S3-R121: an illegal instruction."""
    assert fails(machine, "ERR_FAULT_ILLEGAL", ILLEGAL).thread == THREAD


def test_bad_call(machine):
    """S3-R121: a call that the runtime does not know."""
    assert fails(machine, "ERR_FAULT_CALL", BAD_CALL, 99).thread == THREAD


def test_stack_overflow(machine):
    """S3-R121, S3-T8: an overrun of the stack shows by its canary, also without protection."""
    kernel = machine.kernel("fault")
    fails(machine, "ERR_STACK_OVERFLOW", OVERRUN, kernel.stack_bytes)


def test_time_limit(machine):
    """S3-Q13, S3-R121: an endless kernel is ended by its limit; its SM runs others."""
    counts = zeros(machine.dev, 4)
    task = machine.dev.submit(machine.kernel("forever"), grid=4, args=[counts, 1], time_limit_ms=SHORT_MS)
    error = expect("ERR_TIME_LIMIT", machine.finish, task)
    assert (error.record.status, error.record.cta) == ("ERR_TIME_LIMIT", 1)
    machine.works()


def test_endless_everywhere(machine):
    """S3-R66: endless CTAs in every place of both SMs; all are ended, those that wait run then."""
    dev = machine.dev
    places = dev.info.sms * dev.info.sm_ctas
    endless = [dev.submit(machine.kernel("forever"), args=[zeros(dev, 1), 0], time_limit_ms=SHORT_MS)
               for _cta in range(places)]
    counts = zeros(dev, 10)
    good = dev.submit(machine.kernel("count"), grid=10, args=[counts])
    for task in endless:
        expect("ERR_TIME_LIMIT", machine.finish, task)
    assert machine.finish(good).ctas == 10 and words(counts.read()) == [1] * 10
