# SPDX-License-Identifier: Apache-2.0
"""Where a kernel is cut into regions.

A *cut* is a place that all work-items pass together: a barrier, a branch that decides which barrier is next, a place
where regions meet, and the end. What runs between two cuts is a *region*; from its first block every way leads to the
same next cut. So a region is executed as a loop over the work-items, and a cut once.
"""
from llvm import BR, INDIRECT, INVOKE, L, RET, UNREACHABLE, SWITCH, blocks, instructions, opcode, shown, successors, \
    users


class Refused(Exception):
    """Why a kernel keeps its threads."""


def is_barrier(value):
    return bool(opcode(value) == 45 and L.IsAInlineAsm(L.GetCalledValue(value)) and "ganger_barrier" in shown(value))


def redirect(old, new, only=None):
    """Branches to the block `old` go to `new`; the phis of `old` are not changed. `only`: those of these blocks."""
    for user in users(L.BasicBlockAsValue(old)):
        for number in range(L.GetNumSuccessors(user)):
            if L.GetSuccessor(user, number) == old and (only is None or L.GetInstructionParent(user) in only):
                L.SetSuccessor(user, number, new)


class Shape:
    """Cuts: blocks, or ("join", block) for a place just before a block. `regions`: blocks by first block."""

    def __init__(self, words, function):
        self.words, self.function = words, function
        self.entry = L.GetEntryBasicBlock(function)
        self.cuts, self.joins = {}, {}  # joins: the keys
        self.exit = self.one_exit()
        self.cuts[self.exit] = "exit"
        for block in blocks(function):
            for barrier in filter(is_barrier, instructions(block)):
                self.isolate_barrier(barrier)
        while self.add_branches() or self.add_join():
            pass
        self.regions = {entry: self.reached(entry) for entry in self.entries() if entry not in self.cuts}
        self.home = {block: entry for entry, region in self.regions.items() for block in region}

    def one_exit(self):
        """All returns become branches to a block of their own."""
        returns = []
        for block in blocks(self.function):
            end = L.GetBasicBlockTerminator(block)
            if opcode(end) not in (RET, BR, SWITCH, UNREACHABLE):
                raise Refused("a jump of an unusual kind")
            if opcode(end) == RET:
                returns.append(end)
        exit_ = L.AppendBasicBlockInContext(self.words.context, self.function, b"loops.exit")
        for end in returns:
            L.BuildBr(self.words.at(end), exit_)
            L.InstructionEraseFromParent(end)
        L.BuildRetVoid(self.words.end(exit_))
        return exit_

    def split(self, block, instruction):
        """What is above an instruction goes to a block of its own, which is returned."""
        above = L.AppendBasicBlockInContext(self.words.context, self.function, b"")
        L.MoveBasicBlockBefore(above, block)
        redirect(block, above)
        builder = self.words.end(above)
        for moved in instructions(block):
            if moved == instruction:
                break
            L.InstructionRemoveFromParent(moved)
            L.InsertIntoBuilder(builder, moved)
        L.BuildBr(builder, block)
        if block == self.entry:
            self.entry = above
        return above

    def isolate_barrier(self, barrier):
        block = L.GetInstructionParent(barrier)
        self.split(block, barrier)
        self.cuts[self.split(block, L.GetNextInstruction(barrier))] = "barrier"

    def following(self, node):
        if isinstance(node, tuple):
            return [node[1]]
        return [("join", s) if s in self.joins else s for s in dict.fromkeys(successors(node))]

    def is_cut(self, node):
        return isinstance(node, tuple) or node in self.cuts

    def first_cuts(self):
        """For each block the cuts that come first on the ways from it."""
        found = {b: frozenset([b] if b in self.cuts else []) for b in blocks(self.function)}
        changed = True
        while changed:
            changed = False
            for block in reversed(found):
                if block not in self.cuts:
                    now = frozenset().union(*([s] if isinstance(s, tuple) else found[s] for s in self.following(block)))
                    changed |= now != found[block]
                    found[block] = now
        return found

    def add_branches(self):
        """Cuts at branches whose ways lead to different cuts."""
        first = self.first_cuts()
        found = []
        for block in blocks(self.function):
            if block not in self.cuts:
                ways = {frozenset([s]) if isinstance(s, tuple) else first[s] for s in self.following(block)}
                if len(ways - {frozenset()}) > 1:
                    found.append(block)
        for block in found:
            self.split(block, L.GetBasicBlockTerminator(block))
            self.cuts[block] = "branch"
        return bool(found)

    def entries(self):
        begin = ("join", self.entry) if self.entry in self.joins else self.entry
        heads = [begin]
        for cut in [*self.cuts, *(("join", block) for block in self.joins)]:
            heads += self.following(cut)
        return list(dict.fromkeys(h for h in heads if not isinstance(h, tuple)))

    def reached(self, entry):
        """Blocks on the ways from here to the next cut."""
        seen, pending = {}, [entry]
        while pending:
            block = pending.pop()
            if not self.is_cut(block) and block not in seen:
                seen[block] = True
                pending += self.following(block)
        return seen

    def add_join(self):
        """A cut before a block to which several regions lead."""
        owner = {}
        for entry in self.entries():
            if entry not in self.cuts:
                for block in self.reached(entry):
                    owner.setdefault(block, []).append(entry)
        shared = [block for block in blocks(self.function) if len(owner.get(block, ())) > 1]
        if not shared:
            return False
        # The first one on the way: none of its predecessors is shared by all that lead to it.
        for block in shared:
            before = [L.GetInstructionParent(u) for u in users(L.BasicBlockAsValue(block))]
            if not any(set(owner.get(b, ())) >= set(owner[block]) for b in before):
                self.joins[block] = True
                return True
        self.joins[shared[0]] = True
        return True

    def next_cut(self, entry):
        """The cut at the end of a region; None for one that has no end."""
        ends = {s for block in self.regions[entry] for s in self.following(block) if self.is_cut(s)}
        if len(ends) > 1:
            raise Refused("barriers that cannot be told apart")
        return ends.pop() if ends else None
