# SPDX-License-Identifier: Apache-2.0
"""What the commands share: options, the device they work on, tables."""

import argparse
import contextlib
import json
import os
import re
import stat
from pathlib import Path
from typing import Iterator, List, Sequence

from ..boot import ram_bytes
from ..device import Device
from ..errors import Error
from . import jobs

_NUMBER = re.compile(r"-?[\d,]*\.?\d*|n/a")


def default_path() -> str:
    """Where `ganger up` listens: in $XDG_RUNTIME_DIR, or in /tmp/ganger-$UID, made for us alone."""
    folder = os.environ.get("XDG_RUNTIME_DIR")
    if folder and os.access(folder, os.W_OK):
        return os.path.join(folder, "ganger.sock")
    folder = f"/tmp/ganger-{os.getuid()}"
    os.makedirs(folder, mode=0o700, exist_ok=True)
    found = os.lstat(folder)
    if found.st_uid != os.getuid() or not stat.S_ISDIR(found.st_mode) or found.st_mode & 0o077:
        raise Error("ERR_IO", "The folder is not ours alone.", "path", folder)
    return os.path.join(folder, "ganger.sock")


def add_command(commands, name: str, function, text: str, example: str = ""):
    """A parser of a command with --json."""
    parser = commands.add_parser(name, help=text, description=text,
                                 epilog=f"example:\n  {example}" if example else None,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(function=function)
    return parser


def add_boot_options(parser) -> None:
    """Options of a boot."""
    group = parser.add_argument_group("the device to boot")
    group.add_argument("--board", default="qemu-virt64", help="board (default %(default)s)")
    group.add_argument("--sms", type=int, default=8, metavar="N",
                       help="SMs, 1 to 511 (default %(default)s)")
    group.add_argument("--ram", metavar="BYTES", help="device memory, such as 256M")
    group.add_argument("--icount", action="store_true", help="deterministic instruction counting")
    group.add_argument("--qemu-arg", action="append", default=[], metavar="ARG",
                       help="one more argument for QEMU; may be repeated")


def add_device_option(parser, text: str = "device that is up", connect: bool = False) -> None:
    """--device, and --connect where that makes sense."""
    parser.add_argument("--device", metavar="PATH", help=f"{text} (default: where `up` puts it)")
    if connect:
        add_connect_option(parser)


def add_connect_option(parser) -> None:
    """--connect."""
    parser.add_argument("--connect", metavar="PLACE",
                        help="device at serial:PORT[,BAUD], serial:unix:SOCKET or "
                             "mmap:FILE@OFFSET[,BYTES[,DOORBELL]]")


def boot_keywords(options) -> dict:
    """Keywords of Device.boot()."""
    return {"board": options.board, "sms": options.sms, "ram": options.ram,
            "icount": options.icount, "extra_args": options.qemu_arg}


@contextlib.contextmanager
def attached(options, last=lambda: None) -> Iterator[Device]:
    """The device that is up. What `submit` left behind is brought in before and after; `last` is
    called after that, when nothing more is taken from the device."""
    if getattr(options, "connect", None):
        with Device.connect(options.connect) as device:
            yield device
            last()
        return
    path = options.device or default_path()
    with Device.attach(path) as device:
        jobs.collect(device, path)
        try:
            yield device
        finally:
            jobs.collect(device, path)
            last()


def observed(options) -> Device:
    """The device that is up, only to read: another process may own it. A device at the other end
    of a line cannot have a second host, so this process owns it."""
    if getattr(options, "connect", None):
        return Device.connect(options.connect)
    return Device.observe(options.device or default_path())


def size(text: str) -> int:
    """Bytes: "4096", "64K", "0x1000"."""
    try:
        return int(text, 0)
    except ValueError:
        pass
    try:
        return ram_bytes(text)
    except Error:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of bytes") from None


def dimensions(text: str) -> tuple:
    """"8", "20x15" or "5,7,11"."""
    try:
        sizes = tuple(int(one, 0) for one in text.replace("x", ",").split(",")) \
            if not text.startswith("0x") else (int(text, 0),)
    except ValueError:
        sizes = ()
    if not 1 <= len(sizes) <= 3 or min(sizes) < 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not 1 to 3 numbers, as in 20x15")
    return sizes


def numbers(text: str) -> tuple:
    """"3" or "0,2,5"."""
    try:
        return tuple(int(one, 0) for one in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not numbers, as in 0,2,5") from None


def print_json(value) -> None:
    """One document."""
    print(json.dumps(value, indent=2, default=str))


def table(head: Sequence[str], rows: List[Sequence]) -> str:
    """Columns; numbers to the right, text to the left."""
    texts = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[place]) for line in [list(head), *texts]) for place in range(len(head))]
    right = [bool(texts) and all(_NUMBER.fullmatch(line[place]) for line in texts)
             for place in range(len(head))]

    def line(cells) -> str:
        return "  ".join(cell.rjust(width) if to_right else cell.ljust(width) for
                         cell, width, to_right in zip(cells, widths, right)).rstrip()

    return "\n".join([line(head), line("-" * width for width in widths), *map(line, texts)])


def file_name(path: str) -> str:
    """A path that is valid in any folder."""
    return str(Path(path).resolve())
