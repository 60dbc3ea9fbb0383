# SPDX-License-Identifier: Apache-2.0
"""Cores without memory protection: everything works, and the canaries still find an overrun."""
import pytest

from support import LONG, expect, run_good_task, words, zeros


@pytest.fixture
def bare(fresh, xlen):
    """A device of 2 SMs whose cores have no PMP."""
    return fresh(2, extra_args=("-cpu", f"rv{xlen},pmp=false"))


def test_what_it_says(bare, load):
    """S3-C12, S3-R82: the device tells that nothing protects tenants from each other, and runs kernels."""
    assert "PROTECTION" not in bare.info.features and "USER_MODE" in bare.info.features
    assert [state.pmp_entries.read() for state in bare.regs.sm_state] == [0, 0]
    run_good_task(bare, load(bare, "work"))


@pytest.mark.parametrize("thread", [1, 7, 15])
def test_overrun_between_stacks(bare, load, thread):
    """S3-T8, S3-R82: the canaries do not need PMP: the thread is named, no other runs after it."""
    kernel = load(bare, "isolation")["deep_met"]
    count = zeros(bare, 3)
    task = bare.submit(kernel, block=16, args=[thread, kernel.stack_bytes, count, 1])
    error = expect("ERR_STACK_OVERFLOW", task.wait, LONG)
    assert error.record.thread == thread
    counts = words(count.read())
    assert counts[0] == 16 and counts[1] <= thread + 1 and counts[2] == 0
    run_good_task(bare, load(bare, "work"))


def test_no_wall(bare, load):
    """S3-R71: what test_isolation.py sees denied is open here, which is why the device says so."""
    out = zeros(bare, 2)
    other = bare.context().buffer(b"\x2a\0\0\0" * 4)
    bare.submit(load(bare, "isolation")["reach"], args=[0, other.address, out]).wait(LONG)
    assert words(out.read()) == [42, 1]
