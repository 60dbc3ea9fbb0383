# SPDX-License-Identifier: Apache-2.0
"""Where in the sources a program counter is, by the debug information of kernel ELFs."""

import functools
import os
import subprocess
import tempfile
from typing import Iterable, List, NamedTuple, Optional, Protocol, Sequence, Tuple, Union

TOOLS = os.environ.get("GANGER_BINUTILS", "riscv64-unknown-elf-")  # Prefix of the two tools.
_SECONDS = 20
_NEAR = 34  # Bytes within which there is an instruction with a line: eight without one follow each other, at most.


class Code(Protocol):
    """Code in device memory, such as a Module: where it is, and its ELF, a path or bytes."""

    @property
    def base(self) -> int:
        """Its address."""

    @property
    def code_bytes(self) -> int:
        """Its bytes."""

    @property
    def source(self) -> Union[bytes, str]:
        """The ELF."""


class Place(NamedTuple):
    """Function; source file and line: None without debug information (`ganger-cc -g`)."""
    symbol: str
    file: Optional[str]
    line: Optional[int]

    def __str__(self) -> str:
        return f"{self.symbol} ({os.path.basename(self.file)}:{self.line})" if self.file \
            else self.symbol


Places = Tuple[Place, ...]  # A place, and where its function was inlined, innermost first.


def _parse(function: str, where: str) -> Place:
    """From two lines: function, file:line; what is not known is "??"."""
    file, _colon, rest = where.rpartition(":")
    line = rest.split()[0] if rest.split() else "0"
    if file in ("", "??") or not line.isdigit() or line == "0":
        return Place(function, None, None)
    return Place(function, file, int(line))


def _run(tool: str, *arguments: str) -> str:
    try:
        done = subprocess.run([TOOLS + tool, *arguments], capture_output=True, text=True,
                              errors="replace", timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):  # Without the tool there are no names.
        return ""
    return done.stdout if done.returncode == 0 else ""


def _functions(path: str) -> List[Tuple[int, str]]:
    """Offset and name of all functions of an ELF, by the symbol table, which has labels, too; in order."""
    rows = (line.split() for line in _run("nm", "-n", "--defined-only", path).splitlines())
    return [(int(row[0], 16), row[2]) for row in rows
            if len(row) == 3 and row[1] in ("t", "T", "W", "w") and not row[2].startswith(".")]


def _function(path: str, offset: int) -> Optional[str]:
    """The last function before an offset."""
    return next((name for start, name in reversed(_functions(path)) if start <= offset), None)


def functions_of(code: Code) -> List[Tuple[int, str]]:
    """Offset and name of all functions of a module, in order."""
    if not isinstance(code.source, bytes):
        return _functions(code.source)
    with tempfile.NamedTemporaryFile(suffix=".elf") as file:
        file.write(code.source)
        file.flush()
        return _functions(file.name)


def _ask(path: str, offset: int) -> Places:
    lines = _run("addr2line", "-f", "-i", "-e", path, hex(offset)).splitlines()
    places = tuple(map(_parse, lines[0::2], lines[1::2]))
    if places and places[0].symbol != "??" and not places[0].symbol.startswith("."):
        return places
    name = _function(path, offset)
    if not name:
        return ()
    # The name of the function may be missing where the line is known.
    return (places[0]._replace(symbol=name), *places[1:]) if places and places[0].file else (Place(name, None, None),)


@functools.lru_cache(maxsize=4096)
def _of_file(path: str, _changed: int, offset: int) -> Places:
    return _ask(path, offset)


@functools.lru_cache(maxsize=256)
def _of_bytes(data: bytes, offset: int) -> Places:
    with tempfile.NamedTemporaryFile(suffix=".elf") as file:
        file.write(data)
        file.flush()
        return _ask(file.name, offset)


def places_of(codes: Iterable[Code], pc: int) -> Places:
    """Place of a device address in one of some modules, then where that function was inlined. Empty: in none of them, or
    not known."""
    for code in codes:
        if code.base <= pc < code.base + code.code_bytes:
            offset = pc - code.base
            if isinstance(code.source, bytes):
                return _of_bytes(code.source, offset)
            try:
                return _of_file(code.source, os.stat(code.source).st_mtime_ns, offset)
            except OSError:
                return ()
    return ()


def place_of(codes: Iterable[Code], pc: int) -> Optional[Place]:
    """The first of places_of(), or None."""
    places = places_of(codes, pc)
    return places[0] if places else None


def place_near(codes: Sequence[Code], pc: int) -> Optional[Place]:
    """place_of(), or where the compiler names no line for the instruction, that of the one before in the same function."""
    place = place_of(codes, pc)
    for before in range(pc - 2, pc - _NEAR, -2):
        earlier = place_of(codes, before) if place and place.file is None else None
        if earlier is None or place is None or earlier.symbol != place.symbol:
            break
        place = earlier
    return place


def _all_of_file(path: str, offsets: Sequence[int]) -> List[Places]:
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(["-a", "-f", "-i", "-e", path, *map(hex, offsets)]))
        file.flush()
        lines = _run("addr2line", f"@{file.name}").splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("0x")]  # The offset; what follows is of it.
    if len(starts) != len(offsets):
        return [(Place("??", None, None),)] * len(offsets)
    found = []
    for offset, first, end in zip(offsets, starts, [*starts[1:], len(lines)]):
        places = tuple(map(_parse, lines[first + 1:end:2], lines[first + 2:end:2]))
        found.append(places if places and places[0].symbol != "??" else _ask(path, offset) or (Place("??", None, None),))
    return found


def places_of_all(code: Code, offsets: Sequence[int]) -> List[Places]:
    """Of each of many offsets in a module its place, and then where that function was inlined; "??" where it is not known."""
    if not isinstance(code.source, bytes):
        return _all_of_file(code.source, offsets)
    with tempfile.NamedTemporaryFile(suffix=".elf") as file:
        file.write(code.source)
        file.flush()
        return _all_of_file(file.name, offsets)


def value_of(source: Union[bytes, str], name: str) -> Optional[int]:
    """Offset of a symbol of an ELF, a path or bytes; None if it has none of that name."""
    if isinstance(source, bytes):
        with tempfile.NamedTemporaryFile(suffix=".elf") as file:
            file.write(source)
            file.flush()
            return value_of(file.name, name)
    rows = (line.split() for line in _run("nm", source).splitlines())
    return next((int(row[0], 16) for row in rows if len(row) == 3 and row[2] == name), None)
