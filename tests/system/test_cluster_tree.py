# SPDX-License-Identifier: Apache-2.0
"""CGAs in trees of SMs of all shapes; distributed kernels in unequal GPCs beside plain grids."""
import array
import contextlib
import itertools
import random

import pytest

import ganger
from cluster_support import LEVEL_OF, TREES, Gathered, Grid, domain_of
from support import LONG, configured, words, zeros

SLOTS = 8  # CTA slots of an SM.
MASK = 0xffffffff


def random_tree(rng, sms):
    """SMs in GPCs of any sizes, wherever their numbers are."""
    gpcs = rng.randint(1, 5)
    return {sm: (rng.randrange(gpcs), rng.randrange(3), rng.randrange(2)) for sm in range(sms)}


def parts_of(sms, tree, kind):
    """Some SMs by the domain of a kind that they lie in."""
    found = {}
    for sm in sms:
        found.setdefault(domain_of(tree, sm, kind), []).append(sm)
    return list(found.values())


def capacity(sms, tree, levels, kinds, spread):
    """CGAs of the outermost of the levels that some SMs have room for: each domain on its own, rounded down. With
    MULTI_CAST n CGAs of c CTAs fit into m SMs of k slots if n * c <= m * min(k, n) (each SM has one CTA of a CGA)."""
    if not levels:
        return SLOTS * len(sms)
    total = 0
    for part in parts_of(sms, tree, kinds[-1]):
        if spread and len(levels) == 1:
            total += SLOTS * len(part) // levels[0] if levels[0] <= len(part) else 0
        else:
            total += capacity(part, tree, levels[:-1], kinds[:-1], spread) // levels[-1]
    return total


def random_shape(rng):
    """CTAs of each level, kinds of the domains, MULTI_CAST or not."""
    count = rng.choice((1, 1, 2, 2, 3))
    kinds = sorted(rng.sample(sorted(LEVEL_OF), count), key=lambda kind: -LEVEL_OF[kind])
    spread = rng.random() < 0.3
    return [rng.randint(1, 3 if spread else 9)] + [rng.randint(1, 3) for _level in kinds[1:]], kinds, spread


def shapes_for(rng, enabled, tree):
    """Random shapes; of each four at least one fits into the tree."""
    while True:
        yield from (random_shape(rng) for _shape in range(3))
        yield next((shape for shape in (random_shape(rng) for _attempt in range(100)) if capacity(enabled, tree, *shape)),
                   ([1], ["gpu"], False))


def check_shape(dev, load, tree, enabled, shape):
    """As many fit as the model says; where some do, those run at the same time, each where it should be."""
    sizes, kinds, spread = shape
    levels = [(size,) for size in sizes]
    expected, ctas = capacity(enabled, tree, sizes, kinds, spread), 1
    for size in sizes:
        ctas *= size
    keywords = {"cluster_in": kinds, "mode": "multicast" if spread else None}
    work = {"kernel": load(dev, "work")["blank"], **Grid.of(ctas, *levels).keywords(**keywords)}
    if expected == 0:
        with pytest.raises(ganger.Error) as caught:
            dev.max_active_clusters(**work)
        assert caught.value.status == "ERR_CLUSTER", shape
        return False
    assert dev.max_active_clusters(**work) == (expected, expected), shape
    gathered = Gathered(dev, load, Grid.of(ctas * min(expected, 5), *levels), held=True, **keywords)
    try:
        gathered.await_met(gathered.grid.ctas)
        found = gathered.check(tree, kinds, spread)
        gathered.check_ids(tree, kinds[0])
        assert len(found) == gathered.grid.ctas and {one.sm for one in found.values()} <= set(enabled)
    finally:
        gathered.release()
    assert gathered.task.wait(LONG).ctas == gathered.grid.ctas
    return True


@pytest.mark.shared
@pytest.mark.parametrize("sms, trees, shapes", [(1, 1, 20), (3, 5, 20), (8, 15, 20), (32, 5, 12)])
def test_random_trees(device, load, seed, sms, trees, shapes):
    """S1-R12, S1-R13, S1-R35, S1-R36, S1-R39, S1-R40, S1-R44, S1-R79, S1-R133, S1-C1, S1-C8, S1-C10, S1-C11: in random trees of
    SMs of random order, some of them disabled, as many CGAs of random shapes fit as a plain model counts; those that run
    together lie in the domains of their levels; a shape that never fits is refused."""
    dev, ran = device(sms), 0
    for _tree in range(trees):
        tree = random_tree(seed, sms)
        enabled = sorted(seed.sample(range(sms), seed.randint((sms + 1) // 2, sms)))
        rank = seed.sample(range(sms), sms)
        with configured(dev, group=tree, enabled=enabled, rank=rank):
            for shape in itertools.islice(shapes_for(seed, enabled, tree), shapes):
                try:
                    ran += check_shape(dev, load, tree, enabled, shape)
                except BaseException:
                    print(tree, enabled, rank, shape)
                    raise
    assert ran >= trees * shapes // 4


@pytest.mark.parametrize("sms, gpc", [(8, 2), (32, 2), (8, 1), (32, 1)])
def test_the_gpc_with_most_room(device, load, sms, gpc):
    """S1-R102, S1-C13, S1-C18: a CGA goes where it leaves most room; CTAs of LOAD_BALANCING are spread evenly."""
    dev, tree = device(sms), TREES[sms]
    members = [sm for sm in tree if tree[sm][0] == gpc]
    with configured(dev, group=tree, enabled=[sm for sm in tree if tree[sm][0] <= gpc]):
        gathered = Gathered(dev, load, Grid.of(2 * len(members), 2 * len(members)))
        gathered.task.wait(LONG)
        found = [one.sm for one in gathered.check(tree, ("gpc",)).values()]
    assert {sm: found.count(sm) for sm in set(found)} == dict.fromkeys(members, 2)


class Plain:
    """Plain grids before, among and after the CGAs, with results that are checked."""

    def __init__(self, dev, load):
        self.dev, self.kernel, self.tasks = dev, load(dev, "work")["count"], []

    def more(self, ctas):
        """Posts one more."""
        out = zeros(self.dev, ctas)
        self.tasks.append((self.dev.submit(self.kernel, grid=ctas, block=2, args=[out]), out, ctas))

    def check(self):
        """Each CTA once."""
        for task, out, ctas in self.tasks:
            assert task.wait(LONG).ctas == ctas and words(out.read()) == [1] * ctas


@pytest.fixture(params=[8, 32], ids=lambda sms: f"{sms}sm")
def unequal(request, device):
    """A device with GPCs of 1, 2 and 5 SMs, or of 3, 9 and 20."""
    dev = device(request.param)
    with configured(dev, group=TREES[request.param]):
        yield dev


@contextlib.contextmanager
def beside(dev, load):
    """Plain grids run while what is in the block does."""
    plain = Plain(dev, load)
    plain.more(40 * dev.info.sms)
    yield plain
    plain.check()


def numbers(dev, values):
    """A buffer of 32-bit words."""
    return dev.buffer(array.array("I", [value & MASK for value in values]))


def some(count, most, number):
    """The same random numbers every time."""
    choose = random.Random(number)
    return [choose.randrange(most) for _ in range(count)]


# Members of a CGA: as part of the SMs, and its domain.
WHERE = [("gpc", "balance"), ("gpc", "multicast"), ("gpu", "balance"), ("gpu", "multicast")]


def members_of(dev, where, mode):
    """More members than the smaller GPCs have SMs; without MULTI_CAST more than the domain has."""
    sms = 5 * dev.info.sms // 8 if where == "gpc" else dev.info.sms
    return sms if mode == "multicast" else sms + sms // 2


@pytest.mark.parametrize("where, mode", WHERE)
def test_histogram(unequal, load, sample_path, where, mode):
    """S1-R73, S1-R79, S1-R145: atomic operations on all members' memory, beside plain grids."""
    dev, share, members = unequal, 7, members_of(unequal, where, mode)
    data, bins = some(2000, members * share + 3, 1), zeros(dev, members * share)
    with beside(dev, load) as plain:
        task = dev.submit(dev.load(sample_path("cluster_hist"))["cluster_hist"], grid=3 * members, block=2,
                          cluster=members, cluster_in=where, mode=mode,
                          args=[numbers(dev, data), bins, len(data), ganger.local(4 * share), share])
        plain.more(50)
        task.wait(LONG)
    assert words(bins.read()) == [data.count(value) for value in range(members * share)]


def after_steps(row, steps):
    """A ring of cells, each the sum of itself and its neighbours."""
    for _ in range(steps):
        row = [(cell + row[i - 1] + row[(i + 1) % len(row)]) & MASK for i, cell in enumerate(row)]
    return row


@pytest.mark.parametrize("where, mode", WHERE)
def test_halo_exchange(unequal, load, sample_path, where, mode):
    """S1-R135, S1-R145: neighbours' cells at each step, beside plain grids."""
    dev, members = unequal, members_of(unequal, where, mode)
    length = 3 * members
    cells = some(3 * length, 1000, 2)
    buffer = numbers(dev, cells)
    with beside(dev, load) as plain:
        task = dev.submit(dev.load(sample_path("cluster_halo"))["cluster_halo"], grid=3 * members, block=3,
                          cluster=members, cluster_in=where, mode=mode, args=[buffer, 12])
        plain.more(50)
        task.wait(LONG)
    assert words(buffer.read()) == [cell for first in range(0, 3 * length, length)
                                    for cell in after_steps(cells[first:first + length], 12)]


@pytest.mark.parametrize("where, mode", WHERE)
def test_ring_all_reduce(unequal, load, sample_path, where, mode):
    """S1-R145: loads and stores around a ring, beside plain grids."""
    dev, part, members = unequal, 2, members_of(unequal, where, mode)
    length = members * part
    vectors = [some(length, 1 << 32, number) for number in range(2 * members)]
    out = zeros(dev, 2 * members * length)
    with beside(dev, load) as plain:
        task = dev.submit(dev.load(sample_path("cluster_ring"))["cluster_ring"], grid=2 * members, block=1,
                          cluster=members, cluster_in=where, mode=mode,
                          args=[numbers(dev, sum(vectors, [])), out, ganger.local(4 * length), part])
        plain.more(50)
        task.wait(LONG)
    sums = [[sum(column) & MASK for column in zip(*vectors[ring * members:][:members])] for ring in range(2)]
    assert words(out.read()) == [value for one in sums for value in one * members]


@pytest.mark.parametrize("where, mode, side, n", [("gpc", "balance", 3, 48), ("gpu", "balance", 4, 64),
                                                  ("gpc", "multicast", 2, 32), ("gpu", "multicast", 2, 48)])
def test_matrix_product(unequal, load, sample_path, where, mode, side, n):
    """S1-R145, S1-R162: tiles that all members read, beside plain grids."""
    dev, a, b, c = unequal, some(n * n, 1 << 31, 3), some(n * n, 1 << 31, 4), zeros(unequal, n * n)
    with beside(dev, load) as plain:
        task = dev.submit(dev.load(sample_path("cluster_matmul"))["cluster_matmul"], grid=(n // 8, n // 8), block=(8, 8),
                          cluster=(side, side), cluster_in=where, mode=mode,
                          args=[numbers(dev, a), numbers(dev, b), c, n])
        plain.more(50)
        task.wait(LONG)
    columns = [b[x::n] for x in range(n)]
    assert words(c.read()) == [sum(map(int.__mul__, a[y * n:(y + 1) * n], columns[x])) & MASK
                               for y in range(n) for x in range(n)]
