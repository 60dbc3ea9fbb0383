# SPDX-License-Identifier: Apache-2.0
"""What the tests of clusters share: a plain model of where CTAs of nested CGAs are."""
import itertools
from typing import NamedTuple


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
