# SPDX-License-Identifier: Apache-2.0
"""The `ganger` command. Exit codes: 0 done; 1 the device, a task or a file failed; 2 usage."""

import argparse
import json
import os
import sys
from typing import List, Optional

from ..errors import Error
from . import clrun, graph, keep, manage, run, selftest, show

EXAMPLES = """examples:
  ganger info build/kernels/vecadd.elf
  ganger run build/kernels/vecadd.elf --kernel vecadd --grid 8 --block 128 \\
      --arg in:a.bin --arg in:b.bin --arg out:4096:c.bin --arg 1024
  ganger run blur.elf --grid 20x15 --block 16x16 --arg in:photo.raw --arg out:76800:blurred.raw \\
      --arg i32:320 --arg i32:240 --trace timeline.svg
  ganger run k.elf --grid 100 --quota 8 --affinity 0,1 --arg zero:4K
  ganger clrun saxpy.cl --kernel saxpy --global 1024 --local 64 --arg in:x.bin --arg out:y.bin:4K \
      --arg f32:2.5
  ganger graph run image.graph --arg src=in:a.raw --arg dst=out:64K:b.raw
  ganger graph show image.graph -o image.svg --arg n=4096
  ganger suspend --channel 2; ganger resume --channel 2; ganger cancel 7
  ganger up && ganger ps && ganger top --once && ganger regs sm_state[0] && ganger down
  ganger selftest --board qemu-virt32 --sms 4

`ganger COMMAND --help` tells the options of a command."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ganger", epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Runs kernels on Ganger devices, and looks into them.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for unit in (run, clrun, graph, show, keep, manage, selftest):
        unit.add_commands(commands)
    return parser


def _report(error: Error, as_json: bool) -> int:
    if as_json:
        print(json.dumps({"error": error.as_dict()}, default=str))
    print(f"ganger: {' '.join(str(error).split())}", file=sys.stderr)
    return 1


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs one command; returns its exit code."""
    options = _parser().parse_args(arguments)
    try:
        return options.function(options) or 0
    except Error as error:
        return _report(error, options.json)
    except BrokenPipeError:  # `ganger … | head`: no more output is wanted.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        return _report(Error("ERR_IO", f"{name}{error.strerror}"), options.json)
    except KeyboardInterrupt:
        print("ganger: interrupted", file=sys.stderr)
        return 130
