# SPDX-License-Identifier: Apache-2.0
"""The text form of graphs, from words to a tree. docs/GRAPHS.md has the grammar."""

from typing import Any, Dict, List, Tuple

from .isa import INTEGER, RESOURCE, Place, graph_error
from .words import Node, Words

_DECLARES = ("read", "write", "share", "update")
_MOVES = {"copy": (2, 3), "fill": (2, 3), "signal": (2, 3), "size": (2, 2)}
_PASS_TYPES = ("import", "export", "shared", "update", RESOURCE, INTEGER)


class Parser(Words):
    """One text."""

    # ---- the file ----

    def file(self) -> Tuple[str, Tuple[Node, ...], Dict[str, Any], List[Node]]:
        """Name, arguments, rules, items."""
        self._expect("graph")
        name = self._name("The graph's name")
        self._expect("(")
        arguments = tuple(self._list(self._argument))
        rules: Dict[str, Any] = {"block": 1, "unordered": False}
        while self._is("block", "unordered"):
            if self._take().value == "block":
                rules["block"] = self._number()
            else:
                rules["unordered"] = True
        items = []
        while self._next.kind != "end":
            items.append(self._item())
        return name, arguments, rules, items

    def _argument(self) -> Node:
        place, name, nbytes = self._next.place, self._name("An argument"), 0
        self._expect(":")
        if not self._is(INTEGER, RESOURCE):
            raise self._fail("'int' or 'buffer' is expected here")
        kind = self._take().value
        if kind == RESOURCE and self._accept("("):
            nbytes = self._number()
            self._expect(")")
        return Node("argument", place, (name, kind, nbytes))

    def _item(self) -> Node:
        place = self._next.place
        if self._accept("module"):
            return Node("module", place, (self._kind("string", "A file").value,))
        if self._accept("transient"):
            return self._transient(place)
        if self._accept("fixed"):
            name = self._name()
            self._expect("(")
            address = self._number()
            self._expect(",")
            nbytes = self._number()
            self._expect(")")
            return Node("fixed", place, (name, address, nbytes))
        if self._accept("pass"):
            name = self._name("The pass's name")
            self._expect("(")
            return Node("pass", place, (name, tuple(self._list(self._parameter)), self._block()))
        return self._statement()

    def _transient(self, place: Place) -> Node:
        name, count, nbytes = self._name(), 0, 0
        if self._accept("["):
            count = self._number()
            self._expect("]")
        if self._accept("("):
            nbytes = self._number()
            self._expect(")")
        return Node("transient", place, (name, count, nbytes))

    def _parameter(self) -> Node:
        place, name = self._next.place, self._name("A parameter")
        self._expect(":")
        if not self._is(*_PASS_TYPES):
            raise self._fail(f"One of {', '.join(_PASS_TYPES)} is expected here")
        return Node("parameter", place, (name, self._take().value))

    # ---- statements ----

    def _block(self) -> Tuple[Node, ...]:
        self._deeper()
        self._expect("{")
        found = []
        while not self._accept("}"):
            found.append(self._statement())
        self._depth -= 1
        return tuple(found)

    def _statement(self) -> Node:
        token = self._next
        if token.kind != "name":
            raise self._fail("A statement is expected here")
        self._take()
        word, place = token.value, token.place
        known = getattr(self, f"_on_{word}", None)
        if known is not None:
            node: Node = known(place)
            return node
        if word in _DECLARES:
            found = [self._expression()]
            while self._accept(","):
                found.append(self._expression())
            return Node("declare", place, (word, tuple(found)))
        if word in _MOVES:
            return self._move(word, place)
        if self._accept("="):
            return Node("assign", place, (word, self._expression()))
        if self._accept("("):
            return Node("invoke", place, (word, tuple(self._list(self._expression))))
        raise self._fail("A statement is expected here", token)

    def _move(self, word: str, place: Place) -> Node:
        self._expect("(")
        given = tuple(self._list(self._expression))
        least, most = _MOVES[word]
        if not least <= len(given) <= most:
            raise graph_error("ERR_GRAPH_STEP", place, f"{word} takes {least} to {most} operands.",
                              len(given))
        return Node(word, place, given)

    def _on_int(self, place: Place) -> Node:
        name = self._name("A variable")
        self._expect("=")
        return Node("new", place, (name, INTEGER, self._expression()))

    def _on_buffer(self, place: Place) -> Node:
        name = self._name("A variable")
        self._expect("=")
        return Node("new", place, (name, RESOURCE, self._expression()))

    def _on_if(self, place: Place) -> Node:
        condition, then = self._expression(), self._block()
        other: Tuple[Node, ...] = ()
        if self._accept("else"):
            self._deeper()
            again = self._next.place
            other = (self._on_if(again),) if self._accept("if") else self._block()
            self._depth -= 1
        return Node("if", place, (condition, then, other))

    def _on_while(self, place: Place) -> Node:
        return Node("while", place, (self._expression(), self._block()))

    def _on_for(self, place: Place) -> Node:
        name = self._name("A variable")
        self._expect("in")
        low = self._expression()
        self._expect("..")
        return Node("for", place, (name, low, self._expression(), self._block()))

    def _on_after(self, place: Place) -> Node:
        return Node("after", place, (self._expression(),))

    def _on_need(self, place: Place) -> Node:
        return Node("need", place, (self._name("A kind of need"), self._expression()))

    def _on_fence(self, place: Place) -> Node:
        return Node("fence", place)

    def _on_state(self, place: Place) -> Node:
        kernel = self._name("A kernel")
        options: Dict[str, Any] = {}
        while self._is("block", "grid", "cluster", "mode", "chunk", "stack"):
            word = self._take().value
            if word == "mode":
                options[word] = self._name("A mode")
            elif word in ("chunk", "stack"):
                options[word] = self._number()
            else:
                options[word] = tuple(self._list(self._number)) if self._accept("(") \
                    else (self._number(),)
        return Node("state", place, (kernel, options))

    def _on_dispatch(self, place: Place) -> Node:
        grid: Tuple[Node, ...] = ()
        args: Tuple[Node, ...] = ()
        if self._accept("grid"):
            grid = tuple(self._list(self._expression)) if self._accept("(") \
                else (self._expression(),)
        if self._accept("args"):
            self._expect("(")
            args = tuple(self._list(self._expression))
        if len(grid) > 3:
            raise graph_error("ERR_GRAPH_STEP", place, "A grid has 1 to 3 dimensions.", len(grid))
        return Node("dispatch", place, (grid, args))
