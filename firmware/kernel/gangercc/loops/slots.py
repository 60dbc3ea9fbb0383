# SPDX-License-Identifier: Apache-2.0
"""Places where values are kept between regions, and which of them can be one place.

A copy from one place to another that never hold different things at the same time is saved by making them one, as
compilers do with registers.
"""
from llvm import L, STORE, blocks, instructions, opcode, successors


class Slot:
    """`variable`: of the CTA, or None: in the context of each work-item, at `offset`."""

    def __init__(self, type_, variable, size, align):
        self.type, self.variable, self.bytes, self.align = type_, variable, size, align
        self.offset = None
        self.places = []  # instructions whose operand 1 is the offset
        self.same = self  # another slot that this one is a part of

    def root(self):
        slot = self
        while slot.same is not slot:
            slot = slot.same
        return slot


class Copies:
    """`access`: the slot that each load or store of a slot goes to; `kept`: the slot in which a value is."""

    def __init__(self, function, access, kept):
        self.function, self.access = function, access
        self.kept = {value: slot for value, slot in kept.items() if slot.variable is None}
        self.kept |= {i: slot for i, slot in access.items() if opcode(i) != STORE and slot.variable is None}
        # What a load of a slot stands for: the value that is kept there, if it is only one.
        single = {slot: value for value, slot in kept.items()}
        self.meaning = {i: single[slot] for i, slot in access.items() if opcode(i) != STORE and slot in single}
        self.against = {}

    def merge(self):
        self.find_conflicts()
        copies = [(store, slot, self.kept[self.value(store)]) for store, slot in self.stores()
                  if self.value(store) in self.kept]
        for _, one, other in copies:
            self.unite(one.root(), other.root())
        for store, one, other in copies:
            if one is not other and one.root() is other.root():
                del self.access[store]
                L.InstructionEraseFromParent(store)

    @staticmethod
    def value(store):
        return L.GetOperand(store, 0)

    def stores(self):
        return [(i, slot) for i, slot in self.access.items() if opcode(i) == STORE and slot.variable is None]

    def unite(self, one, other):
        """Two groups become one, unless a member of one is in the way of a member of the other."""
        if one is not other and one.type == other.type and other not in self.against.get(one, ()):
            other.same = one
            both = self.against.get(one, set()) | self.against.pop(other, set())
            self.against[one] = both
            for third in both:
                self.against[third].discard(other)
                self.against[third].add(one)

    def find_conflicts(self):
        order = blocks(self.function)
        live = {block: frozenset() for block in order}
        changed = True
        while changed:
            changed = False
            for block in reversed(order):
                now = frozenset(self.walk(block, live, False))
                changed |= now != live[block]
                live[block] = now
        for block in order:
            self.walk(block, live, True)

    def walk(self, block, live, note):
        """Slots that are needed at the start of a block, from those needed behind it."""
        needed = set().union(*(live[s] for s in successors(block)))
        for instruction in reversed(instructions(block)):
            slot = self.access.get(instruction)
            if slot is None or slot.variable is not None:
                continue
            if opcode(instruction) != STORE:
                needed.add(slot)
                continue
            source = self.kept.get(self.value(instruction))
            if note:
                for other in needed - {slot}:
                    if not self.holds(instruction, other):
                        self.against.setdefault(slot, set()).add(other)
                        self.against.setdefault(other, set()).add(slot)
            needed.discard(slot)
            if source is not None and source is not slot:
                needed.add(source)
        return needed

    def holds(self, store, slot):
        """Whether a slot surely holds the value that is stored here."""
        value = self.value(store)
        meant = self.meaning.get(value, value)
        if self.kept.get(meant) is slot and self.access.get(meant) is not slot:
            return True
        before = instructions(L.GetInstructionParent(store))
        for instruction in reversed(before[:before.index(store)]):
            if self.access.get(instruction) is slot:
                if opcode(instruction) != STORE:
                    if instruction == value:
                        return True
                    continue
                other = self.value(instruction)
                return self.meaning.get(other, other) == meant
        return False
