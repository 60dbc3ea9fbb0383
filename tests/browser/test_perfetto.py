# SPDX-License-Identifier: Apache-2.0
"""The trace of a run as Perfetto's own trace processor reads it: nothing wrong, and all of it there."""
import collections

import pytest

import ganger
from conftest import BUILD, PICTURES, SECONDS
from processor import Processor, served, show

SIZES = (40, 300)


@pytest.fixture(scope="module")
def traced(tmp_path_factory):
    """A run of two grids and a graph of three passes: its trace, and the file of it."""
    file = tmp_path_factory.mktemp("perfetto") / "trace.json"
    with ganger.Device.boot("qemu-virt64", sms=4) as dev:
        module = dev.load(BUILD / "kernels" / "vecadd.elf")
        n = 128 * max(SIZES)
        one, two, out = (dev.buffer(nbytes=4 * n) for _ in range(3))
        graph = ganger.Graph(dev, name="chain")
        for name, source, target in (("first", one, two), ("second", two, out), ("third", one, out)):
            graph.pass_(module["vecadd"], 4, 128, [source, source, graph.write(target), 512], name=name)
        dev.trace_on()
        tasks = [dev.submit(module["vecadd"], grid=size, block=128, args=[one, two, out, n], priority=1 + at)
                 for at, size in enumerate(SIZES)]
        for task in (*tasks, graph.launch()):
            task.wait(SECONDS)
        dev.trace_off()
        trace = dev.trace(file)
    return trace, file


@pytest.fixture(scope="module")
def address():
    """Where Perfetto's page is served."""
    with served() as found:
        yield found


@pytest.fixture(scope="module")
def processor(chromium, traced, address):
    """Perfetto's trace processor with the trace."""
    return Processor(chromium, address, traced[1])


def names(rows):
    """How often each name is there."""
    return collections.Counter(row.name for row in rows)


def test_nothing_is_wrong(processor):
    """S3-R8: the processor leaves nothing out, and finds no arrow without its ends."""
    wrong = processor.query("select name, value from stats where severity in ('error', 'data_loss') and value > 0")
    assert [(row.name, row.value) for row in wrong] == []
    flows = processor.query("select name, value from stats where name like 'flow_%' and value > 0")
    assert [(row.name, row.value) for row in flows] == []


def test_every_cta_and_task(processor, traced):
    """S3-R8: each CTA lies in the row of its SM, from its start to its end, and each task in its own row."""
    found = processor.query("""
        select s.name, s.ts, s.dur, p.name as sm from slice s join thread_track k on s.track_id = k.id
        join thread using (utid) join process p using (upid) where s.category = 'cta' order by s.ts, s.name""")
    ctas = traced[0].ctas()
    assert len(ctas) == sum(SIZES) + 12
    assert sorted((row.sm, row.name, row.ts, row.dur) for row in found) == sorted(
        (f"SM {bar.sm}", f"{traced[0].name(bar.tag)} [{bar.cta}]", bar.start, max(1, bar.end - bar.start)) for bar in ctas)
    tasks = processor.query("select name, ts, dur from slice where category = 'task'")
    assert sorted((row.name, row.ts, row.dur) for row in tasks) == sorted(
        (bar.name, bar.start, bar.end - bar.start) for bar in traced[0].tasks())


def test_arrows(processor, traced):
    """An arrow leads from the task to each of its CTAs, and on to its completion."""
    found = processor.query("""
        select a.category as source, b.category as target, extract_arg(a.arg_set_id, 'args.tag') as tag,
        extract_arg(b.arg_set_id, 'args.tag') as other, count(*) as times
        from flow f join slice a on f.slice_out = a.id join slice b on f.slice_in = b.id group by 1, 2, 3, 4""")
    ctas = collections.Counter(bar.tag for bar in traced[0].ctas())
    assert {(row.source, row.target, row.tag): row.times for row in found} == {
        **{("task", "cta", tag): count for tag, count in ctas.items()},
        **{("cta", "completion", tag): count for tag, count in ctas.items()}}
    assert all(row.tag == row.other for row in found)


def test_counters(processor, traced):
    """Counters rise and fall as CTAs start and end, and are 0 at the end."""
    found = processor.query("""
        select k.name, max(c.value) as most, min(c.value) as least, sum(c.value) as sum from counter c
        join counter_track k on c.track_id = k.id group by k.name""")
    rows = {row.name.removesuffix(" value"): row for row in found}
    assert set(rows) == {"SMs busy", "CTAs in flight", "tasks waiting", "tasks in the device", "passes running"}
    assert all(row.least == 0 for row in rows.values())
    assert 1 <= rows["SMs busy"].most <= 4 and rows["passes running"].most == 1
    ctas = traced[0].ctas()
    assert rows["CTAs in flight"].most == max(sum(bar.start <= one.start < bar.end for bar in ctas) for one in ctas)


def test_passes(processor):
    """Passes of a graph have bars with their names, one after the other, since each needs what the one before has written."""
    found = processor.query("select name, ts, dur from slice where category = 'pass' order by ts")
    assert [row.name for row in found] == ["chain: first", "chain: second", "chain: third"]
    assert all(one.ts + one.dur <= two.ts for one, two in zip(found, found[1:]))


def test_waits(processor, traced):
    """The times in which a task's CTAs were kept back lie inside its bar."""
    found = processor.query("""select w.name, t.category as outer from slice w join slice t on w.parent_id = t.id
        where w.category = 'wait'""")
    assert len(found) == len(traced[0].waits()) > 0
    assert {row.outer for row in found} <= {"task", "wait"}


def test_perfettos_page(chromium, address, traced):
    """Perfetto's own page shows the rows of the trace; the picture is kept for a look."""
    names = ["Tasks", "Control processor", "Device", "Graphs", "SM 0", "SM 3"]
    show(chromium, address, traced[1], names, PICTURES / "perfetto.png")
    text = chromium.execute_script("return document.body.innerText")
    for name in names:
        assert name in text, name
