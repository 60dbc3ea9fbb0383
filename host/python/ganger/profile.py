# SPDX-License-Identifier: Apache-2.0
"""Where a module's kernels spend their instructions: counted by a QEMU plugin, with nothing changed in the kernels.

    profiler = ganger.Profiler()
    with ganger.Device.boot(plugin=profiler.plugin()) as dev:
        module = dev.load("blur.elf")
        profiler.watch(dev, module)                # before its first kernel runs
        dev.submit(module["blur"], ...).wait()
        profile = profiler.read(dev)

qemu/plugin/profile.h has what the plugin and the host share.
"""

import mmap
import os
import re
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Dict, Hashable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, TypeVar

from . import profile_files
from .errors import Error
from .hang_sms import BLOCK_LINEAR, BLOCK_TAG, BLOCK_THREAD, State
from .kernels import Module
from .places import build_folder
from .profile_work import BarrierWork, Turn, Work, imbalance
from .symbols import Place, Places, functions_of, places_of_all
from .typed import Json

if TYPE_CHECKING:
    from .device import Device

_HART, _PATH, _TURN = struct.Struct("<4Q4I2Q"), struct.Struct("<2Q"), struct.Struct("<2Q3I2H")  # struct profile_hart, …_path, …_turn
_MAGIC, _BASE, _TAKEN = 0x50474747, 64, 112  # The last two: bytes of `base` and of `taken` in the header
_HARTS = 512
_PATHS, _TURNS = 1 << 15, 1 << 22  # Of a hart; of all.
CALL, RETURN, BARRIER, ENTRY, RUNTIME = 1, 2, 4, 8, 16  # PROFILE_…
_OF_CTAS = ("ganger_run_threads", "ganger_barrier", "ganger_end_thread")  # Of no work-item (firmware/kernel/runtime/threads.S).
_STUBS = ("__ganger_entry_", "__ganger_thread_")
_GLUE = re.compile(r"__ganger_(entry|thread)_|ganger_(run_items|k\d+_call)$")  # What calls a kernel.
_OURS = ("ganger_", "threads.S")  # Files that are not the user's.
CODE_BYTES = 1 << 20  # The most that a module's code may have.
_Key = TypeVar("_Key", bound=Hashable)
_Self = TypeVar("_Self", bound="Profiler")


class Cost(NamedTuple):
    """Instructions, and the bytes that they loaded and stored; an atomic operation does both."""
    instructions: int
    loaded: int
    stored: int

    def __add__(self, other: "Cost") -> "Cost":  # type: ignore[override]
        return Cost(self.instructions + other.instructions, self.loaded + other.loaded, self.stored + other.stored)


NOTHING = Cost(0, 0, 0)


def _atomic(code: int, width: int) -> Tuple[int, int]:
    """lr loads, sc stores, all others do both."""
    kind = code >> 27
    return (width if kind != 3 else 0, width if kind != 2 else 0)


def accessed(code: int, xlen: int) -> Tuple[int, int]:
    """Bytes that an instruction loads and stores; a compressed one is in the low 16 bits."""
    quadrant, funct = code & 3, code >> 13 & 7
    if quadrant == 3:
        opcode, width = code >> 2 & 31, 1 << (code >> 12 & 3)
        if opcode == 0x0b:
            return _atomic(code, width)
        return (width if opcode in (0x00, 0x01) else 0, width if opcode in (0x08, 0x09) else 0)
    if quadrant == 1 or funct in (0, 4):
        return (0, 0)
    width = 4 if funct in (2, 6) or (xlen == 32 and funct in (3, 7)) else 8
    return (width, 0) if funct < 4 else (0, width)


def _of_calls(code: int, xlen: int) -> int:
    """CALL, RETURN, both or 0: what an instruction does, by the link register that it writes or reads."""
    target, source, kind = code >> 7 & 31, code >> 15 & 31, code & 0x7f
    if code & 3 == 3:
        if kind == 0x6f or (kind == 0x67 and target in (1, 5)):
            return CALL if target in (1, 5) else 0
        return RETURN if kind == 0x67 and target == 0 and source in (1, 5) else 0
    if xlen == 32 and code & 0xe003 == 0x2001:  # c.jal
        return CALL
    if code & 0xe07f == 0x8002 and target:  # c.jr, c.jalr
        return CALL if code & 0x1000 else RETURN if target in (1, 5) else 0
    return 0


class CallPath(NamedTuple):
    """An instruction behind calls: their offsets, outermost first, its own, and how often it was executed there."""
    calls: Tuple[int, ...]
    offset: int
    times: int


class Row(NamedTuple):
    """An instruction that ran: its offset in the module, where it is in the sources, what it cost on each SM, its code (32 bits; a
    compressed one is in the low 16)."""
    offset: int
    place: Place
    costs: Sequence[Cost]
    code: int

    @property
    def cost(self) -> Cost:
        """On all SMs."""
        return sum(self.costs, NOTHING)


class Profile(NamedTuple):
    """What was counted. `ctas`: by SM, how many began; `work`: by CTA and work-item; `paths`: by the calls
    that led there; `places`: of offsets, each with where its function was inlined; `lost`: turns of work-items that are not in
    `work`, and instructions that are not in `paths`, for want of room; `looped`: kernels that ganger-cc made a loop over their
    work-items: what each of these executed is not exact, and their barriers are not counted; `xlen`: of the device."""
    rows: List[Row]
    ctas: List[int]
    work: Work
    paths: List[CallPath]
    places: Dict[int, Places]
    lost: Tuple[int, int]
    looped: List[str]
    xlen: int

    @property
    def total(self) -> Cost:
        """Of all rows."""
        return sum((row.cost for row in self.rows), NOTHING)

    def _sums(self, key: Callable[[Row], _Key]) -> Dict[_Key, Cost]:
        found: Dict[_Key, Cost] = {}
        for row in self.rows:
            found[key(row)] = found.get(key(row), NOTHING) + row.cost
        return dict(sorted(found.items(), key=lambda one: -one[1].instructions))

    def functions(self) -> Dict[str, Cost]:
        """By function, the most instructions first. What is inlined counts for itself."""
        return self._sums(lambda row: row.place.symbol)

    def lines(self) -> Dict[Tuple[Optional[str], Optional[int]], Cost]:
        """By file and line, the most instructions first; (None, None) has no debug information (ganger-cc -g)."""
        return self._sums(lambda row: (row.place.file, row.place.line))

    def sms(self) -> List[Cost]:
        """By SM."""
        return [sum((row.costs[sm] for row in self.rows), NOTHING) for sm in range(len(self.ctas))]

    @property
    def imbalance(self) -> float:
        """Instructions of the SM with the most, by the mean of all SMs: 1 is even; 0: nothing ran."""
        return imbalance([cost.instructions for cost in self.sms()])

    @property
    def intensity(self) -> float:
        """Instructions for each byte loaded or stored; 0: no byte was."""
        total = self.total
        moved = total.loaded + total.stored
        return total.instructions / moved if moved else 0.0

    def as_dict(self) -> Json:
        """For JSON."""
        return {"total": self.total._asdict(), **self.work.as_dict(), "lost": {"turns": self.lost[0], "paths": self.lost[1]},
                "barriers": [{**self.place(one.offset)._asdict(), **one._asdict()} for one in self.barriers()], "imbalance": self.imbalance, "instructions_a_byte": self.intensity,
                "functions": [{"function": name, **cost._asdict()} for name, cost in self.functions().items()],
                "lines": [{"file": file, "line": line, **cost._asdict()} for (file, line), cost in self.lines().items()],
                "sms": [{"sm": sm, "ctas": self.ctas[sm], **cost._asdict()} for sm, cost in enumerate(self.sms())]}

    def barriers(self) -> List[BarrierWork]:
        """Barriers by the place of their call, those before which most is waited first."""
        return sorted(self.work.barriers.values(), key=lambda one: -one.waited)

    def place(self, offset: int) -> Place:
        """Where an instruction is: the innermost place in a file of the user's, if there is one."""
        places = self.places[offset]
        return next((one for one in places if one.file and not os.path.basename(one.file).startswith(_OURS)), places[0])

    def stacks(self) -> Dict[Tuple[str, ...], int]:
        """Instructions by functions that called each other, outermost first, also those that are inlined; the line is last, if it is in a file
        of the user's."""
        found: Dict[Tuple[str, ...], int] = {}
        for path in self.paths:
            symbols = [place.symbol for at in (*path.calls, path.offset) for place in reversed(self.places[at])]
            names = [*(symbol for symbol in symbols[:-1] if not _GLUE.match(symbol)), symbols[-1]]
            leaf = self.places[path.offset][0]
            name = os.path.basename(leaf.file or "")
            key = (*names, f"{name}:{leaf.line}") if name and not name.startswith(_OURS) else tuple(names)
            found[key] = found.get(key, 0) + path.times
        return dict(sorted(found.items()))

    def folded(self) -> str:
        """stacks() as other programs read it: a line for each, `a;b;c count`."""
        return profile_files.folded(self.stacks())

    def flame(self, title: str = "") -> str:
        """stacks() as a flame graph, a picture in SVG."""
        return profile_files.flame(self.stacks(), title)

    def roofline(self, peak: float = 1.0, bandwidth: float = 1.0, title: str = "") -> str:
        """Instructions a byte of each function as a picture in SVG, below the roof of a core that executes at most `peak`
        instructions and moves at most `bandwidth` bytes in a cycle."""
        costs = {name: (cost.instructions, cost.loaded + cost.stored) for name, cost in self.functions().items()}
        return profile_files.roofline(costs, peak, bandwidth, title)

    def perfetto(self) -> str:
        """CTAs and work-items of each SM one after the other, as JSON for Perfetto: an instruction lasts a nanosecond."""
        return profile_files.perfetto(self.work, self.place)

    def callgrind(self) -> str:
        """The profile as a file for callgrind_annotate and KCachegrind."""
        costs: Dict[Tuple[str, str, int], Cost] = {}
        for row in self.rows:
            key = (row.place.file or "???", row.place.symbol, row.place.line or 0)
            costs[key] = costs.get(key, NOTHING) + row.cost
        lines = ["# callgrind format", "version: 1", "creator: ganger prof", "positions: line",
                 "events: Instructions Loaded Stored", f"summary: {' '.join(map(str, self.total))}"]
        last: Tuple[str, str] = ("", "")
        for (file, symbol, line), cost in sorted(costs.items()):
            if (file, symbol) != last:
                lines += ["", f"fl={file}", f"fn={symbol}"]
                last = (file, symbol)
            lines.append(f"{line} {' '.join(map(str, cost))}")
        return "\n".join(lines) + "\n"


class Profiler:
    """Memory that the plugin counts into; it leaves no file behind. Pages that nothing counts into take no memory."""

    def __init__(self) -> None:
        self._places = CODE_BYTES // 2
        at, self._at = 4096, []  # Where harts, marks, counts, paths and turns begin, behind the header.
        for nbytes in (_HARTS * _HART.size, self._places, _HARTS * self._places * 8, _HARTS * _PATHS * _PATH.size, _TURNS * _TURN.size):
            self._at.append(at)
            at += nbytes
        self._fd = os.memfd_create("ganger-profile")
        os.ftruncate(self._fd, at)
        self._map = mmap.mmap(self._fd, at)
        struct.pack_into("<2I6Q", self._map, 8, self._places, _PATHS, _TURNS, *self._at)
        self._module: Optional[Module] = None

    def plugin(self, build: Optional[Path] = None) -> str:
        """What Device.boot() takes as `plugin`. Raises Error ERR_IMAGE_MISSING."""
        path = (build or build_folder()) / "qemu" / "libprofile.so"
        if not path.exists():
            raise Error("ERR_IMAGE_MISSING", "The profiling plugin is not built; run make plugin.", "plugin", str(path))
        return f"{path.resolve()},profile=/proc/{os.getpid()}/fd/{self._fd}"

    def watch(self, device: "Device", module: Module) -> None:
        """Counts this module of a device from now on. Call it once, before a kernel of it runs. Raises Error ERR_UNSUPPORTED."""
        if struct.unpack_from("<I", self._map)[0] != _MAGIC:
            raise Error("ERR_UNSUPPORTED", "The device was not booted with the profiling plugin.")
        if self._module is not None or module.code_bytes > CODE_BYTES:
            raise Error("ERR_UNSUPPORTED", "A profiler counts one module, of at most 1 MiB of code.", "bytes", module.code_bytes)
        self._module = module
        states = [State(device, sm) for sm in range(device.info.sms)]
        for sm, state in enumerate(states):
            struct.pack_into("<2Q", self._map, self._at[0] + (1 + sm) * _HART.size, state.area + state.at["current"],
                             state.area + state.at["ctas"])
        marks = self._marks(device.read(module.base, module.code_bytes), module)
        self._map[self._at[1]:self._at[1] + len(marks)] = marks
        at = states[0].at
        struct.pack_into("<3Q6I", self._map, _BASE, module.base, module.code_bytes, device.info.ram, states[0].word,
                         at["cta_bytes"], at["cta_block"], BLOCK_LINEAR, BLOCK_TAG, BLOCK_THREAD)

    def _cover(self, base: int, nbytes: int) -> None:
        """Counts the code there, and nothing else of it."""
        struct.pack_into("<2Q", self._map, _BASE, base, nbytes)

    @staticmethod
    def _marks(code: bytes, module: Module) -> bytes:
        """PROFILE_… of each place."""
        padded = code + bytes(4)
        marks = bytearray(_of_calls(int.from_bytes(padded[at:at + 4], "little"), module.info.xlen) for at in range(0, len(code), 2))
        functions = functions_of(module)
        starts = sorted({offset for offset, _name in functions if offset < len(code)}) + [len(code)]
        for offset, name in functions:
            if name in _OF_CTAS or name.startswith(_STUBS):
                for place in range(offset // 2, starts[starts.index(offset) + 1] // 2):
                    marks[place] |= RUNTIME
            if name == "ganger_barrier" and offset < len(code):
                marks[offset // 2] |= BARRIER
        for kernel in module.info.kernels.values():
            marks[kernel.entry // 2] |= ENTRY
        return bytes(marks)

    def _counts(self, hart: int, places: int) -> Sequence[int]:
        return struct.unpack_from(f"<{places}Q", self._map, self._at[2] + hart * self._places * 8)

    def _turns(self, sms: int) -> Iterator[Turn]:
        """Those that ended, and those that have not; of those that came to be, `_TURNS` at most."""
        taken = min(_TURNS, struct.unpack_from("<Q", self._map, _TAKEN)[0])
        for cta, instructions, runtime, tag, barrier, thread, hart in _TURN.iter_unpack(
                self._map[self._at[4]:self._at[4] + taken * _TURN.size]):
            yield Turn(hart - 1, tag, cta, thread, instructions, runtime, 2 * (barrier - 1) if barrier else None)
        for sm in range(sms):
            _current, _records, cta, instructions, runtime, tag, thread, barrier, _lost, _ctas = _HART.unpack_from(
                self._map, self._at[0] + (1 + sm) * _HART.size)
            if instructions or runtime:
                yield Turn(sm, tag, cta, thread, instructions, runtime, 2 * (barrier - 1) if barrier else None)

    def _paths(self, sms: int) -> List[CallPath]:
        """Of all SMs together."""
        found: Dict[Tuple[Tuple[int, ...], int], int] = {}
        nbytes = _PATHS * _PATH.size
        for sm in range(sms):
            start = self._at[3] + (1 + sm) * nbytes
            table = list(_PATH.iter_unpack(self._map[start:start + nbytes]))
            known: Dict[int, Tuple[int, ...]] = {0: ()}

            def calls(number: int) -> Tuple[int, ...]:
                """Of a caller, as in a key."""
                chain = []
                while number not in known:
                    chain.append(number)
                    number = table[number - 1][0] - 1 >> 24
                for one in reversed(chain):
                    known[one] = (*known[number], 2 * (table[one - 1][0] - 1 & 0xffffff))
                    number = one
                return known[number]

            for key, count in table:
                if key:
                    path = (calls(key - 1 >> 24), 2 * (key - 1 & 0xffffff))
                    found[path] = found.get(path, 0) + count
        return [CallPath(*path, count) for path, count in sorted(found.items())]

    def read(self, device: "Device") -> Profile:
        """What was counted so far: exact when the device is idle. Raises Error ERR_UNSUPPORTED without watch()."""
        if self._module is None:
            raise Error("ERR_UNSUPPORTED", "No module is profiled: watch() one before it runs.")
        module, sms = self._module, device.info.sms
        code = device.read(module.base, module.code_bytes).ljust(module.code_bytes + 4, b"\0")
        counts = [self._counts(1 + sm, module.code_bytes // 2) for sm in range(sms)]
        ran = [2 * place for place in range(module.code_bytes // 2) if any(of_sm[place] for of_sm in counts)]
        places = dict(zip(ran, places_of_all(module, ran)))
        rows = []
        for offset, where in places.items():
            word = int.from_bytes(code[offset:offset + 4], "little")
            loaded, stored = accessed(word, device.info.xlen)
            rows.append(Row(offset, where[0], [Cost(of_sm[offset // 2], of_sm[offset // 2] * loaded, of_sm[offset // 2] * stored)
                                               for of_sm in counts], word))
        lost_turns = max(0, struct.unpack_from("<Q", self._map, _TAKEN)[0] - _TURNS)
        lost_paths, ctas = zip(*(_HART.unpack_from(self._map, self._at[0] + (1 + sm) * _HART.size)[8:] for sm in range(sms)))
        looped = [name for name, kernel in module.info.kernels.items() if kernel.loops and any(of_sm[kernel.entry // 2] for of_sm in counts)]
        return Profile(rows, list(ctas), Work(list(self._turns(sms))),
                       self._paths(sms), places, (lost_turns, sum(lost_paths)), looped, device.info.xlen)

    def close(self) -> None:
        """Gives the memory back; a second close does nothing."""
        if self._fd >= 0:
            self._map.close()
            os.close(self._fd)
            self._fd = -1

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()
