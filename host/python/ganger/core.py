# SPDX-License-Identifier: Apache-2.0
"""Core files: a fault record with the memory behind it, for `gdb-multiarch`.

An ELF core file with one thread: registers of the record; memory of the module that failed and of
the thread's stack. The stack is what the device has there now: later CTAs use the same memory.
"""

import struct
from typing import TYPE_CHECKING, List, NamedTuple, Tuple

from .errors import Error
from .faults import Fault
from .files import write
from .typed import Path

if TYPE_CHECKING:
    from .device import Device
    from .kernels import Module

_STACK_BYTES = 65536
_RED_ZONE = 256
_CORE, _RISCV, _PT_LOAD, _PT_NOTE, _NT_PRSTATUS, _SIGSEGV = 4, 243, 1, 4, 1, 11


class _Layout(NamedTuple):
    """What differs between the XLENs: formats of the headers, struct elf_prstatus of Linux."""
    elf_class: int
    header: str
    header_bytes: int
    program: str
    program_bytes: int
    word: str
    status_bytes: int
    pid_at: int
    registers_at: int


_LAYOUTS = {
    64: _Layout(2, "<HHIQQQIHHHHHH", 64, "<IIQQQQQQ", 56, "Q", 376, 32, 112),
    32: _Layout(1, "<HHIIIIIHHHHHH", 52, "<IIIIIIII", 32, "I", 204, 24, 72),
}


def _note(layout: _Layout, record: Fault) -> bytes:
    status = bytearray(layout.status_bytes)
    struct.pack_into("<H", status, 12, _SIGSEGV)
    struct.pack_into("<I", status, layout.pid_at, record.thread + 1)
    struct.pack_into(f"<32{layout.word}", status, layout.registers_at, record.pc,
                     *record.registers)
    return struct.pack("<III", 5, len(status), _NT_PRSTATUS) + b"CORE\0\0\0\0" + bytes(status)


def _program(layout: _Layout, kind: int, offset: int, address: int, nbytes: int) -> bytes:
    flags = 0 if kind == _PT_NOTE else 7
    memory = 0 if kind == _PT_NOTE else nbytes
    if layout.elf_class == 2:
        return struct.pack(layout.program, kind, flags, offset, address, 0, nbytes, memory, 4)
    return struct.pack(layout.program, kind, offset, address, 0, nbytes, memory, flags, 4)


def _file(xlen: int, elf_flags: int, record: Fault, pieces: List[Tuple[int, bytes]]) -> bytes:
    layout = _LAYOUTS[xlen]
    note = _note(layout, record)
    programs = 1 + len(pieces)
    offset = layout.header_bytes + programs * layout.program_bytes
    ident = b"\x7fELF" + bytes([layout.elf_class, 1, 1, 0]) + bytes(8)
    head = ident + struct.pack(layout.header, _CORE, _RISCV, 1, 0, layout.header_bytes, 0,
                               elf_flags, layout.header_bytes, layout.program_bytes, programs,
                               0, 0, 0)
    table = _program(layout, _PT_NOTE, offset, 0, len(note))
    offset += len(note)
    for address, data in pieces:
        table += _program(layout, _PT_LOAD, offset, address, len(data))
        offset += len(data)
    return head + table + note + b"".join(data for _address, data in pieces)


def _elf_flags(module: "Module", xlen: int) -> int:
    """The ELF flags of the module: floating-point ABI, compressed instructions."""
    data = module.source
    if not isinstance(data, bytes):
        with open(data, "rb") as file:
            data = file.read(64)
    return int(struct.unpack_from("<I", data, 48 if xlen == 64 else 36)[0])


def _memory(device: "Device", address: int, nbytes: int) -> Tuple[int, bytes]:
    """Device memory from an address on, cut at its end."""
    first = max(address, device.info.ram)
    last = min(address + nbytes, device.info.ram + device.info.ram_bytes)
    return first, device.read(first, last - first) if last > first else b""


def write_core(device: "Device", record: Fault, path: Path) -> str:
    """Writes a core file for a fault record; returns the command line that opens it.

    Raises Error ERR_ARGUMENT when the code that failed is of no module that is loaded.
    """
    xlen = device.info.xlen
    inside = [module for module in device.handle.modules for at in (record.pc, record.registers[0])
              if module.base <= at < module.base + module.code_bytes]
    if not inside:
        raise Error("ERR_ARGUMENT", "The record is of no module that is loaded.", "pc", record.pc)
    module = inside[0]
    stack = (record.registers[1] & ~15) - _RED_ZONE
    pieces = [_memory(device, module.base, module.info.nbytes),
              _memory(device, stack, _STACK_BYTES)]
    write(path, _file(xlen, _elf_flags(module, xlen), record, [one for one in pieces if one[1]]))
    elf = "KERNEL.elf" if isinstance(module.source, bytes) else module.source
    return f"gdb-multiarch -ex 'core-file {path}' " \
           f"-ex 'add-symbol-file {elf} -o {module.base:#x}' -ex bt"
