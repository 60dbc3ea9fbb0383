/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/core/elf_load.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "host/lib/core/failure.h"

/** An image under construction. */
struct image {
	const struct elf_file *elf;
	uint64_t base;
	uint8_t *to;
	uint64_t bytes;
};

static enum gg_status copy_segment(const struct image *image, const struct elf_segment *segment)
{
	if (segment->type != PT_LOAD || segment->memory_bytes == 0)
		return GG_OK;
	if (segment->address > image->bytes ||
	    segment->memory_bytes > image->bytes - segment->address ||
	    segment->file_bytes > segment->memory_bytes)
		return failure_set(GG_ERR_ELF_FORMAT, "segment address", segment->address,
				   "A segment of the kernel ELF lies outside of its image");
	if (segment->file_bytes != 0)
		memcpy(image->to + segment->address, image->elf->data + segment->offset,
		       segment->file_bytes);
	return GG_OK;
}

/** Adds the base to a word of the XLEN. */
static enum gg_status add_base(const struct image *image, uint64_t offset)
{
	size_t bytes = image->elf->xlen / 8;
	uint64_t word = 0;

	if (offset > image->bytes || bytes > image->bytes - offset)
		return failure_set(GG_ERR_ELF_FORMAT, "relocation offset", offset,
				   "A relocation of the kernel ELF lies outside of its image");
	memcpy(&word, image->to + offset, bytes);
	word += image->base;
	memcpy(image->to + offset, &word, bytes);
	return GG_OK;
}

static enum gg_status apply(const struct image *image, const struct elf_rela *rela)
{
	uint32_t word = image->elf->xlen == 64 ? R_RISCV_64 : R_RISCV_32;

	if (rela->type == word)
		return add_base(image, rela->offset);
	if (rela->type == R_RISCV_32 || rela->type == R_RISCV_HI20 ||
	    rela->type == R_RISCV_LO12_I || rela->type == R_RISCV_LO12_S)
		return failure_set(GG_ERR_ELF_FORMAT, "relocation type", rela->type,
				   "The kernel ELF is not position independent: relocation %u",
				   rela->type);
	return GG_OK;
}

/** Applies the relocations of one section. Words that refer to absolute symbols stay as they are.
 */
static enum gg_status relocate(const struct image *image, const struct elf_section *section)
{
	uint64_t count = elf_rela_count(image->elf, section);

	for (uint64_t i = 0; i < count; i++) {
		struct elf_rela rela = elf_rela(image->elf, section, i);
		uint32_t where = elf_symbol_section(image->elf, section->link, rela.symbol);
		enum gg_status status = GG_OK;

		if (where != SHN_UNDEF && where != SHN_ABS)
			status = apply(image, &rela);
		if (status != GG_OK)
			return status;
	}
	return GG_OK;
}

static bool is_allocated(const struct elf_file *elf, uint32_t index)
{
	return index < elf->sections && (elf_section(elf, index).flags & SHF_ALLOC) != 0;
}

enum gg_status elf_load(const struct elf_file *elf, uint64_t base, uint8_t *image, uint64_t bytes)
{
	struct image work = { .elf = elf, .base = base, .to = image, .bytes = bytes };
	enum gg_status status = GG_OK;

	for (uint32_t i = 0; status == GG_OK && i < elf->segments; i++) {
		struct elf_segment segment = elf_segment(elf, i);

		status = copy_segment(&work, &segment);
	}
	for (uint32_t i = 1; status == GG_OK && i < elf->sections; i++) {
		struct elf_section section = elf_section(elf, i);

		if (section.type == SHT_RELA && is_allocated(elf, section.info))
			status = relocate(&work, &section);
	}
	return status;
}
