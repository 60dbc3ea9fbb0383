# SPDX-License-Identifier: Apache-2.0
"""web: the device that is up, live in a browser, with buttons."""

import contextlib
import struct
import zlib
from typing import Dict, Iterator, List, Optional, Tuple

from .. import abi, report, sharing
from ..device import Device
from ..errors import Error
from ..places import default_path
from ..registers import enumerator
from ..typed import Json
from . import jobs
from .common import print_json
from .manage import command_of
from .page import Commands, Options, add_command
from .report import PAGES, recorded, set_end
from .show import sms_of, tasks_of

_VERBS = {"task": ("cancel", "suspend", "resume"), "channel": ("cancel", "suspend", "resume", "reset"),
          "sm": ("reset",), "trace": ("on", "off")}
_MOST = {"tag": 0xffffffff, "generation": 0xffffffff, "print": 0xffffffff, "number": 0xffff}
_SUBMIT, _TASK = abi.ENUMS["opcode"]["SUBMIT"], abi.ENUMS["target"]["TASK"]
_LAUNCH = abi.ENUMS["request_kind"]["LAUNCH"]
_TMD = abi.BLOCKS["tmd"][1]
# What tells a TMD from another one: from its generation to the shape of its CTAs.
_GENERATION, _TOLD = _TMD["generation"][0], _TMD["cluster_xy"][0]
_KEPT = 4096  # Tasks whose names are kept, at most.
# Tag of a task, generation of its TMD, and a checksum of what tells it from others: children of a kernel have the tag of their parent.
_Key = Tuple[int, int, int]
_UNNAMED = "Where its TMD is, is not known here: no ring has the command or the request that launched it any more, or the TMD was changed " \
    "since. Its channel, or its own program, can do that."


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


def _key(row: Json) -> _Key:
    return row["tag"], row["generation"], row["print"]


def _posted(device: Device, channel: Optional[int] = None) -> Iterator[Tuple[int, int]]:
    """Generation and address of the TMDs that hosts have posted, as far as the rings of the channels, or of one, still have them."""
    entries = device.regs.cap.channel_entries.read()
    places = range(len(device.regs.command)) if channel is None else range(channel * entries, (channel + 1) * entries)
    for place in places:
        found = device.regs.command[place].read()
        if found["header"] & 0xff == _SUBMIT:
            yield found["argument0"], found["address"]


def _requested(device: Device) -> Iterator[Tuple[int, int]]:
    """The same of the TMDs that kernels have launched. An SM's requests lie behind its packets and reports."""
    cap, (size, words) = device.regs.cap.read(), abi.BLOCKS["request"]
    entries = cap["launch_entries"]
    before = abi.BLOCKS["launch"][0] + entries * (abi.BLOCKS["packet"][0] + abi.BLOCKS["report"][0])
    for sm, state in enumerate(device.regs.sm_state):
        count = min(entries, state.request_put.read())
        ring = device.read(cap["base"] + cap["launch_offset"] + sm * cap["launch_stride"] + before, count * size) if count else b""
        for place in range(0, len(ring), size):
            kind, address, generation = (struct.unpack_from(code, ring, place + words[name][0])[0]
                                         for code, name in (("<I", "kind"), ("<Q", "address_lo"), ("<I", "argument")))
            if kind == _LAUNCH:
                yield generation, address


class _Tasks:
    """The tasks that the page shows: those in the task table, and those that the page has suspended, which leave the table.

    A task's name is the address of its TMD with its generation. The task table has only the control processor's copy of the
    TMD, so the address is that of the command in a channel's ring which posted it, or, of a child, of the request in an SM's ring
    which launched it. Rings are used again, so a name is kept from when the task is first seen."""

    def __init__(self) -> None:
        self._names: Dict[_Key, List[int]] = {}  # More than one: TMDs that are all alike.
        self._suspended: Dict[_Key, Json] = {}

    def _learn(self, device: Device, copies: Dict[_Key, bytes]) -> None:
        """Finds the names of tasks. copies: what identifies their TMDs, as the control processor has it; it is compared
        with what is in memory, because tags and generations come back."""
        if len(self._names) > _KEPT:
            self._names.clear()
        for generation, address in [*_posted(device), *_requested(device)]:
            alike = [key for key in copies if key[1] == generation]
            try:
                memory = device.read(address + _GENERATION, _TOLD - _GENERATION) if alike else b""
            except Error:  # What a host or a kernel writes into a ring need not be an address.
                continue
            for key in alike:
                if memory == copies[key] and address not in self._names.setdefault(key, []):
                    self._names[key].append(address)

    def rows(self, device: Device) -> List[Json]:
        """A row for each."""
        rows, copies = tasks_of(device), {}
        for row in rows:
            copy = device.read(device.regs.slot[row["slot"]].tmd.read() + _GENERATION, _TOLD - _GENERATION)
            row["generation"], row["print"] = struct.unpack_from("<I", copy)[0], zlib.crc32(copy)
            copies[_key(row)] = copy
        unknown = {key: copy for key, copy in copies.items() if not self._names.get(key)}
        if unknown:
            self._learn(device, unknown)
        for row in rows:
            row["unnamed"] = "" if self._names.get(_key(row)) else _UNNAMED
        over = {entry.tag.read() for entry in device.regs.completion} if self._suspended else set()
        for key, row in list(self._suspended.items()):
            if key[0] in over:
                del self._suspended[key]
            elif key in copies:
                self._suspended[key] = next(one for one in rows if _key(one) == key)
            else:
                rows.append({**row, "slot": "-", "state": "SUSPENDED", "in_flight": 0, "reason": "SUSPENDED"})
        return rows

    def control(self, device: Device, verb: str, key: _Key) -> str:
        """Cancels, suspends or resumes a task; what was done, in words. Raises Error."""
        if not self._names.get(key):
            raise Error("ERR_TASK", _UNNAMED, "tag", key[0])
        row = next((one for one in self.rows(device) if _key(one) == key), None)
        self._suspended.pop(key, None)
        for place, address in enumerate(self._names[key], 1):
            try:
                command_of(device, verb.upper(), address, (key[1], _TASK))
                break
            except Error as error:  # One that is alike may be over.
                if error.status != "ERR_TASK" or place == len(self._names[key]):
                    raise
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
        with jobs.taken(self._path) as device:
            return self._do(device, what, verb, action)

    def _channel(self, device: Device, verb: str, number: int) -> str:
        """An action on a channel. Where several hosts share the device, a channel is reached by the process that has it, so the page
        cancels its tasks one by one, and can do nothing else. Raises Error."""
        shares = sharing.hosts(self._path)
        if len(shares) == 1 and number < device.info.channels:
            getattr(device.channels[number], verb)()
            return f"{verb} channel {number}: OK"
        share = next((one for one in shares if one.first_channel <= number < one.first_channel + one.channels), None)
        if share is None:
            raise Error("ERR_ARGUMENT", "No host has a channel of this number.", "channel", number)
        if verb != "cancel" or share.pid is None:
            who = f"process {share.pid} has it, and no other one can do that: what the page can do is to cancel its tasks" if share.pid \
                else "nobody has it, so there is nothing in its channels, and they are reset when a process takes it"
            raise Error("ERR_UNSUPPORTED", f"Several hosts share the device. The channel is of share {share.number}: {who}.", "channel", number)
        return f"cancel channel {number}: OK, {self._cancel_posted(device, number)} tasks of process {share.pid}"

    def _cancel_posted(self, device: Device, number: int) -> int:
        """Cancels the tasks whose commands a channel's ring has; how many. Those that are over are not found, which does no harm."""
        with Device.observe(self._path) as whole:  # It sees all channels.
            names = list(_posted(whole, number))
        posted = [device.command("CANCEL", address=address, args=(generation, _TASK)) for generation, address in names]
        found = 0
        for one in posted:
            with contextlib.suppress(Error):
                one.wait()
                found += 1
        return found

    def _do(self, device: Device, what: str, verb: str, action: Json) -> str:
        if what == "trace":
            device.trace_on() if verb == "on" else device.trace_off()
            return f"trace {verb}"
        if what == "task":
            return self._tasks.control(device, verb, (_number(action, "tag"), _number(action, "generation"), _number(action, "print")))
        number = _number(action, "number")
        if what == "sm":
            command_of(device, "RESET_SM", args=(number,))
        else:
            return self._channel(device, verb, number)
        return f"{verb} SM {number}: OK"


def web(options: Options) -> int:
    """`ganger web`: until it is interrupted."""
    if not 0 <= options.port <= 0xffff:
        raise Error("ERR_ARGUMENT", "A port is a number from 0 to 65535.", "port", options.port)
    live = _Live(options.device or default_path())
    live.picture()  # A device that is not up is told here.
    from ..web import Server  # pylint: disable=import-outside-toplevel  # Other commands would wait for a server's parts.
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
