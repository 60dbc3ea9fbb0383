# SPDX-License-Identifier: Apache-2.0
"""Makes a module tell of its accesses to memory: `race OUT.ll IN.ll`, for `ganger-cc --race`.

Before each load, store and atomic operation, and before each barrier, comes a call of ganger_race_access() with the kind,
the address, the bytes, and the pointer that the address was computed from (runtime/race.c). What goes to a variable of one work-item by its name is left out, and so are the
functions that load a kernel's arguments. Built-in functions of OpenCL C have no debug information: they are inlined
before, and what they do has the line of their caller.
"""
import re
import sys

sys.dont_write_bytecode = True

import llvm  # noqa: E402
from llvm import ATOMIC, CALL, CMPXCHG, LOAD, STORE, L, blocks, called, functions, instructions, opcode, shown  # noqa: E402
from shape import is_barrier  # noqa: E402
from words import Words  # noqa: E402

READ, WRITE, ATOMIC_READ, ATOMIC_WRITE, BARRIER, CLUSTER = range(1, 7)  # GANGER_RACE_… of runtime/race.h
WRAPPER = "__ganger_args_"
POINTER_STEPS = (llvm.GEP, llvm.BITCAST, 60)  # 60: from one address space to another
CLUSTER_CALL = '"ecall", "={x10},{x11},{x17},{x10},'  # ganger_cluster_call(): its operands are a1, a7 and a0
WORD_ATOMIC = re.compile(r'asm sideeffect "(?:amo|lr|sc)\w*\.(w|d)')


def base_of(pointer):
    """What an address is computed from, by indices and members alone: a variable, or a pointer that was read or passed."""
    while L.IsAInstruction(pointer) and opcode(pointer) in POINTER_STEPS:
        pointer = L.GetOperand(pointer, 0)
    return pointer


class Teller:
    """Puts the calls into one module."""

    def __init__(self, path):
        self.context = L.ContextCreate()
        self.module = llvm.read(path, self.context)
        layout = L.GetModuleDataLayout(self.module)
        pointer = L.PointerType(L.IntTypeInContext(self.context, 8), 0)
        self.words = Words(self.context, layout, 8 * L.ABISizeOfType(layout, pointer))
        types = (llvm.ctypes.c_void_p * 4)(*[self.words.word] * 4)
        self.type = L.FunctionType(L.VoidTypeInContext(self.context), types, 4, 0)
        self.target = L.AddFunction(self.module, b"ganger_race_access", self.type)
        self.place = None

    def inline_library(self):
        """Functions without debug information become parts of their callers."""
        for function in list(functions(self.module)):
            if L.IsDeclaration(function) or L.GetSubprogram(function) or llvm.name(function).startswith(WRAPPER):
                continue
            for word in (b"noinline", b"optnone"):
                L.RemoveEnumAttributeAtIndex(function, llvm.FUNCTION_INDEX, L.GetEnumAttributeKindForName(word, len(word)))
            kind = L.GetEnumAttributeKindForName(b"alwaysinline", 12)
            L.AddAttributeAtIndex(function, llvm.FUNCTION_INDEX, L.CreateEnumAttribute(self.context, kind, 0))
        llvm.run_passes(self.module, "always-inline")

    def tell(self, before, kind, address, nbytes):
        """A call before an instruction, on its line. The address is a pointer or a word; both are values of LLVM."""
        builder, place = self.words.at(before), L.InstructionGetDebugLoc(before) or self.place
        L.SetCurrentDebugLocation2(builder, place)
        if L.GetTypeKind(L.TypeOf(address)) == llvm.POINTER_TYPE:
            base = base_of(address)
            if L.IsAAllocaInst(base):  # a variable of the function, which nobody else knows
                return
            base, address = (L.BuildPtrToInt(builder, one, self.words.word, b"") for one in (base, address))
        else:
            base = address
        if L.TypeOf(nbytes) != self.words.word:  # on 32 bits nothing has 64, on 64 bits a length may have 32
            nbytes = L.BuildZExt(builder, nbytes, self.words.word, b"")
        values = (llvm.ctypes.c_void_p * 4)(self.words.number(kind), address, nbytes, base)
        made = L.BuildCall2(builder, self.type, self.target, values, 4, b"")
        kind = L.GetEnumAttributeKindForName(b"nomerge", 7)  # each keeps its line
        L.AddCallSiteAttribute(made, llvm.FUNCTION_INDEX, L.CreateEnumAttribute(self.context, kind, 0))

    def size(self, type_):
        return self.words.number(L.StoreSizeOfType(self.words.layout, type_))

    def visit_call(self, call):
        target = called(call)
        if target.startswith(("llvm.memcpy", "llvm.memmove")):
            self.tell(call, READ, L.GetOperand(call, 1), L.GetOperand(call, 2))
        if target.startswith(("llvm.memcpy", "llvm.memmove", "llvm.memset")):
            self.tell(call, WRITE, L.GetOperand(call, 0), L.GetOperand(call, 2))
        if target or not L.IsAInlineAsm(L.GetCalledValue(call)):
            return
        text = shown(call)
        atomic = WORD_ATOMIC.search(text)
        if is_barrier(call):
            self.tell(call, BARRIER, self.words.number(0), self.words.number(0))
        elif atomic:
            self.tell(call, ATOMIC_WRITE, L.GetOperand(call, 0), self.words.number(4 if atomic.group(1) == "w" else 8))
        elif CLUSTER_CALL in text:
            second, number, first = (L.GetOperand(call, place) for place in range(3))
            # The runtime looks whether it is a barrier: the number of the call goes with what is to be done.
            builder = self.words.at(call)
            upper = L.BuildMul(builder, number, self.words.number(256), b"")
            self.tell(call, CLUSTER, first, L.BuildAdd(builder, upper, second, b""))

    def visit(self, instruction):
        kind = opcode(instruction)
        if kind in (LOAD, STORE):
            value, place = (instruction, 0) if kind == LOAD else (L.GetOperand(instruction, 0), 1)
            atomic = 2 if L.GetOrdering(instruction) else 0
            self.tell(instruction, (READ if kind == LOAD else WRITE) + atomic, L.GetOperand(instruction, place),
                      self.size(L.TypeOf(value)))
        elif kind in (ATOMIC, CMPXCHG):
            self.tell(instruction, ATOMIC_WRITE, L.GetOperand(instruction, 0),
                      self.size(L.TypeOf(L.GetOperand(instruction, 1))))
        elif kind == CALL:
            self.visit_call(instruction)

    def run(self):
        self.inline_library()
        for function in list(functions(self.module)):
            if llvm.name(function).startswith(WRAPPER) or L.IsDeclaration(function):
                continue
            program = L.GetSubprogram(function)
            self.place = L.DIBuilderCreateDebugLocation(
                self.context, L.DISubprogramGetLine(program), 0, program, None) if program else None
            for block in blocks(function):
                for instruction in instructions(block):
                    self.visit(instruction)
        llvm.verify(self.module)


def main(arguments):
    produced, source = arguments
    try:
        teller = Teller(source)
        teller.run()
        llvm.write(teller.module, produced)
    except llvm.Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
