# SPDX-License-Identifier: Apache-2.0
"""The checks of a program before it runs, as the device does them: the same statuses and steps."""

from typing import Any, List, Optional

from ..errors import Error
from .isa import (ARGUMENTS, BLOCK_COMMANDS, COMMANDS, DEFINITIONS, ENDS, JUMPS, RESOURCES,
                        STATES, STEPS, VARIABLES, Limits, fault, graph_error)
from .program import NO_STATE, Program, Resource

_NOT_IN_PASS = frozenset(JUMPS | {"INVOKE", "END"})


def refuse(program: Program, status: str, step: int, message: str) -> Error:
    """An Error that names a step as the device would, and its place in the source."""
    error = graph_error(status, program.place(step), message, step, "step")
    error.step = step
    return error


def _format(message: str, field: str, value: Any) -> Error:
    return Error("ERR_GRAPH_FORMAT", message, f"graph_program.{field}", value)


def _check_counts(program: Program) -> None:
    for field, count, least, most in (
            ("steps", len(program.steps), 1, STEPS),
            ("definitions", len(program.definitions), 0, DEFINITIONS),
            ("states", len(program.states), 0, STATES),
            ("resources", len(program.resources), 0, RESOURCES),
            ("variables", len(program.types), 0, VARIABLES),
            ("block_commands", program.block_commands, 1, BLOCK_COMMANDS)):
        if not least <= count <= most:
            raise _format(f"{least} to {most}.", field, count)
    for field in ("copy_state", "fill_state"):
        state = getattr(program, field)
        if state != NO_STATE and state >= len(program.states):
            raise _format("There is no such state.", field, state)


def _check_resource(number: int, one: Resource, arguments: int) -> None:
    if one.kind == "ARGUMENT" and one.argument >= arguments:
        raise Error("ERR_GRAPH_FORMAT", f"{one.name}: there is no argument {one.argument}.",
                    "graph_resource.argument", number)
    if one.kind not in ("TRANSIENT", "NONE", "ARGUMENT") and one.nbytes == 0:
        raise Error("ERR_GRAPH_FORMAT", f"{one.name} has no bytes.", "graph_resource.bytes_lo",
                    number)


def _owners(program: Program) -> List[Optional[int]]:
    """For each step, the definition that it is of. Raises Error ERR_GRAPH_FORMAT."""
    owners: List[Optional[int]] = [None] * len(program.steps)
    least = 1
    for number, one in enumerate(program.definitions):
        if not least <= one.first < len(program.steps):
            raise Error("ERR_GRAPH_FORMAT", f"Pass {one.name}: passes come after step 0, one behind "
                        "the other.", "graph_definition.first", number)
        least = one.first + one.count
        if one.count == 0 or least > len(program.steps):
            raise Error("ERR_GRAPH_FORMAT", f"Pass {one.name} has steps that do not exist.",
                        "graph_definition.count", number)
        owners[one.first:least] = [number] * one.count
    return owners


def _check_inside(program: Program, number: int, step: int, commands: int) -> int:
    """A step of a definition; returns the commands up to it."""
    one, name = program.definitions[number], program.steps[step].name
    if name in _NOT_IN_PASS:
        raise refuse(program, "ERR_GRAPH_STEP", step, f"{name} cannot be in a pass definition.")
    commands += name in COMMANDS
    if commands > BLOCK_COMMANDS:
        raise refuse(program, "ERR_GRAPH_TOO_LARGE", step,
                     f"Pass {one.name} has more than {BLOCK_COMMANDS} commands.")
    if step + 1 < one.first + one.count:
        return commands
    if commands == 0:
        raise Error("ERR_GRAPH_FORMAT", f"Pass {one.name} has no command.",
                    "graph_definition.count", number)
    return 0


def _check_step(program: Program, owners: List[Optional[int]], limits: Limits, step: int) -> None:
    """Checks a step by itself, and where it goes on."""
    one = program.steps[step]
    found = fault(one, limits)
    if found is None and one.name == "RESOURCE" and program.resources[one.imm].kind == "NONE":
        found = "ERR_GRAPH_STEP", "the resource is not used"
    if found:
        raise refuse(program, found[0], step, f"{found[1]}.")
    if one.name in JUMPS and owners[one.imm] is not None:
        raise refuse(program, "ERR_GRAPH_JUMP", step, "It jumps into a pass definition.")
    behind = step + 1
    if one.name not in ENDS and owners[step] is None and \
            (behind == len(program.steps) or owners[behind] is not None):
        raise refuse(program, "ERR_GRAPH_JUMP", step,
                     "The program runs past its end, or into a pass definition.")


def verify(program: Program) -> None:
    """Raises Error ERR_GRAPH_FORMAT, ERR_GRAPH_STEP, ERR_GRAPH_TYPE, ERR_GRAPH_JUMP, …."""
    _check_counts(program)
    if len(program.arguments) > ARGUMENTS:
        raise Error("ERR_GRAPH_FORMAT", f"At most {ARGUMENTS} arguments.", "graph.argument_count",
                    len(program.arguments))
    owners, limits, commands = _owners(program), program.limits(), 0
    for number, one in enumerate(program.resources):
        _check_resource(number, one, len(program.arguments))
    for step, owner in enumerate(owners):
        _check_step(program, owners, limits, step)
        if owner is not None:
            commands = _check_inside(program, owner, step, commands)
