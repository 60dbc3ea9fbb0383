# SPDX-License-Identifier: Apache-2.0
"""Kernel arguments on the command line: the same for run, submit, clrun and graphs."""

import argparse
from pathlib import Path
from typing import Any, List, NamedTuple, Optional, Union

from .. import values
from ..device import Device
from ..errors import Error
from ..memory import Buffer
from ..typed import Json
from .common import file_name, save, size

FORMS = {"in": "in:FILE", "out": "out:NBYTES:FILE", "inout": "inout:FILE:FILE",
         "zero": "zero:NBYTES", "local": "local:NBYTES", "bytes": "bytes:HEX"}
HELP = """--arg SPEC, one for each parameter of a kernel, in order; for a graph, NAME=SPEC
  in:FILE               a buffer with the content of a file
  out:NBYTES:FILE       a buffer of zeros; written to the file at the end
  inout:FILE:FILE       a buffer that is read from a file and written to another
  zero:NBYTES           a buffer of zeros
  NUMBER                a value, in the type of the parameter
  u8: to u64:NUMBER     unsigned; i8: to i64:NUMBER signed; f32:, f64: floating
  bytes:HEX             a vector or a structure, byte for byte
  local:NBYTES          memory that the threads of a CTA share
NBYTES is a number such as 4096, 64K, 2M or 0x1000.

example: ganger run vecadd.elf --arg zero:4K --arg in:b.bin \\
    --arg out:4K:c.bin --arg i32:1024"""


class Spec(NamedTuple):
    """A parsed argument. kind: "in", "out", "inout", "zero", or "value" with the value itself."""
    kind: str
    value: Any = None
    nbytes: int = 0
    source: Optional[str] = None
    target: Optional[str] = None


def _number(text: str) -> Union[int, float]:
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

    def __init__(self, device: Device, specs: List[Spec]):
        self._specs = specs
        contents = [Path(spec.source).read_bytes() if spec.source else None for spec in specs]
        self.list = [spec.value if spec.kind == "value" else self._buffer(device, spec, content)
                     for spec, content in zip(specs, contents)]

    @staticmethod
    def _buffer(device: Device, spec: Spec, content: Optional[bytes]) -> Buffer:
        if content is not None:
            return device.buffer(content)
        buffer = device.buffer(nbytes=spec.nbytes)  # Refused here if the device has not so much.
        buffer.write(bytes(spec.nbytes))
        return buffer

    def unwritten(self) -> List[Buffer]:
        """Buffers of `out:`, whose zeros a kernel should not count on."""
        return [buffer for spec, buffer in zip(self._specs, self.list) if spec.kind == "out"]

    def outputs(self) -> List[Json]:
        """What is to be written afterwards: address, nbytes, file."""
        return [{"address": buffer.address, "nbytes": len(buffer), "file": file_name(spec.target)}
                for spec, buffer in zip(self._specs, self.list) if spec.target]

    def write(self) -> List[Json]:
        """Writes the result files."""
        for spec, buffer in zip(self._specs, self.list):
            if spec.target:
                save(spec.target, buffer.read())
        return self.outputs()
