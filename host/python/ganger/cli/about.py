# SPDX-License-Identifier: Apache-2.0
"""What a device is: facts, and the tree of its SMs."""

from typing import Any, Dict, List, Sequence, Tuple

from ..typed import Json
from .common import observed, print_json, table
from .page import Options

_KINDS = ("gpc", "cpc", "tpc")
Tree = Dict[int, Dict[int, Dict[int, List[int]]]]


def sm_tree(groups: Dict[int, Tuple[int, int, int]]) -> Tree:
    """GPCs, their CPCs, their TPCs and the SMs of each: {gpc: {cpc: {tpc: [SM, …]}}}."""
    tree: Tree = {}
    for sm, (gpc, cpc, tpc) in groups.items():
        tree.setdefault(gpc, {}).setdefault(cpc, {}).setdefault(tpc, []).append(sm)
    return tree


def _branches(tree: Dict[int, Any], kinds: Sequence[str] = _KINDS) -> List[Json]:
    """The same tree for JSON: a list of {"gpc": number, "cpcs": […]}, the last with "sms"."""
    if len(kinds) == 1:
        return [{kinds[0]: number, "sms": sms} for number, sms in sorted(tree.items())]
    return [{kinds[0]: number, f"{kinds[1]}s": _branches(inner, kinds[1:])}
            for number, inner in sorted(tree.items())]


def _lines(tree: Tree) -> List[str]:
    """One line for each CPC, with the SMs of a TPC in brackets."""
    lines = []
    for gpc, cpcs in sorted(tree.items()):
        for cpc, tpcs in sorted(cpcs.items()):
            pairs = " ".join(f"[{' '.join(map(str, sms))}]" for _tpc, sms in sorted(tpcs.items()))
            lines.append(f"GPC {gpc}  CPC {cpc}  {pairs}")
    return lines


def device_info(options: Options) -> int:
    """`ganger info` without a file."""
    with observed(options) as device:
        facts = {**vars(device.info), "state": device.state}
        config = device.config()
    tree = sm_tree(config["group"])
    if options.json:
        print_json({"facts": facts, "config": config, "tree": _branches(tree)})
        return 0
    rows = [(name, ", ".join(value) if isinstance(value, list) else value)
            for name, value in facts.items()]
    rows += [(name, value) for name, value in config.items() if not isinstance(value, (list, dict))]
    print(table(("fact", "value"), rows))
    print("\nSMs, those of a TPC in brackets:")
    print("\n".join(_lines(tree)))
    return 0
