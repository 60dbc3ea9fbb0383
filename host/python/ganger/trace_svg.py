# SPDX-License-Identifier: Apache-2.0
"""A trace as a time line in SVG: tasks on top, then a row per SM with a line per CTA slot."""

from html import escape
from typing import Dict, Iterator, List, Tuple

from .trace_events import CtaBar, Events, TaskBar

WIDTH, LEFT, RIGHT, TOP = 1200, 96, 24, 56
TASK_HEIGHT, ROW_MAX, ROW_MIN, ROWS_HEIGHT = 20, 11, 2, 900
TITLES_MAX = 5000  # With more bars there are no tooltips, so that the file stays small.
COLOURS = ("#3b6fb6", "#e07b39", "#3f9b6e", "#c2455e", "#8a63b8", "#b58a1b",
           "#2f9fb3", "#d56ba6", "#7a8c3a", "#6b7280")
# Each rule names the picture's own class, since a style in a notebook is the whole page's.
STYLE = """
.ganger { background: #ffffff; font-family: system-ui, 'DejaVu Sans', sans-serif; font-size: 11px; }
.ganger .title { font-size: 15px; font-weight: 600; fill: #1f2933; }
.ganger .note, .ganger .tick { fill: #64707d; } .ganger .sm { fill: #36424e; text-anchor: end; }
.ganger .grid { stroke: #dfe4e9; } .ganger .band { fill: #f4f6f8; } .ganger .in { fill: #ffffff; }
.ganger .out { fill: #36424e; } .ganger .tick { text-anchor: middle; }
"""


def tick_step(span: float) -> float:
    """A round step (1, 2 or 5 times a power of ten) that cuts `span` into 5 to 12 parts."""
    step = 10.0 ** -9
    while span / step > 12:
        for factor in (2, 2.5, 2):
            step *= factor
            if span / step <= 12:
                break
    return step


class _Scale:
    """The x coordinate of a time in ns."""

    def __init__(self, begin: int, end: int):
        self.begin, self.span = begin, max(1, end - begin)

    def x(self, when: int) -> float:
        return LEFT + (when - self.begin) * (WIDTH - LEFT - RIGHT) / self.span

    def ticks(self) -> Iterator[Tuple[float, str]]:
        """(x, text) of each tick; text in ms."""
        span_ms = self.span / 1e6
        step = tick_step(span_ms)
        digits = max(0, len(f"{step:.9f}".rstrip("0").split(".")[1]))
        for number in range(int(span_ms / step + 1e-9) + 1):
            yield self.x(self.begin + round(number * step * 1e6)), f"{number * step:.{digits}f}"


def _rect(x: float, y: float, width: float, height: float, colour: str, title: str) -> str:
    corner = ' rx="1.5"' if height > 5 and width > 4 else ""
    about = f"><title>{escape(title)}</title></rect>" if title else "/>"
    return (f'<rect x="{x:.2f}" y="{y:.1f}" width="{max(width, 0.6):.2f}" height="{height:.1f}"'
            f'{corner} fill="{colour}"{about}')


def _text(x: float, y: float, kind: str, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(text)}</text>'


def _legend(tasks: List[TaskBar], colours: Dict[str, str]) -> List[str]:
    parts, x = [], float(LEFT)
    for name in dict.fromkeys(bar.name for bar in tasks):
        width = 26 + 6.6 * len(name)
        if x + width > WIDTH - RIGHT:
            parts.append(_text(x, TOP - 14, "note", "…"))
            break
        parts.append(f'<rect x="{x:.0f}" y="{TOP - 23}" width="11" height="11" rx="2" '
                     f'fill="{colours[name]}"/>')
        parts.append(_text(x + 16, TOP - 13, "out", name))
        x += width
    return parts


def _task_rows(tasks: List[TaskBar], scale: _Scale, colours: Dict[str, str], y: float) -> List[str]:
    parts = []
    for bar in tasks:
        x, width = scale.x(bar.start), scale.x(bar.end) - scale.x(bar.start)
        took = f"{(bar.end - bar.start) / 1e6:.3f} ms"
        parts.append(_rect(x, y + 2, width, TASK_HEIGHT - 5, colours[bar.name],
                           f"{bar.name}, tag {bar.tag}: {took}, {bar.status or 'not completed'}"))
        label = f"{bar.name}  {took}"
        room = 6.4 * len(label)
        if width > room:
            parts.append(_text(x + 5, y + 13, "in", label))
        elif x + width + room < WIDTH:
            parts.append(_text(x + width + 5, y + 13, "out", label))
        else:
            parts.append(_text(x - 5, y + 13, "sm", label))
        y += TASK_HEIGHT
    return parts


class _Group:
    """Bars of one task in one row that no eye could tell apart."""

    def __init__(self, first: CtaBar):
        self.first, self.end, self.number = first, first.end, 1

    def takes(self, bar: CtaBar, scale: _Scale) -> bool:
        """Whether a bar is near enough; then it is one of the group."""
        if self.first.tag != bar.tag or scale.x(bar.start) - scale.x(self.end) >= 0.25 \
                or scale.x(bar.end) - scale.x(bar.start) >= 0.8:
            return False
        self.end, self.number = bar.end, self.number + 1
        return True


def _merged(bars: List[CtaBar], scale: _Scale) -> List[_Group]:
    last: Dict[Tuple[int, int], _Group] = {}
    groups = []
    for bar in bars:
        group = last.get((bar.sm, bar.row))
        if group is None or not group.takes(bar, scale):
            group = last[bar.sm, bar.row] = _Group(bar)
            groups.append(group)
    return groups


def _cta_bars(trace: Events, bars: List[CtaBar], scale: _Scale, colours: Dict[str, str],
              tops: List[float], height: float) -> List[str]:
    groups, parts = _merged(bars, scale), []
    for group in groups:
        bar, end = group.first, group.end
        name, title = trace.name(bar.tag), ""
        if len(groups) <= TITLES_MAX:
            what = f"CTA {bar.cta}" if group.number == 1 else f"{group.number} CTAs"
            title = f"{name}: {what}, SM {bar.sm}, {(end - bar.start) / 1e6:.3f} ms"
        parts.append(_rect(scale.x(bar.start), tops[bar.sm] + bar.row * height,
                           scale.x(end) - scale.x(bar.start), height - (1 if height > 4 else 0),
                           colours[name], title))
    return parts


def _axis(scale: _Scale, top: float, bottom: float) -> List[str]:
    parts = []
    for x, text in scale.ticks():
        parts.append(f'<line x1="{x:.1f}" y1="{top:.1f}" x2="{x:.1f}" y2="{bottom:.1f}" '
                     'class="grid"/>')
        parts.append(_text(x, bottom + 15, "tick", text))
    return parts + [_text(WIDTH - RIGHT - 14, bottom + 32, "tick", "time, ms")]


def render(trace: Events) -> str:
    """The document; an empty trace gives an empty time line."""
    tasks, bars = trace.tasks(), trace.ctas()
    spans = [(bar.start, bar.end) for bar in tasks] + [(bar.start, bar.end) for bar in bars]
    times = [time for span in spans for time in span] or [0]
    scale = _Scale(min(times), max(times))
    colours = {name: COLOURS[place % len(COLOURS)]
               for place, name in enumerate(dict.fromkeys(bar.name for bar in tasks))}
    shown = tasks if len(tasks) <= 40 else []
    rows = [1 + max((bar.row for bar in bars if bar.sm == sm), default=0)
            for sm in range(trace.sms)]
    height = max(ROW_MIN, min(ROW_MAX, ROWS_HEIGHT / max(1, sum(rows))))
    tops, y = [], TOP + len(shown) * TASK_HEIGHT + 10.0
    body = []
    for sm, count in enumerate(rows):
        tops.append(y)
        body.append(f'<rect x="{LEFT}" y="{y - 1:.1f}" width="{WIDTH - LEFT - RIGHT}" '
                    f'height="{count * height + 1:.1f}" class="band"/>')
        if count * height >= 9 or sm % 8 == 0:
            body.append(_text(LEFT - 8, y + count * height / 2 + 4, "sm", f"SM {sm}"))
        y += count * height + (6 if height > 4 else 2)
    body += _axis(scale, TOP, y)
    body += _task_rows(shown, scale, colours, TOP)
    body += _cta_bars(trace, bars, scale, colours, tops, height)
    title = f"{len(tasks)} tasks, {len(bars)} CTAs on {trace.sms} SMs"
    if trace.lost:
        title += f" ({trace.lost} records lost)"
    head = [_text(LEFT, 22, "title", title), *_legend(tasks, colours)]
    if shown:
        head.append(_text(LEFT - 8, TOP + 13, "sm", "Tasks"))
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" class="ganger" '
                      f'viewBox="0 0 {WIDTH} {y + 44:.0f}" width="{WIDTH}" height="{y + 44:.0f}"><style>{STYLE}</style>',
                      *head, *body, "</svg>", ""])
