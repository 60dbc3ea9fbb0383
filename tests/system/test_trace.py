# SPDX-License-Identifier: Apache-2.0
"""The trace, and the files that are made of it."""
import collections
import json
import os
import re
import threading
import xml.etree.ElementTree

import pytest

import ganger
from ganger import files
from ganger.trace_counts import counters, merged, steps
from ganger.trace_buffer import Keep, TraceBuffer
from ganger.trace_events import Event
from support import LONG, Held, expect, until, zeros


def traced(dev, load, sizes=(100, 7, 64)):
    """Runs some tasks under trace: {tag: CTAs}, the trace."""
    kernel = load(dev, "work")["count"]
    dev.trace_on()
    tasks = [dev.submit(kernel, grid=(size,), block=(3,), args=[zeros(dev, size)],
                        priority=1 + index, mode="balance") for index, size in enumerate(sizes)]
    for task in tasks:
        task.wait(LONG)
    dev.trace_off()
    return {task.tag: size for task, size in zip(tasks, sizes)}, dev.trace()


def test_a_record_for_every_cta(device, load):
    """S0-R04, S3-R27, S3-R116: every CTA of every task has one record, with its SM and times in order."""
    dev = device(8)
    sizes, trace = traced(dev, load)
    assert trace.lost == 0
    found = collections.defaultdict(list)
    for event in trace.of_type("CTA"):
        found[event.tag].append(event.cta)
        assert 0 <= event.sm < 8 and 0 <= event.place < dev.info.sm_units
        assert 0 < event.start <= event.end and event.extra == 0
    assert {tag: sorted(ctas) for tag, ctas in found.items()} == \
        {tag: list(range(size)) for tag, size in sizes.items()}


def test_records_of_the_cp(device, load):
    """S0-R27, S0-R12: accept, slot, assign, launch and end of each task, in order; the packets add up to the CTAs."""
    dev = device(8)
    sizes, trace = traced(dev, load)
    for tag, size in sizes.items():
        events = [event for event in trace.events if event.tag == tag]
        kinds = [event.type for event in events if event.type not in ("CTA", "TASK")]
        assert kinds[:2] == ["ACCEPT", "SLOT"] and "ASSIGN" in kinds
        launched = [event for event in events if event.type == "LAUNCH"]
        assert sum(event.extra for event in launched) == size
        covered = [cta for event in launched for cta in range(event.cta, event.cta + event.extra)]
        assert sorted(covered) == list(range(size))
        first_launch = {event.sm: event.start for event in reversed(launched)}
        for event in events:
            if event.type == "CTA":
                assert event.start >= first_launch[event.sm]
    bars = {bar.tag: bar for bar in trace.tasks()}
    assert all(bars[tag].status == "OK" for tag in sizes)


def test_launch_follows_assignment(device, load):
    """S0-R27, S0-C2, S0-R30: no SM gets CTAs of a task before the task was assigned to it."""
    dev = device(2)
    _sizes, trace = traced(dev, load, sizes=(5, 9, 3, 17))
    assigned = {}
    for event in trace.events:
        if event.type == "ASSIGN":
            assigned.setdefault((event.tag, event.cta), event.start)
    for event in trace.of_type("LAUNCH"):
        assert assigned[event.tag, event.sm] <= event.start


def test_resident_ctas_in_the_trace(device, load):
    """S0-R41, S0-R35: CTAs that were there at once lie in rows that do not overlap, at most as many as an SM has slots."""
    dev = device(2)
    dev.trace_on()
    with Held(dev, load(dev, "work"), 16) as held:
        held.await_started()
    held.task.wait(LONG)
    dev.trace_off()
    bars = dev.trace().ctas()
    assert sorted((bar.sm, bar.row) for bar in bars) == [(sm, row) for sm in range(2)
                                                         for row in range(8)]


def test_failed_task_in_the_trace(device, load):
    """S3-R121: the trace says how a task ended."""
    dev = device(8)
    dev.trace_on()
    task = dev.submit(load(dev, "barrier")["leave_early"], grid=(1,), block=(4,),
                      args=[zeros(dev, 2), 1])
    expect("ERR_DIVERGED", task.wait, LONG)
    dev.trace_off()
    assert [bar.status for bar in dev.trace().tasks() if bar.tag == task.tag] == ["ERR_DIVERGED"]


def test_why_tasks_waited(device, load, tmp_path):
    """S0-R27, S0-R33: while one grid has all SMs, another one waits for room, then for nothing; the report says so."""
    dev = device(2)
    kernels = load(dev, "work")
    dev.trace_on()
    with Held(dev, kernels, 16) as held:
        held.await_started()
        waiter = dev.submit(kernels["blank"], grid=(5,), block=(1,))
        while dev.regs.slot[1].reason.read() != ganger.abi.ENUMS["reason"]["SM"]:
            pass
    held.task.wait(LONG)
    waiter.wait(LONG)
    dev.trace_off()
    trace = dev.report(tmp_path / "report.html")
    bar = next(bar for bar in trace.tasks() if bar.tag == waiter.tag)
    waits = [wait for wait in trace.waits() if wait.tag == waiter.tag]
    assert "SM" in {wait.reason for wait in waits} <= {"SLOT", "SM"}
    for wait, after in zip(waits, [*waits[1:], None]):
        assert bar.start <= wait.start < wait.end <= (after.start if after else bar.end)
    assert not [event for event in trace.events if event.type == "REASON"]
    page = (tmp_path / "report.html").read_text()
    assert "waits for room on an SM" in page and "http" not in page


def test_trace_that_overflows(device, load):
    """S3-R31: a ring keeps the newest records, and what was lost is counted."""
    dev = device(1)
    entries = dev.info.trace_entries
    sizes, trace = traced(dev, load, sizes=(5 * entries,))
    ctas = trace.of_type("CTA")
    assert entries - 8 <= len(ctas) <= entries and trace.lost >= 4 * entries
    assert len(trace) - len(ctas) <= entries
    assert max(one.cta for one in ctas) == 5 * entries - 1
    assert f"{trace.lost:,} records were overwritten on the device" in trace.note and "SM 0" in trace.note
    assert set(event.tag for event in ctas) == set(sizes)


def event(number, start=None, end=None, kind="CTA", extra=0):
    """A record that ends at a number of ms."""
    return Event(kind, 0, 0, 1, number, extra, round(1e6 * (number if start is None else start)), round(1e6 * (number if end is None else end)))


def kept(keep, numbers, events=event):
    """Numbers of the records that a buffer keeps, and the buffer, when they come one by one."""
    buffer = TraceBuffer(Keep(*keep).checked())
    for number in numbers:
        buffer.add([events(number)])
    return [one.cta for one in buffer.events()], buffer


def test_a_buffer_that_slides_or_stops():
    """S3-R31: of records in any order the newest or the oldest stay, and what was dropped is told."""
    mixed = [number * 7 % 100 for number in range(100)]
    assert kept((1000,), mixed)[0] == list(range(100)) and kept((1000,), mixed)[1].note() == ""
    newest, slides = kept((10,), mixed)
    oldest, stops = kept((10, "stop"), mixed)
    assert newest == list(range(90, 100)) and oldest == list(range(10)) and slides.dropped == stops.dropped == 90
    assert slides.note() == "The newest 10 of 100 records are kept, from 0.090000 s to 0.099000 s of the device's clock; 90 were " \
        "dropped (the buffer keeps at most 10 records)."
    assert stops.note().startswith("The oldest 10 of 100 records are kept, from 0.000000 s to 0.009000 s")
    assert kept((1000, "slide", 0.02), mixed)[0] == list(range(79, 100))


def test_a_buffer_until_a_fault():
    """The last records before something failed are kept, and none that began later; the fault itself is there."""
    found, buffer = kept((10, "slide", None, True), range(100), lambda number: event(number, extra=number == 50))
    assert found == list(range(41, 51)) and "nothing that began after the failure at 0.050000 s" in buffer.note()
    assert kept((10, "slide", None, True), range(100), lambda number: event(number, kind="LAUNCH", extra=3))[0] == list(range(90, 100))


def test_buffers_that_there_are_not(device):
    """A wrong buffer is refused with the word that is wrong, and the trace stays as it was."""
    dev = device(8)
    for word, value in (("most", 0), ("end", "newest"), ("seconds", 0), ("most", True)):
        assert expect("ERR_ARGUMENT", dev.trace_on, **{word: value}).field == word
    assert expect("ERR_ARGUMENT", dev.trace_on, seconds=1, end="stop").field == "seconds"


def test_longer_than_the_rings(device, load):
    """S3-R31: while a thread reads the rings, nothing is lost, however many records there are; and the host keeps as many
    as it was told to."""
    dev = device(1)
    kernel, size = load(dev, "work")["blank"], dev.info.trace_entries // 4
    for keep, most in ((100000, None), (500, 500)):
        dev.trace_on(most=keep)
        for number in range(1, 13):
            dev.submit(kernel, grid=(size,), block=(1,), mode="balance").wait(LONG)
            until(lambda want=number * size: dev._tracer.taken >= want, "the records are read")
        dev.trace_off()
        trace = dev.trace()
        assert trace.lost == 0
        if most is None:
            assert len(trace.of_type("CTA")) == 12 * size and trace.note == "" and trace.dropped == 0
        else:
            assert len(trace) + len(trace.waits()) == most and trace.dropped > 11 * size and f"The newest {most} of" in trace.note
            assert max(one.cta for one in trace.of_type("CTA")) == size - 1


def test_start_that_is_interrupted(device, load, monkeypatch):
    """An interrupt before the thread that reads the rings has begun: the trace is ended like another."""
    dev = device(2)

    def interrupted(_thread):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", interrupted)
        with pytest.raises(KeyboardInterrupt):
            dev.trace_on(most=100)
    dev.trace_off()
    assert dev.submit(load(dev, "work")["blank"]).wait(LONG).status == "OK"
    assert not dev.config.trace and not dev.trace().lost


def test_reset_of_an_sm(fresh, load):
    """S3-R116: an SM that was reset goes on with its ring: no record is missed, and none counts as lost."""
    dev = fresh(2)
    kernel = load(dev, "work")["blank"]
    dev.trace_on()
    for ctas in (3, 5):
        tag = dev.submit(kernel, grid=ctas, block=1, affinity=[0]).wait(LONG).tag
        trace = dev.trace()
        assert sorted(event.cta for event in trace.of_type("CTA") if event.tag == tag) == list(range(ctas)) and trace.lost == 0
        dev.sm_reset(0)


def test_switched_off(device, load):
    """S0-R33: without trace nothing is recorded."""
    dev = device(8)
    put = [ring.put.read() for ring in dev.regs.trace[:1]]
    sms = [state.trace_put.read() for state in dev.regs.sm_state]
    dev.submit(load(dev, "work")["blank"], grid=(50,), block=(1,)).wait(LONG)
    assert [ring.put.read() for ring in dev.regs.trace[:1]] == put
    assert [state.trace_put.read() for state in dev.regs.sm_state] == sms


def test_files(device, load, tmp_path):
    """S3-R8: Perfetto JSON, VCD and SVG parse and hold every CTA."""
    dev = device(8)
    sizes, trace = traced(dev, load)
    ctas = sum(sizes.values())
    names = ("out.json", "out.vcd", "out.svg")
    for name in names:
        trace.save(tmp_path / name)
    assert dev.trace(tmp_path / "again.json").lost == 0
    events = json.loads((tmp_path / "out.json").read_text())["traceEvents"]
    bars = [event for event in events if event["ph"] == "X" and event.get("cat") == "cta"]
    assert len(bars) == ctas and all(bar["dur"] >= 0 for bar in bars)
    arrows = collections.Counter(event["ph"] for event in events if event["ph"] in "stf")
    assert arrows == {"s": ctas, "t": ctas, "f": ctas}
    check_vcd((tmp_path / "out.vcd").read_text(), "CTAs_in_flight", max(value for _when, value in counters(trace)["CTAs in flight"]))
    root = xml.etree.ElementTree.parse(tmp_path / "out.svg").getroot()
    assert root.tag.endswith("svg")
    shapes = [one for one in root.iter() if one.tag.endswith(("rect", "path"))]
    assert len(shapes) >= len({bar["tid"] for bar in bars})


def check_vcd(text, counter, most):
    """Every change names a declared signal, time never goes back, and a counter rises to its most and ends at 0."""
    head, body = text.split("$enddefinitions $end")
    declared = set(re.findall(r"\$var wire \d+ (\S+) ", head))
    assert declared
    now = -1
    for line in body.splitlines():
        if line.startswith("#"):
            assert int(line[1:]) > now
            now = int(line[1:])
        elif line and not line.startswith("$"):
            name = line.split()[-1] if line[0] in "br" else line[1:]
            assert name in declared, line
    assert now > 0
    identifier = re.search(rf"\$var wire 32 (\S+) {counter} ", head)[1]
    values = [int(value, 2) for value in re.findall(rf"^b([01]+) {re.escape(identifier)}$", body, re.MULTILINE)]
    assert max(values) == most > 0 and values[-1] == 0


def test_passes_in_the_trace(device, load):
    """Each pass of a graph that has run has a record: with its name, its status, and the times of the graph's report."""
    dev = device(4)
    kernels, buffer = load(dev, "work"), zeros(dev, 64)
    graph = ganger.Graph(dev, name="three")
    graph.pass_(kernels["count"], 8, 1, [graph.update(buffer)], name="first")
    graph.pass_(load(dev, "barrier")["leave_early"], 1, 4, [graph.update(buffer), 1], name="bad")
    graph.pass_(kernels["count"], 8, 1, [graph.update(buffer)], name="never")
    dev.trace_on()
    task = graph.launch()
    expect("ERR_DIVERGED", task.wait, LONG)
    dev.trace_off()
    found = dev.trace().passes()
    assert [(one.tag, one.number, one.name, one.status) for one in found] == \
        [(task.tag, 0, "first", "OK"), (task.tag, 1, "bad", "ERR_DIVERGED")]
    told = task.report.passes
    assert [one.state for one in told] == ["DONE", "FAILED", "SKIPPED"]
    for one, other in zip(found, told):
        assert [one.start / 1e9, one.end / 1e9] == [pytest.approx(other.started, abs=1e-8), pytest.approx(other.ended, abs=1e-8)]


def test_counters_of_a_trace():
    """What runs at once is counted, also where one ends when another begins."""
    assert steps([(0, 10), (10, 20), (15, 30)]) == [(0, 1), (15, 2), (20, 1), (30, 0)]
    assert merged([(5, 7), (0, 3), (3, 4), (1, 2)]) == [(0, 4), (5, 7)]


def test_two_threads_write_one_file(tmp_path, monkeypatch):
    """A thread that writes the file while another one is about to put its own in place does not disturb it; the last one stays."""
    target, replace = tmp_path / "out.svg", os.replace

    def late_replace(draft, final):
        monkeypatch.setattr(os, "replace", replace)
        other = threading.Thread(target=files.write, args=(target, "the other's"))
        other.start()
        other.join(LONG)
        assert target.read_text() == "the other's"
        replace(draft, final)

    monkeypatch.setattr(os, "replace", late_replace)
    files.write(target, "the first's")
    assert target.read_text() == "the first's" and list(tmp_path.iterdir()) == [target]
