# SPDX-License-Identifier: Apache-2.0
"""A layered layout of graphs as SVG, for machines without Graphviz: layers from top to bottom, within
a layer by the mean place of neighbours."""

from html import escape
from typing import Any, Dict, List, Tuple

_CHARACTER, _LINE, _PADDING = 7.2, 14, 12   # Pixels.
_GAP_X, _GAP_Y, _MARGIN, _TITLE = 28, 46, 20, 26
_SWEEPS = 8
_FILLS = {"FAILED": "#f5b7b1", "SKIPPED": "#e5e7e9"}
_MARKED, _PLAIN = "#c0392b", "#34495e"


class _Box:
    """A node with its centre and size."""

    def __init__(self, node: Any):
        self.node = node
        self.width = max(len(line) for line in node.lines) * _CHARACTER + 2 * _PADDING
        if node.round:
            self.width *= 1.25
        self.height = len(node.lines) * _LINE + (24 if node.round else 14)
        self.x = self.y = 0.0


def _layers(drawn: Any, boxes: Dict[str, _Box]) -> List[List[_Box]]:
    by_layer: Dict[int, List[_Box]] = {}
    for node in drawn.nodes:
        by_layer.setdefault(node.layer, []).append(boxes[node.id])
    return [by_layer[number] for number in sorted(by_layer)]


def _spread(layer: List[_Box]) -> None:
    """Places of boxes side by side, with the middle at 0."""
    width = sum(box.width for box in layer) + _GAP_X * (len(layer) - 1)
    at = -width / 2
    for box in layer:
        box.x = at + box.width / 2
        at += box.width + _GAP_X


def _order(drawn: Any, boxes: Dict[str, _Box], layers: List[List[_Box]]) -> None:
    """Makes crossings fewer: moves each node to where its neighbours are, a few times."""
    neighbours: Dict[str, List[_Box]] = {name: [] for name in boxes}
    for edge in drawn.edges:
        neighbours[edge.source].append(boxes[edge.target])
        neighbours[edge.target].append(boxes[edge.source])

    def mean(box: _Box) -> float:
        near = neighbours[box.node.id]
        return sum(one.x for one in near) / len(near) if near else box.x

    for layer in layers:
        _spread(layer)
    for sweep in range(_SWEEPS):
        for layer in (layers if sweep % 2 == 0 else reversed(layers)):
            layer.sort(key=mean)
            _spread(layer)


def _place(layers: List[List[_Box]]) -> Tuple[float, float]:
    """Coordinates from 0 on; returns width and height."""
    left = min((box.x - box.width / 2 for layer in layers for box in layer), default=0)
    y = _MARGIN + _TITLE
    for layer in layers:
        height = max(box.height for box in layer)
        for box in layer:
            box.x += _MARGIN - left
            box.y = y + height / 2
        y += height + _GAP_Y
    right = max((box.x + box.width / 2 for layer in layers for box in layer), default=0)
    return right + _MARGIN, y - _GAP_Y + _MARGIN


def _shape(box: _Box) -> List[str]:
    node = box.node
    colour, width = (_MARKED, 2.5) if node.marked else (_PLAIN, 1)
    style = f'stroke="{colour}" stroke-width="{width}"'
    if node.round:
        lines = [f'<ellipse cx="{box.x:.1f}" cy="{box.y:.1f}" rx="{box.width / 2:.1f}" '
                 f'ry="{box.height / 2:.1f}" fill="#fdfefe" {style}/>']
    else:
        fill = _FILLS.get(node.state, "#d6eaf8")
        lines = [f'<rect x="{box.x - box.width / 2:.1f}" y="{box.y - box.height / 2:.1f}" '
                 f'width="{box.width:.1f}" height="{box.height:.1f}" rx="3" fill="{fill}" {style}/>']
    first = box.y - (len(node.lines) - 1) * _LINE / 2 + 4
    return lines + [f'<text x="{box.x:.1f}" y="{first + at * _LINE:.1f}">{escape(line, quote=False)}</text>'
                    for at, line in enumerate(node.lines)]


def _arrow(edge: Any, boxes: Dict[str, _Box]) -> str:
    source, target = boxes[edge.source], boxes[edge.target]
    down = target.y >= source.y
    begin = source.y + (source.height if down else -source.height) / 2
    end = target.y - (target.height if down else -target.height) / 2
    bend = (end - begin) / 2
    colour, width = (_MARKED, 2.5) if edge.marked else (_PLAIN, 1)
    dash = ' stroke-dasharray="5 4"' if edge.dashed else ""
    return (f'<path d="M{source.x:.1f},{begin:.1f} C{source.x:.1f},{begin + bend:.1f} '
            f'{target.x:.1f},{end - bend:.1f} {target.x:.1f},{end:.1f}" fill="none" '
            f'stroke="{colour}" stroke-width="{width}"{dash} marker-end="url(#arrow)"/>')


def layout_svg(drawn: Any) -> str:
    """The picture of a graph_draw.Picture."""
    boxes = {node.id: _Box(node) for node in drawn.nodes}
    layers = _layers(drawn, boxes)
    _order(drawn, boxes, layers)
    width, height = _place(layers)
    width = max(width, len(drawn.title) * _CHARACTER + 2 * _MARGIN)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
             'font-family="sans-serif" font-size="11" text-anchor="middle">',
             '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" '
             'markerHeight="7" orient="auto" markerUnits="userSpaceOnUse">'
             f'<path d="M0,0 L10,5 L0,10 z" fill="{_PLAIN}"/></marker></defs>',
             '<rect width="100%" height="100%" fill="white"/>',
             f'<text x="{_MARGIN}" y="{_MARGIN}" text-anchor="start" font-weight="bold">'
             f'{escape(drawn.title, quote=False)}</text>']
    lines += [_arrow(edge, boxes) for edge in drawn.edges]
    for layer in layers:
        for box in layer:
            lines += _shape(box)
    return "\n".join([*lines, "</svg>", ""])
