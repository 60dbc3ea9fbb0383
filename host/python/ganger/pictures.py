# SPDX-License-Identifier: Apache-2.0
"""Grey pictures: reads PGM, writes PGM and PNG."""

import re
import struct
import zlib
from pathlib import Path
from typing import NamedTuple

from .typed import Path as AnyPath

_HEADER = re.compile(rb"P5(?:\s|#[^\n]*\n)+(\d+)(?:\s|#[^\n]*\n)+(\d+)(?:\s|#[^\n]*\n)+255\s")


class Picture(NamedTuple):
    """Rows of 8-bit grey, top to bottom, without gaps."""
    width: int
    height: int
    pixels: bytes


def read_pgm(path: AnyPath) -> Picture:
    """A binary PGM of 8 bits. Raises ValueError, OSError."""
    data = Path(path).read_bytes()
    match = _HEADER.match(data)
    if not match:
        raise ValueError(f"{path}: not a binary PGM with 255 levels")
    width, height = int(match[1]), int(match[2])
    pixels = data[match.end():]
    if len(pixels) != width * height:
        raise ValueError(f"{path}: {len(pixels)} pixels instead of {width * height}")
    return Picture(width, height, pixels)


def write_pgm(path: AnyPath, picture: Picture) -> None:
    """Writes a binary PGM."""
    header = b"P5\n%d %d\n255\n" % (picture.width, picture.height)
    Path(path).write_bytes(header + picture.pixels)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def write_png(path: AnyPath, picture: Picture) -> None:
    """Writes a grey PNG of 8 bits."""
    width, height, pixels = picture
    rows = b"".join(b"\0" + pixels[row * width:(row + 1) * width] for row in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header)
                           + _chunk(b"IDAT", zlib.compress(rows, 9)) + _chunk(b"IEND", b""))
