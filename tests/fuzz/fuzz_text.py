# SPDX-License-Identifier: Apache-2.0
"""Graphs in text and assembler form: compiled, also for a kernel that is known, and executed by the reference."""
import zlib
from types import SimpleNamespace

import ganger
from ganger.graph.compile import compile_text
from ganger.graph.model import run_model
from ganger.kernels import Parameter

STEPS = 200
EVERY = 64
STATUSES = ("ERR_GRAPH_", "ERR_GRID_", "ERR_ARGUMENT", "ERR_KERNEL_NAME")


def parameter(name, kind, type_, size, offset):
    """A parameter of the kernel."""
    return Parameter(name, kind, type_, type_, size, offset, size, False, "private", False, False, type_)


KERNEL = SimpleNamespace(name="k", module=None, shared_bytes=8, block=None, argument_bytes=48, parameters=[
    parameter("b", "buffer", "pointer", 8, 0), parameter("i", "value", "signed", 4, 8),
    parameter("f", "value", "float", 8, 16), parameter("l", "local", "pointer", 8, 24),
    parameter("c", "value", "unsigned", 1, 32), parameter("w", "value", "unsigned", 8, 40)])


def check(data, every=1):
    """Raises what is no refusal. Of accepted texts one of `every`, by its content, is also saved, linked and executed."""
    text = data.decode("utf-8", "replace").replace("module", "modul3")  # which would open files
    try:
        program = ganger.graph_of(text).program
        if zlib.crc32(data) % every:
            return
        ganger.GraphProgram.load(program.save())
        if any(state.kernel == KERNEL.name for state in program.states):
            program = compile_text(text, {KERNEL.name: KERNEL}.get)[0]
        run_model(program, (), budget=STEPS)
    except ganger.Error as error:
        assert error.status.startswith(STATUSES), error
