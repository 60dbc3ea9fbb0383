# SPDX-License-Identifier: Apache-2.0
"""Why nothing goes on: dev.hang() and `ganger hang`. One report of what SMs run, what the control processor waits for,
what is in the rings, and what was done about it. Each wait is bounded, and an observer writes nothing."""

import contextlib
import struct
import time
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Set, Tuple

from . import abi, hang_text, kernels
from .errors import Error
from .faults import Fault
from .hang_sms import Code, Codes, Seer, kernel_at
from .registers import enumerator
from .typed import Json, Path

if TYPE_CHECKING:
    from .device import Device

_LOOK_S = 0.005     # Between two looks at an SM that was asked.
_EVENTS = 32        # Newest trace records that a report has.
_STOP_SM, _NO_STOP = 0xfffffffe, 0xffffffff
_COUNTERS = ("tasks_accepted", "tasks_completed", "tasks_failed", "ctas", "sms_hung", "sms_lost", "sms_back")
_PT_LOAD = 1
_ALIKE = 0.75       # Words of an ELF that device memory has to share with it: relocated ones differ.
_PAGE = 4096        # Modules begin at a multiple of it (GGK_LOAD_ALIGN of firmware/kernel/kernel_meta.h).
_AROUND = 32        # Bytes before and behind a program counter that device memory and an ELF must have in common.


class Hang:
    """A report. sms, tasks, stages, rings, control, done, faults, events: as in as_dict(); print() shows all of it."""

    def __init__(self, facts: Json):
        self._facts = facts

    def __getattr__(self, name: str) -> Any:
        try:
            return vars(self)["_facts"][name]
        except KeyError:
            raise AttributeError(f"a hang report has no {name}") from None

    def as_dict(self) -> Json:
        """For JSON."""
        return self._facts

    def __str__(self) -> str:
        return hang_text.render(self._facts)


def segment(path: str) -> bytes:
    """The code of a kernel ELF, which lies at its address 0. The library has checked the file."""
    with open(path, "rb") as file:
        data = file.read()
    wide = data[4] == 2
    first, = struct.unpack_from("<Q", data, 32) if wide else struct.unpack_from("<I", data, 28)
    size, count = struct.unpack_from("<HH", data, 54 if wide else 42)
    for at in range(first, first + size * count, size):
        kind, = struct.unpack_from("<I", data, at)
        offset, nbytes = (struct.unpack_from("<Q" if wide else "<I", data, at + place)[0]
                          for place in ((8, 32) if wide else (4, 16)))
        if kind == _PT_LOAD and nbytes:
            return data[offset:offset + nbytes]
    return b""


def _alike(one: bytes, other: bytes) -> bool:
    words = min(len(one), len(other)) // 4
    same = sum(one[4 * place:4 * place + 4] == other[4 * place:4 * place + 4] for place in range(words))
    return words > 0 and same >= _ALIKE * words


def _at(device: "Device", elf: Path, bases: Iterable[int]) -> Codes:
    """The ELF at those of some addresses where device memory has its code."""
    info, code, found = kernels.elf_info(elf), segment(str(elf)), []
    for base in sorted(set(bases)):
        with contextlib.suppress(Error):  # It may be no address of device memory.
            if _alike(code, device.read(base, len(code))):
                found.append(Code(base, len(code), str(elf), info.kernels))
    return found


def recognized(device: "Device", elf: Path, entries: Iterable[int]) -> Codes:
    """Where device memory has the code of an ELF, going by the tasks that run it. Raises Error, OSError."""
    offsets = [kernel.entry for kernel in kernels.elf_info(elf).kernels.values()]
    return _at(device, elf, (entry - offset for entry in entries for offset in offsets))


def _window(device: "Device", slot: Json) -> Tuple[int, int, int]:
    """Of the last task of a slot: entry, address and bytes of its code."""
    at = abi.BLOCKS["tmd"][1]
    data = device.read(slot["tmd"], abi.BLOCKS["tmd"][0])
    entry, base = (struct.unpack_from("<Q", data, at[name][0])[0] for name in ("entry_lo", "code_lo"))
    return entry, base, struct.unpack_from("<I", data, at["code_bytes"][0])[0]


def code_of(device: "Device", elf: Path, faults: Iterable[Fault]) -> Codes:
    """The ELF where CTAs that failed have executed it. Device memory still has its code, the same around the program counter; or it
    was cleared when the process of the task ended, and what the task table has of the task fits the ELF. Raises Error, OSError."""
    info = kernels.elf_info(elf)
    entries = {kernel.entry for kernel in info.kernels.values()}
    code, bases, cleared = segment(str(elf)), set[int](), set[int]()
    slots = [slot for slot in (words.read() for words in device.regs.slot) if slot["tmd"]]
    for fault, pc in ((fault, pc) for fault in faults for pc in (fault.pc, fault.registers[0])):
        windows = [_window(device, slot) for slot in slots if slot["tag"] == fault.tag]
        for base in range(pc - pc % _PAGE, max(0, pc - len(code)), -_PAGE):
            begin, end = max(0, pc - base - _AROUND), min(len(code), pc - base + _AROUND)
            with contextlib.suppress(Error):  # It may be no address of device memory.
                there = device.read(base + begin, end - begin)
                if there == code[begin:end]:
                    bases.add(base)
                elif not any(there) and any(at == base and entry - at in entries and nbytes == -(-len(code) // _PAGE) * _PAGE
                                            for entry, at, nbytes in windows):
                    cleared.add(base)
    return _at(device, elf, bases) + [Code(base, len(code), str(elf), info.kernels) for base in cleared]


def _codes(device: "Device", slots: List[Json], elfs: Iterable[Path]) -> Codes:
    codes = [Code(one.base, one.code_bytes, one.source, one.info.kernels) for one in list(device.handle.modules)]
    for elf in elfs:
        codes += recognized(device, elf, {_window(device, slot)[0] for slot in slots})
    return codes


def _ask(device: "Device", patience: float) -> Optional[str]:
    """Lets SMs with CTAs save their registers. Returns why not."""
    channel = [one.number for one in device.channels if one.state == "OPEN"][-1:]
    if not channel:
        return "no channel is open"
    try:
        device.command("QUERY", args=(abi.ENUMS["query_what"]["LOOK"],), channel=channel[0], timeout=patience).wait(patience)
    except Error as error:
        return str(error)
    return None


def _answers(device: "Device", patience: float) -> Tuple[Optional[str], Set[int]]:
    """Asks all SMs with CTAs. Returns why they could not be asked, or None, and those that keep CTAs and stay silent."""
    before = {sm: state["health"] for sm, state in enumerate(words.read() for words in device.regs.sm_state) if state["resident"]}
    busy = set(before)
    why = _ask(device, patience)
    if why is not None:
        return why, set()
    deadline = time.monotonic() + patience
    while busy and time.monotonic() < deadline:
        words = {sm: device.regs.sm_state[sm].read() for sm in busy}
        busy = {sm for sm, state in words.items() if state["resident"] and state["health"] == before[sm]}
        time.sleep(_LOOK_S if busy else 0)
    return None, busy


def _ctas(seer: Seer, sm: int, until: float) -> List[Json]:
    """What an SM has. One that has answered a moment ago has saved the registers of its CTA, but may not have said yet that they are those
    of this turn."""
    while True:
        found = seer.ctas(sm)
        if time.monotonic() >= until or not any(cta["on_hart"] and "registers" not in cta for cta in found):
            return found
        time.sleep(_LOOK_S)


def _waiting(device: "Device", sm: int, launch: Json, state: Json, bell_at: int) -> Json:
    """What waits in an SM's rings. It was put there before the words that are given were read, and is looked for once more: what has
    been taken meanwhile, as by a CTA that was seen to run, does not wait."""
    launch_now, state_now = device.regs.launch[sm].read(), device.regs.sm_state[sm].read()

    def left(put: int, get: int) -> int:
        count = put - get & 0xffffffff
        return count if count < 1 << 31 else 0

    return {"packets": left(launch["launch_put"], state_now["launch_get"]), "wave": bool(launch_now["wave"] >> 31),
            "reports": left(state["report_put"], launch_now["report_get"]),
            "requests": left(state["request_put"], launch_now["request_get"]), "bell": device.read(bell_at + sm, 1)[0]}


def _sm(seer: Seer, sm: int, silent: bool, launch: Json, bell_at: int, until: float) -> Json:
    state = seer.device.regs.sm_state[sm].read()
    hart = enumerator("hart_state", state["hart_state"])
    stop = state["stop_slot"]
    row = {"sm": sm, "hart": hart, "silent": silent, "health": state["health"], "resident": state["resident"],
           "done": state["ctas"], "faults": state["faults"], "sync": enumerator("sync_state", state["state_sync"]),
           "stop": "itself" if stop == _STOP_SM else f"slot {stop & 0xff}" if stop != _NO_STOP and stop != state["stop_ack"] else None}
    try:
        row["ctas"], row["unknown"] = _ctas(seer, sm, 0 if silent else until) if state["resident"] else [], None
    except Error as error:
        row["ctas"], row["unknown"] = [], str(error)
    row["rings"] = _waiting(seer.device, sm, launch, state, bell_at)
    return row


def _task(device: "Device", codes: Codes, number: int, slot: Json) -> Json:
    return {"slot": number, "tag": slot["tag"], "state": enumerator("slot_state", slot["state"]), "priority": slot["priority"],
            "kernel": kernel_at(codes, _window(device, slot)[0]), "left": slot["left"], "in_flight": slot["in_flight"],
            "next": slot["next"], "status": enumerator("status", slot["status"]), "reason": enumerator("reason", slot["reason"])}


def _rings(device: "Device") -> Json:
    post = device.regs.post.read()
    channels = []
    for number in range(device.info.channels):
        words = device.regs.channel[number].read()
        channels.append({"channel": number, "state": enumerator("channel_state", words["state"]),
                         "commands": words["put"] - words["get"] & 0xffffffff, "accepted": words["accepted"]})
    waiting = post["put"] - post["get"] & 0xffffffff
    return {"channels": channels, "completions": waiting, "completion_entries": device.info.completion_entries}


def _stages(tasks: List[Json], rings: Json, sms: List[Json], counters: Dict[str, int]) -> List[Json]:
    """What each stage of the control processor has to wait for, in the order in which work flows."""
    found = []

    def add(stage: str, what: str) -> None:
        found.append({"stage": stage, "waits": what})

    for one in rings["channels"]:
        if one["commands"]:
            add("host", f"channel {one['channel']} ({one['state']}): {one['commands']} commands not taken")
    pending = counters["tasks_accepted"] - counters["tasks_completed"] - len(tasks)
    if pending > 0:
        add("pending", f"{pending} tasks are accepted and in no slot: held, pending, parked, or waiting for their children")
    for task in tasks:
        if task["left"] or task["reason"] != "NONE":
            add("issue", f"slot {task['slot']} (tag {task['tag']}): {task['left']} CTAs not issued, {task['reason']}")
    for row in sms:
        rings_of = row["rings"]
        if rings_of["packets"] or rings_of["wave"]:
            add("launch", f"SM {row['sm']} has not taken {rings_of['packets']} packets{' and a wave' if rings_of['wave'] else ''}")
        if row["stop"]:
            add("launch", f"SM {row['sm']} is asked to stop {row['stop']}")
        if rings_of["reports"] or rings_of["requests"]:
            add("collect", f"SM {row['sm']}: {rings_of['reports']} reports and {rings_of['requests']} requests not taken")
        if row["resident"]:
            add("collect", f"SM {row['sm']}: {row['resident']} CTAs have not ended")
    if rings["completions"]:
        full = rings["completions"] >= rings["completion_entries"]
        add("finish", f"{rings['completions']} completions that the host has not taken{': the ring is full' if full else ''}")
    return found


def _control(device: "Device", beat: int, why: Optional[str], observer: bool) -> Json:
    cap = device.regs.cap.read()
    return {"state": device.state, "moved": cap["heartbeat"] != beat, "heartbeat": cap["heartbeat"], "panic": device.panic(),
            "asked": not observer, "no_answer": None if observer else why}


def _done(device: "Device", counters: Dict[str, int]) -> Json:
    config = device.regs.config.read()
    return {"watch_ms": config["watch_ms"], "answer_ms": config["answer_ms"], "time_limit_us": config["time_limit_us"],
            **{name: counters[name] for name in _COUNTERS if name in counters}}


def report(device: "Device", elfs: Iterable[Path] = (), patience: float = 1.0) -> Hang:
    """Device.hang()."""
    beat = device.regs.cap.heartbeat.read()
    observer = device.observer
    why, silent = ("this process only looks on", set[int]()) if observer else _answers(device, patience)
    taken = [(number, slot.read()) for number, slot in enumerate(device.regs.slot)]
    taken = [(number, slot) for number, slot in taken if slot["state"]]
    codes = _codes(device, [slot for _number, slot in taken], elfs)
    seer, cap, counters = Seer(device, codes), device.regs.cap.read(), device.stat()
    launch = [ring.read() for ring in device.regs.launch]
    until = time.monotonic() + patience if why is None else 0
    sms = [_sm(seer, sm, sm in silent, launch[sm], cap["base"] + cap["bells_offset"], until) for sm in range(device.info.sms)]
    tasks = [_task(device, codes, number, slot) for number, slot in taken]
    rings = _rings(device)
    trace = device.regs.config.trace.read()
    events = [event._asdict() for event in device.trace().events[-_EVENTS:]] if trace else []
    return Hang({"control": _control(device, beat, why, observer), "stages": _stages(tasks, rings, sms, counters),
                 "tasks": tasks, "sms": sms, "rings": rings, "done": _done(device, counters),
                 "faults": [{**fault.as_dict(), "text": str(fault)} for fault in device.fault_records()], "events": events})
