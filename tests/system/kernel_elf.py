# SPDX-License-Identifier: Apache-2.0
"""Kernel ELFs made by hand, whose list of kernels says whatever a test wants (firmware/kernel/kernel_meta.h)."""
import struct

SECTION = ".ganger.kernels"
PAGE = 4096
HEADER, KERNEL, ARGUMENT = struct.Struct("<I2HI2H5I2HI2H3I"), struct.Struct("<7I2H3I"), struct.Struct("<4IH2BI")


class Strings:
    """A table of strings."""

    def __init__(self):
        self.data = b"\0"

    def add(self, text):
        """Offset of a new string."""
        at = len(self.data)
        self.data += text.encode() + b"\0"
        return at


def kernel_list(kernels, xlen=64, count=None, arguments=None, step=4):
    """The section. kernels: (name, number of parameters, each an int); count, arguments: what the header says, if not
    the truth; step: bytes from one argument to the next, if not right."""
    strings, rows, packed = Strings(), b"", b""
    producer = strings.add("a test")
    for number, (name, parameters) in enumerate(kernels):
        rows += KERNEL.pack(strings.add(name), 0, 4 * number, 4 * number, 256, 0, 4 * parameters,
                            len(packed) // ARGUMENT.size, parameters, 0, 0, 0)
        for at in range(parameters):
            packed += ARGUMENT.pack(strings.add(f"p{at}"), strings.add("int"), step * at, 4, 4, 0, 1, 0)
    at_arguments = HEADER.size + len(rows)
    at_strings = at_arguments + len(packed)
    header = HEADER.pack(0x4b4d4747, 1, 0, at_strings + len(strings.data), HEADER.size, xlen, 1 << 8, PAGE, PAGE, PAGE,
                         HEADER.size, KERNEL.size, len(kernels) if count is None else count, at_arguments,
                         ARGUMENT.size, len(packed) // ARGUMENT.size if arguments is None else arguments, at_strings, len(strings.data), producer)
    return header + rows + packed + strings.data


def kernel_elf(kernels, xlen=64, **said):
    """An ELF with that list, one page of nothing as code, and no relocations."""
    wide = xlen == 64
    names = b"\0.shstrtab\0" + SECTION.encode() + b"\0"
    section = kernel_list(kernels, xlen, **said)
    file_header = struct.Struct("<16s2H5I6H" if not wide else "<16s2HI3QI6H")
    row, segment = struct.Struct("<10I" if not wide else "<2I4Q2I2Q"), struct.Struct("<8I" if not wide else "<2I6Q")
    at = file_header.size + segment.size
    at_names, at_rows = at + len(section), at + len(section) + len(names)
    rows = bytes(row.size) + row.pack(1, 3, 0, 0, at_names, len(names), 0, 0, 1, 0) \
        + row.pack(11, 1, 0, 0, at, len(section), 0, 0, 1, 0)
    ident = b"\x7fELF" + bytes((2 if wide else 1, 1, 1)) + bytes(9)
    head = file_header.pack(ident, 3, 243, 1, 0, file_header.size, at_rows, 0, file_header.size, segment.size, 1,
                            row.size, 3, 1)
    load = (1, 5, 0, 0, 0, 0, PAGE, PAGE) if wide else (1, 0, 0, 0, 0, PAGE, 5, PAGE)
    return head + segment.pack(*load) + section + names + rows
