# SPDX-License-Identifier: Apache-2.0
"""What the tests of clusters share: a plain model of where CTAs of nested CGAs are, and grids of CGAs that gather."""
import array
import itertools
from types import SimpleNamespace
from typing import NamedTuple

from support import flag_at, set_flag, sm_of, until, words, zeros


def _box(sizes):
    """Positions in a box, x fastest."""
    return [tuple(reversed(place)) for place in itertools.product(*map(range, reversed(sizes)))]


def _three(sizes):
    sizes = (sizes,) if isinstance(sizes, int) else tuple(sizes)
    return (sizes + (1, 1, 1))[:3]


class Grid(NamedTuple):
    """A grid of CGAs; `levels`: their sizes from the inside out, three numbers each."""
    size: tuple
    levels: tuple

    @classmethod
    def of(cls, size, *levels):
        """Sizes of fewer dimensions are filled up."""
        return cls(_three(size), tuple(_three(level) for level in levels))

    @property
    def ctas(self):
        """CTAs of the grid."""
        return self.size[0] * self.size[1] * self.size[2]

    def linear(self, place):
        """Linear number of a CTA."""
        return place[0] + self.size[0] * (place[1] + self.size[1] * place[2])

    def extent(self, level):
        """CTAs of a CGA of a level along each axis; level 0 is the innermost."""
        sizes = (1, 1, 1)
        for inner in self.levels[:level + 1]:
            sizes = tuple(a * b for a, b in zip(sizes, inner))
        return sizes

    def members(self, level=0):
        """CTAs of a CGA of a level."""
        x, y, z = self.extent(level)
        return x * y * z

    def places(self):
        """Positions of all CTAs, by linear number."""
        return _box(self.size)

    def group(self, level):
        """Number of the CGA of a level that each CTA is in, by linear number."""
        extent = self.extent(level)
        counts = tuple(all_ // one for all_, one in zip(self.size, extent))
        return [x // extent[0] + counts[0] * (y // extent[1] + counts[1] * (z // extent[2]))
                for x, y, z in self.places()]

    def cluster(self, place):
        """Position of a CTA in its cluster, and of the cluster in the grid."""
        inner = self.extent(0)
        return (tuple(a % b for a, b in zip(place, inner)),
                tuple(a // b for a, b in zip(place, inner)))

    def rank(self, place):
        """Rank of a CTA in its cluster."""
        (x, y, z), _ = self.cluster(place)
        return x + self.extent(0)[0] * (y + self.extent(0)[1] * z)

    def outer(self, place):
        """Number of a cluster in its CGA of the second level, and clusters there."""
        sizes = self.levels[1] if len(self.levels) > 1 else (1, 1, 1)
        x, y, z = (a % b for a, b in zip(self.cluster(place)[1], sizes))
        return x + sizes[0] * (y + sizes[1] * z), sizes[0] * sizes[1] * sizes[2]

    def keywords(self, **more):
        """For submit()."""
        cluster = self.levels[0] if len(self.levels) == 1 else list(self.levels)
        return {"grid": self.size, "cluster": cluster, "block": 1, **more}


# Trees of SMs with GPCs of unequal sizes: SMs: {SM: (GPC, CPC, TPC)}.
TREES = {
    8: {0: (0, 0, 0), 1: (1, 0, 0), 2: (1, 1, 0), 3: (2, 0, 0), 4: (2, 0, 0), 5: (2, 0, 1),
        6: (2, 1, 0), 7: (2, 1, 1)},
    32: {sm: (gpc, (sm - first) // 4, (sm - first) // 2 % 2)
         for gpc, (first, end) in enumerate(((0, 3), (3, 12), (12, 32))) for sm in range(first, end)},
}
LEVEL_OF = {"gpu": 0, "gpc": 1, "cpc": 2, "tpc": 3}  # Parts of a place that name a domain.
SEEN = ("address", "rank", "cluster", "id", "outer", "times")
SEEN_WORDS = 8  # Of a CTA in kernel `gather` of kernels/cluster_load.c.


def domain_of(tree, sm, kind):
    """The domain of a kind that an SM lies in."""
    return tree[sm][:LEVEL_OF[kind]]


class Gathered:
    """A grid of CGAs in kernel `gather`: the CTAs of a top-level CGA wait until all have come, then for release()."""

    def __init__(self, dev, load, grid, held=False, **keywords):
        self.dev, self.grid = dev, grid
        top = len(grid.levels) - 1
        self.group, self.size = grid.group(top), grid.members(top)
        self.out, self.state = zeros(dev, SEEN_WORDS * grid.ctas), zeros(dev, 3)
        self.come = zeros(dev, max(self.group) + 1)
        if not held:
            self.release()
        self.task = dev.submit(
            load(dev, "cluster_load")["gather"],
            args=[self.out, self.come, dev.buffer(array.array("I", self.group)), self.size, self.state],
            **grid.keywords(**keywords))

    def release(self):
        """Those that have met may end."""
        set_flag(self.state, 1)

    def started(self):
        """CTAs that have started until now."""
        return flag_at(self.state, 0)

    def await_met(self, count):
        """Waits until so many CTAs have met the others of their CGA."""
        until(lambda: flag_at(self.state, 2) >= count, f"{count} CTAs have met")

    def seen(self):
        """{number: what a CTA has left} of those that have started; `sm` is its SM."""
        found, ctas = words(self.out.read()), {}
        for number in range(self.grid.ctas):
            one = SimpleNamespace(**dict(zip(SEEN, found[SEEN_WORDS * number:])))
            if one.times:
                one.sm = sm_of(self.dev, one.address)
                ctas[number] = one
        return ctas

    def check(self, tree, kinds, spread=False):
        """All that holds for CTAs that are there: each once; they know their places; all of a top-level CGA or none;
        each CGA in one domain of its kind; of an innermost one at most one on an SM, if `spread`."""
        grid, ctas = self.grid, self.seen()
        places, groups = grid.places(), [grid.group(level) for level in range(len(grid.levels))]
        for number, one in ctas.items():
            place = places[number]
            assert (one.rank, one.cluster, one.outer, one.times) == \
                (grid.rank(place), groups[0][number], grid.outer(place)[0], 1), place
        for level, kind in enumerate(kinds):
            found = {}
            for number, one in ctas.items():
                found.setdefault(groups[level][number], []).append(one.sm)
            for sms in found.values():
                assert len(sms) == grid.members(level), "a part of a CGA"
                assert len({domain_of(tree, sm, kind) for sm in sms}) == 1, (kind, sms)
                assert not (spread and level == 0) or len(set(sms)) == len(sms), sms
        return ctas

    def check_ids(self, tree, inner, limit=256):
        """CTAs that are there at the same time: all of an innermost CGA have its id, no other CGA of its GPC has it."""
        grid, ids = self.grid, {}
        groups = grid.group(0)
        for number, one in self.seen().items():
            pool = "device" if inner == "gpu" else tree[one.sm][0]
            ids.setdefault(groups[number], set()).add((pool, one.id))
        assert all(len(one) == 1 for one in ids.values())
        found = [one for of in ids.values() for one in of]
        assert len(set(found)) == len(found) and all(one < limit for _pool, one in found)
