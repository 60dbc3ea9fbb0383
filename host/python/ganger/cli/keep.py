# SPDX-License-Identifier: Apache-2.0
"""up, down: a device that outlives the command."""

from ..device import Device
from ..errors import Error
from . import interrupt, jobs
from .common import (add_boot_options, add_device_option, boot_keywords, default_path,
                     print_json)
from .page import Commands, Options, add_command


def add_commands(commands: Commands) -> None:
    """up, down."""
    parser = add_command(commands, "up", up, "Boot a device and keep it running.",
                         "ganger up --sms 16")
    add_device_option(parser, "where it listens")
    add_boot_options(parser)
    parser = add_command(commands, "down", down, "End the device that is up.", "ganger down")
    add_device_option(parser)


def up(options: Options) -> int:
    """`ganger up`."""
    path = options.device or default_path()
    with interrupt.whole():
        Device.up(path, **boot_keywords(options))
        jobs.clear(path)
        with Device.attach(path) as device:
            facts = {"device": path, "board": device.info.board, "sms": device.info.sms,
                     "xlen": device.info.xlen, "qemu_pid": device.qemu_pid}
        if not interrupt.finish():
            Device.down(path)
            raise KeyboardInterrupt
    if options.json:
        print_json(facts)
    else:
        print(f"{path}: {facts['board']}, {facts['sms']} SMs, QEMU process {facts['qemu_pid']}")
    return 0


def down(options: Options) -> int:
    """`ganger down`."""
    path = options.device or default_path()
    pending = jobs.pending(path)
    with interrupt.whole():
        try:
            Device.down(path)
        except Error as error:
            if error.status == "ERR_NO_DEVICE":
                jobs.clear(path)
            raise
        jobs.clear(path)
    if options.json:
        print_json({"device": path, "lost_tasks": [record["tag"] for record in pending]})
    elif pending:
        print(f"{len(pending)} submitted tasks were not waited for")
    return 0
