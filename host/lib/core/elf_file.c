/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/core/elf_file.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "host/lib/core/failure.h"

static bool inside(const struct elf_file *elf, uint64_t offset, uint64_t bytes)
{
	return offset <= elf->bytes && bytes <= elf->bytes - offset;
}

static enum gg_status truncated(uint64_t offset)
{
	return failure_set(GG_ERR_ELF_TRUNCATED, "offset", offset,
			   "The kernel ELF ends before its content");
}

static enum gg_status malformed(const char *what, uint64_t value)
{
	return failure_set(GG_ERR_ELF_FORMAT, "elf", value, "Not a kernel ELF of ganger-cc: %s",
			   what);
}

/** Copies a structure out of the file, where it need not be aligned. */
static void copy(const struct elf_file *elf, uint64_t offset, void *to, size_t bytes)
{
	memcpy(to, elf->data + offset, bytes);
}

static enum gg_status check_ident(const uint8_t *data, size_t bytes)
{
	static const uint8_t magic[] = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3 };

	if (memcmp(data, magic, bytes < sizeof(magic) ? bytes : sizeof(magic)) != 0)
		return malformed(
			"it does not begin as an ELF file; ganger-cc makes one of a source", 0);
	if (bytes < EI_NIDENT)
		return truncated(bytes);
	if (data[EI_CLASS] != ELFCLASS32 && data[EI_CLASS] != ELFCLASS64)
		return malformed("unknown class", data[EI_CLASS]);
	if (data[EI_DATA] != ELFDATA2LSB)
		return malformed("not little endian", data[EI_DATA]);
	return GG_OK;
}

/** The file header in the form of class 64. */
static Elf64_Ehdr header_of(const struct elf_file *elf)
{
	Elf64_Ehdr wide;
	Elf32_Ehdr narrow;

	if (elf->xlen == 64) {
		copy(elf, 0, &wide, sizeof(wide));
		return wide;
	}
	copy(elf, 0, &narrow, sizeof(narrow));
	memset(&wide, 0, sizeof(wide));
	wide.e_type = narrow.e_type;
	wide.e_machine = narrow.e_machine;
	wide.e_flags = narrow.e_flags;
	wide.e_phoff = narrow.e_phoff;
	wide.e_phentsize = narrow.e_phentsize;
	wide.e_phnum = narrow.e_phnum;
	wide.e_shoff = narrow.e_shoff;
	wide.e_shentsize = narrow.e_shentsize;
	wide.e_shnum = narrow.e_shnum;
	wide.e_shstrndx = narrow.e_shstrndx;
	return wide;
}

static size_t section_bytes(const struct elf_file *elf)
{
	return elf->xlen == 64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
}

static size_t segment_bytes(const struct elf_file *elf)
{
	return elf->xlen == 64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
}

static enum gg_status read_header(struct elf_file *elf)
{
	Elf64_Ehdr header = header_of(elf);

	if (header.e_machine != EM_RISCV)
		return malformed("not for RISC-V", header.e_machine);
	if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
		return malformed("not linked", header.e_type);
	if (header.e_shentsize != section_bytes(elf) || header.e_phentsize != segment_bytes(elf))
		return malformed("headers of an unknown size", header.e_shentsize);
	if (header.e_shnum == 0 || header.e_shstrndx >= header.e_shnum)
		return malformed("no section names", header.e_shnum);
	elf->flags = header.e_flags;
	elf->sections = header.e_shnum;
	elf->segments = header.e_phnum;
	elf->sections_at = header.e_shoff;
	elf->segments_at = header.e_phoff;
	elf->names = header.e_shstrndx;
	if (!inside(elf, header.e_shoff, elf->sections * (uint64_t)header.e_shentsize))
		return truncated(header.e_shoff);
	if (!inside(elf, header.e_phoff, elf->segments * (uint64_t)header.e_phentsize))
		return truncated(header.e_phoff);
	return GG_OK;
}

static enum gg_status check_content(const struct elf_file *elf)
{
	for (uint32_t i = 0; i < elf->sections; i++) {
		struct elf_section section = elf_section(elf, i);

		if (section.type != SHT_NOBITS && section.type != SHT_NULL && section.bytes != 0 &&
		    !inside(elf, section.offset, section.bytes))
			return truncated(section.offset);
	}
	for (uint32_t i = 0; i < elf->segments; i++) {
		struct elf_segment segment = elf_segment(elf, i);

		/* An empty segment has no bytes in the file, and linkers give it any offset. */
		if (segment.file_bytes != 0 && !inside(elf, segment.offset, segment.file_bytes))
			return truncated(segment.offset);
	}
	return GG_OK;
}

enum gg_status elf_open(struct elf_file *elf, const void *data, size_t bytes)
{
	enum gg_status status;

	memset(elf, 0, sizeof(*elf));
	elf->data = data;
	elf->bytes = bytes;
	if (bytes == 0)
		return truncated(0);
	status = check_ident(elf->data, bytes);
	if (status != GG_OK)
		return status;
	elf->xlen = elf->data[EI_CLASS] == ELFCLASS64 ? 64 : 32;
	if (bytes < (elf->xlen == 64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr)))
		return truncated(bytes);
	status = read_header(elf);
	return status == GG_OK ? check_content(elf) : status;
}

struct elf_section elf_section(const struct elf_file *elf, uint32_t index)
{
	uint64_t at = elf->sections_at + index * (uint64_t)section_bytes(elf);
	Elf64_Shdr wide;
	Elf32_Shdr narrow;

	if (elf->xlen == 64) {
		copy(elf, at, &wide, sizeof(wide));
		return (struct elf_section){ wide.sh_name, wide.sh_type,   wide.sh_flags,
					     wide.sh_addr, wide.sh_offset, wide.sh_size,
					     wide.sh_link, wide.sh_info,   wide.sh_entsize };
	}
	copy(elf, at, &narrow, sizeof(narrow));
	return (struct elf_section){ narrow.sh_name, narrow.sh_type,   narrow.sh_flags,
				     narrow.sh_addr, narrow.sh_offset, narrow.sh_size,
				     narrow.sh_link, narrow.sh_info,   narrow.sh_entsize };
}

struct elf_segment elf_segment(const struct elf_file *elf, uint32_t index)
{
	uint64_t at = elf->segments_at + index * (uint64_t)segment_bytes(elf);
	Elf64_Phdr wide;
	Elf32_Phdr narrow;

	if (elf->xlen == 64) {
		copy(elf, at, &wide, sizeof(wide));
		return (struct elf_segment){ wide.p_type, wide.p_offset, wide.p_vaddr,
					     wide.p_filesz, wide.p_memsz };
	}
	copy(elf, at, &narrow, sizeof(narrow));
	return (struct elf_segment){ narrow.p_type, narrow.p_offset, narrow.p_vaddr,
				     narrow.p_filesz, narrow.p_memsz };
}

uint32_t elf_find(const struct elf_file *elf, const char *name)
{
	struct elf_section names = elf_section(elf, elf->names);
	size_t bytes = strlen(name) + 1;

	if (names.type != SHT_STRTAB)
		return 0;
	for (uint32_t i = 1; i < elf->sections; i++) {
		uint32_t at = elf_section(elf, i).name;

		if (at < names.bytes && names.bytes - at >= bytes &&
		    memcmp(elf->data + names.offset + at, name, bytes) == 0)
			return i;
	}
	return 0;
}

uint64_t elf_rela_count(const struct elf_file *elf, const struct elf_section *section)
{
	return section->bytes / (elf->xlen == 64 ? sizeof(Elf64_Rela) : sizeof(Elf32_Rela));
}

struct elf_rela elf_rela(const struct elf_file *elf, const struct elf_section *section,
			 uint64_t index)
{
	Elf64_Rela wide;
	Elf32_Rela narrow;

	if (elf->xlen == 64) {
		copy(elf, section->offset + index * sizeof(wide), &wide, sizeof(wide));
		return (struct elf_rela){ wide.r_offset, (uint32_t)ELF64_R_TYPE(wide.r_info),
					  (uint32_t)ELF64_R_SYM(wide.r_info) };
	}
	copy(elf, section->offset + index * sizeof(narrow), &narrow, sizeof(narrow));
	return (struct elf_rela){ narrow.r_offset, ELF32_R_TYPE(narrow.r_info),
				  ELF32_R_SYM(narrow.r_info) };
}

uint32_t elf_symbol_section(const struct elf_file *elf, uint32_t table, uint32_t symbol)
{
	size_t bytes = elf->xlen == 64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	size_t at = elf->xlen == 64 ? offsetof(Elf64_Sym, st_shndx) : offsetof(Elf32_Sym, st_shndx);
	struct elf_section symbols;
	uint16_t index;

	if (symbol == 0 || table >= elf->sections)
		return SHN_UNDEF;
	symbols = elf_section(elf, table);
	if (symbols.type != SHT_SYMTAB || symbol >= symbols.bytes / bytes)
		return SHN_UNDEF;
	copy(elf, symbols.offset + symbol * (uint64_t)bytes + at, &index, sizeof(index));
	return index;
}
