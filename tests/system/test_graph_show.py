# SPDX-License-Identifier: Apache-2.0
"""Pictures of graphs, reports, and the command `ganger graph`."""
import json
import re
import xml.etree.ElementTree as xml

import pytest

import ganger
import ganger.graph.model
from ganger.graph.draw import dot_text, picture, rendered
from ganger.graph.report import PassReport, critical_path, make_report
from ganger.graph.svg import layout_svg
from graph_support import FIGURE_8, TABLE_1, model_of
from support import LONG, expect, run_ganger

pytestmark = pytest.mark.shared

SVG = "{http://www.w3.org/2000/svg}"


def shown(text):
    """Nodes by label, and edges by labels, of DOT text."""
    labels = dict(re.findall(r'^\t(\w+) \[label="([^"\\]*)', text, re.MULTILINE))
    edges = {(labels[one], labels[other]) for one, other in re.findall(r"^\t(\w+) -> (\w+)", text, re.MULTILINE)}
    return set(labels.values()), edges


@pytest.mark.parametrize("a, b", ((1, 1), (1, 0), (0, 0)))
def test_dot(a, b):
    """S2-R32, S2-R101, S2-R102: the picture of Table 1 has the figure's nodes and edges: boxes and ellipses."""
    model = model_of(TABLE_1, A=a, B=b)
    text = dot_text(picture(model))
    nodes, edges = shown(text)
    assert edges == model.edges()
    assert nodes == {one for edge in edges for one in edge}
    assert text.count("shape=box") == len(model.passes) and text.count("shape=ellipse") == len(model.resources)


def test_layout():
    """The layout without Graphviz: layers go down, nothing lies on anything else, all is inside."""
    drawn = picture(model_of(FIGURE_8))
    root = xml.fromstring(layout_svg(drawn))
    width, height = float(root.get("width")), float(root.get("height"))
    boxes = [tuple(float(one.get(name)) for name in ("x", "y", "width", "height")) for one in root.iter(f"{SVG}rect")
             if one.get("x")]
    boxes += [(float(one.get("cx")) - float(one.get("rx")), float(one.get("cy")) - float(one.get("ry")),
               2 * float(one.get("rx")), 2 * float(one.get("ry"))) for one in root.iter(f"{SVG}ellipse")]
    assert len(boxes) == 5 + 6
    for at, (x, y, wide, high) in enumerate(boxes):
        assert 0 <= x and x + wide <= width and 0 <= y and y + high <= height
        for x2, y2, wide2, high2 in boxes[at + 1:]:
            assert x + wide <= x2 or x2 + wide2 <= x or y + high <= y2 or y2 + high2 <= y
    layers = {one.lines[0]: one.layer for one in drawn.nodes}
    assert all(layers[source] < layers[target] for source, target in shown(dot_text(drawn))[1])
    assert len([one for one in root.iter(f"{SVG}path") if one.get("marker-end")]) == len(drawn.edges)


def test_odd_pictures():
    """Updates in place, orders without data, names with quotes, no passes at all."""
    model = model_of("graph g(x: buffer)\nupdate x signal(x, 1)\nupdate x signal(x, 2)\nafter 0 fence")
    text = dot_text(picture(model))
    assert text.count("style=dashed") == 1 and text.count("->") == 5
    assert xml.fromstring(layout_svg(picture(model))) is not None
    xml.fromstring(layout_svg(picture(model_of("graph g()"))))
    with ganger.Graph(name='a "b" <c>') as g:
        g.fill(g.buffer(64, 'q"\\'), 1, name="<&>")
    drawn = picture(model_of_graph(g))
    assert '\\"' in dot_text(drawn)
    assert "<&>" in [one.text for one in xml.fromstring(layout_svg(drawn)).iter(f"{SVG}text")]
    expect("ERR_UNSUPPORTED", rendered, drawn, "jpeg")


def model_of_graph(graph):
    """The model of a graph of the builder."""
    return ganger.graph.model.run_model(graph.program)


def times(spans):
    """Passes with (ready, start, end)."""
    return [PassReport(at, f"p{at}", "DONE", "OK", at, None, 1, 0.0, 1, *span) for at, span in enumerate(spans)]


def test_critical_path():
    """S2-R73: the chain of passes that the run's length is made of."""
    passes = times([(1, 1, 3), (3, 3, 5), (3, 3, 9), (3, 4, 6), (9, 9, 10)])
    before = [set(), {0}, {0}, {0}, {1, 2, 3}]
    assert critical_path(passes, before) == critical_path(passes) == [0, 2, 4]
    assert critical_path([]) == []
    drawn = picture(model_of(FIGURE_8), report_of(passes))
    assert [one.lines[0] for one in drawn.nodes if one.marked] == ["pass#1", "pass#3", "pass#5", "R2", "R4"]
    assert "6 s" in drawn.nodes[2].lines and "9 s" in drawn.title
    assert sum(edge.marked for edge in drawn.edges) == 4
    assert dot_text(drawn).count("penwidth=2") == 5 + 4


def report_of(passes):
    """A report of a run."""
    return ganger.GraphReport(passes, len(passes), 6, 7, 5, 30, 0, 0, 3, 256, 192, 1.0, 1.0, critical_path(passes))


def test_report_words():
    """S2-R36, S2-R38: words of the device as a report."""
    program = ganger.graph_of(TABLE_1).program
    head = b"".join(at.to_bytes(4, "little") for at in (3, 2, 3, 2, 40, 1, 1, 2)) + \
        b"".join(at.to_bytes(8, "little") for at in (4096, 2048, 100, 150))

    def words(state, definition, status, cause, stamps):
        numbers = (state | definition << 16, status & 0xffffffff, 9, cause)
        return b"".join(one.to_bytes(4, "little") for one in numbers) + (5).to_bytes(8, "little") + \
            (50).to_bytes(4, "little") + (2).to_bytes(4, "little") + b"".join(one.to_bytes(8, "little") for one in stamps)

    body = words(3, 1, 0, 0, (150, 160, 200)) + words(4, 2, -13, 0, (200, 200, 300)) + words(5, 2, -13, 2, (0, 0, 0))
    report = make_report(head, body, program, 100)
    assert [(one.name, one.state, one.cause, one.ended) for one in report.passes] == \
        [("PassA#1", "DONE", None, 2.0), ("PassB#1", "FAILED", None, 3.0), ("PassB#2", "SKIPPED", 1, None)]
    assert (report.total, report.sum_bytes, report.peak_bytes, report.started, report.time) == (3, 4096, 2048, 1.0, 2.0)
    assert report.critical == [0, 1] and report.passes[0].estimate == 0.5 and report.passes[0].ctas == 5
    assert ganger.GraphReport.from_dict(json.loads(json.dumps(report.as_dict()))) == report


# ---- the command ----


@pytest.fixture
def file(tmp_path):
    """Figure 8a in a file."""
    path = tmp_path / "figure8.graph"
    path.write_text(FIGURE_8, encoding="utf-8")
    return path


def told(*arguments):
    """What a command prints as JSON."""
    done = run_ganger(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_check(file):
    """S2-R32, S2-R85: what a graph makes, for a person and as JSON."""
    facts = told("graph", "check", file)
    assert [one["waits"] for one in facts["passes"]] == [[], [0], [0], [0], [1, 2, 3]]
    assert (facts["reads"], facts["writes"], len(facts["resources"])) == (7, 5, 6)
    assert "5 passes, 6 resources, 7 + 5 edges" in run_ganger("graph", "check", file).stdout


def test_asm_dis(file, tmp_path):
    """S2-Q1: a file through all forms."""
    made = tmp_path / "a.ggp"
    assert told("graph", "asm", file, "-o", made)["steps"] > 20
    listing = tmp_path / "a.gga"
    run_ganger("graph", "dis", made, "-o", listing)
    again = tmp_path / "b.ggp"
    told("graph", "asm", listing, "-o", again)
    assert ganger.read_graph(again).program.encode() == ganger.read_graph(made).program.encode()
    assert told("graph", "check", again)["reads"] == 7
    assert told("graph", "dis", made)["text"] == listing.read_text(encoding="utf-8")


def test_show(file, tmp_path):
    """S2-R32, S2-R73: pictures, with the times of a report."""
    report = tmp_path / "run.json"
    passes = times([(1, 1, 3), (3, 3, 5), (3, 3, 9), (3, 4, 6), (9, 9, 10)])
    report.write_text(json.dumps(report_of(passes).as_dict()), encoding="utf-8")
    image = tmp_path / "a.svg"
    assert told("graph", "show", file, "-o", image, "--report", report) == {"file": str(image), "nodes": 11, "edges": 12}
    assert b"<svg" in image.read_bytes()
    assert told("graph", "show", file, "--report", report)["critical"] == ["pass#1", "pass#3", "pass#5"]
    assert run_ganger("graph", "show", file).stdout.startswith("digraph")
    report.write_text("{}", encoding="utf-8")
    assert "No report of a graph" in run_ganger("graph", "show", file, "--report", report).stderr


def test_command_errors(file, tmp_path):
    """A bad file, argument or picture: one line, exit code 1, JSON if asked for."""
    bad = tmp_path / "bad.graph"
    bad.write_text("graph g()\nread x", encoding="utf-8")
    for arguments, words in (((bad,), "line 2, column 6"), ((tmp_path / "none",), "ERR_IO"),
                             ((file, "--arg", "n=1"), "ERR_ARGUMENT")):
        done = run_ganger("graph", "check", *arguments, "--json")
        assert done.returncode == 1 and words in done.stderr and done.stderr.count("\n") == 1
        assert json.loads(done.stdout)["error"]["status"].startswith("ERR_")
    assert run_ganger("graph", "show", file, "-o", tmp_path / "a.jpeg").returncode == 1
    assert run_ganger("graph", "check", file, "--arg", "n").returncode == 2
    assert run_ganger("graph").returncode == 2


@pytest.mark.parametrize("form", ["graph", "gga", "ggp"])
def test_numbers_that_are_missing(tmp_path, form):
    """A number decides what a graph makes, so `check` and `show` refuse to do without; a buffer they do not need."""
    text = tmp_path / "rounds.graph"
    text.write_text("graph rounds(x: buffer(64), n: int)\nfor i in 0 .. n { update x signal(x, i) }\n", encoding="utf-8")
    path = tmp_path / f"rounds.{form}"
    if form != "graph":
        run_ganger("graph", "asm" if form == "ggp" else "dis", text, "-o", path)
    assert len(told("graph", "check", path, "--arg", "n=3")["passes"]) == 3
    for action in ("check", "show"):
        done = run_ganger("graph", action, path)
        assert done.returncode == 1 and "ERR_ARGUMENT_COUNT" in done.stderr and "--arg n=1" in done.stderr
        assert run_ganger("graph", action, path, "--arg", "n=0").returncode == 0


def test_run(board, sample_path, tmp_path):
    """S2-R44, S2-R57: a text on files, with its report and its picture."""
    text = tmp_path / "twice.graph"
    text.write_text("graph twice(src: buffer(4K), dst: buffer(4K), n: int)\nstate vecadd block 128\nread src write dst\n"
                    "dispatch grid (n / 128) args (src, src, dst, n)", encoding="utf-8")
    (tmp_path / "in").write_bytes(bytes(range(1, 9)) * 512)
    common = ("--elf", sample_path("vecadd"), "--board", board, "--sms", "2", "--arg", f"src=in:{tmp_path / 'in'}", "--arg",
              f"dst=out:4K:{tmp_path / 'out'}", "--arg", "n=1024")
    facts = told("graph", "run", text, *common, "--report", tmp_path / "run.json", "--timeout", LONG)
    assert facts["report"]["passes"][0]["ctas"] == 8
    assert (tmp_path / "out").read_bytes() == bytes(range(2, 18, 2)) * 512
    facts = told("graph", "show", text, *common, "--report", tmp_path / "run.json")
    assert facts["critical"] == ["pass#1"]
