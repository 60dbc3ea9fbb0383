# SPDX-License-Identifier: Apache-2.0
"""web: the device that is up, live in a browser, with buttons."""

import struct
from typing import Dict, List, Tuple

from .. import abi, report, sharing
from ..device import Device
from ..errors import Error
from ..places import default_path
from ..registers import enumerator
from ..typed import Json
from ..web import Server
from . import jobs
from .common import print_json
from .manage import command_of
from .page import Commands, Options, add_command
from .report import PAGES, recorded, set_end
from .show import sms_of, tasks_of

_VERBS = {"task": ("cancel", "suspend", "resume"), "channel": ("cancel", "suspend", "resume", "reset"),
          "sm": ("reset",), "trace": ("on", "off")}
_MOST = {"tag": 0xffffffff, "generation": 0xffffffff, "number": 0xffff}
_SUBMIT, _TASK = abi.ENUMS["opcode"]["SUBMIT"], abi.ENUMS["target"]["TASK"]
_TMD = abi.BLOCKS["tmd"][1]
# What tells a TMD from another one: from its generation to the shape of its CTAs.
_GENERATION, _TOLD = _TMD["generation"][0], _TMD["cluster_xy"][0]
_KEPT = 4096  # Tasks whose names are kept, at most.
_Key = Tuple[int, int]  # Tag of a task, and generation of its TMD.


def add_commands(commands: Commands) -> None:
    """web."""
    parser = add_command(commands, "web", web, PAGES, "ganger up; ganger web")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="port of 127.0.0.1 (default: any that is free)")
    parser.add_argument("--device", metavar="PATH", help="device that is up (default: where `up` puts it)")


def _channels(device: Device) -> List[Json]:
    rows = []
    for number, block in enumerate(device.regs.channel):
        found = block.read()
        rows.append({"channel": number, "state": enumerator("channel_state", found["state"]),
                     **{name: found[name] for name in ("priority", "put", "get", "accepted")}})
    return rows


def _number(action: Json, name: str) -> int:
    value = action.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _MOST[name]:
        raise Error("ERR_ARGUMENT", f"It is a number from 0 to {_MOST[name]}.", name, str(value)[:40])
    return value


class _Tasks:
    """The tasks that the page shows: those in the task table, and those that the page has suspended, which leave the table.

    A task's name is the address of its TMD with its generation. The task table has only the control processor's copy of the
    TMD, so the address is that of the command in a channel's ring which posted it. Rings are used again, so a name is kept
    from when the task is first seen."""

    def __init__(self) -> None:
        self._names: Dict[_Key, int] = {}
        self._suspended: Dict[_Key, Json] = {}

    def _learn(self, device: Device, copies: Dict[_Key, bytes]) -> None:
        """Finds the names of tasks. copies: what identifies their TMDs, as the control processor has it; it is compared
        with what is in memory, because a child has the tag of its parent, and tags come back."""
        if len(self._names) > _KEPT:
            self._names.clear()
        for entry in device.regs.command:
            found = entry.read()
            key = (found["tag"], found["argument0"])
            if found["header"] & 0xff == _SUBMIT and key in copies:
                try:
                    memory = device.read(found["address"] + _GENERATION, _TOLD - _GENERATION)
                except Error:  # What a host writes into its ring need not be an address.
                    continue
                if memory == copies[key]:
                    self._names[key] = found["address"]

    def rows(self, device: Device) -> List[Json]:
        """A row for each."""
        rows, copies = tasks_of(device), {}
        for row in rows:
            copy = device.read(device.regs.slot[row["slot"]].tmd.read() + _GENERATION, _TOLD - _GENERATION)
            row["generation"] = struct.unpack_from("<I", copy)[0]
            copies[row["tag"], row["generation"]] = copy
        unknown = {key: copy for key, copy in copies.items() if key not in self._names}
        if unknown:
            self._learn(device, unknown)
        for row in rows:
            row["named"] = (row["tag"], row["generation"]) in self._names
        over = {entry.tag.read() for entry in device.regs.completion} if self._suspended else set()
        for key, row in list(self._suspended.items()):
            if key[0] in over:
                del self._suspended[key]
            elif key in copies:
                self._suspended[key] = next(one for one in rows if (one["tag"], one["generation"]) == key)
            else:
                rows.append({**row, "slot": "-", "state": "SUSPENDED", "in_flight": 0, "reason": "SUSPENDED"})
        return rows

    def control(self, device: Device, verb: str, key: _Key) -> str:
        """Cancels, suspends or resumes a task; what was done, in words. Raises Error."""
        if key not in self._names:
            raise Error("ERR_TASK", "Its name is not known here: no channel's ring has its command any more, or a task has "
                        "launched it. Its channel, or its own program, can do that.", "tag", key[0])
        row = next((one for one in self.rows(device) if (one["tag"], one["generation"]) == key), None)
        self._suspended.pop(key, None)
        command_of(device, verb.upper(), self._names[key], (key[1], _TASK))
        if verb == "suspend" and row is not None and len(self._suspended) < _KEPT:
            self._suspended[key] = row
        return f"{verb} task {key[0]}: OK"


class _Live:
    """The device at a path as the page has it. It is opened anew each time, so the page goes on when it was down and is up again."""

    def __init__(self, path: str):
        self._path = path
        self._tasks = _Tasks()

    def picture(self) -> Json:
        """What the page shows. Raises Error."""
        with Device.observe(self._path) as device:
            info = device.info
            return {"facts": {"board": info.board, "rv": info.xlen, "SMs": info.sms, "state": device.state},
                    "sms": sms_of(device), "tasks": self._tasks.rows(device), "channels": _channels(device),
                    "counters": device.stat()}

    def report(self) -> str:
        """What was traced, as a page. Raises Error."""
        with Device.observe(self._path) as device:
            trace = recorded(device, self._path, [])
        set_end(trace, self._path)
        return report.render(trace, "Ganger", trace.facts, trace.faults)

    def act(self, action: Json) -> str:
        """Takes the device for as long as an action takes; what was done, in words. What `submit` left behind is brought in
        before and after. Raises Error."""
        what, verb = str(action.get("what")), str(action.get("verb"))
        if verb not in _VERBS.get(what, ()):
            raise Error("ERR_ARGUMENT", "There is no such action.", what[:40], verb[:40])
        if what == "channel" and len(sharing.hosts(self._path)) > 1:
            raise Error("ERR_UNSUPPORTED", "Several hosts share the device, and only its own host reaches a channel.", what, verb)
        with jobs.taken(self._path) as device:
            return self._do(device, what, verb, action)

    def _do(self, device: Device, what: str, verb: str, action: Json) -> str:
        if what == "trace":
            device.trace_on() if verb == "on" else device.trace_off()
            return f"trace {verb}"
        if what == "task":
            return self._tasks.control(device, verb, (_number(action, "tag"), _number(action, "generation")))
        number = _number(action, "number")
        if what == "sm":
            command_of(device, "RESET_SM", args=(number,))
        elif number < device.info.channels:
            getattr(device.channels[number], verb)()
        else:
            raise Error("ERR_ARGUMENT", f"The device has {device.info.channels} channels.", "channel", number)
        return f"{verb} {'SM' if what == 'sm' else what} {number}: OK"


def web(options: Options) -> int:
    """`ganger web`: until it is interrupted."""
    if not 0 <= options.port <= 0xffff:
        raise Error("ERR_ARGUMENT", "A port is a number from 0 to 65535.", "port", options.port)
    live = _Live(options.device or default_path())
    live.picture()  # A device that is not up is told here.
    with Server(options.port, live.picture, live.act, live.report) as server:
        if options.json:
            print_json({"url": server.url})
        else:
            print(f"{server.url}\nOpen it in a browser of this machine. Who has this address may use the buttons. ^C ends it.")
        print(end="", flush=True)
        try:
            server.serve_forever()
        finally:
            server.stop()
    return 0
