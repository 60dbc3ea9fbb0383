# SPDX-License-Identifier: Apache-2.0
"""What the commands share: options, the device they work on, tables."""

import argparse
import contextlib
import json
import math
import os
import re
import sys
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, List, Sequence, Tuple, Union

from ..boot import ram_bytes
from ..device import Device
from ..errors import Error
from ..tasks import Task
from .. import files
from ..places import default_path
from ..typed import Json
from . import interrupt, jobs
from .page import Options, Page

_PLACES = "serial:PORT[,BAUD], serial:unix:SOCKET[,mmap:FILE], mmap:FILE@OFFSET"
_NUMBER = re.compile(r"-?[\d,]*\.?\d*|n/a")


def _number(text: str, least: float, most: float, said: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        raise argparse.ArgumentTypeError(f"'{text}' is no number {said}, such as 2 or 0.5")
    return value


def positive(text: str) -> float:
    """Type of an option that is a number above 0, and not infinite."""
    return _number(text, sys.float_info.min, sys.float_info.max, "above 0")


def seconds(text: str) -> float:
    """Type of an option that is a time in seconds, 0 or more; "inf" is no limit."""
    return _number(text, 0, math.inf, "of seconds")


def add_boot_options(parser: Page, other: bool = False) -> None:
    """Options of a boot; other: and those that name a device which is used instead."""
    group = parser.add_argument_group("device")
    if other:
        group.add_argument("--device", metavar="PATH", help="do not boot: use the device at this path")
        group.add_argument("--connect", metavar="PLACE", help=_PLACES)
    group.add_argument("--board", metavar="NAME", default="qemu-virt64",
                       help="qemu-virt64 (default), qemu-virt32 or another")
    group.add_argument("--sms", type=int, default=8, metavar="N",
                       help="SMs, 1 to 511 (default %(default)s)")
    group.add_argument("--ram", type=size, metavar="BYTES", help="device memory, such as 256M")
    group.add_argument("--icount", action="store_true", help="count instructions, the same in each run")
    group.add_argument("--processors", metavar="LIST", help="processors of this machine that it may use, such as 0,2-3")
    group.add_argument("--qemu-arg", action="append", default=[], metavar="ARG",
                       help="for QEMU; may be repeated")


def add_device_option(parser: Page, text: str = "device that is up", connect: bool = False) -> None:
    """--device, and --connect where that makes sense."""
    parser.add_argument("--device", metavar="PATH", help=f"{text} (default: where `up` puts it)")
    if connect:
        parser.add_argument("--connect", metavar="PLACE", help=_PLACES)


def boot_keywords(options: Options) -> Json:
    """Keywords of Device.boot()."""
    return {"board": options.board, "sms": options.sms, "ram": options.ram,
            "icount": options.icount, "processors": options.processors, "extra_args": options.qemu_arg}


@contextlib.contextmanager
def attached(options: Options, last: Callable[[], None] = lambda: None) -> Iterator[Device]:
    """The device that is up. What `submit` left behind is brought in before and after; `last` is
    called after that, when nothing more is taken from the device."""
    if getattr(options, "connect", None):
        with Device.connect(options.connect) as device:
            yield device
            last()
        return
    path = options.device or default_path()
    with Device.attach(path) as device:
        with interrupt.whole():
            jobs.collect(device, path)
        try:
            yield device
        finally:
            with interrupt.whole():
                jobs.collect(device, path)
                last()


@contextlib.contextmanager
def cancelled_by_interrupt(options: Options, posted: Sequence[Task]) -> Iterator[None]:
    """Cancels what was posted to a device that outlives us: after ^C nobody else would."""
    try:
        yield
    except KeyboardInterrupt:
        for task in posted if options.device or options.connect else ():
            with contextlib.suppress(Error):
                task.cancel()
        raise


def observed(options: Options) -> Device:
    """The device that is up, only to read: another process may own it. A device at the other end
    of a line cannot have a second host, so this process owns it."""
    if getattr(options, "connect", None):
        return Device.connect(options.connect)
    return Device.observe(options.device or default_path())


def size(text: str) -> int:
    """Bytes: "4096", "64K", "0x1000"."""
    try:
        return ram_bytes(int(text, 0) if text[:2] in ("0x", "0X") else text)
    except (ValueError, Error):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a number of bytes below 2^63, such as 4096, 64K, 256M or 0x1000") from None


def dimensions(text: str) -> Tuple[int, ...]:
    """"8", "20x15" or "5,7,11"."""
    try:
        sizes = tuple(int(one, 0) for one in text.replace("x", ",").split(",")) \
            if not text.startswith("0x") else (int(text, 0),)
    except ValueError:
        sizes = ()
    if not 1 <= len(sizes) <= 3 or min(sizes) < 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not 1 to 3 numbers, as in 20x15")
    return sizes


def numbers(text: str) -> Tuple[int, ...]:
    """"3" or "0,2,5"."""
    try:
        return tuple(int(one, 0) for one in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not numbers, as in 0,2,5") from None


def save(path: str, content: Union[str, bytes]) -> None:
    """Writes a result file, whole or not at all. Into a pipe it may take any time."""
    if files.is_special(path):
        files.write(path, content)
        return
    with interrupt.whole():
        files.write(path, content)


def print_json(value: object) -> None:
    """One document."""
    print(json.dumps(value, indent=2, default=str))


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Columns; numbers to the right, text to the left."""
    texts = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[place]) for line in [list(head), *texts]) for place in range(len(head))]
    right = [bool(texts) and all(_NUMBER.fullmatch(line[place]) for line in texts)
             for place in range(len(head))]

    def line(cells: Iterable[str]) -> str:
        return "  ".join(cell.rjust(width) if to_right else cell.ljust(width) for
                         cell, width, to_right in zip(cells, widths, right)).rstrip()

    return "\n".join([line(head), line("-" * width for width in widths), *map(line, texts)])


def file_name(path: str) -> str:
    """A path that is valid in any folder."""
    return str(Path(path).resolve())
