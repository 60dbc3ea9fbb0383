# SPDX-License-Identifier: Apache-2.0
"""clrun: a kernel of an OpenCL C source, compiled and run at once."""

import math
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import List, Optional, Tuple

from ..compiler import command
from ..device import Device
from ..errors import Error
from ..kernels import Kernel, Module
from . import arguments, interrupt, run
from .common import add_boot_options, boot_keywords, dimensions, print_json, seconds, size
from .page import Commands, Options, add_command

COMPILE_TIMEOUT_S = 300
END_TIMEOUT_S = 10
USUAL_LOCAL = 64  # Work-items of a work-group when nobody says how many.


def add_commands(commands: Commands) -> None:
    """clrun."""
    parser = add_command(
        commands, "clrun", clrun, "Compile an OpenCL C source and run one of its kernels.",
        "ganger clrun saxpy.cl --global 1024 --local 64 --arg in:x.bin \\\n"
        "    --arg out:4K:y.bin --arg f32:2.5")
    parser.add_argument("source", help="OpenCL C source (.cl)")
    parser.add_argument("--kernel", metavar="NAME", help="not needed if there is only one")
    parser.add_argument("--global", dest="total", type=dimensions, required=True,
                        metavar="N[xN[xN]]", help="work-items")
    parser.add_argument("--local", type=dimensions, metavar="N[xN[xN]]",
                        help="of a work-group (default: the kernel's, or up "
                        f"to {USUAL_LOCAL})")
    parser.add_argument("--offset", type=dimensions, metavar="N[xN[xN]]", help="global id of the first work-item")
    parser.add_argument("--arg", type=arguments.parse, action="append", default=[], metavar="SPEC",
                        help="of the kernel, in order: 7, f32:2.5, in:FILE, …")
    parser.add_argument("--cc", action="append", default=[], metavar="OPTION",
                        help="for ganger-cc, such as --cc=-DN=4; may be repeated")
    parser.add_argument("--timeout", type=seconds, default=60, metavar="S",
                        help="seconds that the kernel may take (default %(default)s)")
    parser.add_argument("--prints", type=size, default=65536, metavar="BYTES",
                        help="bytes that the kernel may print (default 64K)")
    add_boot_options(parser)
    parser.tell("arguments", arguments.HELP)


def _end(process: "subprocess.Popen[str]") -> None:
    """Ends a compiler that still runs; ganger-cc then clears up behind itself."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if process.stderr is not None:
        process.stderr.close()


def _compile(command: List[str], source: str) -> Tuple[int, str]:
    """(exit code, what it said). It is in a session of its own: we tell it of ^C ourselves."""
    with interrupt.whole():
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, errors="replace",
                                   start_new_session=True)
        interrupt.at_end(lambda: _end(process))
    try:
        said = process.communicate(timeout=COMPILE_TIMEOUT_S)[1]
    except subprocess.TimeoutExpired:
        raise Error("ERR_TIMEOUT", f"The compiler did not end within {COMPILE_TIMEOUT_S} s.", "source",
                    source) from None
    return process.returncode, said


def compile_source(options: Options, folder: str) -> str:
    """Path of the ELF. What the compiler says goes to standard error."""
    elf = str(Path(folder) / (Path(options.source).stem + ".elf"))
    xlen = "32" if options.board.endswith("32") else "64"
    code, said = _compile([*command(), "--xlen", xlen, *options.cc, "-o", elf,
                           options.source], options.source)
    if code:
        lines = said.strip().splitlines() or [f"ganger-cc: status {code}"]
        print("\n".join(lines[:-1]), end="\n" if lines[1:] else "", file=sys.stderr)
        raise Error("ERR_ARGUMENT", lines[-1], "source", options.source)
    sys.stderr.write(said)
    return elf


def work_groups(options: Options, kernel: Kernel) -> Tuple[Tuple[int, ...], Tuple[int, ...]]:
    """(work-groups, work-items of each). Raises Error ERR_ARGUMENT."""
    local = options.local or kernel.block or (math.gcd(options.total[0], USUAL_LOCAL),)
    rank = max(len(options.total), len(local))
    total, local = ((*sizes, 1, 1)[:rank] for sizes in (options.total, local))
    for whole, part in zip(total, local):
        if part < 1 or whole < 1 or whole % part:
            raise Error("ERR_ARGUMENT", "Each global size must be a multiple of the local size.",
                        "global", whole)
    return tuple(whole // part for whole, part in zip(total, local)), local


def _find(module: Module, name: Optional[str]) -> Kernel:
    if name is None and len(module) == 1:
        return module[module.kernels[0]]
    if name is None:
        raise Error("ERR_KERNEL_NAME", f"--kernel is one of {', '.join(module.kernels)}.")
    return module[name]


def _run_on(device: Device, elf: str, options: Options) -> int:
    kernel = _find(device.load(elf), options.kernel)
    grid, block = work_groups(options, kernel)
    device.console()  # Drops what the device printed at boot: it is not the kernel's.
    given = arguments.Arguments(device, options.arg)
    task = device.submit(kernel, grid=grid, block=block, offset=options.offset, args=given.list, prints=options.prints)
    try:
        done = task.wait(options.timeout)
    except Error:
        if not options.json:
            sys.stdout.write(task.output)
        raise
    files, printed = given.write(), device.console()
    if options.json:
        print_json({"kernel": kernel.name, "groups": grid, "local": block, "done": done.as_dict(),
                    "files": files, "output": task.output, "console": printed})
        return 0
    sys.stdout.write(printed + task.output)
    print(run.done_table(kernel.name, done))
    for one in files:
        print(f"{one['file']}: {one['nbytes']} bytes")
    return 0


def clrun(options: Options) -> int:
    """`ganger clrun`."""
    if not options.source.endswith(".cl"):
        raise Error("ERR_ARGUMENT", "An OpenCL C source ends in .cl; C kernels are built by ganger-cc and run by `ganger run`.", "source", options.source)
    with interrupt.whole():
        folder = tempfile.mkdtemp(prefix="ganger-clrun-")
        interrupt.at_end(lambda: shutil.rmtree(folder, ignore_errors=True))
    elf = compile_source(options, folder)
    with Device.boot(**boot_keywords(options)) as device:
        return _run_on(device, elf, options)
