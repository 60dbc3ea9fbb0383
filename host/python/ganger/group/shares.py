# SPDX-License-Identifier: Apache-2.0
"""How the CTAs of a grid are shared out, and which entries of a split buffer go with them."""

import math
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

from ..checks import Dimensions, dimensions, filled
from ..errors import Error
from ..ranges import Range

# Keywords of ganger.Work that are about one device, or that a group sets itself.
OF_ONE_DEVICE = ("after", "dependents", "dependence_count", "semaphores", "queue", "windows", "part", "context")


class Part(NamedTuple):
    """CTAs of a grid, in linear order: from `first` on, `ctas` of them."""
    first: int
    ctas: int

    def __str__(self) -> str:
        return f"CTAs {self.first} to {self.first + self.ctas - 1}"


class Shape(NamedTuple):
    """ctas: all of a grid; grain: a part has a multiple of so many; layer: the CTAs that work on the same entries of
    split buffers, all along the slowest axis; threads: of a CTA along that axis."""
    ctas: int
    grain: int
    layer: int
    threads: int


def _cluster(cluster: Any) -> Tuple[int, int, int]:
    """CTAs of a top-level CGA along x, y, z."""
    levels = [] if cluster is None else cluster if isinstance(cluster, list) else [cluster]
    sizes = [filled(dimensions("cluster", level)) for level in levels]
    return (math.prod(size[0] for size in sizes), math.prod(size[1] for size in sizes),
            math.prod(size[2] for size in sizes))


def shape_of(grid: Optional[Dimensions], block: Dimensions, work_range: Optional[Range], cluster: Any,
             is_split: bool) -> Shape:
    """The shape of a grid, or of a range, whose CTAs are counted in the order of dispatch.

    Raises Error ERR_ARGUMENT: both are given, or none; ERR_GRID_ZERO.
    """
    if (grid is None) == (work_range is None):
        raise Error("ERR_ARGUMENT", "A submission to a group has a grid or a range.", "grid", grid)
    if work_range is not None:
        return Shape(work_range.items, 1, 1, 1)
    assert grid is not None
    sizes = filled(dimensions("grid", grid))
    if 0 in sizes:
        raise Error("ERR_GRID_ZERO", "", "grid", sizes)
    slowest = max(axis for axis in range(3) if axis == 0 or sizes[axis] > 1)
    cga = _cluster(cluster)
    layer = math.prod(sizes[:slowest])
    grain = layer * cga[slowest] if is_split else math.prod(cga)
    return Shape(math.prod(sizes), grain, layer, filled(dimensions("block", block))[slowest])


def share(part: Part, weights: Sequence[int], grain: int) -> List[Part]:
    """A part cut into as many as there are weights, in proportion to them and in order; some may have no CTAs."""
    units, total = -(-part.ctas // grain), sum(weights)
    found, begin, weight = [], 0, 0
    for one in weights:
        weight += one
        end = units * weight // total
        first = min(begin * grain, part.ctas)
        found.append(Part(part.first + first, min(end * grain, part.ctas) - first))
        begin = end
    return found
