#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Serial Flash Loader frames of the LiteX BIOS: a memory image becomes a file of frames.

    python boards/litex/sfl.py --board BOARD.MK flash.bin flash.sfl

A frame: {bytes of payload, CRC-16 of command and payload (CCITT from 0, big endian), command,
payload}. Command 1 loads: payload {address, big endian; data}; command 2 jumps: payload {address}.
The file is load frames in the order of their addresses and one jump frame at its end. The control
processor's data, between the two images, is not loaded.
"""
import argparse
import binascii
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from boards.upload_line import board_numbers, parts_of

MAGIC_REQUEST, MAGIC_ANSWER = b"sL5DdSMmkekro\n", b"z6IHG7cYDID6o\n"
ABORT, LOAD, JUMP = 0, 1, 2
ACCEPTED, BAD_CRC, UNKNOWN, ERROR = b"K", b"C", b"U", b"E"
HEADER_BYTES, ADDRESS_BYTES, PAYLOAD_MAX = 4, 4, 255
DATA_MAX = 248  # of 251: a multiple of 8, so that every frame begins at an aligned address


def crc16(data):
    return binascii.crc_hqx(data, 0)


def frame(command, payload):
    body = bytes([command]) + payload
    return bytes([len(payload)]) + crc16(body).to_bytes(2, "big") + body


def frames_of(parts):
    """All frames for the parts of an image: loads, then the jump to the first part's address."""
    found = []
    for base, data in parts:
        if not data:
            raise ValueError("the image is empty")
        if base < 0 or base + len(data) > 1 << 32:
            raise ValueError(f"0x{base:x} + {len(data)} bytes: not an address of 32 bits")
        found += [frame(LOAD, (base + at).to_bytes(4, "big") + data[at:at + DATA_MAX])
                  for at in range(0, len(data), DATA_MAX)]
    return found + [frame(JUMP, parts[0][0].to_bytes(4, "big"))]


def split(data):
    """The frames of a file, each checked; a ValueError says what is wrong, and where."""
    found, at = [], 0
    while at < len(data):
        end = at + HEADER_BYTES + data[at]
        if end > len(data) or at + HEADER_BYTES > len(data):
            raise ValueError(f"byte {at}: the file ends inside of a frame")
        body, crc = data[at + 3:end], data[at + 1:at + 3]
        if crc16(body).to_bytes(2, "big") != crc:
            raise ValueError(f"byte {at}: wrong CRC")
        if body[0] not in (LOAD, JUMP) or len(body) < 1 + ADDRESS_BYTES:
            raise ValueError(f"byte {at}: command {body[0]} with {len(body) - 1} bytes: not a frame of an image")
        found.append(data[at:end])
        at = end
    if not found or found[-1][3] != JUMP or any(f[3] == JUMP for f in found[:-1]):
        raise ValueError("not load frames with one jump at the end")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--board", required=True, help="board.mk: its BOARD_CP_BASE is where the image goes")
    parser.add_argument("image", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    try:
        parts = parts_of(arguments.image.read_bytes(), board_numbers(arguments.board))
        arguments.output.write_bytes(b"".join(frames_of(parts)))
    except KeyError as error:
        return f"{arguments.board}: no {error.args[0]}"
    except (OSError, ValueError) as error:
        return f"{arguments.image}: {error}"
    return 0


if __name__ == "__main__":
    sys.exit(main())
