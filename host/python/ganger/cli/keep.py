# SPDX-License-Identifier: Apache-2.0
"""up, down, hosts: devices that outlive the command, and who uses them."""

import os
import pwd
from contextlib import suppress
from typing import List, Optional

from .. import debugger, sharing
from ..device import Device
from ..errors import Error
from ..places import default_path, path_of, paths_up
from ..typed import Json
from . import interrupt, jobs
from .common import add_boot_options, add_device_option, boot_keywords, print_json, table
from .page import Commands, Options, add_command


def add_commands(commands: Commands) -> None:
    """up, down, hosts."""
    parser = add_command(commands, "up", up, "Boot a device, or several, and keep it running.",
                         "ganger up --sms 16")
    add_device_option(parser, "where it listens")
    parser.add_argument("--devices", type=int, default=1, metavar="N",
                        help="boot so many, which listen at PATH, PATH.1, PATH.2 …")
    parser.add_argument("--hosts", type=int, default=1, metavar="N",
                        help="processes that may use it at once, 1 to 8 (default 1)")
    parser.add_argument("--group", metavar="NAME", help="users of this group may use it, too")
    parser.add_argument("--gdb", action="store_true", help="let `ganger gdb --attach` in")
    add_boot_options(parser)
    parser = add_command(commands, "down", down, "End the device that is up, or all that are.", "ganger down")
    add_device_option(parser)
    parser = add_command(commands, "hosts", hosts, "Show who uses the device that is up.", "ganger hosts")
    parser.add_argument("--host", type=int, metavar="N", help="change what this one may have on its way")
    parser.add_argument("--most", type=int, metavar="TASKS", help="to so many tasks, 1 to 2,048")
    add_device_option(parser)


def _facts(path: str) -> Json:
    """What is told of one that was booted."""
    jobs.clear(path)
    with Device.attach(path) as device:
        return {"device": path, "board": device.info.board, "sms": device.info.sms,
                "xlen": device.info.xlen, "qemu_pid": device.qemu_pid}


def up(options: Options) -> int:
    """`ganger up`."""
    if options.devices < 1:
        raise Error("ERR_ARGUMENT", "There is at least one.", "--devices", options.devices)
    paths: List[str] = []
    with interrupt.whole():
        try:
            for number in range(options.devices):
                path = path_of(number, options.device)
                keywords = boot_keywords(options)
                keywords["extra_args"] = options.qemu_arg + (debugger.qemu_arguments(path) if options.gdb else [])
                Device.up(path, hosts=options.hosts, group=options.group, **keywords)
                paths.append(path)
            booted = [_facts(path) for path in paths]
            if not interrupt.finish():
                raise KeyboardInterrupt
        except BaseException:
            for path in paths:
                Device.down(path)
            raise
    if options.json:
        print_json({**booted[0], **({"devices": booted} if len(booted) > 1 else {})})
    for facts in () if options.json else booted:
        print(f"{facts['device']}: {facts['board']}, {facts['sms']} SMs, QEMU process {facts['qemu_pid']}")
    return 0


def _down(path: str) -> List[Json]:
    """Ends one; the records of its tasks that nobody waited for."""
    pending = jobs.pending(path)
    try:
        Device.down(path)
        with suppress(FileNotFoundError):
            os.unlink(debugger.stub_of(path))  # QEMU has no time to do it.
    except Error as error:
        if error.status == "ERR_NO_DEVICE":
            jobs.clear(path)
        raise
    jobs.clear(path)
    return pending


def _user(uid: Optional[int]) -> str:
    try:
        return "" if uid is None else pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def hosts(options: Options) -> int:
    """`ganger hosts`."""
    path = options.device or default_path()
    if (options.host is None) != (options.most is None):
        raise Error("ERR_ARGUMENT", "--host and --most belong together.", "host", options.host)
    if options.host is not None:
        sharing.host_quota(path, options.host, options.most)
    found = sharing.hosts(path)
    if options.json:
        print_json([one._asdict() for one in found])
        return 0
    print(table(("host", "state", "process", "user", "channels", "heap MiB", "on way", "most", "completed"),
                [(one.number, one.state, one.pid or "", _user(one.uid),
                  f"{one.first_channel}-{one.first_channel + one.channels - 1}" if one.channels else "all",
                  f"{one.heap_bytes / (1 << 20):.1f}" if one.channels else "all", one.on_way, one.most or "",
                  one.completed) for one in found]))
    return 0


def down(options: Options) -> int:
    """`ganger down`."""
    path = options.device or default_path()
    pending: List[Json] = []
    failed: Optional[Error] = None
    with interrupt.whole():
        for one in paths_up(path) or [path]:
            try:
                pending += _down(one)
            except Error as error:  # The others are ended all the same.
                failed = error
    if failed is not None:
        raise failed
    if options.json:
        print_json({"device": path, "lost_tasks": [record["tag"] for record in pending]})
    elif pending:
        print(f"{len(pending)} submitted tasks were not waited for")
    return 0
