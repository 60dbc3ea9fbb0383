# SPDX-License-Identifier: Apache-2.0
"""SMs that hear nothing any more, on RTL: each hart has a reset line, so they come back."""
import struct

import pytest
from device_support import MOST, expect, words, zeros
from elftools.elf.elffile import ELFFile
from device_support import BUILD

ANSWER_MS = 20  # of the device's time: 200,000 cycles
ENDLESS = struct.pack("<I", 0x0000006f)  # j .


@pytest.fixture(name="machine")
def impatient(machine):
    """The machine, if it has this part; its control processor waits a short time."""
    if not machine.has("RESETS"):
        pytest.skip("the board cannot reset SMs")
    before = machine.dev.config.answer_ms
    machine.dev.config(answer_ms=ANSWER_MS)
    yield machine
    machine.dev.config(answer_ms=before)


def back(machine):
    """How often an SM has come back."""
    return machine.dev.stat()["sms_back"]


def reset(machine, sm):
    """RESET_SM to its end."""
    before = back(machine)
    done = machine.dev.command("RESET_SM", args=(sm,))
    machine.sim.until(lambda: done.done, "the end of RESET_SM", MOST)
    assert done.wait(1).status == "OK"
    assert back(machine) == before + 1


def test_sms_that_answer(machine):
    """S1-R100: each SM in turn stops, starts, and takes CTAs again."""
    for sm in range(machine.dev.info.sms):
        reset(machine, sm)
        machine.works()


def test_a_kernel_that_hangs(machine):
    """S1-R100: a kernel that has turned interrupts off, on cores where it can: its task ends, its SM comes back, the
    other one goes on."""
    if machine.has("USER_MODE"):
        pytest.skip("kernels cannot turn interrupts off")
    dev = machine.dev
    counts, others = zeros(dev, 1), zeros(dev, 8)
    task = dev.submit(machine.kernel("hang"), args=[counts, 0], affinity=[1])
    machine.sim.until(lambda: words(counts.read()) == [1], "the CTA starts")
    other = dev.submit(machine.kernel("count"), grid=8, args=[others], affinity=[0])
    assert machine.finish(other).ctas == 8
    reset(machine, 1)
    expect("ERR_SM_LOST", machine.finish, task)
    machine.works()


def trap_entry(machine):
    """Address of the first instruction of a trap on an SM."""
    with open(BUILD / machine.sim.board / "sm.elf", "rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        return table.get_symbol_by_name("sm_trap")[0]["st_value"]


def test_a_runtime_that_hangs(machine):
    """S1-R100: an SM that never leaves machine mode, with interrupts off. Here its trap handler is an endless loop."""
    dev = machine.dev
    counts = zeros(dev, 2)
    task = dev.submit(machine.kernel("forever"), args=[counts, 0], affinity=[1])
    machine.sim.until(lambda: dev.query("DEVICE") == 1, "the CTA is there")
    place = trap_entry(machine)
    before = dev.read(place, 4)
    machine.sim.until(lambda: dev.regs.sm_state[1].sync_ack.read() != 0, "it has begun")
    dev.write(place, ENDLESS)
    try:
        reset(machine, 1)
    finally:
        dev.write(place, before)
    expect("ERR_SM_LOST", machine.finish, task)
    machine.works()
