# SPDX-License-Identifier: Apache-2.0
"""Clusters: what their CTAs are told, that all of them run at once, and their barriers."""
import array

import pytest

from cluster_support import Grid
from support import LONG, expect, flag_at, until, words, zeros

WORDS = 32  # of a CTA in kernel `ids`

# SMs, grid of CGAs. An SM has 8 CTA slots, a GPC has 4 SMs.
GRIDS = [
    (1, Grid.of(6, 2)), (2, Grid.of((12, 6), (3, 2))), (2, Grid.of((4, 4, 4), (2, 2, 2))),
    (2, Grid.of((5, 3), 1)), (2, Grid.of((8, 4), (2, 1), (2, 2))), (8, Grid.of((18, 12), (3, 2), (3, 3))),
    (8, Grid.of((24, 4, 4), (2, 1, 2), (3, 2), (2, 1, 1))), (8, Grid.of(640, 32)),
]
NAMES = [f"{sms}sm-{'-'.join('x'.join(map(str, level)) for level in (grid.size, *grid.levels))}"
         for sms, grid in GRIDS]


def expected(grid, place):
    """What kernel `ids` writes of a CTA, but for the id of its cluster."""
    inner, cluster = grid.cluster(place)
    extent = grid.extent(0)
    outer, outers = grid.outer(place)
    return [*place, *inner, *extent, *cluster, *(a // b for a, b in zip(grid.size, extent)),
            grid.rank(place), grid.members(), outer, outers]


@pytest.mark.parametrize("sms, grid", GRIDS, ids=NAMES)
def test_ids(device, load, sms, grid):
    """S1-R74, S1-R108, S1-R109, S1-R113, S1-R114, S1-R117, S1-C2, S1-C3, S1-C12, S1-C15, S1-C16, S1-C19: each CTA is there
    once, and knows its place in the grid, in its cluster, and in nested ones."""
    dev = device(sms)
    out = zeros(dev, WORDS * grid.ctas)
    done = dev.submit(load(dev, "cluster")["ids"], args=[out], correlation=77,
                      **grid.keywords()).wait(LONG)
    assert done.ctas == grid.ctas
    found = words(out.read())
    ids = {}
    for number, place in enumerate(grid.places()):
        mine = found[WORDS * number:WORDS * (number + 1)]
        assert mine[:19] == expected(grid, place), place
        assert mine[20:22] == [grid.extent(0)[0], number] and mine[23:25] == [77, 1]
        ids.setdefault(grid.cluster(place)[1], set()).add(mine[19])
    assert all(len(one) == 1 and max(one) < 256 for one in ids.values())


def test_example_of_a_cga(device, load):
    """S1-T6, S1-R115: Fig 12a: CTA (7, 3, 0), CGAs of 3 × 2 × 1: it has rank 4 in CGA (2, 1, 0)."""
    dev, grid = device(2), Grid.of((12, 6), (3, 2))
    out = zeros(dev, WORDS * grid.ctas)
    dev.submit(load(dev, "cluster")["ids"], args=[out], **grid.keywords()).wait(LONG)
    mine = words(out.read())[WORDS * (7 + 12 * 3):][:WORDS]
    assert (mine[15], mine[9:12]) == (4, [2, 1, 0])


def test_a_plain_grid_is_one_of_clusters_of_one(device, load):
    """S1-R74: the same built-ins in a grid without clusters."""
    dev = device(2)
    out = zeros(dev, WORDS * 15)
    dev.submit(load(dev, "cluster")["ids"], grid=(5, 3), block=1, args=[out]).wait(LONG)
    grid = Grid.of((5, 3), 1)
    found = words(out.read())
    for number, place in enumerate(grid.places()):
        mine = found[WORDS * number:WORDS * (number + 1)]
        assert mine[:19] == expected(grid, place) and mine[19:21] == [0, 1]


@pytest.mark.shared
@pytest.mark.parametrize("sms, grid", GRIDS, ids=NAMES)
def test_all_run_at_once(device, load, sms, grid):
    """S1-R133, S1-R134, S1-C1, S1-C10, S1-C14: each CTA spins until all of its top-level CGA have come, without a
    barrier: the task can end only when they all are resident at the same time."""
    dev, top = device(sms), len(grid.levels) - 1
    group = grid.group(top)
    come = zeros(dev, max(group) + 1)
    done = dev.submit(load(dev, "cluster")["resident"], time_limit_ms=60000,
                      args=[come, dev.buffer(array.array("I", group)), grid.members(top)],
                      **grid.keywords()).wait(LONG)
    assert done.ctas == grid.ctas
    assert words(come.read()) == [grid.members(top)] * (max(group) + 1)


@pytest.mark.shared
@pytest.mark.parametrize("sms, grid", GRIDS, ids=NAMES)
def test_rounds_of_barriers(device, load, sms, grid):
    """S1-R135, S1-R136, S1-R137, S3-R19: at the barrier of each level nobody is more than a round ahead of another one."""
    dev = device(sms)
    module = load(dev, "cluster")
    for level in range(len(grid.levels)):
        seen, wrong = zeros(dev, grid.ctas), zeros(dev, 1)
        group = dev.buffer(array.array("I", grid.group(level)))
        before = dev.stat().get("cga_barriers", 0)
        dev.submit(module["rounds"], args=[seen, group, wrong, 20, level],
                   **grid.keywords(block=2)).wait(LONG)
        assert words(wrong.read()) == [0]
        assert words(seen.read()) == [20] * grid.ctas
        assert dev.stat()["cga_barriers"] - before == 20 * (max(grid.group(level)) + 1)


@pytest.mark.parametrize("sms, threads", [(1, 1), (2, 1), (2, 5), (8, 3)])
def test_halves_and_an_early_end(device, load, sms, threads):
    """S1-R136, S1-Q20: arrive and wait; a CTA that has ended is not waited for."""
    dev, members = device(sms), 6 * sms
    for early in (0, members // 2, members - 1):
        done = zeros(dev, 2)
        dev.submit(load(dev, "cluster")["halves"], grid=members, block=threads, cluster=members,
                   cluster_in="gpu", args=[done, 10, early], time_limit_ms=60000).wait(LONG)
        assert words(done.read()) == [threads * (10 * members - 1), 0]


def test_barrier_of_a_plain_grid(device, load):
    """S1-R135: a CTA without a cluster waits for nobody; a level or a request that there is not is refused, and
    changes nothing."""
    dev = device(2)
    kernel, answers = load(dev, "cluster")["answers"], {}
    for cluster, level, what in ((None, 0, 3), (None, 1, 3), (1, 0, 3), (1, 1, 3), (1, 3, 3),
                                 (1, 0, 0), (1, 0, 4), (1, 0xffffffff, 3)):
        out = zeros(dev, 1)
        dev.submit(kernel, grid=1, block=1, cluster=cluster, args=[out, level, what]).wait(LONG)
        answers[cluster, level, what] = flag_at(out, 0)
    wrong = answers.pop((None, 1, 3))
    assert wrong >> 31
    assert answers.pop((None, 0, 3)) == 0 and answers.pop((1, 0, 3)) == 0
    assert set(answers.values()) == {wrong}


def test_a_thread_that_returned(device, load):
    """S3-R102: cluster_sync() is a barrier of the CTA's threads, too."""
    dev = device(2)
    expect("ERR_DIVERGED", dev.submit(load(dev, "cluster")["leaves"], grid=4, block=3, cluster=4,
                                      args=[zeros(dev, 1)]).wait, LONG)


@pytest.mark.parametrize("spin", [0, 1])
@pytest.mark.parametrize("sms", [1, 2])
def test_time_limit_at_a_barrier(device, load, sms, spin):
    """S1-R134: nobody waits forever at a barrier that not all come to, on the hart or off it."""
    dev = device(sms)
    state = zeros(dev, 3)
    error = expect("ERR_TIME_LIMIT", dev.submit(
        load(dev, "cluster")["stuck"], grid=8, block=1, cluster=[(4,), (2,)], args=[state, spin],
        time_limit_ms=300).wait, LONG)
    assert error.record.status == "ERR_TIME_LIMIT" and error.record.cga is not None
    assert flag_at(state, 2) == 0


@pytest.mark.parametrize("sms", [1, 2])
def test_cancelling_at_a_barrier(device, load, sms):
    """S1-R134: CTAs that wait at a barrier, on some SM or on the same one, end when their task is cancelled."""
    dev = device(sms)
    for spin in (0, 1):
        state = zeros(dev, 3)
        task = dev.submit(load(dev, "cluster")["stuck"], grid=8, block=1, cluster=[(4,), (2,)],
                          args=[state, spin])
        until(lambda: flag_at(state, 0) == 8, "all have started")
        task.cancel(LONG)
        expect("ERR_CANCELLED", task.wait, LONG)
        assert flag_at(state, 2) == 0


def test_others_run_meanwhile(device, load):
    """S1-R134, S0-R41: a CTA at a barrier does not have the hart: a task beside it runs to its end."""
    dev = device(1)
    state = zeros(dev, 3)
    stuck = dev.submit(load(dev, "cluster")["stuck"], grid=4, block=1, cluster=[(2,), (2,)],
                       args=[state, 1])
    until(lambda: flag_at(state, 0) == 4, "all have started")
    counts = zeros(dev, 20)
    dev.submit(load(dev, "work")["count"], grid=20, block=1, args=[counts]).wait(LONG)
    assert words(counts.read()) == [1] * 20
    stuck.cancel(LONG)
    expect("ERR_CANCELLED", stuck.wait, LONG)


@pytest.mark.parametrize("sms", [2, 8])
def test_a_kernel_asks_for_occupancy(device, load, sms):
    """S1-R44: how many clusters of a task could run at once, as the host is told."""
    dev = device(sms)
    kernel, asks = load(dev, "cluster")["ids"], load(dev, "cluster")["occupancy"]
    for cluster in (2, 3, 16):
        how = {"grid": 48, "block": 1, "cluster": cluster, "cluster_in": "gpu"}
        tmd = dev.tmd(kernel, args=[zeros(dev, WORDS * 48)], **how)
        tmd.store()
        out = zeros(dev, 2)
        dev.submit(asks, grid=1, block=1, args=[tmd, out]).wait(LONG)
        counts = dev.max_active_clusters(kernel, **how)
        now, most = words(out.read())
        assert most == counts.most == 8 * sms // cluster
        assert now <= most
