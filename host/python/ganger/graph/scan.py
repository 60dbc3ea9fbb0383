# SPDX-License-Identifier: Apache-2.0
"""Words of the text form of graphs, each with its line and column."""

import re
from typing import Any, Iterator, List, NamedTuple

from .isa import Place, graph_error

_TOKEN = re.compile(r"""
    (?P<space>[ \t\r\f\v;]+ | \#[^\n]*) | (?P<line>\n)
  | (?P<float>[0-9]+\.[0-9]+(?:[eE][-+]?[0-9]+)? | [0-9]+[eE][-+]?[0-9]+)
  | (?P<number>0[xX][0-9a-fA-F]+ | [0-9]+) (?P<unit>[KMG](?![A-Za-z0-9_]))?
  | (?P<name>[A-Za-z_][A-Za-z_0-9]*) | (?P<string>"[^"\n]*")
  | (?P<sign><<|>>|==|!=|<=|>=|\.\.|[-+*/%&|^<>=!(){}\[\],:.])
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


def _tokens(text: str) -> Iterator[Token]:
    line, begin, at = 1, 0, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        place = Place(line, at - begin + 1)
        if match is None:
            raise graph_error("ERR_GRAPH_STEP", place, f"Unknown character '{text[at]}'.", text[at])
        at = match.end()
        if match["line"]:
            line, begin = line + 1, at
        elif match["number"]:
            yield Token("number", _number(match["number"], place) * _UNITS[match["unit"]], place)
        elif match["float"]:
            yield Token("float", float(match["float"]), place)
        elif match["name"]:
            yield Token("name", match["name"], place)
        elif match["string"]:
            yield Token("string", match["string"][1:-1], place)
        elif match["sign"]:
            yield Token("sign", match["sign"], place)
    yield Token("end", "the end of the text", Place(line, at - begin + 1))


def tokens(text: str) -> List[Token]:
    """All words of a text, and one of kind "end". Raises Error ERR_GRAPH_STEP."""
    return list(_tokens(text))
