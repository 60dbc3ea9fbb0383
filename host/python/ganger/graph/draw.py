# SPDX-License-Identifier: Apache-2.0
"""Pictures of graphs (S2-R32): passes as boxes, resources as ellipses, with times of a run."""

import shutil
import subprocess
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional

from ..errors import Error
from ..files import write
from ..typed import Path as AnyPath
from .model import Model
from .report import GraphReport, critical_path
from .svg import layout_svg

DOT_TIMEOUT_S = 60


class DrawnNode(NamedTuple):
    """A node. id: of DOT; lines: of its label; round: a resource; marked: on the critical path;
    layer: from the top; state: of a pass that ran, or ""."""
    id: str
    lines: List[str]
    round: bool
    marked: bool
    layer: int
    state: str = ""


class DrawnEdge(NamedTuple):
    """An arrow. dashed: an order without data."""
    source: str
    target: str
    marked: bool = False
    dashed: bool = False


class Picture(NamedTuple):
    """What is drawn."""
    title: str
    nodes: List[DrawnNode]
    edges: List[DrawnEdge]


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def _bytes(nbytes: int) -> str:
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if nbytes >= size and nbytes % size == 0:
            return f"{nbytes // size} {unit}"
    return f"{nbytes} B"


def _depths(model: Model) -> List[int]:
    depths = [0] * len(model.passes)
    for number in model.order.topological():
        depths[number] = max((depths[one] + 1 for one in model.order.before[number]), default=0)
    return depths


def _resource_layer(model: Model, resource: int, depths: List[int]) -> int:
    writers = [depths[number] for number, one in model.writes if one == resource]
    if writers:
        return 2 * min(writers) + 2
    return 2 * min(depths[number] for one, number in model.reads if one == resource)


def _pass_lines(name: str, model: Model, number: int, report: Optional[GraphReport]) -> List[str]:
    lines = [name]
    if report is not None and number < len(report.passes):
        one = report.passes[number]
        lines.append(_time(one.time) if one.state == "DONE" else one.state.lower())
    commands = len(model.passes[number].commands)
    return [*lines, f"{commands} commands"] if commands > 1 else lines


def picture(model: Model, report: Optional[GraphReport] = None) -> Picture:
    """The picture of a graph; with a report also of its run. Raises Error ERR_ARGUMENT when the
    report is of another graph."""
    if report is not None and report.total != len(model.passes):
        raise Error("ERR_ARGUMENT", f"The report is of a graph of {report.total} passes, not "
                    f"{len(model.passes)}: give the arguments of the run.", "passes", report.total)
    path = critical_path(report.passes, model.order.before) if report else []
    marked, steps = set(path), set(zip(path, path[1:]))
    depths, nodes = _depths(model), []
    for number, one in enumerate(model.passes):
        state = report.passes[number].state if report and number < len(report.passes) else ""
        nodes.append(DrawnNode(f"p{number}", _pass_lines(one.name, model, number, report), False,
                               number in marked, 2 * depths[number] + 1, state))
    through = {resource for number, resource in model.writes for one, other in model.reads
               if one == resource and (number, other) in steps}
    for resource in model.resources:
        lines = [model.program.resource_name(resource)]
        if model.sizes[resource]:
            lines.append(_bytes(model.sizes[resource]))
        nodes.append(DrawnNode(f"r{resource}", lines, True, resource in through,
                               _resource_layer(model, resource, depths)))
    edges = [DrawnEdge(f"r{resource}", f"p{number}", resource in through and number in path[1:])
             for resource, number in sorted(model.reads)]
    edges += [DrawnEdge(f"p{number}", f"r{resource}", resource in through and number in path[:-1])
              for number, resource in sorted(model.writes)]
    edges += [DrawnEdge(f"p{other}", f"p{number}", (other, number) in steps, True)
              for number, one in enumerate(model.passes) for other in sorted(set(one.after))]
    return Picture(_title(model, report), nodes, edges)


def _title(model: Model, report: Optional[GraphReport]) -> str:
    text = f"{model.program.name}: {len(model.passes)} passes, {len(model.resources)} resources"
    return f"{text}, {_time(report.time)}" if report else text


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def dot_text(drawn: Picture) -> str:
    """Graphviz DOT."""
    lines = ["digraph graph_of_passes {", f"\tlabel={_quoted(drawn.title)};",
             '\tnode [fontname="sans-serif", fontsize=11];']
    for one in drawn.nodes:
        label = _quoted("\n".join(one.lines)).replace("\n", "\\n")
        shape = "ellipse" if one.round else "box"
        extra = ', color="#c0392b", penwidth=2' if one.marked else ""
        fill = "" if one.round else ', style=filled, fillcolor="%s"' % \
            {"FAILED": "#f5b7b1", "SKIPPED": "#e5e7e9"}.get(one.state, "#d6eaf8")
        lines.append(f"\t{one.id} [label={label}, shape={shape}{fill}{extra}];")
    for edge in drawn.edges:
        options = [part for part in ('color="#c0392b", penwidth=2' if edge.marked else "",
                                     "style=dashed" if edge.dashed else "") if part]
        lines.append(f"\t{edge.source} -> {edge.target}"
                     + (f" [{', '.join(options)}]" if options else "") + ";")
    return "\n".join([*lines, "}", ""])


def _by_dot(text: str, kind: str) -> bytes:
    try:
        done = subprocess.run(["dot", f"-T{kind}"], input=text.encode(), capture_output=True,
                              timeout=DOT_TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        raise Error("ERR_IO", f"dot took more than {DOT_TIMEOUT_S} s.", "dot") from None
    if done.returncode:
        raise Error("ERR_IO", f"dot failed: {done.stderr.decode(errors='replace').strip()}", "dot")
    return done.stdout


def rendered(drawn: Picture, kind: str) -> bytes:
    """As "dot", "svg" or "png". SVG by Graphviz when it is installed, else by a layout of our own;
    PNG needs Graphviz. Raises Error ERR_UNSUPPORTED."""
    text = dot_text(drawn)
    if kind == "dot":
        return text.encode()
    if kind not in ("svg", "png"):
        raise Error("ERR_UNSUPPORTED", "Pictures are .dot, .svg and .png.", "picture", kind)
    if shutil.which("dot"):
        return _by_dot(text, kind)
    if kind == "png":
        raise Error("ERR_UNSUPPORTED", "PNG needs Graphviz: install it, or ask for .svg.", "dot")
    return layout_svg(drawn).encode()


def save_picture(drawn: Picture, path: AnyPath) -> Dict[str, int]:
    """Writes a file; its ending says which kind. Returns what is in it."""
    place = Path(path)
    write(place, rendered(drawn, place.suffix[1:].lower() or "dot"))
    return {"nodes": len(drawn.nodes), "edges": len(drawn.edges)}
