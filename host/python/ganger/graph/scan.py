# SPDX-License-Identifier: Apache-2.0
"""Words of the text form of graphs, each with its line and column."""

import re
from typing import Any, Iterator, NamedTuple

from .isa import Place, graph_error

_TOKEN = re.compile(r"""
    (?P<space>[ \t\r\f\v;]+ | \#[^\n]*) | (?P<line>\n)
  | (?P<float>[0-9]+\.[0-9]+(?:[eE][-+]?[0-9]+)? | [0-9]+[eE][-+]?[0-9]+)
  | (?P<number>0[xX][0-9a-fA-F]+ | [0-9]+) (?P<unit>[KMG](?![A-Za-z0-9_]))?
  | (?P<name>[A-Za-z_][A-Za-z_0-9]*) | "(?P<string>[^"\n]*)"
  | (?P<sign><<|>>|==|!=|<=|>=|\.\.|[-+*/%&|^<>=!(){}\[\],:.]) | (?P<other>.)
""", re.VERBOSE)
DIGITS = 40  # Of a number: more than any that is valid.
_UNITS = {None: 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


class Token(NamedTuple):
    """kind: "number", "float", "name", "string", "sign", "end"; value: what it says."""
    kind: str
    value: Any
    place: Place


def _number(digits: str, place: Place) -> int:
    if len(digits) > DIGITS:
        raise graph_error("ERR_GRAPH_TYPE", place, f"A number has at most {DIGITS} digits.", digits[:DIGITS])
    return int(digits, 10 if digits.isdigit() else 16)


def tokens(text: str) -> Iterator[Token]:
    """All words of a text one by one, and one of kind "end". Raises Error ERR_GRAPH_STEP, ERR_GRAPH_TYPE."""
    line, begin = 1, 0
    for match in _TOKEN.finditer(text):
        kind, at = match.lastgroup or "other", match.start()
        if kind == "space":
            continue
        if kind == "line":
            line, begin = line + 1, at + 1
            continue
        place, value = Place(line, at - begin + 1), match[kind]
        if kind in ("number", "unit"):
            value, kind = _number(match["number"], place) * _UNITS[match["unit"]], "number"
        elif kind == "float":
            value = float(value)
        elif kind == "other":
            raise graph_error("ERR_GRAPH_STEP", place, f"Unknown character '{value}'.", value)
        yield Token(kind, value, place)
    yield Token("end", "the end of the text", Place(line, len(text) - begin + 1))
