# SPDX-License-Identifier: Apache-2.0
"""How large a graph can be on a device: what the control processor's memory for graphs has room for."""

from typing import TYPE_CHECKING, Dict

from ..errors import Error

if TYPE_CHECKING:
    from .model import Model
    from .program import Program

# The control processor keeps graphs in 1/32 of the device's memory, at most 8 MiB. Behind a head, the program and its
# tables come shares of so many bytes, each with room for so many of everything (firmware/graph/build.c).
MEMORY_BYTES, HEAD_BYTES, STATE_BYTES, RESOURCE_BYTES, SHARE_BYTES = 8 << 20, 1800, 272, 64, 1404
SHARE = {"passes": 4, "accesses": 20, "commands": 5, "values": 20}


def room_for(program: "Program") -> Dict[str, int]:
    """The most passes, accesses, commands and values of a graph of this program, on a device with the most memory for
    graphs that a device has."""
    taken = HEAD_BYTES + len(program.encode()) + STATE_BYTES * (len(program.states) + 1) \
        + RESOURCE_BYTES * len(program.resources)
    shares = (MEMORY_BYTES - taken) // SHARE_BYTES
    return {what: shares * count for what, count in SHARE.items()}


def advice(program: "Program") -> str:
    """What a device has room for, and what to do."""
    room = ", ".join(f"{count:,} {what}" for what, count in room_for(program).items())
    return (f"A device keeps graphs in 1/32 of its memory, at most {MEMORY_BYTES >> 20} MiB: with this "
            f"program it has room for at most {room}. Make several smaller graphs.")


def sizes_of(model: "Model") -> Dict[str, int]:
    """How many passes, accesses (read, write, share, after), commands and values a graph has."""
    return {"passes": len(model.passes),
            "accesses": sum(len(one.uses) + len(one.after) for one in model.passes),
            "commands": sum(len(one.commands) for one in model.passes),
            "values": sum(len(command.values) for one in model.passes for command in one.commands)}


def check_room(model: "Model") -> None:
    """Raises Error ERR_GRAPH_TOO_LARGE for a graph that no device has room for."""
    room = room_for(model.program)
    for what, count in sizes_of(model).items():
        if count > room[what]:
            raise Error("ERR_GRAPH_TOO_LARGE",
                        f"The graph has {count:,} {what}. {advice(model.program)}", what, count)
