# SPDX-License-Identifier: Apache-2.0
"""The assembler of graph programs: one step a line, labels, names. See docs/GRAPHS.md."""

import re
from typing import Any, Callable, Dict, List, Optional, Tuple

from ..errors import Error
from .isa import (INTEGER, KINDS, NEEDS, NONE, OPS, RESOURCE, SMALL_BYTES,
                        STEPS, TABLE, VARIABLES, Place, Role, Step, graph_error)
from .program import STATE_KEYWORDS, Argument, Definition, Program, Resource, State

_WORD = re.compile(r"[^\s,=]+=[^\s,]*(?:,-?[0-9]\w*)*|[^\s,]+")  # Options may have several numbers.
_NUMBER = re.compile(r"-?(0[xX][0-9a-fA-F]{1,16}|0|[1-9][0-9]{0,19})")
_LIKE_A_NUMBER = re.compile(r"-?(0[xX][0-9a-fA-F]+|[0-9]+)")  # Also 007, and numbers of any length.
_FRACTION = re.compile(r"[0-9]{1,20}(\.[0-9]{1,20})?(e[-+][0-9]{1,3})?")  # Of milliseconds.
_TUPLES = ("grid", "block", "local", "cluster", "cluster_in", "gpcs")


class _Line:
    """Words of a line, taken one by one."""

    def __init__(self, number: int, text: str):
        self.words = [(match.group(), Place(number, match.start() + 1))
                      for match in _WORD.finditer(text)]
        self.place = self.words[0][1] if self.words else Place(number, 1)
        self._end = Place(number, len(text.rstrip()) + 1)

    def fail(self, status: str, message: str, value: Any = None, place: Optional[Place] = None) -> Error:
        """An error at a word of the line."""
        return graph_error(status, place or self.place, message, value)

    def word(self, what: str) -> str:
        """The next word; `place` becomes its place."""
        if not self.words:
            raise self.fail("ERR_GRAPH_STEP", f"{what} is expected here.", "", self._end)
        text, self.place = self.words.pop(0)
        return text

    def number(self, what: str, most: int = 0xffffffff) -> int:
        """The next word as a number of at least -2**31; a negative one becomes two's complement."""
        text = self.word(what)
        value = int(text, 0) if _NUMBER.fullmatch(text) else None
        if value is None or not -(1 << 31) <= value <= most:
            raise self.fail("ERR_GRAPH_STEP", f"{what} is a number of at most {most}.", text)
        return value & 0xffffffff if value < 0 else value

    def options(self) -> Dict[str, str]:
        """The other words, each name=value."""
        found = {}
        while self.words:
            name, equals, value = self.word("An option").partition("=")
            if not equals or name in found:
                raise self.fail("ERR_GRAPH_STEP", "name=value, each once, is expected here.", name)
            found[name] = value
        return found

    def over(self) -> None:
        """Raises Error if there is another word."""
        if self.words:
            text, place = self.words[0]
            raise self.fail("ERR_GRAPH_STEP", "Nothing may follow here.", text, place)


class Assembler:
    """One text."""

    def __init__(self) -> None:
        self.program = Program()
        self._names: Dict[str, Dict[str, int]] = {
            kind: {} for kind in ("variable", "argument", "resource", "definition", "step")}
        self._later: List[Tuple[int, str, str, Place]] = []  # Step, kind, name, place.
        self._open: Optional[Tuple[str, int, Place]] = None

    def line(self, number: int, text: str) -> None:
        """Takes the next line."""
        line = _Line(number, text.split("#", 1)[0])
        while line.words and line.words[0][0].endswith(":"):
            self._name("step", line.word("A label")[:-1], len(self.program.steps), line)
        if not line.words:
            return
        begin, word = line.words[0][1], line.word("A step")
        if word.startswith("."):
            known: Optional[Callable[[_Line], None]] = getattr(self, f"_on_{word[1:]}", None)
            if known is None:
                raise line.fail("ERR_GRAPH_STEP", f"There is no '{word}'.", word)
            known(line)
        else:
            self._step(word, line, begin)
        line.over()

    def end(self) -> Program:
        """Makes the program, after the last line."""
        if self._open is not None:
            raise graph_error("ERR_GRAPH_FORMAT", self._open[2], "This pass has no .end.",
                              self._open[0])
        for step, kind, name, place in self._later:
            if name not in self._names[kind]:
                status = "ERR_GRAPH_JUMP" if kind == "step" else "ERR_GRAPH_STEP"
                what = "label" if kind == "step" else "pass"
                raise graph_error(status, place, f"There is no {what} '{name}'.", name)
            old = self.program.steps[step]
            self.program.steps[step] = old._replace(imm=self._names[kind][name])
        return self.program

    def _name(self, kind: str, name: str, number: int, line: _Line) -> None:
        if name in self._names[kind] or not name or _LIKE_A_NUMBER.fullmatch(name) or name == "-":
            raise line.fail("ERR_GRAPH_FORMAT", f"The name '{name}' is taken, or is not a name.", name)
        self._names[kind][name] = number

    # ---- directives ----

    def _on_graph(self, line: _Line) -> None:
        self.program.name = line.word("A name")

    def _on_block(self, line: _Line) -> None:
        self.program.block_commands = line.number("Commands of a block", 255)

    def _on_unordered(self, _line: _Line) -> None:
        self.program.unordered = True

    def _on_argument(self, line: _Line) -> None:
        name = line.word("A name")
        self._name("argument", name, len(self.program.arguments), line)
        self.program.arguments.append(Argument(name, self._type(line)))

    def _type(self, line: _Line) -> str:
        kind = line.word("A type")
        if kind not in (INTEGER, RESOURCE):
            raise line.fail("ERR_GRAPH_TYPE", "Types are int and buffer.", kind)
        return kind

    def _on_resource(self, line: _Line) -> None:
        name = line.word("A name")
        self._name("resource", name, len(self.program.resources), line)
        kind = line.word("A kind").upper()
        if kind not in KINDS:
            raise line.fail("ERR_GRAPH_RESOURCE", "Kinds are none, argument, fixed, transient.", kind)
        numbers = {}
        for key, text in line.options().items():
            if key not in ("argument", "address", "bytes"):
                raise line.fail("ERR_GRAPH_STEP", "A resource has argument=, address=, bytes=.", key)
            argument = self._names["argument"].get(text) if key == "argument" else None
            if argument is None and not _NUMBER.fullmatch(text):
                raise line.fail("ERR_GRAPH_STEP", f"{key} is a number.", text)
            numbers[key] = int(text, 0) if argument is None else argument
            if not 0 <= numbers[key] < 1 << (32 if key == "argument" else 64):
                raise line.fail("ERR_GRAPH_STEP", f"{key} does not fit.", text)
        self.program.resources.append(Resource(name, kind, numbers.get("argument", 0),
                                               numbers.get("address", 0), numbers.get("bytes", 0)))

    def _on_variable(self, line: _Line) -> None:
        name = line.word("A name")
        if len(self.program.types) >= VARIABLES:
            raise line.fail("ERR_GRAPH_TOO_LARGE", f"More than {VARIABLES} variables.", name)
        self._name("variable", name, len(self.program.types), line)
        self.program.variables.append(name)
        self.program.types.append(self._type(line))

    def _on_state(self, line: _Line) -> None:
        kernel = line.word("A kernel")
        options: Dict[str, Any] = {}
        for name, text in line.options().items():
            if name not in ("grid", "block", "local", *STATE_KEYWORDS):
                raise line.fail("ERR_GRAPH_STEP", f"A state has no {name}.", name)
            parts = text.split(",") if name in _TUPLES else [text]
            if name == "mode":
                options[name] = text
            elif name == "time_limit_ms" and _FRACTION.fullmatch(text):
                options[name] = float(text)
            elif not all(_NUMBER.fullmatch(part) for part in parts):
                raise line.fail("ERR_GRAPH_STEP", f"{name} takes numbers.", text)
            else:
                numbers = tuple(int(part, 0) for part in parts)
                options[name] = numbers if name in _TUPLES else numbers[0]
        self.program.states.append(State(
            kernel, options.pop("grid", (1,)), options.pop("block", (1,)),
            options.pop("local", ()), tuple(sorted(options.items()))))

    def _on_copy(self, line: _Line) -> None:
        self.program.copy_state = line.number("A state")

    def _on_fill(self, line: _Line) -> None:
        self.program.fill_state = line.number("A state")

    def _on_definition(self, line: _Line) -> None:
        name = line.word("A name")
        self._name("definition", name, len(self.program.definitions), line)
        self.program.definitions.append(Definition(
            name, line.number("A step"), line.number("Steps"), line.number("An id")))

    def _on_pass(self, line: _Line) -> None:
        if self._open is not None:
            raise line.fail("ERR_GRAPH_FORMAT", "A pass cannot be inside a pass.", self._open[0])
        name = line.word("A name")
        self._name("definition", name, len(self.program.definitions), line)
        self._open = (name, len(self.program.steps), line.place)

    def _on_end(self, line: _Line) -> None:
        if self._open is None:
            raise line.fail("ERR_GRAPH_FORMAT", "There is no pass to end.", ".end")
        name, first, _place = self._open
        self.program.definitions.append(Definition(
            name, first, len(self.program.steps) - first, len(self.program.definitions)))
        self._open = None

    def _on_step(self, line: _Line) -> None:
        self._add(Step(line.number("An operation", 255), line.number("a", 255),
                       line.number("b", 255), line.number("c", 255), line.number("imm")), line.place)

    # ---- steps ----

    def _add(self, step: Step, place: Place) -> None:
        if len(self.program.steps) >= STEPS:
            raise graph_error("ERR_GRAPH_TOO_LARGE", place, f"More than {STEPS} steps.", STEPS)
        number = len(self.program.steps)
        name = self._open[0] if self._open else ""
        self.program.places[number] = place._replace(name=name)
        self.program.steps.append(step)
        if step.name in ("COPY", "FILL") and (step.c != NONE or step.imm > SMALL_BYTES):
            self.program.moves_much = True

    def _step(self, word: str, line: _Line, place: Place) -> None:
        name = word.upper()
        if name not in TABLE:
            raise line.fail("ERR_GRAPH_STEP", f"There is no operation '{word}'.", word)
        table, numbers = TABLE[name], {"a": 0, "b": 0, "c": 0, "imm": 0}
        for operand in ("a", "b", "c", "imm"):
            role = getattr(table, operand)
            if role.kind == "unused" or (operand == "imm" and table.imm_without
                                         and numbers[table.imm_without] != NONE):
                continue
            numbers[operand] = self._operand(role, f"Operand {operand} of {word}", line)
        if name == "MOVE" and self.program.types[numbers["a"]] != self.program.types[numbers["b"]]:
            raise line.fail("ERR_GRAPH_TYPE", "The variables are of different types.", word)
        self._add(Step(OPS[name], **numbers), place)

    def _operand(self, role: Role, what: str, line: _Line) -> int:
        if role.is_variable:
            return self._variable(role, what, line)
        if role.kind == "need":
            word = line.word(what)
            if word not in NEEDS:
                raise line.fail("ERR_GRAPH_STEP", f"Needs are {', '.join(NEEDS)}.", word)
            return NEEDS[word]
        if role.kind == "bytes":
            return line.number(what, 255)
        kind = "resource" if role.kind == "base" else role.kind
        if kind in self._names and line.words and not _LIKE_A_NUMBER.fullmatch(line.words[0][0]):
            return self._named(kind, what, line)
        return line.number(what)

    def _named(self, kind: str, what: str, line: _Line) -> int:
        name = line.word(what)
        if kind in ("step", "definition"):
            self._later.append((len(self.program.steps), kind, name, line.place))
            return 0
        if name not in self._names[kind]:
            raise line.fail("ERR_GRAPH_RESOURCE", f"There is no {kind} '{name}'.", name)
        return self._names[kind][name]

    def _variable(self, role: Role, what: str, line: _Line) -> int:
        name = line.word(what)
        if role.optional and name == "-":
            return NONE
        if name not in self._names["variable"]:
            raise line.fail("ERR_GRAPH_STEP", f"There is no variable '{name}'.", name)
        number = self._names["variable"][name]
        if role.type is not None and self.program.types[number] != role.type:
            raise line.fail("ERR_GRAPH_TYPE", f"{what} is a variable of type {role.type}.", name)
        return number


def assemble(text: str) -> Program:
    """Assembles a program. Finds unknown names and wrong types; the rest of the checks is left
    to the verification. Raises Error with line and column."""
    assembler = Assembler()
    for number, line in enumerate(text.splitlines(), 1):
        assembler.line(number, line)
    return assembler.end()
