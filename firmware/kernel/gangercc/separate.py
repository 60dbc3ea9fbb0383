# SPDX-License-Identifier: Apache-2.0
"""Separate compilation: `-c` makes an object of a source, `-r` one object of several, which is a library; objects are
inputs like sources.

An object of OpenCL C is LLVM's text, as clang wrote it: when a module is built of such objects they are joined, and
all that ganger-cc does with a source is done with the whole. An object of C is an ELF file of gcc.
"""
import shutil
import sys
from pathlib import Path

from . import opencl
from .errors import KernelError
from .toolchain import PREFIX

JOIN = Path(__file__).resolve().parent / "loops" / "join.py"
TEXT, ELF = b"; ModuleID", b"\x7fELF"
LIBRARY = b"\n; library of ganger-cc\n"  # How the text of a library ends: host/opencl/program.c reads it.


def is_object(path):
    return path.suffix == ".o"


def is_text(path):
    """Whether an object is one of OpenCL C. Another file than an object is refused."""
    with open(path, "rb") as stream:
        start = stream.read(20)
    if not start.startswith((TEXT, ELF)):
        raise KernelError(f"{path}: not an object of ganger-cc -c")
    return start.startswith(TEXT)


def check_target(path, options):
    """Objects of OpenCL C of the other XLEN would be joined without a word."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if f'target triple = "riscv{options.xlen}-' not in text:
        raise KernelError(f"{path}: an object for another XLEN than {options.xlen}: compile it with --xlen "
                          f"{options.xlen}")


def join(tools, paths):
    """One text of the objects of OpenCL C."""
    for path in paths:
        check_target(path, tools.options)
    if len(paths) == 1:
        return paths[0]
    produced = tools.folder / "joined.ll"
    tools.checked([sys.executable, "-B", JOIN, produced, *paths], "the objects cannot be linked")
    return produced


def compile_only(tools):
    """`-c`"""
    (source,) = tools.options.sources
    if opencl.is_source(source):
        produced = tools.folder / "object.ll"
        opencl.front_end(tools, source, produced)
    else:
        produced = tools.compile_kernel(source, 0)
    deliver(tools, produced)


def combine(tools):
    """`-r`"""
    paths = tools.options.sources
    kinds = {is_text(path) for path in paths}
    if len(kinds) != 1:
        raise KernelError("-r takes objects of OpenCL C or objects of C, not both")
    if kinds == {True}:
        text = join(tools, paths).read_bytes().removesuffix(LIBRARY)
        produced = tools.folder / "library.ll"
        produced.write_bytes(text + LIBRARY)
        deliver(tools, produced)
        return
    produced = tools.folder / "joined.o"
    emulation = f"elf{tools.options.xlen}lriscv"
    tools.checked([PREFIX + "ld", "-r", "-m", emulation, *paths, "-o", produced], "the objects cannot be linked")
    deliver(tools, produced)


def deliver(tools, produced):
    output = tools.options.output
    output.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(produced, output)
