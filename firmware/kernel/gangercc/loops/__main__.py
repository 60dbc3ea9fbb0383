# SPDX-License-Identifier: Apache-2.0
"""Turns kernels into loops over their work-items: `loops IN.ll OUT.ll [--alone] [--not KERNEL …]`.

Prints a line of JSON: {"loops": {KERNEL: bytes to keep for each work-item}, "refused": {KERNEL: why}}. It is a program
of its own, so that a mistake in LLVM's library ends it, and not ganger-cc.
"""
import json
import sys

import llvm
from convert import Kernel
from llvm import CALL, L, blocks, called, functions, instructions, name, opcode, users
from shape import Refused, is_barrier
from uniform import FIXED, ITEMS
from words import Words, read_fixed, read_item

SECTION = b".text.ganger.kernels"
WRAPPER = "__ganger_args_"  # of OpenCL C: it calls the kernel for all work-items
PASSES = ("always-inline,cgscc(inline),function(sroa,early-cse<memssa>,simplifycfg,instcombine,simplifycfg,loop(loop-rotate),"
          "sroa,early-cse<memssa>,instcombine,simplifycfg,loop-simplify,lcssa)")


def is_kernel(function):
    return not L.IsDeclaration(function) and L.GetSection(function) \
        and llvm.ctypes.string_at(L.GetSection(function)) == SECTION


def calls(function):
    return [i for block in blocks(function) for i in instructions(block) if opcode(i) == CALL]


class Program:
    """A module on its way."""

    def __init__(self, path, alone):
        self.context = L.ContextCreate()
        self.module = llvm.read(path, self.context)
        self.alone = alone
        layout = L.GetModuleDataLayout(self.module)
        pointer = L.PointerType(L.IntTypeInContext(self.context, 8), 0)
        self.words = Words(self.context, layout, 8 * L.ABISizeOfType(layout, pointer))
        self.kernels = {name(f): f for f in functions(self.module) if is_kernel(f)}
        self.personal = self.find_personal()

    def find_personal(self):
        """Names of the functions that ask for ids or come to barriers, themselves or in what they call."""
        edges, found = {}, set(ITEMS)
        for function in functions(self.module):
            made = calls(function)
            edges[name(function)] = {called(c) for c in made}
            if any(map(is_barrier, made)):
                found.add(name(function))
        before = 0
        while before != len(found):
            before = len(found)
            found |= {caller for caller, callees in edges.items() if callees & found}
        return found

    def mark(self, function, chosen=""):
        """Takes from a function what says whether it is inlined, and says so anew."""
        for word in ("alwaysinline", "noinline", "optnone"):
            kind = L.GetEnumAttributeKindForName(word.encode(), len(word))
            L.RemoveEnumAttributeAtIndex(function, llvm.FUNCTION_INDEX, kind)
            if word == chosen:
                L.AddAttributeAtIndex(function, llvm.FUNCTION_INDEX, L.CreateEnumAttribute(self.context, kind, 0))

    def prepare(self):
        """One function for each kernel, with what asks for ids and comes to barriers in it."""
        kept = []
        for function in list(functions(self.module)):
            if name(function).startswith(WRAPPER):
                for call in calls(function):
                    if called(call) in self.kernels:
                        place = L.GetNumOperands(call) - 1
                        kept.append((call, place, L.GetOperand(call, place)))
        for number, (call, place, function) in enumerate(kept):
            stand_in = L.AddFunction(self.module, b"loops.stand_in.%d" % number, L.GlobalGetValueType(function))
            L.SetOperand(call, place, stand_in)
        for asked in ITEMS | FIXED:
            function = L.GetNamedFunction(self.module, asked.encode())
            if function:
                self.mark(function, "noinline")
        marked = [f for f in functions(self.module) if name(f) in self.personal - ITEMS and not L.IsDeclaration(f)
                  and not name(f).startswith(WRAPPER)]
        for function in marked:
            self.mark(function, "alwaysinline")
        llvm.run_passes(self.module, PASSES)
        for function in functions(self.module):
            if is_kernel(function):
                self.mark(function)
        for call, place, function in kept:
            L.SetOperand(call, place, function)

    def check_calls(self, kernel):
        """Refuses a kernel that is called, or calls what may ask for ids or come to a barrier elsewhere."""
        kind = L.GetEnumAttributeKindForName(b"byval", 5)
        if any(L.GetEnumAttributeAtIndex(kernel, place + 1, kind) for place in range(L.CountParams(kernel))):
            raise Refused("each work-item has a copy of a structure that is passed by value")
        for user in users(kernel):
            if L.IsAInstruction(user):
                caller = name(L.GetBasicBlockParent(L.GetInstructionParent(user)))
                if not caller.startswith(WRAPPER):
                    raise Refused("another function calls it")
        for call in calls(kernel):
            target = called(call)
            if target in self.personal - ITEMS:
                raise Refused(f"{target} cannot be inlined")
            known = not target or target in ITEMS or target.startswith(("llvm.", "ganger_"))
            if not known and not self.alone and L.IsDeclaration(L.GetCalledValue(call)):
                raise Refused(f"{target} may be in another source")

    def convert(self, kernel):
        """Returns the bytes to keep for each work-item."""
        self.check_calls(self.kernels[kernel])
        return Kernel(self.module, self.words, self.kernels[kernel]).context_bytes

    def locate(self, function):
        """Gives each end of a kernel a place in the source: the parameters of a function that has no instruction with a
        place are not in the debug information, and ganger-cc reads them there."""
        program = L.GetSubprogram(function)
        for block in blocks(function) if program else []:
            for end in instructions(block):
                if opcode(end) == llvm.RET and not L.InstructionGetDebugLoc(end):
                    line = L.DISubprogramGetLine(program)
                    L.InstructionSetDebugLoc(
                        end, L.DIBuilderCreateDebugLocation(self.context, line, 0, program, None))

    def finish(self):
        """What is left are ids in functions of one work-item."""
        for function in functions(self.module):
            if is_kernel(function):
                self.locate(function)
        for stand_in in ITEMS | FIXED:
            function = L.GetNamedFunction(self.module, stand_in.encode())
            for call in users(function) if function else []:
                self.words.at(call)
                read = read_item if stand_in in ITEMS else read_fixed
                L.ReplaceAllUsesWith(call, read(self.words, self.module, call))
                L.InstructionEraseFromParent(call)
        llvm.verify(self.module)


def attempt(source, alone, refused):
    """(the program, {kernel: bytes}), or raises (kernel, why)."""
    program = Program(source, alone)
    program.prepare()
    done = {}
    for kernel in program.kernels:
        if kernel not in refused:
            try:
                done[kernel] = program.convert(kernel)
            except Refused as why:
                refused[kernel] = str(why)
                return None
    program.finish()
    return program, done


def main(arguments):
    source, produced, *options = arguments
    refused = {kernel: "excluded" for kernel in options if not kernel.startswith("-")}
    result = None
    while result is None:
        result = attempt(source, "--alone" in options, refused)
    program, done = result
    llvm.write(program.module, produced)
    print(json.dumps({"loops": done, "refused": refused}))


if __name__ == "__main__":
    main(sys.argv[1:])
