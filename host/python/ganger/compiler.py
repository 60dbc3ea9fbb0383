# SPDX-License-Identifier: Apache-2.0
"""`ganger-cc`, the kernels' compiler: as a command of the installed package, and as a call. docs/KERNELS.md."""

import importlib
import os
import subprocess
import sys
import tempfile
from types import ModuleType
from typing import List, NamedTuple, Union

from .errors import Error
from .places import root

PACKAGE = "gangercc"


class Built(NamedTuple):
    """A kernel ELF, which Device.load() takes, and what the compilers said about its source."""
    image: bytes
    log: str


def command() -> List[str]:
    """The command line of the compiler, without arguments."""
    return [sys.executable, str(root() / "firmware" / "kernel" / "ganger-cc")]


def main() -> None:
    """Becomes the compiler, with the arguments of this process. Does not return."""
    words = [*command(), *sys.argv[1:]]
    os.execv(words[0], words)


def _programs() -> ModuleType:
    """The part of the compiler that knows what is kept in the user's cache folder."""
    folder = str(root() / "firmware" / "kernel")
    if PACKAGE not in sys.modules:
        sys.path.insert(0, folder)
        try:
            importlib.import_module(PACKAGE)
        finally:
            sys.path.remove(folder)
    return importlib.import_module(PACKAGE + ".programs")


def build(source: Union[str, bytes], *options: str, language: str = "c") -> Built:
    """Builds a source, a text in the language "c" or "cl" (OpenCL C), with options of ganger-cc ("-O3",
    "-DN=4", "--xlen=32"). A program that was built before with the same options, in the same folder, comes from the
    user's cache folder, without a process. Raises Error ERR_COMPILE, whose message has what the compiler said;
    ERR_ARGUMENT: another language."""
    if language not in ("c", "cl"):
        raise Error("ERR_ARGUMENT", f'The language is "c" or "cl", not {language!r}.', "language", language)
    data = source.encode() if isinstance(source, str) else bytes(source)
    words = [*options, "-x", language, "-"]
    programs = _programs()
    name = programs.name_of(words, data)
    found = programs.find(name) if name else None
    if found is not None:
        return Built(found[1], found[0])
    with tempfile.TemporaryDirectory(prefix="ganger-build-") as folder:
        produced = os.path.join(folder, "program.elf")
        done = subprocess.run([*command(), "-o", produced, *words], input=data, stderr=subprocess.PIPE, check=False)
        log = done.stderr.decode("utf-8", "replace")
        if done.returncode:
            raise Error("ERR_COMPILE", f"ganger-cc refuses the source: {log.strip()}")
        with open(produced, "rb") as stream:
            return Built(stream.read(), log)
