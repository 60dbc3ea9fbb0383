# SPDX-License-Identifier: Apache-2.0
"""The checks of a program before it runs: the library has those of the device, of the same source."""

from typing import Any

from .. import clib
from ..errors import Error
from .isa import BLOCK_COMMANDS, JUMPS, NAMES, Role, Step, graph_error
from .program import Program


def refuse(program: Program, status: str, step: int, message: str, field: str = "step") -> Error:
    """An Error that names a step as the device would, and its place in the source."""
    error = graph_error(status, program.place(step), message, step, field)
    error.step = step
    return error


def _wanted(role: Role) -> str:
    """What an operand must be."""
    if not role.is_variable:
        return {"unused": "it is not used, and must be 0", "bytes": "4 or 8 bytes",
                "word": "a multiple of 4"}.get(role.kind, f"the number of a {role.kind} that there is")
    return f"a variable of type {role.type}" if role.type else "a variable of the right type"


def _step_message(one: Step, operand: str) -> str:
    """What is wrong with a step, of which the device names the operand, or "op" for all of it."""
    if one.op not in NAMES:
        return f"There is no operation {one.op}."
    if operand == "op":
        return f"{one.name} cannot stand here: at the end of the program, before a pass definition, or in one."
    role = dict(zip("a b c imm".split(), one.roles()))[operand]
    where = ", outside of pass definitions" if one.name in JUMPS else ""
    return f"Operand {operand} of {one.name} is {getattr(one, operand)}: {_wanted(role)}{where}."


def _about(program: Program, error: Error) -> Error:
    """The same refusal with the line of the step, or the name of the pass or resource, that it is about."""
    table, _dot, name = (error.field or "").partition(".")
    number: Any = error.value
    if table == "graph_step":
        if error.status == "ERR_GRAPH_TOO_LARGE":
            message = f"A pass has at most {BLOCK_COMMANDS} commands."
        else:
            message = _step_message(program.steps[number], name)
        return refuse(program, error.status, number, message, error.field or "step")
    message = error.message
    if table == "graph_definition":
        what = "has no command, or steps that do not exist" if name == "count" else \
            "does not come after step 0 and after the pass before"
        message = f"Pass {program.definitions[number].name} {what}."
    elif table == "graph_resource":
        message = f"{program.resources[number].name}: {name} is wrong."
    return Error(error.status, message, error.field, number)


def verify(program: Program) -> None:
    """Raises Error ERR_GRAPH_FORMAT, ERR_GRAPH_STEP, ERR_GRAPH_TYPE, ERR_GRAPH_JUMP, …, with the field that the device
    names. Arguments whose size is that of the buffer which is given may be of any size."""
    bound = program.copy()
    bound.resources = [one._replace(nbytes=one.nbytes or 1) if one.kind == "ARGUMENT" else one for one in program.resources]
    data = bound.encode()
    try:
        clib.call("gg_graph_check", data, len(data), len(program.arguments))
    except Error as error:
        raise _about(program, error) from None
