# SPDX-License-Identifier: Apache-2.0
"""Values of the text form of graphs: from expressions to steps and variables."""

from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from .. import values
from ..errors import Error
from .emit import Emitter, Item
from .isa import INTEGER, NONE, RESOURCE, graph_error, signed
from .words import Node

_OPS = {"+": "ADD", "-": "SUB", "*": "MUL", "/": "DIV", "%": "REM", "&": "AND", "|": "OR",
        "^": "XOR", "<<": "SHL", ">>": "SHR"}
COMPARES = ("==", "!=", "<", "<=", ">", ">=")
_SIZES = {"u32": 4, "i32": 4, "u64": 8, "i64": 8, "f32": 4, "f64": 8}


class Symbol(NamedTuple):
    """What a name stands for. kind: "argument" (of the graph), "resource" (number, how many an
    array has or 0), "variable"."""
    kind: str
    type: str
    number: int
    many: int = 0


class Value(NamedTuple):
    """An integer that is known, or a variable; `own`: it has to be released."""
    type: str
    constant: Optional[int] = None
    variable: int = NONE
    own: bool = False


def fold(name: str, left: int, right: int) -> Optional[int]:
    """The result of an operation as the device has it; None: it divides by zero, or -2^31 by -1."""
    left, right = signed(left), signed(right)
    if name in ("DIV", "REM"):
        if right == 0 or (left == -(1 << 31) and right == -1):
            return None
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return signed(quotient if name == "DIV" else left - quotient * right)
    return signed({"ADD": left + right, "SUB": left - right, "MUL": left * right,
                   "AND": left & right, "OR": left | right, "XOR": left ^ right,
                   "SHL": left << (right & 31), "SHR": left >> (right & 31),
                   "MIN": min(left, right), "MAX": max(left, right)}[name])


class Values:
    """Compiles expressions; `pool` says whose variables are used: of the main part, or of definitions."""

    def __init__(self, emitter: Emitter):
        self.emitter = emitter
        self.pool = "main"
        self.scopes: List[Dict[str, Symbol]] = [{}]

    @staticmethod
    def fail(node: Node, status: str, message: str, value: Any = None) -> Error:
        """An error at a node."""
        return graph_error(status, node.place, message, value)

    def symbol(self, node: Node, name: str) -> Symbol:
        """What a name stands for. Raises Error ERR_GRAPH_RESOURCE."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        raise self.fail(node, "ERR_GRAPH_RESOURCE", f"Nothing has the name '{name}'.", name)

    def define(self, node: Node, name: str, symbol: Symbol) -> None:
        """A new name. Raises Error ERR_GRAPH_FORMAT when it is taken in this block."""
        if name in self.scopes[-1]:
            raise self.fail(node, "ERR_GRAPH_FORMAT", f"The name '{name}' is taken.", name)
        self.scopes[-1][name] = symbol

    def make(self, kind: str) -> Value:
        """A variable for a short time."""
        return Value(kind, None, self.emitter.variable(kind, self.pool), True)

    def drop(self, *given: Value) -> None:
        """Releases values that are not used any more."""
        for value in given:
            if value.own:
                self.emitter.release(value.variable, self.pool)

    def held(self, value: Value) -> Value:
        """Puts a value into a variable."""
        if value.constant is None:
            return value
        made = self.make(INTEGER)
        self.emitter.emit("SET", made.variable, imm=value.constant)
        return made

    def integer(self, node: Node) -> Value:
        """An expression that must be an integer."""
        value = self.value(node)
        if value.type != INTEGER:
            raise self.fail(node, "ERR_GRAPH_TYPE", "A number is expected here, not a buffer.")
        return value

    def resource(self, node: Node) -> Value:
        """An expression that must be a buffer."""
        value = self.value(node)
        if value.type != RESOURCE:
            raise self.fail(node, "ERR_GRAPH_TYPE", "A buffer is expected here, not a number.")
        return value

    def number(self, node: Node, what: str) -> int:
        """An expression that must be known. Raises Error ERR_GRAPH_TYPE."""
        value = self.integer(node)
        if value.constant is None:
            raise self.fail(node, "ERR_GRAPH_TYPE", f"{what} must be a constant.")
        return value.constant

    def value(self, node: Node) -> Value:
        """Any expression. Raises Error ERR_GRAPH_TYPE, ERR_GRAPH_RESOURCE, …."""
        place = self.emitter.place
        self.emitter.place = node.place._replace(name=place.name)
        made = getattr(self, f"_of_{node.kind}", self._not_here)(node)
        self.emitter.place = place
        return made

    def _not_here(self, node: Node) -> Value:
        raise self.fail(node, "ERR_GRAPH_TYPE", "A number or a buffer is expected here.", node.kind)

    def _of_number(self, node: Node) -> Value:
        if node.parts[0] > 0xffffffff:
            raise self.fail(node, "ERR_GRAPH_TYPE", "Numbers have 32 bits.", node.parts[0])
        return Value(INTEGER, signed(node.parts[0]))

    def _of_name(self, node: Node) -> Value:
        symbol = self.symbol(node, node.parts[0])
        if symbol.kind == "variable":
            return Value(symbol.type, None, symbol.number)
        if symbol.many:
            raise self.fail(node, "ERR_GRAPH_TYPE", f"'{node.parts[0]}' is an array: say which one "
                            "of it.", node.parts[0])
        made = self.make(symbol.type)
        self.emitter.emit("ARGUMENT" if symbol.kind == "argument" else "RESOURCE", made.variable,
                          imm=symbol.number)
        return made

    def _of_index(self, node: Node) -> Value:
        name, index = node.parts
        symbol = self.symbol(node, name)
        if symbol.kind != "resource" or not symbol.many:
            raise self.fail(node, "ERR_GRAPH_TYPE", f"'{name}' is not an array.", name)
        at = self.integer(index)
        if at.constant is None:
            made = self.make(RESOURCE)
            self.emitter.emit("INDEX", made.variable, at.variable, imm=symbol.number)
            self.drop(at)
            return made
        if not 0 <= at.constant < symbol.many:
            raise self.fail(node, "ERR_GRAPH_RESOURCE", f"'{name}' has {symbol.many} buffers, "
                            f"none of number {at.constant}.", at.constant)
        made = self.make(RESOURCE)
        self.emitter.emit("RESOURCE", made.variable, imm=symbol.number + at.constant)
        return made

    def _of_minus(self, node: Node) -> Value:
        zero = Value(INTEGER, 0)
        return self._combine(node, "SUB", zero, self.integer(node.parts[0]))

    def _of_binary(self, node: Node) -> Value:
        sign, left, right = node.parts
        if sign not in _OPS:
            raise self.fail(node, "ERR_GRAPH_TYPE", "A condition can only be in if and while.", sign)
        first = self.integer(left)
        return self._combine(node, _OPS[sign], first, self.integer(right))

    def _combine(self, node: Node, name: str, left: Value, right: Value) -> Value:
        if left.constant is not None and right.constant is not None:
            folded = fold(name, left.constant, right.constant)
            if folded is None:
                raise self.fail(node, "ERR_GRAPH_DATA", "Division by zero.", 0)
            return Value(INTEGER, folded)
        if name in ("ADD", "SUB") and right.constant is not None:
            by = right.constant if name == "ADD" else -right.constant
            self.drop(left)
            made = self.make(INTEGER)
            self.emitter.emit("ADDI", made.variable, left.variable, imm=by)
            return made
        left, right = self.held(left), self.held(right)
        self.drop(left, right)
        made = self.make(INTEGER)
        self.emitter.emit(name, made.variable, left.variable, right.variable)
        return made

    def _of_call(self, node: Node) -> Value:
        name, given = node.parts
        if name in ("min", "max") and len(given) == 2:
            first = self.integer(given[0])
            return self._combine(node, name.upper(), first, self.integer(given[1]))
        if name == "next" and not given:
            made = self.make(INTEGER)
            self.emitter.emit("NEXT", made.variable)
            return made
        if name == "load" and len(given) in (1, 2):
            return self._load(given)
        raise self.fail(node, "ERR_GRAPH_STEP", f"No function '{name}' of {len(given)} operands: "
                        "there are min(a, b), max(a, b), load(buffer, byte), next().", name)

    def _load(self, given: Tuple[Node, ...]) -> Value:
        source = self.resource(given[0])
        at = self.integer(given[1]) if len(given) > 1 else Value(INTEGER, 0)
        made = self.make(INTEGER)
        self.emitter.emit("LOAD", made.variable, source.variable, at.variable,
                          at.constant or 0)
        self.drop(source, at)
        return made

    # ---- arguments of kernels ----

    def item(self, node: Node) -> Item:
        """An argument of a dispatch; what it needs until then is not released."""
        if node.kind == "float":
            return Item("constant", data=node.parts[0])
        if node.kind == "minus" and node.parts[0].kind == "float":
            return Item("constant", data=-node.parts[0].parts[0])
        if node.kind == "call" and node.parts[0] in (*_SIZES, "local"):
            return self._sized(node)
        if node.kind == "binary" and node.parts[0] in ("+", "-"):
            found = self._offset(node)
            if found is not None:
                return found
        if node.kind == "name" and self.symbol(node, node.parts[0]).kind == "argument":
            return Item("parameter", self.symbol(node, node.parts[0]).number)
        value = self.value(node)
        if value.type == RESOURCE:
            return Item("address", value.variable)
        if value.constant is not None:
            return Item("constant", data=value.constant)
        return Item("value", value.variable)

    def _is_resource(self, node: Node) -> bool:
        if node.kind == "index":
            return True
        return node.kind == "name" and self.symbol(node, node.parts[0]).type == RESOURCE

    def _offset(self, node: Node) -> Optional[Item]:
        """A buffer and bytes."""
        sign, left, right = node.parts
        if not self._is_resource(left):
            return None
        base, by = self.resource(left), self.integer(right)
        if by.constant is not None:
            return Item("address", base.variable, by.constant if sign == "+" else -by.constant)
        if sign == "-":
            by = self._combine(node, "SUB", Value(INTEGER, 0), by)
        return Item("address", base.variable, by=by.variable)

    def _sized(self, node: Node) -> Item:
        name, given = node.parts
        if len(given) != 1:
            raise self.fail(node, "ERR_GRAPH_STEP", f"{name} takes 1 operand.", len(given))
        if name == "local":
            return Item("local", data=self.number(given[0], "The bytes"))
        item = self.item(given[0])
        if item.kind in ("parameter", "value"):
            return item._replace(size=_SIZES[name])
        if item.kind != "constant":
            raise self.fail(node, "ERR_GRAPH_TYPE", f"{name} takes a number.")
        return Item("constant", data=self._typed(node, name, item.data))

    def _typed(self, node: Node, name: str, data: Any) -> values.Value:
        if name[0] == "u" and isinstance(data, int) and data < 0:
            data &= (1 << 8 * _SIZES[name]) - 1
        try:
            return values.TYPES[name](float(data) if name[0] == "f" else data)
        except Error as error:
            raise self.fail(node, error.status, error.message, data) from None
