# SPDX-License-Identifier: Apache-2.0
"""Board litex (architecture §11: image formats and boards as data): numbers from csr.json, frames, upload.

The upload tool runs against a model of the BIOS that checks every byte; no LiteX SoC is simulated here
(no package has its sources).
"""
import copy
import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from models.line import Board
from models.litex_bios import Bios, crc16

from boards.litex import from_csr, sfl, upload
from boards.upload_line import Line, LineError, board_numbers, parts_of

ROOT = Path(__file__).resolve().parents[2]
BASE = 0x40000000
RAM = (BASE, 0x100000)
IMAGE = random.Random(8).randbytes(20 * sfl.DATA_MAX + 13)
SECONDS = 10  # for an answer of a board that does answer


def load(board, image=IMAGE, base=BASE, answer_s=SECONDS, wait_s=SECONDS, ask=False):
    with Line(board.port) as line:
        tool = upload.Upload(line, baud=1000000, answer_s=answer_s)
        tool.greet(wait_s, ask)
        tool.run(sfl.frames_of([(base, image)]))
    return tool


def example():
    return json.loads((ROOT / "boards/litex/csr.json").read_text())


def test_crc_is_the_one_of_the_protocol():
    assert sfl.crc16(b"123456789") == crc16(b"123456789") == 0x31c3
    assert sfl.frame(sfl.JUMP, bytes(4)) == b"\x04" + crc16(b"\x02" + bytes(4)).to_bytes(2, "big") + b"\x02" + bytes(4)


def test_frames_are_the_image_and_one_jump():
    frames = sfl.split(b"".join(sfl.frames_of([(BASE, IMAGE)])))
    assert len(frames) == 22 and max(map(len, frames)) <= 4 + sfl.PAYLOAD_MAX
    assert b"".join(frame[8:] for frame in frames[:-1]) == IMAGE
    assert [int.from_bytes(f[4:8], "big") for f in frames[:3]] == [BASE, BASE + 248, BASE + 496]
    assert frames[-1][3:] == b"\x02" + BASE.to_bytes(4, "big")


def test_memory_between_the_images_is_not_sent():
    numbers = {"BOARD_CP_BASE": BASE, "BOARD_CP_IMAGE_BYTES": 0x2000, "BOARD_SM_BASE": BASE + 0x7000}
    parts = parts_of(IMAGE + bytes(0x7000 - len(IMAGE)) + IMAGE, numbers)
    first = IMAGE + bytes(0x2000 - len(IMAGE))  # its zeros may be constants
    assert parts == [(BASE, first), (BASE + 0x7000, IMAGE)]
    frames = sfl.split(b"".join(sfl.frames_of(parts)))
    assert len(frames) == 34 + 21 + 1 and frames[-1][4:] == BASE.to_bytes(4, "big")
    dirty = IMAGE + bytes(0x6fff - len(IMAGE)) + b"x" + IMAGE
    assert parts_of(dirty, numbers) == [(BASE, dirty)]
    assert parts_of(IMAGE, {"BOARD_CP_BASE": BASE}) == [(BASE, IMAGE)]


@pytest.mark.parametrize("change, message", [
    (lambda data: data[:-1], "ends inside"),
    (lambda data: b"", "not load frames"),
    (lambda data: data[:40] + bytes([data[40] ^ 1]) + data[41:], "wrong CRC"),
    (lambda data: data[:-8], "not load frames"),
    (lambda data: sfl.frame(7, bytes(4)) + data, "command 7"),
])
def test_a_damaged_file_of_frames_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        sfl.split(change(b"".join(sfl.frames_of([(BASE, IMAGE)]))))


@pytest.mark.parametrize("kind", ["pty", "unix", "tcp"])
def test_upload_stores_every_byte_and_jumps(kind, tmp_path):
    with Board(Bios(RAM), kind, tmp_path) as board:
        tool = load(board)
        assert board.model.image(BASE, len(IMAGE)) == IMAGE
        assert board.model.entry == BASE and not board.model.after
    assert tool.repeats <= 2  # E of an idle line at most


def test_upload_starts_the_serial_boot_of_a_bios_at_its_prompt():
    with Board(Bios(RAM, shell=True)) as board:
        load(board, ask=True)
        assert board.model.entry == BASE


@pytest.mark.parametrize("fault", ["crc", "flip", "lose", "late", "noise", "mute"])
def test_a_bad_answer_loses_nothing(fault):
    faults = {number: fault for number in (0, 3, 4, 11)}
    with Board(Bios(RAM, faults)) as board:
        tool = load(board, answer_s=1.0)
        assert board.model.image(BASE, len(IMAGE)) == IMAGE and board.model.entry == BASE
    assert tool.repeats >= (0 if fault == "late" else 4)


def test_many_faults_at_random():
    random_faults = random.Random(5)
    for _ in range(3):
        kinds = ["crc", "flip", "lose", "late"]
        faults = {number: random_faults.choice(kinds) for number in random_faults.sample(range(60), 20)}
        with Board(Bios(RAM, faults)) as board:
            load(board)
            assert board.model.image(BASE, len(IMAGE)) == IMAGE and board.model.entry == BASE


@pytest.mark.parametrize("fault, message", [
    ("crc", "frame 1 of 22, address 0x40000000: refused: wrong CRC, 16 times"),
    ("unknown", "does not know the command"),
])
def test_a_board_that_always_refuses_is_given_up(fault, message):
    with Board(Bios(RAM, always=fault)) as board:
        with pytest.raises(LineError, match=message):
            load(board)
        assert board.model.frames <= upload.TRIES and board.model.entry is None


def test_an_address_that_is_no_ram_is_given_up():
    with Board(Bios((BASE, 1000))) as board:
        with pytest.raises(LineError, match=r"frame 5 of 22, address 0x400003e0: refused: not RAM"):
            load(board, answer_s=0.1)
        assert board.model.entry is None and max(board.model.memory) < BASE + 1000


def test_a_silent_board_is_given_up():
    with Board(Bios(RAM, always="mute")) as board:
        board.model.quiet = lambda: b""
        with pytest.raises(LineError, match="no answer, 16 times"):
            load(board, answer_s=0.02)
    with Board(Bios(RAM, shell=True)) as board:
        with pytest.raises(LineError, match="no request of the BIOS in 0.1 s"):
            load(board, wait_s=0.1)


# A program that runs must not get the jump frame for input.
def test_a_jump_is_not_repeated_without_an_answer():
    with Board(Bios(RAM, {21: "mute"})) as board:
        with pytest.raises(LineError, match="jump: not acknowledged"):
            load(board, answer_s=0.5)
        assert board.model.entry == BASE and not board.model.after
    with Board(Bios(RAM, {21: "crc"})) as board:
        load(board)
        assert board.model.entry == BASE


def test_tools_by_command(tmp_path):
    (tmp_path / "flash.bin").write_bytes(IMAGE)
    tool = [sys.executable, str(ROOT / "boards/litex/sfl.py"), "--board", str(ROOT / "boards/litex/board.mk")]
    subprocess.run([*tool, tmp_path / "flash.bin", tmp_path / "flash.sfl"], check=True, timeout=60)
    with Board(Bios(RAM)) as board:
        done = subprocess.run([sys.executable, ROOT / "boards/litex/upload.py", "--port", board.port,
                               tmp_path / "flash.sfl"], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 and "loaded and started: 22 frames" in done.stdout, done
        assert board.model.image(BASE, len(IMAGE)) == IMAGE
    done = subprocess.run([sys.executable, ROOT / "boards/litex/upload.py", "--port", str(tmp_path / "none"),
                           tmp_path / "flash.sfl"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "No such file" in done.stderr


def test_committed_board_is_what_the_example_makes():
    for name, text in from_csr.files_of(from_csr.read_map(json.dumps(example())), "boards/litex").items():
        assert (ROOT / "boards/litex" / name).read_text() == text, f"{name}: run boards/litex/from_csr.py"


# softcores.md, "Platforms worth a board".
def test_example_is_the_usual_map():
    numbers = board_numbers(ROOT / "boards/litex/board.mk")
    header = (ROOT / "boards/litex/addresses.h").read_text()
    assert numbers["BOARD_RAM_BASE"] == numbers["BOARD_CP_BASE"] == 0x40000000
    assert "LITEX_CLINT 0xf0010000u" in header and "LITEX_UART_RXTX 0xf000" in header
    assert "BOARD_MARCH = rv32ima\n" in (ROOT / "boards/litex/board.mk").read_text()


def test_another_map_makes_another_board():
    tree = example()
    tree["constants"].update(config_cpu_count=2, config_clock_frequency=50000000)
    tree["memories"]["main_ram"] = {"base": 0x48000000, "size": 0x600000}
    for register in tree["csr_registers"].values():
        register["addr"] += 0x2800
    files = from_csr.files_of(from_csr.read_map(json.dumps(tree)), "boards/mine")
    lines = files["board.mk"].splitlines()
    for line in ("BOARD_CLOCK_HZ = 50000000", "BOARD_SM_BASE = 0x48070000", "BOARD_SMS = 1", "BOARD_RAM_MIN = 0x00600000",
                 "BOARD_SM_PRIVATE_BYTES = 2097152", "BOARD_SOURCES = boards/mine/board.c"):
        assert line in lines, line
    assert "LITEX_UART_TXFULL 0xf0003804u" in files["addresses.h"]
    assert '"boards/mine/addresses.h"' in files["board.c"]


def drop(*path):
    def change(tree):
        for name in path[:-1]:
            tree = tree[name]
        del tree[path[-1]]
    return change


def put(value, *path):
    def change(tree):
        for name in path[:-1]:
            tree = tree[name]
        tree[path[-1]] = value
    return change


@pytest.mark.parametrize("change, message", [
    (drop("csr_registers", "uart_txfull"), "no csr_registers.uart_txfull"),
    (drop("csr_registers"), "no csr_registers"),
    (drop("memories", "clint"), "no memories.clint: without it there are no interrupts"),
    (drop("memories", "main_ram"), "no memories.main_ram"),
    (drop("constants"), "no constants"),
    (drop("constants", "config_cpu_count"), "no constants.config_cpu_count"),
    (drop("constants", "config_cpu_type_vexriscv_smp"), "the core is not named"),
    (put(None, "constants", "config_cpu_type_vexriscv"), "the core is vexriscv_smp, vexriscv"),
    (put(1, "constants", "config_cpu_count"), "config_cpu_count is 1: .* need --cpu-count 2 to 8"),
    (put("many", "constants", "config_cpu_count"), "config_cpu_count is 'many', not a number"),
    (put("rv32i2p0_m", "constants", "config_cpu_isa"), "config_cpu_isa is 'rv32i2p0_m'"),
    (put(64, "constants", "config_csr_alignment"), "config_csr_alignment is not 32"),
    (put(0, "constants", "config_clock_frequency"), "config_clock_frequency is 0"),
    (put(0x100000, "memories", "main_ram", "size"), "main_ram.size is 1048576: 3 SMs need"),
    (put(0x80000000, "memories", "main_ram", "base"), "main_ram.base is 0x80000000: the core caches"),
    (put(0x40010000, "memories", "clint", "base"), "clint is at 0x40010000"),
    (put(256, "memories", "clint", "size"), "clint.size is below"),
])
def test_a_wrong_map_is_refused_by_name(change, message):
    tree = copy.deepcopy(example())
    change(tree)
    with pytest.raises(from_csr.BadMap, match=message):
        from_csr.read_map(json.dumps(tree))


@pytest.mark.parametrize("text, message", [("{", "not JSON"), ("[]", "not a csr.json"), ("{}", "no constants")])
def test_a_file_that_is_no_map_is_refused(text, message):
    with pytest.raises(from_csr.BadMap, match=message):
        from_csr.read_map(text)


def test_a_refused_map_writes_nothing(tmp_path):
    (tmp_path / "csr.json").write_text("{}")
    done = subprocess.run([sys.executable, ROOT / "boards/litex/from_csr.py", "--csr", tmp_path / "csr.json",
                           "--board", "boards/refused"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and re.search(r"csr.json: no constants", done.stderr)
    assert not (ROOT / "boards/refused").exists()
