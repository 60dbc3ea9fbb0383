# SPDX-License-Identifier: Apache-2.0
"""The `ganger` command. Exit codes: 0 done; 1 the device, a task or a file failed; 2 usage; 130
interrupted."""

import argparse
import errno
import json
import os
import sys
from typing import List, Optional

from ..errors import Error
from . import clrun, completion, gdb, graph, interrupt, keep, lab, manage, prof, race, report, run, selftest, show, web
from .page import Page

_OUTPUT = "standard output"  # Files of other names are named by their errors.
USAGE = "ganger COMMAND [OPTION…]  (COMMAND --help: its options, and an example)"


def make_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = Page(prog="ganger", usage=USAGE)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, prog="ganger")
    for unit in (run, clrun, prof, race, gdb, graph, lab, show, keep, manage, report, web, selftest):
        unit.add_commands(commands)
    completion.add_commands(commands, make_parser)
    return parser


def _report(error: Error, as_json: bool) -> int:
    if as_json:
        print(json.dumps({"error": error.as_dict()}, default=str))
    print(f"ganger: {' '.join(str(error).split())}", file=sys.stderr)
    return 1


def _no_more_output() -> int:
    """`ganger … | head`: no more output is wanted."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _run(arguments: Optional[List[str]]) -> int:
    try:
        options = make_parser().parse_args(arguments)
    except SystemExit as stop:
        return int(stop.code or 0)
    try:
        return options.function(options) or 0
    except Error as error:
        return _report(error, options.json)
    except BrokenPipeError:
        return _no_more_output()
    except OSError as error:
        name = error.filename or (_OUTPUT if error.errno in (errno.ENOSPC, errno.EFBIG) else "")
        return _report(Error("ERR_IO", f"{name}: {error.strerror}".removeprefix(": ")), options.json)
    except MemoryError:
        return _report(Error("ERR_NO_MEMORY", "This machine has not enough memory for the arguments: "
                             "give smaller ones"), options.json)


def _flushed(code: int) -> int:
    """The exit code once all output is out: a full disk shows here."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return _no_more_output()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"ganger: ERR_IO: {_OUTPUT}: {error.strerror}", file=sys.stderr)
        return 1
    return code


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs one command; returns its exit code."""
    try:
        interrupt.begin()
        code = _flushed(_run(arguments))
        interrupt.end()
    except KeyboardInterrupt:
        code = interrupt.end()
        print("ganger: interrupted", file=sys.stderr)
    return code
