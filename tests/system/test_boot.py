# SPDX-License-Identifier: Apache-2.0
"""Booting, and what a device reports about itself."""
import os
import shutil
import sys
import time

import pytest

import ganger
from support import assert_at_rest, expect, expect_status, run_good_task


@pytest.mark.parametrize("sms", [1, 2, 8, 64])
def test_boot_and_info(device, load, board, board_parts, xlen, sms):
    """S1-R180, S1-R181, S3-R25, S3-R49, S3-R28, S3-R12: every SM answers; the device reports what was asked for."""
    dev = device(sms)
    info = dev.info
    assert (info.sms, info.xlen, info.board, dev.state) == (sms, xlen, board, "READY")
    assert (info.abi_major, info.priorities, info.slots) == (1, 10, 32)
    assert info.channels >= 8 and info.tasks_max > info.slots
    assert (info.block_threads_max, info.warp_threads) == (1024, 32)
    assert info.timebase_hz > 0 and info.sm_shared_bytes >= 32768
    assert info.qemu_pid > 0 and info.build
    assert {"ATOMICS", "FLOAT", "DOUBLE", "USER_MODE", "PROTECTION", "TIMER", "DOORBELL",
            "MULTIPLY", "COMPRESSED", "CLUSTERS", "PULL", "GRAPHS", "QUEUES", "TRACE", "RESETS", "RETRIES", "WATCHDOG",
            "RESTARTS"} | ({"PARKS"} if "park" in board_parts else set()) == set(info.features)
    assert info.base <= info.heap and info.heap + info.heap_bytes <= info.ram + info.ram_bytes
    assert dev.panic() is None and dev.orphans() == []
    run_good_task(dev, load(dev, "work"))


@pytest.mark.parametrize("sms", [1, 2, 8, 64])
def test_all_sms_started(device, sms):
    """S0-R27, S3-R110: every SM went through the hart states and has memory of its own."""
    dev = device(sms)
    assert len(dev.regs.sm_state) == sms
    areas, shares = [], []
    for state in dev.regs.sm_state:
        assert state.hart_state.name() == "STARTED"
        assert state.pmp_entries.read() == 16
        areas.append(state.area.read())
        shares.append(state.share.read())
        assert state.share_sms.read() == 1
    runtime = (shares[0] - areas[0]) // sms
    units = dev.regs.cap.sm_area_bytes.read() - runtime
    assert areas == [areas[0] + index * runtime for index in range(sms)]
    assert shares == [areas[0] + sms * runtime + index * units for index in range(sms)]
    assert runtime >= 16384 and shares[-1] + units <= dev.info.heap


def test_every_sm_runs_ctas(device, load):
    """S3-C4, S3-R115: with 64 SMs each one of them takes work."""
    dev = device(64)
    before = [state.ctas.read() for state in dev.regs.sm_state]
    module = load(dev, "work")
    out = dev.buffer(bytes(4 * 512))
    dev.submit(module["count"], grid=(512,), block=(1,), args=[out]).wait(60)
    after = [state.ctas.read() for state in dev.regs.sm_state]
    assert sum(after) - sum(before) == 512
    assert all(new > old for old, new in zip(before, after))


def test_largest_device(fresh, load, xlen):
    """S3-R2, S3-R1: 511 SMs, the most that a board may have."""
    if xlen == 32:
        pytest.skip("once is enough")
    start = time.monotonic()
    dev = fresh(511, timeout=120)
    print(f"511 SMs booted in {time.monotonic() - start:.2f} s")
    assert dev.info.sms == 511
    assert all(state.hart_state.name() == "STARTED" for state in dev.regs.sm_state)
    module = load(dev, "work")
    out = dev.buffer(bytes(4 * 4088))
    done = dev.submit(module["count"], grid=(4088,), block=(1,), args=[out]).wait(120)
    assert done.ctas == 4088
    assert out.read() == b"\1\0\0\0" * 4088
    assert_at_rest(dev)


def test_boots_without_being_kept(board):
    """S3-R6: a `with` block ends the device; a second boot finds nothing of the first."""
    for _round in range(2):
        with ganger.Device.boot(board, sms=2) as dev:
            assert dev.nop().status == "OK"
            pid = dev.qemu_pid
        assert dev.closed
        expect("ERR_DEVICE_LOST", dev.nop)
        assert not is_alive(pid)


def is_alive(pid):
    """Whether a process is there and is no zombie; gives an ending one a moment."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return False
        except OSError:
            return False
        time.sleep(0.01)
    return True


def test_memory_size(fresh):
    """S3-R42, S3-R45: the host may say how much memory the device has; the heap is what is left."""
    small, large = fresh(1, ram="256M"), fresh(1, ram=512 << 20)
    assert small.info.ram_bytes == 256 << 20 and large.info.ram_bytes == 512 << 20
    assert large.info.heap_bytes - small.info.heap_bytes >= 180 << 20


@pytest.mark.parametrize("ram", [1, 1024, (256 << 20) + 1])
def test_bad_memory_size(board, ram):
    """S3-R42: too little memory, no whole pages: the message has the value, the limits, and what to do."""
    error = expect("ERR_ARGUMENT", ganger.Device.boot, board, sms=1, ram=ram)
    for part in (f"ram = {ram} bytes", board, str(256 << 20), "multiple of 4096", "leave it out"):
        assert part in error.message


def test_too_much_memory(board):
    """S3-R42: more memory than this machine can have."""
    assert expect_status(("ERR_NO_MEMORY", "ERR_IO", "ERR_QEMU_FAILED"), ganger.Device.boot, board, sms=1,
                         ram=1 << 62).message


def test_too_little_memory_for_the_sms(board):
    """S3-R42: memory that is enough for one SM and not for as many: the message says what to change, and from what."""
    error = expect("ERR_PANIC", ganger.Device.boot, board, sms=511, ram="256M", timeout=300)
    assert (error.field, error.value) == ("ram", 256 << 20)
    assert "too little RAM for so many SMs" in error.message and "fewer SMs" in error.message


#: A QEMU that lets its broker stand still from its own start to its own end.
SLOW_BROKER = """#!{python}
import os, signal
broker, (ended, alive) = os.getppid(), os.pipe()
if os.fork():
    os.set_inheritable(alive, True)
    os.kill(broker, signal.SIGSTOP)
    os.execv({qemu!r}, __import__("sys").argv)
os.closerange(3, ended)
os.closerange(ended + 1, 256)
parent = os.getppid()
os.read(ended, 1)
while os.getppid() == parent and open(f"/proc/{{parent}}/stat").read().rsplit(")", 1)[1].split()[0] != "Z":
    pass
os.kill(broker, signal.SIGCONT)
"""


def test_firmware_that_gives_up_at_once(board, xlen, tmp_path, monkeypatch):
    """S3-R42: QEMU has ended before the client is served at all: the message tells why all the same."""
    name = f"qemu-system-riscv{xlen}"
    program = tmp_path / name
    program.write_text(SLOW_BROKER.format(python=sys.executable, qemu=shutil.which(name)))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    error = expect("ERR_PANIC", ganger.Device.boot, board, sms=511, ram="256M", timeout=300)
    assert (error.field, error.value) == ("ram", 256 << 20)


def test_deterministic_mode(fresh, load):
    """S0-R15: a device under instruction counting works, too."""
    dev = fresh(2, icount=True)
    run_good_task(dev, load(dev, "work"))


@pytest.mark.parametrize("sms", [0, 512, 100000])
def test_bad_number_of_sms(board, sms):
    """S3-R51: a number of SMs that the board cannot have is refused with its value."""
    error = expect("ERR_BOARD", ganger.Device.boot, board, sms=sms)
    assert str(sms) in str(error)


@pytest.mark.parametrize("name", ["no-such-board", "", "../qemu-virt64", "x" * 300])
def test_unknown_board(name):
    """S3-R51: a board that is not there."""
    statuses = ("ERR_BOARD", "ERR_IMAGE_MISSING", "ERR_IO")
    assert expect_status(statuses, ganger.Device.boot, name, sms=1).message
