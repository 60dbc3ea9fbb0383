# SPDX-License-Identifier: Apache-2.0
"""Files of graph programs: loaded, disassembled and assembled again, and executed by the reference."""
import zlib

import ganger
from ganger.graph.model import run_model

STEPS = 200
EVERY = 256  # Reading a file takes a thirtieth of the rest.


def check(data, every=1):
    """Raises what is no refusal. Of accepted files one of `every`, by its content, is also written as text and executed."""
    try:
        program = ganger.GraphProgram.load(b"GGGP" + data)
    except ganger.Error as error:
        assert error.status == "ERR_GRAPH_FORMAT", error
        return
    if zlib.crc32(data) % every:
        return
    assert ganger.assemble(ganger.disassemble(program)).encode() == program.encode()
    try:
        run_model(program, (), budget=STEPS)
    except ganger.Error as error:
        assert error.status.startswith(("ERR_GRAPH_", "ERR_GRID_")), error
