# SPDX-License-Identifier: Apache-2.0
"""Kernels as loops over their work-items: what of ganger-cc calls the program in the folder loops.

Where that is not possible a kernel stays as it is. C is compiled by gcc, which has the last word about what is right;
clang-14 compiles a source with barriers once more for the loops, and what it does not take stays with gcc.
"""
import json
import re
import sys
from pathlib import Path

from .errors import KernelError
from .opencl_library import CLANG
from .toolchain import CODE, KERNEL_FOLDER, PICOLIBC, ROOT

PROGRAM = Path(__file__).resolve().parent / "loops"
BARRIER = re.compile(r'(call void asm sideeffect "call ganger_barrier[^\n]*?\(\))')
KERNELS = 'section ".text.ganger.kernels"'


def marked(text):
    """LLVM's text, in which calls of the barrier may neither be doubled nor be moved into branches."""
    return BARRIER.sub(r"\1 convergent noduplicate", text)


def wanted(options):
    return options.loops is not False and not options.race and options.optimize != "0" and options.cc != "gcc"


def convert(tools, source, alone, excluded):
    """(file, {kernel: bytes kept for each work-item}): the changed text, or the same without any kernel."""
    produced = source.with_suffix(".loops.ll")
    words = [sys.executable, "-S", PROGRAM, source, produced, *(["--alone"] if alone else []), *sorted(excluded)]
    done = tools.run(words)
    if done.returncode:
        print(f"ganger-cc: note: {source.name}: no loops are made: {done.stderr.strip().splitlines()[-1:]}",
              file=sys.stderr)
        return source, {}
    facts = json.loads(done.stdout)
    if tools.options.verbose:
        for kernel, why in facts["refused"].items():
            print(f"ganger-cc: kernel {kernel} keeps its threads: {why}", file=sys.stderr)
    return (produced, facts["loops"]) if facts["loops"] else (source, {})


def contraction(options):
    """gcc contracts a * b + c unless a standard is asked for."""
    strict = any(flag.startswith("-std=c") for flag in options.flags)
    return [] if any("contract" in flag for flag in options.flags) else [f"-ffp-contract={'off' if strict else 'fast'}"]


def with_race(tools, source):
    """LLVM's text that tells of its accesses to memory."""
    produced = source.with_suffix(".race.ll")
    tools.checked([sys.executable, "-B", PROGRAM / "race.py", produced, source], f"{source.name}: cannot be made to tell of its accesses")
    return produced


def compile_c(tools, source, number, alone, excluded):
    """(object, {kernel: bytes kept for each work-item})"""
    o = tools.options
    compiled = tools.compile_kernel(source, number)
    # Without barriers less is to be gained, and the inner loops of gcc are a little shorter.
    if not o.race and (not wanted(o) or not (o.loops or o.cc or b"ganger_barrier" in compiled.read_bytes())):
        return compiled, {}
    text, produced = tools.folder / f"{number}-{source.stem}.c.ll", tools.folder / f"{number}-{source.stem}.loops.o"
    target = [CLANG, f"--target=riscv{o.xlen}-unknown-elf", *tools.machine, *CODE, f"-O{o.optimize}", "-w"]
    done = tools.run([*target, "-nostdlibinc", "-isystem", PICOLIBC, "-gdwarf-4", *([] if o.race else ["-DGANGER_LOOPS"]),
                      *(f"-D{d}" for d in o.defines), *(f"-I{i}" for i in o.includes), "-isystem", KERNEL_FOLDER,
                      "-isystem", ROOT, "-include", "ganger_kernel.h", *contraction(o), *o.flags,
                      "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", text, source])
    if o.race and done.returncode:
        raise KernelError(f"{source}: --race needs clang, which refuses the source:\n{tools.without_folder(done.stderr).rstrip()}")
    if done.returncode or not o.race and KERNELS not in text.read_text():
        return compiled, {}
    # __builtin_trap() is an instruction that is not there with clang, and a breakpoint, ERR_ABORTED, with gcc.
    found = text.read_text().replace("@llvm.trap(", "@llvm.debugtrap(")
    text.write_text(marked(found))
    looped, made = (with_race(tools, text), {}) if o.race else convert(tools, text, alone, excluded)
    if not made and not o.race:
        return compiled, {}
    done = tools.run([*target, "-Wno-unused-command-line-argument", "-Wno-override-module", "-c", looped, "-o", produced])
    return (compiled, {}) if done.returncode and not o.race else (produced, made)
