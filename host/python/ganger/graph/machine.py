# SPDX-License-Identifier: Apache-2.0
"""The reference interpreter of graph programs: executes steps as the device does (S2-R41)."""

from typing import Callable, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

from ..errors import Error
from .isa import ARGUMENT_BYTES, BLOCK_COMMANDS, COMMANDS, NONE, PASSES, Step, signed
from .program import Program
from .values import fold
from .verify import refuse

Parameter = Tuple[str, int, int, int]  # An argument of a kernel: kind, bytes, number, offset.
Load = Callable[[int, int], Optional[int]]  # Resource, byte: the word; None: outside.


class Command(NamedTuple):
    """A command. op: "DISPATCH", …; state, grid (() is the state's), values (op, bytes, number,
    offset) of DISPATCH; target, source, number (value), nbytes or offset of the others."""
    op: str
    state: int = 0
    grid: Tuple[int, ...] = ()
    values: Tuple[Parameter, ...] = ()
    target: int = 0
    source: int = 0
    number: int = 0
    nbytes: int = 0


class ModelPass:
    """A pass (S2-R5): uses {resource: {"READ", …}}, after, needs, commands; step: the one that
    completed it; definition: its number or None."""

    def __init__(self) -> None:
        self.uses: Dict[int, Set[str]] = {}
        self.after: List[int] = []
        self.needs: Dict[int, int] = {}
        self.commands: List[Command] = []
        self.step = 0
        self.definition: Optional[int] = None
        self.name = ""


class Machine:
    """One run of a program."""

    def __init__(self, program: Program, arguments: Sequence[int], load: Load):
        self.program, self.arguments, self.load = program, list(arguments), load
        self.passes: List[ModelPass] = []
        self.sizes = [one.nbytes for one in program.resources]
        self.steps = 0
        self.draft = ModelPass()
        self.numbers: List[Optional[int]] = [None if one == "buffer" else 0 for one in program.types]
        self.pc = 0
        self.until: Optional[int] = None
        self.back = 0
        self.definition: Optional[int] = None
        self.state: Optional[int] = None
        self.grid: Tuple[int, ...] = ()
        self.values: List[Parameter] = []
        self.bytes = 0
        self.used: Set[int] = set()
        self.written: Set[int] = set()

    def fail(self, status: str, message: str) -> Error:
        return refuse(self.program, status, self.pc, message)

    def run(self, budget: int) -> None:
        """Until END."""
        while True:
            if self.steps >= budget:
                raise self.fail("ERR_GRAPH_BUDGET", f"More than {budget} steps.")
            one = self.program.steps[self.pc]
            self.steps += 1
            if one.name == "END":
                self._end_pass()
                return
            following = self._execute(one)
            self.pc = self.pc + 1 if following is None else following
            if self.until is not None and self.pc == self.until:
                self.pc -= 1
                self._end_pass()
                self.until, self.definition, self.pc = None, None, self.back

    def _number(self, variable: int) -> int:
        if variable == NONE:
            return 0
        value = self.numbers[variable]
        if value is None:
            raise self.fail("ERR_GRAPH_RESOURCE", "The variable was not assigned.")
        return value

    def _execute(self, one: Step) -> Optional[int]:
        if one.name in COMMANDS:
            self._command(one)
            return None
        known = getattr(self, f"_on_{one.name.lower()}", None)
        if known is not None:
            following: Optional[int] = known(one)
            return following
        found = fold(one.name, self._number(one.b), self._number(one.c))
        if found is None:
            raise self.fail("ERR_GRAPH_DATA", "Division by zero.")
        self.numbers[one.a] = found
        return None

    def _on_set(self, one: Step) -> None:
        self.numbers[one.a] = signed(one.imm)

    def _on_move(self, one: Step) -> None:
        self.numbers[one.a] = self._number(one.b)

    def _on_addi(self, one: Step) -> None:
        self.numbers[one.a] = signed(self._number(one.b) + one.imm)

    def _on_argument(self, one: Step) -> None:
        self.numbers[one.a] = signed(self.arguments[one.imm])

    def _on_load(self, one: Step) -> None:
        resource = self._number(one.b)
        if self.program.resources[resource].kind == "TRANSIENT":
            raise self.fail("ERR_GRAPH_RESOURCE", "Transients have no content before the run.")
        at = (self._number(one.c) + one.imm) & 0xffffffff
        word = self.load(resource, at) if at % 4 == 0 and \
            at + 4 <= max(self.sizes[resource], 4) else None
        if word is None:
            raise self.fail("ERR_GRAPH_DATA", f"There is no word at byte {at}.")
        self.numbers[one.a] = signed(word)

    def _resource(self, number: int) -> int:
        number &= 0xffffffff
        if number >= len(self.program.resources) or \
                self.program.resources[number].kind == "NONE":
            raise self.fail("ERR_GRAPH_RESOURCE", f"There is no resource {number}.")
        return number

    def _on_resource(self, one: Step) -> None:
        self.numbers[one.a] = self._resource(one.imm)

    def _on_index(self, one: Step) -> None:
        self.numbers[one.a] = self._resource(one.imm + self._number(one.b))

    def _on_next(self, one: Step) -> None:
        self.numbers[one.a] = len(self.passes)

    def _on_jump(self, one: Step) -> int:
        return one.imm

    def _on_jeq(self, one: Step) -> Optional[int]:
        return one.imm if self._number(one.a) == self._number(one.b) else None

    def _on_jne(self, one: Step) -> Optional[int]:
        return one.imm if self._number(one.a) != self._number(one.b) else None

    def _on_jlt(self, one: Step) -> Optional[int]:
        return one.imm if self._number(one.a) < self._number(one.b) else None

    def _on_jge(self, one: Step) -> Optional[int]:
        return one.imm if self._number(one.a) >= self._number(one.b) else None

    def _on_invoke(self, one: Step) -> int:
        self._end_pass()
        definition = self.program.definitions[one.imm]
        self.definition, self.back = one.imm, self.pc + 1
        self.until = definition.first + definition.count
        return definition.first

    # ---- passes (S2-R42, S2-R43) ----

    def _declare(self, one: Step) -> None:
        number = self._number(one.a)
        if self.program.resources[number].kind == "TRANSIENT" and not self.sizes[number]:
            raise self.fail("ERR_GRAPH_RESOURCE",
                            f"{self.program.resource_name(number)} has no size yet.")
        self.draft.uses.setdefault(number, set()).add(one.name)

    _on_read = _on_write = _on_share = _declare

    def _on_after(self, one: Step) -> None:
        number = self._number(one.a) & 0xffffffff
        if number >= PASSES:
            raise self.fail("ERR_GRAPH_RESOURCE", f"A graph cannot have a pass {number}.")
        self.draft.after.append(number)

    def _on_afteri(self, one: Step) -> None:
        self.draft.after.append(one.imm)

    def _on_need(self, one: Step) -> None:
        self.draft.needs[one.c] = self._number(one.b) & 0xffffffff

    def _on_size(self, one: Step) -> None:
        number = self._number(one.a)
        kind = self.program.resources[number].kind
        if kind != "TRANSIENT" or number in self.used or number in self.draft.uses:
            raise self.fail("ERR_GRAPH_RESOURCE", "It is not a transient, or it is in use already.")
        self.sizes[number] = self._number(one.b) & 0xffffffff

    def _on_state(self, one: Step) -> None:
        self.state = one.imm

    def _on_grid(self, one: Step) -> None:
        self.grid = tuple(1 if at == NONE else self._number(at) & 0xffffffff
                          for at in (one.a, one.b, one.c))
        if 0 in self.grid:
            raise self.fail("ERR_GRID_ZERO", "A grid of no CTAs.")
        if max(self.grid[1:]) > 0xffff:
            raise self.fail("ERR_GRID_OVERFLOW", "A grid has at most 65,535 CTAs along y and z.")

    def _add_value(self, value: Parameter) -> None:
        self.values.append(value)
        self.bytes += -self.bytes % value[1] + value[1]
        if self.bytes > ARGUMENT_BYTES:
            raise self.fail("ERR_GRAPH_TOO_LARGE", f"More than {ARGUMENT_BYTES} bytes of arguments.")

    def _on_value(self, one: Step) -> None:
        self._add_value(("CONST", one.c, self._number(one.a), 0))

    def _on_const(self, one: Step) -> None:
        self._add_value(("CONST", one.c, signed(one.imm), 0))

    def _on_parameter(self, one: Step) -> None:
        self._add_value(("PARAMETER", one.c, one.imm, 0))

    def _on_address(self, one: Step) -> None:
        resource = self._number(one.a)
        self._declared(resource, ("READ", "WRITE", "SHARE"))
        offset = signed(one.imm) if one.b == NONE else self._number(one.b)
        self._add_value(("ADDRESS", 8, resource, offset))

    def _declared(self, resource: int, how: Sequence[str]) -> None:
        if not self.draft.uses.get(resource, set()) & set(how):
            name = self.program.resource_name(resource)
            raise self.fail("ERR_GRAPH_RESOURCE",
                            f"The pass does not declare {name} ({' or '.join(how).lower()}).")

    def _inside(self, resource: int, nbytes: int) -> None:
        if nbytes > self.sizes[resource] and self.sizes[resource]:
            raise self.fail("ERR_GRAPH_DATA",
                            f"{self.program.resource_name(resource)} has fewer bytes.")

    def _command(self, one: Step) -> None:
        made = Command(one.name)
        if one.name == "DISPATCH":
            if self.state is None:
                raise self.fail("ERR_GRAPH_STEP", "DISPATCH before any STATE.")
            made = made._replace(state=self.state, grid=self.grid, values=tuple(self.values))
            self.grid, self.values, self.bytes = (), [], 0
        elif one.name != "FENCE":
            made = self._move(one)
        if len(self.draft.commands) >= BLOCK_COMMANDS:
            raise self.fail("ERR_GRAPH_TOO_LARGE", f"More than {BLOCK_COMMANDS} commands.")
        self.draft.commands.append(made)
        if self.until is None and len(self.draft.commands) >= self.program.block_commands:
            self._end_pass()

    def _move(self, one: Step) -> Command:
        target, second = self._number(one.a), self._number(one.b)
        nbytes = (one.imm if one.c == NONE or one.name == "SIGNAL" else self._number(one.c)) \
            & 0xffffffff
        if one.name == "COPY":
            self._declared(second, ("READ",))
            self._inside(second, nbytes)
        self._declared(target, ("WRITE", "SHARE"))
        self._inside(target, nbytes + (4 if one.name == "SIGNAL" else 0))
        if one.name == "COPY":
            return Command("COPY", target=target, source=second, nbytes=nbytes)
        return Command(one.name, target=target, number=second, nbytes=nbytes)

    def _check_written(self) -> None:
        """In program order a transient must be written before it is read."""
        for number, how in self.draft.uses.items():
            if self.program.resources[number].kind == "TRANSIENT" and "READ" in how and \
                    number not in self.written and not self.program.unordered:
                raise self.fail("ERR_GRAPH_RESOURCE", "The pass reads "
                                f"{self.program.resource_name(number)}, which nobody has written.")

    def _end_pass(self) -> None:
        """Ends the draft of a pass. Without a command it makes no pass, and its declarations stay (S2-Q9)."""
        if not self.draft.commands:
            return
        if self.grid or self.values:
            raise self.fail("ERR_GRAPH_STEP", "Arguments or a grid that no DISPATCH takes.")
        if len(self.passes) >= PASSES:
            raise self.fail("ERR_GRAPH_TOO_LARGE", f"More than {PASSES} passes.")
        self.draft.step, self.draft.definition = self.pc, self.definition
        self._check_written()
        self.used.update(self.draft.uses)
        self.written.update(number for number, how in self.draft.uses.items() if how - {"READ"})
        self.passes.append(self.draft)
        self.draft = ModelPass()
