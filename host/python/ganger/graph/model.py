# SPDX-License-Identifier: Apache-2.0
"""What a program makes, without a device: the graph with its passes, resources and edges.

It gives the same graph and the same refusals as the device (S2-R40 to S2-R44).
"""

from typing import Dict, List, Mapping, Optional, Sequence, Set, Tuple, Union

from .isa import STEP_BUDGET, graph_error
from .machine import Load, Machine
from .order import Order
from .program import Program
from .verify import refuse, verify


class Model:
    """A graph. passes; sizes: bytes of resources; reads: edges (resource, pass); writes: edges
    (pass, resource) (S2-R32); order: ganger.graph.order.Order; steps: that were executed."""

    def __init__(self, machine: Machine):
        self.program = machine.program
        self.passes, self.sizes, self.steps = machine.passes, machine.sizes, machine.steps
        self.order: Order

    @property
    def reads(self) -> Set[Tuple[int, int]]:
        """Edges from resources to passes."""
        return {(resource, number) for number, one in enumerate(self.passes)
                for resource, how in one.uses.items() if "READ" in how}

    @property
    def writes(self) -> Set[Tuple[int, int]]:
        """Edges from passes to resources."""
        return {(number, resource) for number, one in enumerate(self.passes)
                for resource, how in one.uses.items() if how - {"READ"}}

    @property
    def resources(self) -> List[int]:
        """The uses that a pass declares, each once (S2-A7)."""
        return sorted({resource for one in self.passes for resource in one.uses})

    def edges(self) -> Set[Tuple[str, str]]:
        """All edges by name."""
        name = self.program.resource_name
        return {(name(resource), self.passes[number].name) for resource, number in self.reads} | \
            {(self.passes[number].name, name(resource)) for number, resource in self.writes}


def _set_names(model: Model) -> None:
    """Pass names: those that the graph has, or that of the definition, with a number."""
    program = model.program
    counts: Dict[str, int] = {}
    for number, one in enumerate(model.passes):
        if number < len(program.pass_names):
            one.name = program.pass_names[number]
            continue
        base = "pass" if one.definition is None else program.definitions[one.definition].name
        counts[base] = counts.get(base, 0) + 1
        one.name = f"{base}#{counts[base]}"


def _finish(model: Model) -> Model:
    """Finds the order of the passes, and the errors that only show then."""
    passes, program = model.passes, model.program
    _set_names(model)
    for one in passes:
        for after in one.after:
            if after >= len(passes):
                raise refuse(program, "ERR_GRAPH_RESOURCE", one.step,
                             f"{one.name} comes after pass {after}, which there is not.")
    order = model.order = Order([one.uses for one in passes], [one.after for one in passes],
                                program.unordered)
    for number, resource in order.unwritten:
        if program.resources[resource].kind == "TRANSIENT":
            raise refuse(program, "ERR_GRAPH_RESOURCE", passes[number].step,
                         f"{passes[number].name} reads {program.resource_name(resource)} before "
                         "it is written.")
    cycle = order.cycle()
    if cycle:
        names = " → ".join(passes[number].name for number in [*cycle, cycle[0]])
        raise graph_error("ERR_GRAPH_CYCLE", program.place(passes[cycle[0]].step),
                          f"Passes wait for each other: {names}.", cycle[0], "pass")
    return model


def run_model(program: Program, arguments: Union[Mapping[str, int], Sequence[int]] = (),
              load: Optional[Load] = None, budget: int = STEP_BUDGET) -> Model:
    """The graph that a program makes. arguments: by name or in order; missing ones are 0. load:
    what LOAD finds; by default zeros. Raises Error as the device would."""
    verify(program)
    if isinstance(arguments, Mapping):
        arguments = [arguments.get(one.name, 0) for one in program.arguments]
    given = list(arguments) + [0] * (len(program.arguments) - len(arguments))
    machine = Machine(program, given, load or (lambda _resource, _byte: 0))
    machine.run(budget)
    return _finish(Model(machine))
