# SPDX-License-Identifier: Apache-2.0
"""Python emitter: enumerations and layouts as data; `ganger.regs` gives them life."""

from version import MAGIC, MAJOR, MINOR


def module(blocks, enums):
    """host/python/ganger/abi.py"""
    out = '''# SPDX-License-Identifier: Apache-2.0
# Generated from firmware/abi/ganger.rdl by `make abi`. Do not edit.
"""The ABI as data: numbers, layouts and field ids."""

from typing import Dict, Optional, Tuple

Field = Tuple[int, int, Optional[str], str]
Word = Tuple[int, int, Optional[str], str, str, Dict[str, Field]]

''' + f"""MAGIC = 0x{MAGIC:X}
MAJOR = {MAJOR}
MINOR = {MINOR}

"""
    out += "# name: {enumerator: number}\nENUMS: Dict[str, Dict[str, int]] = {\n"
    for name, members in enums.items():
        out += f"    {name!r}: {{\n"
        for member in members:
            out += f"        {member.name!r}: {member.value},\n"
        out += "    },\n"
    out += "}\n\n# status number: sentence\nSTATUS_TEXT: Dict[int, str] = {\n"
    for member in enums["status"]:
        out += f"    {member.value}: {member.desc!r},\n"
    out += ("}\n\n# block: (bytes, {word: (offset, count, enumeration, writer, description,\n"
            "#                       {bit field: (low, high, enumeration, description)})})\nBLOCKS: Dict[str, Tuple[int, Dict[str, Word]]] = {\n")
    for block in blocks:
        out += f"    {block.name!r}: ({block.bytes}, {{\n"
        for word in block.words:
            out += (f"        {word.name!r}: ({word.offset}, {word.count}, {word.enum!r}, "
                    f"{word.writer!r},\n            {word.desc!r}, {{\n")
            for bits in word.bits:
                out += (f"                {bits.name!r}: ({bits.low}, {bits.high}, {bits.enum!r}, "
                        f"{bits.desc!r}),\n")
            out += "            }),\n"
        out += "    }),\n"
    out += "}\n\n# field id: (block, field)\nFIELDS: Dict[int, Tuple[str, str]] = {\n"
    for block in blocks:
        for name, number in block.field_ids():
            out += f"    0x{number:08X}: ({block.name!r}, {name!r}),\n"
    return out + "}\n"
