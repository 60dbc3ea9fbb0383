# SPDX-License-Identifier: Apache-2.0
"""All members of a CGA are there at one instant, in one domain, or none of them is."""
import contextlib

import pytest

from cluster_support import TREES, Gathered, Grid
from support import LONG, Held, configured, run_good_task, until

LOOKS = 20  # Answers of the control processor that pass before something is taken not to happen.


@pytest.fixture(params=[8, 32], ids=lambda sms: f"{sms}sm")
def unequal(request, device):
    """A device with GPCs of 1, 2 and 5 SMs, or of 3, 9 and 20; CPCs and TPCs are unequal, too."""
    dev = device(request.param)
    with configured(dev, group=TREES[request.param]):
        yield dev


@contextlib.contextmanager
def busy(dev, load, per_sm):
    """{SM: CTAs of another task that stay there}."""
    with contextlib.ExitStack() as stack:
        held = [stack.enter_context(Held(dev, load(dev, "work"), count, affinity=[sm]))
                for sm, count in per_sm.items()]
        for one in held:
            one.await_started()
        yield held


def some_busy(dev):
    """Some SMs are full, some are half full, some have one CTA."""
    return {sm: (8, 3, 1)[sm // 3 % 3] for sm in range(1, dev.info.sms, 3)}


# Sizes of the levels, kinds of their domains, more of the submission. Each fits beside some_busy().
SHAPES = [
    ((6,), ("gpc",), {}), ((5, 4), ("gpc",), {}), ((3,), ("gpc",), {"mode": "multicast"}),
    ((4, 9), ("gpu",), {}), ((6,), ("gpu",), {"mode": "multicast"}), ((2, 2, 3), ("gpu",), {}),
    ([(3, 2), (3,)], ("gpc", "gpu"), {}), ([(2,), (2, 2)], ("gpc", "gpu"), {"mode": "multicast"}),
    ((7,), ("cpc",), {}), ((5,), ("tpc",), {}), ([(3,), (2,)], ("cpc", "gpc"), {}),
    ([(2,), (2,), (3,)], ("cpc", "gpc", "gpu"), {}), ([(2,), (3,), (2, 2)], ("tpc", "cpc", "gpu"), {}),
    ([(2,), (3,), (2,)], ("tpc", "gpc", "gpu"), {}),
]


def levels_of(sizes):
    """The sizes of each level."""
    return sizes if isinstance(sizes, list) else [sizes]


def grid_of(sizes, times):
    """A grid of so many CGAs along x."""
    levels = levels_of(sizes)
    one = Grid.of((1, 1, 1), *levels).extent(len(levels) - 1)
    return Grid.of((one[0] * times, one[1], one[2]), *levels)


@pytest.mark.shared
@pytest.mark.parametrize("sizes, kinds, more", SHAPES, ids=str)
def test_resident_at_one_instant(unequal, load, sizes, kinds, more):
    """S1-R12, S1-R39, S1-R40, S1-R79, S1-R121, S1-R133, S1-R134, S1-R138, S1-C1, S1-C8, S1-C10, S1-C11, S1-C14, S1-C20: while
    other tasks hold some SMs, CTAs that wait in a loop for all others of their CGA all come; each CGA of each level lies
    in one domain of its kind; of one with MULTI_CAST at most one CTA is on an SM; ids are right and unique."""
    dev = unequal
    tree = TREES[dev.info.sms]
    with busy(dev, load, some_busy(dev)):
        keywords = {"cluster_in": kinds, "time_limit_ms": 60000, **more}
        one = grid_of(sizes, 1).keywords(**keywords)
        now, most = dev.max_active_clusters(load(dev, "work")["blank"], **one)
        assert 1 <= now <= most
        grid = grid_of(sizes, now + 2 if now <= 12 else 12)  # All that fit, and two that wait.
        there = min(now, 12) * grid.members(len(kinds) - 1)
        gathered = Gathered(dev, load, grid, held=True, **keywords)
        try:
            gathered.await_met(there)
            gathered.check(tree, kinds, "mode" in more)
            gathered.check_ids(tree, kinds[0])
        finally:
            gathered.release()
        assert gathered.task.wait(LONG).ctas == grid.ctas
        assert len(gathered.check(tree, kinds, "mode" in more)) == grid.ctas


def look(dev):
    """Time for the control processor to do what it should not do."""
    for _look in range(LOOKS):
        dev.nop()


# Shape, kinds, the free CTA slots of each SM but for the others that have none, and an SM to be freed. All
# but one of the CTAs that are needed have room, or more where they are in the wrong places.
TIGHT = [
    ((8,), ("gpc",), {}, {0: 1, 1: 7, 3: 2, 4: 3, 7: 2}, 5),
    ((9, 2), ("gpu",), {}, {0: 7, 2: 1, 3: 4, 4: 4, 6: 1}, 1),
    ((4,), ("gpc",), {"mode": "multicast"}, {0: 8, 1: 8, 2: 8, 3: 8, 4: 8, 5: 8}, 6),
    ((5,), ("cpc",), {}, {1: 4, 2: 4, 3: 2, 4: 1, 5: 1, 6: 4, 0: 4}, 7),
    ([(4,), (3,)], ("gpc", "gpu"), {}, {1: 4, 2: 4, 3: 2, 5: 1, 0: 3}, 7),
    ([(2,), (2,), (2,)], ("tpc", "gpc", "gpu"), {}, {0: 5, 1: 3, 3: 1, 4: 1, 5: 1, 2: 1, 7: 1}, 6),
]


@pytest.mark.parametrize("sizes, kinds, more, free, freed", TIGHT, ids=str)
def test_none_until_all_can(device, load, sizes, kinds, more, free, freed):
    """S1-R12, S1-R39, S1-R121, S1-R133, S1-R134, S1-R200, S1-C6, S1-C14, S1-C20, S1-T4, S1-T5, S1-T7: a CGA for which a
    single place is missing has no CTA anywhere, and keeps nothing from others; when SMs are freed, all of it runs."""
    dev, tree, grid = device(8), TREES[8], grid_of(sizes, 1)
    with configured(dev, group=tree, cga_patience=0xffffffff), contextlib.ExitStack() as stack:
        occupied = {sm: 8 - free.get(sm, 0) for sm in tree if free.get(sm, 0) < 8 and sm != freed}
        last = stack.enter_context(Held(dev, load(dev, "work"), 8 - free.get(freed, 0), affinity=[freed]))
        stack.enter_context(busy(dev, load, occupied))
        last.await_started()
        resident, failures = dev.query("DEVICE"), dev.stat()["cga_failures"]
        gathered = Gathered(dev, load, grid, held=True, cluster_in=kinds, **more)
        try:
            until(lambda: dev.stat()["cga_failures"] > failures, "it was tried")
            look(dev)
            assert dev.query("DEVICE") == resident and gathered.started() == 0
            # All that is free is free for others.
            slots = sum(free.values())
            with Held(dev, load(dev, "work"), slots) as others:
                others.await_started()
                assert dev.query("DEVICE") == resident + slots
            look(dev)
            assert gathered.started() == 0 and gathered.task.poll() is None
            last.release()
            gathered.await_met(grid.ctas)
            assert len(gathered.check(tree, kinds, "mode" in more)) == grid.ctas
        finally:
            gathered.release()
        done = gathered.task.wait(LONG)
        assert done.ctas == grid.ctas and done.not_issued["cluster"] > 0


def test_disabled_sms_get_nothing(device, load):
    """S1-R35, S1-R133, S1-C1: CGAs are placed on enabled SMs only, and wait when too few of them are left."""
    dev, tree = device(8), TREES[8]
    with configured(dev, group=tree):
        with configured(dev, enabled=[0, 2, 3, 5, 6]):
            for sizes, kinds in (((9,), ("gpc",)), ((7,), ("gpu",)), ([(2,), (4,)], ("gpc", "gpu")), ((3,), ("cpc",))):
                gathered = Gathered(dev, load, grid_of(sizes, 9), cluster_in=kinds)
                assert gathered.task.wait(LONG).ctas == gathered.grid.ctas
                assert {one.sm for one in gathered.check(tree, kinds).values()} <= {0, 2, 3, 5, 6}
        with Held(dev, load(dev, "work"), 8 * 4, affinity=[3, 4, 5, 6]) as held:
            held.await_started()
            gathered = Gathered(dev, load, grid_of((20,), 1))
            with configured(dev, enabled=[0, 1, 2, 3, 4]):
                held.release()
                held.task.wait(LONG)
                look(dev)
                assert gathered.started() == 0
            assert gathered.task.wait(LONG).ctas == 20
            gathered.check(tree, ("gpc",))
    run_good_task(dev, load(dev, "work"))
