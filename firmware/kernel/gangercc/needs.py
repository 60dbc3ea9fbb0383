# SPDX-License-Identifier: Apache-2.0
"""What a kernel needs: stack of a thread, shared memory, barriers; from the call graph."""
from dataclasses import dataclass

from .layout import align_up

BARRIER = "ganger_barrier"
PRINT = "ganger_print_end"
THREAD_BYTES = 16    # GG_THREAD_BYTES
ASSUMED_STACK = 4096
STACK_ALIGN = 16


@dataclass
class Needs:
    stack_bytes: int
    shared_bytes: int
    barrier: bool
    unknown: str      # why stack_bytes could not be measured, or ""
    silent: bool = False  # no print can be reached by calls


class Graph:
    def __init__(self, listing, image):
        self.functions = listing.functions
        self.image = image
        self.by_name = {f.name: f for f in listing.functions.values()}

    def reachable(self, roots):
        """Functions that can be called from the roots, the roots included."""
        seen, pending = {}, [self.functions[r] for r in roots]
        while pending:
            function = pending.pop()
            if function.address not in seen:
                seen[function.address] = function
                pending += [self.functions[c] for c in function.callees]
        return list(seen.values())

    def order(self, functions):
        """The same functions, callees first; None if there is recursion."""
        waiting = {f.address: set(f.callees) for f in functions}
        ordered = []
        while waiting:
            ready = [a for a, callees in waiting.items() if not callees]
            if not ready:
                return None
            for address in ready:
                del waiting[address]
                ordered.append(self.functions[address])
            for callees in waiting.values():
                callees.difference_update(ready)
        return ordered

    def depth(self, functions):
        """(bytes, why not known) for the deepest chain of calls."""
        for function in functions:
            if function.unknown:
                return 0, f"{function.name} {function.unknown}"
        ordered = self.order(functions)
        if ordered is None:
            return 0, "there is recursion"
        worst = {}
        for f in ordered:
            worst[f.address] = f.frame + max((worst[c] for c in f.callees), default=0)
        return max(worst.values()), ""

    def uses_barrier(self, functions):
        """A call through a pointer may go to any function that the module has, also to a barrier."""
        if BARRIER not in self.by_name:
            return False
        pointers = any("pointer" in f.unknown for f in functions)
        return pointers or any(f.name == BARRIER for f in functions)

    @staticmethod
    def may_print(functions):
        return any(f.name == PRINT or "pointer" in f.unknown for f in functions)

    def shared_bytes(self, functions):
        """Up to the last shared variable that is used; of the whole module if it cannot be known."""
        if any("pointer" in f.unknown for f in functions):
            return self.image.shared_bytes
        symbols = [s for f in functions for s in f.shared]
        if any(s.type != "STT_TLS" or not s.size for s in symbols):
            return self.image.shared_bytes
        return max((s.value + s.size for s in symbols), default=0)

    def of(self, roots, least_stack=0):
        """Needs of a kernel that starts at the roots."""
        functions = self.reachable(roots)
        depth, unknown = self.depth(functions)
        bytes_ = (least_stack or ASSUMED_STACK) if unknown else max(depth + THREAD_BYTES, least_stack)
        return Needs(align_up(bytes_, STACK_ALIGN), self.shared_bytes(functions),
                     self.uses_barrier(functions), unknown, not self.may_print(functions))
