# SPDX-License-Identifier: Apache-2.0
"""The section .ganger.kernels, as firmware/kernel/kernel_meta.h describes it."""
import struct

MAGIC, MAJOR, MINOR = 0x4B4D4747, 1, 3
BARRIER, STACK_ASSUMED, BLOCK_FIXED, SILENT, EDGES, LOOPS = 1, 2, 4, 8, 16, 32
SPACE_SHIFT = 8
FOLD = "ganger_folded"  # of runtime/fold.c

HEADER = struct.Struct("<IHHIHHIIIIIHHIHHIIII")
KERNEL = struct.Struct("<7IHH4I")
ARGUMENT = struct.Struct("<4IHBBII")


class Strings:
    """The string table; equal strings are stored once."""

    def __init__(self):
        self.data = b"\0"
        self.places = {"": 0}

    def place(self, text):
        if text not in self.places:
            self.places[text] = len(self.data)
            self.data += text.encode() + b"\0"
        return self.places[text]


def isa_bits(extensions):
    bits = 0
    for letter in extensions:
        bits |= 1 << ord(letter) - ord("a")
    return bits


def kernel_flags(kernel, needs):
    return ((BARRIER if needs.barrier else 0) | (STACK_ASSUMED if needs.unknown else 0)
            | (BLOCK_FIXED if kernel.block else 0) | (SILENT if needs.silent and kernel.wrapper else 0)
            | (EDGES if kernel.edges and not kernel.block else 0) | (LOOPS if needs.loops else 0))


def pack_kernel(kernel, needs, entry, first, strings):
    return KERNEL.pack(strings.place(kernel.name), kernel_flags(kernel, needs), entry, kernel.address,
                       needs.stack_bytes, needs.shared_bytes, kernel.args_bytes, first,
                       len(kernel.arguments), *(kernel.block or (0, 0, 0)),
                       strings.place(kernel.attributes))


def pack_argument(argument, strings):
    t = argument.type
    return ARGUMENT.pack(strings.place(argument.name), strings.place(t.shown), argument.offset,
                         t.size, t.align, t.kind, t.type, t.flags | t.space << SPACE_SHIFT,
                         strings.place(t.cl_name))


def encode(image, extensions, producer, kernels):
    """`kernels`: list of (kernel, needs, entry)."""
    strings = Strings()
    entries, arguments, count = b"", b"", 0
    for kernel, needs, entry in kernels:
        entries += pack_kernel(kernel, needs, entry, count, strings)
        arguments += b"".join(pack_argument(a, strings) for a in kernel.arguments)
        count += len(kernel.arguments)
    made_by = strings.place(producer)
    arguments_at = HEADER.size + len(entries)
    strings_at = arguments_at + len(arguments)
    header = HEADER.pack(
        MAGIC, MAJOR, MINOR, strings_at + len(strings.data), HEADER.size, image.xlen,
        isa_bits(extensions), image.value("__ganger_text_end"), image.value("__ganger_data_start"),
        image.value("__ganger_image_end"), HEADER.size, KERNEL.size, len(kernels), arguments_at,
        ARGUMENT.size, count, strings_at, len(strings.data), made_by,
        image.value(FOLD) if FOLD in image.named else 0)
    return header + entries + arguments + strings.data
