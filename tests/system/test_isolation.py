# SPDX-License-Identifier: Apache-2.0
"""A kernel accesses everything that is not its own: each access is a fault that names the address.

S3-R71 has one address space, so protection is what keeps tenants apart: on a core without PMP all of
this is open (docs/KERNELS.md).
"""
import pytest

from isolation import (ATOMIC, EXECUTE, READ, WRITE, is_denied, reaches, submit_reach, symbol)
from support import LONG, expect, run_good_task, words, zeros

SMS = 2
CLINT, PLIC, UART, FINISHER, PCI, PCI_WINDOW, BOOT_ROM, FLASH = (
    0x02000000, 0x0c000000, 0x10000000, 0x00100000, 0x30000000, 0x40000000, 0x1000, 0x20000000)
RUNTIME = 32768

HARDWARE = {"null": 0, "page 0": 0x800, "boot ROM": BOOT_ROM, "finisher": FINISHER,
            "CLINT msip": CLINT, "CLINT mtimecmp": CLINT + 0x4000, "CLINT mtime": CLINT + 0xbff8,
            "PLIC": PLIC, "PLIC claim": PLIC + 0x200004, "UART": UART, "flash": FLASH,
            "PCI configuration": PCI, "PCI window": PCI_WINDOW, "shared memory device": 0x44000000,
            "end of the address space": 0xfffffffc}


@pytest.fixture
def dev(device):
    """The device of these tests, and afterwards proof that it is whole."""
    found = device(SMS)
    magic = found.regs.cap.magic.read()
    yield found
    assert found.regs.cap.magic.read() == magic and found.state == "READY"


def deny_all(dev, load, addresses):
    """Read, write, execute and an atomic on each: all fault; the device lives on."""
    for address in addresses:
        for deed in (READ, WRITE, EXECUTE, ATOMIC):
            is_denied(dev, load, deed, address)
    run_good_task(dev, load(dev, "work"))


@pytest.mark.parametrize("place", HARDWARE)
def test_hardware(dev, load, place):
    """S3-R71, S3-R82, S3-R121, S3-C12: devices, ROM, address 0."""
    deny_all(dev, load, [HARDWARE[place]])


def test_control_processor(dev, load, build, board):
    """S3-R82, S3-R121: code, constants, data and stack of the control processor."""
    first = dev.info.ram
    deny_all(dev, load, [first, first + 0x4000, symbol(build, board, "cp", "device"),
                         symbol(build, board, "cp", "sm_request_taken"), dev.info.base - 64])


def test_image_of_the_sms(dev, load, build, board):
    """S3-R82, S3-R121: the code that all SMs run."""
    deny_all(dev, load, [symbol(build, board, "sm", "sm_start"), symbol(build, board, "sm", "sm_trap")])


def blocks(dev):
    """Name: address, of the register blocks of the device."""
    cap = dev.regs.cap.read()
    return {name: dev.info.base + offset for name, offset in cap.items()
            if name.endswith("_offset") and offset < cap["window_bytes"]}


def test_registers(dev, load):
    """S3-R82, S3-R121: capability block, configuration, channels, rings, task table, SM state, trace, faults."""
    found = blocks(dev)
    assert {"mailbox_offset", "completions_offset", "task_table_offset", "sm_state_offset",
            "launch_offset", "config_offset"} <= set(found)
    deny_all(dev, load, [dev.info.base, *found.values()])


def test_tasks_of_the_control_processor(dev, load):
    """S3-R82: the pool of tasks, with the checked copies of TMDs and windows."""
    pool = dev.regs.sm_state[0].share.read() + SMS * (dev.info.sm_area_bytes - RUNTIME)
    assert pool < dev.info.heap
    deny_all(dev, load, [pool, pool + 256, dev.info.heap - 4])


def test_jobs_of_the_host(dev, load):
    """S3-R82, S3-R22: TMDs, also the own one, lists and arguments of other tasks lie outside of all contexts."""
    task, out = submit_reach(dev, load, READ, dev.buffer(bytes(4)).address)
    task.wait(LONG)
    for deed in (READ, WRITE, EXECUTE):
        is_denied(dev, load, deed, task.address)
    assert words(out.read())[1] == 1


@pytest.mark.parametrize("deed", [READ, WRITE, EXECUTE, ATOMIC])
def test_other_context(dev, load, deed):
    """S3-R22, S3-R54: memory of another context, and its code."""
    with dev.context(1 << 20) as other:
        buffer = other.buffer(b"\x55" * 4096)
        info = other.info
        for address in (buffer.address, buffer.address + 4092, info.heap,
                        info.heap + info.nbytes - 4):
            is_denied(dev, load, deed, address)
        assert buffer.read() == b"\x55" * 4096
        buffer.free()
    run_good_task(dev, load(dev, "work"))


@pytest.mark.parametrize("sm", range(SMS))
def test_memory_of_sms(dev, load, sm):
    """S3-R74, S3-R82, S3-C12: runtimes of both SMs, units of the other one, units of other CTAs of the own one."""
    states = dev.regs.sm_state
    unit = (dev.info.sm_area_bytes - RUNTIME) // dev.info.sm_units
    addresses = []
    for number in range(SMS):
        runtime = states[number].area.read()
        addresses += [runtime, runtime + 64, runtime + 4096, runtime + RUNTIME - 16]
    other = states[1 - sm].share.read()
    own = states[sm].share.read()
    # One CTA of one thread takes unit 0, or another one if that is taken: the last is nobody's.
    addresses += [other, other + unit // 2, other + 3 * unit, own + 31 * unit, own + 32 * unit - 4]
    for address in addresses:
        for deed in (READ, WRITE, EXECUTE):
            is_denied(dev, load, deed, address, affinity=[sm])
    run_good_task(dev, load(dev, "work"))


def test_own_memory(dev, load):
    """S3-R80, S3-R24: own code and arguments can be read, not written; data cannot be executed."""
    module = load(dev, "isolation")
    out = zeros(dev, 3)
    dev.submit(module["own"], args=[out]).wait(LONG)
    assert words(out.read())[1] == out.address & 0xffffffff
    reaches(dev, load, READ, module.base)
    for address in (module.base, module.base + module.code_bytes - 4):
        for deed in (WRITE, ATOMIC):
            is_denied(dev, load, deed, address)
    for address in (out.address, dev.regs.sm_state[0].share.read()):
        is_denied(dev, load, EXECUTE, address, affinity=[0])
    run_good_task(dev, load(dev, "work"))


def test_own_arguments(dev, load):
    """S3-R80: the argument block is read-only, wherever the host put it."""
    faults = load(dev, "faults")
    task = dev.submit(faults["fault"], args=[zeros(dev, 1), 10, 0, 0, 0])
    error = expect("ERR_FAULT_ACCESS", task.wait, LONG)
    assert error.record.cause == 7
    run_good_task(dev, load(dev, "work"))


def test_privileged_registers(dev, load):
    """S3-R82: protection cannot be taken off by the kernel: machine registers and mret are illegal."""
    faults = load(dev, "faults")
    for deed in (6, 7):
        task = dev.submit(faults["fault"], args=[zeros(dev, 1), deed, 0, 0, 0])
        expect("ERR_FAULT_ILLEGAL", task.wait, LONG)


def test_edges_of_the_heap(dev, load):
    """S3-R73: the own heap is reached to its last word and no further."""
    info = dev.default_context.info
    first, end = info.heap, info.heap + info.nbytes
    assert reaches(dev, load, READ, end - 4) is not None
    assert reaches(dev, load, READ, first) is not None
    for deed in (READ, WRITE, EXECUTE):
        is_denied(dev, load, deed, first - 4)
        is_denied(dev, load, deed, end)
