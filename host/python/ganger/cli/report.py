# SPDX-License-Identifier: Apache-2.0
"""report: what was traced, as a page for a browser. hang: why nothing goes on."""

from pathlib import Path

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
    add_device_option(parser, connect=True)


def hang(options: Options) -> int:
    """`ganger hang`: beside another process that has the device, unless SMs are to be asked."""
    with attached(options) if options.ask else observed(options) as device:
        found = device.hang(options.elf)
    print_json(found.as_dict()) if options.json else print(found)
    return 0


def report(options: Options) -> int:
    """`ganger report`."""
    with observed(options) as device:
        found = device.report(options.file)
    answer = {"file": options.file, "tasks": len(found.tasks()), "ctas": len(found.ctas()), "lost": found.lost}
    text = "{file}: {tasks} tasks, {ctas} CTAs, {lost} records lost".format(**answer)
    text += f"; {found.note}" if found.note else ""
    print_json(answer) if options.json else print(f"{text}; open it in a browser: {Path(options.file).resolve().as_uri()}")
    return 0
