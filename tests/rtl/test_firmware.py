# SPDX-License-Identifier: Apache-2.0
"""The firmware on the reference SoC with each of its cores, through the host library: RAM and doorbells are a file."""

import os
import re
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ganger

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("GANGER_BUILD", ROOT / "build")).resolve()
BOARDS = sorted(path.parent.name for path in (ROOT / "boards").glob("refsoc*/core.f"))
CYCLES = 500_000_000  # a bound: a test takes a few million
DEADLINE = 120.0  # s; a bound as well
HARTS, RAM = 64 + 3, 64 + 4  # the finisher's codes: enum board_fault


def numbers(board):
    lines = (ROOT / "boards" / board / "board.mk").read_text().splitlines()
    return dict(line.split(" = ", 1) for line in lines if " = " in line and not line.startswith("#"))


def flash_image(board, build=BUILD, **changed):
    """Builds the image of a board, with some of its numbers changed."""
    subprocess.run(["make", f"BUILD={build}", f"PYTHON={sys.executable}", f"BOARD={board}", "flash-image",
                    *(f"{name}={value}" for name, value in changed.items())],
                   cwd=ROOT, check=True, capture_output=True, timeout=900)
    return build / board / "flash.bin"


def simulate(board, image, *options):
    return [BUILD / "rtl" / board / "sim", "--image", image, "--cycles", str(CYCLES), *options]


@pytest.fixture(scope="module", params=BOARDS)
def dev(request, tmp_path_factory):
    """A device that a simulator runs."""
    board, ram = request.param, tmp_path_factory.mktemp(request.param) / "ram"
    size = numbers(board)["BOARD_RAM_MIN"]
    command = simulate(board, flash_image(board), "--ram-file", ram, "--uart", "none")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as sim:
        try:
            assert sim.stdout.readline() == "sim: ready\n"
            deadline = time.monotonic() + DEADLINE
            while True:
                try:
                    device = ganger.Device.connect(f"mmap:{ram}@0,{size},{size}")
                    break
                except ganger.Error:
                    assert time.monotonic() < deadline and sim.poll() is None
                    time.sleep(0.1)
            with device:
                yield device
        finally:
            sim.terminate()


@pytest.fixture(scope="module")
def load(dev, tmp_path_factory):
    """Loads a sample, built for the core of the device."""
    march = "rv32im" if "MULTIPLY" in dev.info.features else "rv32i"
    folder = tmp_path_factory.mktemp(march)

    def build(name):
        elf = folder / f"{name}.elf"
        subprocess.run([sys.executable, ROOT / "firmware/kernel/ganger-cc", f"-march={march}", "-o", elf,
                        ROOT / f"firmware/kernel/samples/{name}.c"], check=True, timeout=300)
        return dev.load(str(elf))[name]

    return build


def pack(values):
    return struct.pack(f"<{len(values)}i", *values)


def read(buffer, count):
    return list(struct.unpack(f"<{count}i", buffer.read(4 * count)))


def fill(dev, kernel, value, **options):
    """A task that fills 32 words, and their buffer."""
    buffer = dev.buffer(bytes(128))
    return dev.submit(kernel, grid=4, block=8, args=[buffer, value, 32], **options), buffer


def test_vecadd(dev, load):
    """S4-R112: the same firmware runs on cores without A, M, C, mhartid, user mode or mscratch."""
    count = 64
    first, second, total = (dev.buffer(pack([factor * i for i in range(count)])) for factor in (1, 10, 0))
    dev.submit(load("vecadd"), grid=4, block=16, args=[first, second, total, count]).wait(DEADLINE)
    assert read(total, count) == [11 * i for i in range(count)]


def test_many(dev, load):
    """S0-R27: more tasks than slots; each SM runs several CTAs."""
    kernel = load("fill")
    tasks = [fill(dev, kernel, value) for value in range(12)]
    for value, (task, buffer) in enumerate(tasks):
        task.wait(DEADLINE)
        assert read(buffer, 32) == [value] * 32


def test_fault(dev, load):
    """S3-R45: a kernel that reaches too far fails where there is protection; the device goes on."""
    kernel = load("fill")
    if "PROTECTION" in dev.info.features:
        with pytest.raises(ganger.Error) as error:
            dev.submit(kernel, grid=1, block=8, args=[dev.info.base, 1, 8]).wait(DEADLINE)
        assert error.value.status == "ERR_FAULT_ACCESS"
    task, buffer = fill(dev, kernel, 5)
    task.wait(DEADLINE)
    assert read(buffer, 32) == [5] * 32


def test_parts(dev, load):
    """S1-R37: parts that are there work, those that are not are refused with their field."""
    kernel = load("fill")
    for feature, options, field in (("PULL", {"mode": "pull"}, "tmd.mode"), ("CLUSTERS", {"cluster": 2}, "tmd.type")):
        if feature in dev.info.features:
            task, buffer = fill(dev, kernel, 7, **options)
            task.wait(DEADLINE)
            assert read(buffer, 32) == [7] * 32
        else:
            with pytest.raises(ganger.Error) as error:
                fill(dev, kernel, 7, **options)[0].wait(DEADLINE)
            assert (error.value.status, error.value.field) == ("ERR_UNSUPPORTED", field)


@pytest.mark.parametrize("changed, code, text", [
    ({"BOARD_SMS": 3}, HARTS, "harts 0x00000003"),
    ({"BOARD_RAM_MIN": 0x100000}, RAM, "bytes of RAM 0x00080000")])
def test_wrong_machine(tmp_path, changed, code, text):
    """An image for more harts or more RAM says so and ends the machine."""
    board = "refsoc-vexmin"
    image = flash_image(board, tmp_path / "build", **changed)
    done = subprocess.run(simulate(board, image, "--uart", "stdio"), stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=DEADLINE, check=False)
    assert f"ganger: not the board {board}: {text}" in done.stdout
    finisher = re.search(r"finisher=0x([0-9a-f]+)", done.stdout)
    assert int(finisher[1], 16) == 0x3333 | code << 16
