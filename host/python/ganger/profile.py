# SPDX-License-Identifier: Apache-2.0
"""Where a module's kernels spend their instructions: counted by a QEMU plugin, with nothing changed in the kernels.

    profiler = ganger.Profiler()
    with ganger.Device.boot(plugin=profiler.plugin()) as dev:
        module = dev.load("blur.elf")
        profiler.watch(module)                     # before its first kernel runs
        dev.submit(module["blur"], ...).wait()
        profile = profiler.read(dev)
"""

import mmap
import os
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Dict, Hashable, List, NamedTuple, Optional, Sequence, Tuple, TypeVar

from .errors import Error
from .kernels import Module
from .places import build_folder
from .symbols import Place, places_of_all
from .typed import Json

if TYPE_CHECKING:
    from .device import Device

_HEADER, _MAGIC, _BASE = 64, 0x50474747, 16  # struct profile_header (qemu/plugin/profile.h)
_HARTS = 512
CODE_BYTES = 1 << 20  # The most that a module's code may have.
_Key = TypeVar("_Key", bound=Hashable)


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


class Row(NamedTuple):
    """An instruction that ran: its offset in the module, where it is in the sources, what it cost on each SM."""
    offset: int
    place: Place
    costs: Sequence[Cost]

    @property
    def cost(self) -> Cost:
        """On all SMs."""
        return sum(self.costs, NOTHING)


class Profile(NamedTuple):
    """What was counted. `ctas`: by SM, how often an entry of a kernel began."""
    rows: List[Row]
    ctas: List[int]

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
        counts = [cost.instructions for cost in self.sms()]
        return max(counts) * len(counts) / sum(counts) if any(counts) else 0.0

    @property
    def intensity(self) -> float:
        """Instructions for each byte loaded or stored; 0: no byte was."""
        total = self.total
        moved = total.loaded + total.stored
        return total.instructions / moved if moved else 0.0

    def as_dict(self) -> Json:
        """For JSON."""
        return {"total": self.total._asdict(), "imbalance": self.imbalance, "instructions_a_byte": self.intensity,
                "functions": [{"function": name, **cost._asdict()} for name, cost in self.functions().items()],
                "lines": [{"file": file, "line": line, **cost._asdict()} for (file, line), cost in self.lines().items()],
                "sms": [{"sm": sm, "ctas": self.ctas[sm], **cost._asdict()} for sm, cost in enumerate(self.sms())]}

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
        nbytes = _HEADER + _HARTS * self._places * 8
        self._fd = os.memfd_create("ganger-profile")
        os.ftruncate(self._fd, nbytes)
        self._map = mmap.mmap(self._fd, nbytes)
        struct.pack_into("<I", self._map, 8, self._places)
        self._module: Optional[Module] = None

    def plugin(self, build: Optional[Path] = None) -> str:
        """What Device.boot() takes as `plugin`. Raises Error ERR_IMAGE_MISSING."""
        path = (build or build_folder()) / "qemu" / "libprofile.so"
        if not path.exists():
            raise Error("ERR_IMAGE_MISSING", "The profiling plugin is not built; run make plugin.", "plugin", str(path))
        return f"{path.resolve()},profile=/proc/{os.getpid()}/fd/{self._fd}"

    def watch(self, module: Module) -> None:
        """Counts this module from now on. Call it once, before a kernel of it runs. Raises Error ERR_UNSUPPORTED."""
        if struct.unpack_from("<I", self._map)[0] != _MAGIC:
            raise Error("ERR_UNSUPPORTED", "The device was not booted with the profiling plugin.")
        if self._module is not None or module.code_bytes > CODE_BYTES:
            raise Error("ERR_UNSUPPORTED", "A profiler counts one module, of at most 1 MiB of code.", "bytes", module.code_bytes)
        self._module = module
        struct.pack_into("<QQ", self._map, _BASE, module.base, module.code_bytes)

    def _counts(self, hart: int, places: int) -> Sequence[int]:
        return struct.unpack_from(f"<{places}Q", self._map, _HEADER + hart * self._places * 8)

    def read(self, device: "Device") -> Profile:
        """What was counted so far: exact when the device is idle. Raises Error ERR_UNSUPPORTED without watch()."""
        if self._module is None:
            raise Error("ERR_UNSUPPORTED", "No module is profiled: watch() one before it runs.")
        module, sms = self._module, device.info.sms
        code = device.read(module.base, module.code_bytes).ljust(module.code_bytes + 4, b"\0")
        counts = [self._counts(1 + sm, module.code_bytes // 2) for sm in range(sms)]
        ran = [place for place in range(module.code_bytes // 2) if any(of_sm[place] for of_sm in counts)]
        rows = []
        for place, where in zip(ran, places_of_all(module, [2 * place for place in ran])):
            loaded, stored = accessed(int.from_bytes(code[2 * place:2 * place + 4], "little"), device.info.xlen)
            rows.append(Row(2 * place, where, [Cost(of_sm[place], of_sm[place] * loaded, of_sm[place] * stored)
                                               for of_sm in counts]))
        entries = {kernel.entry // 2 for kernel in module.info.kernels.values()}
        return Profile(rows, [sum(of_sm[entry] for entry in entries) for of_sm in counts])

    def close(self) -> None:
        """Gives the memory back; a second close does nothing."""
        if self._fd >= 0:
            self._map.close()
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> "Profiler":
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()
