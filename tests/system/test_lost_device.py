# SPDX-License-Identifier: Apache-2.0
"""A device that is missing, speaks another language, or goes away."""
import os
import signal
import struct
import time

import pytest

import ganger
from ganger import abi
from support import LONG, Held, expect, expect_status, run_good_task


def test_qemu_missing(board, monkeypatch, tmp_path):
    """S3-R49: QEMU is not installed: said at once, with its name."""
    monkeypatch.setenv("PATH", str(tmp_path))
    error = expect("ERR_QEMU_MISSING", ganger.Device.boot, board, sms=1)
    assert "qemu-system-riscv" in str(error)
    monkeypatch.undo()
    with ganger.Device.boot(board, sms=1) as dev:
        assert dev.nop().status == "OK"


def test_qemu_that_fails(board):
    """S3-R49: QEMU ends at start: its last words are in the message."""
    error = expect("ERR_QEMU_FAILED", ganger.Device.boot, board, sms=1,
                   extra_args=["-no-such-option"])
    assert "no-such-option" in str(error)


def test_image_missing(board, tmp_path):
    """S3-R40: nothing is built where the caller says."""
    error = expect_status(("ERR_IMAGE_MISSING", "ERR_BOARD"), ganger.Device.boot, board, sms=1,
                          build=tmp_path)
    assert str(tmp_path) in str(error)


def test_qemu_that_says_nothing(board):
    """S3-R49: a device that does not come up is given up at the deadline, and nothing is left running."""
    start = time.monotonic()
    error = expect_status(("ERR_ABI_MAGIC", "ERR_TIMEOUT"), ganger.Device.boot, board, sms=1,
                          timeout=1, extra_args=["-S"])
    assert error.message and time.monotonic() - start < 60


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_device_goes_away(fresh, load, number):
    """S3-R31: QEMU dies: waits, posts and reads of answers end with one status, soon; the next device is good."""
    dev = fresh(2)
    held = Held(dev, load(dev, "work"), 2)
    held.await_started()
    os.kill(dev.qemu_pid, number)
    expect("ERR_DEVICE_LOST", held.task.wait, LONG)
    expect("ERR_DEVICE_LOST", dev.nop, timeout=LONG)
    expect("ERR_DEVICE_LOST", dev.alive, timeout=LONG)
    expect("ERR_DEVICE_LOST", lambda: [dev.command("NOP", timeout=LONG) for _ in range(200)])
    dev.close()
    other = fresh(2)
    run_good_task(other, load(other, "work"))


def test_use_after_close(fresh, load):
    """S3-R22: whatever is left of a closed device says so."""
    dev = fresh(1)
    module, buffer = load(dev, "work"), dev.buffer(b"1234")
    task = dev.submit(module["blank"], grid=(1,), block=(1,))
    context = dev.context(1 << 16)
    dev.close()
    dev.close()
    for call in (dev.nop, buffer.read, task.wait, dev.stat, dev.regs.cap.magic.read,
                 lambda: context.buffer(b"1"), lambda: dev.load(b"1"),
                 lambda: dev.submit(module["blank"], grid=(1,), block=(1,))):
        expect("ERR_DEVICE_LOST", call)
    assert "closed" in repr(dev)


OFFSETS = {name: layout[0] for name, layout in abi.BLOCKS["cap"][1].items()}


class Fake:
    """A file with a copy of a device's memory from its capability block on, to connect to."""

    def __init__(self, dev, path):
        self.path, self.dev = path, dev
        base = dev.info.base - dev.info.ram
        self.image = bytearray(dev.read(dev.info.ram, base + dev.info.window_bytes))
        self.base = base

    def connect(self, name=None, value=0):
        """Connects with one word of the capability block changed."""
        image = bytearray(self.image)
        if name is not None:
            offset = self.base + OFFSETS[name]
            image[offset:offset + 4] = struct.pack("<I", value)
        with open(self.path, "wb") as file:
            file.write(image)
            file.truncate(self.dev.info.ram_bytes)
        return ganger.Device.connect(f"mmap:{self.path}@0")


@pytest.mark.parametrize("name, value, status, field", [
    ("magic", 0, "ERR_ABI_MAGIC", None), ("magic", 0x52474e46, "ERR_ABI_MAGIC", None),
    ("abi", 0x00020000, "ERR_ABI_VERSION", "cap.major"), ("abi", 0, "ERR_ABI_VERSION", "cap.major"),
    ("bytes", 16, "ERR_ABI_VERSION", "cap.bytes"), ("xlen", 128, "ERR_ABI_VERSION", "cap.xlen"),
    ("sms", 0, "ERR_ABI_VERSION", "sms"), ("sms", 100000, "ERR_ABI_VERSION", "sms"),
    ("channel_entries", 63, "ERR_ABI_VERSION", "channel_entries"),
    ("completion_entries", 1 << 31, "ERR_ABI_VERSION", "completion_entries"),
    ("mailbox_offset", 0xfffffff0, "ERR_ABI_VERSION", "MAILBOX"),
    ("sm_state_offset", 2, "ERR_ABI_VERSION", "SM STATE"),
    ("heap_lo", 0, "ERR_ABI_VERSION", "cap.heap"), ("heap_bytes_hi", 5, "ERR_ABI_VERSION", "cap.heap"),
    ("window_bytes", 0xffffffff, "ERR_ABI_VERSION", None)])
def test_abi_mismatch(device, tmp_path, name, value, status, field):
    """S3-R25, S3-R49: an ABI that this host does not know, or a capability block that makes no sense, is refused with field and value."""
    fake = Fake(device(1), tmp_path / "ram")
    error = expect_status((status,), fake.connect, name, value)
    assert error.field and error.message, error
    assert field is None or error.field.endswith(field), error


def test_newer_minor_is_good(device, tmp_path):
    """S3-R25: a newer minor only adds: it is taken. Without changes the copy is, too."""
    fake = Fake(device(1), tmp_path / "ram")
    for value in (None, 0x00010007):
        with fake.connect("abi" if value else None, value or 0) as dev:
            assert dev.info.sms == 1 and dev.regs.cap.magic.read() == 0x52474e47
            expect("ERR_TIMEOUT", dev.nop, timeout=0.2)


@pytest.mark.parametrize("uri, status", [
    ("serial:/no/such/port", "ERR_NO_DEVICE"), ("tcp:localhost:1", "ERR_UNSUPPORTED"),
    ("", "ERR_UNSUPPORTED"), ("mmap:/no/such/file@0", None), ("mmap:", None), ("mmap:/dev/null@0", None),
    ("mmap:/dev/zero@-1", None)])
def test_connections_that_fail(uri, status):
    """S3-R49: kinds of connection that are unknown, files that are not there."""
    error = expect_status((status,) if status else ("ERR_IO", "ERR_NO_DEVICE", "ERR_ARGUMENT"),
                          ganger.Device.connect, uri)
    assert error.message


def test_no_device_at_a_path(tmp_path):
    """S3-R49: nobody listens there, or the path is something else."""
    (tmp_path / "file").write_text("x")
    for path in (tmp_path / "none", tmp_path / "file", tmp_path, tmp_path / ("x" * 200)):
        expect_status(("ERR_NO_DEVICE", "ERR_ARGUMENT", "ERR_IO"), ganger.Device.attach, path)
        expect_status(("ERR_NO_DEVICE", "ERR_ARGUMENT", "ERR_IO"), ganger.Device.down, path)
