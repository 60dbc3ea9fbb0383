# SPDX-License-Identifier: Apache-2.0
"""OpenCL C: from a .cl file to an object and the descriptions of its kernels, with clang.

clang writes what it reads as LLVM's text, not optimized, with the built-in functions that are used
already in it. There shared variables and kernels become what the rest of ganger-cc expects
(opencl_ir), and clang makes an object of it.
"""
import os
import re

from . import looping, opencl_ir, opencl_library, opencl_print, spirv
from .errors import KernelError
from .toolchain import CODE

VERSIONS = ("CL1.0", "CL1.1", "CL1.2", "CL3.0")
# At -O0 the back end leaves these marks of the optimized library in place, and then fails.
LIFETIME = re.compile(r"^ +(?:tail )?call void @llvm\.lifetime\..*\n", re.M)
# Of vectors: LLVM takes it that a quotient has no more bits than its type, so where a divisor is 0, for which the core gives
# all ones, it would also change the elements behind it.
QUOTIENT = re.compile(r"^( +)(%\S+ = udiv )(<(\d+) x (i8|i16)>)( .+, )(%[\w.]+)", re.M)
# Of clang's lines about functions that there are in OpenCL C, but not here.
NOT_HERE = {"__translate_sampler_initializer": "sampler_t"}


def flags(options):
    """The user's flags for clang. The language version of C is not for this one."""
    version = [f for f in options.flags if f.startswith("-cl-std=")]
    name = version[-1].partition("=")[2].upper() if version else "CL1.2"
    if name not in VERSIONS:
        raise KernelError(f"{version[-1]}: only OpenCL C 1.0 to 1.2 and 3.0 are supported")
    own = [f for f in options.flags if not f.startswith("-std=")]
    macros = opencl_library.MACROS_3 if name == "CL3.0" else ()
    return [f"-cl-std={name}", *macros, *(f for f in own if f not in version)]


def without_zeros(text):
    """LLVM's text with divisors of vectors that are 1 where they were 0: any quotient is right there, but only there."""
    def change(match):
        indent, result, vector, count, element, dividend, by = match.groups()
        name = f"%ganger.by.{match.start()}"
        ones = ", ".join([f"{element} 1"] * int(count))
        return (f"{indent}{name}.none = icmp eq {vector} {by}, zeroinitializer\n"
                f"{indent}{name} = select <{count} x i1> {name}.none, {vector} <{ones}>, {vector} {by}\n"
                f"{indent}{result}{vector}{dividend}{name}")
    return QUOTIENT.sub(change, text)


def function_name(symbol):
    """What the source calls it: _Z11read_imagef… is read_imagef."""
    match = re.match(r"_Z(\d+)", symbol)
    if match:
        return symbol[match.end():match.end() + int(match.group(1))]
    return NOT_HERE.get(symbol, symbol)


def refuse_missing(source, module):
    """Built-in functions that nothing defines: an object with them would not link."""
    missing = sorted({function_name(name) for name in module.declared
                      if name.startswith("_Z") or name in NOT_HERE})
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise KernelError(f"{source}: {', '.join(missing)} {verb} not supported")


def front_end(tools, source, produced):
    """LLVM's text of a source and of the built-ins that it uses."""
    if spirv.is_source(source):
        return spirv.front_end(tools, source, produced, front_end)
    o = tools.options
    library = [part for path in opencl_library.paths(tools)
               for part in ("-Xclang", "-mlink-builtin-bitcode", "-Xclang", path)]
    words = [f"-D{d}" for d in o.defines] + [f"-I{i}" for i in o.includes]
    said = tools.dependencies(produced)
    tools.checked([*opencl_library.compiler(o.xlen), *tools.machine, *CODE, "-cl-kernel-arg-info",
                   "-fgnu89-inline",  # `inline` alone is a definition, too: there is no other
                   "-include", opencl_library.FOLDER / "ganger_opencl.clh",
                   f"-O{o.optimize}", *(["-gdwarf-4"] if o.debug else []), *library, *words,
                   *flags(o), *said, "-I", source.parent, "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm",
                   "-o", produced, source], f"{source}: does not compile")
    return produced.read_text()


def compile_source(tools, source, number, alone, excluded):
    """(object, kernels, what is kept for each work-item by names of the kernels that became loops). `alone`: no other
    source calls its functions, which then cannot clash with names of the C library. `excluded`: kernels that keep
    their threads."""
    stem = f"{number}-{source.stem}"
    return back_end(tools, front_end(tools, source, tools.folder / f"{stem}.raw.ll"), source, stem, alone, excluded)


def back_end(tools, text, source, stem, alone, excluded):
    """The rest of compile_source(): of LLVM's text. `source`: for messages; `stem`: of the names of files."""
    o = tools.options
    try:
        module = opencl_ir.Module(opencl_print.connected(without_zeros(text), o.xlen), o.xlen)
        refuse_missing(source, module)
        text = module.rewritten(alone)
        text = LIFETIME.sub("", text) if o.optimize == "0" else text
    except KernelError as error:
        raise KernelError(str(error) if str(source) in str(error) else f"{source}: {error}") from None
    changed, produced = tools.folder / f"{stem}.ll", tools.folder / f"{stem}.o"
    changed.write_text(text)
    looped, made = looping.convert(tools, changed, alone, excluded) if looping.wanted(o) else (changed, {})
    looped = looping.with_race(tools, changed) if o.race else looped
    tools.checked([opencl_library.CLANG, f"--target=riscv{o.xlen}-unknown-elf", *tools.machine, *CODE,
                   f"-O{o.optimize}", "-Wno-override-module", "-Wno-unused-command-line-argument",
                   "-c", looped, "-o", produced], f"{source}: clang refuses the changed code")
    return produced, module.kernels, made


def is_source(path):
    """Whether a file is OpenCL C, or SPIR-V, which is taken the same way."""
    return os.path.splitext(path)[1] == ".cl" or spirv.is_source(path)
