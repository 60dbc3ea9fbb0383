# SPDX-License-Identifier: Apache-2.0
"""C types from DWARF: how they lie in the argument block, and how a stub spells them."""
from dataclasses import dataclass

from elftools.dwarf.enums import ENUM_DW_ATE

from .errors import KernelError

VALUE, GLOBAL, LOCAL = 0, 1, 2  # enum ggk_kind
POINTER, SIGNED, UNSIGNED, FLOAT, BOOL, AGGREGATE = range(6)  # enum ggk_type
CONST, VOLATILE, RESTRICT = 1, 2, 4  # GGK_ARG_CONST, …
PRIVATE, GLOBAL_SPACE, CONSTANT, LOCAL_SPACE = range(4)  # enum ggk_space
LOCAL_PREFIX = "ganger_local_"

ATE = {number: name for name, number in ENUM_DW_ATE.items() if isinstance(number, int)}
BASE = {"DW_ATE_signed": (SIGNED, "int{}_t"), "DW_ATE_signed_char": (SIGNED, "int{}_t"),
        "DW_ATE_unsigned": (UNSIGNED, "uint{}_t"), "DW_ATE_unsigned_char": (UNSIGNED, "uint{}_t"),
        "DW_ATE_boolean": (BOOL, "_Bool"), "DW_ATE_float": (FLOAT, "")}
FLOATS = {4: "float", 8: "double"}
QUALIFIERS = {"DW_TAG_const_type": "const", "DW_TAG_volatile_type": "volatile",
              "DW_TAG_restrict_type": "restrict", "DW_TAG_atomic_type": "_Atomic"}


@dataclass
class Type:
    spelling: str  # in a stub
    shown: str     # as in the source
    size: int
    align: int
    type: int
    kind: int = VALUE
    flags: int = 0
    space: int = PRIVATE
    cl_name: str = ""  # as clGetKernelArgInfo() tells it


def attribute(die, name, default=None):
    found = die.attributes.get("DW_AT_" + name)
    return found.value if found else default


def die_name(die):
    return attribute(die, "name", b"").decode()


def target(die):
    """The type that a DIE refers to, or None for void."""
    return die.get_DIE_from_attribute("DW_AT_type") if "DW_AT_type" in die.attributes else None


def shown(die):
    """A type as a person writes it, near enough."""
    if die is None:
        return "void"
    if die.tag == "DW_TAG_pointer_type":
        return shown(target(die)) + " *"
    if die.tag in QUALIFIERS:
        inner = shown(target(die))
        word = QUALIFIERS[die.tag]
        return f"{inner}{word}" if inner.endswith("*") else f"{word} {inner}"
    if die.tag == "DW_TAG_array_type":
        return shown(target(die)) + "[]"
    words = {"DW_TAG_structure_type": "struct ", "DW_TAG_union_type": "union ",
             "DW_TAG_enumeration_type": "enum "}
    return words.get(die.tag, "") + (die_name(die).removeprefix(LOCAL_PREFIX) or "(unnamed)")


def align_up(value, align):
    return (value + align - 1) // align * align


class Types:
    """Converts DIEs; `definitions` are the typedefs that the spellings need."""

    def __init__(self, xlen):
        self.pointer_bytes = xlen // 8
        self.definitions = []
        self.known = {}

    def of(self, die):
        if die is None:
            raise KernelError("void is no type of a value")
        if die.offset not in self.known:
            self.known[die.offset] = self.convert(die)
        return self.known[die.offset]

    def convert(self, die):
        if die.tag == "DW_TAG_typedef" or die.tag in QUALIFIERS:
            return self.of(target(die))
        convert = {"DW_TAG_pointer_type": self.pointer, "DW_TAG_base_type": self.base,
                   "DW_TAG_enumeration_type": self.enumeration, "DW_TAG_array_type": self.array,
                   "DW_TAG_structure_type": self.structure,
                   "DW_TAG_union_type": self.structure}.get(die.tag)
        if convert is None:
            raise KernelError(f"its type, {shown(die)}, cannot be passed")
        return convert(die)

    def pointer(self, die):
        inner, kind, flags, space = target(die), GLOBAL, 0, GLOBAL_SPACE
        while inner is not None and (inner.tag in QUALIFIERS or inner.tag == "DW_TAG_typedef"):
            flags |= {"DW_TAG_const_type": CONST, "DW_TAG_volatile_type": VOLATILE}.get(inner.tag, 0)
            if die_name(inner).startswith(LOCAL_PREFIX):
                kind, space = LOCAL, LOCAL_SPACE
            inner = target(inner)
        return Type("void *", shown(die), self.pointer_bytes, self.pointer_bytes, POINTER, kind, flags, space)

    def base(self, die):
        size = attribute(die, "byte_size")
        kind, spelling = BASE.get(ATE.get(attribute(die, "encoding")), (None, None))
        if kind is None or kind == FLOAT and size not in FLOATS or kind != FLOAT and size > 8:
            raise KernelError(f"its type, {die_name(die)}, cannot be passed")
        spelling = FLOATS[size] if kind == FLOAT else spelling.format(8 * size)
        return Type(spelling, die_name(die), size, size, kind)

    def enumeration(self, die):
        size = attribute(die, "byte_size")
        return Type(f"uint{8 * size}_t", shown(die), size, size, UNSIGNED)

    def define(self, text):
        """`text` has a {} where the new type's name belongs."""
        name = f"ganger_t{len(self.definitions)}"
        self.definitions.append("typedef " + text.format(name) + ";")
        return name

    def array(self, die):
        element = self.of(target(die))
        counts = [self.count(c) for c in die.iter_children() if c.tag == "DW_TAG_subrange_type"]
        size = element.size
        for count in counts:
            size *= count
        if "DW_AT_GNU_vector" in die.attributes:
            name = self.define(f"{element.spelling} {{}} __attribute__((vector_size({size})))")
            return Type(name, shown(die), size, size, AGGREGATE)
        name = self.define(f"{element.spelling} {{}}" + "".join(f"[{c}]" for c in counts))
        return Type(name, shown(die), size, element.align, AGGREGATE)

    @staticmethod
    def count(die):
        count = attribute(die, "count")
        if count is None:
            bound = attribute(die, "upper_bound")
            count = bound + 1 if isinstance(bound, int) else 0
        if not count:
            raise KernelError("its type has an array without a size")
        return count

    def structure(self, die):
        """Refuses what a stub's C cannot repeat: bit-fields, packed and over-aligned members."""
        is_union = die.tag == "DW_TAG_union_type"
        end, align, members = 0, 1, []
        for number, member in enumerate(c for c in die.iter_children() if c.tag == "DW_TAG_member"):
            if {"DW_AT_bit_size", "DW_AT_data_bit_offset"} & set(member.attributes):
                raise KernelError(f"its type, {shown(die)}, has a bit-field")
            part = self.of(target(member))
            place = 0 if is_union else align_up(end, part.align)
            if place != attribute(member, "data_member_location", 0):
                raise KernelError(f"its type, {shown(die)}, is packed or aligned by an attribute")
            end, align = max(end, place + part.size), max(align, part.align)
            members.append(f"{part.spelling} m{number}; ")
        if not members or align_up(end, align) != attribute(die, "byte_size"):
            raise KernelError(f"its type, {shown(die)}, is empty, packed or aligned by an attribute")
        word = "union" if is_union else "struct"
        name = self.define(word + " {{ " + "".join(members) + "}} {}")
        return Type(name, shown(die), align_up(end, align), align, AGGREGATE)
