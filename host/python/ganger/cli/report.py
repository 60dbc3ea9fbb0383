# SPDX-License-Identifier: Apache-2.0
"""report: what was traced, as a page for a browser."""

from pathlib import Path

from .common import add_device_option, observed, print_json
from .page import Commands, Options, add_command


def add_commands(commands: Commands) -> None:
    """report."""
    parser = add_command(commands, "report", report, "Write what was traced as a page for a browser.",
                         "ganger trace on; …; ganger report run.html")
    parser.add_argument("file", nargs="?", default="report.html", help="one HTML file; default: report.html")
    add_device_option(parser, connect=True)


def report(options: Options) -> int:
    """`ganger report`."""
    with observed(options) as device:
        found = device.report(options.file)
    answer = {"file": options.file, "tasks": len(found.tasks()), "ctas": len(found.ctas()), "lost": found.lost}
    text = "{file}: {tasks} tasks, {ctas} CTAs, {lost} records lost".format(**answer)
    print_json(answer) if options.json else print(f"{text}; open it in a browser: {Path(options.file).resolve().as_uri()}")
    return 0
