# SPDX-License-Identifier: Apache-2.0
"""However a host ends, nothing of its device is left: no process, no socket, no file."""
import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from support import ENVIRONMENT, LONG

MARK = "GANGER_TEST_MARK"
HOST = """
import os, signal, sys, threading, time, ganger
from support import stop
board, how = sys.argv[1:]
print("boots", flush=True)
dev = ganger.Device.boot(board, sms=2)
dev.nop()
print("ready", dev.qemu_pid, flush=True)
sys.stdin.readline()
if how == "exit":
    sys.exit(0)
if how == "os._exit":
    os._exit(3)
if how == "exception":
    raise RuntimeError("on purpose")
if how == "abort":
    os.abort()
if how == "closed":
    dev.close()
    sys.exit(0)
if how == "wait":
    stop(dev.qemu_pid)
    dev.command("NOP").wait(timeout=600)
for _nap in range(12000):  # A signal just before a sleep is seen only after it: so short ones.
    time.sleep(0.05)
"""


def marked(mark):
    """Processes that were started from the one with the mark: {pid: command line}."""
    found = {}
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and mark.encode() in (entry / "environ").read_bytes():
                stat = (entry / "stat").read_text()
                if stat.rpartition(")")[2].split()[0] != "Z":
                    found[int(entry.name)] = (entry / "cmdline").read_bytes().decode("utf-8", "replace")
        except OSError:
            continue
    return found


def shared_files():
    """The files of shared memory that have the library's name; others of this machine make some, too."""
    return {name for name in os.listdir("/dev/shm") if "ganger" in name}


class Host:
    """A host process in an environment of its own, so that all that it leaves can be found."""

    def __init__(self, tmp_path, arguments):
        self.mark = f"{MARK}={uuid.uuid4()}"
        self.folders = [tmp_path / "tmp", tmp_path / "run"]
        for folder in self.folders:
            folder.mkdir(mode=0o700)
        self.shm = shared_files()
        name, value = self.mark.split("=")
        environment = {**ENVIRONMENT, name: value, "TMPDIR": str(self.folders[0]),
                       "XDG_RUNTIME_DIR": str(self.folders[1])}
        self.process = subprocess.Popen([sys.executable, *arguments], env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, start_new_session=True)

    def await_line(self, first):
        """The next line that it prints, which begins with this word."""
        line = self.process.stdout.readline()
        assert line.startswith(first), line + self.process.stderr.read()
        return line

    def await_ready(self):
        """Process id of its QEMU."""
        self.await_line("boots")
        line = self.await_line("ready")
        pid = int(line.split()[1])
        assert pid in marked(self.mark) and len(marked(self.mark)) >= 3
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return pid

    def assert_gone(self, timeout=LONG):
        """Within a deadline no process and no file of it is left."""
        deadline = time.monotonic() + timeout
        while marked(self.mark) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert marked(self.mark) == {}
        assert [list(folder.rglob("*")) for folder in self.folders] == [[], []]
        assert shared_files() <= self.shm

    def end(self):
        """For the end of a test that failed."""
        for pid in marked(self.mark):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.communicate()


@pytest.fixture
def host(tmp_path):
    """host([arguments of Python]): a Host that is ended in any case."""
    hosts = []

    def start(arguments):
        hosts.append(Host(tmp_path, arguments))
        return hosts[-1]

    yield start
    for one in hosts:
        one.end()


@pytest.mark.parametrize("how", ["exit", "closed", "exception", "os._exit", "abort"])
def test_host_that_ends(host, board, how):
    """S3-R22, S3-R45: a host that ends in any way, without closing its device."""
    process = host(["-c", HOST, board, how])
    process.await_ready()
    assert process.process.wait(timeout=60) is not None
    process.assert_gone()


@pytest.mark.parametrize("how", ["sleep", "wait"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_host_that_is_killed(host, board, number, how):
    """S3-R22, S3-R45: ^C, kill and kill -9 of a host, idle or in a wait on a device that hangs."""
    process = host(["-c", HOST, board, how])
    process.await_ready()
    time.sleep(0.2)
    process.process.send_signal(number)
    assert process.process.wait(timeout=60) != 0
    process.assert_gone()


@pytest.mark.parametrize("delay", [0, 0.05, 0.1, 0.2])
def test_interrupted_in_boot(host, board, delay):
    """S3-R22: ^C at any moment of a boot. Not before: a ^C while Python imports a module may be lost in the callback of its lock."""
    process = host(["-c", HOST, board, "sleep"])
    process.await_line("boots")
    time.sleep(delay)
    process.process.send_signal(signal.SIGINT)
    process.process.wait(timeout=60)
    process.assert_gone()


def test_killed_in_a_terminal(host, board):
    """S3-R22: a terminal's ^C goes to the whole group of processes, not only to the host."""
    process = host(["-c", HOST, board, "sleep"])
    process.await_ready()
    os.killpg(process.process.pid, signal.SIGINT)
    process.process.wait(timeout=60)
    process.assert_gone()


def test_broker_that_dies(host, board):
    """S3-R22: somebody kills the process between host and QEMU: QEMU ends, too."""
    process = host(["-c", HOST, board, "sleep"])
    qemu = process.await_ready()
    others = [pid for pid in marked(process.mark) if pid not in (qemu, process.process.pid)]
    assert len(others) == 1, marked(process.mark)
    os.kill(others[0], signal.SIGKILL)
    deadline = time.monotonic() + 60
    while qemu in marked(process.mark) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert qemu not in marked(process.mark)
    process.process.kill()
    process.assert_gone()
