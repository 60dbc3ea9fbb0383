# SPDX-License-Identifier: Apache-2.0
"""The register model: `dev.regs.sm_state[3].health.read()`.

Blocks, words and bit fields are the ABI's; their places come from the capability block. `x` of a
pair of words x_lo, x_hi is one 64-bit register. Nothing is kept: each read asks the device.
"""

import ctypes
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

from . import abi
from .clib import Handle
from .errors import status_name

BIT_SETS = ("feature", "config_part")  # Enumerations whose numbers are bit numbers of the word.


class Io(NamedTuple):
    """Access to the words of a device, by byte offset from the CAP block."""
    read: Callable[[int, int], List[int]]
    write: Callable[[int, List[int]], None]


def enumerator(enumeration: Optional[str], value: int) -> str:
    """Name of a number: "READY", "ATOMICS|FLOAT" for bit sets, decimal digits without a name."""
    if enumeration is None:
        return str(value)
    if enumeration == "status":
        return status_name(value - (1 << 32) if value >> 31 else value)
    numbers = abi.ENUMS[enumeration]
    if enumeration in BIT_SETS:
        return "|".join(name for name, bit in numbers.items() if value >> bit & 1) or "0"
    return next((name for name, number in numbers.items() if number == value), str(value))


class Field:
    """Some bits of a word."""

    def __init__(self, word: "Word", layout: abi.Field):
        self._word = word
        self.low, self.high, self.enumeration, self.text = layout
        self.mask = ((1 << (self.high - self.low + 1)) - 1) << self.low

    def of(self, value: int) -> int:
        """The field in a value of the whole word."""
        return (value & self.mask) >> self.low

    def read(self) -> int:
        """Its value now."""
        return self.of(self._word.read())

    def write(self, value: int) -> None:
        """Changes these bits only, in two accesses. Raises ValueError if it does not fit."""
        if value << self.low & ~self.mask or value < 0:
            raise ValueError(f"{value} does not fit into bits {self.high}:{self.low}")
        self._word.write(self._word.read() & ~self.mask | value << self.low)

    def name(self) -> str:
        """Its value by name."""
        return enumerator(self.enumeration, self.read())

    def __repr__(self) -> str:
        return f"<field {enumerator(self.enumeration, self.read())}>"


class Word:
    """A register of 32 bits, or of 64 for a pair. `offset` counts bytes from the CAP block."""

    def __init__(self, io: Io, path: str, offset: int, layout: abi.Word, words: int = 1):
        self._io, self.path, self.offset, self._words = io, path, offset, words
        _offset, _count, self.enumeration, self.writer, self.text, self._layouts = layout
        self.fields: Dict[str, Field] = {name: Field(self, one)
                                         for name, one in self._layouts.items()}

    def read(self) -> int:
        """Its value now."""
        return int.from_bytes(b"".join(word.to_bytes(4, "little") for word in
                                       self._io.read(self.offset, self._words)), "little")

    def write(self, value: int) -> None:
        """Writes the whole word, without a check of what it does."""
        if not 0 <= value < 1 << 32 * self._words:
            raise ValueError(f"{value} does not fit into {32 * self._words} bits")
        self._io.write(self.offset, [value >> 32 * index & 0xffffffff
                                     for index in range(self._words)])

    def name(self) -> str:
        """Its value by name."""
        return enumerator(self.enumeration, self.read())

    def show(self, value: int) -> str:
        """A value of this register as text, with enumerations and bit fields by name."""
        if self.fields:
            return " ".join(f"{name}={enumerator(field.enumeration, field.of(value))}"
                            for name, field in self.fields.items())
        if self.enumeration:
            return enumerator(self.enumeration, value)
        return str(value) if value < 1 << 16 else f"{value:#x}"

    def __getattr__(self, name: str) -> Field:
        try:
            found: Field = vars(self)["fields"][name]
            return found
        except KeyError:
            raise AttributeError(f"register {self.path} has no field {name}") from None

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self.fields]

    def __repr__(self) -> str:
        return f"<{self.path} {self.show(self.read())}>"


class Many:
    """An array of blocks or words: an index gives one, slices and loops work, negatives too."""

    def __init__(self, path: str, count: int, make: Callable[[int], Any]):
        self._path, self._count, self._make = path, count, make

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._make(one) for one in range(self._count)[index]]
        if not -self._count <= index < self._count:
            raise IndexError(f"{self._path}[{index}]: there are {self._count}")
        return self._make(index % self._count)

    def __iter__(self) -> Iterator[Any]:
        return map(self._make, range(self._count))

    def __repr__(self) -> str:
        return f"<{self._path}[0 … {self._count - 1}]>"


class Block:
    """A register block: its words are attributes; read() gives all of them at once."""

    def __init__(self, io: Io, kind: str, path: str, offset: int):
        self._io, self._path, self._offset = io, path, offset
        self._bytes, self._layouts = abi.BLOCKS[kind]

    def _word(self, name: str) -> Any:
        layout = self._layouts[name]
        path, base = f"{self._path}.{name}", self._offset + layout[0]
        if layout[1] == 1:
            return Word(self._io, path, base, layout)
        return Many(path, layout[1],
                    lambda index: Word(self._io, f"{path}[{index}]", base + 4 * index, layout))

    def __getattr__(self, name: str) -> Any:
        layouts = vars(self)["_layouts"]
        if name in layouts:
            return self._word(name)
        if name + "_lo" in layouts and name + "_hi" in layouts:
            layout = layouts[name + "_lo"]
            return Word(self._io, f"{self._path}.{name}", self._offset + layout[0], layout, 2)
        raise AttributeError(f"{self._path} has no register {name}")

    def names(self) -> List[str]:
        """Its registers, pairs under one name, reserved words left out."""
        names = (name[:-3] if name.endswith("_lo") else name for name in self._layouts
                 if not name.endswith("_hi") and not name.startswith("reserved"))
        return list(names)

    def _values(self) -> List[Tuple[str, Any]]:
        words = self.words(self._bytes // 4)
        rows: List[Tuple[str, Any]] = []
        for name in self.names():
            pair = name not in self._layouts
            offset, count = self._layouts[name + "_lo" if pair else name][:2]
            found = words[offset // 4:offset // 4 + (2 if pair else count)]
            rows.append((name, found[0] | found[1] << 32 if pair
                         else found[0] if count == 1 else found))
        return rows

    def words(self, count: int) -> List[int]:
        """Its first `count` words."""
        return self._io.read(self._offset, count)

    def read(self) -> Dict[str, Any]:
        """All registers: {name: number, or list of numbers}; one copy, word by word."""
        return dict(self._values())

    def show(self) -> Dict[str, str]:
        """All registers as text, with enumerations and bit fields by name."""
        texts = {}
        for name, value in self._values():
            texts[name] = " ".join(map(str, value)) if isinstance(value, list) \
                else getattr(self, name).show(value)
        return texts

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self.names()]

    def __repr__(self) -> str:
        return "\n".join([f"<{self._path}", *(f"  {name:20} {text}"
                                              for name, text in self.show().items())]) + ">"


_GPCS = abi.BLOCKS["config"][1]["latency"][1]
_HANDS = abi.BLOCKS["pull"][1]["hands"][0]

# name: (kind, offset word of CAP, stride word of CAP or None for the size, count as words of CAP,
# or numbers)
PLACES = {
    "cap": ("cap", None, None, None),
    "config": ("config", "config_offset", None, None),
    "channel": ("channel", "mailbox_offset", None, ("channels",)),
    "command": ("command", "commands_offset", None, ("channels", "channel_entries")),
    "post": ("post", "post_offset", None, None),
    "completion": ("completion", "completions_offset", None, ("completion_entries",)),
    "slot": ("slot", "task_table_offset", None, ("slots",)),
    "sm_state": ("sm_state", "sm_state_offset", None, ("sms",)),
    "launch": ("launch", "launch_offset", "launch_stride", ("sms",)),
    "perf": ("perf", "perf_offset", None, None),
    "trace": ("trace", "trace_offset", "trace_stride", ("sms",)),
    "fault_record": ("fault_record", "faults_offset", None, ("sms", "fault_entries")),
    "error": ("error", "error_offset", None, None),
    "cluster": ("cluster", "cluster_offset", "cluster_stride", ("sms",)),
    "work": ("work_entry", "work_offset", None, ("slots",)),
    "wave": ("wave", "wave_offset", None, ("slots",)),
    "local": ("local_queue", "local_offset", None, (_GPCS, "slots")),
    "pull": ("pull", "pull_offset", None, ("sms",)),
    "hand": ("hand", "pull_offset", None, ("sms", "slots")),
}


class Registers:
    """All blocks. Arrays of rings are flat: command[channel * channel_entries + entry]; trace[0]
    is the CP's, trace[1 + i] SM i's; local[gpc * slots + slot], and hand[sm * slots + slot], which
    is what the words `hands` of pull[sm] are."""

    def __init__(self, read: Callable[[int, int], List[int]], write: Callable[[int, List[int]], None]):
        self._io = Io(read, write)
        self._cap: Optional[Dict[str, Any]] = None

    def _constant(self, name: str) -> int:
        if self._cap is None:
            self._cap = Block(self._io, "cap", "cap", 0).read()
        return int(self._cap[name])

    def __getattr__(self, name: str) -> Any:
        if name not in PLACES:
            raise AttributeError(f"there is no register block {name}")
        kind, place, stride_name, counts = PLACES[name]
        base = self._constant(place) if place else 0
        if counts is None:
            return Block(self._io, kind, name, base)
        stride = self._constant(stride_name) if stride_name else abi.BLOCKS[kind][0]
        count = 1 + self._constant("sms") if name == "trace" else 1
        if name != "trace":
            for factor in counts:
                count *= factor if isinstance(factor, int) else self._constant(factor)
        return Many(name, count, lambda index: Block(self._io, kind, f"{name}[{index}]",
                                                     base + self._place(name, stride, index)))

    def _place(self, name: str, stride: int, index: int) -> int:
        if name != "hand":
            return stride * index
        sm, slot = divmod(index, self._constant("slots"))
        return abi.BLOCKS["pull"][0] * sm + _HANDS + stride * slot

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *PLACES]

    def __repr__(self) -> str:
        return f"<ganger.Registers {' '.join(PLACES)}>"


def device_registers(handle: Handle) -> Registers:
    """The registers of a device."""

    def read(offset: int, count: int) -> List[int]:
        words = (ctypes.c_uint32 * count)()
        handle.device_call("gg_regs_read", offset, words, count)
        return list(words)

    def write(offset: int, values: List[int]) -> None:
        handle.device_call("gg_regs_write", offset, (ctypes.c_uint32 * len(values))(*values),
                           len(values))

    return Registers(read, write)
