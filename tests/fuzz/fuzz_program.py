# SPDX-License-Identifier: Apache-2.0
"""Files of graph programs: loaded, disassembled and assembled again, and executed by the reference."""
import ganger
from ganger.graph.model import run_model

STEPS = 200


def check(data):
    """Raises what is no refusal."""
    try:
        program = ganger.GraphProgram.load(b"GGGP" + data)
    except ganger.Error as error:
        assert error.status == "ERR_GRAPH_FORMAT", error
        return
    assert ganger.assemble(ganger.disassemble(program)).encode() == program.encode()
    try:
        run_model(program, (), budget=STEPS)
    except ganger.Error as error:
        assert error.status.startswith(("ERR_GRAPH_", "ERR_GRID_")), error
