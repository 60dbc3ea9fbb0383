# SPDX-License-Identifier: Apache-2.0
"""The text form of graphs: takes words one after the other, and parses expressions."""

from typing import Any, Callable, List, NamedTuple, Optional, Tuple, TypeVar

from ..errors import Error
from .isa import Place, graph_error
from .scan import Token, tokens

_Part = TypeVar("_Part")  # Of a list with commas.
DEPTH = 40  # Of nested blocks and brackets.
# How strongly signs bind; `not` stands between `and` and the comparisons.
_LEVELS = {sign: level for level, signs in enumerate((
    ("or",), ("and",), (), ("==", "!=", "<", "<=", ">", ">="), ("|",), ("^",), ("&",), ("<<", ">>"),
    ("+", "-"), ("*", "/", "%"))) for sign in signs}
_NOT = 2


class Node(NamedTuple):
    """A part of the tree; what `parts` are depends on the kind."""
    kind: str
    place: Place
    parts: Tuple[Any, ...] = ()


class Words:
    """The words of a text, and the place in it."""

    def __init__(self, text: str):
        self._rest = tokens(text)
        self._next = next(self._rest)
        self._depth = 0

    # ---- words ----

    def _fail(self, what: str, token: Optional[Token] = None) -> Error:
        token = token or self._next
        return graph_error("ERR_GRAPH_STEP", token.place, f"{what}, not '{token.value}'.",
                           token.value)

    def _take(self) -> Token:
        token = self._next
        if token.kind != "end":
            self._next = next(self._rest)
        return token

    def _is(self, *values: str) -> bool:
        return self._next.kind in ("sign", "name") and self._next.value in values

    def _accept(self, *values: str) -> bool:
        if not self._is(*values):
            return False
        self._next = next(self._rest)
        return True

    def _expect(self, value: str) -> Token:
        if not self._is(value):
            raise self._fail(f"'{value}' is expected here")
        return self._take()

    def _kind(self, kind: str, what: str) -> Token:
        if self._next.kind != kind:
            raise self._fail(f"{what} is expected here")
        return self._take()

    def _name(self, what: str = "A name") -> str:
        return str(self._kind("name", what).value)

    def _number(self) -> int:
        return int(self._kind("number", "A number").value)

    def _list(self, one: Callable[[], _Part], close: str = ")") -> List[_Part]:
        """Expressions with commas up to a closing bracket; the opening one was taken."""
        found: List[_Part] = []
        if self._accept(close):
            return found
        while True:
            found.append(one())
            if self._accept(close):
                return found
            self._expect(",")

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > DEPTH:
            raise self._fail("Too many blocks or brackets in each other; something else is "
                             "expected here")

    # ---- expressions ----

    def _expression(self, least: int = 0) -> Node:
        """An expression whose signs are all of at least this level."""
        place = self._next.place
        left = self._negation() if least <= _NOT and self._is("not") else self._unary()
        while True:
            token = self._next
            level = _LEVELS.get(token.value, -1) if token.kind in ("sign", "name") else -1
            if level < least:
                return left
            self._next = next(self._rest)
            left = Node("binary", place, (token.value, left, self._expression(level + 1)))

    def _negation(self) -> Node:
        place, count = self._next.place, 0
        while self._accept("not"):
            count += 1
        inner = self._expression(_NOT + 1)
        return Node("not", place, (inner,)) if count % 2 else inner

    def _unary(self) -> Node:
        place, count = self._next.place, 0
        while self._accept("-"):
            count += 1
        inner = self._primary()
        return Node("minus", place, (inner,)) if count % 2 else inner

    def _primary(self) -> Node:
        token = self._take()
        if token.kind in ("number", "float", "string"):
            return Node(token.kind, token.place, (token.value,))
        if token.kind == "name" and not self._is("(", "["):
            return Node("name", token.place, (token.value,))
        if token.kind == "name" or token.value == "(":
            self._deeper()
            inner = self._bracket(token)
            self._depth -= 1
            return inner
        raise self._fail("A value is expected here", token)

    def _bracket(self, token: Token) -> Node:
        if token.kind == "name" and self._accept("("):
            return Node("call", token.place, (token.value, tuple(self._list(self._expression))))
        inner = None
        if token.kind == "name":
            self._expect("[")
            inner = Node("index", token.place, (token.value, self._expression()))
            self._expect("]")
        else:
            inner = self._expression()
            self._expect(")")
        return inner
