# SPDX-License-Identifier: Apache-2.0
"""What a region needs of others.

A value that is used in another region than its own is either computed again there, or kept in a *slot*: one for the
CTA if it is the same for all work-items, otherwise one in the context of each work-item, which lies at the start of
what would be the stack of its thread. Private arrays that several regions use lie there, too.
"""
import llvm
from llvm import ALLOCA, BITCAST, CALL, CHEAP, GEP, L, LOAD, PHI, STORE, blocks, called, incoming, instructions, \
    opcode, operands, users
from shape import Refused, Shape, is_barrier
from slots import Copies, Slot
from uniform import FIXED, ITEMS, Uniform
from words import CONTEXT_ALIGN, align_up, read_fixed

CONTEXT_MOST = 4096  # bytes of a work-item; more stays with threads
AGAIN_MOST = 12      # instructions that are rather executed again than kept


class Kept:
    """One function on its way, until each region has what it needs. `context_bytes`: of a work-item, afterwards."""

    def __init__(self, module, words, function):
        self.module, self.words, self.function = module, words, function
        self.check()
        self.shape = Shape(words, function)
        self.uniform = Uniform(function)
        self.check_cuts()
        self.same = set()     # loads of slots that are the same for all
        self.slots = {}       # value: slot
        self.own = {}         # the slot of each instruction that reads or writes one
        self.array_slots = []
        self.context_bytes = 0
        self.start = self.make_start()
        self.cursor = self.variable(words.address)
        self.lift_fixed()
        self.lower_phis()
        self.keep_values()
        self.place_arrays()
        self.lay_out()
        self.context_bytes = align_up(self.context_bytes, CONTEXT_ALIGN)
        if self.context_bytes > CONTEXT_MOST:
            raise Refused(f"{self.context_bytes} bytes to keep for each work-item")

    def check(self):
        """Refuses what a loop cannot do."""
        entry = L.GetEntryBasicBlock(self.function)
        for block in blocks(self.function):
            for value in instructions(block):
                if opcode(value) == ALLOCA and (block != entry or not L.IsAConstantInt(L.GetOperand(value, 0))):
                    raise Refused("memory of a variable size on the stack")
                if opcode(value) == CALL and not is_barrier(value) and not L.IsAInlineAsm(L.GetCalledValue(value)) \
                        and not L.IsAFunction(L.GetCalledValue(value)):
                    raise Refused("a call through a pointer")

    def check_cuts(self):
        """All work-items must pass the same cuts, whatever they compute."""
        for cut, kind in self.shape.cuts.items():
            end = L.GetBasicBlockTerminator(cut)
            if kind == "branch" and L.GetOperand(end, 0) not in self.uniform:
                raise Refused("a branch that not all work-items may take decides about a barrier")
            if kind != "exit" and cut in self.uniform.influenced:
                raise Refused("a barrier that not all work-items may come to")
        if self.uniform.influenced.intersection(self.shape.joins):
            raise Refused("a barrier that not all work-items may come to")
        self.next = {entry: self.shape.next_cut(entry) for entry in self.shape.regions}

    def make_start(self):
        """A first block, executed once, with what is on the stack."""
        block = L.AppendBasicBlockInContext(self.words.context, self.function, b"loops.start")
        L.MoveBasicBlockBefore(block, L.GetEntryBasicBlock(self.function))
        end = L.BuildBr(self.words.end(block), self.shape.entry)
        self.arrays = []
        for old in blocks(self.function):
            for value in instructions(old):
                if opcode(value) == ALLOCA:
                    L.InstructionRemoveFromParent(value)
                    L.InsertIntoBuilder(self.words.at(end), value)
                    self.arrays.append(value)
        self.first = end
        return block

    def variable(self, type_):
        return L.BuildAlloca(self.words.at(L.GetFirstInstruction(self.start)), type_, b"")

    def lift_fixed(self):
        """What the block says about the CTA is read once."""
        known = {}
        for block in blocks(self.function):
            for call in instructions(block):
                if opcode(call) == CALL and called(call) in FIXED:
                    what = called(call), L.ConstIntGetZExtValue(L.GetOperand(call, 0))
                    if what not in known:
                        self.words.at(self.first)
                        known[what] = read_fixed(self.words, self.module, call)
                    L.ReplaceAllUsesWith(call, known[what])
                    L.InstructionEraseFromParent(call)

    # ---- slots ----

    def region(self, instruction):
        """First block of the region of an instruction; its block for a cut and for the start."""
        block = L.GetInstructionParent(instruction)
        return self.shape.home.get(block, block)

    def is_same(self, value):
        return value in self.same or value in self.uniform

    def new_slot(self, type_, same):
        """A place for a value of a type; `same`: one for the CTA."""
        return Slot(type_, self.variable(type_) if same else None, self.words.size(type_), self.words.align(type_))

    def slot_place(self, slot, before):
        if slot.variable is not None:
            self.words.at(before)
            return slot.variable
        context = L.BuildLoad2(self.words.at(before), self.words.address, self.cursor, b"")
        place = L.BuildGEP2(self.words.builder, self.words.byte, context, self.words.one(self.words.number(0)), 1, b"")
        slot.places.append(place)
        return L.BuildBitCast(self.words.builder, place, L.PointerType(slot.type, 0), b"")

    def lay_out(self):
        """Gives each slot its place in the context."""
        Copies(self.function, self.own, self.slots).merge()
        for slot in dict.fromkeys([*self.own.values(), *self.array_slots]):
            root = slot.root()
            if slot.variable is None and root.offset is None:
                root.offset = align_up(self.context_bytes, root.align)
                self.context_bytes = root.offset + root.bytes
            for place in slot.places:
                L.SetOperand(place, 1, self.words.number(root.offset))

    def save(self, slot, value, before):
        store = L.BuildStore(self.words.builder, value, self.slot_place(slot, before))
        L.SetAlignment(store, slot.align)
        self.own[store] = slot

    def restore(self, slot, before):
        load = L.BuildLoad2(self.words.builder, slot.type, self.slot_place(slot, before), b"")
        L.SetAlignment(load, slot.align)
        self.own[load] = slot
        (self.same if slot.variable is not None else self.uniform.divergent).add(load)
        return load

    def last_in_region(self, block):
        """Where to write what goes along an edge from a block: a cut has one predecessor, in the region before."""
        if block in self.shape.cuts:
            return users(L.BasicBlockAsValue(block))[0]
        return L.GetBasicBlockTerminator(block)

    def lower_phis(self):
        """Phis at the start of a region get their values through slots."""
        for entry in self.shape.regions:
            phis = [i for i in instructions(entry) if opcode(i) == PHI]
            first = next(i for i in instructions(entry) if opcode(i) != PHI)
            for phi in phis:
                slot = self.new_slot(L.TypeOf(phi), self.is_same(phi))
                for value, block in incoming(phi):
                    self.save(slot, value, self.last_in_region(block))
                load = self.restore(slot, first)
                L.ReplaceAllUsesWith(phi, load)
            for phi in phis:
                L.InstructionEraseFromParent(phi)

    def everywhere(self, value):
        """Whether an operand is the same thing in all regions."""
        return not L.IsAInstruction(value) or L.GetInstructionParent(value) == self.start

    def again(self, value, depth=0):
        """How many instructions compute a value anew from what is there in all regions; many if that is dear."""
        if self.everywhere(value):
            return 0
        kind = opcode(value)
        if kind == CALL and called(value) in ITEMS:
            return 1
        if self.is_same(value) and kind not in CHEAP:
            return 1
        if kind not in CHEAP or depth > 8:
            return 1000
        return 1 + sum(self.again(o, depth + 1) for o in operands(value))

    def available(self, value, before):
        """A value for an instruction of perhaps another region."""
        if self.everywhere(value) or self.region(value) == self.region(before):
            return value
        in_cut = L.GetInstructionParent(before) in self.shape.cuts
        if not in_cut and not (self.is_same(value) and self.again(value) > 3) and self.again(value) <= AGAIN_MOST \
                and (opcode(value) in CHEAP or called(value) in ITEMS):
            parts = [self.available(o, before) for o in operands(value)]
            copy = L.InstructionClone(value)
            L.InsertIntoBuilder(self.words.at(before), copy)
            for number, part in enumerate(parts):
                L.SetOperand(copy, number, part)
            if not self.is_same(value):
                self.uniform.divergent.add(copy)
            return copy
        if value not in self.slots:
            self.slots[value] = slot = self.new_slot(L.TypeOf(value), self.is_same(value))
            behind = L.GetNextInstruction(value)
            while opcode(behind) == PHI:
                behind = L.GetNextInstruction(behind)
            self.save(slot, value, behind)
        return self.restore(self.slots[value], before)

    def place_of_use(self, user, number):
        """Before which instruction an operand must be there."""
        if opcode(user) == PHI:
            return L.GetBasicBlockTerminator(L.GetIncomingBlock(user, number))
        return user

    def keep_values(self):
        for user in [i for block in blocks(self.function) for i in instructions(block)]:
            if L.GetInstructionParent(user) == self.start:
                continue
            for number, operand in enumerate(operands(user)):
                if operand and L.IsAInstruction(operand):
                    place = self.place_of_use(user, number)
                    found = self.available(operand, place)
                    if found != operand:
                        L.SetOperand(user, number, found)

    # ---- private arrays ----

    def uses_of(self, array):
        """(regions, escapes): where an array and pointers into it are used."""
        regions, pending, seen, escapes = set(), [array], set(), False
        while pending:
            value = pending.pop()
            for user in users(value):
                kind = opcode(user)
                regions.add(self.region(user))
                if kind in (GEP, BITCAST, PHI, llvm.SELECT) and user not in seen:
                    seen.add(user)
                    pending.append(user)
                elif kind == CALL:
                    escapes |= not called(user).startswith("llvm.")
                elif kind not in (LOAD, llvm.ICMP, GEP, BITCAST, PHI, llvm.SELECT):
                    escapes |= kind != STORE or L.GetOperand(user, 0) == value
        return regions, escapes

    def repeats(self, region):
        """Whether a region can be executed more than once."""
        seen, pending = set(), [region]
        while pending:
            for node in self.after(pending.pop()):
                if node == region:
                    return True
                if node not in seen:
                    seen.add(node)
                    pending.append(node)
        return False

    def after(self, node):
        """What is executed behind a region or a cut."""
        if node in self.shape.regions:
            return [self.next[node]] if self.next[node] else []
        return self.shape.following(node)

    def place_arrays(self):
        for array in self.arrays:
            regions, escapes = self.uses_of(array)
            alone = len(self.shape.regions) == 1
            if alone or len(regions) <= 1 and not escapes and not any(map(self.repeats, regions)):
                continue
            if L.GetAlignment(array) > CONTEXT_ALIGN:
                raise Refused("a private variable with a large alignment lives across a barrier")
            type_ = L.GetAllocatedType(array)
            size = self.words.size(type_) * L.ConstIntGetZExtValue(L.GetOperand(array, 0))
            slot = Slot(type_, None, size, max(L.GetAlignment(array), self.words.align(type_)))
            self.array_slots.append(slot)
            for user in users(array):
                for number, operand in enumerate(operands(user)):
                    if operand == array:
                        L.SetOperand(user, number, self.slot_place(slot, self.place_of_use(user, number)))
