# SPDX-License-Identifier: Apache-2.0
"""The process that keeps a device: its clients, its limits, and what is left when it ends."""
import contextlib
import os
import resource
import select
import signal
import socket
import subprocess
import sys

import pytest

import ganger
from support import ENVIRONMENT, LONG, expect, stop, until

CONNECTIONS = 60  # More than there are places for.


@pytest.fixture
def path(tmp_path, board):
    """Socket of a device with one SM that is up; it is down after the test."""
    place = str(tmp_path / "g.sock")
    ganger.Device.up(place, board, sms=1)
    yield place
    with contextlib.suppress(ganger.Error):
        ganger.Device.down(place)


def processes(place):
    """pidfds of the broker and of QEMU of a device: each can be waited for, and never names another process."""
    return [os.pidfd_open(pid) for pid in _status(place)]


def ended(pidfd):
    """Whether a process has ended, now."""
    return bool(select.select([pidfd], [], [], 0)[0])


def connected(place, count):
    """Connections that say nothing."""
    made = []
    for _number in range(count):
        made.append(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
        made[-1].connect(place)
    return made


def test_silent_connections_do_not_keep_others_out(path):
    """S3-R49: many connections that say nothing: commands get in, and `down` ends the device and its processes."""
    found = processes(path)
    silent = connected(path, CONNECTIONS)
    with ganger.Device.attach(path) as device:
        assert device.nop().status == "OK"
        silent += connected(path, CONNECTIONS)
        assert device.nop().status == "OK"  # One that uses the device is not dropped for them.
    ganger.Device.down(path)
    assert all(ended(one) for one in found)
    assert not os.path.exists(path)
    for one in silent:
        one.close()


def test_too_many_users(path):
    """S3-R121: the 33rd user is told so, in words; the device goes on, and `down` gets in."""
    users = [ganger.Device.observe(path) for _number in range(32)]
    error = expect("ERR_BUSY", ganger.Device.observe, path)
    assert "too many" in error.message and "ganger down" in error.message
    users.pop().close()
    until(lambda: not isinstance(_observed(path), ganger.Error), "a place is free again")
    found = processes_of(users[0])
    ganger.Device.down(path)
    assert all(ended(one) for one in found)
    for one in users:
        one.close()


def _observed(place):
    try:
        ganger.Device.observe(place).close()
    except ganger.Error as error:
        return error
    return None


def processes_of(device):
    """pidfd of a device's QEMU."""
    return [os.pidfd_open(device.info.qemu_pid)]


LIMITED = """
import resource, sys, ganger
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[2]),) * 2)
try:
    with ganger.Device.boot(sys.argv[1], sms=2) as device:
        print(device.nop().status)
except ganger.Error as error:
    print(error)
"""


def limited(board, most):
    """What a process prints that boots a device with at most so many descriptors."""
    return subprocess.run([sys.executable, "-c", LIMITED, board, str(most)], timeout=LONG, text=True,
                          env=ENVIRONMENT, stdout=subprocess.PIPE, check=True).stdout.strip()


def test_few_descriptors(board):
    """S3-R49: a device boots with 64 descriptors; with too few the message says what is short."""
    assert limited(board, 64) == "OK"
    assert limited(board, 32) == "OK"
    assert "Too many open files" in limited(board, 12)


def test_connections_with_few_descriptors(tmp_path, board):
    """S3-R49: more connections than the broker may have descriptors: the device goes on and can be ended."""
    place = str(tmp_path / "g.sock")
    # In a process of its own: this one may have many descriptors already.
    subprocess.run([sys.executable, "-c", f"import ganger; ganger.Device.up({place!r}, {board!r}, sms=1)"], check=True,
                   timeout=LONG, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (48, 48)))
    found = processes(place)
    users, refused = [], []
    for _number in range(24):
        try:
            users.append(ganger.Device.observe(place))
        except ganger.Error as error:
            refused.append(error.status)
    assert users and refused and set(refused) <= {"ERR_BUSY", "ERR_IO"}
    silent = connected(place, CONNECTIONS)
    assert users[0].info.sms == 1 and not ended(found[0])
    users.pop().close()
    until(lambda: _down(place), "there is room for `down`")
    assert all(ended(one) for one in found)
    for one in [*users, *silent]:
        one.close()


def _down(place):
    try:
        ganger.Device.down(place)
    except ganger.Error as error:
        assert error.status == "ERR_BUSY", error
        return False
    return True


def test_close_waits_for_the_end(board):
    """S3-R22: once a device of one's own is closed, its processes have ended."""
    for _time in range(5):
        device = ganger.Device.boot(board, sms=1)
        found = processes_of(device)
        device.close()
        assert all(ended(one) for one in found)


def test_a_process_that_does_not_end(path):
    """S3-R49: `down` does not say that a device has ended which has not ended."""
    found, broker = processes(path), _status(path)[0]
    stop(broker)
    try:
        error = expect("ERR_TIMEOUT", ganger.Device.down, path, timeout=0.5)
        assert "does not answer" in error.message
        assert not any(ended(one) for one in found)
    finally:
        os.kill(broker, signal.SIGCONT)
    until(lambda: all(ended(one) for one in found), "the broker takes what it was told before")


STARTER = """
import sys, ganger
sys.stdout.write("up\\n")
sys.stdout.flush()
ganger.Device.up(sys.argv[2], sys.argv[1], sms=1, extra_args=["-S"], timeout=600)
"""


def test_a_starter_that_is_killed(tmp_path, board):
    """S3-R49: a process killed while it starts a device that others shall use leaves nothing of it."""
    place = str(tmp_path / "g.sock")
    starter = subprocess.Popen([sys.executable, "-c", STARTER, board, place], text=True, stdout=subprocess.PIPE,
                               env=ENVIRONMENT)
    until(lambda: os.path.exists(place) and _has_qemu(place), "the broker listens and has a QEMU")
    found = processes(place)
    starter.kill()
    starter.wait()
    starter.stdout.close()
    until(lambda: all(ended(one) for one in found), "broker and QEMU have ended")
    assert not os.path.exists(place)


def _status(place):
    """Processes of the broker and of its QEMU: WIRE_STATUS, as host/common/wire.h has it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as one:
        one.settimeout(LONG)
        one.connect(place)
        one.send(b"GBRK" + (1).to_bytes(4, "little") + (3).to_bytes(4, "little") + bytes(4))
        reply = one.recv(4096)
    return [int.from_bytes(reply[16 + at:20 + at], "little") for at in (40, 44)]


def _has_qemu(place):
    try:
        return _status(place)[1] != 0
    except OSError:
        return False
