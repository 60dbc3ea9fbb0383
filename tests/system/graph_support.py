# SPDX-License-Identifier: Apache-2.0
"""Programs of the task graph specification, and the graphs that they must give."""
import itertools

import ganger
from ganger.graph.model import run_model

# S2 section 7.1: two definitions; PassB is instantiated not at all, once or twice.
TABLE_1 = """graph table1(R1: buffer, R2: buffer, R3: buffer, A: int, B: int)
pass PassA(in: import, out: export) { state draw1; dispatch }
pass PassB(in: import, out: export) { state draw2; dispatch; state draw3; dispatch }
PassA(R1, R2)
if A { PassB(R2, R3) }
if B { PassB(R2, R3) }
"""
# S2 section 7.2: blocks of one command; the third has no state of its own.
TABLE_2 = """graph table2(R1: buffer, R2: buffer, R3: buffer, R5: buffer, B: int)
state state1
read R1; write R2
dispatch
if B {
    state state2
    read R2; write R5
    dispatch
    read R5; write R3
    dispatch
}
"""
# S2 section 7.3.
FIGURE_8 = """graph figure8(R1: buffer, R6: buffer)
transient R2(64)  transient R3(64)  transient R4(64)  transient R5(64)
state draw
read R1  write R2  dispatch
read R2  write R3  dispatch
read R2  write R4  dispatch
read R2  write R5  dispatch
read R3, R4, R5  write R6  dispatch
"""


def table_1_edges(a, b):
    """Edges of Table 1's graph: figures 6b and 6c of the source, and what follows for the others."""
    instances = [f"PassB#{number}" for number in range(1, bool(a) + bool(b) + 1)]
    return {("R1", "PassA#1"), ("PassA#1", "R2"), *(("R2", one) for one in instances),
            *((one, "R3") for one in instances)}


def table_2_edges(b):
    """Edges of Table 2's graph: figure 7b."""
    edges = {("R1", "pass#1"), ("pass#1", "R2")}
    return edges | {("R2", "pass#2"), ("pass#2", "R5"), ("R5", "pass#3"), ("pass#3", "R3")} if b else edges


def model_of(text, **arguments):
    """The graph of a text."""
    return run_model(ganger.graph_of(text).program, arguments)


def chains(count):
    """Texts of `count` passes, each reading what the one before wrote, and a name for each."""
    return "".join(f"read t[{at}] write t[{at + 1}] copy(t[{at + 1}], t[{at}], 4)\n" for at in range(count))


def both(values, repeat=2):
    """All ways to choose."""
    return list(itertools.product(values, repeat=repeat))
