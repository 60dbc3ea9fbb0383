# SPDX-License-Identifier: Apache-2.0
"""What the commands share: options, the device they work on, tables."""

import argparse
import contextlib
import json
import os
import re
import stat
import textwrap
from pathlib import Path
from typing import Iterator, List, Sequence

from ..boot import ram_bytes
from ..device import Device
from ..errors import Error
from .. import files
from . import interrupt, jobs

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


SCREEN = 80  # Columns of a help page.


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help that fits a screen: a short usage line, and groups of rarer options as running text."""

    def __init__(self, prog: str):
        super().__init__(prog, max_help_position=24, width=SCREEN)
        self._packs = False

    def add_usage(self, usage, actions, groups, prefix=None) -> None:
        if usage is None:
            words = [f"{one.option_strings[-1]} {one.metavar}" for one in actions
                     if one.option_strings and one.required]
            words += [self._format_args(one, one.metavar or one.dest.upper()) for one in actions
                      if not one.option_strings]
            usage = " ".join(["%(prog)s [OPTION…]", *words])
        super().add_usage(usage, actions, groups, prefix)

    def start_section(self, heading) -> None:
        super().start_section(heading)
        self._packs = heading not in ("positional arguments", "options", "commands", "actions")

    def add_arguments(self, actions) -> None:
        if self._packs:
            self._add_item(self._packed, [actions])
        else:
            super().add_arguments(actions)

    def _packed(self, actions) -> str:
        told = "; ".join(f"{self._format_action_invocation(one)}: {self._expand_help(one)}"
                         for one in actions)
        return textwrap.fill(told, SCREEN, initial_indent="  ", subsequent_indent="  ",
                             break_on_hyphens=False) + "\n"


def add_command(commands, name: str, function, text: str, example: str = ""):
    """A parser of a command with --json."""
    parser = commands.add_parser(name, help=text, description=text,
                                 epilog=f"example: {example}" if example else None,
                                 formatter_class=_Help, add_help=False)
    parser.add_argument("-h", "--help", action="help", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(function=function)
    return parser


def add_boot_options(parser) -> None:
    """Options of a boot."""
    group = parser.add_argument_group("the device to boot")
    group.add_argument("--board", metavar="NAME", default="qemu-virt64", help="qemu-virt32 or another (default %(default)s)")
    group.add_argument("--sms", type=int, default=8, metavar="N",
                       help="SMs, 1 to 511 (default %(default)s)")
    group.add_argument("--ram", type=size, metavar="BYTES", help="device memory, such as 256M")
    group.add_argument("--icount", action="store_true", help="count instructions, the same in each run")
    group.add_argument("--qemu-arg", action="append", default=[], metavar="ARG",
                       help="for QEMU; may be repeated")


def add_device_option(parser, text: str = "device that is up", connect: bool = False) -> None:
    """--device, and --connect where that makes sense."""
    parser.add_argument("--device", metavar="PATH", help=f"{text} (default: where `up` puts it)")
    if connect:
        add_connect_option(parser)


def add_connect_option(parser) -> None:
    """--connect."""
    parser.add_argument("--connect", metavar="PLACE",
                        help="device at serial:PORT[,BAUD], serial:unix:SOCKET, mmap:FILE@OFFSET")


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
        with interrupt.whole():
            jobs.collect(device, path)
        try:
            yield device
        finally:
            with interrupt.whole():
                jobs.collect(device, path)
                last()


@contextlib.contextmanager
def cancelled_by_interrupt(options, posted: list) -> Iterator[None]:
    """Cancels what was posted to a device that outlives us: after ^C nobody else would."""
    try:
        yield
    except KeyboardInterrupt:
        for task in posted if options.device or options.connect else ():
            with contextlib.suppress(Error):
                task.cancel()
        raise


def observed(options) -> Device:
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
            f"'{text}' is not a number of bytes such as 4096, 64K or 0x1000") from None


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


def save(path: str, content) -> None:
    """Writes a result file, whole or not at all. Into a pipe it may take any time."""
    if files.is_special(path):
        files.write(path, content)
        return
    with interrupt.whole():
        files.write(path, content)


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
