# SPDX-License-Identifier: Apache-2.0
"""Markdown emitter: the register manual, and the tables of numbers inside of docs/ABI.md."""
import re

# `<!-- numbers NAME -->` begins a table of the enumeration NAME, `<!-- end -->` ends it.
MARKED = re.compile(r"(<!-- numbers (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def table(block):
    out = "| offset | word | bits | writer | meaning |\n|---|---|---|---|---|\n"
    for word in block.words:
        name = f"`{word.name}`" + (f" × {word.count}" if word.count > 1 else "")
        enum = f" One of [{word.enum}](#{word.enum})." if word.enum else ""
        out += f"| 0x{word.offset:03x} | {name} | 31:0 | {word.writer} | {word.desc}{enum} |\n"
        for bits in word.bits:
            span = f"{bits.high}:{bits.low}" if bits.high > bits.low else f"{bits.low}"
            enum = f" One of [{bits.enum}](#{bits.enum})." if bits.enum else ""
            out += f"| | `{bits.name}` | {span} | | {bits.desc}{enum} |\n"
    return out + "\n"


def numbers(members):
    """Table of an enumeration."""
    out = "| number | name | meaning |\n|---|---|---|\n"
    for member in members:
        out += f"| {member.value} | {member.name} | {member.desc} |\n"
    return out


def manual(blocks, enums):
    """docs/REGISTERS.md"""
    out = """<!-- Generated from firmware/abi/ganger.rdl by `make abi`. Do not edit. -->
# Registers and descriptors

Little endian, 32-bit accesses; a 64-bit value is two words, low first. Every word has one writer.
The host finds the capability block at the place that the board states, and all else through it.

"""
    for block in blocks:
        out += f"## {block.title}\n\n{block.desc} {block.bytes} bytes.\n\n" + table(block)
    out += "# Numbers\n\n"
    for name, members in enums.items():
        out += f"## {name}\n\n{numbers(members)}\n"
    return out


def filled(text, enums):
    """A document with its marked tables written anew."""
    return MARKED.sub(lambda m: m.group(1) + numbers(enums[m.group(2)]) + m.group(3), text)
