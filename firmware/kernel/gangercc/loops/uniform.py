# SPDX-License-Identifier: Apache-2.0
"""Which values are the same for all work-items of a CTA, without a doubt."""
from llvm import ALLOCA, CALL, L, PHI, PURE, blocks, called, incoming, instructions, \
    opcode, operands, successors, users

ITEMS = {"ganger_item_x", "ganger_item_y", "ganger_item_z", "ganger_item_linear"}
FIXED = {"ganger_fixed_u32", "ganger_fixed_word"}
# Functions of LLVM whose result follows from their arguments.
PURE_INTRINSICS = ("fabs", "fma", "fmuladd", "sqrt", "smin", "smax", "umin", "umax", "abs", "ctpop", "ctlz", "cttz",
                   "bswap", "bitreverse", "fshl", "fshr", "minnum", "maxnum", "floor", "ceil", "trunc", "rint",
                   "round", "copysign", "expect", "uadd", "usub", "sadd", "ssub", "umul", "smul")


def post_dominators(function):
    """For each block the one that all ways from it to an end meet first, or None."""
    order = blocks(function)
    bit = {block: 1 << n for n, block in enumerate(order)}
    everything = (1 << len(order)) - 1
    sets = {b: everything if successors(b) else bit[b] for b in order}
    changed = True
    while changed:
        changed = False
        for block in reversed(order):
            after = successors(block)
            if after:
                common = everything
                for s in after:
                    common &= sets[s]
                now = common | bit[block]
                changed |= now != sets[block]
                sets[block] = now
    nearest = {}
    for block in order:
        others = [b for b in order if b != block and sets[block] & bit[b]]
        nearest[block] = max(others, key=lambda b: bin(sets[b]).count("1"), default=None)
    return nearest


class Uniform:
    """`divergent`: values that may differ. `influenced`: blocks that some may execute while others do not."""

    def __init__(self, function):
        self.function = function
        self.divergent, self.influenced = set(), set()
        self.post = post_dominators(function)
        self.branches = set()
        everything = [i for block in blocks(function) for i in instructions(block)]
        before = -1
        while before != len(self.divergent):
            before = len(self.divergent)
            for value in everything:
                if value not in self.divergent and self.differs(value):
                    self.divergent.add(value)
            for block in blocks(function):
                self.look_at_branch(block)

    def differs(self, value):
        kind = opcode(value)
        if any(o in self.divergent for o in operands(value)):
            return True
        if kind == PHI:
            return False
        if kind == CALL:
            return not self.pure_call(value)
        return kind == ALLOCA or kind not in PURE

    @staticmethod
    def pure_call(call):
        target = called(call)
        if target == "llvm.thread.pointer" or target in FIXED:
            return True
        return target.startswith("llvm.") and target.split(".")[1] in PURE_INTRINSICS

    def look_at_branch(self, block):
        """Behind a branch that not all take, until all are together again: phis differ, and so does what is kept."""
        after = successors(block)
        end = L.GetBasicBlockTerminator(block)
        if len(set(after)) < 2 or block in self.branches or L.GetOperand(end, 0) not in self.divergent:
            return
        self.branches.add(block)
        meeting, inside, pending = self.post[block], set(), list(after)
        while pending:
            one = pending.pop()
            if one not in inside and one != meeting:
                inside.add(one)
                pending += successors(one)
        self.influenced |= inside
        for one in inside | ({meeting} if meeting else set()):
            for value in instructions(one):
                if opcode(value) == PHI and len({v for v, _ in incoming(value)}) > 1:
                    self.divergent.add(value)
        for one in inside:
            for value in instructions(one):
                if any(L.GetInstructionParent(u) not in inside for u in users(value)):
                    self.divergent.add(value)

    def __contains__(self, value):
        """Constants and arguments are the same for all."""
        return value not in self.divergent
