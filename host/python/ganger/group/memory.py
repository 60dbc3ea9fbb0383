# SPDX-License-Identifier: Apache-2.0
"""Buffers of a group. The host has the content; devices get what their CTAs need, and give back what they wrote."""

import math
import struct
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from ..checks import U64, unsigned
from ..device import Device
from ..errors import Error
from ..memory import Buffer
from ..typed import BytesLike, view_of
from ..values import BUFFER, Value
from .shares import Part, Shape

if TYPE_CHECKING:
    import numpy

    from .task import GroupTask

_LINE = 64  # An entry has the same place in such a line as it would have in a buffer of all entries.


class Rows(NamedTuple):
    """Entries of a split buffer: those that a part writes, and those that it may read."""
    first: int
    end: int
    low: int
    high: int


class Placed(NamedTuple):
    """A buffer of a group on a device, for one part: rows of a split one, else None."""
    buffer: "GroupBuffer"
    memory: Buffer
    offset: int
    rows: Optional[Rows]
    writes: bool


class GroupBuffer:
    """Memory that the kernels of a group see as one piece: made by `buffer()` of a group.

    Its content is the host's: `write()` changes it, `read()` and `array()` show it, and the results of a submission
    are in it after the task's wait(). nbytes: its size.
    """

    def __init__(self, data: Optional[BytesLike], nbytes: Optional[int], split: Optional[int], per_cta: Optional[int],
                 halo: int, row_bytes: Optional[int], add: Optional[str]):
        if data is None and nbytes is None:
            raise TypeError("buffer() takes data or nbytes=")
        view = view_of(b"" if data is None else data)
        self.data = bytearray(view.nbytes if nbytes is None else unsigned("nbytes", nbytes, U64))
        if view.nbytes > len(self.data):
            raise Error("ERR_ARGUMENT", f"The data have {view.nbytes} bytes.", "nbytes", nbytes)
        self.data[:view.nbytes] = view.tobytes()
        if split not in (None, 0):
            raise Error("ERR_UNSUPPORTED", "Only along axis 0 are the parts of an array in one piece: "
                        "transpose it.", "split", split)
        if split is not None and add is not None:
            raise Error("ERR_ARGUMENT", "A buffer is split, or added up.", "add", add)
        self.is_split, self.add = split is not None, None if add is None else _kind(add, len(self.data))
        self.per_cta = None if per_cta is None else unsigned("per_cta", per_cta)
        self.halo = unsigned("halo", halo)
        self.row_bytes = row_bytes or (view.itemsize * math.prod(view.shape[1:]) if view.shape else 1)
        if self.is_split and (per_cta == 0 or len(self.data) % self.row_bytes):
            raise Error("ERR_ARGUMENT", "Not whole entries.", "per_cta" if per_cta == 0 else "row_bytes",
                        self.row_bytes)
        self.users: "List[Tuple[GroupTask, bool]]" = []  # On their way, and whether they write it.
        self._version = 0
        self.newest_on: Optional[int] = None  # A device that has what the host does not have yet.
        self._copies: Dict[int, Tuple[int, Buffer]] = {}  # By device: of which version, and where.

    @property
    def nbytes(self) -> int:
        """Bytes of all of it."""
        return len(self.data)

    def read(self) -> bytes:
        """All bytes."""
        return bytes(self.data)

    def write(self, data: BytesLike, offset: int = 0) -> None:
        """Changes the content; submissions that are on their way should not use it. Raises Error ERR_ARGUMENT: past
        the end."""
        view = view_of(data)
        if offset < 0 or offset + view.nbytes > len(self.data):
            raise Error("ERR_ARGUMENT", f"The buffer has {len(self.data)} bytes.", "buffer", offset + view.nbytes)
        self.data[offset:offset + view.nbytes] = view.tobytes()
        self._version += 1

    def array(self, dtype: Any = "uint8", shape: Union[None, int, Sequence[int]] = None) -> "numpy.ndarray[Any, Any]":
        """A NumPy array on the content, not to be written. Raises Error ERR_UNSUPPORTED: there is no NumPy."""
        found: "numpy.ndarray[Any, Any]" = _numpy().frombuffer(self.data, dtype)
        found.flags.writeable = False
        return found if shape is None else found.reshape(shape)

    def _rows(self, part: Part, shape: Shape) -> Rows:
        count = len(self.data) // self.row_bytes
        each = self.per_cta or shape.threads
        first = min(count, part.first // shape.layer * each)
        end = min(count, (part.first + part.ctas) // shape.layer * each)
        return Rows(first, end, max(0, first - self.halo), min(count, end + self.halo))

    def place(self, number: int, device: Device, part: Part, shape: Shape, writes: bool) -> Placed:
        """Puts what a part needs into the memory of a device, which has this number. Raises Error."""
        if self.is_split:
            rows = self._rows(part, shape)
            low, high = rows.low * self.row_bytes, rows.high * self.row_bytes
            memory = device.buffer(nbytes=high - low + _LINE)
            memory.write(memoryview(self.data)[low:high], low % _LINE)
            return Placed(self, memory, low % _LINE - low, rows, writes)
        if self.add is not None:
            return Placed(self, device.buffer(bytes(len(self.data))), 0, None, writes)
        return self.whole_on(number, device)

    def whole_on(self, number: int, device: Device) -> Placed:
        """All of it on a device, as the host has it. Raises Error."""
        version, copy = self._copies.get(number, (-1, None))
        if copy is None:
            copy = device.buffer(nbytes=len(self.data))
        if version != self._version:
            copy.write(self.data)
            self._copies[number] = (self._version, copy)
        return Placed(self, copy, 0, None, False)

    def lacks(self, number: int) -> int:
        """Bytes that whole_on() would move to a device."""
        return 0 if self._copies.get(number, (-1, None))[0] == self._version else len(self.data)

    def written_on(self, number: int) -> None:
        """What a device has is newer than what the host and all others have."""
        self._version += 1
        self._copies[number] = (self._version, self._copies[number][1])
        self.newest_on = number

    def newest(self) -> bytes:
        """What that device has. Raises Error."""
        assert self.newest_on is not None
        return self._copies[self.newest_on][1].read()

    def come_home(self, data: bytes) -> None:
        """The host has what newest() gave."""
        self.data[:] = data
        self.newest_on = None

    def forget(self) -> None:
        """What was newer on a device does not count: what the host has is passed on again."""
        self._version += 1
        self.newest_on = None

    def fetch(self, placed: Placed) -> bytes:
        """Reads what a part has written; nothing if it only read. Raises Error."""
        if not placed.writes:
            return b""
        low, high = (0, len(self.data)) if placed.rows is None else \
            (placed.rows.first * self.row_bytes, placed.rows.end * self.row_bytes)
        return placed.memory.read(high - low, low + placed.offset)

    def take(self, placed: Placed, found: bytes) -> None:
        """Puts what fetch() has read in its place."""
        if placed.writes and placed.rows is not None:
            self.data[placed.rows.first * self.row_bytes:placed.rows.end * self.row_bytes] = found
        elif placed.writes:
            total = _numpy().frombuffer(self.data, self.add)
            total += _numpy().frombuffer(found, self.add)

    def __len__(self) -> int:
        return len(self.data)


class _Pointer(Value):
    """A pointer into memory that lives as long as a task that has it as an argument."""
    memory: Buffer


def argument_of(placed: Placed, xlen: int) -> Value:
    """The pointer that a kernel gets: to where entry 0 would be, also if only later ones are there."""
    address = (placed.memory.address + placed.offset) % (1 << xlen)
    pointer = _Pointer(BUFFER, struct.pack("<Q", address), 8)
    pointer.memory = placed.memory
    return pointer


def _numpy() -> Any:
    try:
        import numpy  # pylint: disable=import-outside-toplevel
    except ImportError:
        raise Error("ERR_UNSUPPORTED", "NumPy is not installed: run `pip install numpy`.", "add") from None
    return numpy


def _kind(add: str, nbytes: int) -> Any:
    """The type of the elements that are added up."""
    kind = _numpy().dtype(add)
    if kind.kind not in "iuf" or nbytes % kind.itemsize:
        raise Error("ERR_ARGUMENT", "It is added up as whole elements that are numbers.", "add", add)
    return kind
