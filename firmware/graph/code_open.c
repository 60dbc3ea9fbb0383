/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/graph/code_open.h"

#include <stddef.h>

#include "firmware/abi/field.h"

/* A table as the header describes it. */
struct table {
	uint32_t offset;       /* bytes from the header */
	uint32_t count;        /* entries */
	uint32_t least;        /* least entries */
	uint32_t most;         /* most entries */
	uint32_t entry;        /* bytes of an entry */
	uint32_t offset_field; /* enum gg_field of the offset */
	uint32_t count_field;  /* enum gg_field of the count */
};

static struct refusal wrong(uint32_t field, uint64_t value)
{
	return refusal_of(GG_ERR_GRAPH_FORMAT, field, value);
}

/* Offsets are at most 2^32 - 1 and counts at most 2^16, so the sum does not wrap. */
static struct refusal check_table(const struct table *table, uint32_t bytes)
{
	const uint64_t end = table->offset + (uint64_t)table->count * table->entry;

	if (table->count < table->least || table->count > table->most) {
		return wrong(table->count_field, table->count);
	}
	if (table->offset % 8 != 0 || end > bytes ||
	    (table->count != 0 && table->offset < sizeof(struct gg_graph_program))) {
		return wrong(table->offset_field, table->offset);
	}
	return refusal_none();
}

static struct refusal check_tables(const struct gg_graph_program *header, uint32_t bytes)
{
	const struct table tables[] = {
		{ header->steps_offset, header->steps, 1, GRAPH_STEPS, sizeof(struct gg_graph_step),
		  GG_FIELD_GRAPH_PROGRAM_STEPS_OFFSET, GG_FIELD_GRAPH_PROGRAM_STEPS },
		{ header->definitions_offset, header->definitions, 0, GRAPH_DEFINITIONS,
		  sizeof(struct gg_graph_definition), GG_FIELD_GRAPH_PROGRAM_DEFINITIONS_OFFSET,
		  GG_FIELD_GRAPH_PROGRAM_DEFINITIONS },
		{ header->states_offset, header->states, 0, GRAPH_STATES, sizeof(struct gg_tmd),
		  GG_FIELD_GRAPH_PROGRAM_STATES_OFFSET, GG_FIELD_GRAPH_PROGRAM_STATES },
		{ header->resources_offset, header->resources, 0, GRAPH_RESOURCES,
		  sizeof(struct gg_graph_resource), GG_FIELD_GRAPH_PROGRAM_RESOURCES_OFFSET,
		  GG_FIELD_GRAPH_PROGRAM_RESOURCES },
	};
	struct refusal refusal = refusal_none();

	for (uint32_t i = 0; i < 4 && refusal.status == GG_OK; i++) {
		refusal = check_table(&tables[i], bytes);
	}
	return refusal;
}

/* Words that are neither tables nor variables. */
static struct refusal check_rules(const struct gg_graph_program *header)
{
	const uint32_t commands = gg_get(header->rules, GG_GRAPH_PROGRAM_BLOCK_COMMANDS);
	const uint32_t reserved = gg_get(header->rules, GG_GRAPH_PROGRAM_PROGRAM_RESERVED);

	if (commands == 0 || commands > GRAPH_BLOCK_COMMANDS) {
		return wrong(GG_FIELD_GRAPH_PROGRAM_BLOCK_COMMANDS, commands);
	}
	if (reserved != 0) {
		return wrong(GG_FIELD_GRAPH_PROGRAM_PROGRAM_RESERVED, reserved);
	}
	if (header->copy_state != GRAPH_NO_STATE && header->copy_state >= header->states) {
		return wrong(GG_FIELD_GRAPH_PROGRAM_COPY_STATE, header->copy_state);
	}
	if (header->fill_state != GRAPH_NO_STATE && header->fill_state >= header->states) {
		return wrong(GG_FIELD_GRAPH_PROGRAM_FILL_STATE, header->fill_state);
	}
	if (header->program_reserved_3c != 0) {
		return wrong(GG_FIELD_GRAPH_PROGRAM_PROGRAM_RESERVED_3C,
			     header->program_reserved_3c);
	}
	return refusal_none();
}

/* Variables that do not exist are integers, so that each program has one form. */
static struct refusal check_variables(const struct gg_graph_program *header)
{
	const uint64_t types = gg_join(header->types[0], header->types[1]);

	if (header->variables > GRAPH_VARIABLES) {
		return wrong(GG_FIELD_GRAPH_PROGRAM_VARIABLES, header->variables);
	}
	if (header->variables < GRAPH_VARIABLES && types >> header->variables != 0) {
		return wrong(GG_FIELD_GRAPH_PROGRAM_TYPES, types);
	}
	return refusal_none();
}

static struct refusal check_header(const struct gg_graph_program *header, uint32_t bytes)
{
	struct refusal refusal;

	if (header->magic != GRAPH_MAGIC) {
		return wrong(GG_FIELD_GRAPH_PROGRAM_MAGIC, header->magic);
	}
	if (header->version != GRAPH_VERSION) {
		return wrong(GG_FIELD_GRAPH_PROGRAM_VERSION, header->version);
	}
	if (header->all_bytes != bytes) {
		return wrong(GG_FIELD_GRAPH_PROGRAM_ALL_BYTES, header->all_bytes);
	}
	refusal = check_tables(header, bytes);
	if (refusal.status == GG_OK) {
		refusal = check_rules(header);
	}
	return refusal.status == GG_OK ? check_variables(header) : refusal;
}

struct refusal graph_code_open(struct graph_program *program, const void *memory, uint32_t bytes)
{
	const struct gg_graph_program *const header = memory;
	const unsigned char *const at = memory;
	struct refusal refusal;

	if (bytes < sizeof(*header) || bytes % 8 != 0) {
		return wrong(GG_FIELD_GRAPH_PROGRAM_BYTES, bytes);
	}
	refusal = check_header(header, bytes);
	if (refusal.status == GG_OK) {
		program->header = header;
		program->steps = (const void *)(at + header->steps_offset);
		program->definitions = (const void *)(at + header->definitions_offset);
		program->states = (const void *)(at + header->states_offset);
		program->resources = (const void *)(at + header->resources_offset);
	}
	return refusal;
}
