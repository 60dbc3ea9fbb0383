# SPDX-License-Identifier: Apache-2.0
"""The disassembler: text of any graph program, from which ganger.graph.asm makes it again."""

import re
from typing import Dict, List, Sequence

from .isa import JUMPS, NEEDS, NONE, UNUSED, Role, Step, has_form, signed
from .program import NO_STATE, Program, State

PLAIN = re.compile(r"[A-Za-z_][\w.\[\]]*")
_NEED_NAMES = {number: name for name, number in NEEDS.items()}


def unique(names: Sequence[str], letter: str) -> List[str]:
    """Names as the text can have them: each once, of plain characters."""
    seen: Dict[str, int] = {}
    for at, name in enumerate(names):
        if PLAIN.fullmatch(name):
            seen.setdefault(name, at)
    return [name if seen.get(name) == at else f"{letter}{at}." for at, name in enumerate(names)]


def _state_line(state: State) -> str:
    options = [f"{name}={','.join(map(str, value))}" for name, value in
               (("grid", state.grid), ("block", state.block), ("local", state.local)) if value]
    for name, value in state.keywords:
        value = int(value) if isinstance(value, bool) else value
        text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        options.append(f"{name}={text}")
    kernel = state.kernel if PLAIN.fullmatch(state.kernel) else "kernel"
    return f".state {kernel} {' '.join(options)}"


class Disassembler:
    """One program."""

    def __init__(self, program: Program):
        self._program = program
        self._names = {
            "variable": unique(program.variables, "v"),
            "argument": unique([one.name for one in program.arguments], "x"),
            "resource": unique([one.name for one in program.resources], "r"),
            "definition": unique([one.name for one in program.definitions], "pass")}
        self._good = [has_form(one, program.types) for one in program.steps]
        self._labels = {one.imm for one, good in zip(program.steps, self._good)
                        if good and one.name in JUMPS}

    def _head(self) -> List[str]:
        program = self._program
        name = program.name if PLAIN.fullmatch(program.name) else "graph"
        lines = [f".graph {name}", f".block {program.block_commands}"]
        if program.unordered:
            lines.append(".unordered")
        for name, one in zip(self._names["argument"], program.arguments):
            lines.append(f".argument {name} {one.type}")
        for name, resource in zip(self._names["resource"], program.resources):
            lines.append(f".resource {name} {resource.kind.lower()} argument={resource.argument} "
                         f"address={resource.address:#x} bytes={resource.nbytes}")
        for name, kind in zip(self._names["variable"], program.types):
            lines.append(f".variable {name} {kind}")
        lines += [_state_line(state) for state in program.states]
        for word, state in (("copy", program.copy_state), ("fill", program.fill_state)):
            if state != NO_STATE:
                lines.append(f".{word} {state}")
        return lines

    def _operand(self, role: Role, value: int) -> str:
        if role.is_variable:
            return "-" if role.optional and value == NONE else self._names["variable"][value]
        names = self._names.get("resource" if role.kind == "base" else role.kind, [])
        if value < len(names):
            return names[value]
        if role.kind == "step" and value < len(self._good):
            return f"L{value}"
        if role.kind == "need":
            return _NEED_NAMES[value]
        return str(signed(value) if role.kind in ("number", "base") else value)

    def _step(self, one: Step, good: bool) -> str:
        if not good:
            return f"\t.step {one.op} {one.a} {one.b} {one.c} {one.imm}"
        operands = ", ".join(self._operand(role, value) for role, value in zip(one.roles(), one[1:])
                             if role is not UNUSED)
        return f"\t{one.name.lower()} {operands}".rstrip()

    def _is_plain(self) -> bool:
        """Whether the definitions follow one another, so that .pass and .end can enclose their steps."""
        at = 0
        for number, one in enumerate(self._program.definitions):
            if one.first < at or one.count == 0 or one.id != number:
                return False
            at = one.first + one.count
        return at <= len(self._program.steps)

    def text(self) -> str:
        """All of it."""
        lines, program = self._head(), self._program
        begins, ends = {}, set()
        names = self._names["definition"]
        if self._is_plain():
            begins = {one.first: name for name, one in zip(names, program.definitions)}
            ends = {one.first + one.count for one in program.definitions}
        else:
            lines += [f".definition {name} {one.first} {one.count} {one.id}"
                      for name, one in zip(names, program.definitions)]
        for number, one in enumerate(program.steps):
            if number in ends:
                lines.append(".end")
            if number in begins:
                lines.append(f".pass {begins[number]}")
            if number in self._labels:
                lines.append(f"L{number}:")
            lines.append(self._step(one, self._good[number]))
        if len(program.steps) in ends:
            lines.append(".end")
        return "\n".join(lines) + "\n"


def disassemble(program: Program) -> str:
    """Text of a program. The assembler makes the same bytes of it, whatever the program is."""
    return Disassembler(program).text()
