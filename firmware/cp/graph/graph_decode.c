/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/graph/graph_decode.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/graph/graph_kept.h"

#define SPACE_ALIGN 64u                                    /* bytes */
#define SPACE_LEAST (GRAPH_FLIGHTS * GRAPH_ARGUMENT_BYTES) /* bytes of the argument blocks */

void *graph_decode_memory(const struct task *task, uint64_t address, uint64_t bytes)
{
	return task_heap_holds(task, address, bytes) ? device_words(address) : NULL;
}

static bool refuse(struct task *task, enum gg_field field, uint64_t value)
{
	return task_refuse(task, GG_ERR_GRAPH_FORMAT, field, value);
}

/** Memory that the descriptor names. */
struct named {
	enum gg_field field; /* for a refusal */
	uint64_t address;
	uint64_t bytes; /* 0: the address must be 0, too */
	uint32_t align; /* bytes */
};

static bool check_named(struct task *task, const struct named *named)
{
	const bool fits = named->bytes == 0 ? named->address == 0
					    : named->address % named->align == 0 &&
						      graph_decode_memory(task, named->address,
									  named->bytes) != NULL;

	return fits || refuse(task, named->field, named->address);
}

static bool check_memory(struct task *task, const struct gg_graph *settings)
{
	const struct named all[] = {
		{ GG_FIELD_GRAPH_PROGRAM, gg_join(settings->program_lo, settings->program_hi),
		  settings->program_bytes, 8 },
		{ GG_FIELD_GRAPH_ARGUMENTS, gg_join(settings->arguments_lo, settings->arguments_hi),
		  (uint64_t)settings->argument_count * sizeof(uint64_t), 8 },
		{ GG_FIELD_GRAPH_SPACE, gg_join(settings->space_lo, settings->space_hi),
		  gg_join(settings->space_bytes_lo, settings->space_bytes_hi), SPACE_ALIGN },
		{ GG_FIELD_GRAPH_REPORT, gg_join(settings->report_lo, settings->report_hi),
		  settings->report_bytes, 8 },
	};

	for (uint32_t index = 0; index < sizeof(all) / sizeof(all[0]); index++) {
		if (!check_named(task, &all[index])) {
			return false;
		}
	}
	return true;
}

static bool check_words(struct task *task, const struct gg_graph *settings)
{
	const uint32_t emphasis = gg_get(settings->mode, GG_GRAPH_EMPHASIS);
	const uint64_t space_bytes = gg_join(settings->space_bytes_lo, settings->space_bytes_hi);

	if (emphasis > GG_GRAPH_EMPHASIS_RESOURCE) {
		return refuse(task, GG_FIELD_GRAPH_EMPHASIS, emphasis);
	}
	if (gg_get(settings->mode, GG_GRAPH_GRAPH_RESERVED) != 0) {
		return refuse(task, GG_FIELD_GRAPH_GRAPH_RESERVED, settings->mode);
	}
	if (settings->graph_reserved_4c != 0) {
		return refuse(task, GG_FIELD_GRAPH_GRAPH_RESERVED_4C, settings->graph_reserved_4c);
	}
	if ((settings->program_bytes == 0) != (settings->handle != 0) ||
	    settings->program_bytes % 8 != 0) {
		return refuse(task, GG_FIELD_GRAPH_PROGRAM_BYTES, settings->program_bytes);
	}
	if (gg_get(settings->mode, GG_GRAPH_KEEP) != 0 &&
	    (settings->handle != 0 ||
	     task->source.parent != NULL)) { /* nobody would learn the handle */
		return refuse(task, GG_FIELD_GRAPH_KEEP, 1);
	}
	if (settings->argument_count > GRAPH_ARGUMENTS) {
		return refuse(task, GG_FIELD_GRAPH_ARGUMENT_COUNT, settings->argument_count);
	}
	return space_bytes >= SPACE_LEAST || refuse(task, GG_FIELD_GRAPH_SPACE_BYTES, space_bytes);
}

bool graph_decode(struct task *task, struct gg_graph *settings)
{
	const uint64_t address = gg_join(task->tmd.queue_lo, task->tmd.queue_hi);
	const struct gg_graph *original = graph_decode_memory(task, address, sizeof(*original));

	if (original == NULL || address % 8 != 0) {
		return refuse(task, GG_FIELD_TMD_QUEUE, address);
	}
	*settings = *original;
	if (!check_words(task, settings) || !check_memory(task, settings)) {
		return false;
	}
	return settings->handle == 0 || graph_kept_check(task, settings);
}
