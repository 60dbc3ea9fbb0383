# SPDX-License-Identifier: Apache-2.0
"""Makes LLVM's instructions: at a place, about numbers and fields of the CTA's block."""
import llvm
from llvm import L, called

CTA_BYTES = 256
BLOCK, STACK_BYTES, STACK_BASE, LOCAL_ID, THREAD = 12, 108, 136, 176, 188  # of gg_cta.h
CONTEXT_ALIGN = 16  # of stacks


def align_up(value, align):
    return (value + align - 1) // align * align


class Words:
    """Makes instructions at one place after the other."""

    def __init__(self, context, layout, bits):
        self.context, self.layout = context, layout
        self.builder = L.CreateBuilderInContext(context)
        self.word, self.int32, self.byte = (L.IntTypeInContext(context, n) for n in (bits, 32, 8))
        self.address = L.PointerType(self.byte, 0)

    def at(self, instruction):
        L.PositionBuilderBefore(self.builder, instruction)
        L.SetCurrentDebugLocation2(self.builder, None)
        return self.builder

    def end(self, block):
        L.PositionBuilderAtEnd(self.builder, block)
        L.SetCurrentDebugLocation2(self.builder, None)
        return self.builder

    def number(self, value):
        return L.ConstInt(self.word, value, 0)

    @staticmethod
    def one(value):
        """The only index of a step from a pointer."""
        return (llvm.ctypes.c_void_p * 1)(value)

    def moved(self, address, offset, type_):
        """address + offset as a pointer to a type, where the builder is."""
        value = self.number(offset & (1 << 64) - 1)
        place = L.BuildGEP2(self.builder, self.byte, address, self.one(value), 1, b"")
        return L.BuildBitCast(self.builder, place, L.PointerType(type_, 0), b"")

    def size(self, type_):
        return L.ABISizeOfType(self.layout, type_)

    def align(self, type_):
        return min(L.ABIAlignmentOfType(self.layout, type_), CONTEXT_ALIGN)


def thread_pointer(words, module):
    function = L.GetNamedFunction(module, b"llvm.thread.pointer")
    type_ = L.FunctionType(words.address, None, 0, 0)
    function = function or L.AddFunction(module, b"llvm.thread.pointer", type_)
    return L.BuildCall2(words.builder, type_, function, None, 0, b"")


def load_word(words, place, type_):
    """Loads a number where the builder is, as a word."""
    value = L.BuildLoad2(words.builder, type_, place, b"")
    return value if type_ == words.word else L.BuildZExt(words.builder, value, words.word, b"")


def read_block(words, module, offset, type_):
    """Loads a field of the CTA's block where the builder is, as a word."""
    return load_word(words, words.moved(thread_pointer(words, module), offset - CTA_BYTES, type_), type_)


def read_fixed(words, module, call):
    """What ganger_fixed_NAME(offset) stands for: a field of 32 bits, or a word. The offset is a number, or a value where a
    program computes the dimension."""
    offset = L.GetOperand(call, 0)
    type_ = words.word if called(call) == "ganger_fixed_word" else words.int32
    if L.IsAConstantInt(offset):
        return read_block(words, module, L.ConstIntGetZExtValue(offset), type_)
    if words.word != words.int32:
        offset = L.BuildZExt(words.builder, offset, words.word, b"")
    block = words.moved(thread_pointer(words, module), -CTA_BYTES, words.byte)
    place = L.BuildGEP2(words.builder, words.byte, block, words.one(offset), 1, b"")
    return load_word(words, L.BuildBitCast(words.builder, place, L.PointerType(type_, 0), b""), type_)


def read_item(words, module, call):
    """The same in a function that one work-item executes."""
    axis = {"ganger_item_x": 0, "ganger_item_y": 4, "ganger_item_z": 8}.get(called(call))
    return read_block(words, module, THREAD if axis is None else LOCAL_ID + axis, words.int32)
