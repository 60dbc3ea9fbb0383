# SPDX-License-Identifier: Apache-2.0
"""The reference SoC with 16 SMs, simulated: the bus is fair, and the firmware of the board with two SMs uses all of them."""
import random
import subprocess
from collections import Counter

import pytest
from device_support import BUILD, LONG, expect, numbers_of, words, zeros
from many_support import fixture_device, fixture_machine  # noqa: F401
from test_device_faults import JUMP, STORE, fails
from test_device_reset import ANSWER_MS, hanging, reset

BOARD, SIM, SMS = "refsoc", "refsoc-sms16", 16
LAST = SMS - 1


def test_fair():
    """Harts that all want the same word get it in turns: between two turns of a hart every other one has exactly one."""
    done = subprocess.run([BUILD / "rtl" / SIM / "sim", "--image", BUILD / "rtl/smoke/share.bin", "--cycles", "100000",
                           "--trace-harts"], capture_output=True, text=True, timeout=LONG, check=True)
    lines = [line.split() for line in done.stdout.splitlines() if " r " in line]
    reads = Counter(line[3] for line in lines)
    address = max(reads, key=reads.get)
    turns = [int(line[1]) for line in lines if line[3] == address]
    harts = SMS + 1
    begin = max(turns.index(hart) for hart in range(harts))
    end = len(turns) - max(turns[::-1].index(hart) for hart in range(harts))
    assert end - begin > 500 * harts, (begin, end)
    assert all(len(set(turns[at:at + harts])) == harts for at in range(begin, end - harts))


def test_boot(machine):
    """S3-R49: all SMs are there, at rest."""
    info = machine.dev.info
    assert (info.sms, machine.dev.state) == (SMS, "READY")
    assert all(state.read()["free_ctas"] == info.sm_ctas for state in machine.dev.regs.sm_state)


def test_kernels(machine):
    """S0-R27: a blank task, a sum of vectors, barriers and shared memory."""
    assert machine.run("blank").ctas == 1
    left, right = random.Random(5).choices(range(1 << 31), k=640), list(range(640))
    first, second, total = (machine.dev.buffer(numbers_of(values)) for values in (left, right, [0] * 640))
    machine.run("vecadd", "vecadd", grid=40, block=16, args=[first, second, total, 640])
    assert words(total.read()) == [a + b for a, b in zip(left, right)]
    sums = zeros(machine.dev, 20)
    machine.run("reduce", "reduce", grid=20, block=10, args=[first, sums, 200])
    assert words(sums.read()) == [sum(left[at:at + 10]) % (1 << 32) for at in range(0, 200, 10)]


@pytest.mark.parametrize("mode", ["push", "pull"])
def test_grid(machine, mode):
    """S0-R27, S4-R112: each of 1,024 CTAs runs once, pushed and pulled, and every SM has its share."""
    counts, before = zeros(machine.dev, 1024), [state.ctas.read() for state in machine.dev.regs.sm_state]
    done = machine.run("count", grid=1024, args=[counts], **({"mode": mode} if mode == "pull" else {}))
    assert (done.ctas, done.sms) == (1024, SMS) and words(counts.read()) == [1] * 1024
    ran = [state.ctas.read() - old for state, old in zip(machine.dev.regs.sm_state, before)]
    assert sum(ran) == 1024 and min(ran) > 0


def test_faults(machine):
    """S3-R121: memory of the control processor is out of reach; tasks beside go on."""
    address = machine.dev.info.ram + 0x1000
    for deed in (STORE, JUMP):
        assert fails(machine, "ERR_FAULT_ACCESS", deed, address).address == address


def test_cancel(machine):
    """Endless CTAs in every place of every SM are cancelled at once."""
    ctas = SMS * machine.dev.info.sm_ctas
    started = zeros(machine.dev, ctas)
    task = machine.dev.submit(machine.kernel("hold"), grid=ctas, args=[started, machine.dev.buffer(bytes(4))])
    machine.sim.until(lambda: words(started.read()) == [1] * ctas, "all have started")
    task.cancel()
    expect("ERR_CANCELLED", machine.finish, task)
    machine.works()


def test_cluster(machine):
    """S1-C1: CGAs of 8 CTAs in all GPCs, as many as fit, and more; each CTA runs once."""
    for ctas in (SMS * machine.dev.info.sm_ctas, 128):
        counts = zeros(machine.dev, ctas)
        done = machine.run("count", grid=ctas, cluster=8, args=[counts])
        assert (done.ctas, done.sms) == (ctas, SMS) and words(counts.read()) == [1] * ctas


def test_the_last_sm_hangs(machine):
    """S1-R100: the last SM never leaves machine mode, with interrupts off; its reset line brings it back, alone."""
    dev, before = machine.dev, machine.dev.config.answer_ms
    dev.config(answer_ms=ANSWER_MS)
    with hanging(machine, LAST) as task:
        reset(machine, LAST)
    dev.config(answer_ms=before)
    expect("ERR_SM_LOST", machine.finish, task)
    counts = zeros(dev, 8)
    assert machine.finish(dev.submit(machine.kernel("count"), grid=8, args=[counts], affinity=[LAST])).ctas == 8
