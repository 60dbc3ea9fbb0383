# SPDX-License-Identifier: Apache-2.0
"""Graphs in text form and in the assembler's form: compiled, and executed by the reference."""
import ganger
from ganger.graph.model import run_model

STEPS = 200
STATUSES = ("ERR_GRAPH_", "ERR_GRID_", "ERR_ARGUMENT", "ERR_KERNEL_NAME")


def check(data):
    """Raises what is no refusal."""
    text = data.decode("utf-8", "replace").replace("module", "modul3")  # which would open files
    try:
        program = ganger.graph_of(text).program
        ganger.GraphProgram.load(program.save())
        run_model(program, (), budget=STEPS)
    except ganger.Error as error:
        assert error.status.startswith(STATUSES), error
