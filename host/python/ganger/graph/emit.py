# SPDX-License-Identifier: Apache-2.0
"""Makes the steps of a program one by one: variables, states, and the arguments of kernels."""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from .. import values
from ..errors import Error
from ..kernels import Kernel, Parameter
from .isa import (ARGUMENT_BYTES, NONE, SMALL_BYTES, STATES, STEPS, VARIABLES, Place,
                        graph_error, step)
from .program import Program, State

WORD = 4


class Item(NamedTuple):
    """An argument of a dispatch. kind: "address" (number: variable of a resource, offset: bytes, or
    by: variable of bytes), "parameter" (number: argument of the graph), "value" (number:
    variable), "constant" (data: an int, float or ganger.Value), "local" (data: bytes).
    size: bytes that were asked for, or 0."""
    kind: str
    number: int = 0
    offset: int = 0
    data: Any = None
    by: int = NONE
    size: int = 0


class Emitter:
    """A program under construction. place: where the next steps come from."""

    def __init__(self, name: str):
        self.program = Program(name)
        self.place = Place()
        self._free: Dict[Tuple[str, str], List[int]] = {}
        self._states: Dict[Any, int] = {}

    def fail(self, status: str, message: str, value: Any = None) -> Error:
        """An error at the present place."""
        return graph_error(status, self.place, message, value)

    @property
    def here(self) -> int:
        """Number of the next step."""
        return len(self.program.steps)

    def emit(self, name: str, a: int = 0, b: int = 0, c: int = 0, imm: int = 0) -> int:
        """Adds a step; returns its number. Raises Error ERR_GRAPH_TOO_LARGE."""
        if self.here >= STEPS:
            raise self.fail("ERR_GRAPH_TOO_LARGE", f"A program has at most {STEPS} steps.", STEPS)
        self.program.places[self.here] = self.place
        self.program.steps.append(step(name, a, b, c, imm))
        return self.here - 1

    def patch(self, steps: Sequence[int], target: Optional[int] = None) -> None:
        """Sets where jumps go; None: here."""
        for number in steps:
            old = self.program.steps[number]
            self.program.steps[number] = old._replace(imm=self.here if target is None else target)

    def variable(self, kind: str, pool: str = "main", name: str = "") -> int:
        """A variable that nobody uses. Raises Error ERR_GRAPH_TOO_LARGE."""
        free = self._free.setdefault((pool, kind), [])
        if free:
            return free.pop(0)
        if len(self.program.types) >= VARIABLES:
            raise self.fail("ERR_GRAPH_TOO_LARGE", f"More than {VARIABLES} variables.", VARIABLES)
        self.program.types.append(kind)
        self.program.variables.append(name or f"v{len(self.program.types) - 1}")
        return len(self.program.types) - 1

    def release(self, number: int, pool: str = "main") -> None:
        """Gives a variable back."""
        free = self._free.setdefault((pool, self.program.types[number]), [])
        if number not in free:
            free.insert(0, number)

    def take(self, number: int, pool: str) -> None:
        """Takes a variable that was given back."""
        free = self._free.setdefault((pool, self.program.types[number]), [])
        if number in free:
            free.remove(number)

    def state(self, state: State, distinct: Any = None) -> int:
        """Number of a state, which is added if it is not there yet."""
        key = (state._replace(found=None), distinct if distinct is not None else id(state.found))
        if key not in self._states:
            if len(self.program.states) >= STATES:
                raise self.fail("ERR_GRAPH_TOO_LARGE", f"More than {STATES} states.", STATES)
            self._states[key] = len(self.program.states)
            self.program.states.append(state)
        return self._states[key]

    def much(self, nbytes: Optional[int]) -> None:
        """Remembers that a command copies or fills so many bytes; None: not known."""
        if nbytes is None or nbytes > SMALL_BYTES:
            self.program.moves_much = True

    # ---- arguments of kernels ----

    def arguments(self, items: Sequence[Item], kernel: Optional[Kernel]) -> Tuple[int, ...]:
        """Steps for the arguments of the next dispatch; returns the bytes of its `__local` memory.

        kernel: says how its argument block is laid out; None: values of 4 bytes, or as asked for.
        Raises Error ERR_ARGUMENT_COUNT, ERR_ARGUMENT_SIZE, ERR_GRAPH_TYPE, ERR_GRAPH_TOO_LARGE.
        """
        local = tuple(item.data for item in items if item.kind == "local")
        if kernel is None:
            for item in items:
                self._plain(item)
            return local
        if len(items) != len(kernel.parameters):
            raise self.fail("ERR_ARGUMENT_COUNT", f"Kernel {kernel.name} takes "
                            f"{len(kernel.parameters)} arguments, not {len(items)}.", len(items))
        if kernel.argument_bytes > ARGUMENT_BYTES:
            raise self.fail("ERR_GRAPH_TOO_LARGE", f"The arguments of {kernel.name} take more than "
                            f"{ARGUMENT_BYTES} bytes.", kernel.argument_bytes)
        self._laid_out(items, kernel)
        return local

    def _plain(self, item: Item) -> None:
        if item.kind == "constant":
            data = item.data
            if isinstance(data, float):
                data = values.f32(data)
            if isinstance(data, int):
                data = values.i32(data) if data < 0 else values.u32(data)
            self._constants(data.data)
        elif item.kind == "local":
            self.emit("CONST", c=WORD)  # Placeholder until the kernel is known.
        else:
            self._one(item, item.size or WORD)

    def _constants(self, data: bytes) -> None:
        """Bytes as words; the last one is filled up with zeros."""
        data = bytes(data) + bytes(-len(data) % WORD)
        for at in range(0, len(data), WORD):
            self.emit("CONST", c=WORD, imm=int.from_bytes(data[at:at + WORD], "little"))

    def _one(self, item: Item, size: int) -> None:
        if item.kind == "address":
            self.emit("ADDRESS", item.number, item.by,
                      imm=item.offset if item.by == NONE else 0)
        elif item.kind == "parameter":
            self.emit("PARAMETER", c=size, imm=item.number)
        else:
            self.emit("VALUE", item.number, c=size)

    def _laid_out(self, items: Sequence[Item], kernel: Kernel) -> None:
        """Constants between the others, word by word, as the argument block has them."""
        end = max((one.offset + one.size for one in kernel.parameters), default=0)
        block = bytearray(end + -end % WORD)
        at, shared = 0, kernel.shared_bytes
        for item, parameter in sorted(zip(items, kernel.parameters), key=lambda two: two[1].offset):
            place = f"argument {parameter.name or kernel.parameters.index(parameter)}"
            first, last = parameter.offset, parameter.offset + parameter.size
            if item.kind == "local":
                shared += -shared % 16
                block[first:last] = shared.to_bytes(parameter.size, "little")
                shared += item.data
            elif item.kind == "constant":
                block[first:last] = self._constant(item.data, parameter, place)
            else:
                self._check(item, parameter, place)
                self._constants(bytes(block[at:first]))
                self._one(item, parameter.size)
                at = last
        self._constants(bytes(block[at:]))

    def _constant(self, data: Any, parameter: Parameter, place: str) -> bytes:
        try:
            found: bytes = values.encode(data, parameter, place).data
        except Error as error:
            raise self.fail(error.status, f"{place}: {error.message}", error.value) from None
        if parameter.kind == "local" or len(found or b"") < parameter.size:
            raise self.fail("ERR_ARGUMENT_SIZE", f"{place}: the kernel takes "
                            f"{parameter.type_name} of {parameter.size} bytes.", data)
        return found[:parameter.size]

    def _check(self, item: Item, parameter: Parameter, place: str) -> None:
        if (item.kind == "address") != (parameter.kind == "buffer") and item.kind != "parameter":
            raise self.fail("ERR_GRAPH_TYPE", f"{place}: the kernel takes a {parameter.kind}.")
        if parameter.size not in (4, 8) or item.size not in (0, parameter.size):
            raise self.fail("ERR_ARGUMENT_SIZE", f"{place}: the kernel takes {parameter.size} "
                            "bytes; what is not constant has 4 or 8.", parameter.size)
