# SPDX-License-Identifier: Apache-2.0
"""The command line of ganger-cc."""
import argparse
import re
from pathlib import Path

from . import programs
from .errors import KernelError

INPUT = Path("-")
TARGETS = {64: ("rv64gc", "lp64d"), 32: ("rv32gc", "ilp32d")}
USAGE = "ganger-cc [options] -o out.elf in.c|in.cl|in.spv|in.o …"
EPILOG = "Options that begin with -f, -W, -w, -std=, -cl-, -U, -include, -iquote and -isystem go to the compiler."


def parser():
    p = argparse.ArgumentParser(prog="ganger-cc", usage=USAGE, epilog=EPILOG, allow_abbrev=False,
                                description="Builds kernels to an ELF that the host library loads.")
    p.add_argument("sources", nargs="+", type=Path, metavar="in.c|in.cl|in.spv|in.o")
    p.add_argument("-o", dest="output", required=True, type=Path, metavar="out.elf")
    p.add_argument("-c", dest="compile_only", action="store_true", help="make an object of one source, to link later")
    p.add_argument("-r", dest="combine", action="store_true", help="make one object of several: a library")
    p.add_argument("-g", dest="debug", action="store_true", help="keep debug information")
    p.add_argument("-O", dest="optimize", nargs="?", const="1", default="2", metavar="LEVEL",
                   help="optimization, as for the compiler (default: 2)")
    p.add_argument("-D", dest="defines", action="append", default=[], metavar="NAME[=VALUE]")
    p.add_argument("-I", dest="includes", action="append", default=[], metavar="FOLDER")
    p.add_argument("--xlen", type=int, choices=[32, 64], help="default: that of -march, or 64")
    p.add_argument("-march", "--march", help="default: rv64gc or rv32gc")
    p.add_argument("-mabi", "--mabi", help="default: what fits -march")
    p.add_argument("--cc", choices=["gcc", "clang"],
                   help="compiler of C (default: gcc, and clang-14 for sources whose kernels become loops)")
    p.add_argument("-floops", dest="loops", action="store_true", default=None,
                   help="kernels become loops over their work-items where that is possible (default: those of OpenCL C, "
                   "and those of C in sources with barriers)")
    p.add_argument("-fno-loops", dest="loops", action="store_false", help="no kernel does")
    p.add_argument("--race", action="store_true",
                   help="for `ganger race`: kernels log their accesses to memory, with lines; they are slower, and no loops")
    p.add_argument("--no-kernels", action="store_true", help="a program without kernels is no error")
    p.add_argument("--stack", action="append", default=[], metavar="KERNEL=BYTES",
                   help="least stack of a thread, as GANGER_STACK(BYTES) in the source")
    p.add_argument("-x", dest="language", choices=["c", "cl", "spv"], help="the language of `-`, standard input")
    p.add_argument("--spec-const", dest="constants", action="append", default=[], metavar="ID:TYPE:VALUE",
                   help="the value of a specialization constant of SPIR-V: 3:i32:64; TYPE is i1, i8 to i64, f32 or f64")
    p.add_argument("--no-cache", dest="cache", action="store_false",
                   help="build all anew, and keep nothing in the user's cache folder")
    p.add_argument("--key", metavar="SHA256",
                   help="keep the program under this name, which the caller made of all that it gives to ganger-cc")
    p.add_argument("--save-temps", type=Path, metavar="FOLDER", help="keep intermediate files there")
    p.add_argument("-v", dest="verbose", action="store_true", help="show the commands")
    return p


def split_compiler_flags(arguments):
    """(arguments for us, flags for the compiler)"""
    ours, flags = [], []
    rest = iter(arguments)
    for argument in rest:
        if argument in ("-floops", "-fno-loops"):
            ours.append(argument)
        elif argument in ("-include", "-iquote", "-isystem"):
            flags += [argument, next(rest, "")]
        elif re.match(r"-(f|W|std=|cl-|U|w$)", argument):
            flags.append(argument)
        elif re.fullmatch(r"-g(0|1|2|3|gdb\d?)", argument):
            ours += [] if argument == "-g0" else ["-g"]
        else:
            ours.append(argument)
    return ours, flags


def default_abi(xlen, march):
    letters = extensions(march)
    base = "lp64" if xlen == 64 else "ilp32"
    return base + ("e" if "e" in letters else "d" if "d" in letters else "f" if "f" in letters else "")


def extensions(march):
    """The single letters of a -march: rv64gc -> imafdc."""
    match = re.fullmatch(r"rv(?:32|64)([a-z]+?)(?:(?:_|z)[a-z0-9_]*)?", march)
    if not match:
        raise KernelError(f"-march={march}: not of the form rv64gc or rv32imac_zicsr")
    return match.group(1).replace("g", "imafd")


def target(options):
    """Fills in xlen, march and mabi, which may contradict one another."""
    stated = int(options.march[2:4]) if re.match(r"rv(32|64)", options.march or "") else None
    options.xlen = options.xlen or stated or 64
    options.march = options.march or TARGETS[options.xlen][0]
    if stated and stated != options.xlen:
        raise KernelError(f"--xlen {options.xlen} contradicts -march={options.march}")
    options.extensions = extensions(options.march)
    options.mabi = options.mabi or default_abi(options.xlen, options.march)
    if options.mabi.startswith("lp64") != (options.xlen == 64):
        raise KernelError(f"-mabi={options.mabi} contradicts --xlen {options.xlen}")


def stack_sizes(texts):
    sizes = {}
    for text in texts:
        name, _, size = text.partition("=")
        try:
            sizes[name] = int(size, 0)
        except ValueError:
            raise KernelError(f"--stack {text}: not of the form KERNEL=BYTES") from None
    return sizes


def check_sources(sources, language):
    if (sources.count(INPUT) or language) and (sources.count(INPUT) != 1 or not language):
        raise KernelError("`-` is standard input, and needs -x c, -x cl or -x spv")
    for source in sources:
        if source == INPUT:
            continue
        if source.suffix not in (".c", ".cl", ".spv", ".o"):
            raise KernelError(f"{source}: not a kernel source; its name must end in .c, .cl or .spv, that of an object in .o")
        if not source.is_file():
            raise KernelError(f"{source}: no such file")


def check_steps(options):
    """Which inputs -c and -r take."""
    objects = [source for source in options.sources if source.suffix == ".o"]
    if options.compile_only and (objects or options.combine or len(options.sources) != 1):
        raise KernelError("-c takes one source: .c, .cl or .spv")
    if options.combine and len(objects) != len(options.sources):
        raise KernelError("-r takes objects only: compile sources with -c first")
    if options.race and (objects or options.compile_only or "a" not in options.extensions):
        raise KernelError("--race takes sources, all at once, and a core with the A extension")


def write_input(options, folder):
    """Standard input becomes a file in the folder of this run."""
    if options.language:
        named = folder / f"program.{options.language}"
        named.write_bytes(options.standard_input)
        options.sources = [named if source == INPUT else source for source in options.sources]
        options.flags = [*options.flags, f"-ffile-prefix-map={folder}/="]


def parse(arguments, standard_input=None):
    ours, flags = split_compiler_flags(arguments)
    options = parser().parse_args(ours)
    options.flags = flags
    options.debug |= options.race
    target(options)
    options.stacks = stack_sizes(options.stack)
    if options.key is not None and not programs.is_key(options.key):
        raise KernelError(f"--key {options.key}: not 64 hexadecimal digits, 0-9 and a-f")
    check_sources(options.sources, options.language)
    check_steps(options)
    options.words, options.standard_input = arguments, standard_input
    return options


def of_abi(abi, march):
    """Options with nothing to compile, for the library of an ABI."""
    return argparse.Namespace(mabi=abi, march=march, verbose=False, cache=False, race=False)
