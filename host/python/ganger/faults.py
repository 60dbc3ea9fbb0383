# SPDX-License-Identifier: Apache-2.0
"""Fault records: what a CTA did wrong."""

import ctypes
from typing import NamedTuple, Optional, Tuple

from . import clib, structs
from .errors import Error, status_name


class Fault(NamedTuple):
    """status: name; cause: mcause or 0; pc, address: device addresses; registers: x1 to x31;
    cta and thread: linear numbers."""
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

    def as_dict(self) -> dict:
        """For JSON."""
        return self._asdict()

    def __str__(self) -> str:
        return (f"{self.status} in CTA {self.cta}, thread {self.thread}, on SM {self.sm}: "
                f"pc {self.pc:#x}, address {self.address:#x}")


def read_fault(handle, sm: int, sequence: int) -> Optional[Fault]:
    """The record that a completion names; None if there is none or it was overwritten since."""
    if sequence == 0:
        return None
    raw = structs.Fault()
    try:
        handle.device_call("gg_fault_read", sm, sequence, ctypes.byref(raw))
    except Error:
        return None
    return Fault(status_name(raw.status), raw.tag, raw.sm, raw.cta, raw.thread, raw.cause, raw.pc,
                 raw.address, raw.context, tuple(raw.registers))


def read_panic(handle) -> Optional[dict]:
    """Why the control processor stopped: cause, file, line, pc, address, registers; or None."""
    raw = structs.Panic()
    handle.device_call("gg_panic_read", ctypes.byref(raw))
    if raw.panics == 0:
        return None
    return {"cause": raw.cause, "file": raw.file.decode("ascii", "replace"), "line": raw.line,
            "pc": raw.pc, "address": raw.address, "registers": tuple(raw.registers)}


def device_error(handle, status: int) -> Error:
    """Error for a failed call, with the fault record that the library names."""
    error = clib.failure_error(status)
    failure = clib.last_failure()
    if failure.status == status:
        error = Error(error.status, error.message, error.field, error.value,
                      read_fault(handle, failure.fault_sm, failure.fault_sequence))
    return error
