# SPDX-License-Identifier: Apache-2.0
"""Fault records with function, file and line; the faulting frame in GDB; the same from the shell."""
import subprocess
import sys

import pytest

import ganger
from ganger import symbols
from support import LONG, error_of, run_ganger, zeros

STORE, JUMP, BREAKPOINT, ABORT = 0, 2, 5, 8  # of tests/kernels/faults.c
ADDRESS = 0x1234


def line_of(root, text, after=""):
    """Line of the first occurrence of a text in faults.c, behind another one."""
    source = (root / "tests/kernels/faults.c").read_text()
    return source[:source.index(text, source.index(after))].count("\n") + 1


@pytest.fixture(scope="module")
def root(request):
    """The repository."""
    return request.config.rootpath


@pytest.fixture(scope="module")
def debug_elf(root, xlen, tmp_path_factory):
    """faults.c with debug information."""
    elf = tmp_path_factory.mktemp("debug") / "faults.elf"
    subprocess.run([sys.executable, root / "firmware/kernel/ganger-cc", "-g", "--xlen", str(xlen),
                    "-o", elf, root / "tests/kernels/faults.c"], check=True, timeout=300)
    return elf


def fails(dev, module, deed, kernel="fault"):
    """The error of a CTA that does something."""
    task = dev.submit(module[kernel], grid=4, block=4, args=[zeros(dev, 4), deed, ADDRESS, 1, 2])
    return error_of(task.wait, LONG)


@pytest.mark.parametrize("source", ["path", "bytes"])
def test_file_and_line(device, debug_elf, root, source):
    """S3-R8, S3-R121: the record names function, file and line of the access, and so does the message."""
    dev = device(2)
    module = dev.load(debug_elf if source == "path" else debug_elf.read_bytes())
    record = fails(dev, module, STORE).record
    assert record.symbol == "doing" and not record.jumped
    assert record.file.endswith("tests/kernels/faults.c")
    assert record.line == line_of(root, "*(volatile uint *)address = 1;")
    error = fails(dev, module, BREAKPOINT)
    assert f"in doing (faults.c:{line_of(root, 'ebreak')})" in str(error)
    assert error.as_dict()["record"]["symbol"] == "doing"


def test_where_a_wild_jump_came_from(device, debug_elf, root):
    """S3-R121: a pc that is in no module: the caller's place instead, and the message says so."""
    dev = device(2)
    error = fails(dev, dev.load(debug_elf), JUMP, "fault_met")
    record = error.record
    assert record.jumped and record.pc == ADDRESS
    assert record.file.endswith("faults.c") and "called from" in str(error)


def test_without_debug_information(device, load):
    """S3-R121: without -g the function alone, never a label."""
    dev = device(2)
    for kernel in ("fault", "fault_met"):
        record = fails(dev, load(dev, "faults"), STORE, kernel).record
        assert record.symbol.startswith("doing") and record.file is None and record.line is None


def test_without_the_tools(device, load, debug_elf, monkeypatch):
    """Without the tools there are no names, and nothing else is different."""
    monkeypatch.setattr(symbols, "TOOLS", "/nonexistent/")
    dev = device(2)
    data = debug_elf.read_bytes() + b"\0"  # an ELF that nobody asked about yet
    error = fails(dev, dev.load(data), STORE)
    assert error.status == "ERR_FAULT_ACCESS" and error.record.symbol is None
    assert error.record.address == ADDRESS and "pc 0x" in str(error)


def gdb(command, *more):
    """What gdb-multiarch shows for the command line that core() returned, and for more commands."""
    extra = " ".join(f"-ex '{one}'" for one in more)
    done = subprocess.run(f"{command} {extra} -batch -nx", shell=True, capture_output=True,
                          text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("kernel", ["fault", "fault_met"])
def test_frame_in_gdb(device, debug_elf, root, tmp_path, kernel):
    """S3-R8: GDB shows the faulting frame, its caller, arguments and registers of the record."""
    dev = device(2)
    error = fails(dev, dev.load(debug_elf), STORE, kernel)
    command = dev.core(error.record, tmp_path / "core")
    shown = gdb(command, "info registers pc sp", "frame 1", "print $a1")
    line = line_of(root, "*(volatile uint *)address = 1;")
    assert f"in doing (deed=0, address={ADDRESS})" in shown
    assert f"faults.c:{line}" in shown and f"in {kernel} (counts=" in shown
    assert f"{error.record.pc:#x}" in shown and f"{error.record.registers[1]:#x}" in shown
    assert f"$1 = {error.record.registers[10]}" in shown


def test_frames_below_an_abort(device, debug_elf, tmp_path):
    """S3-R8: abort() in a function in a kernel: all three frames."""
    dev = device(2)
    error = fails(dev, dev.load(debug_elf), ABORT)
    shown = gdb(dev.core(error.record, tmp_path / "core"))
    assert shown.index("abort ()") < shown.index("in doing (") < shown.index("in fault (")


def test_core_of_nobody(device, debug_elf, tmp_path):
    """A record of a module that is gone: refused, and no file is left."""
    dev = device(2)
    module = dev.load(debug_elf)
    record = fails(dev, module, STORE).record
    module.unload()
    foreign = record._replace(pc=4, registers=(4, *record.registers[1:]))
    error = error_of(dev.core, foreign, tmp_path / "core")
    assert error.status == "ERR_ARGUMENT" and not (tmp_path / "core").exists()


def test_fault_from_the_shell(board, debug_elf, tmp_path):
    """S3-R8: `ganger run --core` tells file and line, writes the core file and how to open it."""
    done = run_ganger("run", debug_elf, "--board", board, "--sms", 1, "--kernel", "fault",
                      "--arg", "zero:64", "--arg", STORE, "--arg", ADDRESS, "--arg", 0, "--arg", 0,
                      "--core", tmp_path / "core")
    assert done.returncode == 1
    command, message = done.stderr.splitlines()[-2:]
    assert "in doing (faults.c:" in message and "ERR_FAULT_ACCESS" in message
    assert "in doing (deed=0" in gdb(command)


def test_prints_from_the_shell(board, kernel_path):
    """S3-R8: `ganger run` shows what the kernel printed, also when the task fails."""
    done = run_ganger("run", kernel_path("print"), "--board", board, "--sms", 1, "--kernel", "hello",
                      "--grid", 3, "--arg", 2)
    assert done.returncode == 0 and done.stdout.startswith("hello\nhello\n")
    done = run_ganger("run", kernel_path("print"), "--board", board, "--sms", 1, "--kernel", "failing",
                      "--arg", 1)
    assert done.returncode == 1 and "assertion failed: number == 7" in done.stdout
    done = run_ganger("run", kernel_path("print"), "--board", board, "--sms", 1, "--kernel", "flood",
                      "--arg", 0, "--arg", 0, "--prints", 100)
    assert done.returncode == 1 and done.stdout == "0 flood " * 2
    assert "ERR_PRINT_FLOOD" in done.stderr
    assert ganger.abi.ENUMS["status"]["ERR_PRINT_FLOOD"] == -75
