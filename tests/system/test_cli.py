# SPDX-License-Identifier: Apache-2.0
"""The `ganger` command."""
import array
import json
import os
import subprocess
import xml.etree.ElementTree

import pytest

from conftest import ROOT
from support import run_ganger, until

pytestmark = pytest.mark.shared

N = 1000


class Command:
    """The command in an environment of its own."""

    def __init__(self, folder, board):
        self.folder, self.board = folder, board

    def _run(self, *arguments):
        return run_ganger(*arguments, timeout=60, folder=self.folder, XDG_RUNTIME_DIR=str(self.folder))

    def __call__(self, *arguments, code=0):
        """Runs it; what it printed. The exit code must be `code`."""
        done = self._run(*arguments)
        assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr
        return done.stdout if code == 0 else done.stderr

    def json(self, *arguments, code=0):
        """The same with --json: one document."""
        done = self._run(*arguments, "--json")
        assert done.returncode == code, (arguments, done.stdout, done.stderr)
        return json.loads(done.stdout)


@pytest.fixture
def command(tmp_path, board):
    """The command; a device that it kept up is down after the test."""
    run = Command(tmp_path, board)
    yield run
    if (tmp_path / "ganger.sock").exists():
        run("down")


@pytest.fixture
def vectors(tmp_path, sample_path):
    """Arguments of a vecadd on files, and the result that c.bin must have."""
    a, b = array.array("i", range(N)), array.array("i", (7 * value for value in range(N)))
    (tmp_path / "a.bin").write_bytes(a)
    (tmp_path / "b.bin").write_bytes(b)
    arguments = [sample_path("vecadd"), "--kernel", "vecadd", "--grid", -(-N // 128), "--block", 128,
                 "--arg", "in:a.bin", "--arg", "in:b.bin", "--arg", f"out:{4 * N}:c.bin",
                 "--arg", N]
    return arguments, array.array("i", (8 * value for value in range(N))).tobytes()


def test_help(command):
    """S3-R49: every command has a help."""
    text = command("--help")
    for name in ("info", "run", "submit", "wait", "ps", "top", "regs", "trace", "stat", "reset",
                 "cancel", "suspend", "resume", "selftest", "up", "down"):
        assert name in text
        assert "--json" in command(name, "--help")


def test_info_of_a_kernel(command, sample_path, xlen):
    """S3-R44, S3-R21: what is in a kernel ELF."""
    text = command("info", sample_path("vecadd"))
    assert "vecadd" in text and f"rv{xlen}" in text
    facts = command.json("info", sample_path("vecadd"))
    assert facts["xlen"] == xlen
    kernel = facts["kernels"][0]
    assert kernel["name"] == "vecadd" and len(kernel["parameters"]) == 4


def test_run(command, vectors, board, tmp_path):
    """S3-R40, S3-R55: one kernel on files, with traces."""
    arguments, result = vectors
    text = command("run", *arguments, "--board", board, "--sms", 4, "--trace", "t.svg",
                   "--trace", "t.json")
    assert "vecadd" in text and "OK" in text
    assert (tmp_path / "c.bin").read_bytes() == result
    xml.etree.ElementTree.parse(tmp_path / "t.svg")
    assert json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    (tmp_path / "c.bin").unlink()
    found = command.json("run", *arguments, "--board", board, "--sms", 2)
    assert found["done"]["status"] == "OK" and found["done"]["ctas"] == -(-N // 128)
    assert (tmp_path / "c.bin").read_bytes() == result


def test_run_that_fails(command, vectors, board, sample_path, tmp_path):
    """S3-R121: errors: exit code 1 and one line with the status; 2 for a wrong call."""
    arguments, _result = vectors
    boot = ["--board", board, "--sms", 1]
    zero = [0 if one == -(-N // 128) else one for one in arguments]
    assert "ERR_GRID_ZERO" in command("run", *zero, *boot, code=1)
    error = command.json("run", *zero, *boot, code=1)["error"]
    assert (error["status"], error["field"], error["value"]) == ("ERR_GRID_ZERO", "tmd.grid_x", 0)
    few = command("run", *arguments[:-2], *boot, code=1)
    assert "ERR_ARGUMENT_COUNT" in few and "`ganger info` lists" in few
    assert "ERR_KERNEL_NAME" in command("run", sample_path("vecadd"), "--kernel", "none", *boot, code=1)
    assert "ERR_BOARD" in command("run", *arguments, "--board", "none", code=1)
    (tmp_path / "bad.elf").write_bytes(sample_path("vecadd").read_bytes()[:500])
    assert "ERR_ELF_TRUNCATED" in command("run", "bad.elf", *boot, code=1)
    assert "ERR_ELF" in command.json("info", "bad.elf", code=1)["error"]["status"]
    assert "ERR_IO" in command("info", "none.elf", code=1)
    for wrong in (["run"], ["none"], ["run", "x.elf", "--grid", "0x"], ["run", "x.elf", "--arg", "in"]):
        assert "usage" in command(*wrong, code=2)


def test_no_device(command):
    """S3-R49: commands that want a device which is not up."""
    for name in ("ps", "stat", "down"):
        assert "ERR_NO_DEVICE" in command(name, code=1)


def test_device_that_is_up(command, vectors, board, tmp_path, sample_path):
    """S3-R49, S3-R31: up, submit, wait, ps, top, stat, regs, trace, reset, down."""
    arguments, result = vectors
    facts = command.json("up", "--board", board, "--sms", 2)
    assert facts["sms"] == 2 and facts["board"] == board
    assert "ERR_" in command("up", "--board", board, code=1)
    command("trace", "on")
    tag = command.json("submit", *arguments)["tag"]
    assert command.json("wait", tag)["done"]["status"] == "OK"
    assert (tmp_path / "c.bin").read_bytes() == result
    command("trace", "off")
    command("trace", "kept.json")
    assert "The newest 3 of" in command("trace", "few.json", "--most", "3")
    assert "ganger trace on" in command("trace", "late.json", "--for", "1", code=1)
    assert json.loads((tmp_path / "kept.json").read_text())["traceEvents"]
    assert command.json("ps") == []
    assert "no tasks" in command("ps")
    picture = command.json("top", "--once")
    assert len(picture["sms"]) == 2
    assert {"slot", "sm", "affinity", "dependence"} <= set(picture["not_issued"])
    assert "by reason" in command("top", "--once")
    assert "STARTED" in command("top", "--once")
    assert command.json("stat")["tasks_completed"] == 1
    assert "not_issued_quota" in command.json("stat")
    assert "tasks_completed" in command("stat")
    assert "READY" in command("regs", "cap")
    assert "health" in command("regs", "sm_state[1]")
    assert command.json("regs", "slot[0].state") == 0
    assert command.json("regs", "cap")["sms"] == 2
    assert "ERR_ARGUMENT" in command("regs", "nothing", code=1)
    assert command.json("reset", "--sm", 0)["done"]["status"] == "OK"
    assert command.json("stat")["sms_back"] == 1
    assert "ERR_ARGUMENT" in command("reset", "--sm", 2, code=1)
    for name in ("cancel", "suspend", "resume", "wait"):
        assert "ERR_ARGUMENT" in command(name, tag, code=1)
    socket = facts["device"]
    assert "OK" in command("run", *arguments, "--device", socket)
    assert "PASS" in command("selftest", "--device", socket)
    command("down")
    assert not os.path.exists(socket)
    assert "ERR_NO_DEVICE" in command("stat", code=1)


def test_wait_for_a_long_task(command, board, kernel_path):
    """S3-R31: `wait` before the task has ended."""
    command("up", "--board", board, "--sms", 1)
    tag = command.json("submit", kernel_path("work"), "--kernel", "hash", "--arg", "out:4:long.bin",
                       "--arg", "1", "--arg", 200_000_000)["tag"]
    assert command.json("wait", tag, "--timeout", 50)["done"]["ctas"] == 1
    assert (command.folder / "long.bin").stat().st_size == 4


def submit_endless(command, kernel_path, *options):
    """A task that does not end by itself."""
    return command.json("submit", kernel_path("work"), "--kernel", "hash", "--arg", "out:4:long.bin",
                        "--arg", "1", "--arg", 0xffffffff, "--grid", 4, *options)["tag"]


def test_cancel(command, board, kernel_path):
    """S3-R49: a submitted task is cancelled by another process; ps tells why none of it is issued."""
    command("up", "--board", board, "--sms", 1)
    tag = submit_endless(command, kernel_path, "--sequential")
    until(lambda: [task["reason"] for task in command.json("ps")] == ["SEQUENCE"],
          "the task is in its slot, with a CTA in flight")
    command("suspend", tag)
    command("resume", tag)
    assert command.json("cancel", tag)["done"]["status"] == "OK"
    assert "ERR_TASK" in command("cancel", tag, code=1)
    assert "ERR_CANCELLED" in command("wait", tag, code=1)
    assert "ERR_ARGUMENT" in command("cancel", tag, code=1)


def test_channel_commands(command, board, kernel_path):
    """S3-R49: channels are suspended, resumed and cancelled by any process."""
    command("up", "--board", board, "--sms", 1)
    assert command.json("suspend", "--channel", 2) == {"channel": 2}
    assert command.json("regs", "channel[2].state") == 2
    command("resume", "--channel", 2)
    assert command.json("regs", "channel[2].state") == 0
    tag = submit_endless(command, kernel_path, "--channel", 3)
    command("cancel", "--channel", 3)
    assert "ERR_CANCELLED" in command("wait", tag, code=1)
    assert "ERR_ARGUMENT" in command("suspend", "--channel", 99, code=1)
    assert "usage" in command("cancel", code=2)
    assert "usage" in command("cancel", 1, "--channel", 1, code=2)


def test_run_with_scheduling_options(command, vectors, board, tmp_path):
    """S3-R49, S0-R23, S0-R24, S0-R25: quota, sequence and affinity from the command line."""
    arguments, result = vectors
    found = command.json("run", *arguments, "--board", board, "--sms", 4, "--quota", 2, "--retry", 1,
                         "--sequential", "--affinity", "1,2")
    assert found["done"]["status"] == "OK" and found["done"]["sms"] <= 2
    assert found["done"]["not_issued"]["sequence"] > 0
    assert (tmp_path / "c.bin").read_bytes() == result
    error = command.json("run", *arguments, "--board", board, "--sms", 2, "--affinity", "1,2",
                         code=1)["error"]
    assert (error["status"], error["field"], error["value"]) == ("ERR_AFFINITY", "affinity", 2)
    assert "usage" in command("run", *arguments, "--affinity", "x", code=2)


def test_submit_that_fails(command, vectors, board):
    """S3-R121: a submitted task that the device refuses: `wait` says so."""
    arguments, _result = vectors
    command("up", "--board", board, "--sms", 1)
    zero = [0 if one == -(-N // 128) else one for one in arguments]
    tag = command("submit", *zero).strip()
    assert "ERR_GRID_ZERO" in command("wait", tag, code=1)
    tag = command("submit", *arguments).strip()
    assert "OK" in command("wait", tag)


def test_selftest(command, board):
    """S3-R49: the device's own test."""
    found = command.json("selftest", "--board", board, "--sms", 4)
    assert found["ok"] and all(check["ok"] for check in found["checks"]) and len(found["checks"]) > 4


def test_launcher(board, sample_path):
    """S3-R49: the script `ganger` finds its package and its build folder from anywhere."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([ROOT / "host" / "ganger", "info", sample_path("vecadd")], cwd="/",
                          env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0 and "vecadd" in done.stdout, done.stderr
    assert board
