# SPDX-License-Identifier: Apache-2.0
"""Types in LLVM's text: their size and alignment in the memory of a RISC-V core."""
import re

from .errors import KernelError
from .layout import align_up

STRUCTURE = re.compile(r"^(%[\w.$]+|%\"[^\"]+\") = type (.*)$", re.M)
NUMBERS = {"half": 2, "float": 4, "double": 8}
OPEN, CLOSE = "([{<", ")]}>"


def split(text):
    """At commas outside of brackets and of quotation marks."""
    parts, depth, quoted, current = [], 0, False, ""
    for letter in text:
        quoted ^= letter == '"'
        if not quoted:
            depth += (letter in OPEN) - (letter in CLOSE)
        if letter == "," and not depth and not quoted:
            parts.append(current.strip())
            current = ""
        else:
            current += letter
    return parts + [current.strip()] if current.strip() else parts


class IrTypes:
    def __init__(self, text, xlen):
        self.pointer_bytes = xlen // 8
        self.named = dict(STRUCTURE.findall(text))

    @staticmethod
    def first(parameter):
        """The type at the start of a parameter: up to the first blank outside of brackets."""
        depth = 0
        for place, letter in enumerate(parameter):
            depth += (letter in OPEN) - (letter in CLOSE)
            if letter == " " and not depth:
                return parameter[:place]
        return parameter

    def of_parameter(self, parameter):
        """(type, alignment or 0): of a structure, which is passed by address, what lies there."""
        match = re.search(r" byval\((.*)\) align (\d+)", parameter)
        return (match.group(1), int(match.group(2))) if match else (self.first(parameter), 0)

    def size(self, type_):
        return self.measure(type_)[0]

    def align(self, type_):
        return self.measure(type_)[1]

    def measure(self, type_):
        """(bytes in an array, alignment)"""
        if type_.endswith("*"):
            return self.pointer_bytes, self.pointer_bytes
        if type_ in self.named:
            return self.measure(self.named[type_])
        if type_ in NUMBERS or re.fullmatch(r"i\d+", type_):
            size = NUMBERS.get(type_) or max(1, int(type_[1:]) // 8)
            return size, size
        if type_.startswith(("{", "<{")):
            return self.structure(type_)
        match = re.fullmatch(r"([\[<])(\d+) x (.*)[\]>]", type_)
        if not match:
            raise KernelError(f"the type {type_} cannot be passed")
        size, align = self.measure(match.group(3))
        size *= int(match.group(2))
        if match.group(1) == "[":
            return size, align
        size = 1 << (size - 1).bit_length()  # a vector of three takes the room of four
        return size, size

    def structure(self, type_):
        packed = type_.startswith("<")
        end, most = 0, 1
        for member in split(type_.strip("<>").strip()[1:-1]):
            size, align = self.measure(member)
            align = 1 if packed else align
            end, most = align_up(end, align) + size, max(most, align)
        return align_up(end, most), most
