# SPDX-License-Identifier: Apache-2.0
"""Kernel arguments on the command line."""

import argparse
from pathlib import Path
from typing import Any, List, NamedTuple, Optional

from .. import values
from ..errors import Error
from .common import file_name, size

HELP = """arguments, one --arg for each parameter, in order:
  in:FILE            a buffer with the content of a file
  out:NBYTES:FILE    a buffer of zeros, written to a file afterwards
  inout:FILE:FILE    a buffer with the content of the first, written to the second afterwards
  zero:NBYTES        a buffer of zeros
  local:NBYTES       __local memory of each CTA
  u8: u16: u32: u64: i8: i16: i32: i64: f32: f64:NUMBER
  bytes:HEX          a vector or a structure
  NUMBER             a number of the size that the kernel declares; with a point: a float
NBYTES may end in K, M or G."""


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


def parse(text: str) -> Spec:
    """One --arg. Raises ArgumentTypeError."""
    kind, colon, rest = text.partition(":")
    first, _colon, second = rest.partition(":")
    try:
        if not colon:
            return Spec("value", _number(text))
        if kind in values.TYPES:
            number = float(rest) if kind in ("f32", "f64") else int(rest, 0)
            return Spec("value", values.TYPES[kind](number))
        if kind == "bytes":
            return Spec("value", values.raw(bytes.fromhex(rest)))
        if kind == "local":
            return Spec("value", values.local(size(rest)))
        if kind == "zero":
            return Spec("zero", nbytes=size(rest))
        if kind == "in" and rest:
            return Spec("in", source=rest)
        if kind == "out" and second:
            return Spec("out", nbytes=size(first), target=second)
        if kind == "inout" and second:
            return Spec("inout", source=first, target=second)
    except (ValueError, Error) as error:
        raise argparse.ArgumentTypeError(f"'{text}': {error}") from None
    raise argparse.ArgumentTypeError(f"'{text}' is not in:FILE, out:NBYTES:FILE, i32:5, …; "
                                     "see --help")


class Arguments:
    """Specs with their buffers in a device."""

    def __init__(self, device, specs: List[Spec]):
        contents = [Path(spec.source).read_bytes() if spec.source else bytes(spec.nbytes)
                    for spec in specs]
        self._specs = specs
        self.list = [spec.value if spec.kind == "value" else device.buffer(content)
                     for spec, content in zip(specs, contents)]

    def outputs(self) -> List[dict]:
        """What is to be written afterwards: address, nbytes, file."""
        return [{"address": buffer.address, "nbytes": len(buffer), "file": file_name(spec.target)}
                for spec, buffer in zip(self._specs, self.list) if spec.target]

    def write(self) -> List[dict]:
        """Writes the result files."""
        for spec, buffer in zip(self._specs, self.list):
            if spec.target:
                Path(spec.target).write_bytes(buffer.read())
        return self.outputs()
