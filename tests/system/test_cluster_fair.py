# SPDX-License-Identifier: Apache-2.0
"""A CGA that waits gets its room; one that can never have it is refused; what is said to fit does fit."""
import contextlib
import threading

import pytest

from cluster_support import TREES, Gathered, Grid
from support import LONG, Held, configured, expect, run_good_task, until, words, zeros

AHEAD = 24  # Tasks of a stream that are on their way, twice.
SPIN = 100_000 # Steps of a CTA of a stream.


@contextlib.contextmanager
def stream_of_tasks(dev, load, **keywords):
    """Small tasks without an end: when some have completed, others have been posted."""
    kernel, out = load(dev, "work")["hash"], zeros(dev, 8)
    stop, failures, done = threading.Event(), [], []

    def feed():
        behind = []
        try:
            while not stop.is_set():
                works = [dev.work(kernel, grid=4, block=1, args=[out, 1, SPIN], **keywords) for _task in range(AHEAD)]
                tasks = dev.submit_many(works, timeout=LONG)
                for task in behind:
                    task.wait(LONG)
                    done.append(task.tag)
                behind = tasks
            for task in behind:
                task.wait(LONG)
        except Exception as error:  # noqa: BLE001 - it is raised where it is seen
            failures.append(error)

    thread = threading.Thread(target=feed)
    thread.start()
    try:
        until(lambda: failures or len(done) >= AHEAD, "the stream flows")
        yield stop.set
    finally:
        stop.set()
        thread.join(LONG)
    assert not failures and not thread.is_alive(), failures


# SMs of the stream, sizes and domains of a CGA that needs all slots of these.
STREAMS = [
    (None, [(8, 8)], ("gpu",)), ([3, 4, 5, 6, 7], [(40,)], ("gpc",)),
    (None, [(4,), (4, 4)], ("gpc", "gpu")), ([3, 4, 5, 6, 7], [(8,), (5,)], ("tpc", "gpc")),
]


def passed_by(trace, tag):
    """CTAs of tasks that were posted after a task, and were launched before the first of its own."""
    assert any(event.tag == tag for event in trace.of_type("ACCEPT")), "the trace does not hold it all"
    launches = trace.of_type("LAUNCH")
    first = next(place for place, event in enumerate(launches) if event.tag == tag)
    return sum(event.extra for event in launches[:first] if event.tag > tag)


@pytest.mark.shared
@pytest.mark.parametrize("patience", [0, 40, 100])
@pytest.mark.parametrize("sms, sizes, kinds", STREAMS, ids=str)
def test_among_an_endless_stream(device, load, sms, sizes, kinds, patience):
    """S1-R88, S1-R133, S1-Q9: a CGA that needs all of a domain, behind an endless stream of small tasks of the same priority,
    starts after no more CTAs of others than its patience, and those that the device holds."""
    dev = device(8)
    one = Grid.of((1, 1, 1), *sizes).extent(len(sizes) - 1)
    with configured(dev, group=TREES[8], cga_patience=patience):
        with stream_of_tasks(dev, load, affinity=sms) as stop:
            dev.trace_on()
            gathered = Gathered(dev, load, Grid.of(one, *sizes), held=True, cluster_in=kinds)
            try:
                gathered.await_met(gathered.grid.ctas)
                stop()
                dev.trace_off()
            finally:
                gathered.release()
            passed = passed_by(dev.trace(), gathered.task.tag)
            assert gathered.task.wait(LONG).ctas == gathered.grid.ctas
        assert passed <= patience + 8 * dev.info.sms


@pytest.mark.shared
@pytest.mark.parametrize("patience", [0, 1, 37, 100])
@pytest.mark.parametrize("sms, sizes, kinds", STREAMS, ids=str)
def test_patience(device, load, sms, sizes, kinds, patience):
    """S1-R88, S1-Q9: while one CTA stays where a CGA has to go, as many CTAs of others pass it as it has patience, and then
    none, until it has started; after that all of them run."""
    dev = device(8)
    work, counts, domain = load(dev, "work"), zeros(dev, 4), sms or list(range(8))
    one = Grid.of((1, 1, 1), *sizes).extent(len(sizes) - 1)
    with configured(dev, group=TREES[8], cga_patience=patience), Held(dev, work, 1, affinity=[4]) as last:
        last.await_started()
        before = dev.stat()["cga_reservations"]
        with Held(dev, work, 8 * len(domain) - 1, affinity=sms) as others:
            others.await_started()
            gathered = Gathered(dev, load, Grid.of(one, *sizes), held=True, cluster_in=kinds)
            small = dev.submit_many([dev.work(work["count"], grid=4, block=1, args=[counts], affinity=sms)
                                     for _task in range(50)], timeout=LONG)
        until(lambda: sum(words(counts.read())) >= patience, "others pass")
        until(lambda: dev.stat()["cga_reservations"] > before, "SMs are kept free")
        for _look in range(20):
            dev.nop()
        assert sum(words(counts.read())) == patience and gathered.started() == 0
        last.release()
        gathered.await_met(gathered.grid.ctas)
        assert sum(words(counts.read())) == patience
        gathered.release()
        assert gathered.task.wait(LONG).ctas == gathered.grid.ctas
        for task in small:
            task.wait(LONG)
        assert words(counts.read()) == [50] * 4


def test_others_while_it_waits(device, load):
    """S1-R88, S1-Q9: only the domain that a CGA waits for is kept free for it; and none when too few SMs are enabled."""
    dev = device(8)
    work, counts = load(dev, "work"), zeros(dev, 30)
    with configured(dev, group=TREES[8], cga_patience=0):
        with Held(dev, work, 1, affinity=[3]) as held:
            held.await_started()
            before = dev.stat()["cga_reservations"]
            gathered = Gathered(dev, load, Grid.of(40, 40))
            until(lambda: dev.stat()["cga_reservations"] > before, "SMs are kept free")
            done = dev.submit(work["count"], grid=30, block=1, args=[counts]).wait(LONG)
            assert done.status == "OK" and words(counts.read()) == [1] * 30
            behind = dev.submit(work["count"], grid=30, block=1, args=[counts], affinity=[4, 5, 6, 7])
            for _look in range(20):
                dev.nop()
            assert gathered.started() == 0 and words(counts.read()) == [1] * 30
            dev.config.enabled = range(7)  # It cannot fit now, so others use what it waited for.
            assert behind.wait(LONG).status == "OK" and words(counts.read()) == [2] * 30
            assert gathered.started() == 0
            dev.config.enabled = range(8)
        assert gathered.task.wait(LONG).ctas == 40
    run_good_task(dev, work)


# Keywords of what never fits, field and value: the limit that failed. 8 slots an SM.
NEVER = {
    8: [({"grid": 41, "cluster": 41}, "cluster_x", 40), ({"grid": 65, "cluster": 65, "cluster_in": "gpu"}, "cluster_x", 64),
        ({"grid": 6, "cluster": 6, "mode": "multicast"}, "mode", 5),
        ({"grid": 25, "cluster": 25, "cluster_in": "cpc"}, "cluster_x", 24),
        ({"grid": 17, "cluster": 17, "cluster_in": "tpc"}, "cluster_x", 16),
        ({"grid": 2 * 29, "cluster": [(2,), (29,)], "mode": "multicast"}, "outer_x", 28),
        ({"grid": 13 * 5, "cluster": [(5,), (13,)]}, "outer_x", 12),
        ({"grid": 9 * 7, "cluster": [(9,), (7,)]}, "outer_x", 5),
        ({"grid": 17, "cluster": 17, "gpcs": [0, 1]}, "cluster_x", 16),
        ({"grid": 3 * 4 * 4, "cluster": [(3,), (4,), (4,)], "cluster_in": ("tpc", "gpc", "gpu")}, "top_x", 3)],
    32: [({"grid": 161, "cluster": 161}, "cluster_x", 160), ({"grid": 21, "cluster": 21, "mode": "multicast"}, "mode", 20),
         ({"grid": 257, "cluster": 257, "cluster_in": "gpu"}, "cluster_x", 256),
         ({"grid": 73 * 4, "cluster": [(73,), (4,)]}, "outer_x", 2)],
}


@pytest.mark.parametrize("sms, keywords, field, value",
                         [(sms, *one) for sms, some in NEVER.items() for one in some], ids=str)
def test_never_fits(device, load, sms, keywords, field, value):
    """S1-Q10, S1-R44: in unequal GPCs what never fits is refused with the limit that failed; what is just within it runs."""
    dev = device(sms)
    kernel = load(dev, "work")["blank"]
    with configured(dev, group=TREES[sms]):
        error = expect("ERR_CLUSTER", dev.submit(kernel, **keywords).wait, LONG)
        assert (error.field, error.value) == (f"tmd.{field}", value), error
        error = expect("ERR_CLUSTER", dev.max_active_clusters, kernel, **keywords)
        assert (error.field, error.value) == (f"tmd.{field}", value), error
        level = ("cluster_x", "outer_x", "top_x").index("cluster_x" if field == "mode" else field)
        cluster = keywords["cluster"]
        sizes = [one[0] for one in cluster] if isinstance(cluster, list) else [cluster]
        sizes[level] = value
        grid = 1
        for size in sizes:
            grid *= size
        fitting = {**keywords, "grid": grid, "cluster": [(size,) for size in sizes]}
        assert dev.max_active_clusters(kernel, **fitting).most >= 1
        assert dev.submit(kernel, **fitting).wait(LONG).ctas == grid


# Cluster, more of the submission.
REAL = [
    ([(3,)], {}), ([(7,)], {"cluster_in": "gpu"}), ([(3,)], {"mode": "multicast"}), ([(2,)], {"cluster_in": "tpc"}),
    ([(5,)], {"cluster_in": "cpc"}), ([(3,), (2,)], {}), ([(2,), (3,)], {"mode": "multicast"}),
    ([(2,), (2,), (3,)], {"cluster_in": ("tpc", "gpc", "gpu")}), ([(4,)], {"cluster_in": "gpu", "affinity": [1, 4, 6]}),
    ([(2,)], {"block": 300}), ([(3,)], {"stack_bytes": 9000}), ([(40,)], {}),
]


@pytest.mark.shared
@pytest.mark.parametrize("occupied", [{}, {1: 3, 3: 8, 6: 5, 7: 1}], ids=["idle", "busy"])
@pytest.mark.parametrize("sizes, more", REAL, ids=str)
def test_what_is_told_to_fit(device, load, sizes, more, occupied):
    """S1-R44, S1-C1: as many CGAs run at the same time as max_active_clusters() says, no more and no fewer."""
    dev = device(8)
    one = Grid.of((1, 1, 1), *sizes).extent(len(sizes) - 1)
    with configured(dev, group=TREES[8]), contextlib.ExitStack() as stack:
        for sm, count in occupied.items():
            stack.enter_context(Held(dev, load(dev, "work"), count, affinity=[sm])).await_started()
        kernel = load(dev, "cluster_load")["gather"]
        now, most = dev.max_active_clusters(kernel, **Grid.of(one, *sizes).keywords(**more))
        assert 0 <= now <= most and (occupied or now == most) and most > 0
        grid = Grid.of((one[0] * (2 * most + 1), one[1], one[2]), *sizes)
        gathered = Gathered(dev, load, grid, held=True, **more)
        try:
            gathered.await_met(now * grid.members(len(sizes) - 1))
            for _look in range(20):
                dev.nop()
            assert gathered.started() == now * grid.members(len(sizes) - 1)
            assert dev.max_active_clusters(kernel, **Grid.of(one, *sizes).keywords(**more)) == (0, most)
        finally:
            gathered.release()
        stack.close()
        assert gathered.task.wait(LONG).ctas == grid.ctas
