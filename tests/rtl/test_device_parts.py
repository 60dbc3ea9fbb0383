# SPDX-License-Identifier: Apache-2.0
"""Parts that a board may leave out, on RTL: they work where they are, and are refused where they are not."""
import ganger
import pytest
from device_support import LONG, expect, numbers_of, words, zeros


def refused(machine, field, **options):
    """A task that needs a part that is not there is refused with its field; the device goes on."""
    counts = zeros(machine.dev, 8)
    error = expect("ERR_UNSUPPORTED", machine.run, "count", grid=8, args=[counts], **options)
    assert error.field == field and words(counts.read()) == [0] * 8
    machine.works()


def test_cluster(machine):
    """S1-C1, S1-R37, S1-R136: CGAs of two CTAs exchange their vectors over distributed shared memory."""
    if not machine.has("CLUSTERS"):
        refused(machine, "tmd.type", cluster=2)
        return
    members, part, ctas = 2, 6, 8
    length = members * part
    data = [7 * at + 1 for at in range(ctas * length)]
    out = zeros(machine.dev, ctas * length)
    done = machine.run("cluster_ring", "cluster_ring", grid=ctas, block=4, cluster=members,
                       args=[machine.dev.buffer(numbers_of(data)), out, ganger.local(4 * length), part])
    assert (done.ctas, done.sms) == (ctas, 2)
    sums = [data[at] + data[at + length] for pair in range(0, ctas * length, 2 * length)
            for at in range(pair, pair + length)]
    wanted = [word for pair in range(0, len(sums), length) for word in 2 * sums[pair:pair + length]]
    assert words(out.read()) == wanted


def test_cluster_beside_others(machine):
    """S1-C1: CGAs and plain grids share the SMs; all complete."""
    if not machine.has("CLUSTERS"):
        pytest.skip("the board has no clusters")
    dev, kernel = machine.dev, machine.kernel("count")
    counts = [zeros(dev, 12) for _task in range(12)]
    tasks = [dev.submit(kernel, grid=12, block=3, args=[out], **({"cluster": 1 + at % 4} if at % 2 else {}))
             for at, out in enumerate(counts)]
    assert all(machine.finish(task).ctas == 12 for task in tasks)
    assert all(words(out.read()) == [1] * 12 for out in counts)


def test_pull(machine):
    """S4-R112, S4-C1: SMs without atomics take chunks of a grid; each CTA runs once."""
    if not machine.has("PULL"):
        refused(machine, "tmd.mode", mode="pull")
        return
    counts = zeros(machine.dev, 300)
    done = machine.run("count", grid=300, block=2, mode="pull", args=[counts])
    assert (done.ctas, done.sms) == (300, 2) and words(counts.read()) == [1] * 300


def test_queue(machine):
    """S0-R05, S0-R06: a queue that the host fills, around its end again and again; each item once."""
    if not machine.has("QUEUES"):
        pytest.skip("all boards have queues")
    count = 50
    out = zeros(machine.dev, count)
    queue = machine.dev.queue(machine.kernel("consume"), capacity=8, item_bytes=4, items=3, args=[out])
    for first in range(0, count, 5):
        assert queue.push(numbers_of(range(first + 100, first + 105)), timeout=LONG) == 5
    queue.close(LONG)
    machine.finish(queue)
    assert words(out.read()) == [at + 100 for at in range(count)]


def chain(machine, kernel, out, count, rounds=3):
    """x doubled a few times, through buffers of the device."""
    with ganger.Graph(machine.dev, "chain") as g:
        last = g.argument("x", 4 * count)
        for at in range(rounds):
            to = out if at == rounds - 1 else g.buffer(4 * count)
            g.pass_(kernel, 4, 16, [last, last, g.write(to), count], name=f"double{at}")
            last = to
    return g


def test_graph(machine):
    """S2-R3, S2-R5, S2-R44, S2-R73: a task graph of three passes that depend on each other; else it is refused."""
    count = 64
    dev, kernel = machine.dev, machine.kernel("vecadd", "vecadd")
    out = zeros(dev, count)
    graph = chain(machine, kernel, out, count)
    x = dev.buffer(numbers_of(range(1, count + 1)))
    if not machine.has("GRAPHS"):
        expect("ERR_UNSUPPORTED", lambda: machine.finish(graph.launch(x=x)))
        machine.works()
        return
    task = graph.launch(x=x)
    assert machine.finish(task).ctas == 12
    assert words(out.read()) == [8 * at for at in range(1, count + 1)]
    assert [(one.name, one.state, one.status) for one in task.report.passes] == \
        [(f"double{at}", "DONE", "OK") for at in range(3)]


def test_trace(machine):
    """S0-R27: the trace has an event for each CTA, or the part is refused."""
    dev = machine.dev
    if not machine.has("TRACE"):
        expect("ERR_UNSUPPORTED", dev.trace_on, LONG)
        return
    dev.trace_on(LONG)
    machine.run("blank", grid=6)
    dev.trace_off(LONG)
    trace = dev.trace()
    assert len(list(trace.of_type("CTA"))) == 6 and trace.lost == 0
