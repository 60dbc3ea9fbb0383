# SPDX-License-Identifier: Apache-2.0
"""CGAs (thread-block clusters): from `cluster` and `cluster_in` of a work to its structure."""

from typing import Any, List, Optional, Sequence, Tuple

from . import abi, structs
from .checks import dimensions, filled, named
from .errors import Error

DOMAINS = {name.lower(): number for name, number in abi.ENUMS["domain"].items()}
LEVELS = ("cluster", "outer", "top")  # Names in the ABI, the innermost first.
_DEFAULTS = (("gpc",), ("gpc", "gpu"), ("cpc", "gpc", "gpu"))
_TYPES = {("gpc",): "GPC_CGA", ("gpu",): "GPU_CGA", ("gpc", "gpu"): "GPU_GPC_CGA"}


def _sizes(cluster: Any) -> List[Tuple[int, ...]]:
    """Dimensions of each level: one level when all entries are numbers."""
    entries = [cluster] if isinstance(cluster, int) else list(cluster)
    if all(isinstance(entry, int) for entry in entries):
        entries = [entries]
    if len(entries) > len(LEVELS):
        raise Error("ERR_CLUSTER", f"At most {len(LEVELS)} levels.", "cluster", len(entries))
    levels = [dimensions("cluster", entry) for entry in entries]
    for name, sizes in zip(LEVELS, levels):
        for axis, size in zip("xyz", sizes):
            if size == 0:
                raise Error("ERR_CLUSTER", "1 or more.", f"tmd.{name}_{axis}", 0)
    return levels


def _domains(cluster_in: Any, count: int) -> Sequence[int]:
    """Number of each level's domain; domains grow from the inside to the outside."""
    if cluster_in is None:
        cluster_in = _DEFAULTS[count - 1]
    names = [cluster_in] if isinstance(cluster_in, (str, int)) else list(cluster_in)
    if len(names) != count:
        raise Error("ERR_ARGUMENT", f"One domain for each of the {count} levels of `cluster`.",
                    "cluster_in", len(names))
    numbers = [named(DOMAINS, "cluster_in", name) for name in names]
    for inner, outer, name in zip(numbers, numbers[1:], names[1:]):
        if outer >= inner:
            raise Error("ERR_CLUSTER", "A level's domain is larger than that of the level inside.",
                        "cluster_in", name)
    return numbers


def fill_clusters(raw: structs.Work, cluster: Any, cluster_in: Optional[Any]) -> None:
    """Levels, domains, and the type of a grid. Raises Error ERR_CLUSTER, ERR_ARGUMENT."""
    if cluster is None:
        if cluster_in is not None:
            raise Error("ERR_ARGUMENT", "It needs `cluster`.", "cluster_in", cluster_in)
        return
    levels = _sizes(cluster)
    domains = _domains(cluster_in, len(levels))
    by_number = {number: name for name, number in DOMAINS.items()}
    type_name = _TYPES.get(tuple(by_number.get(number, "") for number in domains), "CGA")
    for name, sizes, domain in zip(LEVELS, levels, domains):
        setattr(raw, name, filled(sizes))
        setattr(raw, f"{name}_domain", domain if type_name == "CGA" else 0)
    if raw.type == abi.ENUMS["task_type"]["GRID"]:
        raw.type = abi.ENUMS["task_type"][type_name]
