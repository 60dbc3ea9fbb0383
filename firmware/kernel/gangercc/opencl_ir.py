# SPDX-License-Identifier: Apache-2.0
"""Changes to the LLVM text of an OpenCL C program, and what it says about its kernels.

Shared variables, the only ones without a value, become thread-local storage of the CTA. Each kernel
goes to the kernels' section and gets a function __ganger_args_KERNEL, which takes the address of the
argument block, loads the arguments and calls the kernel.
"""
import re

from . import layout, looping
from .debuginfo import Argument, Kernel, lay_out
from .errors import KernelError
from .layout import (AGGREGATE, CONST, FLOAT, GLOBAL, LOCAL, LOCAL_SPACE, POINTER, RESTRICT, SIGNED, UNSIGNED, VALUE,
                     VOLATILE)
from .opencl_types import IrTypes, split

PRIVATE_SPACE = 0  # as -cl-kernel-arg-info tells it
FLOATS = ("float", "double")
INTEGERS = {"i8": "char", "i16": "short", "i32": "int", "i64": "long"}
OPAQUE = re.compile(r"(image\w+_t|sampler_t|event_t|queue_t|pipe)\b")

LOCAL_VARIABLE = re.compile(r"^(@\S+) = internal (?:unnamed_addr )?global (.*) undef, align", re.M)
LOCAL_LINE = re.compile(LOCAL_VARIABLE.pattern + r" (\d+)[^\n]*\n", re.M)
BODY = re.compile(r"^define [^@\n]*@([\w.$]+|\"[^\"]+\")\(.*?^}", re.M | re.S)
LOCAL_ROOM = "@__ganger_local"
QUOTED_KERNEL = re.compile(r'^define [^@\n]*?spir_kernel void @"([^"]*)"', re.M)
KERNEL = re.compile(r"^define ([^@\n]*?)spir_kernel void @([\w.$]+)\((.*)\)([^!\n]*)(!.*)? \{$", re.M)
FUNCTION = re.compile(r"^define dso_local ([^@\n]*@([\w.$]+)\()", re.M)
DECLARATION = re.compile(r"^declare [^@\n]*@([\w.$]+)\(", re.M)
METADATA = re.compile(r"^!(\d+) = (?:distinct )?!\{(.*)\}$", re.M)
# Of the functions of kernels whose global size need not be a multiple of the work-group's: OpenCL C 2.0 and later.
EDGES = re.compile(r'^attributes (#\d+) = \{[^\n]* "uniform-work-group-size"="false"', re.M)
# The library is built for more than the core may have; the back end is told what this one has.
FEATURES = re.compile(r' "(?:target-features|target-cpu|tune-cpu)"="[^"]*"')
INLINE_BYTES = 512  # of arguments
THREAD_POINTER = "declare i8* @llvm.thread.pointer()"


def wrapper_name(kernel):
    return f"__ganger_args_{kernel}"


class Module:
    """`kernels`: as debuginfo.Kernel. `declared`: functions that are not in this text."""

    def __init__(self, text, xlen):
        self.text = text
        self.xlen = xlen
        self.types = IrTypes(text, xlen)
        self.nodes = dict(METADATA.findall(text))
        self.declared = {n for n in DECLARATION.findall(text) if not n.startswith("llvm.")}
        self.kernels, self.wrappers = [], []
        quoted = QUOTED_KERNEL.search(text)
        if quoted:
            name = re.sub(rb"\\([0-9A-F]{2})", lambda m: bytes([int(m[1], 16)]), quoted[1].encode()).decode()
            raise KernelError(f"kernel {name}: the name of a kernel of OpenCL C has letters, digits and _ of "
                              "ASCII only: give it another one")
        self.edges = set(EDGES.findall(text))
        for match in KERNEL.finditer(text):
            self.read_kernel(*match.group(2, 3, 5))
            self.kernels[-1].edges = not self.edges.isdisjoint(match.group(4).split())

    def words(self, links, name):
        """The elements of a metadata node that a function has, without their types."""
        found = re.search(rf"!{name} !(\d+)", links)
        parts = split(self.nodes[found.group(1)]) if found else []
        return [p.partition('!"')[2][:-1] if p.startswith('!"') else int(p.split()[1]) for p in parts]

    def read_kernel(self, name, parameters, links):
        links = links or ""
        kernel = Kernel(name, 0)
        kernel.block = tuple(self.words(links, "reqd_work_group_size"))
        if kernel.block and not 1 <= kernel.block[0] * kernel.block[1] * kernel.block[2] <= 1024:
            raise KernelError(f"kernel {name}: reqd_work_group_size{kernel.block} has not 1 to 1,024 threads")
        kernel.attributes = self.attributes(links)
        facts = [self.words(links, "kernel_arg_" + what)
                 for what in ("name", "type", "base_type", "addr_space", "type_qual")]
        parameters = split(parameters)
        for number, parameter in enumerate(parameters):
            about = [fact[number] for fact in facts]
            kernel.arguments.append(Argument(about[0], self.argument_type(name, parameter, *about)))
        kernel.wrapper = wrapper_name(name)
        lay_out(kernel)
        self.kernels.append(kernel)
        self.wrappers.append(self.wrapper(kernel, parameters))

    def attributes(self, links):
        """What a kernel is marked with, as in the source."""
        found = []
        for name in ("reqd_work_group_size", "work_group_size_hint"):
            numbers = self.words(links, name)
            found += [f"{name}({','.join(map(str, numbers))})"] if numbers else []
        hint = re.search(r"!vec_type_hint !(\d+)", links)
        node = hint and re.fullmatch(r"(?:<(\d+) x )?(\w+)>? undef, i32 ([01])", self.nodes[hint.group(1)])
        if node:
            width, type_, signed = node.groups()
            name = INTEGERS.get(type_, type_)
            unsigned = "u" if type_ in INTEGERS and signed == "0" else ""
            found.append(f"vec_type_hint({unsigned}{name}{width or ''})")
        return " ".join(found)

    def argument_type(self, kernel, parameter, name, shown, base, space, qualifiers):
        """Type of one parameter. Its size and alignment are those of the text."""
        if OPAQUE.match(shown) or OPAQUE.match(base):
            raise KernelError(f"kernel {kernel}, parameter {name}: {shown} is not supported")
        type_, align = self.types.of_parameter(parameter)
        if space != PRIVATE_SPACE:
            bytes_ = self.xlen // 8
            words = {"const": CONST, "volatile": VOLATILE, "restrict": RESTRICT}
            flags = sum(bit for word, bit in words.items() if word in qualifiers.split())
            written, shown = shown, re.sub(r"\s*\*", " *", ("const " if flags & CONST else "") + shown)
            return layout.Type("", shown, bytes_, bytes_, POINTER,
                               LOCAL if space == LOCAL_SPACE else GLOBAL, flags, space, written)
        kind = (FLOAT if type_ in FLOATS else AGGREGATE if not re.fullmatch(r"i\d+", type_)
                else UNSIGNED if re.match(r"u|enum", base) else SIGNED)
        return layout.Type("", shown, self.types.size(type_), align or self.types.align(type_), kind, VALUE, cl_name=shown)

    def load(self, argument, parameter, number):
        """Lines that make %vN of an argument. A structure is passed by its address."""
        place = [f"  %p{number} = getelementptr i8, i8* %args, i{self.xlen} {argument.offset}"]
        type_ = self.types.first(parameter)
        if " byval(" in parameter:
            return place + [f"  %v{number} = bitcast i8* %p{number} to {type_}"]
        if argument.type.kind == LOCAL:
            word = f"i{self.xlen}"
            return place + [f"  %q{number} = bitcast i8* %p{number} to {word}*",
                            f"  %o{number} = load {word}, {word}* %q{number}, align {self.xlen // 8}",
                            f"  %t{number} = call i8* @llvm.thread.pointer()",
                            f"  %a{number} = getelementptr i8, i8* %t{number}, {word} %o{number}",
                            f"  %v{number} = bitcast i8* %a{number} to {type_}"]
        return place + [f"  %q{number} = bitcast i8* %p{number} to {type_}*",
                        f"  %v{number} = load {type_}, {type_}* %q{number}, align {argument.type.align}"]

    def wrapper(self, kernel, parameters):
        lines = ["", f"define dso_local void @{kernel.wrapper}(i8* %args) nounwind {{"]
        for number, (argument, parameter) in enumerate(zip(kernel.arguments, parameters)):
            lines += self.load(argument, parameter, number)
        passed = ", ".join(re.sub(r"%[\w.]+$", f"%v{n}", p) for n, p in enumerate(parameters))
        # clang 14 fails on calls that pass some kilobytes on the stack: such a kernel becomes a part of this function.
        how = "noinline" if kernel.args_bytes <= INLINE_BYTES else "alwaysinline"
        return "\n".join(lines + [f"  call void @{kernel.name}({passed}) {how}", "  ret void", "}", ""])

    def own_locals(self):
        """For each kernel, the local variables that nothing else uses, as (name, type, alignment); kernels that others
        call have none."""
        bodies = {match[1]: match[0] for match in BODY.finditer(self.text)}
        words = {name: set(re.findall(r'@(?:[\w.$]+|"[^"]+")', body)) for name, body in bodies.items()}
        kernels = [k.name for k in self.kernels
                   if k.name in words and sum(f"@{k.name}" in used for used in words.values()) == 1]
        found = {}
        for name, type_, align in LOCAL_LINE.findall(self.text):
            users = [function for function, used in words.items() if name in used]
            if len(users) == 1 and users[0] in kernels:
                found.setdefault(users[0], []).append((name, type_, int(align)))
        return found

    def overlaid(self, text):
        """The text where the local variables of kernels begin at the same place, since a CTA runs only one of them."""
        own = self.own_locals()
        if len(own) < 2:
            return text
        places, room, most = {}, 0, 1
        for variables in own.values():
            end = 0
            for name, type_, align in variables:
                places[name] = layout.align_up(end, align), type_
                end, most = places[name][0] + self.types.size(type_), max(most, align)
            room = max(room, end)
        array, word = f"[{room} x i8]", f"i{self.xlen}"

        def place(match):
            if match[0] not in places:
                return match[0]
            offset, type_ = places[match[0]]
            return f"bitcast (i8* getelementptr inbounds ({array}, {array}* {LOCAL_ROOM}, {word} 0, {word} {offset}) to {type_}*)"
        text = LOCAL_LINE.sub(lambda m: "" if m[1] in places else m[0], text)
        return (re.sub(r'@(?:[\w.$]+|"[^"]+")', place, text) +
                f"\n{LOCAL_ROOM} = dso_local thread_local(localexec) global {array} zeroinitializer, align {most}\n")

    def rewritten(self, alone):
        """The text for the back end."""
        names = {kernel.name for kernel in self.kernels}
        # Visible from outside, so that nothing is concluded from what is seen to be stored there.
        text = LOCAL_VARIABLE.sub(r"\1 = dso_local thread_local(localexec) global \2 zeroinitializer, align",
                                  self.overlaid(self.text))
        text = KERNEL.sub(r'define \1void @\2(\3)\4section ".text.ganger.kernels" \5 {', text)
        if alone:
            text = FUNCTION.sub(lambda m: m.group(0) if m.group(2) in names else
                                f"define internal {m.group(1)}", text)
        text = looping.marked(text)
        text = FEATURES.sub("", text.replace("spir_kernel ", ""))
        if THREAD_POINTER not in text:
            text += f"\n{THREAD_POINTER}\n"
        return text + "".join(self.wrappers)
