# SPDX-License-Identifier: Apache-2.0
"""A small soft-core in QEMU (rv32i, no user mode, no mscratch, no optional parts), and images on wrong machines."""
import struct
import subprocess
import sys

import pytest

import ganger
from conftest import BOARD, BUILD, ROOT, building
from support import LONG, copies_and_fills, expect

SMALL, WRONG = "qemu-small32", "refsoc"
CORE, MACHINE, RAM = (64 + number for number in (1, 2, 4))  # the finisher's codes: enum board_fault

pytestmark = pytest.mark.skipif(BOARD != "qemu-virt32", reason="once is enough")


def firmware(board):
    """Builds the images of a board; its folder."""
    with building():
        subprocess.run(["make", f"BUILD={BUILD}", f"BOARD={board}", "firmware"], cwd=ROOT, check=True,
                       capture_output=True, timeout=600)
    return BUILD / board


@pytest.fixture(scope="module")
def vecadd(tmp_path_factory):
    """The sample, built for the least of cores."""
    elf = tmp_path_factory.mktemp("rv32i") / "vecadd.elf"
    subprocess.run([sys.executable, ROOT / "firmware/kernel/ganger-cc", "-march=rv32i", "-o", elf,
                    ROOT / "firmware/kernel/samples/vecadd.c"], check=True, timeout=300)
    return elf


@pytest.fixture(scope="module")
def small():
    """The small device."""
    firmware(SMALL)
    with ganger.Device.boot(board=SMALL, sms=3, ram=4 << 20) as dev:
        yield dev


def add(dev, elf, **options):
    """Adds two vectors on a device; the result is right."""
    count = 100
    first, second = (dev.buffer(struct.pack(f"<{count}i", *(i * factor for i in range(count))))
                     for factor in (1, 10))
    total = dev.buffer(bytes(4 * count))
    dev.submit(dev.load(str(elf))["vecadd"], grid=7, block=16,
               args=[first, second, total, count], **options).wait(LONG)
    assert struct.unpack(f"<{count}i", total.read()) == tuple(11 * i for i in range(count))


def test_copies_and_fills(small):
    """Without task graphs the host copies and fills."""
    copies_and_fills(small)


def test_runs(small, vecadd):
    """S4-R112: nothing needs A, M, C, user mode or mscratch; the device says what it lacks."""
    assert set(small.info.features) == {"TIMER", "DOORBELL"}
    assert (small.info.slots, small.info.channels, small.info.cgas_max) == (8, 4, 0)
    for _ in range(5):
        add(small, vecadd)


def test_no_resets(small, vecadd):
    """What a board has left out is refused, and changes nothing."""
    assert expect("ERR_UNSUPPORTED", small.sm_reset, 1).field == "command.opcode"
    add(small, vecadd)


@pytest.mark.parametrize("options, field", [
    ({"mode": "pull"}, "tmd.mode"), ({"cluster": 2}, "tmd.type")])
def test_absent_parts(small, vecadd, options, field):
    """S1-R37: a task that needs a part that was left out is refused with its field."""
    error = expect("ERR_UNSUPPORTED", add, small, vecadd, **options)
    assert error.field == field
    add(small, vecadd)


@pytest.mark.parametrize("options, code, text", [
    (["-cpu", "rv32,m=false"], CORE, "core without M"),
    (["-cpu", "rv32,zba=false"], CORE, "core without M, Zba, Zbb or Zbs"),
    (["-cpu", "rv32,zbb=false"], CORE, "core without M, Zba, Zbb or Zbs"),
    (["-m", "512K"], MACHINE, "no mailbox block"),
    (["-m", "256K"], RAM, "bytes of RAM 0x00040000")])
def test_wrong_machine(options, code, text):
    """An image on another machine says what is wrong and ends it; nothing hangs."""
    folder = firmware(WRONG)
    memory = [] if "-m" in options else ["-m", "512K"]
    done = subprocess.run(
        ["qemu-system-riscv32", "-machine", "virt", "-smp", "3", "-bios", "none", "-nodefaults", "-display",
         "none", "-serial", "stdio", "-device", f"loader,file={folder}/cp.elf", *memory, *options],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LONG, check=False)
    assert done.stdout.startswith("ganger: not the board refsoc: " + text), done.stdout + done.stderr
    assert done.returncode == code
