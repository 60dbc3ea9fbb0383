# SPDX-License-Identifier: Apache-2.0
"""What task graphs cost: instructions of the control processor, and times against single tasks."""

import statistics
import time
from typing import Callable, Dict

import ganger
from rig import Figures, Rig, fill, measure_groups, median, spread
from table import Value

LESS, MORE = 128, 384  # Passes: costs of one more are slopes between the two.
LAYER, FEW, MANY = 16, 1, 9  # Passes side by side; edges of each from the layer before.
FITS, LARGE = 8, 1000  # CTAs of a pass: one for each SM, and more than the SMs hold at once.
SHORT = 100  # Passes of the comparison with tasks.
ROUNDS = 50
WAIT_S = 60.0
SMS = 8


def blank_graph(device, kernel, passes: int, chained: bool = False, ctas: int = 1) -> ganger.Graph:
    """Passes of empty CTAs: independent, or each an update of what the one before wrote."""
    graph = ganger.Graph(device)
    held = device.buffer(bytes(64))
    for _ in range(passes):
        graph.pass_(kernel, ctas, 1, reads=[held] if chained else [], writes=[held] if chained else [])
    return graph


def layered_graph(device, kernel, passes: int, edges: int) -> ganger.Graph:
    """Layers of blank passes, each of which writes a buffer and reads `edges` of the layer before."""
    graph = ganger.Graph(device)
    before = [device.buffer(bytes(64)) for _ in range(LAYER)]
    for _layer in range(passes // LAYER):
        now = [graph.buffer(64) for _ in range(LAYER)]
        for at, one in enumerate(now):
            graph.pass_(kernel, 1, 1, reads=[before[(at + k) % LAYER] for k in range(edges)],
                        writes=[one])
        before = now
    return graph


def run_cost(rig: Rig, graph: ganger.Graph, **keywords) -> int:
    """Cost of one run from rest to rest; the host has built the graph before."""
    work = graph.work(rig.device, **keywords)
    return median([cost.cp for cost in rig.costs(
        lambda: rig.device.submit_many([work])[0].wait(WAIT_S), 3)])


def keep_cost(rig: Rig, graph: ganger.Graph) -> int:
    """Cost of making a graph that is not run."""
    def keep() -> None:
        kept.append(graph.keep(rig.device))

    kept: list = []
    costs = []
    for _ in range(3):
        costs.append(rig.cost(keep).cp)
        kept.pop().free()
    return median(costs)


def again_cost(rig: Rig, graph: ganger.Graph) -> int:
    """Cost of a run of a kept graph."""
    with graph.keep(rig.device) as kept:
        return median([cost.cp for cost in rig.costs(lambda: kept.launch().wait(WAIT_S), 3)])


def slope(cost: Callable[[int], int]) -> float:
    """Cost of one pass more."""
    return (cost(MORE) - cost(LESS)) / (MORE - LESS)


def passes(rig: Rig, _why: Dict[str, str]) -> Figures:
    """Costs of a pass."""
    device, kernel = rig.device, rig.module["empty"]
    alone = [cost.cp for cost in rig.costs(lambda: rig.run("empty"))]
    blank = median(alone)
    figures = {"blank": Value(blank, spread(alone))}
    for key, chained in (("wide", False), ("chain", True)):
        total = slope(lambda count: run_cost(rig, blank_graph(device, kernel, count, chained)))
        figures[key] = Value(total)
        figures[f"{key}_added"] = Value(total - blank)
    for ctas in (FITS, LARGE):
        figures[f"chain_{ctas}"] = Value(slope(lambda count: run_cost(rig, blank_graph(device, kernel, count, True, ctas))))
    silent = slope(lambda count: run_cost(rig, blank_graph(device, kernel, count), report_passes=0))
    figures["report"] = Value(figures["wide"].number - silent)
    figures["made"] = Value(slope(lambda count: keep_cost(rig, blank_graph(device, kernel, count))))
    again = slope(lambda count: again_cost(rig, blank_graph(device, kernel, count)))
    figures["again"], figures["again_added"] = Value(again), Value(again - blank)
    figures["graph"] = Value(run_cost(rig, blank_graph(device, kernel, 1)))
    return figures


def edges(rig: Rig, _why: Dict[str, str]) -> Figures:
    """Costs of an edge: of a graph that is made and run, and that is run again."""
    device, kernel = rig.device, rig.module["empty"]
    few, many = (layered_graph(device, kernel, MORE, count) for count in (FEW, MANY))
    more = (MANY - FEW) * (MORE - LAYER) + (MANY - FEW) * LAYER
    return {"edge": Value((run_cost(rig, many) - run_cost(rig, few)) / more),
            "edge_made": Value((keep_cost(rig, many) - keep_cost(rig, few)) / more),
            "edge_again": Value((again_cost(rig, many) - again_cost(rig, few)) / more)}


def _seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def times(rig: Rig, _why: Dict[str, str]) -> Figures:
    """A chain of short passes as a graph, as a kept graph, as tasks with waits, and as tasks that come after each
    other: in turn, so that all see the same machine."""
    device, kernel = rig.device, rig.module["empty"]
    graph = blank_graph(device, kernel, SHORT, True)
    whole, single = graph.work(device), device.work(kernel, grid=1, block=1)
    loose = blank_graph(device, kernel, SHORT).work(device)

    def as_tasks() -> None:
        for _ in range(SHORT):
            device.submit_many([single])[0].wait(WAIT_S)

    def as_edges() -> None:
        last = device.submit(kernel, grid=1, block=1)
        for _ in range(SHORT - 1):
            last = device.submit(kernel, grid=1, block=1, after=[last])
        last.wait(WAIT_S)

    with graph.keep(device) as kept:
        ways = {"graph": lambda: device.submit_many([whole])[0].wait(WAIT_S),
                "kept": lambda: kept.launch().wait(WAIT_S),
                "loose": lambda: device.submit_many([loose])[0].wait(WAIT_S),
                "tasks": as_tasks, "after": as_edges}
        took: Dict[str, list] = {name: [] for name in ways}
        for _ in range(ROUNDS):
            for name, work in ways.items():
                took[name].append(_seconds(work) * 1e6)
    least = {name: min(one) for name, one in took.items()}
    figures = {f"time_{name}": Value(round(value, 1), f"median {statistics.median(took[name]):,.1f} us")
               for name, value in least.items()}
    for name in ("tasks", "after"):
        ratio = least[name] / least["graph"]
        figures[f"share_{name}"] = Value(round(100 / ratio, 1), f"{ratio:.1f} times as fast")
    return figures


GROUPS = (((fill, passes, edges), SMS, True), ((fill, times), SMS, False))


def measure(board: str, why: Dict[str, str]) -> Figures:
    """All figures of a board; `why` gets what failed."""
    return measure_groups(board, GROUPS, why)
