# SPDX-License-Identifier: Apache-2.0
"""Fault records: what a CTA did wrong."""

import ctypes
from typing import Iterable, NamedTuple, Optional, Tuple

from . import abi, clib, structs
from .clib import Handle
from .errors import Error, status_name
from .symbols import Code, Place, place_of
from .typed import Json


class Fault(NamedTuple):
    """status: name; cause: mcause or 0; pc, address: device addresses; registers: x1 to x31;
    cta and thread: linear numbers; cga, rank: id of its CGA and its rank there, or None. symbol:
    function of the pc, or None; file, line: in its source, or None (ganger-cc -g keeps them).
    jumped: the pc is in no module, and these three tell where it was called from, as far as the
    register ra knows."""
    status: str
    tag: int
    sm: int
    cta: int
    thread: int
    cause: int
    pc: int
    address: int
    context: int
    registers: Tuple[int, ...]
    symbol: Optional[str] = None
    file: Optional[str] = None
    line: Optional[int] = None
    jumped: bool = False
    cga: Optional[int] = None
    rank: Optional[int] = None

    def as_dict(self) -> Json:
        """For JSON."""
        return self._asdict()

    def told(self) -> str:
        """As text, and how its place in the source can be had if that is not known."""
        return str(self) if self.symbol else f"{self} (no source is known: name the kernel ELF of the program that launched it, soon " \
            "after the fault)"

    def __str__(self) -> str:
        member = "" if self.cga is None else f" (rank {self.rank} of CGA {self.cga})"
        text = (f"{self.status} in CTA {self.cta}{member}, thread {self.thread}, on SM {self.sm}: "
                f"pc {self.pc:#x}, address {self.address:#x}")
        if self.symbol is None:
            return text
        return f"{text}, {'called from' if self.jumped else 'in'} " \
               f"{Place(self.symbol, self.file, self.line)}"


def named(fault: Fault, codes: Iterable[Code]) -> Fault:
    """A record with function, file and line, where one of some modules has them."""
    modules = list(codes)
    place = place_of(modules, fault.pc)
    jumped = not any(one.base <= fault.pc < one.base + one.code_bytes for one in modules)
    if jumped:  # The call is the instruction before the return address.
        place = place_of(modules, fault.registers[0] - 1)
    return fault._replace(jumped=jumped, **place._asdict()) if place else fault


def _cga(raw: structs.Fault) -> Tuple[Optional[int], Optional[int]]:
    """Id and rank in its CGA (S1-R157)."""
    fields = abi.BLOCKS["packet"][1]["cga"][5]
    if not raw.cga >> fields["cga_valid"][0] & 1:
        return None, None
    return raw.cga & ((2 << fields["cga_id"][1]) - 1), raw.cga_rank


def read_fault(handle: Handle, sm: int, sequence: int) -> Optional[Fault]:
    """The record that a completion names; None if there is none or it was overwritten since."""
    if sequence == 0:
        return None
    raw = structs.Fault()
    try:
        handle.device_call("gg_fault_read", sm, sequence, ctypes.byref(raw))
    except Error:
        return None
    cga, rank = _cga(raw)
    return named(Fault(status_name(raw.status), raw.tag, raw.sm, raw.cta, raw.thread,
                       raw.cause, raw.pc, raw.address, raw.context,
                       tuple(raw.registers), cga=cga, rank=rank), handle.modules)


def read_panic(handle: Handle) -> Optional[Json]:
    """Why the control processor stopped, or booted again, the last time: panics until now, cause, file, line, pc,
    address, registers; or None."""
    raw = structs.Panic()
    handle.device_call("gg_panic_read", ctypes.byref(raw))
    if raw.panics == 0:
        return None
    return {"panics": raw.panics, "cause": raw.cause, "file": raw.file.decode("ascii", "replace"), "line": raw.line,
            "pc": raw.pc, "address": raw.address, "registers": tuple(raw.registers)}


def device_error(handle: Handle, status: int) -> Error:
    """Error for a failed call, with the fault record that the library names."""
    error = clib.failure_error(status)
    failure = clib.last_failure()
    if failure.status == status:
        error = Error(error.status, error.message, error.field, error.value,
                      read_fault(handle, failure.fault_sm, failure.fault_sequence))
    return error
