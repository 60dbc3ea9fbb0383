# SPDX-License-Identifier: Apache-2.0
"""Random grids of CGAs and plain grids, with members that do something wrong: kernels/cluster_load.c."""
import array
import itertools
from typing import NamedTuple, Optional

from cluster_support import TREES, Grid
from support import words, zeros

MASK = 0xffffffff
GOOD, ABORT, ACCESS, ENDLESS, LATE_READ, LATE_WRITE, LATE_MAP, BAD_RANK, LEAVE = range(9)
STATUS = {GOOD: "OK", ABORT: "ERR_ABORTED", ACCESS: "ERR_FAULT_ACCESS", ENDLESS: "ERR_TIME_LIMIT",
          LATE_READ: "ERR_CLUSTER_GONE", LATE_WRITE: "ERR_CLUSTER_GONE", LATE_MAP: "ERR_CLUSTER_GONE",
          BAD_RANK: "ERR_CLUSTER_RANK", LEAVE: "OK"}
LATE = (LATE_READ, LATE_WRITE, LATE_MAP)
WRONG = ("read", "own", "late", "tries", "id", "limit")
LIMIT_MS = 5
POOLS, POOL_IDS, DEVICE_POOL = 33, 256, 32
MOST_READ = 6

# Kinds of the levels, from the inside out, and what fits into each on 8 SMs in TREES: CTAs of the innermost level,
# and with MULTI_CAST; CGAs in those around it.
KINDS = [
    (("gpc",), (16, 5), ()), (("gpc",), (40, 5), ()), (("gpu",), (24, 8), ()), (("cpc",), (16, 3), ()),
    (("tpc",), (8, 2), ()), (("gpc", "gpu"), (6, 3), (3,)), (("tpc", "gpc"), (4, 2), (2,)),
    (("cpc", "gpu"), (5, 2), (3,)), (("tpc", "cpc", "gpu"), (2, 2), (2, 2)), (("cpc", "gpc", "gpu"), (3, 2), (2, 2)),
]


def pattern(seed, cluster, rank):
    """What a member has in its memory."""
    return ((seed ^ cluster * 16777619 & MASK) * 2654435761 ^ rank * 40503) & 0xffffff00


def factors(rng, count):
    """Three sizes with a product near `count`, not above."""
    x = rng.randint(1, count)
    y = rng.randint(1, count // x)
    return x, y, rng.randint(1, count // x // y)


class Plan(NamedTuple):
    """A work, and what must come of it: a status, and words at a place of `out`."""
    work: object
    status: str
    place: Optional[int]
    expected: Optional[list]


class Randoms:
    """Makes works. `ids`: configured ids of a pool; `words_most`: of all CTAs of a run."""

    def __init__(self, dev, load, rng, ids=256, words_most=1 << 17):
        self.dev, self.rng, self.ids = dev, rng, ids
        self.kernels = load(dev, "cluster_load")
        self.out, self.next = zeros(dev, words_most), 0
        self.deeds = []  # What members of the next bad CGAs do.
        self.stamps, self.wrong = zeros(dev, POOLS * POOL_IDS), zeros(dev, 16)
        state = dev.regs.sm_state[0]
        first, self.units = state.area.read(), state.share.read()
        self.stride = dev.info.sm_area_bytes - (self.units - first) // dev.info.sms
        tree = TREES[dev.info.sms]
        self.gpcs = [tree[sm][0] if sm in tree else 0 for sm in range(64)]

    def _place(self, ctas):
        place, self.next = self.next, self.next + ctas
        assert 4 * self.next <= self.out.nbytes
        return place

    def _options(self):
        rng = self.rng
        options = {"priority": rng.choice((3, 5, 5, 5, 7)), "channel": rng.randrange(4), "block": 1}
        if rng.random() < 0.1:
            options["sequential"] = True
        if rng.random() < 0.1:
            options["quota"] = rng.randint(1, 20)
        return options

    def _sizes(self, spread):
        rng = self.rng
        while True:
            kinds, inner, around = rng.choice(KINDS)
            sizes = [rng.randint(1, inner[spread])] + [rng.randint(1, most) for most in around]
            innermost = 1
            for size in sizes[1:]:
                innermost *= size
            if innermost <= self.ids:
                return kinds, [factors(rng, size) for size in sizes]

    def cgas(self, deed, most):
        """A grid of CGAs, some of up to `most` of them."""
        rng = self.rng
        spread = rng.random() < 0.25
        kinds, levels = self._sizes(spread)
        if deed in LATE and levels[0] == (1, 1, 1):
            levels[0] = (2, 1, 1)
        extent = Grid.of((1, 1, 1), *levels).extent(len(levels) - 1)
        grid = Grid.of([a * b for a, b in zip(extent, factors(rng, rng.randint(1, most)))], *levels)
        members, clusters = grid.members(), max(grid.group(0)) + 1
        actor = rng.randrange(members)
        seed, place = rng.getrandbits(32), self._place(grid.ctas)
        cluster, victim = rng.randrange(clusters), (actor + rng.randint(1, max(1, members - 1))) % members
        told = array.array("I", [
            seed, deed, cluster, actor, victim,
            DEVICE_POOL if kinds[0] == "gpu" else 0, self.ids, self.units & MASK, self.stride, *self.gpcs])
        work = self.dev.work(
            self.kernels["member"], cluster_in=kinds, mode="multicast" if spread else None,
            time_limit_ms=LIMIT_MS if deed == ENDLESS else None,
            args=[self.out.address + 4 * place, self.dev.buffer(told), self.stamps, self.wrong],
            **{**grid.keywords(), **self._options()})
        if STATUS[deed] != "OK":
            return Plan(work, STATUS[deed], place, None)
        return Plan(work, "OK", place, expected(grid, seed, (cluster, victim) if deed == LEAVE else None))

    def plain(self):
        """A plain grid."""
        ctas, seed = self.rng.randint(1, 40), self.rng.getrandbits(32)
        place = self._place(ctas)
        work = self.dev.work(
            self.kernels["plain"], grid=ctas, stack_bytes=self.rng.choice((0, 0, 256, 4096, 9000)),
            args=[self.out.address + 4 * place, seed, self.rng.choice((0, 100, 3000)), self.wrong], **self._options())
        return Plan(work, "OK", place, [1] * ctas)

    def found_wrong(self):
        """{what: how often} of what members found to be wrong."""
        return {name: count for name, count in zip(WRONG, words(self.wrong.read())) if count}


def expected(grid, seed, without=None):
    """What each CTA of kernel `member` adds to its word; `without`: cluster and rank of one that adds nothing."""
    members, group = grid.members(), grid.group(0)
    ranks = [grid.rank(place) for place in grid.places()]
    others = range(1, min(MOST_READ, members - 1) + 1)
    sums = {(cluster, rank): 1 + sum(pattern(seed, cluster, (rank + i) % members) + i for i in others)
            for cluster, rank in itertools.product(range(max(group) + 1), range(members))}
    return [0 if one == without else sums[one] & MASK for one in zip(group, ranks)]
