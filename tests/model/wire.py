# SPDX-License-Identifier: Apache-2.0
"""Descriptors as words, by the names of the ABI."""
from ganger import abi

ENUMS = abi.ENUMS


def _places(block):
    """Name of a register or field: (word, shift)."""
    places = {}
    for name, (offset, _, _, _, _, fields) in abi.BLOCKS[block][1].items():
        places[name] = (offset // 4, 0)
        for field, (low, *_) in (fields or {}).items():
            places[field] = (offset // 4, low)
    return places


PLACES = {block: _places(block) for block in ("tmd", "command", "dependent", "request", "config")}
WORDS = {block: abi.BLOCKS[block][0] // 4 for block in PLACES}


def pack(block, **values):
    """Words of a descriptor; what is not named is 0."""
    words = [0] * WORDS[block]
    for name, value in values.items():
        word, shift = PLACES[block][name]
        words[word] |= value << shift
    return words


def offset(block, name):
    """Byte offset of a register."""
    return PLACES[block][name][0] * 4
