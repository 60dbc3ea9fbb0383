# SPDX-License-Identifier: Apache-2.0
"""SMs that hear nothing any more, on RTL: each hart has a reset line, so they come back."""
import struct
from contextlib import contextmanager

import pytest
from device_support import MOST, expect, words, zeros
from elftools.elf.elffile import ELFFile
from device_support import BUILD

ANSWER_MS = 20  # of the device's time: 200,000 cycles
WATCH_MS = 20
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


@contextmanager
def hanging(machine, sm=1):
    """An SM runs a CTA, and its trap handler is an endless loop: then it never leaves machine mode, with interrupts off."""
    dev = machine.dev
    task = dev.submit(machine.kernel("forever"), args=[zeros(dev, 2), 0], affinity=[sm])
    machine.sim.until(lambda: dev.query("DEVICE") == 1, "the CTA is there")
    place = trap_entry(machine)
    before = dev.read(place, 4)
    machine.sim.until(lambda: dev.regs.sm_state[sm].sync_ack.read() != 0, "it has begun")
    dev.write(place, ENDLESS)
    try:
        yield task
    finally:
        dev.write(place, before)


def test_a_runtime_that_hangs(machine):
    """S1-R100: an SM that never leaves machine mode, with interrupts off."""
    with hanging(machine) as task:
        reset(machine, 1)
    expect("ERR_SM_LOST", machine.finish, task)
    machine.works()


def test_the_watchdog(machine):
    """S1-R100: nobody asks for it, and the SM is found, reset by its line, and back; its fault record says so."""
    if not machine.has("WATCHDOG"):
        pytest.skip("the board has no watchdog")
    dev, before = machine.dev, machine.dev.stat()
    watch_ms = dev.config.watch_ms
    with hanging(machine) as task:
        dev.config(watch_ms=WATCH_MS)  # not before: an SM that has been interrupted may have its trap handler in a cache
        machine.sim.until(lambda: back(machine) == before["sms_back"] + 1, "the SM is back", MOST)
    error = expect("ERR_SM_LOST", machine.finish, task)
    assert (error.record.status, error.record.sm) == ("ERR_SM_LOST", 1)
    assert dev.stat()["sms_hung"] == before["sms_hung"] + 1
    dev.config(watch_ms=watch_ms)
    machine.works()
