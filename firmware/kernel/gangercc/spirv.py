# SPDX-License-Identifier: Apache-2.0
"""SPIR-V: from a module to LLVM's text as clang writes it of OpenCL C, with Debian's llvm-spirv-14.

llvm-spirv makes LLVM's bitcode of the module, for a machine whose pointers know their address space, and which passes
vectors as they are. Here all pointers are the same, and a vector goes where the ABI of RISC-V has it. So address spaces
are taken out; and each built-in function that the module calls becomes a function that puts its arguments into memory
and calls a *bridge*: a function of a source in OpenCL C, made here, which takes them from there and calls the built-in by
its name. Both disappear when the whole is optimized.
"""
import re
import shutil
import struct
import sys
from pathlib import Path

from .errors import KernelError
from .opencl_library import CLANG
from .opencl_types import split

TOOL = "llvm-spirv-14"
JOIN = Path(__file__).resolve().parent / "loops" / "join.py"
MAGIC, VERSIONS = 0x07230203, range(0x10000, 0x10500, 0x100)  # 1.0 to 1.4
MEMORY_MODEL, MODELS = 14, {1: 32, 2: 64}  # an instruction, and its addressing models
SPACE = re.compile(r" addrspace\(\d+\)")
INTRINSIC = re.compile(r"(?<=\.)p[1-9](?=[a-z]\w*)")  # in names such as llvm.memcpy.p1i8.p0i8.i64
INTRINSIC_NAME = re.compile(r"@llvm\.[\w.]+")
DECLARATION = re.compile(r"^declare ([^@\n]*)@(_Z\w+)\((.*)\)([^\n]*)$", re.M)
FORMAT = re.compile(r"^ +(%[\w.]+) = getelementptr (?:inbounds )?(\[\d+ x i8\]), (\[\d+ x i8\]\* @\S+), (i\d+ 0), (i\d+ \d+)$")
PRINT = re.compile(r"(@printf\(i8\* )(%[\w.]+)")
LETTERS = {"a": "char", "c": "char", "h": "uchar", "s": "short", "t": "ushort", "i": "int", "j": "uint", "l": "long",
           "m": "ulong", "x": "long", "y": "ulong", "f": "float", "d": "double", "Dh": "half"}
# What a pointer may point to: a generic one is as good as a global one, since all are the same.
SPACES = {"AS0": "private", "AS1": "global", "AS2": "constant", "AS3": "local", "AS4": "global"}
NAMED = {"ocl_event": "event_t"}


class Name:
    """A name of C++'s (Itanium's) form: `function`, and `types` of its arguments in OpenCL C."""

    def __init__(self, symbol):
        self.symbol, self.rest, self.known = symbol, symbol[2:], []
        self.function = self.word()
        self.types = []
        while self.rest:
            self.types.append(self.type())
        if self.types == ["void"]:
            self.types = []

    def take(self, pattern):
        match = re.match(pattern, self.rest)
        if match:
            self.rest = self.rest[match.end():]
        return match

    def word(self):
        match = self.take(r"(\d+)")
        if not match:
            raise KernelError(f"the function {self.symbol} is not supported")
        word, self.rest = self.rest[:int(match[1])], self.rest[int(match[1]):]
        return word

    def remember(self, text):
        self.known.append(text)
        return text

    def type(self):
        found = self.take(r"S(\w?)_")
        if found:
            return self.known[int(found[1], 36) + 1 if found[1] else 0]
        if self.take("v"):
            return "void"
        if self.take("P"):
            inner = self.type()
            space = "" if re.match("(private|global|constant|local) ", inner) else "private "
            return self.remember(f"{space}{inner} *")
        found = self.take(r"Dv(\d+)_")
        if found:
            return self.remember(self.type() + found[1])
        if re.match("[UVK]", self.rest):
            return self.qualified()
        if self.rest[:1].isdigit():
            word = self.word()
            if word not in NAMED:
                raise KernelError(f"{self.function}: {word.replace('ocl_', '')} is not supported")
            return self.remember(NAMED[word])
        found = self.take("Dh|.")
        if not found or found[0] not in LETTERS:
            raise KernelError(f"the function {self.symbol} is not supported")
        return LETTERS[found[0]]

    def qualified(self):
        words = []
        while re.match("[UVK]", self.rest):
            if self.take("U"):
                words.insert(0, SPACES.get(self.word(), ""))
            else:
                words.append({"V": "volatile", "K": "const"}[self.take("[VK]")[0]])
        return self.remember(" ".join([*filter(None, words), self.type()]))


def check(source, xlen):
    """Refuses what is no module for a device of this XLEN."""
    data = source.read_bytes()
    words = struct.unpack(f"<{len(data) // 4}I", data[:len(data) // 4 * 4])
    if len(words) < 5 or len(data) % 4 or words[0] != MAGIC:
        raise KernelError(f"{source}: not a module of SPIR-V")
    if words[1] not in VERSIONS:
        raise KernelError(f"{source}: SPIR-V {words[1] >> 16}.{words[1] >> 8 & 255}; 1.0 to 1.4 are supported")
    place = 5
    while place < len(words) and words[place] & 0xffff != MEMORY_MODEL:
        place += max(1, words[place] >> 16)
    model = MODELS.get(words[place + 1]) if place + 2 < len(words) else None
    if model != xlen:
        what = f"{model}-bit addresses" if model else "no physical addresses"
        raise KernelError(f"{source}: a module of {what}, and the device has {xlen}-bit ones")


def translate(tools, source):
    """LLVM's text of the module, for the device's machine but for its address spaces."""
    o = tools.options
    if not shutil.which(TOOL):
        raise KernelError(f"{source}: {TOOL} is not installed (Debian: llvm-spirv-14)")
    code, text = tools.folder / f"{source.stem}.bc", tools.folder / f"{source.stem}.spirv.ll"
    constants = [f"--spec-const={' '.join(o.constants)}"] if o.constants else []
    tools.checked([TOOL, "-r", "--spirv-target-env=CL1.2", "--spirv-gen-kernel-arg-name-md", *constants, source, "-o", code],
                  f"{source}: {TOOL} refuses it")
    tools.checked([CLANG, f"--target=riscv{o.xlen}-unknown-elf", *tools.machine, "-x", "ir", "-Wno-override-module",
                   "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", text, code], f"{source}: clang refuses it")
    return text.read_text()


def without_spaces(text):
    """The text where all pointers are the same."""
    text = SPACE.sub("", text).replace("addrspacecast", "bitcast").replace("spir_func ", "")
    text = INTRINSIC_NAME.sub(lambda m: INTRINSIC.sub("p0", m[0]), text)
    seen, lines = set(), []
    for line in text.split("\n"):
        name = INTRINSIC_NAME.search(line)[0] if line.startswith("declare ") and "@llvm." in line else None
        if name is None or name not in seen:
            lines.append(line)
        seen.add(name)
    return "\n".join(lines)


def with_formats(text):
    """The text where printf has its format as a constant, as clang writes it."""
    lines, formats = [], {}
    for line in text.split("\n"):
        found = FORMAT.match(line)
        if found:
            name, type_, string, *numbers = found.groups()
            formats[name] = f"getelementptr inbounds ({type_}, {string}, {', '.join(numbers)})"
        elif line.startswith("}"):
            formats = {}
        lines.append(PRINT.sub(lambda m: m[1] + formats.get(m[2], m[2]), line))
    return "\n".join(lines)


class Bridges:
    """`text` with built-ins that call bridges; `source`: these."""

    def __init__(self, text):
        self.sources = []
        self.text = DECLARATION.sub(self.bridge, text)

    @property
    def source(self):
        return "\n".join(self.sources) + "\n"

    def bridge(self, match):
        result, symbol, parameters, _rest = match.groups()
        name, types = Name(symbol), split(parameters)
        types = [re.sub(r"(?<![\w.%])(noundef|signext|zeroext|nocapture|readonly|readnone)\b ?", "", t).strip() for t in types]
        result = result.replace("zeroext ", "").replace("signext ", "").strip()
        number = len(self.sources)
        if len(types) != len(name.types):
            raise KernelError(f"the function {symbol} is not supported")
        call = f"{name.function}({', '.join(f'*({t} private *)a{i}' for i, t in enumerate(name.types))})"
        body = f"{call};" if result == "void" else f"*(private __typeof__({call}) *)r = {call};"
        self.sources.append(f"void __ganger_bridge_{number}({', '.join(['private void *r', *(f'private void *a{i}' for i in range(len(types)))])})"
                            f" {{ {body} }}")
        return self.function(number, symbol, result, types)

    @staticmethod
    def function(number, symbol, result, types):
        """The built-in, in LLVM's text."""
        empty = result == "void"
        stored = [("%r", "i8" if empty else result), *((f"%p{i}", t) for i, t in enumerate(types))]
        lines = [f"declare void @__ganger_bridge_{number}({', '.join(['i8*'] * len(stored))})", "",
                 f"define internal {result} @{symbol}({', '.join(f'{t} %a{i}' for i, t in enumerate(types))}) alwaysinline convergent nounwind {{"]
        lines += [f"  {place} = alloca {type_}, align 128" for place, type_ in stored]
        lines += [f"  store {t} %a{i}, {t}* %p{i}" for i, t in enumerate(types)]
        lines += [f"  {place}.v = bitcast {type_}* {place} to i8*" for place, type_ in stored]
        lines += [f"  call void @__ganger_bridge_{number}({', '.join(f'i8* {place}.v' for place, _t in stored)}) convergent nounwind"]
        lines += ["  ret void"] if empty else [f"  %v = load {result}, {result}* %r", f"  ret {result} %v"]
        return "\n".join([*lines, "}"])


def front_end(tools, source, produced, compile_source):
    """LLVM's text of a module and of the built-ins that it uses. `compile_source`: the front end of OpenCL C."""
    check(source, tools.options.xlen)
    bridges = Bridges(with_formats(without_spaces(translate(tools, source))))
    own, other = tools.folder / f"{source.stem}.own.ll", tools.folder / f"{source.stem}.bridges.ll"
    own.write_text(bridges.text)
    made = tools.folder / f"{source.stem}.bridges.cl"
    made.write_text(bridges.source)
    compile_source(tools, made, other)
    tools.checked([sys.executable, "-B", JOIN, produced, own, other], f"{source}: cannot be linked")
    return produced.read_text()


def is_source(path):
    return path.suffix == ".spv"
