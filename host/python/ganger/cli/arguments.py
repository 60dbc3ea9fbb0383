# SPDX-License-Identifier: Apache-2.0
"""Kernel arguments on the command line: the same for run, submit, clrun and graphs."""

import argparse
from pathlib import Path
from typing import Any, List, NamedTuple, Optional

from .. import values
from ..errors import Error
from .common import file_name, save, size

FORMS = {"in": "in:FILE", "out": "out:NBYTES:FILE", "inout": "inout:FILE:FILE",
         "zero": "zero:NBYTES", "local": "local:NBYTES", "bytes": "bytes:HEX"}
HELP = """--arg, one for each parameter, in order (NBYTES may end in K, M or G):
  in:FILE, zero:NBYTES, out:NBYTES:FILE, inout:FILE:FILE    buffers
  local:NBYTES, bytes:HEX    shared memory of each CTA; a vector or a structure
  NUMBER, u8: to u64:, i8: to i64:, f32:, f64:NUMBER    a value"""


class Spec(NamedTuple):
    """A parsed argument. kind: "in", "out", "inout", "zero", or "value" with the value itself."""
    kind: str
    value: Any = None
    nbytes: int = 0
    source: Optional[str] = None
    target: Optional[str] = None


def _number(text: str):
    try:
        return int(text, 0)
    except ValueError:
        return float(text)


def _buffer(kind: str, rest: str) -> Optional[Spec]:
    """A buffer; None if something is missing."""
    first, _colon, second = rest.partition(":")
    if kind == "zero" and rest:
        return Spec("zero", nbytes=size(rest))
    if kind == "in" and rest:
        return Spec("in", source=rest)
    if kind == "out" and second:
        return Spec("out", nbytes=size(first), target=second)
    if kind == "inout" and second:
        return Spec("inout", source=first, target=second)
    return None


def _spec(kind: str, rest: str) -> Optional[Spec]:
    if kind in values.TYPES:
        number = float(rest) if kind in ("f32", "f64") else int(rest, 0)
        return Spec("value", values.TYPES[kind](number))
    if kind == "bytes":
        return Spec("value", values.raw(bytes.fromhex(rest)))
    if kind == "local":
        return Spec("value", values.local(size(rest)))
    return _buffer(kind, rest)


def parse(text: str) -> Spec:
    """One --arg. Raises ArgumentTypeError."""
    kind, colon, rest = text.partition(":")
    known = kind in FORMS or kind in values.TYPES
    form = FORMS.get(kind, f"{kind}:NUMBER") if known else \
        f"a number or one of {', '.join(FORMS.values())}, i32:NUMBER, …"
    try:
        found = _spec(kind, rest) if colon else Spec("value", _number(text))
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"'{text}': {error}; write {form}") from None
    except (ValueError, Error):
        found = None
    if found is None:
        raise argparse.ArgumentTypeError(f"'{text}': write {form}")
    return found


class Arguments:
    """Specs with their buffers in a device."""

    def __init__(self, device, specs: List[Spec]):
        self._specs = specs
        contents = [Path(spec.source).read_bytes() if spec.source else None for spec in specs]
        self.list = [spec.value if spec.kind == "value" else self._buffer(device, spec, content)
                     for spec, content in zip(specs, contents)]

    @staticmethod
    def _buffer(device, spec: Spec, content: Optional[bytes]):
        if content is not None:
            return device.buffer(content)
        buffer = device.buffer(nbytes=spec.nbytes)  # Refused here if the device has not so much.
        buffer.write(bytes(spec.nbytes))
        return buffer

    def outputs(self) -> List[dict]:
        """What is to be written afterwards: address, nbytes, file."""
        return [{"address": buffer.address, "nbytes": len(buffer), "file": file_name(spec.target)}
                for spec, buffer in zip(self._specs, self.list) if spec.target]

    def write(self) -> List[dict]:
        """Writes the result files."""
        for spec, buffer in zip(self._specs, self.list):
            if spec.target:
                save(spec.target, buffer.read())
        return self.outputs()
