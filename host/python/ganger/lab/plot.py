# SPDX-License-Identifier: Apache-2.0
"""Runs as a picture in SVG: for each workload how long tasks waited, and the figures of each policy as bars."""

import math
from html import escape
from typing import Dict, Iterator, List, Tuple

from ..trace_svg import COLOURS, STYLE
from .figures import Figures, figures_of, waits_ms
from .player import Played

WIDTH, LEFT, TOP = 1200, 56, 56
CURVES, BARS, HEIGHT, GAP = 430, 124, 190, 74  # Widths of a panel and of a column of bars; a row's height, and what is between.
LEAST_MS = 0.001  # The left end of the axis: who waits less is there.
ROW = 30          # Highest bar.
POINTS = 120      # Of a curve, at most.
COLUMNS: Tuple[Tuple[str, str], ...] = (("makespan_ms", "makespan, ms"), ("mean_ms", "mean time, ms"),
                                        ("wait_99_ms", "99 % wait, ms"), ("fairness", "fairness"), ("blocks", "blocks/CTA"))


def _text(x: float, y: float, kind: str, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(text)}</text>'


def _short(value: float) -> str:
    """Three digits, or all of a larger number."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


class _Waits:
    """The panel of waiting times: the share of tasks that wait no longer than the x coordinate says."""

    def __init__(self, top: float, waits: List[List[float]]):
        self.top = top
        self.waits = waits
        longest = max(max(each) for each in waits)
        self.decades = max(1, math.ceil(math.log10(max(longest, LEAST_MS * 10) / LEAST_MS)))

    def x(self, wait: float) -> float:
        """Of a waiting time, in decades."""
        return LEFT + math.log10(max(wait, LEAST_MS) / LEAST_MS) * CURVES / self.decades

    def y(self, share: float) -> float:
        """Of a share of the tasks."""
        return self.top + HEIGHT * (1 - share)

    def axes(self) -> Iterator[str]:
        """Lines and numbers."""
        for percent in (0, 50, 100):
            y = self.y(percent / 100)
            yield f'<line x1="{LEFT}" y1="{y:.1f}" x2="{LEFT + CURVES}" y2="{y:.1f}" class="grid"/>'
            yield _text(LEFT - 6, y + 4, "sm", f"{percent} %")
        for decade in range(self.decades + 1):
            x = LEFT + decade * CURVES / self.decades
            yield f'<line x1="{x:.1f}" y1="{self.top:.1f}" x2="{x:.1f}" y2="{self.top + HEIGHT:.1f}" class="grid"/>'
            yield _text(x, self.top + HEIGHT + 15, "tick", f"{LEAST_MS * 10 ** decade:g}")
        yield _text(LEFT + CURVES / 2, self.top + HEIGHT + 31, "tick", "tasks that wait no longer than so many ms")

    def curve(self, waits: List[float], colour: str) -> str:
        """One policy's."""
        count = len(waits)
        chosen = sorted({round(step * (count - 1) / POINTS) for step in range(POINTS + 1)})
        points = [(self.x(waits[0]), self.y(0))] + [(self.x(waits[place]), self.y((place + 1) / count)) for place in chosen]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>'


def _bars(found: List[Figures], colours: Dict[str, str], top: float) -> Iterator[str]:
    height = min(HEIGHT / len(found), ROW)
    for place, (field, title) in enumerate(COLUMNS):
        left = LEFT + CURVES + 40 + place * (BARS + 12)
        most = max(getattr(one, field) for one in found) or 1
        yield _text(left, top - 6, "note", title)
        for row, one in enumerate(found):
            value, y = getattr(one, field), top + row * height
            width, label = BARS * value / most, _short(value)
            inside = width > 7 * len(label) + 8
            yield (f'<rect x="{left}" y="{y + 2:.1f}" width="{max(width, 1):.1f}" height="{height - 4:.1f}" rx="1.5" '
                   f'fill="{colours[one.policy]}"><title>{escape(one.policy)}: {value:,.3f}</title></rect>')
            yield _text(left + (5 if inside else width + 4), y + height / 2 + 4, "in" if inside else "out", label)


def _legend(colours: Dict[str, str]) -> Iterator[str]:
    x = float(LEFT)
    for name, colour in colours.items():
        yield f'<rect x="{x:.0f}" y="31" width="11" height="11" rx="2" fill="{colour}"/>'
        yield _text(x + 16, 41, "out", name)
        x += 34 + 6.6 * len(name)


def render(played: List[Played]) -> str:
    """The document, with a row for each workload."""
    names = list(dict.fromkeys(one.policy.name for one in played))
    colours = {name: COLOURS[place % len(COLOURS)] for place, name in enumerate(names)}
    machine = played[0].machine
    title = f"{machine.sms} SMs with {machine.slots} slots and {machine.lanes} lanes"
    body, top = [_text(LEFT, 22, "title", title), *_legend(colours)], TOP + 26.0
    for workload in dict.fromkeys(one.workload.name for one in played):
        runs = [one for one in played if one.workload.name == workload]
        panel = _Waits(top, [waits_ms(one) for one in runs])
        body += [_text(LEFT, top - 8, "out", f"{workload}: {len(runs[0].workload.tasks)} tasks"), *panel.axes()]
        body += [panel.curve(waits, colours[one.policy.name]) for one, waits in zip(runs, panel.waits)]
        body += _bars([figures_of(one) for one in runs], colours, top)
        top += HEIGHT + GAP
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" class="ganger" viewBox="0 0 {WIDTH} {top:.0f}" '
                      f'width="{WIDTH}" height="{top:.0f}"><style>{STYLE}</style>', *body, "</svg>", ""])
