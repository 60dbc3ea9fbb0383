# SPDX-License-Identifier: Apache-2.0
"""ganger.Graph: passes in Python. No device."""
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ganger
from conftest import ROOT
from ganger.graph.model import run_model
from graph_support import FIGURE_8
from support import expect

pytestmark = pytest.mark.shared

N = 1024
LOOK = settings(max_examples=100, deadline=None, print_blob=True)


@pytest.fixture(scope="module")
def vecadd(sample_path):
    """Kernel vecadd(a, b, c, n) of the samples, not loaded: c = a + b."""
    return ganger.elf_info(sample_path("vecadd")).kernels["vecadd"]


# ---- on this machine ----


def test_uses(vecadd):
    """S2-R21, S2-R28, S2-R32, S2-R43, S2-A6: reads and writes by the kernel's pointers and by remarks."""
    with ganger.Graph() as g:
        x, t = g.argument("x", 4096), g.buffer(4096)
        first = g.pass_(vecadd, 8, 128, [x, x, t, N])
        second = g.pass_(vecadd, 8, 128, [t, t, t, N])
        third = g.pass_(vecadd, 8, 128, [g.read(t), t, g.share(x), N], reads=[x], name="third")
        with g.pass_("inside") as inside:
            u = g.buffer(64)
            inside.fill(u, 1)
            inside.dispatch(vecadd, 1, 16, [u, u, t, 16])
    model = run_model(g.program)
    number = {one.name: one.number for one in (g.resource(x), t, u)}
    uses = [{name: one.uses.get(at) for name, at in number.items()} for one in model.passes]
    assert uses == [{"x": {"READ"}, t.name: {"WRITE"}, u.name: None},
                    {"x": None, t.name: {"READ", "WRITE"}, u.name: None},
                    {"x": {"READ", "SHARE"}, t.name: {"READ"}, u.name: None},
                    {"x": None, t.name: {"READ", "WRITE"}, u.name: {"WRITE"}}]
    assert [one.name for one in model.passes] == ["vecadd", "vecadd", "third", "inside"]
    assert [one.number for one in (first, second, third, inside)] == [0, 1, 2, 3]


def test_figure_8_both_ways(vecadd):
    """S2-R86, S2-R106: the builder's graph of figure 8a is the text's."""
    with ganger.Graph() as g:
        r = [g.argument("R1", 64), *(g.buffer(64, f"R{at}") for at in range(2, 6)), g.argument("R6", 64)]
        for source, target in (((0,), 1), ((1,), 2), ((1,), 3), ((1,), 4), ((2, 3, 4), 5)):
            g.pass_(vecadd, 1, 16, [r[source[0]], r[source[-1]], g.write(r[target]), 16],
                    reads=[r[one] for one in source], name=f"pass#{len(g.passes) + 1}")
    built, written = run_model(g.program), run_model(ganger.graph_of(FIGURE_8).program)
    assert built.edges() == written.edges()
    assert built.order.before == written.order.before


def test_arguments_of_kernels(vecadd):
    """S2-R24, S2-R25, S2-R53: constants, pointers with offsets and arguments of the graph, where the block has them."""
    with ganger.Graph() as g:
        x, n, t = g.argument("x", 4096), g.argument("n"), g.buffer(4096)
        g.pass_(vecadd, 8, 128, [g.read(x, 64), x, t, n])
        g.pass_(vecadd, 8, 128, [x, x, t, ganger.u32(7)])
    values = [one.commands[0].values for one in run_model(g.program).passes]
    assert [(one[0], one[3]) for one in values[0][:3]] == [("ADDRESS", 64), ("ADDRESS", 0), ("ADDRESS", 0)]
    assert values[0][3][:3] == ("PARAMETER", 4, 1)
    assert values[1][3][:3] == ("CONST", 4, 7)


def test_needs_order_signals():
    """S2-R29, S2-R31, S2-R67: after, needs, signal, fence reach the program."""
    with ganger.Graph() as g:
        b = g.argument("b", 64)
        first = g.signal(b, 5, 8)
        with g.pass_("second", after=[first], needs={"bandwidth": 3, "user": 1 << 31}) as p:
            p.fence()
    model = run_model(g.program)
    assert model.passes[0].commands[0][4:] == (0, 0, 5, 8)
    assert model.passes[1].after == [0] and model.passes[1].needs == {2: 3, 3: 1 << 31}
    assert model.passes[1].commands[0].op == "FENCE"


def test_many_passes(vecadd):
    """S2-Q3: thousands of passes, more resources than variables, definitions for passes of several commands."""
    with ganger.Graph() as g:
        buffers = [g.buffer(64) for _one in range(200)]
        g.fill(buffers[0], 1)
        for at in range(3000):
            g.pass_(vecadd, 1 + at % 3, 16, [buffers[at % 200], buffers[at % 200],
                                             g.write(buffers[(at + 1) % 200]), 16], name=f"p{at}")
    model = run_model(g.program)
    assert len(model.passes) == 3001 and len(model.program.states) == 1
    assert all(at - 1 in before for at, before in enumerate(model.order.before) if at)
    assert model.passes[2].commands[0].grid == (2, 1, 1)
    for at in range(257):
        with g.pass_(f"two{at}") as p:
            p.fence()
            p.fence()
    expect("ERR_GRAPH_TOO_LARGE", lambda: g.program)


@given(st.data())
@LOOK
def test_random_graphs(data):
    """S2-R42, S2-R43, S2-R85: the program of any graph gives exactly the passes, commands and uses that were asked for."""
    g = ganger.Graph(unordered=False)
    buffers = [g.argument(f"a{at}", 64) for at in range(data.draw(st.integers(1, 50)))]
    asked = []
    for _pass in range(data.draw(st.integers(0, 25))):
        with g.pass_(f"p{len(asked)}") as p:
            uses = data.draw(st.dictionaries(st.integers(0, len(buffers) - 1),
                                             st.sampled_from(["read", "write", "update", "share"]), max_size=5))
            for number, how in uses.items():
                getattr(p, how)(buffers[number])
            commands = data.draw(st.lists(st.integers(0, len(buffers) - 1), min_size=1, max_size=4))
            for number in commands:
                p.fill(buffers[number], number, 64)
        asked.append(p)
    if not asked:
        return
    model = run_model(g.program)
    assert [one.uses for one in model.passes] == [one.uses for one in asked]
    assert [[(cmd.op, cmd.target, cmd.number, cmd.nbytes) for cmd in one.commands] for one in model.passes] == \
        [[(cmd.op, cmd.target, cmd.value, cmd.nbytes) for cmd in one.commands] for one in asked]


def test_bad_input(vecadd):
    """S2-Q3, S2-Q8, S2-Q22: what the builder refuses, with the pass's name; nothing of it counts."""
    g, other = ganger.Graph(), ganger.Graph()
    t = g.buffer(64)
    expect("ERR_GRAPH_RESOURCE", g.buffer, 0)
    expect("ERR_GRAPH_RESOURCE", g.fill, other.buffer(64), 1)
    expect("ERR_GRAPH_RESOURCE", g.copy, t, "nothing")
    expect("ERR_ARGUMENT_COUNT", g.pass_, vecadd, 1, 1, [t])
    expect("ERR_ARGUMENT", g.pass_, vecadd, 1, 1, [t, t, t, 1], affinity=(0,))
    expect("ERR_ARGUMENT", g.fill, t, 1, after=[-1])
    error = expect("ERR_GRAPH_STEP", lambda: g.pass_("empty").__exit__(None, None, None))
    assert "empty" in str(error)
    g.passes[-1].fence()
    assert len(g.passes) == 1
    g.argument("x")
    expect("ERR_ARGUMENT", g.argument, "x")
    g.pass_(vecadd, 1, 1, [t, t, t, 1 << 40], name="large")
    assert "large" in str(expect("ERR_ARGUMENT_SIZE", lambda: g.program))
    with pytest.raises(ganger.Error, match="at most 16"):
        with g.pass_("long") as p:
            for _command in range(17):
                p.fence()


def test_cycle_is_named():
    """S2-Q4, S2-R33: a cycle is refused, and its passes are named."""
    with ganger.Graph() as g:
        b = g.argument("b", 64)
        g.signal(b, 1, name="egg", after=[1])
        g.signal(b, 2, name="hen")
    error = expect("ERR_GRAPH_CYCLE", run_model, g.program)
    assert "egg" in str(error) and "hen" in str(error)


def test_document():
    """The texts of docs/GRAPHS.md are graphs."""
    page = (ROOT / "docs" / "GRAPHS.md").read_text(encoding="utf-8")
    blocks = [one for one in re.findall(r"^```\w*\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
              if one.startswith(("graph ", ".graph"))]
    assert len(blocks) == 2
    text = ganger.GraphText(blocks[0], folder=ROOT)
    model = run_model(text.program, {"n": N, "rounds": 3})
    assert [one.name for one in model.passes] == ["pass#1", "step#1", "step#2", "step#3", "pass#2"]
    assert len(run_model(ganger.assemble(blocks[1])).passes) == 1
