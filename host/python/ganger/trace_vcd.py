# SPDX-License-Identifier: Apache-2.0
"""A trace as VCD for GTKWave: per SM slot the tag and the CTA that run there, a bit for each task and each pass of a graph,
and counters of the device."""

from typing import Dict, List, Tuple

from .trace_counts import counters
from .trace_events import Events

_PRINTABLE = [chr(code) for code in range(33, 127)]


def _identifier(number: int) -> str:
    text = _PRINTABLE[number % len(_PRINTABLE)]
    while number >= len(_PRINTABLE):
        number = number // len(_PRINTABLE) - 1
        text += _PRINTABLE[number % len(_PRINTABLE)]
    return text


class _Document:
    def __init__(self) -> None:
        self._scopes: Dict[str, List[str]] = {}
        self._changes: List[Tuple[int, int, str]] = []
        self._initial: List[str] = []

    def signal(self, scope: str, name: str, bits: int) -> str:
        identifier = _identifier(len(self._initial))
        self._scopes.setdefault(scope, []).append(f"$var wire {bits} {identifier} {name} $end")
        self._initial.append(f"0{identifier}" if bits == 1 else f"bz {identifier}")
        return identifier

    def change(self, when: int, order: int, text: str) -> None:
        self._changes.append((when, order, text))

    def text(self) -> str:
        lines = ["$version ganger $end", "$timescale 1 ns $end"]
        for scope, variables in self._scopes.items():
            lines += [f"$scope module {scope} $end", *variables, "$upscope $end"]
        lines += ["$enddefinitions $end", "$dumpvars", *self._initial, "$end"]
        last = None
        for when, _order, text in sorted(self._changes):
            if when != last:
                lines.append(f"#{when}")
                last = when
            lines.append(text)
        return "\n".join(lines) + "\n"


def _add_bit(document: _Document, scope: str, name: str, start: int, end: int) -> None:
    """A signal that is 1 from start to end."""
    identifier = document.signal(scope, name.replace(" ", "_"), 1)
    document.change(start, 1, f"1{identifier}")
    document.change(end, 0, f"0{identifier}")


def _add_counters(document: _Document, trace: Events) -> None:
    for name, values in counters(trace).items():
        identifier = document.signal("device", name.replace(" ", "_"), 32)
        for when, value in values:
            document.change(when, 1, f"b{value:b} {identifier}")


def render(trace: Events) -> str:
    """The document. Times in ns; a slot that is idle reads z."""
    document = _Document()
    _add_counters(document, trace)
    for bar in trace.tasks():
        _add_bit(document, "tasks", f"{bar.name}_{bar.tag}", bar.start, bar.end)
    for one in trace.passes():
        _add_bit(document, "graphs", f"{trace.name(one.tag)}_{one.tag}_{one.name}_{one.number}", one.start, one.end)
    slots: Dict[Tuple[int, int], List[str]] = {}
    ctas = trace.ctas()
    for place in sorted({(cta.sm, cta.row) for cta in ctas}):
        slots[place] = [document.signal(f"sm{place[0]}", f"slot{place[1]}_{what}", 32)
                        for what in ("tag", "cta")]
    for cta in ctas:
        for identifier, value in zip(slots[cta.sm, cta.row], (cta.tag, cta.cta)):
            document.change(cta.start, 1, f"b{value:b} {identifier}")
            document.change(cta.end, 0, f"bz {identifier}")
    return document.text()
