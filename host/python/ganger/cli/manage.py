# SPDX-License-Identifier: Apache-2.0
"""reset: an SM, a channel, or the device. cancel, suspend, resume: a task, or a channel."""

from typing import Sequence

from .. import abi
from ..device import Device
from ..errors import Error
from ..places import default_path
from ..typed import Json
from . import jobs
from .common import add_device_option, attached, print_json
from .page import Commands, Options, add_command

_NOTE = """
A task is named by the number that `ganger submit` printed. Tasks of other
programs have names that only these programs know: --channel reaches them."""
_CHANNELS = {
    "cancel": "cancel all tasks of this channel",
    "suspend": "suspend the reading of this channel",
    "resume": "resume the reading of this channel",
}


def add_commands(commands: Commands) -> None:
    """reset, cancel, suspend, resume."""
    parser = add_command(commands, "reset", reset, "Reset an SM, a channel, or the device.",
                         "ganger reset --channel 2")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--sm", type=int, metavar="N", help="SM to reset")
    what.add_argument("--channel", type=int, metavar="N", help="channel to reset")
    parser.add_argument("--device", metavar="PATH", nargs="?", const="",
                        help="device that is up (default: where `up` puts it). Without the others: its control processor "
                        "boots again, all tasks end with ERR_DEVICE_RESET, memory stays")
    for verb, help_of_channel in _CHANNELS.items():
        parser = add_command(commands, verb, control,
                             "Cancel a submitted task, or a channel." if verb == "cancel" else
                             "Suspend or resume a submitted task, or a channel.",
                             f"ganger {verb} 7; ganger {verb} --channel 2")
        parser.epilog = f"{parser.epilog}{_NOTE}"
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("tag", type=int, nargs="?", help="number that `submit` printed")
        what.add_argument("--channel", type=int, metavar="N", help=help_of_channel)
        add_device_option(parser)


def command_of(device: Device, opcode: str, address: int = 0, args: Sequence[int] = ()) -> Json:
    """Its completion: a command through the last open channel: the others may be suspended, or full."""
    channel = [one.number for one in device.channels if one.state == "OPEN"][-1:] or [0]
    return device.command(abi.ENUMS["opcode"][opcode], address=address, args=args,
                          channel=channel[0]).wait().as_dict()


def reset(options: Options) -> int:
    """`ganger reset`: says so if the device cannot."""
    if options.sm is None and options.channel is None and options.device is None:
        raise Error("ERR_ARGUMENT", "Reset what? --sm N, --channel N, or --device alone.", "reset")
    with attached(options) as device:
        if options.sm is not None:
            done = command_of(device, "RESET_SM", args=(options.sm,))
            answer = {"sm": options.sm, "done": done}
        elif options.channel is not None:
            device.channel_reset(options.channel)
            answer = {"channel": options.channel}
        else:
            device.restart()
            answer = {"resets": jobs.resets_of(device)}
    if options.json:
        print_json(answer)
    return 0


def _control_channel(device: Device, options: Options) -> Json:
    if not 0 <= options.channel < device.info.channels:
        raise Error("ERR_ARGUMENT", f"The device has {device.info.channels} channels.",
                    "channel", options.channel)
    getattr(device.channels[options.channel], options.command)()
    return {"channel": options.channel}


def _control_task(device: Device, options: Options) -> Json:
    record = jobs.load(options.device or default_path(), options.tag)
    if record is None:
        raise Error("ERR_ARGUMENT", "No task of that number was submitted: `ganger submit` prints it.", "tag", options.tag)
    if record["done"] is not None:
        raise Error("ERR_TASK", "The task is complete: `ganger wait` shows how it ended.", "tag", options.tag)
    done = command_of(device, options.command.upper(), record["address"],
                    (record["generation"], abi.ENUMS["target"]["TASK"]))
    return {"tag": options.tag, "done": done}


def control(options: Options) -> int:
    """`ganger cancel`, `suspend`, `resume`."""
    with attached(options) as device:
        one = _control_task if options.channel is None else _control_channel
        answer = one(device, options)
    if options.json:
        print_json(answer)
    return 0
