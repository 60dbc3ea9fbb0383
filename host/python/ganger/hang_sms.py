# SPDX-License-Identifier: Apache-2.0
"""What SMs run, read from their own memory: for hang.py. Nothing is written."""

import contextlib
import struct
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Tuple

from . import abi
from .errors import Error
from .symbols import Places, places_of
from .trace_events import CtaBar
from .typed import Json

if TYPE_CHECKING:
    from .device import Device
    from .kernels import Kernel

_BOOT_LOOK = 28  # Byte of sm_boot.look (firmware/sm/sm_boot.h).
_TMD_BARRIER = 1 << abi.BLOCKS["tmd"][1]["header"][5]["barrier"][0]
_RA, _SP, _A7 = 1, 2, 17
_STACK_SEEN = 512  # Bytes of a stack that are searched for return addresses.
_CTA_BYTES, _THREAD_BYTES = 256, 16  # struct gg_cta, struct gg_thread (firmware/kernel/gg_cta.h)
_THREADS, _STACK_BYTES, _STACK_BASE, _DONE = 48, 108, 136, 192  # in struct gg_cta, as the next three
BLOCK_LINEAR, BLOCK_TAG, BLOCK_THREAD = 40, 56, 188
_THREADS_MOST, _STACKS_MOST = 1024, 1 << 20
_CALLS = {2: "gives way to others", 16: "launches a task", 17: "pushes to a queue", 18: "prints", 19: "is at a barrier of its CGA",
          20: "closes a queue", 22: "asks how many CGAs could run"}
FREE, WAITS, STARTED, BLOCKED, AT_BARRIER, STREAM = range(6)
_STATES = {WAITS: "has not started", STARTED: "started", BLOCKED: "waits for the control processor",
           AT_BARRIER: "waits at a barrier of its CGA", STREAM: "between two CTAs of a PULL grid"}


class Code(NamedTuple):
    """Kernels in device memory, for symbols.place_of(): a module, or an ELF that was recognized there."""
    base: int
    code_bytes: int
    source: Any
    kernels: "Dict[str, Kernel]"


Codes = List[Code]
Registers = Tuple[int, ...]  # pc, x1 … x31


class Item(NamedTuple):
    """A work-item. pc: where it goes on; frame: address of what the runtime keeps of one that waits; None: there is none."""
    state: str
    number: int
    pc: Optional[int]
    frame: Optional[int] = None


def kernel_at(codes: Iterable[Code], entry: int) -> Optional[str]:
    """Name of the kernel that starts at a device address."""
    return next((kernel.name for code in codes for kernel in code.kernels.values() if code.base + kernel.entry == entry), None)


class State:
    """The runtime's state of one SM: its memory, and where things are in it."""

    def __init__(self, device: "Device", sm: int):
        self.device = device
        self.word = device.info.xlen // 8
        self.area: int = device.regs.sm_state[sm].area.read()
        look = self.area + struct.unpack("<i", device.read(self.area + _BOOT_LOOK, 4))[0]
        names = list(abi.BLOCKS["sm_look"][1])
        if look == self.area:
            raise Error("ERR_UNSUPPORTED", "The SM has not started.")
        found = struct.unpack(f"<{len(names)}I", device.read(look, 4 * len(names)))
        self.at = dict(zip(names, found))
        if self.at["look_bytes"] < 4 * len(names) or self.at["cta_count"] > 32 or self.at["cta_bytes"] > 4096:
            raise Error("ERR_ABI_VERSION", "The SM does not tell where its state is.")

    def registers(self, record: bytes) -> Registers:
        """Of a CTA record."""
        return struct.unpack_from(f"<32{'Q' if self.word == 8 else 'I'}", record)

    def address(self, data: bytes, at: int) -> int:
        """A pointer in a record."""
        return int.from_bytes(data[at:at + self.word], "little")

    def read(self, offset: int, nbytes: int) -> bytes:
        """Some of the state."""
        return self.device.read(self.area + offset, nbytes)


def _running(device: "Device", sm: int) -> Iterable[CtaBar]:
    state = State(device, sm)
    at, size = state.at, state.at["cta_bytes"]
    twice = [state.read(at["ctas"], at["cta_count"] * size) for _look in range(2)]
    for unit in range(at["cta_count"]):
        record, again = (records[unit * size:(unit + 1) * size] for records in twice)
        words = [at["cta_task"], at["cta_linear"], at["cta_start"]]
        same = all(record[word:word + 8] == again[word:word + 8] for word in words)
        if same and record[at["cta_state"]] == again[at["cta_state"]] and record[at["cta_state"]] in (STARTED, BLOCKED, AT_BARRIER):
            tag, = struct.unpack("<I", device.read(state.address(record, at["cta_task"]) + at["task_tag"], 4))
            cta, start = (struct.unpack_from("<Q", record, word)[0] for word in words[1:])
            yield CtaBar(sm, unit, tag, cta, start * 10 ** 9 // device.info.timebase_hz, 0, open=True)


def running(device: "Device") -> List[CtaBar]:
    """The CTAs that run now, by SM, without an end. The SMs go on meanwhile: a CTA that starts or ends while it is looked at is left
    out, and so are those of an SM that does not tell what it runs."""
    found: List[CtaBar] = []
    for sm, words in enumerate(device.regs.sm_state):
        with contextlib.suppress(Error):
            found += _running(device, sm) if words.resident.read() else ()
    return found


def _json(places: Places) -> List[Json]:
    """Without what calls a kernel, but for the first."""
    return [place._asdict() for index, place in enumerate(places)
            if index == 0 or not (place.file or "").endswith(("ganger_stubs.c", "runtime/stub.h"))]


class Seer:
    """Reads what SMs run. `codes`: what kernels there are; `live`: registers of SMs that a debugger has stopped in a kernel."""

    def __init__(self, device: "Device", codes: Codes, live: Optional[Mapping[int, Registers]] = None):
        self.device, self.codes, self.live = device, codes, live or {}

    def _called(self, back: int) -> Optional[int]:
        """The address that the call before a return address leads to; None: there is no such call there."""
        if back & 1 or not any(code.base + 8 <= back < code.base + code.code_bytes for code in self.codes):
            return None
        upper, call = (int(word) for word in struct.unpack("<II", self.device.read(back - 8, 8)))
        if call & 0xfff == 0xef:  # jal ra
            imm = call >> 31 << 20 | (call >> 12 & 0xff) << 12 | (call >> 20 & 1) << 11 | (call >> 21 & 0x3ff) << 1
            return back - 4 + imm - (imm >> 20 << 21)
        if call & 0x7fff == 0xe7 and upper & 0x7f == 0x17 and upper >> 7 & 31 == call >> 15 & 31:  # auipc, jalr ra
            high, low = upper & 0xfffff000, call >> 20
            return back - 8 + high - (high >> 31 << 32) + low - (low >> 11 << 12)
        half = call >> 16
        if self.device.info.xlen == 32 and half & 0xe003 == 0x2001:  # c.jal
            imm = sum((half >> bit & 1) << place for place, bit in enumerate((3, 4, 5, 11, 2, 7, 6, 9, 10, 8, 12), 1))
            return back - 2 + imm - (imm >> 11 << 12)
        return None

    def _callers(self, pc: int, registers: Registers, word: int) -> Places:
        """Where the function was called from: of ra and the words of the stack, those behind a call of the function itself,
        then of the one that called it, and so on. A call by a pointer ends the search."""
        stack = self.device.read(registers[_SP], _STACK_SEEN)
        found: Places = ()
        inner = places_of(self.codes, pc)
        for back in (registers[_RA], *struct.unpack(f"<{_STACK_SEEN // word}{'Q' if word == 8 else 'I'}", stack)):
            target = self._called(back)
            called = places_of(self.codes, target) if target is not None else ()
            if called and inner and called[-1].symbol == inner[-1].symbol:
                inner = places_of(self.codes, back - 1)
                found += inner
        return found

    def where(self, pc: Optional[int], registers: Registers = (), word: int = 8) -> Json:
        """A place in the code, with its functions from the innermost on."""
        places = places_of(self.codes, pc) if pc else ()
        if places and registers:
            with contextlib.suppress(Error):  # The stack pointer is the kernel's, and may be anything.
                places += self._callers(pc or 0, registers, word)
        return {"pc": pc, "places": _json(tuple(dict.fromkeys(places)))}

    def grouped(self, items: List[Item]) -> List[Any]:
        """Work-items in the same state at the same place are one entry, with the number of the first."""
        groups: Dict[Tuple[str, Optional[int]], List[int]] = {}
        for item in items:
            groups.setdefault((item.state, item.pc), []).append(item.number)
        return [{"state": state, "count": len(numbers), "first": numbers[0], **self.where(pc)}
                for (state, pc), numbers in groups.items()]

    def _threads(self, block: bytes, word: int, pc: Optional[int]) -> List[Item]:
        """Each work-item of a CTA whose work-items have stacks."""
        threads, stack, base = (struct.unpack_from("<I", block, at)[0] for at in (_THREADS, _STACK_BYTES, _STACK_BASE))
        if word == 8:
            base = struct.unpack_from("<Q", block, _STACK_BASE)[0]
        running = struct.unpack_from("<I", block, BLOCK_THREAD)[0]
        if not 0 < threads <= _THREADS_MOST or not 0 < threads * stack <= _STACKS_MOST:
            return []
        stacks = self.device.read(base, threads * stack)
        rows = []
        for number in range(threads):
            at = number * stack
            pointer, canary = (int.from_bytes(stacks[at + place:at + place + word], "little") for place in (0, 8))
            if canary != base + at:
                return []  # They have not been laid out yet.
            frame = pointer - base
            inside = at <= frame <= at + stack - word
            back = int.from_bytes(stacks[frame:frame + word], "little") if inside else 0
            if number == running:
                rows.append(Item("running", number, pc))
            elif pointer == 0:
                rows.append(Item("has returned", number, None))
            elif frame != at + stack - 4 * word and self._called(back) is not None:  # At the top lies what a thread starts from.
                rows.append(Item("at a barrier" if number < running else "waits for its turn", number, back - 1, pointer))
            else:
                rows.append(Item("has not begun", number, None))
        return rows

    def _work_items(self, state: State, record: bytes, stacks: bool, pc: Optional[int]) -> Json:
        address = state.address(record, state.at["cta_block"])
        block = self.device.read(address, _CTA_BYTES)
        threads, thread, ended = (struct.unpack_from("<I", block, at)[0] for at in (_THREADS, BLOCK_THREAD, _DONE))
        items = self._threads(block, state.word, pc) if stacks else []
        return {"block": address, "threads": threads, "thread": thread, "returned": ended if items else None,
                "work_items": self.grouped(items or [Item("running", thread, pc)])}

    def _stacks(self, name: int) -> bool:
        """Whether the task of that name has a stack for each work-item."""
        slot = self.device.regs.slot[name & 0xff].read()
        if slot["generation"] & 0xffff != name >> 16:
            return False
        return bool(struct.unpack("<I", self.device.read(slot["tmd"], 4))[0] & _TMD_BARRIER)

    def _cta(self, state: State, unit: int, record: bytes, known: Optional[Registers], on: bool) -> Json:
        at = state.at
        number = record[at["cta_state"]]
        last = max(at["task_entry"], at["task_name"], at["task_tag"])
        task = self.device.read(state.address(record, at["cta_task"]), last + state.word)
        name, tag = (struct.unpack_from("<I", task, at[which])[0] for which in ("task_name", "task_tag"))
        registers = known if number in (STARTED, BLOCKED, AT_BARRIER) else None
        pc = registers[0] if registers else None
        found = {"unit": unit, "state": _STATES.get(number, str(number)), "on_hart": on, "tag": tag, "slot": name & 0xff,
                 "kernel": kernel_at(self.codes, state.address(task, at["task_entry"])),
                 "cta": struct.unpack_from("<Q", record, at["cta_linear"])[0],
                 **self.where(pc, registers or (), state.word)}
        if registers:
            found["registers"] = registers[1:]
            if number == BLOCKED:
                found["state"] += f": it {_CALLS.get(registers[_A7], 'asked something')}"
            if number == AT_BARRIER:
                found["state"] += f", level {record[at['cta_level']]}"
        if number in (STARTED, BLOCKED, AT_BARRIER):
            found.update(self._work_items(state, record, self._stacks(name), pc))
        return found

    def ctas(self, sm: int) -> List[Json]:
        """What the SM has: a record for each CTA, by unit. The SM goes on meanwhile."""
        state = State(self.device, sm)
        at = state.at
        current = state.address(state.read(at["current"], state.word), 0)
        since = state.read(at["run_since"], 8)
        records = state.read(at["ctas"], at["cta_count"] * at["cta_bytes"])
        found = []
        for unit in range(at["cta_count"]):
            record = records[unit * at["cta_bytes"]:(unit + 1) * at["cta_bytes"]]
            if FREE < record[at["cta_state"]] <= STREAM:
                on = current == state.area + at["ctas"] + unit * at["cta_bytes"] and record[at["cta_state"]] == STARTED
                begun = record[at["cta_start"]:at["cta_start"] + 8]
                known = state.registers(record) if not on or begun != since else None
                found.append(self._cta(state, unit, record, self.live.get(sm, known) if on else known, on))
        return found
