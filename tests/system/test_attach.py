# SPDX-License-Identifier: Apache-2.0
"""A device that outlives its hosts: up, attach, down."""
import os
import signal
import subprocess
import sys
import time

import pytest

import ganger
from support import ENVIRONMENT, LONG, expect, expect_status, run_good_task, until, words
from test_cleanup import marked


@pytest.fixture
def socket(board, tmp_path):
    """Path of a device that is up; it is down after the test."""
    path = tmp_path / "device.sock"
    ganger.Device.up(path, board, sms=2)
    yield path
    try:
        ganger.Device.down(path)
    except ganger.Error:
        pass
    until(lambda: not path.exists(), "socket is gone")


def test_up_attach_down(board, tmp_path, kernel_path):
    """S3-R22, S3-R49: a device stays up between hosts; down ends it and its socket."""
    path = tmp_path / "device.sock"
    ganger.Device.up(path, board, sms=2)
    pids = []
    for round_number in range(3):
        with ganger.Device.attach(path) as dev:
            pids.append(dev.qemu_pid)
            module = dev.load(kernel_path("work"))
            run_good_task(dev, module)
            assert dev.stat()["tasks_completed"] == round_number + 1
    assert len(set(pids)) == 1
    expect_status(("ERR_BUSY", "ERR_ARGUMENT", "ERR_IO"), ganger.Device.up, path, board, sms=1)
    ganger.Device.down(path)
    assert not path.exists()
    until(lambda: zombie(pids[0]), "QEMU has ended")
    expect("ERR_NO_DEVICE", ganger.Device.attach, path)
    expect("ERR_NO_DEVICE", ganger.Device.down, path)


def zombie(pid):
    """Whether the process has ended; a zombie counts as ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_second_host(socket, kernel_path):
    """S3-R22: while one host holds the mailbox another one may look, but not post; then it is free."""
    first = ganger.Device.attach(socket)
    run_good_task(first, first.load(kernel_path("work")))
    try:
        second = ganger.Device.attach(socket)
    except ganger.Error as error:
        assert error.status == "ERR_BUSY"
    else:
        assert second.state == "READY" and second.stat()["tasks_completed"] == 1
        expect("ERR_BUSY", second.nop)
        second.close()
    assert first.nop().status == "OK"
    first.close()
    with ganger.Device.attach(socket) as third:
        assert third.nop().status == "OK"


DYING = """
import os, signal, sys, ganger
from support import stop
path, kernel = sys.argv[1:]
dev = ganger.Device.attach(path)
module = dev.load(kernel)
counts = dev.buffer(bytes(4 * 500))
stop(dev.qemu_pid)
tasks = [dev.submit(module["count"], grid=(500,), block=(1,), args=[counts], channel=step % 3)
         for step in range(30)]
print(dev.qemu_pid, counts.address, *(task.tag for task in tasks), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_host_that_dies(socket, kernel_path):
    """S0-R15, S3-R22: a host dies with tasks on their way: they complete, and the next host finds all of them, once.

    The emulator is stopped meanwhile, so that no completion reaches the host that dies.
    """
    for _round in range(3):
        done = subprocess.run([sys.executable, "-c", DYING, str(socket), str(kernel_path("work"))],
                              env=ENVIRONMENT, stdout=subprocess.PIPE, timeout=120, check=False)
        assert done.returncode == -signal.SIGKILL
        pid, address, *tags = map(int, done.stdout.split())
        os.kill(pid, signal.SIGCONT)
        with ganger.Device.attach(socket) as dev:
            until(lambda d=dev: d.query("TASKS") == 0, "tasks of the dead host end")
            found = [one for one in dev.orphans() if one.opcode == 1]
            assert sorted(one.tag for one in found) == sorted(tags)
            assert all(one.status == "OK" and one.ctas == 500 for one in found)
            assert words(dev.read(address, 2000)) == [30] * 500
            assert dev.stat()["unmatched"] == 0
            run_good_task(dev, dev.load(kernel_path("work")))


def test_channel_left_refused(socket, kernel_path):
    """A channel that a host left refused can be reopened by the next."""
    with ganger.Device.attach(socket) as dev:
        dev.raw_put(3, 12345)
        until(lambda: dev.regs.channel[3].state.name() == "REFUSED", "channel is refused")
    with ganger.Device.attach(socket) as dev:
        expect("ERR_CHANNEL", dev.command, "NOP", channel=3)
        dev.channel_reset(3)
        assert dev.nop(channel=3, timeout=LONG).status == "OK"
        run_good_task(dev, dev.load(kernel_path("work")))


def test_abi_of_a_device_that_runs(socket):
    """S3-R25: a device of another ABI is refused, with its version, by attach; it can still be ended."""
    with ganger.Device.attach(socket) as dev:
        pid = dev.qemu_pid
        dev.regs.cap.abi.write(0x00070003)
    for _round in range(2):
        error = expect("ERR_ABI_VERSION", ganger.Device.attach, socket)
        assert error.field == "cap.major" and error.value == 7
    assert not zombie(pid)
    ganger.Device.down(socket)
    until(lambda: zombie(pid), "QEMU has ended")


def test_qemu_of_a_kept_device_dies(board, tmp_path):
    """S3-R31: nothing is left when the emulator of a device that is up dies."""
    path = tmp_path / "device.sock"
    os.environ["GANGER_TEST_MARK"] = str(tmp_path)
    try:
        ganger.Device.up(path, board, sms=1)
    finally:
        del os.environ["GANGER_TEST_MARK"]
    with ganger.Device.attach(path) as dev:
        os.kill(dev.qemu_pid, signal.SIGKILL)
        expect("ERR_DEVICE_LOST", dev.nop, timeout=LONG)
    deadline = time.monotonic() + 60
    while marked(f"GANGER_TEST_MARK={tmp_path}") and time.monotonic() < deadline:
        time.sleep(0.02)
    assert marked(f"GANGER_TEST_MARK={tmp_path}") == {} and not path.exists()
    expect("ERR_NO_DEVICE", ganger.Device.attach, path)
