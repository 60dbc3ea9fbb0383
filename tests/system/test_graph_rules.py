# SPDX-License-Identifier: Apache-2.0
"""Task graphs on the device: transients, budgets, emphasis, kinds of grids, size, children, prints."""
import itertools
import re

import pytest

import ganger
from graph_kit import Gate, Marks, filled, mixed, overlap, run, run_bad, states
from support import LONG, error_of, expect, words, zeros

N = 32
BYTES = 4 * N


@pytest.fixture
def dev(device):
    """The device of these tests."""
    return device()


@pytest.fixture
def module(dev, load):
    """Module graph.c."""
    return load(dev, "graph")


def chains(dev, module, count, length):
    """Chains of transients, side by side: (graph, outputs, what must be in them)."""
    out, expected = [zeros(dev, N) for _chain in range(count)], []
    with ganger.Graph(dev) as g:
        heads = []
        for number in range(count):
            heads.append(g.buffer(BYTES))
            g.pass_(module["graph_set"], 1, 4, [g.write(heads[-1]), N, number])
            expected.append(filled(N, number))
        for step in range(length):
            for number in range(count):
                before, heads[number] = heads[number], g.buffer(BYTES)
                g.pass_(module["graph_mix"], 2, 4, [before, before, before, g.write(heads[number]), N, step])
                expected[number] = mixed(*[expected[number]] * 3, step)
        for number in range(count):
            g.copy(out[number], heads[number])
    return g, out, expected


@pytest.mark.parametrize("emphasis", ("speed", "resource"))
@pytest.mark.parametrize("buffers", (None, 60, 10, 6))
def test_transients(dev, module, emphasis, buffers):
    """S2-Q18, S2-R39, S2-R76, S2-R77, S2-R80, S2-A11: buffers whose lives do not meet share memory where the work space is
    small, and the results stay right; with emphasis on resources they share it always."""
    g, out, expected = chains(dev, module, 5, 20)
    for _run in range(2):
        task = run(g, dev, emphasis=emphasis, memory=None if buffers is None else BYTES * buffers)
        assert [words(one.read()) for one in out] == expected
        report = task.report
        assert report.sum_bytes == 105 * BYTES and report.peak_bytes <= (buffers or 105) * BYTES
        if buffers is None:
            assert report.peak_bytes == report.sum_bytes if emphasis == "speed" else \
                report.peak_bytes <= 10 * BYTES


def test_too_little_memory(dev, module):
    """S2-Q12, S2-Q18, S2-Q22: a work space that no plan fits is refused whole, with how much is enough; that is enough."""
    g, out, expected = chains(dev, module, 5, 5)
    error, task = run_bad(g, dev, memory=BYTES)
    assert error.status == "ERR_GRAPH_MEMORY" and not task.report.total
    assert [words(one.read()) for one in out] == [[0] * N] * 5
    run(g, dev, memory=error.done.value)
    assert [words(one.read()) for one in out] == expected


@pytest.mark.parametrize("kind", ("memory", "bandwidth", "user", "units"))
def test_budgets(dev, module, kind):
    """S2-R66, S2-R67, S2-R68, S2-V5: of passes that need more than half of a budget no two run at once; those that need half run
    in pairs at most; others are not held up."""
    for need, most in ((6, 1), (5, 2)):
        marks = Marks(dev, module, 14)
        with ganger.Graph(dev) as g:
            for number in range(12):
                marks.add(g, number, 3000, needs={kind: need})
        task = run(g, dev, budgets={kind: 10})
        order = marks.order()[:12]
        for start, _end in order:
            assert sum(one[0] <= start < one[1] for one in order) <= most
        assert task.report.at_once == most
    with ganger.Graph(dev) as g:
        arrived = zeros(dev, 1)
        for _pass in range(2):
            g.pass_(module["graph_meet"], 1, 1, [g.share(arrived), 2], needs={kind: 5})
    run(g, dev, budgets={kind: 10})


@pytest.mark.parametrize("ctas,most", ((1, 6), (2, 3), (5, 1), (9, 1)))
def test_units_that_are_not_stated(dev, module, ctas, most):
    """S2-R66, S2-R67, S2-R68: a pass that does not say how many memory units it needs, needs those of its CTAs, and no more than
    the budget."""
    gate = Gate(dev, module)
    with ganger.Graph(dev) as g:
        for _pass in range(12):
            gate.add(g, ctas)
    task = g.launch(dev, budgets={"units": 6})
    gate.await_started(ctas * most)
    gate.open()
    task.wait(LONG)
    assert task.report.at_once == most


def test_impossible_budget(dev, module):
    """S2-Q12: a pass that alone needs more than a budget is refused with its graph; of units there are no more than all."""
    marks = Marks(dev, module, 2)
    with ganger.Graph(dev) as g:
        marks.add(g, 0)
        marks.add(g, 1, needs={"memory": 11})
    error, _task = run_bad(g, dev, budgets={"memory": 10})
    assert (error.status, error.field) == ("ERR_GRAPH_MEMORY", "graph.budgets")
    assert marks.order() == [(0, 0)] * 2
    run(g, dev, budgets={"units": 1})


def test_emphasis(dev, module):
    """S2-R69, S2-R71, S2-R75: emphasis on resources runs passes in turn; on speed at the same time; at_once bounds both."""
    for emphasis, at_once, most in (("resource", 0, 1), ("resource", 3, 3), ("speed", 2, 2)):
        marks = Marks(dev, module, 12)
        with ganger.Graph(dev) as g:
            for number in range(12):
                marks.add(g, number, 3000)
        task = run(g, dev, emphasis=emphasis, at_once=at_once)
        assert task.report.at_once <= most
        if most == 1:
            assert not any(overlap(*pair) for pair in itertools.combinations(marks.order(), 2))


@pytest.mark.parametrize("emphasis,first", (("speed", "long"), ("resource", "wide")))
def test_what_comes_first(dev, module, emphasis, first):
    """S2-R72, S2-R80: of two passes that are ready, the one with the longest way to the end of the graph comes first, and with
    emphasis on resources, though memory is not short, the one that frees more of it."""
    marks, out = Marks(dev, module, 8), [zeros(dev, N) for _pass in range(4)]
    places = {name: number for number, name in enumerate(("make wide", "make long", "both", "wide", "long", "tail", "large", "end"))}

    def add(name, **keywords):
        marks.add(g, places[name], **keywords)

    with ganger.Graph(dev) as g:
        wide, narrow, large = g.buffer(10 * BYTES), g.buffer(BYTES), g.buffer(40 * BYTES)
        add("make wide", writes=[wide])
        add("make long", writes=[narrow])
        add("both", reads=[wide, narrow], writes=[out[3]])
        add("wide", reads=[wide, out[3]], writes=[out[0]])
        add("long", reads=[narrow, out[3]], writes=[out[1]])
        add("tail", reads=[out[1]], writes=[out[2]])
        add("large", reads=out, writes=[large])
        add("end", reads=[large])
    run(g, dev, emphasis=emphasis, at_once=1)
    order = marks.order()
    assert min(("wide", "long"), key=lambda name: order[places[name]]) == first, order


@pytest.mark.parametrize("split", (1, 7, 40, 1000))
def test_split(dev, module, split, load):
    """S2-R82, S2-Q17: a grid is run in parts: each CTA once, with its own place in the grid, and the pass ends with the
    last; what follows sees all of it."""
    ids, out = zeros(dev, 100), zeros(dev, 100)
    with ganger.Graph(dev) as g:
        g.pass_(load(dev, "work")["count"], (10, 5, 2), 2, [g.update(ids)])
        g.pass_(module["graph_mix"], 1, 10, [ids, ids, ids, g.write(out), 100, 4])
    task = run(g, dev, split=split)
    assert words(ids.read()) == [1] * 100 and words(out.read()) == mixed(*[[1] * 100] * 3, 4)
    assert [one.ctas for one in task.report.passes] == [100, 1]


def test_pull_and_clusters(dev, module, load):
    """S2-R3, S2-R23, S2-Q12: passes of pulled grids and of cooperative groups among others."""
    pulled, grouped, out = zeros(dev, 200), zeros(dev, 12), zeros(dev, 12)
    with ganger.Graph(dev) as g:
        g.pass_(load(dev, "work")["count"], 200, 2, [g.update(pulled)], mode="pull")
        g.pass_(module["graph_cluster"], 12, 1, [g.update(grouped), 4], cluster=4, reads=[pulled])
        g.pass_(module["graph_mix"], 1, 1, [pulled, grouped, grouped, g.write(out), 12, 4])
    task = run(g, dev, split=3)
    assert words(pulled.read()) == [1] * 200 and words(grouped.read()) == [1] * 12
    assert words(out.read()) == mixed(*[[1] * 12] * 3, 4)
    assert [one.ctas for one in task.report.passes] == [200, 12, 1]


def test_4096(dev, module):
    """S2-Q3, S2-R7, S2-A7: 4,096 passes and as many resources in one graph: results right, one completion; the same again
    with shared memory."""
    count, x = 4096, zeros(dev, 1)
    with ganger.Graph(dev) as g:
        buffers = [g.buffer(4) for _one in range(count - 1)]
        g.fill(buffers[0], 1, 4)
        for number in range(1, count - 2):
            g.copy(buffers[number], buffers[number - 1 if number % 64 else number // 2], 4)
        g.pass_(module["graph_set"], 1, 1, [g.write(buffers[-1]), 1, 1])
        g.pass_(module["graph_mix"], 1, 1, [buffers[-3], buffers[-1], buffers[4], g.write(x), 1, 3])
        g.pass_(module["graph_update"], 1, 1, [x, g.update(x), 1, 3])
    report = run(g, dev).report
    assert (report.total, report.resources, report.failed) == (len(g.passes), count, 0)
    first = mixed([1], filled(1, 1), [1], 3)
    after = words(x.read())
    assert after != first and all(one.status == "OK" for one in report.passes)
    run(g, dev, memory=100 * 64)
    assert words(x.read()) == after


def test_children(dev, module):
    """S2-R57, S0-R07: a kernel of a pass launches a child: the pass ends after it, and the next sees what it wrote; a child
    that fails fails the pass."""
    out, status, again = zeros(dev, N), zeros(dev, 1), zeros(dev, N)
    for kernel, args in (("graph_set", [out, N, 6]), ("graph_fail", [])):
        with dev.template(module[kernel], grid=4, block=2, args=args) as child:
            with ganger.Graph(dev) as g:
                g.pass_(module["graph_parent"], 1, 1, [ganger.u64(child.address) if dev.info.xlen == 64
                                                       else ganger.u32(child.address), g.write(status)],
                        writes=[out])
                g.copy(again, out)
            if args:
                run(g, dev)
                assert words(again.read()) == filled(N, 6)
            else:
                error, task = run_bad(g, dev)
                assert error.status == "ERR_ABORTED" and states(task) == "FS"


def test_prints(dev, module):
    """S2-R3, S3-R8: passes print into the graph's buffer."""
    with ganger.Graph(dev) as g:
        for number in range(9):
            g.pass_(module["graph_print"], 2, 1, [number])
    task = run(g, dev, prints=65536)
    assert sorted(map(int, re.findall(r"pass (\d)\n", task.output))) == sorted([*range(9)] * 2)


def test_passes_without_work(dev):
    """S2-Q8, S2-Q9: a graph without passes, and passes without inputs, outputs or kernels, end well."""
    task = run(ganger.graph_of("graph nothing(n: int)\nif n { fence }"), dev, n=0)
    assert (task.report.total, task.wait(LONG).ctas) == (0, 0)
    assert run(ganger.graph_of("graph few()\nfence fence fence"), dev).report.total == 3


def test_argument_outside(dev, module):
    """S2-R24, S2-Q7, S2-Q22: a buffer of the launch that is not in the heap is refused before anything runs."""
    out = zeros(dev, N)
    with ganger.Graph(dev) as g:
        x = g.argument("x", BYTES)
        g.pass_(module["graph_set"], 1, 1, [g.write(out), N, 1])
        g.copy(x, out)
    error = expect("ERR_GRAPH_RESOURCE", g.run, dev, x=64)
    assert error.field == "graph_resource.address" and words(out.read()) == [0] * N
    error_of(g.run, dev, x=2**40)
