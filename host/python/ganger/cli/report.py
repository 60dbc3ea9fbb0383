# SPDX-License-Identifier: Apache-2.0
"""report: what was traced, as a page for a browser. hang: why nothing goes on."""

import contextlib
from pathlib import Path
from typing import List

from .. import kernels
from ..device import Device
from ..errors import Error
from ..places import default_path
from ..trace import Trace
from . import interrupt, jobs
from .common import add_device_option, attached, observed, print_json
from .page import Commands, Options, add_command

PAGES = "Show a traced run, or the device that is up, in a browser."


def add_commands(commands: Commands) -> None:
    """hang, report."""
    parser = add_command(commands, "hang", hang, "Show why nothing goes on.", "ganger hang; ganger hang --ask --elf my.elf")
    parser.add_argument("--elf", action="append", default=[], metavar="FILE",
                        help="kernel ELF that the device may run: its kernels, functions and lines are named; may be repeated")
    parser.add_argument("--ask", action="store_true",
                        help="attach to the device, and let SMs save their registers; else it is only looked at")
    add_device_option(parser, connect=True)
    parser = add_command(commands, "report", report, PAGES, "ganger trace on; …; ganger report run.html")
    parser.add_argument("file", nargs="?", default="report.html", help="one HTML file; default: report.html")
    parser.add_argument("--elf", action="append", default=[], metavar="FILE",
                        help="kernel ELF that another program has loaded: faults in it get their source lines; may be repeated. "
                             "ELFs that `ganger run` and `ganger submit` have loaded are known")
    add_device_option(parser, connect=True)


def recorded(device: Device, path: str, elfs: List[str]) -> Trace:
    """What a report shows of the device at a path. elfs: kernel ELFs, besides those that commands have loaded. Raises Error, OSError."""
    known = jobs.elfs(path) if device.observer else []
    for elf in elfs:
        try:
            kernels.elf_info(elf)
        except Error as error:
            raise Error(error.status, error.message, "--elf", elf) from None
    return device.reported([*elfs, *(elf for elf in known if elf not in elfs)])


def set_end(trace: Trace, path: str) -> None:
    """Who only looks at a device cannot ask it for the time. If something is not over, the device at a path is taken for that,
    unless another process has it: then the trace ends with its last record."""
    if not trace.now and (trace.unfinished() or trace.running):
        with contextlib.suppress(Error), jobs.taken(path) as device:
            trace.now = round(device.clock(timeout=1) * 1e9)


def hang(options: Options) -> int:
    """`ganger hang`: beside another process that has the device, unless SMs are to be asked."""
    with attached(options) if options.ask else observed(options) as device:
        found = device.hang(options.elf)
    print_json(found.as_dict()) if options.json else print(found)
    return 0


def report(options: Options) -> int:
    """`ganger report`."""
    path = options.device or default_path()
    with observed(options) as device:
        found = recorded(device, path, options.elf)
    if not options.connect:
        with interrupt.whole():
            set_end(found, path)
    found.save(options.file)
    tags = {bar.tag for bar in found.tasks()} | {bar.tag for bar in found.running} | set(found.unfinished())
    answer = {"file": options.file, "tasks": len(tags), "ctas": len(found.ctas()), "running": len(found.running), "lost": found.lost}
    text = f"{options.file}: {len(tags)} tasks, {answer['ctas']} CTAs, " \
        f"{f'{len(found.running)} more still run, ' if found.running else ''}{found.lost} records lost"
    text += f"; {found.note}" if found.note else ""
    print_json(answer) if options.json else print(f"{text}; open it in a browser: {Path(options.file).resolve().as_uri()}")
    return 0
