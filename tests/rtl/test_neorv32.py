# SPDX-License-Identifier: Apache-2.0
"""Board neorv32 (architecture §11: image formats and boards as data): image for the boot loader, upload.

The upload tool runs against a model of the boot loader that checks every byte; no NEORV32 is simulated
here.
"""
import random
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from models.line import Board
from models.neorv32_loader import OWN, Loader

from boards.neorv32 import image, upload
from boards.upload_line import Line, LineError, board_numbers

ROOT = Path(__file__).resolve().parents[2]
BASE = 0x80001000
BINARY = random.Random(32).randbytes(5001)
PADDED = BINARY + bytes(3)
SECONDS = 10  # for an answer of a board that does answer


def load(board, data=None, answer_s=SECONDS, tries=3):
    with Line(board.port, 19200) as line:
        upload.Upload(line, baud=1000000, answer_s=answer_s).run([data or image.image_of(BINARY, BASE)], tries)


def test_image_is_a_header_and_whole_words():
    data = image.image_of(BINARY, BASE)
    signature, base, size, total = struct.unpack_from("<4I", data)
    assert (signature, base, size) == (0x214f454e, BASE, 5004) and data[16:] == PADDED
    assert (sum(struct.unpack("<1251I", PADDED)) + total + 1) % (1 << 32) == 0
    assert data[:4] == b"NEO!" and image.check(data) == BASE


@pytest.mark.parametrize("change, message", [
    (lambda data: data[:15], "shorter than a header"),
    (lambda data: b"\x7fELF" + data[4:], "signature 0x464c457f"),
    (lambda data: data[:-4], "size 5004 in the header, 5000 bytes behind it"),
    (lambda data: data[:-1] + b"\x01", "wrong checksum"),
])
def test_a_damaged_image_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        image.check(change(image.image_of(BINARY, BASE)))


def test_an_image_needs_words_of_32_bits():
    for binary, base in ((b"", BASE), (BINARY, BASE + 2), (BINARY, 0xfffffff0)):
        with pytest.raises(ValueError):
            image.image_of(binary, base)


# softcores.md: the boot loader uses the first 256 bytes of its RAM while it loads.
def test_board_leaves_the_boot_loader_its_memory():
    numbers = board_numbers(ROOT / "boards/neorv32/board.mk")
    assert numbers["BOARD_CP_BASE"] == BASE and numbers["BOARD_RAM_BASE"] == OWN.start
    assert numbers["BOARD_CP_BASE"] >= OWN.stop and numbers["BOARD_SMS_MAX"] == 1


@pytest.mark.parametrize("kind", ["pty", "unix", "tcp"])
@pytest.mark.parametrize("at_prompt", [False, True])
def test_upload_stores_every_byte_and_starts(kind, at_prompt, tmp_path):
    with Board(Loader(at_prompt=at_prompt), kind, tmp_path) as board:
        load(board)
        assert board.model.image(BASE, len(PADDED)) == PADDED
        assert board.model.entry == BASE and not board.model.after


def test_two_parts_are_two_uploads_and_the_first_is_started():
    numbers = {"BOARD_CP_BASE": BASE, "BOARD_CP_IMAGE_BYTES": 0x2000, "BOARD_SM_BASE": BASE + 0x7000}
    whole = image.image_of(BINARY + bytes(0x7000 - len(BINARY)) + BINARY, BASE)
    images = image.uploads_of(whole, numbers)
    assert [image.check(data) for data in images] == [BASE + 0x7000, BASE] and image.uploads_of(whole, {}) == [whole]
    with Board(Loader()) as board, Line(board.port, 19200) as line:
        upload.Upload(line, baud=1000000, answer_s=SECONDS).run(images)
        assert board.model.image(BASE, len(BINARY)) == board.model.image(BASE + 0x7000, len(BINARY)) == BINARY
        assert BASE + 0x6fff not in board.model.memory and board.model.entry == BASE


@pytest.mark.parametrize("fault, message", [
    ("flip", "upload: ERROR_CHECKSUM; reset the board"),
    ("lose", "^upload: no answer in .*; reset the board"),
    ("mute", "^upload: no answer in .*; reset the board"),
    ("trap", "ERROR_EXCEPTION"),
    ("astray", "start command: started at 0x80001004"),
    ("halted", "no prompt after 3 keys, but nothing: reset the board"),
])
def test_a_board_that_fails_is_reported_and_given_up(fault, message):
    with Board(Loader({fault})) as board:
        with pytest.raises(LineError, match=message):
            load(board, answer_s=0.3 if fault in ("lose", "mute", "halted") else SECONDS)
        assert fault == "astray" or board.model.entry is None
        assert fault != "halted" or bytes(board.model.after) == upload.KEY * 3


# A board that has halted is not fed the rest, which may be minutes long.
def test_an_error_in_the_middle_ends_the_upload():
    with Board(Loader({"trap"})) as board:
        with pytest.raises(LineError, match="ERROR_EXCEPTION .* in the middle of it; reset the board"):
            load(board, image.image_of(bytes(400000), BASE))
        assert len(board.model.after) < 300000


def test_a_wrong_image_is_not_sent():
    with Board(Loader()) as board:
        with pytest.raises(ValueError, match="signature"):
            load(board, bytes(64))
        assert board.model.state == "count_down"


def test_tools_by_command(tmp_path):
    (tmp_path / "flash.bin").write_bytes(BINARY)
    tool = [sys.executable, str(ROOT / "boards/neorv32/image.py"), "--board", str(ROOT / "boards/neorv32/board.mk")]
    subprocess.run([*tool, tmp_path / "flash.bin", tmp_path / "flash.exe"], check=True, timeout=60)
    assert (tmp_path / "flash.exe").read_bytes() == image.image_of(BINARY, BASE)
    with Board(Loader()) as board:
        done = subprocess.run([sys.executable, ROOT / "boards/neorv32/upload.py", "--port", board.port,
                               tmp_path / "flash.exe"], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 and "loaded and started: 5020 bytes" in done.stdout, done
        assert board.model.image(BASE, len(PADDED)) == PADDED
    done = subprocess.run([sys.executable, ROOT / "boards/neorv32/upload.py", "--port", str(ROOT / "Makefile"),
                           tmp_path / "flash.exe"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "not a serial port" in done.stderr
