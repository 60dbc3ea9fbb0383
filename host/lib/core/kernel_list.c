/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/core/kernel_list.h"

#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/kernel/kernel_meta.h"
#include "host/lib/core/failure.h"

#define IMAGE_BYTES_MAX (256u << 20)
#define ARGS_BYTES_MAX  65536u
#define QUALIFIERS      (GGK_ARG_CONST | GGK_ARG_VOLATILE | GGK_ARG_RESTRICT)

_Static_assert((int)GGK_ARG_GLOBAL == GG_ARGUMENT_BUFFER && (int)GGK_ARG_LOCAL == GG_ARGUMENT_LOCAL,
	       "same kinds");
_Static_assert((int)GGK_SPACE_LOCAL == GG_SPACE_LOCAL && GGK_ARG_CONST == GG_CONST &&
		       GGK_ARG_VOLATILE == GG_VOLATILE && GGK_ARG_RESTRICT == GG_RESTRICT,
	       "same numbers");
_Static_assert((int)GGK_TYPE_AGGREGATE == GG_VALUE_AGGREGATE, "same types");
_Static_assert(GGK_BARRIER == GG_KERNEL_BARRIER && GGK_STACK_ASSUMED == GG_KERNEL_STACK_ASSUMED &&
		       GGK_BLOCK_FIXED == GG_KERNEL_BLOCK_FIXED && GGK_SILENT == GG_KERNEL_SILENT &&
		       GGK_EDGES == GG_KERNEL_EDGES && GGK_LOOPS == GG_KERNEL_LOOPS,
	       "same flags");

/** The section while it is read. */
struct meta {
	const uint8_t *data;
	uint64_t bytes;
	struct ggk_header header;
};

static enum gg_status malformed(const char *what, uint64_t value)
{
	return failure_set(GG_ERR_ELF_FORMAT, "elf", value,
			   "The kernel list of the ELF is wrong: %s; build it again with ganger-cc",
			   what);
}

/** Copies an entry of `length` bytes to a place of `bytes`: what newer compilers write behind it is left
 * out, what older ones do not write is 0. @return false: the entry is not in the section. */
static bool entry(const struct meta *meta, uint64_t offset, uint32_t length, void *to, size_t bytes)
{
	if (offset > meta->bytes || length > meta->bytes - offset)
		return false;
	memset(to, 0, bytes);
	memcpy(to, meta->data + offset, length < bytes ? length : bytes);
	return true;
}

/** Where a string of the table begins and its length; NULL if the offset is outside the table. */
static const char *text_at(const struct meta *meta, uint32_t offset, size_t *length)
{
	const struct ggk_header *header = &meta->header;
	const char *from = (const char *)meta->data + header->strings_offset + offset;

	*length =
		offset < header->strings_bytes ? strnlen(from, header->strings_bytes - offset) : 0;
	return offset < header->strings_bytes ? from : NULL;
}

/** Copies a string, cut to the size; an offset outside the table gives an empty one. */
static void string(const struct meta *meta, uint32_t offset, char *to, size_t size)
{
	size_t length = 0;
	const char *from = text_at(meta, offset, &length);

	(void)snprintf(to, size, "%.*s", (int)length, from ? from : "");
}

static enum gg_status check_strings(const struct meta *meta)
{
	const struct ggk_header *header = &meta->header;
	uint64_t end = (uint64_t)header->strings_offset + header->strings_bytes;

	if (header->strings_bytes == 0 || header->strings_bytes > INT32_MAX || end > meta->bytes)
		return malformed("the strings are not in the section", header->strings_bytes);
	if (meta->data[end - 1] != 0)
		return malformed("the last string has no end", header->strings_bytes);
	return GG_OK;
}

/** Whether all rows of an array are in the section: before memory is taken for as many as it says. */
static bool has_rows(const struct meta *meta, uint64_t offset, uint64_t count, uint64_t bytes)
{
	return offset <= meta->bytes && count * bytes <= meta->bytes - offset;
}

static enum gg_status check_header(const struct meta *meta, const struct elf_file *elf)
{
	const struct ggk_header *header = &meta->header;

	if (header->magic != GGK_MAGIC)
		return malformed("unknown magic", header->magic);
	if (header->major != GGK_MAJOR)
		return malformed("unknown version", header->major);
	if (header->xlen != elf->xlen)
		return malformed("its XLEN is not that of the file", header->xlen);
	if (header->header_bytes < GGK_HEADER_BYTES_0 ||
	    header->kernel_bytes < GGK_KERNEL_BYTES_0 ||
	    header->argument_bytes < GGK_ARGUMENT_BYTES_0)
		return malformed("entries are too short", header->header_bytes);
	if (header->text_bytes == 0 || header->text_bytes > header->image_bytes ||
	    header->text_bytes % GGK_LOAD_ALIGN != 0 || header->image_bytes > IMAGE_BYTES_MAX)
		return malformed("sizes of the image", header->image_bytes);
	if (header->fold >= header->text_bytes || header->fold % 2 != 0)
		return malformed("the entry of folded grids is outside the code", header->fold);
	if (!has_rows(meta, header->kernels_offset, header->kernel_count, header->kernel_bytes))
		return malformed("the kernels are not in the section", header->kernel_count);
	if (!has_rows(meta, header->arguments_offset, header->argument_count,
		      header->argument_bytes))
		return malformed("the arguments are not in the section", header->argument_count);
	return check_strings(meta);
}

static enum gg_status read_parameter(const struct meta *meta, uint32_t index,
				     uint32_t argument_bytes, struct gg_parameter *parameter)
{
	const struct ggk_header *header = &meta->header;
	struct ggk_argument from;

	if (index >= header->argument_count ||
	    !entry(meta, header->arguments_offset + (uint64_t)index * header->argument_bytes,
		   header->argument_bytes, &from, sizeof(from)))
		return malformed("an argument is not in the section", index);
	if (from.bytes == 0 || from.offset > argument_bytes ||
	    from.bytes > argument_bytes - from.offset || from.kind > GGK_ARG_LOCAL ||
	    (from.kind != GGK_ARG_VALUE && from.bytes != header->xlen / 8))
		return malformed("an argument", index);
	string(meta, from.name, parameter->name, sizeof(parameter->name));
	string(meta, from.type_name, parameter->type_name, sizeof(parameter->type_name));
	parameter->kind = from.kind;
	parameter->type = from.type;
	parameter->bytes = from.bytes;
	parameter->offset = from.offset;
	parameter->align = from.align;
	parameter->constant = from.flags & GGK_ARG_CONST;
	parameter->space = from.flags >> GGK_ARG_SPACE_SHIFT & 3;
	parameter->qualifiers = from.flags & QUALIFIERS;
	string(meta, from.cl_type, parameter->cl_type, sizeof(parameter->cl_type));
	return GG_OK;
}

/** Refuses what is right in itself, but more than this library takes. The name is whole in `info`
 * unless it is too long. ganger-cc refuses the same. */
static enum gg_status check_limits(const struct meta *meta, const struct ggk_kernel *kernel,
				   const struct kernel *info)
{
	size_t length = 0;

	(void)text_at(meta, kernel->name, &length);
	if (length == 0)
		return malformed("a kernel has no name", kernel->name);
	if (length >= sizeof(info->name))
		return failure_set(
			GG_ERR_UNSUPPORTED, "name", length,
			"The name of kernel %.32s... has %zu bytes, and %zu is the most: "
			"give it a shorter one",
			info->name, length, sizeof(info->name) - 1);
	if (kernel->args_bytes > ARGS_BYTES_MAX)
		return failure_set(GG_ERR_UNSUPPORTED, "argument_bytes", kernel->args_bytes,
				   "The parameters of kernel %s take %u bytes, and %u is the most: "
				   "pass a pointer to a buffer",
				   info->name, kernel->args_bytes, ARGS_BYTES_MAX);
	return GG_OK;
}

static enum gg_status check_kernel(const struct meta *meta, const struct ggk_kernel *kernel)
{
	if (kernel->entry >= meta->header.text_bytes || kernel->entry % 2 != 0)
		return malformed("an entry is outside the code", kernel->entry);
	return GG_OK;
}

/** Reads a kernel; its parameters are written to `room`, which holds `left` of them. The kernels of
 * a list share no parameters, so that a short file cannot ask for endless work. */
static enum gg_status read_kernel(const struct meta *meta, uint32_t index, struct kernel *info,
				  struct gg_parameter *room, uint32_t left)
{
	const struct ggk_header *header = &meta->header;
	struct ggk_kernel from;
	uint32_t end = 0;
	enum gg_status status;

	if (!entry(meta, header->kernels_offset + (uint64_t)index * header->kernel_bytes,
		   header->kernel_bytes, &from, sizeof(from)))
		return malformed("a kernel is not in the section", index);
	string(meta, from.name, info->name, sizeof(info->name));
	string(meta, from.attributes, info->attributes, sizeof(info->attributes));
	status = check_kernel(meta, &from);
	if (status == GG_OK)
		status = check_limits(meta, &from, info);
	if (status == GG_OK && from.argument_count > left)
		status = malformed("kernels have more arguments than there are", index);
	info->shared_bytes = from.shared_bytes;
	info->stack_bytes = from.stack_bytes;
	info->flags = from.flags;
	info->entry = from.entry;
	info->argument_bytes = from.args_bytes;
	info->parameters = from.argument_count;
	info->parameter = room;
	memcpy(info->block, from.block, sizeof(info->block));
	for (uint32_t i = 0; status == GG_OK && i < from.argument_count; i++) {
		status = read_parameter(meta, (uint32_t)from.first_argument + i, from.args_bytes,
					&room[i]);
		if (status == GG_OK && room[i].offset < end)
			status = malformed("arguments lie over one another", i);
		end = room[i].offset + room[i].bytes;
	}
	return status;
}

/** Features that letters of misa stand for, in the order of an ISA string. */
static const struct {
	char letter;
	int32_t feature;
} extensions[] = {
	{ 'I', -1 },
	{ 'M', GG_FEATURE_MULTIPLY },
	{ 'A', GG_FEATURE_ATOMICS },
	{ 'F', GG_FEATURE_FLOAT },
	{ 'D', GG_FEATURE_DOUBLE },
	{ 'C', GG_FEATURE_COMPRESSED },
};

/** Fills in the features and the ISA string. An extension without a feature bit is an error. */
static enum gg_status read_isa(struct gg_elf *facts, uint32_t isa)
{
	int length = snprintf(facts->isa, sizeof(facts->isa), "rv%u", facts->xlen);

	for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++) {
		uint32_t bit = 1u << (extensions[i].letter - 'A');

		if (!(isa & bit))
			continue;
		isa &= ~bit;
		facts->isa[length++] = (char)(extensions[i].letter + 'a' - 'A');
		facts->isa[length] = '\0';
		if (extensions[i].feature >= 0)
			facts->features |= 1u << extensions[i].feature;
	}
	if (isa == 0)
		return GG_OK;
	return failure_set(GG_ERR_ELF_ISA, "isa", isa,
			   "The kernel ELF needs extensions that no device has: misa bits 0x%x",
			   isa);
}

static int by_text(const void *one, const void *other)
{
	return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/** Refuses two kernels of one name: which of them would run? */
static enum gg_status check_names(const struct kernel_list *list)
{
	const uint32_t count = list->facts.kernels;
	const char **sorted = calloc(count, sizeof(*sorted));
	enum gg_status status = GG_OK;

	if (!sorted)
		return failure_status(GG_ERR_NO_MEMORY);
	for (uint32_t i = 0; i < count; i++)
		sorted[i] = list->kernels[i].name;
	qsort(sorted, count, sizeof(*sorted), by_text);
	for (uint32_t i = 1; status == GG_OK && i < count; i++) {
		if (strcmp(sorted[i - 1], sorted[i]) == 0)
			status = failure_set(GG_ERR_ELF_FORMAT, "kernel name", i,
					     "Two kernels of the ELF have the name %s", sorted[i]);
	}
	free(sorted);
	return status;
}

static enum gg_status read_list(struct kernel_list *list, const struct meta *meta)
{
	const struct ggk_header *header = &meta->header;
	uint32_t used = 0;
	enum gg_status status;

	list->facts.xlen = header->xlen;
	list->facts.kernels = header->kernel_count;
	list->facts.bytes = header->image_bytes;
	list->text_bytes = header->text_bytes;
	list->image_bytes = header->image_bytes;
	list->fold = header->fold;
	string(meta, header->producer, list->facts.producer, sizeof(list->facts.producer));
	list->kernels = calloc((size_t)header->kernel_count + 1, sizeof(*list->kernels));
	list->parameters = calloc((size_t)header->argument_count + 1, sizeof(*list->parameters));
	if (!list->kernels || !list->parameters)
		return failure_status(GG_ERR_NO_MEMORY);
	status = read_isa(&list->facts, header->isa);
	for (uint32_t i = 0; status == GG_OK && i < header->kernel_count; i++) {
		status = read_kernel(meta, i, &list->kernels[i], list->parameters + used,
				     header->argument_count - used);
		used += list->kernels[i].parameters;
	}
	return status == GG_OK ? check_names(list) : status;
}

enum gg_status kernel_list_read(struct kernel_list *list, const struct elf_file *elf)
{
	uint32_t index = elf_find(elf, GGK_SECTION);
	struct elf_section section = elf_section(elf, index);
	struct meta meta = { .bytes = section.bytes };
	enum gg_status status;

	memset(list, 0, sizeof(*list));
	if (index == 0 || section.bytes == 0 || section.type == SHT_NOBITS ||
	    section.type == SHT_NULL)
		return malformed("there is no section " GGK_SECTION, 0);
	meta.data = elf->data + section.offset;
	if (!entry(&meta, 0, GGK_HEADER_BYTES_0, &meta.header, sizeof(meta.header)) ||
	    !entry(&meta, 0, meta.header.header_bytes, &meta.header, sizeof(meta.header)))
		return malformed("it is too short", meta.bytes);
	status = check_header(&meta, elf);
	if (status == GG_OK)
		status = read_list(list, &meta);
	if (status != GG_OK)
		kernel_list_clear(list);
	return status;
}

void kernel_list_clear(struct kernel_list *list)
{
	free(list->kernels);
	free(list->parameters);
	memset(list, 0, sizeof(*list));
}
