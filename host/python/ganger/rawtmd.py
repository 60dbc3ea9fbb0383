# SPDX-License-Identifier: Apache-2.0
"""TMDs with fields to change, for tests of what the device refuses."""

import ctypes
from typing import Dict, Optional, Tuple

from . import abi, structs
from .clib import Handle
from .errors import Error
from .memory import write_memory
from .work import Work


def _places() -> Dict[str, Tuple[int, int, int]]:
    """Field name: (byte offset, low bit, bits); `x` of a pair x_lo, x_hi is 64 bits."""
    places = {}
    words = abi.BLOCKS["tmd"][1]
    for name, (offset, _count, _enum, _writer, _text, fields) in words.items():
        places[name] = (offset, 0, 32)
        if name.endswith("_lo"):
            places[name[:-3]] = (offset, 0, 64)
        for field, (low, high, _enumeration, _about) in fields.items():
            places[field] = (offset, low, high - low + 1)
    return places


PLACES = _places()


class Tmd:
    """Task metadata in device memory. Every field of the ABI is an attribute, by its name:

        tmd.version = 9; tmd.grid_x = 0; tmd.entry = tmd.code + tmd.code_bytes

    address: where it lies; raw: its 256 bytes, sent as they are by submit_tmd().
    """

    raw: bytearray
    address: int
    work: Work
    _handle: Handle

    def __init__(self, work: Work):
        words, address = structs.TmdBytes(), ctypes.c_uint64()
        work.handle.call("gg_tmd_create", ctypes.byref(work.raw), ctypes.byref(words),
                         ctypes.byref(address))
        vars(self).update(raw=bytearray(bytes(words)), address=address.value, work=work,
                          _handle=work.handle)

    def __getattr__(self, name: str) -> int:
        if name not in PLACES:
            raise AttributeError(f"the TMD has no field {name}")
        offset, low, bits = PLACES[name]
        value = int.from_bytes(self.raw[offset:offset + (8 if bits > 32 else 4)], "little")
        return value >> low & ((1 << bits) - 1)

    def __setattr__(self, name: str, value: int) -> None:
        if name not in PLACES:
            raise AttributeError(f"the TMD has no field {name}")
        offset, low, bits = PLACES[name]
        if not 0 <= value < 1 << bits:
            raise ValueError(f"{name} has {bits} bits; {value} does not fit")
        end = offset + (8 if bits > 32 else 4)
        old = int.from_bytes(self.raw[offset:end], "little")
        new = old & ~(((1 << bits) - 1) << low) | value << low
        self.raw[offset:end] = new.to_bytes(end - offset, "little")

    def store(self, address: Optional[int] = None) -> None:
        """Writes it into the device, at its own place or at another one."""
        write_memory(self._handle.device_call, "gg_write", self.address if address is None else address, self.raw)

    def free(self) -> None:
        """Gives its memory back. No task made of it may be on its way."""
        if self.address:
            address = self.address
            vars(self)["address"] = 0
            self._handle.device_call("gg_tmd_destroy", address)

    def __enter__(self) -> "Tmd":
        return self

    def __exit__(self, *_exc: object) -> None:
        self.free()

    def __del__(self) -> None:
        try:
            self.free()
        except (Error, AttributeError):
            pass

    def __repr__(self) -> str:
        return f"<ganger.Tmd at {self.address:#x}: {self.fields()}>"

    def fields(self) -> Dict[str, int]:
        """Fields that are not zero, by name (words that have bit fields are left out)."""
        words = abi.BLOCKS["tmd"][1]
        plain = [name for name in PLACES if not (name in words and words[name][5])
                 and not name.endswith(("_lo", "_hi"))]
        return {name: getattr(self, name) for name in plain if getattr(self, name)}
