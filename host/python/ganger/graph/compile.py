# SPDX-License-Identifier: Apache-2.0
"""The text form of graphs, from the tree to a program (S2-R19 to S2-R28)."""

from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Tuple

from .emit import Emitter, Item
from .flow import Flow
from .isa import (ARGUMENTS, BLOCK_COMMANDS, DEFINITIONS, INTEGER, NEEDS, NONE, RESOURCE,
                        RESOURCES, Place, graph_error)
from .parse import Parser
from .program import Argument, Definition, Program, Resource, State
from .values import Symbol, Value
from .words import Node

_DECLARES = {"read": ("READ",), "write": ("WRITE",), "share": ("SHARE",),
             "update": ("READ", "WRITE"), "import": ("READ",), "export": ("WRITE",),
             "shared": ("SHARE",), RESOURCE: (), INTEGER: ()}
_STRAIGHT = ("if", "while", "for", "invoke")
Find = Callable[[str], Any]


class _Pass(NamedTuple):
    number: int
    node: Node
    parameters: Tuple[Tuple[str, str, int], ...]  # Name, type, variable.


class Compiler(Flow):
    """One text. find: the kernel of a name, or None when it is not known."""

    def __init__(self, text: str, find: Find):
        name, arguments, self._rules, self._items = Parser(text).file()
        super().__init__(Emitter(name))
        self._find = find
        self._passes: Dict[str, _Pass] = {}
        self._pending: Dict[str, Any] = {}
        self._locals: Dict[int, Any] = {}
        self.modules: List[str] = []
        self._set_rules()
        for one in arguments:
            self._argument(one)

    @property
    def program(self) -> Program:
        """The program that was made."""
        return self.emitter.program

    def _set_rules(self) -> None:
        block = self._rules["block"]
        if not 1 <= block <= BLOCK_COMMANDS:
            raise graph_error("ERR_GRAPH_FORMAT", self.emitter.place,
                              f"A block has 1 to {BLOCK_COMMANDS} commands.", block)
        self.program.block_commands = block
        self.program.unordered = self._rules["unordered"]

    def compile(self) -> Program:
        """The program."""
        for node in self._items:
            if node.kind in ("module", "transient", "fixed", "pass"):
                getattr(self, f"_declare_{node.kind}")(node)
            else:
                self._statement(node)
        self.emitter.emit("END")
        for one in self._passes.values():
            self._definition(one)
        return self.program

    # ---- declarations ----

    def _argument(self, node: Node) -> None:
        name, kind, nbytes = node.parts
        number = len(self.program.arguments)
        if number >= ARGUMENTS:
            raise self.fail(node, "ERR_GRAPH_TOO_LARGE", f"More than {ARGUMENTS} arguments.", number)
        self.program.arguments.append(Argument(name, kind))
        if kind == RESOURCE:
            self._add(node, name, Resource(name, "ARGUMENT", number, 0, nbytes))
        else:
            self.define(node, name, Symbol("argument", INTEGER, number))

    def _add(self, node: Node, name: str, resource: Resource, count: int = 0) -> None:
        first = len(self.program.resources)
        if first + max(1, count) > RESOURCES:
            raise self.fail(node, "ERR_GRAPH_TOO_LARGE", f"More than {RESOURCES} resources.", count)
        self.define(node, name, Symbol("resource", RESOURCE, first, count))
        for number in range(max(1, count)):
            one = f"{name}[{number}]" if count else name
            self.program.resources.append(resource._replace(name=one))

    def _declare_module(self, node: Node) -> None:
        self.modules.append(node.parts[0])

    def _declare_transient(self, node: Node) -> None:
        name, count, nbytes = node.parts
        self._add(node, name, Resource(name, "TRANSIENT", nbytes=nbytes), count)

    def _declare_fixed(self, node: Node) -> None:
        name, address, nbytes = node.parts
        self._add(node, name, Resource(name, "FIXED", address=address, nbytes=nbytes))

    def _declare_pass(self, node: Node) -> None:
        name, parameters, _body = node.parts
        if name in self._passes:
            raise self.fail(node, "ERR_GRAPH_FORMAT", f"The name '{name}' is that of another pass.", name)
        if len(self._passes) >= DEFINITIONS:
            raise self.fail(node, "ERR_GRAPH_TOO_LARGE", f"More than {DEFINITIONS} passes.", name)
        self.emitter.place = node.place
        made = []
        for one in parameters:
            kind = INTEGER if one.parts[1] == INTEGER else RESOURCE
            made.append((*one.parts, self.emitter.variable(kind, "pass")))
        for *_names, variable in made:
            self.emitter.release(variable, "pass")
        self._passes[name] = _Pass(len(self._passes), node, tuple(made))

    def _definition(self, one: _Pass) -> None:
        title, parameters, body = one.node.parts
        first, scopes = self.emitter.here, self.scopes
        known = {name: one for name, one in scopes[0].items() if one.kind != "variable"}
        self.scopes, self.pool = [known, {}], "pass"
        self.emitter.place = one.node.place._replace(name=title)
        self._pending = {}
        for given, (word, kind, variable) in zip(parameters, one.parameters):
            self.emitter.take(variable, "pass")
            self.define(given, word, Symbol("variable", INTEGER if kind == INTEGER else RESOURCE,
                                            variable))
            for op in _DECLARES[kind]:
                self.emitter.emit(op, variable)
        for node in body:
            if node.kind in _STRAIGHT:
                raise self.fail(node, "ERR_GRAPH_JUMP", "The steps of a pass are straight: no if, "
                                "no loop, no other pass.", node.kind)
            self._statement(node)
        self._leave()
        for *_names, variable in one.parameters:
            self.emitter.release(variable, "pass")
        self.scopes, self.pool = scopes, "main"
        self.program.definitions.append(
            Definition(title, first, self.emitter.here - first, one.number))

    # ---- statements ----

    def _do_new(self, node: Node) -> None:
        name, kind, given = node.parts
        value = self.integer(given) if kind == INTEGER else self.resource(given)
        if value.own:
            self.define(node, name, Symbol("variable", kind, value.variable))
            return
        variable = self.emitter.variable(kind, self.pool, name)
        self._store(variable, value)
        self.define(node, name, Symbol("variable", kind, variable))

    def _do_assign(self, node: Node) -> None:
        name, given = node.parts
        symbol = self.symbol(node, name)
        if symbol.kind != "variable":
            raise self.fail(node, "ERR_GRAPH_TYPE", f"'{name}' is no variable.", name)
        self._store(symbol.number,
                    self.integer(given) if symbol.type == INTEGER else self.resource(given))

    def _do_declare(self, node: Node) -> None:
        word, given = node.parts
        for one in given:
            value = self.resource(one)
            for op in _DECLARES[word]:
                self.emitter.emit(op, value.variable)
            self.drop(value)

    def _do_after(self, node: Node) -> None:
        value = self.integer(node.parts[0])
        if value.constant is not None:
            self.emitter.emit("AFTERI", imm=value.constant)
        else:
            self.emitter.emit("AFTER", value.variable)
        self.drop(value)

    def _do_need(self, node: Node) -> None:
        kind, given = node.parts
        if kind not in NEEDS:
            raise self.fail(node, "ERR_GRAPH_STEP", f"Needs are {', '.join(NEEDS)}.", kind)
        value = self.held(self.integer(given))
        self.emitter.emit("NEED", 0, value.variable, NEEDS[kind])
        self.drop(value)

    def _do_size(self, node: Node) -> None:
        resource, nbytes = self.resource(node.parts[0]), self.held(self.integer(node.parts[1]))
        self.emitter.emit("SIZE", resource.variable, nbytes.variable)
        self.drop(resource, nbytes)

    def _do_state(self, node: Node) -> None:
        kernel, options = node.parts
        self._pending = {"kernel": kernel, "options": options}
        if not any(one.kind == "local" for one in getattr(self._find(kernel), "parameters", ())):
            self._set_state(())

    def _set_state(self, local: Tuple[int, ...]) -> None:
        """Adds a STATE. How much `__local` memory a kernel takes is known at its dispatch only."""
        options = dict(self._pending["options"])
        kernel = self._pending["kernel"]
        found = self._find(kernel)
        block = options.pop("block", None) or getattr(found, "block", None) or (1,)
        state = State(kernel, options.pop("grid", (1,)), block, local,
                      tuple(sorted((name.replace("stack", "stack_bytes"), value)
                                   for name, value in options.items())), found)
        self.emitter.emit("STATE", imm=self.emitter.state(state))

    def _do_dispatch(self, node: Node) -> None:
        grid, args = node.parts
        found = self._find(self._pending["kernel"]) if self._pending else None
        shape = [self.held(self.integer(one)) for one in grid]
        items = [self.item(one) for one in args]
        local = tuple(item.data for item in items if item.kind == "local")
        if local and self._pending:
            self._set_state(local)
        if shape:
            self.emitter.emit("GRID", *([one.variable for one in shape] + [NONE] * 3)[:3])
        self.emitter.arguments(items, found)
        self.emitter.emit("DISPATCH")
        self.drop(*shape)
        self._drop_items(items)

    def _drop_items(self, items: Iterable[Item]) -> None:
        kept = {symbol.number for scope in self.scopes for symbol in scope.values()
                if symbol.kind == "variable"}
        for item in items:
            for number in ([item.number] if item.kind in ("address", "value") else []) \
                    + [item.by]:
                if number != NONE and number not in kept:
                    self.emitter.release(number, self.pool)

    def _bytes(self, node: Node, at: int) -> Value:
        """How many bytes a copy or fill moves; those of the first buffer by default."""
        if at < len(node.parts):
            return self.integer(node.parts[at])
        target = node.parts[0]
        symbol = self.symbol(target, target.parts[0]) if target.kind in ("name", "index") else None
        known = symbol is not None and symbol.kind == "resource" and \
            self.program.resources[symbol.number].nbytes
        if not known:
            raise self.fail(node, "ERR_GRAPH_TYPE", "Its size is not known: say how many bytes.")
        return Value(INTEGER, known)

    def _move(self, node: Node, op: str, first: Value, second: Value) -> None:
        nbytes = self._bytes(node, 2)
        self.emitter.much(nbytes.constant and nbytes.constant & 0xffffffff)
        self.emitter.emit(op, first.variable, second.variable, nbytes.variable,
                          nbytes.constant or 0)
        self.drop(first, second, nbytes)

    def _do_copy(self, node: Node) -> None:
        self._move(node, "COPY", self.resource(node.parts[0]), self.resource(node.parts[1]))

    def _do_fill(self, node: Node) -> None:
        self._move(node, "FILL", self.resource(node.parts[0]),
                   self.held(self.integer(node.parts[1])))

    def _do_signal(self, node: Node) -> None:
        target, value = self.resource(node.parts[0]), self.held(self.integer(node.parts[1]))
        at = self.number(node.parts[2], "The place") if len(node.parts) > 2 else 0
        self.emitter.emit("SIGNAL", target.variable, value.variable, imm=at)
        self.drop(target, value)

    def _do_fence(self, _node: Node) -> None:
        self.emitter.emit("FENCE")

    def _do_invoke(self, node: Node) -> None:
        name, given = node.parts
        one = self._passes.get(name)
        if one is None:
            raise self.fail(node, "ERR_GRAPH_RESOURCE", f"There is no pass '{name}'.", name)
        if len(given) != len(one.parameters):
            raise self.fail(node, "ERR_ARGUMENT_COUNT", f"Pass {name} takes {len(one.parameters)} "
                            f"arguments, not {len(given)}.", len(given))
        for argument, (_word, kind, variable) in zip(given, one.parameters):
            self._store(variable, self.integer(argument) if kind == INTEGER
                        else self.resource(argument))
        self.emitter.place = node.place
        self.emitter.emit("INVOKE", imm=one.number)


def compile_text(text: str, find: Optional[Find] = None) -> Tuple[Program, List[str]]:
    """A program, and the modules that the text names. Raises Error with line and column."""
    try:
        compiler = Compiler(text, find or (lambda _name: None))
        return compiler.compile(), compiler.modules
    except RecursionError:
        raise graph_error("ERR_GRAPH_TOO_LARGE", Place(), "An expression is too long.") from None
