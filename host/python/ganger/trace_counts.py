# SPDX-License-Identifier: Apache-2.0
"""What a trace says about the whole device over time: SMs that are busy, CTAs in flight, tasks that wait."""

from typing import Dict, Iterable, List, Tuple

from .trace_events import Events

Span = Tuple[int, int]   # Begin and end, in ns.
Steps = List[Tuple[int, int]]  # (time in ns, value from then on), times rising.


def steps(spans: Iterable[Span]) -> Steps:
    """How many of the spans are open, from each time at which that changes."""
    changes: Dict[int, int] = {}
    for begin, end in spans:
        changes[begin] = changes.get(begin, 0) + 1
        changes[end] = changes.get(end, 0) - 1
    value, found = 0, []
    for when in sorted(changes):
        if changes[when] != 0:
            value += changes[when]
            found.append((when, value))
    return found


def merged(spans: Iterable[Span]) -> List[Span]:
    """The same time as spans that neither overlap nor touch."""
    found: List[Span] = []
    for begin, end in sorted(spans):
        if found and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((begin, end))
    return found


def counters(trace: Events) -> Dict[str, Steps]:
    """Name of each counter: its values over time. A task waits while CTAs of it are kept back for some reason."""
    ctas = trace.ctas()
    by_sm: Dict[int, List[Span]] = {}
    for bar in ctas:
        by_sm.setdefault(bar.sm, []).append((bar.start, bar.end))
    by_task: Dict[int, List[Span]] = {}
    for wait in trace.waits():
        by_task.setdefault(wait.tag, []).append((wait.start, wait.end))
    return {
        "SMs busy": steps(span for spans in by_sm.values() for span in merged(spans)),
        "CTAs in flight": steps((bar.start, bar.end) for bar in ctas),
        "tasks waiting": steps(span for spans in by_task.values() for span in merged(spans)),
        "tasks in the device": steps((bar.start, bar.end) for bar in trace.tasks()),
        "passes running": steps((bar.start, bar.end) for bar in trace.passes()),
    }
