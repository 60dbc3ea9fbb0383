# SPDX-License-Identifier: Apache-2.0
"""Signatures of kernels, and the remarks before them, from DWARF."""
import struct
from dataclasses import dataclass, field, replace

from elftools.elf.elffile import ELFFile

from .errors import KernelError
from .layout import POINTER, QUALIFIERS, RESTRICT, Type, Types, align_up, attribute, die_name, shown, target

NOTE = struct.Struct("<4I")  # struct ganger_note
NOTE_BLOCK, NOTE_STACK = 1, 2
NOTE_PREFIX = "ganger_note_"


@dataclass
class Argument:
    name: str
    type: Type
    offset: int = 0


@dataclass
class Kernel:
    name: str
    address: int
    arguments: list = field(default_factory=list)
    args_bytes: int = 0
    definitions: list = field(default_factory=list)
    place: tuple = ()     # (compilation unit, file, line) of its definition
    block: tuple = ()     # GANGER_BLOCK
    stack: int = 0        # GANGER_STACK
    attributes: str = ""  # as in OpenCL C
    edges: bool = True    # its language allows CTAs of fewer threads at the end of a grid
    wrapper: str = ""     # of OpenCL C: the function that takes the address of the argument block


def origin(die, name):
    """The DIE that has an attribute: this one, or the one it is an instance of."""
    while die is not None and "DW_AT_" + name not in die.attributes:
        links = [a for a in ("DW_AT_abstract_origin", "DW_AT_specification") if a in die.attributes]
        die = die.get_DIE_from_attribute(links[0]) if links else None
    return die


def value(die, name):
    found = origin(die, name)
    return attribute(found, name) if found is not None else None


def result(die):
    found = origin(die, "type")
    return target(found) if found is not None else None


def place(unit, die):
    return unit.cu_offset, value(die, "decl_file"), value(die, "decl_line")


def described(type_, die):
    """The type with its names, and as a restricted pointer if it is one."""
    restricted = type_.type == POINTER and die is not None and die.tag == "DW_TAG_restrict_type"
    inner = die
    while inner is not None and inner.tag in QUALIFIERS:
        inner = target(inner)
    if inner is not None and inner.tag == "DW_TAG_pointer_type":
        pointed = target(inner)
        while pointed is not None and pointed.tag in QUALIFIERS:
            pointed = target(pointed)
        bare = shown(pointed) + "*"
    else:
        bare = shown(inner)
    return replace(type_, shown=shown(die), flags=type_.flags | (RESTRICT if restricted else 0),
                   cl_name=bare.replace(" *", "*"))


def read_kernel(kernel, unit, die, xlen):
    if result(die) is not None:
        raise KernelError(f"kernel {kernel.name}: must return void")
    types = Types(xlen)
    kernel.place = place(unit, die)
    for child in die.iter_children():
        if child.tag == "DW_TAG_unspecified_parameters":
            raise KernelError(f"kernel {kernel.name}: must not have a variable number of arguments (...)")
        if child.tag == "DW_TAG_formal_parameter":
            named = origin(child, "name")
            name = die_name(named) if named is not None else f"argument{len(kernel.arguments)}"
            try:
                type_ = described(types.of(result(child)), result(child))
                kernel.arguments.append(Argument(name, type_))
            except KernelError as error:
                raise KernelError(f"kernel {kernel.name}, parameter {name}: {error}") from None
    kernel.definitions = types.definitions
    lay_out(kernel)


def lay_out(kernel):
    """As the members of a C struct."""
    end, align = 0, 1
    for argument in kernel.arguments:
        argument.offset = align_up(end, argument.type.align)
        end, align = argument.offset + argument.type.size, max(align, argument.type.align)
    kernel.args_bytes = align_up(end, align)


def note_of(die, notes):
    """The struct ganger_note of a variable."""
    operation = attribute(die, "location")
    address = int.from_bytes(bytes(operation[1:]), "little")
    return NOTE.unpack_from(notes, address)


def apply_note(note, where, kernels):
    """A remark belongs to the next kernel of its file, which may be on its own line."""
    unit, file, line = where
    behind = [k for k in kernels if k.place[:2] == (unit, file) and k.place[2] >= line]
    if not behind:
        raise KernelError(f"line {line}: GANGER_BLOCK or GANGER_STACK without a kernel behind it")
    kernel = min(behind, key=lambda k: k.place[2])
    what, *numbers = note
    if what == NOTE_STACK:
        kernel.stack = numbers[0]
    elif 0 in numbers or numbers[0] * numbers[1] * numbers[2] > 1024:
        raise KernelError(f"kernel {kernel.name}: GANGER_BLOCK{tuple(numbers)} has not 1 to 1,024 threads")
    else:
        kernel.block = tuple(numbers)
        kernel.attributes = f"reqd_work_group_size({','.join(map(str, numbers))})"


def read_kernels(path, image, known):
    """All kernels of a linked image, in their order there. `known`: those of OpenCL C, by name, which
    have been read before."""
    kernels = {address: replace(known[name], address=address) if name in known else Kernel(name, address)
               for name, address in image.kernels()}
    notes = []
    with open(path, "rb") as stream:
        dwarf = ELFFile(stream).get_dwarf_info(relocate_dwarf_sections=False)
        for unit in dwarf.iter_CUs():
            for die in unit.get_top_DIE().iter_children():
                low = attribute(die, "low_pc")
                if die.tag == "DW_TAG_subprogram" and low in kernels and not kernels[low].wrapper:
                    read_kernel(kernels[low], unit, die, image.xlen)
                elif die.tag == "DW_TAG_variable" and die_name(die).startswith(NOTE_PREFIX) \
                        and "DW_AT_location" in die.attributes:
                    notes.append((note_of(die, image.notes), place(unit, die)))
    for kernel in kernels.values():
        if not kernel.place and not kernel.wrapper:
            raise KernelError(f"kernel {kernel.name}: no debug information about it (was -g0 given?)")
    for note, where in notes:
        apply_note(note, where, kernels.values())
    return list(kernels.values())


CONST = {6: 0x0c, 10: 0x0e}  # DW_OP_const4u, const8u, by the bytes of an expression that a thread-local address ends
TLS_ADDRESS = (0x9b, 0xe0)   # DW_OP_form_tls_address, DW_OP_GNU_push_tls_address
BREG_TP = 0x74               # DW_OP_breg4: tp and a signed offset


def from_tp(offset, nbytes):
    """An expression of so many bytes: the offset's number is padded."""
    groups = [offset >> 7 * place & 0x7f | 0x80 for place in range(nbytes - 2)]
    return bytes([BREG_TP, *groups, 0])


def reach_shared(path, image):
    """Writes into the file where shared variables are: at a distance from tp. clang says thread-local storage, whose place a
    debugger would ask an operating system for; gcc says nothing."""
    offsets = {symbol.value for symbol in image.symbols if symbol.type == "STT_TLS"}
    with open(path, "r+b") as stream:
        elf = ELFFile(stream)
        first = [segment["p_vaddr"] for segment in elf.iter_segments("PT_TLS")]
        if not offsets or not first:
            return
        section = elf.get_section_by_name(".debug_info")["sh_offset"]
        dwarf = elf.get_dwarf_info(relocate_dwarf_sections=False)
        found = [die.attributes["DW_AT_location"] for unit in dwarf.iter_CUs() for die in unit.iter_DIEs()
                 if die.tag == "DW_TAG_variable" and "DW_AT_location" in die.attributes]
        for location in found:
            operation = bytes(location.value) if location.form == "DW_FORM_exprloc" else b""
            offset = int.from_bytes(operation[1:-1], "little") - first[0]
            if len(operation) in CONST and operation[0] == CONST[len(operation)] and operation[-1] in TLS_ADDRESS and offset in offsets:
                stream.seek(section + location.offset + 1)
                stream.write(from_tp(offset, len(operation)))
