# SPDX-License-Identifier: Apache-2.0
"""Task graphs on the device: the graphs of the specification, order, parts of passes, and data."""
import itertools

import pytest

import ganger
from graph_kit import Gate, Marks, data_of, filled, mixed, overlap, run, states, updated
from support import LONG, flag_at, run_good_task, until, words, zeros

N = 64  # Words of a buffer.
BYTES = 4 * N
# S2 section 7.1: PassB has two commands, the second of which uses what the first made.
TABLE_1 = """graph table1(R1: buffer(256), R2: buffer(256), R3: buffer(256), inner: buffer(256), A: int, B: int)
pass PassA(in: import, out: export) {
    state graph_mix block 8 grid (2)
    dispatch args (in, in, in, out, u32(64), u32(1))
}
pass PassB(in: import, out: export, t: shared) {
    state graph_mix block 8 grid (2)
    dispatch args (in, in, in, t, u32(64), u32(2))
    state graph_mix block 4 grid (3)
    dispatch args (t, t, t, out, u32(64), u32(3))
}
PassA(R1, R2)
if A { PassB(R2, R3, inner) }
if B { PassB(R2, R3, inner) }
"""
# S2 section 7.2: the third block has no state of its own.
TABLE_2 = """graph table2(R1: buffer(256), R2: buffer(256), R3: buffer(256), R5: buffer(256), B: int)
state graph_mix block 8 grid (2)
read R1  write R2
dispatch args (R1, R1, R1, R2, u32(64), u32(1))
if B {
    state graph_update block 8 grid (3)
    read R2  update R5
    dispatch args (R2, R5, u32(64), u32(2))
    read R5  update R3
    dispatch args (R5, R3, u32(64), u32(3))
}
"""


def buffers(dev, count):
    """Buffers of N words, with their content."""
    contents = [filled(N, seed) for seed in range(count)]
    return [dev.buffer(data_of(content)) for content in contents], contents


@pytest.mark.parametrize("a, b", list(itertools.product((0, 1), repeat=2)))
def test_table_1(device, load, a, b):
    """S2-R19 to S2-R25, S2-R41, S2-R42, S2-R61, S2-R85, S2-R101, S2-R102, S2-V1, S2-Q14: Table 1 on the device: as many
    passes as conditions say, commands of a pass in order, and the right data."""
    dev = device()
    held, content = buffers(dev, 4)
    text = ganger.graph_of(TABLE_1)
    task = run(text, dev, modules=[load(dev, "graph")], A=a, B=b,
               **dict(zip(("R1", "R2", "R3", "inner"), held)))
    report, passes = task.report, a + b
    assert [one.name for one in report.passes] == ["PassA#1", "PassB#1", "PassB#2"][:1 + passes]
    assert states(task) == "D" * (1 + passes)
    resources = 2 + 2 * bool(passes)  # `inner` is declared, unlike in the example: one more, and its edges.
    assert (report.resources, report.reads + report.writes) == (resources, 2 + 3 * passes)
    assert report.reads == 1 + passes
    second = mixed(*[content[0]] * 3, 1)
    inner = mixed(*[second] * 3, 2)
    assert words(held[1].read()) == second
    assert words(held[2].read()) == (mixed(*[inner] * 3, 3) if passes else content[2])
    assert report.passes[0].ctas == 2 and all(one.ctas == 5 for one in report.passes[1:])


@pytest.mark.parametrize("b", (0, 1))
def test_table_2(device, load, b):
    """S2-R26 to S2-R28, S2-R46, S2-R47, S2-R51, S2-R52, S2-R103 to S2-R105, S2-V2: Table 2 on the device: blocks of one
    command; the third pass has the state of the second."""
    dev = device()
    held, content = buffers(dev, 4)
    text = ganger.graph_of(TABLE_2)
    task = run(text, dev, modules=[load(dev, "graph")], B=b,
               **dict(zip(("R1", "R2", "R3", "R5"), held)))
    report = task.report
    counts = (3, 4, 4, 3) if b else (1, 2, 1, 1)  # Updates read what they write: one edge more each.
    expected = (counts[0], counts[1], counts[2] + b, counts[3])
    assert (report.total, report.resources, report.reads, report.writes) == expected
    second = mixed(*[content[0]] * 3, 1)
    fifth = updated(second, content[3], 2) if b else content[3]
    assert words(held[3].read()) == fifth
    assert words(held[2].read()) == (updated(fifth, content[2], 3) if b else content[2])
    assert [one.ctas for one in report.passes] == [2, 3, 3][:report.total]


def figure_8(dev, marks, spin):
    """Figure 8a with marks."""
    g = ganger.Graph(dev, "figure8")
    r = [None, dev.buffer(bytes(64)), *(g.buffer(64) for _one in range(4)), dev.buffer(bytes(64))]
    for number, (reads, writes) in enumerate((((1,), 2), ((2,), 3), ((2,), 4), ((2,), 5), ((3, 4, 5), 6))):
        marks.add(g, number, spin, reads=[r[one] for one in reads], writes=[r[writes]])
    return g


@pytest.mark.parametrize("at_once, split", ((0, 0), (1, 0), (2, 0), (3, 1)))
def test_figure_8(device, load, at_once, split):
    """S2-R54 to S2-R57, S2-R59 to S2-R65, S2-R98, S2-R106, S2-R107, S2-V3: every schedule of figure 8a starts a pass after
    the ends of those that it depends on; at_once says how many run together."""
    dev = device()
    module = load(dev, "graph")
    for _run in range(5):
        marks = Marks(dev, module, 5)
        task = run(figure_8(dev, marks, 2000), dev, at_once=at_once, split=split)
        order = marks.order()
        assert order[0] == (0, 1) and order[4] == (8, 9)
        if at_once == 1:
            assert not any(overlap(*pair) for pair in itertools.combinations(order, 2))
        assert task.report.at_once <= (at_once or 3)
        found = task.report.passes
        assert all(found[0].ended <= found[middle].started and found[middle].ended <= found[4].started
                   for middle in (1, 2, 3))
        assert task.report.critical[0] == 0 and task.report.critical[-1] == 4


def test_independent_overlap(device, load):
    """S2-R61, S2-R63, S2-R65, S2-R95: passes that must meet each other end, so they run at the same time; one submission, one
    completion."""
    dev = device()
    arrived = zeros(dev, 1)
    before = dev.stat()["tasks_completed"]
    with ganger.Graph(dev) as g:
        first = g.fill(arrived, 0)
        for _pass in range(8):
            g.pass_(load(dev, "graph")["graph_meet"], 1, 1, [g.share(arrived), 8], after=[first])
    task = run(g, dev)
    assert task.report.at_once == 8 and states(task) == "D" * 9
    assert dev.stat()["tasks_completed"] == before + 1


def test_chain_and_fans(device, load):
    """S2-R5, S2-R6, S2-R60, S2-R62, S2-V6: a chain of 60, then out to 40 and in again, in three trees of inputs: right data,
    and each pass after what it reads."""
    dev = device()
    kernel = load(dev, "graph")["graph_mix"]
    source, out = dev.buffer(data_of(filled(N, 9))), zeros(dev, N)
    expected = filled(N, 9)
    with ganger.Graph(dev) as g:
        last = source
        for number in range(60):
            last, before = g.buffer(BYTES), last
            g.pass_(kernel, 1, 8, [before, before, before, g.write(last), N, number])
            expected = mixed(expected, expected, expected, number)
        wide = [g.buffer(BYTES) for _one in range(40)]
        for number, one in enumerate(wide):
            g.pass_(kernel, 1, 8, [last, source, last, g.write(one), N, number])
        rows = [mixed(expected, filled(N, 9), expected, number) for number in range(40)]
        while len(wide) > 1:
            three = (wide[:3] * 3)[:3] if len(wide) < 3 else wide[:3]
            values = (rows[:3] * 3)[:3] if len(rows) < 3 else rows[:3]
            to = g.buffer(BYTES)
            g.pass_(kernel, 1, 8, [*three, g.write(to), N, 7])
            wide, rows = [*wide[3:], to], [*rows[3:], mixed(*values, 7)]
        g.copy(out, wide[0])
    task = run(g, dev)
    assert words(out.read()) == rows[0]
    found = task.report.passes
    assert all(found[at].ended <= found[at + 1].started for at in range(59))
    assert task.report.passes[60].ready >= found[59].ended


def test_hazards(device, load):
    """S2-Q5, S2-Q6, S2-R59, S2-R62: what is overwritten is read before, program order counts, updates come in turn."""
    dev = device()
    module = load(dev, "graph")
    x, seen = dev.buffer(data_of(filled(N, 3))), [zeros(dev, N) for _one in range(12)]
    value, expected = filled(N, 3), []
    with ganger.Graph(dev) as g:
        for number in range(4):
            for to in seen[3 * number:3 * number + 3]:
                g.pass_(module["graph_mix"], 1, 4, [x, x, x, g.write(to), N, number])
                expected.append(mixed(value, value, value, number))
            if number % 2:
                g.pass_(module["graph_set"], 1, 4, [g.write(x), N, number])
                value = filled(N, number)
            else:
                g.pass_(module["graph_update"], 1, 4, [g.read(seen[3 * number]), g.update(x), N, number])
                value = updated(expected[3 * number], value, number)
    for _run in range(3):
        x.write(data_of(filled(N, 3)))
        run(g, dev)
        assert words(x.read()) == value and [words(one.read()) for one in seen] == expected


@pytest.mark.parametrize("nbytes", (1, 63, 4096, 4100, 70_001))
def test_moves_between_passes(device, load, nbytes):
    """S2-R29, S2-R31, S2-R83, S2-Q16: copies, fills, signals and fences among kernels, moved by the control processor and by
    kernels: each sees what came before, also when data changed sides several times."""
    dev = device()
    module = load(dev, "graph")
    count = (nbytes + 3) // 4
    out, word = zeros(dev, count), zeros(dev, 2)
    with ganger.Graph(dev) as g:
        a, b, c = (g.buffer(4 * count) for _one in range(3))
        g.pass_(module["graph_set"], 3, 8, [g.write(a), count, 5])
        g.fill(b, 0, 4 * count)
        with g.pass_("part") as p:
            p.update(b)
            p.read(a)
            p.copy(b, a, nbytes)
            p.fence()
        g.pass_(module["graph_mix"], 2, 8, [b, b, b, g.write(c), count, 6])
        with g.pass_("last") as p:
            p.copy(out, c, 4 * count)
            p.signal(word, 77, 4)
    run(g, dev)
    part = b"".join(one.to_bytes(4, "little") for one in filled(count, 5))[:nbytes].ljust(4 * count, b"\0")
    middle = words(part)
    assert words(out.read()) == mixed(middle, middle, middle, 6) and words(word.read()) == [0, 77]


def test_signal_after_data(device, load):
    """S2-R29, S2-R31: the host polls a word that a pass stores while the graph still runs; all before it is there."""
    dev = device()
    module = load(dev, "graph")
    out, word, gate = zeros(dev, N), zeros(dev, 1), Gate(dev, module)
    with ganger.Graph(dev) as g:
        made = g.pass_(module["graph_set"], 1, 8, [g.write(out), N, 1])
        told = g.signal(word, 0x12345678, after=[made])
        gate.add(g, after=[told])
    task = g.launch(dev)
    until(lambda: flag_at(word, 0) == 0x12345678, "the signal")
    assert words(out.read()) == filled(N, 1) and task.poll() is None
    gate.open()
    task.wait(LONG)
    run_good_task(dev, load(dev, "work"))


def test_after_is_kept(device, load):
    """S2-R31, S2-R62: an explicit order of passes without common data, forwards and backwards in the program."""
    dev = device()
    marks = Marks(dev, load(dev, "graph"), 6)
    with ganger.Graph(dev) as g:
        for number, after in enumerate(([3], [0], [1], [5], [2, 3], [])):
            marks.add(g, number, after=after)
    for _run in range(3):
        run(g, dev)
    starts = [start for start, _end in marks.order()]
    assert [starts.index(one) for one in sorted(starts)] == [5, 3, 0, 1, 2, 4]
