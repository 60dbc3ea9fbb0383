/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Reads the sections and segments of a RISC-V ELF file of either class that lies in memory. Nothing
 * outside of the file is read.
 */
#ifndef HOST_LIB_CORE_ELF_FILE_H
#define HOST_LIB_CORE_ELF_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

/** The file; `data` is the caller's. */
struct elf_file {
	const uint8_t *data;
	size_t bytes;
	uint32_t xlen;  /**< 32 or 64. */
	uint32_t flags; /**< e_flags. */
	uint32_t sections;
	uint32_t segments;
	uint64_t sections_at; /**< Offset of the section headers. */
	uint64_t segments_at; /**< Offset of the program headers. */
	uint32_t names;       /**< Number of the section with the names of sections. */
};

/** A section header, of either class. */
struct elf_section {
	uint32_t name;
	uint32_t type;
	uint64_t flags;
	uint64_t address;
	uint64_t offset;
	uint64_t bytes;
	uint32_t link;
	uint32_t info;
	uint64_t entry_bytes;
};

/** A program header, of either class. */
struct elf_segment {
	uint32_t type;
	uint64_t offset;
	uint64_t address;
	uint64_t file_bytes;
	uint64_t memory_bytes;
};

/** A relocation with addend, of either class. */
struct elf_rela {
	uint64_t offset;
	uint32_t type;
	uint32_t symbol;
};

/**
 * Reads the headers. Checks that all tables, sections and segments lie in the file. Sets the
 * failure. @return GG_ERR_ELF_TRUNCATED, GG_ERR_ELF_FORMAT.
 */
enum gg_status elf_open(struct elf_file *elf, const void *data, size_t bytes);

/** Section and segment number `index`, which is below their number. They lie in the file. */
struct elf_section elf_section(const struct elf_file *elf, uint32_t index);
struct elf_segment elf_segment(const struct elf_file *elf, uint32_t index);

/** Finds a section by name. @return its index, or 0. */
uint32_t elf_find(const struct elf_file *elf, const char *name);

/** Relocation number `index` of a SHT_RELA section; index below elf_rela_count(). */
struct elf_rela elf_rela(const struct elf_file *elf, const struct elf_section *section,
			 uint64_t index);
uint64_t elf_rela_count(const struct elf_file *elf, const struct elf_section *section);

/** Section index of a symbol (SHN_UNDEF, SHN_ABS, …); SHN_UNDEF if there is no such symbol. */
uint32_t elf_symbol_section(const struct elf_file *elf, uint32_t table, uint32_t symbol);

#endif /* HOST_LIB_CORE_ELF_FILE_H */
