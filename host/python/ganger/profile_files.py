# SPDX-License-Identifier: Apache-2.0
"""Pictures of a profile: a flame graph and a roofline as SVG, and a time line for Perfetto."""

import json
import math
from html import escape
from typing import Callable, Dict, List, Mapping, Tuple

from .profile_work import Turn, Work
from .symbols import Place
from .trace_svg import COLOURS, STYLE
from .typed import Json

WIDTH, ROW, TOP, EDGE = 1200, 18, 48, 8
NARROW = 0.4         # Frames of fewer pixels are left out.
TURNS_MOST = 200_000  # With more work-items only CTAs are in the time line.


def _picture(width: float, height: float, title: str, note: str, parts: List[str]) -> str:
    return (f'<svg xmlns="http://www.w3.org/2000/svg" class="ganger" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}"><style>{STYLE}.ganger text {{ pointer-events: none; }}'
            f'.ganger g:hover rect {{ stroke: #1f2933; }}</style><rect width="100%" height="100%" fill="#ffffff"/>'
            f'<text x="{EDGE}" y="20" class="title">{escape(title)}</text><text x="{EDGE}" y="38" class="note">{escape(note)}</text>'
            + "\n".join(parts) + "</svg>\n")


class _Frame:
    """A function in the flame graph: what was executed in it, and what it called."""

    def __init__(self) -> None:
        self.count = 0
        self.inner: Dict[str, "_Frame"] = {}

    def add(self, names: Tuple[str, ...], count: int) -> None:
        """Counts a stack."""
        frame = self
        frame.count += count
        for name in names:
            frame = frame.inner.setdefault(name, _Frame())
            frame.count += count

    @property
    def depth(self) -> int:
        """Rows above it."""
        return 1 + max((one.depth for one in self.inner.values()), default=-1)


def folded(stacks: Mapping[Tuple[str, ...], int]) -> str:
    """Counts by call stack as other programs read them: a line for each, `a;b;c count`."""
    return "".join(f"{';'.join(names)} {count}\n" for names, count in stacks.items())


def flame(stacks: Mapping[Tuple[str, ...], int], title: str, unit: str = "instructions",
          about: str = "the width of a function is its share of them, below it is what called it, on top its source lines") -> str:
    """A flame graph: below a function are the ones that called it, and its width is what was executed in it. `stacks`: as
    Profile.stacks(), which count in `unit`."""
    root = _Frame()
    for names, count in stacks.items():
        root.add(names, count)
    parts: List[str] = []
    rows = root.depth
    height = TOP + (rows + 1) * ROW + EDGE
    _draw(parts, root, ("all", unit), 0, 0.0, root.count, height - EDGE - ROW)
    return _picture(WIDTH, height, f"Flame graph {title}".rstrip(), f"{root.count:,} {unit}; {about}", parts)


def _draw(parts: List[str], frame: _Frame, what: Tuple[str, str], depth: int, start: float, total: int, y: float) -> None:
    """`what`: the name of the frame, and the unit."""
    name, unit = what
    scale = (WIDTH - 2 * EDGE) / max(1, total)
    width = frame.count * scale
    if width < NARROW:
        return
    colour = "#c9d1d9" if depth == 0 else COLOURS[sum(name.encode()) % len(COLOURS)]
    about = f"{name}: {frame.count:,} {unit}, {100 * frame.count / max(1, total):.1f} %"
    room = int(width / 6.2)
    shown = name if len(name) <= room else name[:room - 1] + "…" if room > 3 else ""
    x = EDGE + start * scale
    parts.append(f'<g><title>{escape(about)}</title><rect x="{x:.2f}" y="{y - depth * ROW:.0f}" width="{width:.2f}" '
                 f'height="{ROW - 1}" rx="2" fill="{colour}" fill-opacity="0.75"/>'
                 f'<text x="{x + 3:.2f}" y="{y - depth * ROW + 13:.0f}">{escape(shown)}</text></g>')
    for inner, below in sorted(frame.inner.items()):
        _draw(parts, below, (inner, unit), depth + 1, start, total, y)
        start += below.count


def roofline(costs: Mapping[str, Tuple[int, int]], peak: float, bandwidth: float, title: str) -> str:
    """A point for each function, by (instructions, bytes), and one for all: to the right by instructions a byte, and as high as
    a core can be there. Left of the edge it waits for memory. What moves no bytes is not there."""
    moved = {name: cost for name, cost in costs.items() if cost[1]}
    every = (sum(cost[0] for cost in costs.values()), sum(cost[1] for cost in costs.values()))
    points = [(name, cost[0] / cost[1], cost[0]) for name, cost in list(moved.items())[:len(COLOURS)]]
    points += [("all", every[0] / every[1], every[0])] if every[1] else []
    edge = peak / bandwidth
    at = [x for _name, x, _count in points] + [edge]
    low, high = math.floor(math.log2(min(at))) - 1, math.ceil(math.log2(max(at))) + 1
    bottom = math.floor(math.log2(min(peak, bandwidth * 2.0 ** low)))
    left, width, height = 70, WIDTH - 330, 420

    def place(x: float, y: float) -> Tuple[float, float]:
        return (left + (math.log2(x) - low) * width / (high - low),
                TOP + 20 + height * (1 - (math.log2(y) - bottom) / (math.log2(peak) - bottom)))

    parts = []
    for step in range(low, high + 1):
        x, _y = place(2.0 ** step, peak)
        parts.append(f'<line x1="{x:.1f}" y1="{TOP + 20}" x2="{x:.1f}" y2="{TOP + 20 + height}" class="grid"/>'
                     f'<text x="{x:.1f}" y="{TOP + height + 36}" class="tick">{2.0 ** step:g}</text>')
    for step in range(bottom, math.floor(math.log2(peak)) + 1):
        _x, y = place(edge, 2.0 ** step)
        parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + width}" y2="{y:.1f}" class="grid"/>'
                     f'<text x="{left - 8}" y="{y + 4:.1f}" class="sm">{2.0 ** step:g}</text>')
    roof = [(2.0 ** low, min(peak, bandwidth * 2.0 ** low)), (min(max(edge, 2.0 ** low), 2.0 ** high), peak), (2.0 ** high, peak)]
    parts.append('<polyline fill="none" stroke="#36424e" stroke-width="2" points="'
                 + " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*one) for one in roof)) + '"/>')
    parts.append(f'<text x="{left + width / 2:.0f}" y="{TOP + height + 54}" class="tick">instructions a byte</text>'
                 f'<text x="{EDGE}" y="{TOP + 8}" class="note">instructions a cycle, at most</text>')
    for number, (name, x, count) in enumerate(points):
        shown = COLOURS[number % len(COLOURS)] if name != "all" else "#1f2933"
        share, y = count / max(1, every[0]), min(peak, bandwidth * x)
        px, py = place(x, y)
        about = f"{name}: {x:.2f} instructions a byte, {100 * share:.1f} % of the instructions; at most {y:.2f} in a cycle: " + \
            ("memory decides" if x < edge else "instructions decide")
        parts.append(f'<g><title>{escape(about)}</title><circle cx="{px:.1f}" cy="{py:.1f}" r="{4 + 12 * math.sqrt(share):.1f}" '
                     f'fill="{shown}" fill-opacity="0.6"/></g><circle cx="{WIDTH - 240}" cy="{TOP + 26 + 18 * number}" r="5" fill="{shown}"/>'
                     f'<text x="{WIDTH - 228}" y="{TOP + 30 + 18 * number}">{escape(f"{name[:24]}: {x:.2f}")}</text>')
    return _picture(WIDTH, TOP + height + 68, f"Roofline {title}".rstrip(),
                    f"a core of {peak:g} instructions and {bandwidth:g} bytes a cycle; its edge is at {edge:g} instructions a byte", parts)


def _meta(kind: str, name: str, pid: int, tid: int = 0) -> Json:
    return {"ph": "M", "name": f"{kind}_name", "pid": pid, "tid": tid, "args": {"name": name}}


def _bar(name: str, pid: int, tid: int, start: int, count: int, **args: object) -> Json:
    return {"ph": "X", "cat": ("cta", "work-item")[tid], "name": name, "pid": pid, "tid": tid, "ts": start / 1000, "dur": count / 1000,
            "args": args}


def _of_sm(sm: int, turns: List[Turn], items: bool, place: Callable[[int], Place]) -> List[Json]:
    """Bars of an SM: CTAs, and the turns of their work-items below them."""
    pid = 10 + sm
    rows: List[Json] = [_meta("process", f"SM {sm}", pid), _meta("thread", "CTAs", pid), _meta("thread", "work-items", pid, 1)]
    now = begin = 0
    for number, turn in enumerate(turns):
        count = turn.instructions + turn.runtime
        if items:
            where = {"barrier": str(place(turn.barrier))} if turn.barrier is not None else {}
            rows.append(_bar(f"work-item {turn.thread}", pid, 1, now, count, cta=turn.cta, instructions=turn.instructions, **where))
        now += count
        following = turns[number + 1] if number + 1 < len(turns) else None
        if following is None or (following.cta, following.tag) != (turn.cta, turn.tag):
            rows.append(_bar(f"CTA {turn.cta}", pid, 0, begin, now - begin, cta=turn.cta, tag=turn.tag))
            begin = now
    return rows


def perfetto(work: Work, place: Callable[[int], Place]) -> str:
    """The document. The clock of each SM is the number of instructions that it has executed."""
    by_sm: Dict[int, List[Turn]] = {}
    for turn in work.turns:
        by_sm.setdefault(turn.sm, []).append(turn)
    items = len(work.turns) <= TURNS_MOST
    rows = [row for sm in sorted(by_sm) for row in _of_sm(sm, by_sm[sm], items, place)]
    return json.dumps({"traceEvents": rows, "displayTimeUnit": "ns",
                       "otherData": {"producer": "ganger prof", "clock": "instructions of each SM", "work_items": items}})
