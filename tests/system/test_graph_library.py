# SPDX-License-Identifier: Apache-2.0
"""Graphs of the host library on the device: what runs, what is refused, and the words that are sent."""
import array

import pytest

import ganger
from ganger.graph.model import run_model
from ganger.graph.room import check_room, room_for
from graph_support import FIGURE_8
from support import LONG, expect, run_ganger, words

N = 1024


def numbers(first, step=1):
    """N words."""
    return array.array("I", (first + step * at for at in range(N)))


@pytest.fixture
def loaded(device, sample_path):
    """A device, and vecadd in it."""
    dev = device()
    modules = vars(dev).setdefault("test_modules", {})
    if "vecadd" not in modules:
        modules["vecadd"] = dev.load(sample_path("vecadd"))
    return dev, modules["vecadd"]["vecadd"]


def chain(dev, kernel, out, rounds=3):
    """x doubled a few times, into a buffer of the device."""
    with ganger.Graph(dev, "chain") as g:
        last = g.argument("x", 4 * N)
        for at in range(rounds):
            to = out if at == rounds - 1 else g.buffer(4 * N)
            g.pass_(kernel, 8, 128, [last, last, g.write(to), N], name=f"double{at}")
            last = to
    return g


def test_run(loaded):
    """S2-R3, S2-R5, S2-R7, S2-R44, S2-R54, S2-R57, S2-R59, S2-R73: a graph runs, and reports its passes."""
    dev, kernel = loaded
    out = dev.buffer(nbytes=4 * N)
    task = chain(dev, kernel, out).launch(x=dev.buffer(numbers(1)))
    done = task.wait(LONG)
    assert done.ctas == 24
    assert words(out.read()) == list(numbers(8, 8))
    report = task.report
    assert [(one.name, one.state, one.status, one.ctas) for one in report.passes] == \
        [(f"double{at}", "DONE", "OK", 8) for at in range(3)]
    assert report.critical == [0, 1, 2] and (report.reads, report.writes, report.resources) == (3, 3, 4)
    assert all(before.ended <= after.started for before, after in zip(report.passes, report.passes[1:]))
    assert report.sum_bytes == 8 * N >= report.peak_bytes > 0


def test_kept(loaded):
    """S2-Q20, S2-R74: a kept graph runs with new arguments, several times at once, until it is freed."""
    dev, kernel = loaded
    out = dev.buffer(nbytes=4 * N)
    kept = chain(dev, kernel, out).keep()
    for first in (5, 6):
        task = kept.launch(x=dev.buffer(numbers(first)))
        task.wait(LONG)
        assert words(out.read()) == list(numbers(8 * first, 8))
        assert len(task.report.passes) == 3
    tasks = [kept.launch(x=dev.buffer(numbers(first))) for first in range(5)]
    assert [task.wait(LONG).status for task in tasks] == ["OK"] * 5
    expect("ERR_GRAPH_RESOURCE", kept.launch, x=dev.buffer(bytes(64)))
    expect("ERR_ARGUMENT_COUNT", kept.launch)
    kept.free()
    kept.free()
    expect("ERR_GRAPH_HANDLE", kept.launch, x=out)


@pytest.mark.parametrize("nbytes", (4, 4096, 4097, 100_001))
def test_moves(device, nbytes):
    """S2-R29: copies and fills of any size, by the control processor and by kernels."""
    dev = device()
    data = bytes(at * 7 & 255 for at in range(nbytes))
    source, target, filled = dev.buffer(data), dev.buffer(bytes(nbytes + 8)), dev.buffer(bytes(nbytes + 8))
    with ganger.Graph(dev) as g:
        t = g.buffer(nbytes)
        g.copy(t, source)
        g.copy(target, t, nbytes)
        g.fill(filled, 0x04030201, nbytes)
    g.run(wait=LONG)
    assert target.read() == data + bytes(8)
    assert filled.read() == (b"\1\2\3\4" * (nbytes // 4 + 1))[:nbytes] + bytes(8)


def test_text_on_device(device, sample_path):
    """S2-R8, S2-R25, S2-R40, S2-R53, S2-A3, S2-A5: a text's loop and what it loads decide what runs."""
    dev = device()
    text = ganger.graph_of(f"""graph loops(src: buffer(4K), dst: buffer(4K), n: int)
        transient t[9](4K)
        pass twice(from: import, to: export) {{ state vecadd block 128 dispatch grid (n / 128) args (from, from, to, n) }}
        read src write t[0] copy(t[0], src, 4K)
        int rounds = load(src, 0)
        for i in 0 .. rounds {{ twice(t[i], t[i + 1]) }}
        read t[rounds] write dst copy(dst, t[rounds], 4K)""", modules=[sample_path("vecadd")])
    for rounds in (2, 5):
        source, target = dev.buffer(numbers(rounds)), dev.buffer(nbytes=4096)
        task = text.launch(dev, src=source, dst=target, n=N)
        task.wait(LONG)
        assert words(target.read()) == list(numbers(rounds << rounds, 1 << rounds))
        assert [one.name for one in task.report.passes][1] == "twice#1" and task.report.total == rounds + 2


BAD = [  # Assembler text, status, words of the message.
    ("\t.step 99 0 0 0 0\n\tend", "ERR_GRAPH_STEP", "line 2"),
    ("\t.step 1 9 0 0 0\n\tend", "ERR_GRAPH_STEP", "line 2"),
    ("\tend\n\tjump 70", "ERR_GRAPH_JUMP", "line 3"),
    (".variable a int\n\tset a, 1\nL:\n\tjump L", "ERR_GRAPH_BUDGET", "line 5"),
    (".variable a int\n\tset a, 1\n\tdiv a, a, a\n\tset a, 0\n\tdiv a, a, a\n\tend", "ERR_GRAPH_DATA", "line 6"),
    (".resource t transient bytes=64\n.variable r buffer\n\tresource r, t\n\tread r\n\tfence\n\tend",
     "ERR_GRAPH_RESOURCE", "line 6"),
    ("\tafteri 1\n\tfence\n\tfence\n\tafteri 0\n\tend", "OK", ""),
    ("\tafteri 1\n\tfence\n\tafteri 0\n\tfence\n\tend", "ERR_GRAPH_CYCLE", "pass"),
    (".block 0\n\tend", "ERR_GRAPH_FORMAT", ""),
]


@pytest.mark.parametrize("text, status, place", BAD, ids=range(len(BAD)))
def test_device_refuses(device, text, status, place):
    """S2-Q1 to S2-Q4, S2-Q22: a bad program comes to the device as it is; the device names the step, and the next graph
    runs."""
    dev = device()
    program = ganger.assemble(f".graph bad\n{text}\n".replace("jump 70", ".step 24 0 0 0 70"))
    task = program.launch(dev)
    if status == "OK":
        assert task.wait(LONG).status == "OK"
    else:
        error = expect(status, task.wait, LONG)
        assert place in str(error), error
    ganger.assemble(".graph good\n\tfence\n\tend\n").launch(dev).wait(LONG)


def test_most_passes(device, tmp_path):
    """S2-Q3, S2-Q4: the most passes of a graph: `graph check` and the device draw the line at the same number, and both
    say what there is room for."""
    dev, path = device(1), tmp_path / "many.graph"
    buffer = dev.buffer(nbytes=64)

    def graph_of_passes(count):
        path.write_text(f"graph many(x: buffer(4))\nfor i in 0 .. {count} {{ write x fill(x, 1, 4) }}\n", "utf-8")
        return ganger.read_graph(path)

    most = room_for(graph_of_passes(1).program)["passes"]
    assert most == 23_892
    graph_of_passes(most).launch(dev, x=buffer, report_passes=0).wait(LONG)
    check_room(run_model(ganger.read_graph(path).program))
    task = graph_of_passes(most + 1).launch(dev, x=buffer, report_passes=0)
    error = expect("ERR_GRAPH_TOO_LARGE", task.wait, LONG)
    assert "line 2" in str(error) and "23,892 passes" in str(error)
    done = run_ganger("graph", "check", path)
    assert done.returncode == 1 and "23,893 passes" in done.stderr and "23,892 passes" in done.stderr


def test_failure_is_named(loaded, load):
    """S2-Q19: a pass that fails is named; what depends on it is skipped, the rest runs."""
    dev, kernel = loaded
    trap = load(dev, "faults")["fault"]
    out = dev.buffer(bytes(4 * N))
    with ganger.Graph(dev) as g:
        t = g.buffer(4 * N)
        g.pass_(trap, 1, 1, [g.write(t), 8, 0, 0, 0], name="trap")
        g.pass_(kernel, 8, 128, [t, t, out, N], name="after")
        g.fill(out, 1, 4, name="apart", after=())
    task = g.launch()
    with pytest.raises(ganger.Error, match="trap"):
        task.wait(LONG)
    assert [one.state for one in task.report.passes][:2] == ["FAILED", "SKIPPED"]


def test_library_refuses(loaded):
    """S2-Q3, S2-Q12: what the library refuses, and nothing is posted."""
    dev, kernel = loaded
    out = dev.buffer(nbytes=4 * N)
    g = chain(dev, kernel, out)
    before = dev.traffic()["posted"]
    expect("ERR_ARGUMENT_COUNT", g.launch)
    expect("ERR_ARGUMENT", g.launch, x=out, y=out)
    expect("ERR_GRAPH_RESOURCE", g.launch, x=dev.buffer(bytes(8)))
    expect("ERR_ARGUMENT", g.launch, x=out, emphasis="beauty")
    expect("ERR_ARGUMENT", g.launch, x=out, budgets={"time": 1})
    expect("ERR_NO_MEMORY", g.launch, x=out, memory=1 << 40)
    expect("ERR_KERNEL_NAME", ganger.graph_of(FIGURE_8).launch, dev, R1=out, R6=out)
    expect("ERR_ARGUMENT", ganger.Graph().launch)
    assert dev.traffic()["posted"] == before


def test_words(loaded):
    """S2-Q1, S2-R7: the words that the library writes for a graph: descriptor, arguments, program, work space."""
    dev, kernel = loaded
    out = dev.buffer(nbytes=4 * N)
    work = chain(dev, kernel, out).work(x=out, emphasis="resource", at_once=3, split=5, time_limit_ms=9, step_budget=77,
                                        budgets={"units": 4})
    tmd = ganger.Tmd(work)
    assert tmd.type == 6 and tmd.queue % 8 == 0
    at = words(dev.read(tmd.queue, 96))
    program, arguments, space, report = (at[low] | at[low + 1] << 32 for low in (2, 6, 8, 12))
    assert (at[0], at[1], at[5], at[15:19], at[20:24]) == (1, 0, 1, [77, 9, 5, 3], [0, 4, 0, 0])
    assert words(dev.read(arguments, 8)) == [out.address & 0xffffffff, out.address >> 32]
    data = dev.read(program, at[4])
    assert data[:4] == b"GGGP" and ganger.GraphProgram.load(data).steps == work.launched.program.steps
    assert space % 64 == 0 and at[10] == 64 * 256 + 2 * 4 * N and report == space + at[10]
    assert at[14] == 64 + 3 * 56
    state = data[words(data[32:36])[0]:]
    assert words(state[0x50:0x60]) == [0, 0, 0, 0] and words(state[0x24:0x30]) == [0, 0, 0]
    tmd.free()


