# SPDX-License-Identifier: Apache-2.0
"""gdb: a kernel, live in gdb-multiarch."""

import os
import sys
import tempfile
from pathlib import Path

from .. import debugger, kernels
from ..device import Device
from ..errors import Error
from ..places import default_path
from .arguments import Arguments
from .common import add_boot_options, boot_keywords, print_json, seconds
from .page import Commands, Options, add_command
from .run import add_task_options, done_table, kernel_of, post, wait_with_progress


def add_commands(commands: Commands) -> None:
    """gdb."""
    parser = add_command(commands, "gdb", debug, "Debug a kernel in GDB: SMs are threads, work-items listed.",
                         "ganger-cc -g -O0 --cc clang -o sum.elf sum.c; ganger gdb sum.elf \\\n"
                         "    --grid 8 --block 64 --arg in:a.bin --arg out:4K:c.bin")
    add_task_options(parser)
    parser.add_argument("--attach", action="store_true", help="post nothing: debug the device of `ganger up --gdb`")
    parser.add_argument("--timeout", type=seconds, default=60, metavar="S",
                        help="seconds for the task after GDB has ended (default 60)")
    parser.add_argument("--device", metavar="PATH", help="with --attach: where it listens")
    group = parser.add_argument_group("script")
    group.add_argument("-x", dest="commands", metavar="FILE", help="GDB commands that come first")
    group.add_argument("--batch", action="store_true", help="GDB ends behind them")
    add_boot_options(parser)


def _debug_on(device: Device, path: str, options: Options) -> int:
    device.console()  # Drops what the device printed at boot: it is not the kernel's.
    arguments, kernel = Arguments(device, options.arg), kernel_of(device, options)
    assert kernel.module is not None
    with debugger.started(path, [], [(options.elf, kernel.module.base)], options.commands, options.batch,
                          os.path.dirname(path)) as gdb:
        task = post(device, kernel, options, arguments)
        gdb.wait()
    done = wait_with_progress(device, task, options.timeout)
    files = arguments.write()
    if options.json:
        print_json({"kernel": kernel.name, "done": done.as_dict(), "files": files})
        return 0
    print(done_table(kernel.name, done))
    for one in files:
        print(f"{one['file']}: {one['nbytes']} bytes")
    return 0


def _check(options: Options) -> None:
    """What is wrong is said before anything boots."""
    kernels.elf_info(options.elf)
    if options.commands and not os.path.exists(options.commands):
        raise Error("ERR_ARGUMENT", "There is no such file of GDB commands.", "-x", options.commands)
    if options.device and not options.attach:
        raise Error("ERR_ARGUMENT", "The device is booted for this: give --attach, too, to debug one that is up.", "--device",
                    options.device)
    if options.attach and options.arg:
        raise Error("ERR_ARGUMENT", "With --attach nothing is posted: the host that uses the device does that.", "--arg",
                    options.arg[0])
    if b".debug_info" not in Path(options.elf).read_bytes():
        print(f"{options.elf} has no debug information, so GDB knows neither lines nor variables: build it with ganger-cc -g -O0",
              file=sys.stderr)


def debug(options: Options) -> int:
    """`ganger gdb`."""
    _check(options)
    if options.attach:
        path = options.device or default_path()
        Device.observe(path).close()  # Says what is wrong if there is none.
        with debugger.started(path, [options.elf], (), options.commands, options.batch) as gdb:
            status = gdb.wait()
        if options.json:
            print_json({"device": path, "gdb": status})
        return status if status >= 0 else 128 - status
    with tempfile.TemporaryDirectory(prefix="ganger-gdb-") as folder:
        path, keywords = os.path.join(folder, "device"), boot_keywords(options)
        keywords["extra_args"] = [*keywords["extra_args"], *debugger.qemu_arguments(path)]
        with Device.boot(listen=path, **keywords) as device:
            return _debug_on(device, path, options)
