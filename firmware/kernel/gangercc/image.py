# SPDX-License-Identifier: Apache-2.0
"""The linked ELF of a module: symbols, relocations, sizes. Refuses what cannot be loaded anywhere."""
import struct
from collections import namedtuple

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.enums import ENUM_ST_INFO_BIND, ENUM_ST_INFO_TYPE, ENUM_ST_SHNDX
from elftools.elf.relocation import RelocationSection

from .errors import KernelError

Symbol = namedtuple("Symbol", "name value size type binding section")
Relocation = namedtuple("Relocation", "offset type symbol addend section place")

SYMBOL = {32: struct.Struct("<IIIBBH"), 64: struct.Struct("<IBBHQQ")}
SYMBOL_ORDER = {32: (0, 3, 5, 1, 2), 64: (0, 1, 3, 4, 5)}  # name, info, section, value, size
SYMBOL_TYPES = {number: name for name, number in ENUM_ST_INFO_TYPE.items()}
SYMBOL_BINDINGS = {number: name for name, number in ENUM_ST_INFO_BIND.items()}
SYMBOL_SECTIONS = {number: name for name, number in ENUM_ST_SHNDX.items()}

# By number, from the RISC-V ELF specification; a gap is a number that is not assigned.
NAMES = ["R_RISCV_" + name for name in (
    "NONE 32 64 RELATIVE COPY JUMP_SLOT TLS_DTPMOD32 TLS_DTPMOD64 TLS_DTPREL32 TLS_DTPREL64 "
    "TLS_TPREL32 TLS_TPREL64 TLSDESC . . . BRANCH JAL CALL CALL_PLT GOT_HI20 TLS_GOT_HI20 "
    "TLS_GD_HI20 PCREL_HI20 PCREL_LO12_I PCREL_LO12_S HI20 LO12_I LO12_S TPREL_HI20 TPREL_LO12_I "
    "TPREL_LO12_S TPREL_ADD ADD8 ADD16 ADD32 ADD64 SUB8 SUB16 SUB32 SUB64 GOT32_PCREL . ALIGN "
    "RVC_BRANCH RVC_JUMP RVC_LUI GPREL_I GPREL_S TPREL_I TPREL_S RELAX SUB6 SET6 SET8 SET16 SET32 "
    "32_PCREL IRELATIVE").split()]
WORD = {32: "R_RISCV_32", 64: "R_RISCV_64"}
SHARED = {"R_RISCV_TPREL_HI20", "R_RISCV_TPREL_LO12_I", "R_RISCV_TPREL_LO12_S"}
ABSOLUTE = {"R_RISCV_HI20", "R_RISCV_LO12_I", "R_RISCV_LO12_S"}
# The same wherever the module lies.
RELATIVE = SHARED | {
    "R_RISCV_" + name for name in (
        "NONE BRANCH JAL CALL CALL_PLT PCREL_HI20 PCREL_LO12_I PCREL_LO12_S TPREL_ADD RVC_BRANCH RVC_JUMP "
        "ALIGN RELAX ADD8 ADD16 ADD32 ADD64 SUB6 SUB8 SUB16 SUB32 SUB64 SET6 SET8 SET16 SET32 "
        "32_PCREL").split()}


def relocation_name(number):
    return NAMES[number] if number < len(NAMES) else f"relocation {number}"


class Image:
    def __init__(self, path):
        with open(path, "rb") as stream:
            elf = ELFFile(stream)
            self.xlen = elf.elfclass
            self.symbols = self.read_symbols(elf)
            self.relocations = list(self.read_relocations(elf))
            self.named = {s.name: s for s in self.symbols if s.name}
            self.notes = self.section_bytes(elf, ".ganger.notes")
            self.constructors = self.section_bytes(elf, ".ganger.constructors")
            self.shared_bytes, self.shared_align, self.shared_initialised = self.read_shared(elf)

    @staticmethod
    def section_bytes(elf, name):
        section = elf.get_section_by_name(name)
        return section.data() if section else b""

    @staticmethod
    def read_symbols(elf):
        """All symbols. Not with iter_symbols(): a module of many kernels has tens of thousands."""
        table = elf.get_section_by_name(".symtab")
        names, found = elf.get_section(table["sh_link"]).data(), []
        for entry in SYMBOL[elf.elfclass].iter_unpack(table.data()):
            at, info, section, value, size = (entry[place] for place in SYMBOL_ORDER[elf.elfclass])
            found.append(Symbol(names[at:names.index(b"\0", at)].decode("utf-8", "replace"), value, size,
                                SYMBOL_TYPES[info & 15], SYMBOL_BINDINGS[info >> 4],
                                SYMBOL_SECTIONS.get(section, section)))
        return found

    def read_relocations(self, elf):
        for section in elf.iter_sections():
            if not isinstance(section, RelocationSection):
                continue
            target = elf.get_section(section["sh_info"])
            if target["sh_flags"] & SH_FLAGS.SHF_ALLOC:
                for index, r in enumerate(section.iter_relocations()):
                    place = section["sh_offset"] + index * section["sh_entsize"]
                    yield Relocation(r["r_offset"], relocation_name(r["r_info_type"]),
                                     self.symbols[r["r_info_sym"]], r["r_addend"], target.name, place)

    @staticmethod
    def read_shared(elf):
        for segment in elf.iter_segments("PT_TLS"):
            return segment["p_memsz"], segment["p_align"], segment["p_filesz"] > 0
        return 0, 1, False

    def value(self, name):
        return self.named[name].value

    def function_at(self, address):
        """Name of the function at this address, or its address."""
        return next((s.name for s in self.symbols if s.type == "STT_FUNC" and s.size
                     and s.value <= address < s.value + s.size), hex(address))

    def kernels(self):
        """(name, address) of all kernels, in their order in the image."""
        first, last = self.value("__ganger_kernels_start"), self.value("__ganger_kernels_end")
        found = [s for s in self.symbols if s.type == "STT_FUNC" and first <= s.value < last]
        for symbol in found:
            if symbol.binding == "STB_LOCAL" and "." not in symbol.name:
                raise KernelError(f"kernel {symbol.name}: a kernel must not be static")
        found = [s for s in found if s.binding != "STB_LOCAL"]
        return [(s.name, s.value) for s in sorted(found, key=lambda s: s.value)]

    def check(self, shared_align):
        self.check_relocations()
        if self.constructors:
            raise KernelError("constructors (__attribute__((constructor))) would not run: nothing starts a module")
        if self.shared_initialised:
            names = [s.name.split(".")[0] for s in self.symbols if s.type == "STT_TLS" and s.size]
            raise KernelError("shared (local, _Thread_local) variables cannot have an initial value; the "
                              "module's shared variables: " + ", ".join(sorted(set(names))))
        if self.shared_align > shared_align:
            raise KernelError(f"a shared variable asks for an alignment of {self.shared_align} bytes; "
                              f"{shared_align} is the most there is")

    def check_relocations(self):
        def where(r):
            return f"{self.function_at(r.offset)}: reference to {r.symbol.name or r.section}"

        for r in self.relocations:
            if r.type != "R_RISCV_NONE" and r.symbol.section == "SHN_UNDEF" and r.symbol.name:
                raise KernelError(f"undefined (weak): {r.symbol.name}, used in {self.function_at(r.offset)}")
            if r.type == WORD[self.xlen]:
                if r.symbol.section == "SHN_ABS":
                    raise KernelError(f"{where(r)}, an absolute symbol, cannot be loaded at any address")
            elif r.type in ABSOLUTE and (self.xlen == 32 or r.symbol.section == "SHN_ABS"):
                pass  # see absolute_fixes()
            elif r.type not in RELATIVE:
                raise KernelError(f"{where(r)} ({r.type}) is absolute: it cannot be loaded at any address; "
                                  "code must be built with -mcmodel=medany and without -fpic")

    def absolute_fixes(self):
        """(place in the file, new type number) of relocations that the loader is to see otherwise.

        On RV32 code of the medlow model, such as that of the C library, can be loaded at any page:
        lui gets the upper 20 bits of an address, so adding the load address to the instruction, as
        to any word with R_RISCV_32, makes it right; the lower 12 bits do not change. An absolute
        symbol does not move at all.
        """
        word, none = NAMES.index("R_RISCV_32"), NAMES.index("R_RISCV_NONE")
        for r in self.relocations:
            if r.type in ABSOLUTE:
                moves = r.type == "R_RISCV_HI20" and r.symbol.section != "SHN_ABS"
                yield r.place, word if moves else none
