#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Image for the NEORV32 boot loader (1.13): a header in front of a memory image.

    python boards/neorv32/image.py --board BOARD.MK flash.bin flash.exe

The header is four words, little endian: 0x214f454e, base (also the entry), size in bytes (a multiple
of 4), and a sum so that it, all words of the image and 1 are zero, modulo 2^32.
"""
import argparse
import struct
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from boards.upload_line import board_numbers, parts_of

SIGNATURE = 0x214f454e
HEADER = struct.Struct("<4I")


def checksum(words):
    return ~sum(struct.unpack(f"<{len(words) // 4}I", words)) & 0xffffffff


def image_of(binary, base):
    """Header and binary, filled up with zeros to whole words."""
    binary += bytes(-len(binary) % 4)
    if not binary:
        raise ValueError("the image is empty")
    if base % 4 or base < 0 or base + len(binary) > 1 << 32:
        raise ValueError(f"0x{base:x} + {len(binary)} bytes: not whole words of a 32-bit machine")
    return HEADER.pack(SIGNATURE, base, len(binary), checksum(binary)) + binary


def check(image):
    """The base of an image; a ValueError says what is wrong with the image."""
    if len(image) < HEADER.size:
        raise ValueError(f"{len(image)} bytes: shorter than a header")
    signature, base, size, total = HEADER.unpack_from(image)
    if signature != SIGNATURE:
        raise ValueError(f"signature 0x{signature:08x}, not 0x{SIGNATURE:08x}: not an image for the boot loader")
    if size != len(image) - HEADER.size or size % 4 or size == 0:
        raise ValueError(f"size {size} in the header, {len(image) - HEADER.size} bytes behind it")
    if checksum(image[HEADER.size:]) != total:
        raise ValueError("wrong checksum")
    return base


def uploads_of(image, numbers):
    """The same as several images, which the boot loader takes one after the other; it starts the last.

    Control processor and SMs, without the memory between them (boards/upload_line.py)."""
    base = check(image)
    if numbers.get("BOARD_CP_BASE") != base:
        return [image]
    return [image_of(data, address) for address, data in reversed(parts_of(image[HEADER.size:], numbers))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--board", required=True, help="board.mk: its BOARD_CP_BASE is where the image goes")
    parser.add_argument("image", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    try:
        base = board_numbers(arguments.board)["BOARD_CP_BASE"]
        arguments.output.write_bytes(image_of(arguments.image.read_bytes(), base))
    except KeyError as error:
        return f"{arguments.board}: no {error.args[0]}"
    except (OSError, ValueError) as error:
        return f"{arguments.image}: {error}"
    return 0


if __name__ == "__main__":
    sys.exit(main())
