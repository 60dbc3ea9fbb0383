# SPDX-License-Identifier: Apache-2.0
"""Texts of task graphs: what they make, errors with line and column, assembler and disassembler. No device."""
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ganger
from ganger import abi, clib
from ganger.graph.isa import NAMES, OPS, TABLE, Step
from ganger.graph.model import run_model
from ganger.graph.program import Argument, Definition, Program, Resource, State
from ganger.graph.verify import verify
from graph_support import FIGURE_8, TABLE_1, TABLE_2, both, chains, model_of, table_1_edges, table_2_edges
from support import expect

pytestmark = pytest.mark.shared

LOOK = settings(max_examples=200, deadline=None, print_blob=True)


# ---- the programs of the specification ----


@pytest.mark.parametrize("a, b", both((0, 1)))
def test_table_1(a, b):
    """S2-R19, S2-R20, S2-R24, S2-R40, S2-R42, S2-R43, S2-R53, S2-R85, S2-R101, S2-R102, S2-A2, S2-A6, S2-A7,
    S2-A8, S2-V1: Table 1 with every (A, B)."""
    model = model_of(TABLE_1, A=a, B=b)
    assert model.edges() == table_1_edges(a, b)
    assert len(model.passes) == 1 + a + b
    assert len(model.resources) == (3 if a + b else 2)
    assert len(model.reads) + len(model.writes) == 2 * (1 + a + b)
    # S2-R35: what draw2 makes for draw3 inside of PassB is no resource.
    assert [len(one.commands) for one in model.passes] == [1] + [2] * (a + b)
    if a and b:
        assert model.order.independent(1, 2)


@pytest.mark.parametrize("b", (0, 1))
def test_table_2(b):
    """S2-R26, S2-R27, S2-R28, S2-R46, S2-R47, S2-R51, S2-R52, S2-R103, S2-R104, S2-R105, S2-A4, S2-V2: Table 2; the
    third block has the second one's state."""
    program = ganger.graph_of(TABLE_2).program
    model = run_model(program, {"B": b})
    assert model.edges() == table_2_edges(b)
    assert (len(model.passes), len(model.resources)) == ((3, 4) if b else (1, 2))
    states = [program.states[one.commands[0].state].kernel for one in model.passes]
    assert states == ["state1", "state2", "state2"][:len(states)]


def test_figure_8():
    """S2-R59, S2-R60, S2-R61, S2-R78, S2-R79, S2-R106, S2-R107, S2-V3, S2-V4, S2-V6: dependence of figure 8a, and the
    possible last passes of R2."""
    model = model_of(FIGURE_8)
    order = model.order
    for one, other in both(range(5)):
        middle = one != other and {one, other} <= {1, 2, 3}
        assert order.independent(one, other) == middle
    assert order.depends(4, 0) and not order.depends(0, 4)
    names = {one.name: at for at, one in enumerate(model.program.resources)}
    assert order.last(names["R2"]) == [1, 2, 3]
    found = order.topological()
    assert found[0] == 0 and found[-1] == 4 and sorted(found) == list(range(5))


@pytest.mark.parametrize("rounds", (0, 1, 7, 50))
def test_loop(rounds):
    """S2-R8, S2-R25, S2-R41, S2-R53, S2-R100, S2-V7: a loop of k turns over one definition gives k passes with k sets
    of parameters."""
    model = model_of("graph g(n: int)\ntransient t[51](64)\n"
                     "pass p(out: export, k: int) { fill(out, k * 3, 64) }\nfor i in 0 .. n { p(t[i], i) }", n=rounds)
    assert [one.commands[0].number for one in model.passes] == [3 * turn for turn in range(rounds)]
    assert [one.commands[0].target for one in model.passes] == list(range(rounds))


@pytest.mark.parametrize("block", (1, 2, 3))
def test_blocks(block):
    """S2-R48, S2-R50, S2-Q9: N commands a block; the last one may have fewer, declarations carry over."""
    model = model_of(f"graph g(a: buffer, b: buffer) block {block}\nwrite a\nif 1 {{ write b }}\n"
                     + "signal(a, 1)\nwrite a\n" * 7)
    assert [len(one.commands) for one in model.passes] == [block] * (7 // block) + [7 % block] * bool(7 % block)
    assert set(model.passes[0].uses) == {0, 1} and set(model.passes[-1].uses) == {0}


@pytest.mark.parametrize("a, b", both((-5, 0, 3, 7)))
def test_conditions(a, b):
    """S2-R8, S2-R41: comparisons, and, or, not, while, against Python's own."""
    tests = ("a == b", "a != b", "a < b", "a <= b", "a > b", "a >= b", "a and b", "a or b", "not a",
             "not (a < b and b > 0) or a == 3", "a + 2 * b > min(a, b) - 1", "(a & 3) | (b ^ 1)", "a << 2 >= b >> 1")
    for condition in tests:
        model = model_of(f"graph g(x: buffer, a: int, b: int)\nif {condition} {{ write x signal(x, 1) }}"
                         " else { write x signal(x, 2) }", a=a, b=b)
        assert model.passes[0].commands[0].number == (1 if eval(condition) else 2), condition  # pylint: disable=eval-used
    model = model_of("graph g(x: buffer, a: int, b: int)\nint n = 0\nwhile n < a * a { n = n + 1 }\n"
                     "write x signal(x, n)", a=a, b=b)
    assert model.passes[0].commands[0].number == a * a


def test_order():
    """S2-R62, S2-Q5, S2-Q6: readers wait for the last write before them, writers for readers of what was there; SHARE
    writes together; unordered programs read what anybody writes."""
    text = "graph g(x: buffer, y: buffer){}\n" \
           "read x write y copy(y, x, 4)\nwrite x signal(x, 1)\nread x write y copy(y, x, 4)\n"
    model = model_of(text.format(""))
    assert [sorted(one) for one in model.order.before] == [[], [0], [0, 1]]
    assert [sorted(one) for one in model.order.data] == [[], [], [1]]
    model = model_of(text.format(" unordered"))
    assert [sorted(one) for one in model.order.before] == [[1], [], [1]]
    shared = model_of("graph g(x: buffer)\n" + "share x signal(x, 1)\n" * 3 + "update x signal(x, 2)\nshare x signal(x, 3)")
    assert [sorted(one) for one in shared.order.before] == [[], [], [], [0, 1, 2], [3]]


def test_run_time_data():
    """S2-R53, S2-R100, S2-Q10: what a program loads decides what it makes."""
    program = ganger.graph_of("graph g(x: buffer(64), y: buffer)\nint n = load(x, 8)\n"
                              "for i in 0 .. n { write y signal(y, i) }").program
    model = run_model(program, (), lambda resource, at: 5 if (resource, at) == (0, 8) else 99)
    assert len(model.passes) == 5
    expect("ERR_GRAPH_DATA", run_model, ganger.graph_of("graph g(x: buffer(64)) int n = load(x, 64)").program)


# ---- errors ----

ERRORS = [  # Text, status, line, column.
    ("graph g()\n  ?", "ERR_GRAPH_STEP", 2, 3),
    ("graf g()", "ERR_GRAPH_STEP", 1, 1),
    ("graph 5()\n?", "ERR_GRAPH_STEP", 1, 7),  # the first mistake is named
    ("graph g()\nif 1 {", "ERR_GRAPH_STEP", 2, 7),
    ("graph g()\nread nothing", "ERR_GRAPH_RESOURCE", 2, 6),
    ("graph g(n: int)\n\n read n", "ERR_GRAPH_TYPE", 3, 7),
    ("graph g(x: buffer)\nint n = x", "ERR_GRAPH_TYPE", 2, 9),
    ("graph g()\nblur(1)", "ERR_GRAPH_RESOURCE", 2, 1),
    ("graph g()\npass p(k: int) { fence }\np()", "ERR_ARGUMENT_COUNT", 3, 1),
    ("graph g()\npass p() { if 1 { fence } }", "ERR_GRAPH_JUMP", 2, 12),
    ("graph g()\ntransient t[4](64)\nwrite t[4]", "ERR_GRAPH_RESOURCE", 3, 7),
    ("graph g()\ntransient t[4](64)\nwrite t", "ERR_GRAPH_TYPE", 3, 7),
    ("graph g()\nint n = 1\nint n = 2", "ERR_GRAPH_FORMAT", 3, 1),
    ("graph g() block 17", "ERR_GRAPH_FORMAT", None, None),
    ("graph g()\nneed time 5", "ERR_GRAPH_STEP", 2, 1),
    ("graph g()\nint n = 1 / 0", "ERR_GRAPH_DATA", 2, 9),
    ("graph g()\nint n = 5000000000", "ERR_GRAPH_TYPE", 2, 9),
    ("graph g(x: buffer)\ncopy(x)", "ERR_GRAPH_STEP", 2, 1),
    ("graph g(x: buffer)\nfill(x, 1)", "ERR_GRAPH_TYPE", 2, 1),
    ("graph g()\ntransient t[99999](64)", "ERR_GRAPH_TOO_LARGE", 2, 1),
    ("graph g()\n" + "int a = " + "(" * 60 + "1", "ERR_GRAPH_STEP", 2, 50),
    ("graph g()\nint a = 1" + " + 1" * 5000, "ERR_GRAPH_TOO_LARGE", None, None),
    ("graph g(" + ", ".join(f"a{at}: int" for at in range(65)) + ")", "ERR_GRAPH_TOO_LARGE", 1, None),
    ("graph g()\n" + "".join(f"int a{at} = {at}\n" for at in range(70)), "ERR_GRAPH_TOO_LARGE", 66, 1),
    (".graph g\n\tset 5", "ERR_GRAPH_STEP", 2, 6),
    (".graph g\n.variable v int\n\tset v", "ERR_GRAPH_STEP", 3, 7),
    (".graph g\n.variable v int\n\tread v", "ERR_GRAPH_TYPE", 3, 7),
    (".graph g\n\tjump nowhere\n", "ERR_GRAPH_JUMP", 2, 7),
    (".graph g\n\tfly\n", "ERR_GRAPH_STEP", 2, 2),
    (".graph g\n.pass p\n\tfence\n", "ERR_GRAPH_FORMAT", 2, 7),
    (".graph g\n\tend 5\n", "ERR_GRAPH_STEP", 2, 6),
    (".graph g\n.state k args=1\n", "ERR_GRAPH_STEP", 2, 10),
    (".graph g\n.state k grid=1,x\n", "ERR_GRAPH_STEP", 2, None),
    (".graph g\nL:\nL:\n", "ERR_GRAPH_FORMAT", 3, 1),
    (".graph g\n\tinvoke p\n", "ERR_GRAPH_STEP", 2, 9),
    (".graph g\n.variable r buffer\n\tresource r, tmp\n", "ERR_GRAPH_RESOURCE", 3, 14),
]


@pytest.mark.parametrize("text, status, line, column", ERRORS, ids=range(len(ERRORS)))
def test_errors(text, status, line, column):
    """S2-Q2, S2-Q3: a bad text is refused with line and column."""
    error = expect(status, ganger.graph_of, text)
    if line is not None:
        assert error.line == line and (column is None or error.column == column), error
        assert f"line {line}, column" in str(error)


REFUSALS = [  # Text, arguments, status, words of the message.
    ("graph g()\ntransient t(64)\nread t\nfence", {}, "ERR_GRAPH_RESOURCE", ("line 4", "t")),
    ("graph g()\ntransient t\nwrite t\nfence", {}, "ERR_GRAPH_RESOURCE", ("line 3", "no size")),
    ("graph g(x: buffer)\nsignal(x, 1)", {}, "ERR_GRAPH_RESOURCE", ("line 2", "declare x")),
    ("graph g(x: buffer)\nafter 7\nwrite x\nsignal(x, 1)", {}, "ERR_GRAPH_RESOURCE", ("pass 7",)),
    ("graph g(x: buffer)\nafter 1\nwrite x signal(x, 1)\nwrite x signal(x, 2)", {}, "ERR_GRAPH_CYCLE",
     ("pass#1", "pass#2")),
    ("graph g(x: buffer) unordered\nupdate x signal(x, 1)", {}, "ERR_GRAPH_CYCLE", ("pass#1",)),
    ("graph g()\nwhile 1 { }", {}, "ERR_GRAPH_BUDGET", ("steps",)),
    ("graph g(n: int)\nint a = 5 / n", {"n": 0}, "ERR_GRAPH_DATA", ("line 2",)),
    ("graph g(n: int)\nint a = n % (0 - 1)", {"n": 1 << 31}, "ERR_GRAPH_DATA", ("line 2",)),
    ("graph g()\ndispatch", {}, "ERR_GRAPH_STEP", ("line 2", "STATE")),
    ("graph g()\nstate s\ndispatch grid (0)", {}, "ERR_GRID_ZERO", ("line 3",)),
    ("graph g()\nstate s\ndispatch grid (1, 65536)", {}, "ERR_GRID_OVERFLOW", ("line 3",)),
    ("graph g(n: int)\ntransient t[3](64)\nwrite t[n]\nfence", {"n": 3}, "ERR_GRAPH_RESOURCE", ("line 3",)),
    ("graph g(x: buffer(64))\nwrite x\nfill(x, 1, 65)", {}, "ERR_GRAPH_DATA", ("line 3", "fewer")),
    ("graph g()\npass p() { int a = 1 }", {}, "ERR_GRAPH_FORMAT", ("p", "no command")),
    ("graph g()\npass p() { " + "fence " * 17 + "}", {}, "ERR_GRAPH_TOO_LARGE", ("p", "16")),
    ("graph g(x: buffer)\nstate s\nbuffer b = x\nread b\ndispatch args (" + "b, " * 64 + "b)", {}, "ERR_GRAPH_TOO_LARGE", ("256",)),
]


@pytest.mark.parametrize("text, arguments, status, words", REFUSALS, ids=range(len(REFUSALS)))
def test_refusals(text, arguments, status, words):
    """S2-Q2 to S2-Q4, S2-Q8, S2-Q9, S2-Q22: the reference refuses what the device refuses, with line or names."""
    error = expect(status, model_of, text, **arguments)
    assert all(word in str(error) for word in words), error


# ---- assembler ----


def test_operations():
    """S2-Q1: the host knows every operation of the ABI, and no other."""
    assert set(TABLE) == set(OPS) == set(abi.ENUMS["graph_op"])
    text = open(ganger.__file__.replace("host/python/ganger/__init__.py", "docs/GRAPHS.md"), encoding="utf-8").read()
    missing = [name for name in OPS if f"| {name.lower()} " not in text]
    assert not missing


@pytest.mark.parametrize("text", (TABLE_1, TABLE_2, FIGURE_8, "graph g()\ntransient t[99](4)\nwrite t[0] fill(t[0], 1, 4)\n"
                                  + chains(98)))
def test_same_program(text):
    """S2-Q1: assembler, disassembler and files keep a program as it is."""
    program = ganger.graph_of(text).program
    listing = ganger.disassemble(program)
    again = ganger.assemble(listing)
    assert again.encode() == program.encode() and ganger.disassemble(again) == listing
    loaded = ganger.GraphProgram.load(program.save())
    assert loaded.save() == program.save() and ganger.disassemble(loaded) == listing
    bare = ganger.GraphProgram.load(program.encode())
    assert ganger.assemble(ganger.disassemble(bare)).encode() == program.encode()


def test_same_states():
    """S2-Q1, S2-R22: files and the assembler's form keep all numbers of a state and its keywords."""
    program = ganger.graph_of(TABLE_1).program
    keywords = {"chunk": 4, "cluster": (2, 1), "gpcs": (1,), "mode": "fast", "sequential": True, "time_limit_ms": 0.5}
    program.states = [State(one.kernel, (2, 3, 4), (8, 2), (16, 32), tuple(keywords.items())) for one in program.states]
    assert ganger.assemble(ganger.disassemble(program)).states == program.states
    assert ganger.GraphProgram.load(program.save()).states == program.states


WORD = st.one_of(st.integers(0, 5), st.sampled_from([255, 4096, 0x7fffffff, 0x80000000, 0xffffffff]),
                 st.integers(0, 0xffffffff))
BYTE = st.one_of(st.integers(0, 4), st.sampled_from([4, 8, 255]), st.integers(0, 255))
STEPS = st.builds(Step, st.one_of(st.sampled_from(sorted(NAMES)), st.integers(0, 255)), BYTE, BYTE, BYTE, WORD)


@st.composite
def programs(draw):
    """Any program, most of them wrong."""
    program = Program(draw(st.sampled_from(["g", "a b", ""])))
    program.steps = draw(st.lists(STEPS, min_size=1, max_size=30))
    program.types = draw(st.lists(st.sampled_from(["int", "buffer"]), max_size=6))
    program.variables = [draw(st.sampled_from([f"n{at}", "same", "x y", ""])) for at in range(len(program.types))]
    program.definitions = [Definition(draw(st.sampled_from(["p", "q", "1"])), *draw(st.tuples(WORD, WORD, WORD)))
                           for _one in range(draw(st.integers(0, 3)))]
    program.resources = [Resource(draw(st.sampled_from(["r", "s[1]", "#"])),
                                  draw(st.sampled_from(["NONE", "ARGUMENT", "FIXED", "TRANSIENT"])),
                                  *draw(st.tuples(WORD, WORD, WORD))) for _one in range(draw(st.integers(0, 3)))]
    program.states = [State("k", (draw(st.integers(1, 9)),))] * draw(st.integers(0, 2))
    program.block_commands, program.unordered = draw(st.integers(0, 255)), draw(st.booleans())
    program.copy_state = draw(WORD)
    return program


@given(programs())
@LOOK
def test_any_program(program):
    """S2-Q1: the disassembler's text of any program, also of a wrong one, gives the same program: so a test can send
    the device what no compiler makes."""
    text = ganger.disassemble(program)
    again = ganger.assemble(text)
    assert again.encode() == program.encode()
    assert ganger.disassemble(again) == text


@given(programs())
@LOOK
def test_any_program_ends(program):
    """S2-Q2, S2-Q22: the reference refuses a wrong program with a status of graphs, and never breaks."""
    try:
        run_model(program, (), budget=2000)
    except ganger.Error as error:
        assert error.status.startswith(("ERR_GRAPH_", "ERR_GRID_"))


@given(st.text(alphabet="graph(){}x:int buffer=+-*/1 2,\n.#\"if else pass\\", max_size=80))
@LOOK
def test_any_text(text):
    """S2-Q2: any text is a graph or an error with a place."""
    for head in ("graph g(x: buffer, n: int)\n", ".graph g\n", ""):
        try:
            ganger.graph_of(head + text)
        except ganger.Error as error:
            assert error.status.startswith(("ERR_GRAPH_", "ERR_ARGUMENT")), error


@given(st.binary(max_size=200))
@LOOK
def test_any_file(data):
    """S2-Q1: a file that is no program is refused."""
    for content in (data, b"GGGP" + data, ganger.graph_of(FIGURE_8).program.save()[:len(data) * 3 + 4]):
        error = None
        try:
            ganger.graph_of(content)
        except ganger.Error as caught:
            error = caught
        assert error is None or error.status.startswith("ERR_GRAPH_")


def test_step_faults():
    """S2-Q1: unused operands must be zero; numbers must exist. The field and the step are those of the device."""
    program = ganger.graph_of(TABLE_1).program
    program.definitions = []
    number = program.types.index("int")
    for one, status, field in (
            (Step(OPS["END"]), None, None), (Step(OPS["END"], a=1), "ERR_GRAPH_STEP", "a"),
            (Step(OPS["SET"], number, b=1), "ERR_GRAPH_STEP", "b"), (Step(99), "ERR_GRAPH_STEP", "op"),
            (Step(OPS["READ"], 63), "ERR_GRAPH_STEP", "a"), (Step(OPS["STATE"], imm=9), "ERR_GRAPH_STEP", "imm"),
            (Step(OPS["READ"], number), "ERR_GRAPH_TYPE", "a"), (Step(OPS["JUMP"], imm=1 << 20), "ERR_GRAPH_JUMP", "imm")):
        program.steps = [Step(OPS["SET"], number), one, Step(OPS["END"])]
        if status is None:
            verify(program)
            continue
        error = expect(status, verify, program)
        assert (error.field, error.value, error.step) == (f"graph_step.{field}", 1, 1)


def test_header_faults():
    """S2-Q1, S2-Q3: what is wrong in the header or in a table is named as the device names it."""
    for change, field, value in (({"block_commands": 17}, "graph_program.block_commands", 17),
                                 ({"fill_state": 2}, "graph_program.fill_state", 2),
                                 ({"steps": []}, "graph_program.steps", 0),
                                 ({"arguments": [Argument("a")] * 65}, "graph.argument_count", 65),
                                 ({"definitions": [Definition("p", 0, 1)]}, "graph_definition.first", 0),
                                 ({"resources": [Resource("r", "NONE", nbytes=4)]}, "graph_resource.bytes", 0)):
        program = ganger.graph_of(".graph g\n\tend\n").program
        vars(program).update(change)
        error = expect("ERR_GRAPH_FORMAT", verify, program)
        assert (error.field, error.value) == (field, value)
    for data in (b"", b"GGGP", bytes(72)):
        expect("ERR_GRAPH_FORMAT", clib.call, "gg_graph_check", data, len(data), 0)
    expect("ERR_ARGUMENT", clib.call, "gg_graph_check", None, 8, 0)
