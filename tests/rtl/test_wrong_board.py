# SPDX-License-Identifier: Apache-2.0
"""Images on machines that they were not built for, on RTL: each says what is wrong and ends the machine."""
import os
import re
import subprocess
import sys

import ganger
import pytest
from device_support import BUILD, LONG, ROOT, numbers, simulation

CORE, MACHINE, HARTS, RAM, TIMER = range(1, 6)  # enum gg_board_fault
FINISH = 64                                     # MACHINE_CHECK_FINISH
MOST = 20_000_000                               # cycles; a bound: none takes half
BOARD = "refsoc-vexmin"


def moved(board, folder, device, address):
    """A copy of boards/refsoc/board.c for a board, with a device at another place."""
    text, file = (ROOT / "boards/refsoc/board.c").read_text(), folder / "board.c"
    for name in ("BOARD_IO_BASE", "BOARD_CLOCK_HZ"):
        text = text.replace(name, numbers(board)[name])
    assert text.count(device) == 1
    file.write_text(text.replace(device, hex(address)))
    return file


def image(board, **changed):
    """The control processor's image, with some of the board's numbers changed. What depends on them is made anew."""
    build = BUILD / "rtl" / "wrong"
    folder = build / board
    subprocess.run(["rm", "-rf", f"{folder}/obj/boards", *(f"{folder}/cp.{end}" for end in ("ld", "elf", "bin"))],
                   check=True)
    done = subprocess.run(
        ["make", f"BUILD={build}", f"PYTHON={sys.executable}", f"BOARD={board}",
         *(f"{name}={value}" for name, value in changed.items()), f"{folder}/cp.bin"],
        cwd=ROOT, env={name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS")},
        capture_output=True, text=True, timeout=LONG, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "cp.bin"


def refuses(board, folder, fault, text=None, **options):
    """The machine ends with the fault's code; the console has the text. Its log."""
    with simulation(board, folder, cycles=MOST, **options) as sim:
        sim.until(lambda: sim.ended() is not None, "its end", MOST + 1)
        assert sim.ended() == 1
        finisher = re.search(r"finisher=0x([0-9a-f]+)", sim.log())
        assert int(finisher[1], 16) == 0x3333 | FINISH + fault << 16
        if text is not None:
            assert f"ganger: not the board {board}: {text}" in sim.log()
        return sim


@pytest.mark.parametrize("fault, text, changed", [
    (HARTS, "harts 0x00000003", {"BOARD_SMS": 3}),
    (RAM, "bytes of RAM 0x00080000", {"BOARD_RAM_MIN": 0x100000})], ids=["harts", "RAM"])
def test_numbers(tmp_path, fault, text, changed):
    """Architecture §11: an image for more harts, or for more RAM."""
    refuses(BOARD, tmp_path, fault, text, image=image(BOARD, **changed))


def test_core(tmp_path):
    """Architecture §11: an image with multiplications on a core without M."""
    folder = BUILD / "rtl" / "wrong" / BOARD / "obj"
    subprocess.run(["rm", "-rf", folder], check=True)
    try:
        wrong = image(BOARD, BOARD_MARCH="rv32im")
    finally:
        subprocess.run(["rm", "-rf", folder], check=True)
    refuses(BOARD, tmp_path, CORE, "core without M", image=wrong)


@pytest.mark.parametrize("board, address, text", [
    ("refsoc", 0x02000000, "no mailbox block"), ("refsoc", 0x10030000, "no mailbox block"),
    (BOARD, 0x02000000, None)], ids=["other ID", "bus error", "no hart numbers"])
def test_mailbox(tmp_path, board, address, text):
    """Architecture §11: where the mailbox block should be there is something else, or nothing. A core that has its
    number from there has none then: all harts take themselves for the first, and speak at once."""
    source = moved(board, tmp_path, "0x10020000", address)
    refuses(board, tmp_path, MACHINE, text, image=image(board, BOARD_SOURCES=source))


def test_timer(tmp_path):
    """Architecture §11: the time stands still."""
    clock_hz = 0x10020010  # of the mailbox block: a constant
    source = moved(BOARD, tmp_path, "0x0200bff8", clock_hz)
    refuses(BOARD, tmp_path, TIMER, "time stands still", image=image(BOARD, BOARD_SOURCES=source))


def test_image_of_another_board(tmp_path):
    """Architecture §11: an image whose devices are where this core caches: it finds that the time stands still."""
    refuses("refsoc-cv32e40p", tmp_path, TIMER, sim="refsoc-vexriscv")


def test_image_with_instructions_of_another_core(tmp_path):
    """Architecture §11: an image with instructions for bits on a core without them."""
    refuses("refsoc", tmp_path, CORE, sim="refsoc-vexriscv")


def test_image_with_registers_of_another_core(tmp_path):
    """Architecture §11, §12: an image that writes a register which this core has not: a panic that the host sees."""
    with simulation("refsoc-vexriscv", tmp_path, sim="refsoc") as sim:
        def look():
            try:
                ganger.Device.connect(f"mmap:{sim.ram}")
            except ganger.Error as error:
                assert error.status in ("ERR_ABI_MAGIC", "ERR_PANIC")
                return error.status == "ERR_PANIC"
            raise AssertionError("it is ready")

        sim.until(look, "the panic")
