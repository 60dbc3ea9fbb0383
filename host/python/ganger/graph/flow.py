# SPDX-License-Identifier: Apache-2.0
"""Control flow of the text form of graphs: conditions and loops as jumps (S2-R8)."""

from typing import List, Tuple

from .isa import INTEGER
from .values import COMPARES, Symbol, Value, Values
from .words import Node

_JUMPS = {"==": ("JEQ", 0), "!=": ("JNE", 0), "<": ("JLT", 0), ">=": ("JGE", 0), ">": ("JLT", 1),
          "<=": ("JGE", 1)}
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class Flow(Values):
    """Compiles blocks, conditions and loops."""

    def _statement(self, node: Node) -> None:
        self.emitter.place = node.place._replace(name=self.emitter.place.name)
        getattr(self, f"_do_{node.kind}")(node)

    def _block(self, nodes: Tuple[Node, ...]) -> None:
        self.scopes.append({})
        for node in nodes:
            self._statement(node)
        self._leave()

    def _leave(self) -> None:
        """Forgets the names of a block and gives their variables back."""
        for symbol in self.scopes.pop().values():
            if symbol.kind == "variable":
                self.emitter.release(symbol.number, self.pool)

    def _store(self, variable: int, value: Value) -> None:
        if value.constant is not None:
            self.emitter.emit("SET", variable, imm=value.constant)
        elif value.variable != variable:
            self.emitter.emit("MOVE", variable, value.variable)
        self.drop(value)

    def _do_if(self, node: Node) -> None:
        condition, then, other = node.parts
        jumps = self._jump(condition, False)
        self._block(then)
        if other:
            over = self.emitter.emit("JUMP")
            self.emitter.patch(jumps)
            self._block(other)
            jumps = [over]
        self.emitter.patch(jumps)

    def _do_while(self, node: Node) -> None:
        condition, body = node.parts
        begin = self.emitter.here
        jumps = self._jump(condition, False)
        self._block(body)
        self.emitter.emit("JUMP", imm=begin)
        self.emitter.patch(jumps)

    def _do_for(self, node: Node) -> None:
        name, low, high, body = node.parts
        at = self.emitter.variable(INTEGER, self.pool, name)
        self._store(at, self.integer(low))
        end = self.held(self.integer(high))
        self.scopes.append({name: Symbol("variable", INTEGER, at)})
        begin = self.emitter.emit("JGE", at, end.variable)
        self._block(body)
        self.emitter.emit("ADDI", at, at, imm=1)
        self.emitter.emit("JUMP", imm=begin)
        self.emitter.patch([begin])
        self._leave()
        self.drop(end)

    def _jump(self, node: Node, when: bool) -> List[int]:
        """Adds steps that jump if a condition is `when`. Returns the jumps, whose targets the
        caller sets."""
        if node.kind == "not":
            return self._jump(node.parts[0], not when)
        sign = node.parts[0] if node.kind == "binary" else ""
        if sign in ("and", "or"):
            _sign, left, right = node.parts
            if (sign == "or") == when:
                return self._jump(left, when) + self._jump(right, when)
            skip = self._jump(left, not when)
            jumps = self._jump(right, when)
            self.emitter.patch(skip)
            return jumps
        if sign not in COMPARES:
            return self._compare("!=" if when else "==", self.integer(node), Value(INTEGER, 0))
        left = self.integer(node.parts[1])
        return self._compare(sign if when else _OPPOSITE[sign], left, self.integer(node.parts[2]))

    def _compare(self, sign: str, left: Value, right: Value) -> List[int]:
        left, right = self.held(left), self.held(right)
        op, swapped = _JUMPS[sign]
        two = (right, left) if swapped else (left, right)
        self.drop(left, right)
        return [self.emitter.emit(op, two[0].variable, two[1].variable)]
