# SPDX-License-Identifier: Apache-2.0
"""PeakRDL exporter `ganger`: one SystemRDL description to C, Python and Markdown.

The stock C exporter drops descriptions and writers, which are the point of our register header,
so this plug-in walks the elaborated tree once into plain records (`Block`, `Word`, `Bits`) and
hands them to three small emitters.
"""
import re
from dataclasses import dataclass, field
from pathlib import Path

from peakrdl.plugins.exporter import ExporterSubcommandPlugin
from systemrdl.node import FieldNode, RegNode

import emit_c
import emit_markdown
import emit_python


@dataclass
class Bits:
    """A bit field of a word."""

    name: str
    low: int
    high: int
    desc: str
    enum: str | None

    @property
    def mask(self):
        return ((1 << (self.high - self.low + 1)) - 1) << self.low


@dataclass
class Word:
    """A 32-bit word, or an array of them. `bits` is empty when the word has one value."""

    name: str
    offset: int
    count: int
    desc: str
    writer: str
    enum: str | None
    bits: list[Bits] = field(default_factory=list)


@dataclass
class Block:
    """A register block or a descriptor."""

    name: str
    title: str
    desc: str
    bytes: int
    code: int
    words: list[Word] = field(default_factory=list)

    def field_ids(self):
        """(name, id) of every word and bit field that a refusal can name. The high word of a pair
        has an id of its own, and the pair's name."""
        if not self.code:
            return
        for word in self.words:
            for bits in word.bits:
                yield bits.name, self.code << 24 | bits.low << 16 | word.offset
            if not word.bits:
                yield re.sub("_(lo|hi)$", "", word.name), self.code << 24 | word.offset


@dataclass
class Enumerator:
    """One number of an enumeration; `value` is the number as software sees it."""

    name: str
    value: int
    desc: str


def enum_of(node, enums):
    """Name of a field's enumeration; records it. `status` counts downwards from 0."""
    enum = node.get_property("encode")
    if enum is None:
        return None
    name = enum.type_name
    sign = -1 if name == "status" else 1
    enums.setdefault(name, [Enumerator(m.name, sign * m.value, m.rdl_desc or "") for m in enum])
    return name


def word_of(reg, enums):
    """Record of a register node."""
    fields = [child for child in reg.children() if isinstance(child, FieldNode)]
    word = Word(reg.inst_name, reg.raw_address_offset, reg.array_dimensions[0] if reg.is_array else 1,
                reg.get_property("desc") or "", reg.get_property("writer", default=""), None)
    for node in fields:
        enum = enum_of(node, enums)
        if node.inst_name == "value" and len(fields) == 1:
            word.enum = enum
        else:
            word.bits.append(Bits(node.inst_name, node.low, node.high,
                                  node.get_property("desc") or "", enum))
    if not word.writer:
        raise SystemExit(f"{reg.get_path()}: no writer")
    return word


def collect(top):
    """All blocks and enumerations of the tree, in the order of the source."""
    enums, blocks = {}, []
    for node in top.children():
        block = Block(node.inst_name, node.get_property("name"), node.get_property("desc") or "",
                      node.size, node.get_property("code", default=0))
        block.words = [word_of(reg, enums) for reg in node.children(unroll=False)
                       if isinstance(reg, RegNode)]
        blocks.append(block)
    return blocks, enums


class GangerExporter(ExporterSubcommandPlugin):
    """`peakrdl ganger FILE.rdl -o ROOT`: writes the generated files below ROOT."""

    short_desc = "Write Ganger's C header, Python model and register manual"

    def do_export(self, top_node, options):
        blocks, enums = collect(top_node)
        root = Path(options.output)
        for path, text in {
            "firmware/abi/ganger_abi.h": emit_c.header(blocks, enums),
            "firmware/abi/ganger_names.h": emit_c.names(blocks, enums),
            "host/python/ganger/abi.py": emit_python.module(blocks, enums),
            "docs/REGISTERS.md": emit_markdown.manual(blocks, enums),
            "docs/ABI.md": emit_markdown.filled(Path("docs/ABI.md").read_text(), enums),
        }.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
