# SPDX-License-Identifier: Apache-2.0
"""Straight programs of graphs that the Python builder made: a block for each pass with one command,
a definition for each with more (S2-R47, S2-R20)."""

from typing import TYPE_CHECKING, Any, Dict, List, Tuple

from .emit import Emitter
from .isa import DEFINITIONS, INTEGER, NONE, RESOURCE, Place, graph_error
from .parts import GraphCommand, GraphPass
from .program import Definition, Program, State

if TYPE_CHECKING:
    from .builder import Graph

_HELD = 32  # Variables that hold resources at the same time.


class Straight:
    """Makes the program of a graph's parts."""

    def __init__(self, graph: "Graph"):
        self._emitter = Emitter(graph.name)
        self.program: Program = self._emitter.program
        resources, arguments, self._passes, inputs = graph.parts()
        self.program.resources, self.program.arguments = resources, arguments
        self.program.inputs = list(inputs)
        self.program.unordered = graph.unordered
        self.program.pass_names = [one.name for one in self._passes]
        self._held: Dict[int, int] = {}  # Resource: variable; the one used last at the end.
        self._state = -1
        self._numbers: List[int] = []
        self._bodies: List[Tuple[str, List[Any], List[Any]]] = []
        self._make()

    def _make(self) -> None:
        counts = {len(one.commands) for one in self._passes}
        inline = counts.pop() if len(counts) == 1 else 1
        if 0 in counts or inline == 0:
            empty = next(one for one in self._passes if not one.commands)
            raise graph_error("ERR_GRAPH_STEP", Place(name=empty.name),
                              "A pass has at least one command.")
        self.program.block_commands = inline
        for one in self._passes:
            self._emitter.place = Place(name=one.name)
            if len(one.commands) == inline:
                self._pass(one)
            else:
                self._definition(one)
        self._emitter.place = Place(name="end")
        self._emitter.emit("END")
        self._append_bodies()

    def _definition(self, one: GraphPass) -> None:
        """Makes the steps of a definition in the order of the passes, so that variables hold what
        they will hold at the run, and moves them behind the end of the main part."""
        if len(self._bodies) >= DEFINITIONS:
            raise graph_error("ERR_GRAPH_TOO_LARGE", Place(name=one.name), f"At most {DEFINITIONS} "
                              "passes have another number of commands than one.", DEFINITIONS)
        steps, places, first = self.program.steps, self.program.places, self._emitter.here
        self._pass(one)
        self._bodies.append((one.name, steps[first:], [places.pop(at) for at in
                                                       range(first, len(steps))]))
        del steps[first:]
        self._emitter.emit("INVOKE", imm=len(self._bodies) - 1)

    def _append_bodies(self) -> None:
        for number, (name, steps, places) in enumerate(self._bodies):
            first = len(self.program.steps)
            self.program.definitions.append(Definition(name, first, len(steps), number))
            self.program.steps += steps
            self.program.places.update(zip(range(first, first + len(steps)), places))

    # ---- a pass ----

    def _variable(self, resource: int) -> int:
        """A variable that holds a resource."""
        if resource in self._held:
            variable = self._held.pop(resource)
        else:
            variable = self._held.pop(next(iter(self._held))) if len(self._held) >= _HELD \
                else self._emitter.variable(RESOURCE)
            self._emitter.emit("RESOURCE", variable, imm=resource)
        self._held[resource] = variable
        return variable

    def _number(self, at: int, value: int) -> int:
        """One of a few variables, with a number in it."""
        while len(self._numbers) <= at:
            self._numbers.append(self._emitter.variable(INTEGER))
        self._emitter.emit("SET", self._numbers[at], imm=value)
        return self._numbers[at]

    def _pass(self, one: GraphPass) -> None:
        for resource, how in one.uses.items():
            for op in sorted(how):
                self._emitter.emit(op, self._variable(resource))
        for after in dict.fromkeys(one.after_passes):
            self._emitter.emit("AFTERI", imm=after)
        for kind, amount in one.needs.items():
            self._emitter.emit("NEED", 0, self._number(0, amount), kind)
        for command in one.commands:
            self._command(command)

    def _command(self, command: GraphCommand) -> None:
        if command.op == "DISPATCH":
            self._dispatch(command)
        elif command.op == "FENCE":
            self._emitter.emit("FENCE")
        elif command.op == "SIGNAL":
            self._emitter.emit("SIGNAL", self._variable(command.target),
                               self._number(0, command.value), imm=command.nbytes)
        else:
            target = self._variable(command.target)
            second = self._variable(command.source) if command.op == "COPY" \
                else self._number(0, command.value)
            self._emitter.much(command.nbytes)
            self._emitter.emit(command.op, target, second, NONE, command.nbytes)

    def _dispatch(self, command: GraphCommand) -> None:
        state: Any = command.state
        grid = (*state.grid, 1, 1)[:3]
        words = dict(state.keywords)
        plain = not {"cluster", "chunk"} & set(words) and len(state.grid) < 4
        shared: State = state._replace(grid=(1,) * len(state.grid)) if plain else state
        number = self._emitter.state(shared)
        if number != self._state:
            self._emitter.emit("STATE", imm=number)
            self._state = number
        if plain and grid != (1, 1, 1):
            self._emitter.emit("GRID", *(NONE if size == 1 else self._number(at, size)
                                         for at, size in enumerate(grid)))
        items = [item._replace(number=self._variable(item.number)) if item.kind == "address"
                 else item for item in command.items]
        self._emitter.arguments(items, state.found)
        self._emitter.emit("DISPATCH")
