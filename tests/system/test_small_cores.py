# SPDX-License-Identifier: Apache-2.0
"""Cores without memory protection: everything works, and the canaries still find an overrun."""
import subprocess
import sys

import pytest

from support import LONG, expect, run_good_task, words, zeros


@pytest.fixture
def bare(fresh, xlen):
    """A device of 2 SMs whose cores have no PMP."""
    return fresh(2, extra_args=("-cpu", f"rv{xlen},pmp=false"))


def test_what_it_says(bare, load):
    """S3-C12, S3-R82: the device reports that nothing protects tenants from each other, and runs kernels."""
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


@pytest.fixture
def plain_count(request, tmp_path, xlen):
    """A kernel that counts each CTA, built for cores without A."""
    source, elf = tmp_path / "plain.c", tmp_path / "plain.elf"
    source.write_text("#include <ganger_kernel.h>\n"
                      "kernel void count(global uint *counts) { counts[get_group_id(0)]++; }\n")
    subprocess.run([sys.executable, request.config.rootpath / "firmware/kernel/ganger-cc",
                    f"-march=rv{xlen}imfdc", "-o", elf, source], check=True, timeout=300)
    return elf


@pytest.mark.parametrize("chunk", [None, 7])
def test_pull_without_atomics(fresh, plain_count, xlen, chunk):
    """S4-R112, S4-C1: on cores without A the control processor takes the chunks: the same results."""
    dev = fresh(3, extra_args=("-cpu", f"rv{xlen},a=false"))
    assert "ATOMICS" not in dev.info.features
    counts = zeros(dev, 1000)
    done = dev.submit(dev.load(str(plain_count))["count"], grid=1000, mode="pull", chunk=chunk,
                      args=[counts]).wait(LONG)
    assert done.ctas == 1000 and words(counts.read()) == [1] * 1000
    assert dev.stat()["pull_grants"] > 0


def test_core_that_lacks_instructions(fresh, xlen):
    """Architecture §11: an image with Zba, Zbb or Zbs on a core without: QEMU ends with the code of that fault, and the host says so."""
    for lacking in ("zba", "zbb", "zbs") if xlen == 64 else ("zba", "zbb"):
        error = expect("ERR_QEMU_FAILED", fresh, 2, extra_args=("-cpu", f"rv{xlen},{lacking}=false"))
        assert "ended with status 65" in str(error)
