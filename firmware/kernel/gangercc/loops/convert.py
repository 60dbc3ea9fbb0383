# SPDX-License-Identifier: Apache-2.0
"""A kernel that runs one work-item becomes one that runs all of a CTA: a loop for each region (shape.py)."""
import llvm
from keep import Kept
from llvm import ALLOCA, CALL, L, LOAD, PHI, STORE, blocks, called, instructions, opcode, successors
from shape import redirect
from uniform import ITEMS
from words import BLOCK, CTA_BYTES, STACK_BASE, STACK_BYTES, THREAD, read_block, thread_pointer


class Kernel(Kept):
    """One function, afterwards with its loops."""

    def __init__(self, module, words, function):
        super().__init__(module, words, function)
        self.begins, self.exits = {}, {}
        self.make_loops()
        self.give_items()

    def block(self, label):
        return L.AppendBasicBlockInContext(self.words.context, self.function, label)

    def make_loops(self):
        words = self.words
        self.items = [self.variable(words.word) for _ in range(3)]
        self.linear = self.variable(words.word)
        words.at(self.first)
        self.sizes = [read_block(words, self.module, BLOCK + 4 * axis, words.int32) for axis in range(3)]
        self.thread = words.moved(thread_pointer(words, self.module), THREAD - CTA_BYTES, words.int32)
        if self.context_bytes:
            self.base = L.BuildIntToPtr(words.builder, read_block(words, self.module, STACK_BASE, words.word),
                                        words.address, b"")
            self.stride = read_block(words, self.module, STACK_BYTES, words.int32)
        self.begins = {entry: self.make_loop(entry, list(region)) for entry, region in self.shape.regions.items()}
        self.connect()

    def is_scalar(self, region):
        """Whether a region does nothing that differs between work-items: then it is executed once."""
        return all(i in self.own and self.is_variable(i) or opcode(i) in (llvm.BR, llvm.SWITCH)
                   or opcode(i) in (llvm.PURE | {PHI}) and self.is_same(i) or self.is_remark(i)
                   for block in region for i in instructions(block))

    @staticmethod
    def is_remark(instruction):
        """For debuggers, or about the life of a variable."""
        return opcode(instruction) == CALL and called(instruction).startswith(("llvm.dbg.", "llvm.lifetime."))

    @staticmethod
    def is_variable(access):
        place = L.GetOperand(access, 1 if opcode(access) == STORE else 0)
        return opcode(place) == ALLOCA

    def touches(self, region):
        """Whether a fault could come from it."""
        return any(opcode(i) in (LOAD, STORE, CALL, llvm.FENCE, llvm.CMPXCHG, llvm.ATOMIC) and i not in self.own
                   and not self.is_remark(i) and not (opcode(i) == CALL and called(i) in ITEMS) for block in region for i in instructions(block))

    def freeze_reads(self, region, before):
        """What a region reads of the CTA's slots is what was there before its first work-item."""
        written = {L.GetOperand(i, 1) for block in region for i in instructions(block)
                   if opcode(i) == STORE and i in self.own and self.is_variable(i)}
        for block in region:
            for load in instructions(block):
                if opcode(load) == LOAD and load in self.own and self.is_variable(load):
                    slot = L.GetOperand(load, 0)
                    if slot in written:
                        type_ = L.TypeOf(load)
                        copy = self.variable(type_)
                        value = L.BuildLoad2(self.words.at(before), type_, slot, b"")
                        L.BuildStore(self.words.builder, value, copy)
                        L.SetOperand(load, 0, copy)

    def make_loop(self, entry, region):
        """The loop around a region; returns where it begins."""
        words, cut = self.words, self.next[entry]
        begin, z_head, y_head, body = (self.block(b"loop." + n) for n in (b"begin", b"z", b"y", b"item"))
        x, y, z = self.items
        builder = words.end(begin)
        scalar = self.is_scalar(region)
        if scalar:
            done = L.BuildBr(builder, entry)
            self.freeze_reads(region, done)
            for unused in (z_head, y_head, body):
                L.DeleteBasicBlock(unused)
            self.exits[entry] = None
            return begin
        L.BuildStore(builder, words.number(0), z)
        L.BuildStore(builder, words.number(0), self.linear)
        if self.context_bytes:
            L.BuildStore(builder, self.base, self.cursor)
        done = L.BuildBr(builder, z_head)
        self.freeze_reads(region, done)
        builder = words.end(z_head)
        L.BuildStore(builder, words.number(0), y)
        L.BuildBr(builder, y_head)
        builder = words.end(y_head)
        L.BuildStore(builder, words.number(0), x)
        L.BuildBr(builder, body)
        builder = words.end(body)
        if self.touches(region):
            number = L.BuildLoad2(builder, words.word, self.linear, b"")
            number = number if words.word == words.int32 else L.BuildTrunc(builder, number, words.int32, b"")
            L.SetVolatile(L.BuildStore(builder, number, self.thread), 1)
        L.BuildBr(builder, entry)
        if cut is not None:
            self.exits[entry] = self.make_latch(body, y_head, z_head)
        return begin

    def make_latch(self, body, y_head, z_head):
        """(block that a work-item ends in, block behind the last one)"""
        words = self.words
        item, row, plane, last = (self.block(b"loop." + n) for n in (b"next", b"row", b"plane", b"end"))
        builder = words.end(item)
        self.step(self.linear, words.number(1))
        if self.context_bytes:
            now = L.BuildLoad2(builder, words.address, self.cursor, b"")
            L.BuildStore(builder, L.BuildGEP2(builder, words.byte, now, words.one(self.stride), 1, b""), self.cursor)
        for axis, (here, again, beyond) in enumerate(((item, body, row), (row, y_head, plane), (plane, z_head, last))):
            builder = words.end(here)
            number = self.step(self.items[axis], words.number(1))
            more = L.BuildICmp(builder, llvm.ULT, number, self.sizes[axis], b"")
            L.BuildCondBr(builder, more, again, beyond)
        return item, last

    def step(self, variable, amount):
        builder, word = self.words.builder, self.words.word
        number = L.BuildNUWAdd(builder, L.BuildLoad2(builder, word, variable, b""), amount, b"")
        L.BuildStore(builder, number, variable)
        return number

    def begin_of(self, node):
        """The block that executes a region, or a cut."""
        if isinstance(node, tuple):
            node = node[1]
        return self.begins.get(node, node)

    def connect(self):
        """Regions end in their loops' ends, loops in cuts, and cuts lead to loops."""
        regions = {entry: set(region) for entry, region in self.shape.regions.items()}
        for entry, region in regions.items():
            cut = self.next[entry]
            if cut is None:
                continue
            target = cut[1] if isinstance(cut, tuple) else cut
            after = self.begin_of(cut)
            if self.exits[entry] is None:
                if target != after:
                    redirect(target, after, region)
            else:
                item, last = self.exits[entry]
                redirect(target, item, region)
                L.BuildBr(self.words.end(last), after)
        for cut, kind in self.shape.cuts.items():
            for way in dict.fromkeys(successors(cut)):
                if self.begins.get(way):
                    redirect(way, self.begins[way], {cut})
            if kind == "barrier":
                self.meet(cut)
        start = self.begin_of(self.shape.entry)
        L.SetSuccessor(L.GetBasicBlockTerminator(self.start), 0, start)

    def meet(self, cut):
        """The runtime gives others a turn where all have met."""
        barrier = next(i for i in instructions(cut) if opcode(i) == CALL)
        type_ = L.FunctionType(L.VoidTypeInContext(self.words.context), None, 0, 0)
        function = L.GetNamedFunction(self.module, b"ganger_loop_meet") \
            or L.AddFunction(self.module, b"ganger_loop_meet", type_)
        L.BuildCall2(self.words.at(barrier), type_, function, None, 0, b"")
        L.InstructionEraseFromParent(barrier)

    def give_items(self):
        """Ids are the loops' variables."""
        variables = dict(zip(("ganger_item_x", "ganger_item_y", "ganger_item_z"), self.items),
                         ganger_item_linear=self.linear)
        for block in blocks(self.function):
            for call in instructions(block):
                if opcode(call) == CALL and called(call) in ITEMS:
                    value = L.BuildLoad2(self.words.at(call), self.words.word, variables[called(call)], b"")
                    L.ReplaceAllUsesWith(call, value)
                    L.InstructionEraseFromParent(call)
