# SPDX-License-Identifier: Apache-2.0
"""^C at any moment of any command: what is left, and what is shown."""
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ganger
from conftest import ROOT
from support import ENVIRONMENT, LONG, expect, until

pytestmark = pytest.mark.shared

MOMENTS = int(os.environ.get("GANGER_INTERRUPTS", "4"))  # For each command; hundreds for a long run.
COMMAND = ROOT / "host" / "ganger"
SOURCE = "kernel void k(global int *p) { p[get_global_id(0)] = 1; }\n"
GRAPH = "graph one(dst: buffer(4K))\nwrite dst\nfill(dst, 7, 64)\n"


class Room:
    """A folder of a command with all that it may leave: its socket, its temporary files, its results."""

    def __init__(self, folder, board):
        self.folder, self.board = folder, board
        self.temps = folder / "temps"
        self.temps.mkdir()
        self.socket = folder / "ganger.sock"
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": str(folder), "TMPDIR": str(self.temps)}
        self.environment.pop("PYTHONPATH", None)

    def start(self, *arguments):
        """Starts the command as a person does."""
        return subprocess.Popen([COMMAND, *map(str, arguments)], cwd=self.folder, env=self.environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *arguments):
        """Runs it to its end; its output."""
        process = self.start(*arguments)
        out, errors = process.communicate(timeout=LONG)
        assert process.returncode == 0, (arguments, out, errors)
        return out

    def interrupted(self, seconds, *arguments, number=signal.SIGINT):
        """Sends a signal so long after the start; the exit code."""
        process = self.start(*arguments)
        time.sleep(seconds)
        process.send_signal(number)
        _out, errors = process.communicate(timeout=LONG)
        about = (arguments, seconds, process.returncode, errors)
        assert "Traceback" not in errors and "Exception ignored" not in errors, about
        assert process.returncode in (0, 128 + number, -number), about
        assert process.returncode != 128 + number or errors.count("interrupted") == 1, about
        return process.returncode

    def processes(self):
        """Command lines of processes that work in this folder, or keep its socket."""
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            try:
                here = os.readlink(path / "cwd") == str(self.folder)
                text = (path / "cmdline").read_bytes()
            except OSError:
                continue
            if here or str(self.folder).encode() in text:
                found.append(text)
        return found

    def check_empty(self, kept=()):
        """Nothing is left but these files."""
        until(lambda: not self.processes(), "no process of the command is left")
        assert not list(self.temps.rglob("*"))
        names = {path.name for path in self.folder.iterdir()} - {"temps", "k.cl", *kept}
        assert not names


@pytest.fixture
def room(tmp_path, board):
    """A room; a device that was kept up in it is down after the test."""
    made = Room(tmp_path, board)
    (tmp_path / "k.cl").write_text(SOURCE)
    yield made
    if made.socket.exists():
        made.run("down")


def moments(longest):
    """Moments that are the same in each run, most of them early."""
    chosen = random.Random(7)
    return [longest * chosen.random() ** 1.5 for _moment in range(MOMENTS)]


def run_arguments(room, sample_path):
    """A short `ganger run` that writes a file."""
    return ["run", sample_path("vecadd"), "--block", 4, "--arg", "zero:16", "--arg", "zero:16", "--arg",
            "out:16:c.bin", "--arg", 4, "--board", room.board, "--sms", 2, "--trace", "t.json"]


def test_run(room, sample_path):
    """S3-R49: `run` on a device of its own: result files are whole or absent."""
    for seconds in moments(1.2):
        room.interrupted(seconds, *run_arguments(room, sample_path))
        room.check_empty({"c.bin", "t.json"})
        for name, nbytes in (("c.bin", 16), ("t.json", None)):
            path = room.folder / name
            assert not path.exists() or nbytes is None or path.stat().st_size == nbytes
            path.unlink(missing_ok=True)


def test_gdb(room, sample_path):
    """S3-R49: `gdb`, before GDB has the device, and while it lets it run: neither of them, nor the device, is left."""
    words = ["gdb", sample_path("vecadd"), "--grid", 10_000_000, "--block", 4, "--arg", "zero:16", "--arg", "zero:16",
             "--arg", "out:16:c.bin", "--arg", 4, "--board", room.board, "--sms", 1, "-x", "commands", "--batch"]
    (room.folder / "commands").write_text("shell touch inside\ncontinue\n")
    for seconds in moments(0.5):  # SIGTERM, since ^C is GDB's from the moment when there is one.
        room.interrupted(seconds, *words, number=signal.SIGTERM)
        room.check_empty({"commands", "inside"})
    (room.folder / "inside").unlink(missing_ok=True)
    process = room.start(*words)
    until((room.folder / "inside").exists, "GDB has the device")
    process.terminate()
    _out, errors = process.communicate(timeout=LONG)
    assert process.returncode == 128 + signal.SIGTERM and errors.count("interrupted") == 1
    room.check_empty({"commands", "inside"})


def test_clrun(room):
    """S3-R49: `clrun`: the compiler and its files, too."""
    for seconds in moments(3):
        room.interrupted(seconds, "clrun", "k.cl", "--global", 4, "--arg", "out:16:c.bin", "--board", room.board,
                         "--sms", 1)
        room.check_empty({"c.bin"})
        (room.folder / "c.bin").unlink(missing_ok=True)


def test_up_and_down(room):
    """S3-R49: `up` that is interrupted leaves no device, and one that is not keeps it; `down` ends it or not."""
    for seconds in moments(0.8):
        code = room.interrupted(seconds, "up", "--board", room.board, "--sms", 1)
        if code:
            room.check_empty()
        else:
            assert room.socket.exists()
            code = room.interrupted(seconds / 2, "down")
            if room.socket.exists():
                assert code
                room.run("down")
            room.check_empty()


LATE = """
import os, sys
from ganger.cli import interrupt
class Late:
    def __del__(self, kill=os.kill, process=os.getpid(), number=int(sys.argv[1])):
        kill(process, number)
interrupt.begin()
late = Late()  # Ends with the interpreter, which has given up its own handlers by then.
print(getattr(interrupt, sys.argv[2])())
"""


@pytest.mark.parametrize("end, told", [("finish", "True"), ("end", "128")])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_after_the_result(number, end, told):
    """S3-R49: a signal while the interpreter ends does not turn success into an error."""
    done = subprocess.run([sys.executable, "-c", LATE, str(int(number)), end], env=ENVIRONMENT,
                          stdout=subprocess.PIPE, text=True, timeout=LONG, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, told)


RETRIED = """
import os, signal, sys, time
from ganger.cli import interrupt
class Dropped:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)  # Python drops what a destructor raises: a second try is due soon.
class Slow:
    def __del__(self, sleep=time.sleep):
        sleep(0.5)  # The interpreter takes longer to end than the second try waits.
interrupt.begin()
slow = Slow()
Dropped()
print(getattr(interrupt, sys.argv[1])())
"""


@pytest.mark.parametrize("end, told", [("finish", "False"), ("end", "130")])
def test_a_second_try_that_the_end_overtakes(end, told):
    """S3-R49: a signal that hit a destructor is tried once more, unless the command has ended by then."""
    done = subprocess.run([sys.executable, "-c", RETRIED, end], env=ENVIRONMENT,
                          stdout=subprocess.PIPE, text=True, timeout=LONG, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, told)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_up_is_cut_while_it_boots(room, number):
    """S3-R49: a signal while a device boots: exit code 128 + signal, and no device."""
    process = room.start("up", "--board", room.board, "--sms", 1)
    until(room.socket.exists, "the broker listens")
    process.send_signal(number)
    _out, errors = process.communicate(timeout=LONG)
    if process.returncode:
        assert process.returncode == 128 + number and "interrupted" in errors
        room.check_empty()
    else:
        room.run("ps")  # It was up before the signal came, and works.


def test_selftest(room):
    """S3-R49: `selftest`."""
    for seconds in moments(2):
        room.interrupted(seconds, "selftest", "--board", room.board, "--sms", 2)
        room.check_empty()


@pytest.mark.parametrize("words", [("check", "g.graph"), ("asm", "g.graph", "-o", "g.ggp"),
                                   ("show", "g.graph", "-o", "g.svg", "--run", "--arg", "dst=zero:4K"),
                                   ("run", "g.graph", "--arg", "dst=out:4K:d.bin")])
def test_graph(room, words):
    """S3-R49: the commands about graphs."""
    (room.folder / "g.graph").write_text(GRAPH)
    for seconds in moments(1):
        boot = ["--board", room.board, "--sms", 1] if "--arg" in words else []
        room.interrupted(seconds, "graph", *words, *boot)
        room.check_empty({"g.graph", "g.ggp", "g.svg", "d.bin"})


def test_commands_on_a_device_that_is_up(room, sample_path):
    """S3-R49: after each the device is free for the next, which finds nothing on it."""
    room.run("up", "--board", room.board, "--sms", 1)
    short = run_arguments(room, sample_path)[:-6]
    for seconds in moments(0.7):
        for words in (["ps"], ["top", "--interval", "0.01"], ["stat"], [*short, "--device", room.socket],
                      ["submit", *short[1:]]):
            room.interrupted(seconds, *words)
    room.run(*short, "--device", room.socket)
    room.run("down")
    room.check_empty({"c.bin"})


def endless(room, kernel_path, *options):
    """Arguments of a task that does not end by itself."""
    return ["run", kernel_path("work"), "--kernel", "hash", "--arg", "zero:4", "--arg", 1, "--arg", 0xffffffff,
            "--grid", 4, "--device", room.socket, "--timeout", LONG, *options]


def started(room):
    """Whether a task is on the device."""
    return bool(room.run("ps") != "no tasks\n")


def test_a_task_on_a_device_that_is_up(room, kernel_path):
    """S3-R49: ^C in `run --device` cancels the task, so that the device is free."""
    room.run("up", "--board", room.board, "--sms", 1)
    process = room.start(*endless(room, kernel_path))
    until(lambda: started(room), "the task is there")
    process.send_signal(signal.SIGINT)
    assert "interrupted" in process.communicate(timeout=LONG)[1] and process.returncode == 130
    assert not started(room)
    with ganger.Device.attach(room.socket) as device:
        assert device.query("TASKS") == 0


def test_a_host_that_was_killed(room, kernel_path, sample_path):
    """S3-R49: an endless task of a killed host: the refusal names the command that ends it, and that works."""
    room.run("up", "--board", room.board, "--sms", 1)
    process = room.start(*endless(room, kernel_path, "--channel", 2))
    until(lambda: started(room), "the task is there")
    process.kill()
    process.communicate(timeout=LONG)
    with ganger.Device.attach(room.socket) as device:
        error = expect("ERR_BUSY", device.load, sample_path("vecadd"))
    assert "`ganger cancel --channel 2`" in error.message
    room.run("cancel", "--channel", 2)
    room.run(*run_arguments(room, sample_path)[:-6], "--device", room.socket)
