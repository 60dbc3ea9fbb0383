# SPDX-License-Identifier: Apache-2.0
"""Where in the sources a program counter is, by the debug information of kernel ELFs."""

import functools
import os
import subprocess
import tempfile
from typing import TYPE_CHECKING, Iterable, NamedTuple, Optional

if TYPE_CHECKING:
    from .kernels import Module

TOOLS = os.environ.get("GANGER_BINUTILS", "riscv64-unknown-elf-")  # Prefix of the two tools.
_SECONDS = 20


class Place(NamedTuple):
    """Function; source file and line: None without debug information (`ganger-cc -g`)."""
    symbol: str
    file: Optional[str]
    line: Optional[int]

    def __str__(self) -> str:
        return f"{self.symbol} ({os.path.basename(self.file)}:{self.line})" if self.file \
            else self.symbol


def _parse(text: str) -> Optional[Place]:
    """From two lines: function, file:line; what is not known is "??"."""
    lines = text.splitlines()
    if len(lines) < 2 or lines[0] == "??":
        return None
    file, _colon, rest = lines[1].rpartition(":")
    line = rest.split()[0] if rest.split() else "0"
    if file in ("", "??") or not line.isdigit() or line == "0":
        return Place(lines[0], None, None)
    return Place(lines[0], file, int(line))


def _run(tool: str, *arguments: str) -> str:
    try:
        done = subprocess.run([TOOLS + tool, *arguments], capture_output=True, text=True,
                              errors="replace", timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):  # Without the tool there are no names.
        return ""
    return done.stdout if done.returncode == 0 else ""


def _function(path: str, offset: int) -> Optional[str]:
    """The last function before an offset, by the symbol table, which has labels, too."""
    found = None
    for line in _run("nm", "-n", "--defined-only", path).splitlines():
        value, kind, name = (line.split() + ["", "", ""])[:3]
        if kind in ("t", "T", "W", "w") and not name.startswith("."):
            if int(value, 16) > offset:
                break
            found = name
    return found


def _ask(path: str, offset: int) -> Optional[Place]:
    place = _parse(_run("addr2line", "-f", "-e", path, hex(offset)))
    if place is not None and not place.symbol.startswith("."):
        return place
    name = _function(path, offset)
    return Place(name, None, None) if name else None


@functools.lru_cache(maxsize=4096)
def _of_file(path: str, _changed: int, offset: int) -> Optional[Place]:
    return _ask(path, offset)


@functools.lru_cache(maxsize=256)
def _of_bytes(data: bytes, offset: int) -> Optional[Place]:
    with tempfile.NamedTemporaryFile(suffix=".elf") as file:
        file.write(data)
        file.flush()
        return _ask(file.name, offset)


def place_of(modules: "Iterable[Module]", pc: int) -> Optional[Place]:
    """Place of a device address in one of the modules; None: in none of them, or not known."""
    for module in modules:
        if module.base <= pc < module.base + module.code_bytes:
            offset = pc - module.base
            if isinstance(module.source, bytes):
                return _of_bytes(module.source, offset)
            try:
                return _of_file(module.source, os.stat(module.source).st_mtime_ns, offset)
            except OSError:
                return None
    return None
