# SPDX-License-Identifier: Apache-2.0
"""Workloads: files of JSON lines, those that are made, and the figures of a run."""
import json
import xml.etree.ElementTree

import pytest

import ganger
from ganger import lab, trace_json
from ganger.lab import plot
from ganger.lab.figures import alone_ns, jain, percentile
from ganger.trace_events import Event, Events

HEAD = '{"format": "ganger workload", "version": 1}'
GOOD = '{"at_ns": 0, "ctas": 2, "cta_ns": 7}'


def read(tmp_path, *lines):
    (tmp_path / "w.jsonl").write_text("\n".join(lines))
    return lab.read_workload(tmp_path / "w.jsonl")


def test_a_file(tmp_path):
    """Tasks in the order of their times, whatever their order in the file; what is missing has a usual value."""
    found = read(tmp_path, HEAD, '{"at_ns": 9, "ctas": 1, "cta_ns": 5, "name": "b", "priority": 1, "threads": 64}', "", GOOD,
                 '{"at_ns": 3, "ctas": 2, "cta_ns": [5, 6], "shared_bytes": 8}')
    assert found.tasks == [lab.Task(0, 2, (7,)), lab.Task(3, 2, (5, 6), shared_bytes=8), lab.Task(9, 1, (5,), 1, 64, 0, "b")]
    lab.write_workload(tmp_path / "again.jsonl", found)
    assert lab.read_workload(tmp_path / "again.jsonl").tasks == found.tasks


@pytest.mark.parametrize("lines, says", [
    ((), "w.jsonl:1: the first line"), ((GOOD,), "w.jsonl:1: the first line"), ((HEAD,), "the number of tasks"),
    ((HEAD.replace("1", "2"), GOOD), "w.jsonl:1: version is 1, not 2"), ((HEAD, GOOD, "{"), "w.jsonl:3: this is no JSON"),
    ((HEAD, "[" * 100_000), "w.jsonl:2: this is no JSON"), ((HEAD, "3"), "w.jsonl:2: a task"),
    ((HEAD, '{"at_ns": 0, "ctas": 2}'), "w.jsonl:2: cta_ns is missing"),
    ((HEAD, GOOD.replace("7", "[1, 2, 3]")), "a list of 2"), ((HEAD, GOOD.replace("7", "0")), "cta_ns"),
    ((HEAD, GOOD.replace("7", "1.5")), "a whole number"), ((HEAD, GOOD.replace("2", "true")), "ctas"),
    ((HEAD, GOOD.replace("}", ', "colour": 1}')), "no field 'colour'"),
    ((HEAD, GOOD.replace("}", ', "priority": 11}')), "priority is a whole number from 1 to 10"),
    ((HEAD, GOOD.replace("}", ', "threads": 0}')), "threads"), ((HEAD, GOOD.replace("}", ', "name": 3}')), "name"),
    ((HEAD, GOOD.replace("}", ', "shared_bytes": 65537}')), "shared_bytes"),
])
def test_wrong_files(tmp_path, lines, says):
    """A wrong line is named, with the field and what is right."""
    with pytest.raises(ganger.Error) as found:
        read(tmp_path, *lines)
    assert says in str(found.value) and found.value.status == "ERR_ARGUMENT"


@pytest.mark.parametrize("name", lab.WORKLOADS)
def test_made(name, tmp_path):
    """The same seed makes the same tasks, another one others; they come in order, and a file keeps them."""
    one, same, other = (lab.make_workload(name, lab.Scale(64, 4, seed=seed)) for seed in (1, 1, 2))
    assert one == same != other and len(one.tasks) == 1000
    assert one.tasks == sorted(one.tasks, key=lambda task: task.at_ns)
    lab.write_workload(tmp_path / "w.jsonl", one)
    assert lab.read_workload(tmp_path / "w.jsonl") == one
    assert len({task.at_ns for task in one.tasks}) == (20 if name == "bursts" else 1000)


def test_what_makes_them_different():
    """A tenth of the tasks has most of the work in `tails`, not in `poisson`; in `mixed` needs and priorities differ."""
    def share(name):
        work = sorted((task.work_ns() for task in lab.make_workload(name, lab.Scale(64, 4)).tasks), reverse=True)
        return sum(work[:100]) / sum(work)

    assert share("tails") > 0.6 > share("poisson")
    mixed = lab.make_workload("mixed", lab.Scale(64, 4)).tasks
    assert {task.priority for task in mixed} == {3, 5, 7} and len({task.shared_bytes for task in mixed}) == 4
    for wrong in (lab.Scale(64, 4, tasks=0), lab.Scale(64, 4, load=0)):
        with pytest.raises(ganger.Error):
            lab.make_workload("poisson", wrong)
    with pytest.raises(ganger.Error, match="poisson, bursts"):
        lab.make_workload("none", lab.Scale(64, 4))


def test_figures():
    """By hand: two tasks on one lane, the second waits for the first."""
    assert jain([2, 2, 2]) == 1 and jain([1, 0, 0, 0]) == 0.25
    assert [percentile(list(range(1, 101)), percent) for percent in (50, 95, 99, 100)] == [50, 95, 99, 100]
    assert percentile([3.0], 50) == 3
    work = lab.Workload("w", [lab.Task(0, 1, (10 ** 6,)), lab.Task(0, 1, (10 ** 6,))])
    run = lab.Played(work, lab.find_policy("balance"), lab.Machine(sms=1, slots=1, lanes=1), [(0, 10 ** 6), (10 ** 6, 2 * 10 ** 6)],
                     2 * 10 ** 6, 80, 2, 0, 2)
    found = lab.figures_of(run)
    assert (found.makespan_ms, found.wait_50_ms, found.wait_99_ms, found.mean_ms, found.busy, found.blocks) == (2, 0, 1, 1.5, 1, 40)
    assert found.fairness == pytest.approx(0.9)  # Speeds 1 and 1/2.
    assert [alone_ns(lab.Task(0, 4, times), 2) for times in ((10,), (1, 2, 3, 90))] == [20, 90]


def test_numbers_that_json_has(tmp_path):
    """A number of thousands of digits is refused, not a traceback."""
    with pytest.raises(ganger.Error):
        read(tmp_path, HEAD, GOOD.replace("7", "9" * 5000))
    assert json.loads(HEAD)["version"] == 1


def bar(cat, tag, **more):
    return {"ph": "X", "cat": cat, "name": "saxpy", "ts": 7.5, "dur": 2.5, "args": {"tag": tag, **more}}


def read_trace(tmp_path, *events):
    (tmp_path / "t.json").write_text(json.dumps({"traceEvents": list(events)}))
    return lab.read_trace(tmp_path / "t.json")


def test_a_trace(tmp_path):
    """Tasks begin when they were taken, the first at 0; their CTAs run as long as they did; one without CTAs is left out."""
    found = read_trace(tmp_path, {"ph": "M", "name": "x"}, bar("task", 3), bar("cta", 3, cta=1), {**bar("cta", 3, cta=0), "dur": 9},
                       {**bar("task", 4), "ts": 8.5}, bar("cta", 4, cta=0), bar("task", 5))
    assert found.tasks == [lab.Task(0, 2, (9000, 2500), name="saxpy"), lab.Task(1000, 1, (2500,), name="saxpy")]


def test_a_trace_as_it_is_written(tmp_path):
    """What Trace.save() makes of a device's records is read."""
    events = [Event("TASK", None, 0, 7, 0, 0, 5000, 90000), Event("SLOT", None, 0, 7, 0, 0, 5500, 5500),
              Event("CTA", 1, 0, 7, 0, 0, 6000, 16000), Event("CTA", 0, 0, 7, 1, 0, 7000, 9000)]
    (tmp_path / "t.json").write_text(trace_json.render(Events(events, 0, 2, {7: "blur"})))
    assert lab.read_trace(tmp_path / "t.json").tasks == [lab.Task(0, 2, (10000, 2000), name="blur")]


@pytest.mark.parametrize("text, says", [
    ("{", "no JSON"), ("[]", "no trace of a device"), ('{"traceEvents": 3}', "no trace of a device"),
    ('{"traceEvents": []}', "has run a CTA"), (json.dumps({"traceEvents": [bar("task", 1)]}), "has run a CTA"),
    (json.dumps({"traceEvents": [bar("cta", 1)]}), "lacks a tag"), (json.dumps({"traceEvents": [{"cat": "task"}]}), "lacks a tag")])
def test_wrong_traces(tmp_path, text, says):
    """What is no trace, or has no task that ran, is refused with the name of the file."""
    (tmp_path / "t.json").write_text(text)
    with pytest.raises(ganger.Error) as found:
        lab.read_trace(tmp_path / "t.json")
    assert says in str(found.value) and "t.json" in str(found.value)


def test_a_picture():
    """A curve and five bars for each run, a row for each workload, and the figures as texts; zero waits and one run are drawn."""
    one, two = (lab.Workload(name, [lab.Task(0, 1, (10 ** 6,)), lab.Task(0, 1, (10 ** 6,))]) for name in ("a<b", "c"))
    runs = [lab.Played(work, lab.find_policy(name), lab.Machine(sms=1), [(0, 10 ** 6), (last, 10 ** 6 + last)], 2 * 10 ** 6, 80, 2, 0, 2)
            for work in (one, two) for name, last in (("balance", 0), ("round-robin", 7 * 10 ** 6))]
    for played in (runs, runs[:1]):
        text = plot.render(played)
        picture = xml.etree.ElementTree.fromstring(text)
        names = [element.tag.rpartition("}")[2] for element in picture.iter()]
        assert names.count("polyline") == len(played) and names.count("title") == 5 * len(played)
        assert text.count("2 tasks") == len({each.workload.name for each in played}) and "a&lt;b: 2 tasks" in text
    assert "round-robin: 8.000" in plot.render(runs) and "balance: 1.000" in plot.render(runs)
