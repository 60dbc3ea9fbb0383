# SPDX-License-Identifier: Apache-2.0
"""race: a kernel is run once, and all its accesses to memory are checked."""

from .. import kernels, race
from ..device import Device
from .arguments import Arguments
from .common import add_boot_options, attached, boot_keywords, print_json, seconds, size
from .page import Commands, Options, add_command
from .run import add_task_options, kernel_of, task_keywords


def add_commands(commands: Commands) -> None:
    """race."""
    parser = add_command(
        commands, "race", check, "Find data races, wrong barriers and bad reads of a kernel.",
        "ganger-cc --race -o sum.elf sum.c; ganger race sum.elf --grid 8 \\\n"
        "    --block 64 --arg in:a.bin --arg out:4K:c.bin")
    add_task_options(parser)
    parser.add_argument("--timeout", type=seconds, default=60, metavar="S", help="seconds that the task may take (default %(default)s)")
    parser.add_argument("--log", type=size, default=race.LOG_BYTES, metavar="BYTES",
                        help="device memory for the log, 24 an access (default 16M)")
    add_boot_options(parser, other=True)


def _check_on(device: Device, options: Options) -> int:
    arguments = Arguments(device, options.arg)
    kernel = kernel_of(device, options)
    found = race.check(device, kernel, args=arguments.list, unwritten=arguments.unwritten(), log_bytes=options.log,
                       timeout=options.timeout, **task_keywords(kernel, options))
    arguments.write()
    print_json(found.as_dict()) if options.json else print(found)
    return 0 if found.good else 1


def check(options: Options) -> int:
    """`ganger race`. 1 if anything is found."""
    kernels.elf_info(options.elf)  # A bad file is reported before anything boots.
    if options.device or options.connect:
        with attached(options) as device:
            return _check_on(device, options)
    with Device.boot(**boot_keywords(options)) as device:
        return _check_on(device, options)
