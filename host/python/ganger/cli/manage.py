# SPDX-License-Identifier: Apache-2.0
"""reset: an SM, or a channel that was refused. cancel: a submitted task."""

from .. import abi
from .common import add_command, add_device_option, attached, print_json


def add_commands(commands) -> None:
    """reset, cancel."""
    parser = add_command(commands, "reset", reset, "Reset an SM, or reopen a refused channel.",
                         "ganger reset --channel 2")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--sm", type=int, metavar="N", help="SM to reset")
    what.add_argument("--channel", type=int, metavar="N", help="channel to reopen")
    add_device_option(parser)
    parser = add_command(commands, "cancel", cancel, "Cancel a submitted task.", "ganger cancel 7")
    parser.add_argument("tag", type=int, help="number that `submit` printed")
    add_device_option(parser)


def _command(options, opcode: str, argument: int) -> dict:
    with attached(options) as device:
        done = device.command(abi.ENUMS["opcode"][opcode], args=(argument,)).wait()
    return done.as_dict()


def reset(options) -> int:
    """`ganger reset`: says so if the device cannot."""
    if options.sm is not None:
        answer = {"sm": options.sm, "done": _command(options, "RESET_SM", options.sm)}
    else:
        with attached(options) as device:
            device.channel_reset(options.channel)
        answer = {"channel": options.channel}
    if options.json:
        print_json(answer)
    return 0


def cancel(options) -> int:
    """`ganger cancel`: says so if the device cannot."""
    answer = _command(options, "CANCEL", options.tag)
    if options.json:
        print_json({"tag": options.tag, "done": answer})
    return 0
