/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Writes the log of accesses: linked to modules of `ganger-cc --race` only.
 */
#include "firmware/kernel/runtime/race.h"

#include <stddef.h>

#include "firmware/kernel/runtime/stub.h"

#define PIECE_BYTES 65536u /* of a longer access; a record has 18 bits for them */

/** Address of the log; 0: there is none. Written by the host before the task. */
__attribute__((used)) struct ganger_race_log *ganger_race_log;

/** Of this CTA; NULL: it has got none. Its threads run one after the other. */
static _Thread_local struct ganger_race_chunk *chunk;

static void take_chunk(void)
{
	const struct gg_cta *cta = ganger_block();
	struct ganger_race_log *log = ganger_race_log;
	uint32_t number;

	chunk = NULL;
	if (log == NULL) {
		return;
	}
	number = __atomic_fetch_add(&log->taken, 1, __ATOMIC_RELAXED);
	if (number >= log->chunks) {
		__atomic_fetch_add(&log->lost, 1, __ATOMIC_RELAXED);
		return;
	}
	chunk = (struct ganger_race_chunk *)(log + 1) + number;
	chunk->records = 0;
	chunk->cta_linear = cta->cta_linear;
	chunk->shared = (uintptr_t)__builtin_thread_pointer();
	chunk->args = cta->args;
	chunk->shared_bytes = cta->shared_bytes;
	chunk->threads = cta->threads;
	chunk->cluster_members = cta->cluster[0] * cta->cluster[1] * cta->cluster[2];
	chunk->outer_size = cta->outer_size;
	chunk->queue = cta->queue_items != 0 ? cta->queue : 0;
	for (uint32_t axis = 0; axis < 3; axis++) {
		chunk->cluster_id[axis] = cta->cluster_id[axis];
	}
}

void ganger_race_begin(void)
{
	take_chunk();
}

static void write_record(uint32_t kind, uintptr_t address, uint32_t bytes, uintptr_t base,
			 uintptr_t pc)
{
	struct ganger_race_record *record;

	if (chunk != NULL && chunk->records == GANGER_RACE_RECORDS) {
		take_chunk();
	}
	if (chunk == NULL) {
		return;
	}
	record = &chunk->record[chunk->records];
	record->pc = (uint32_t)pc;
	record->what = kind | ganger_block()->thread << GANGER_RACE_THREAD_SHIFT |
		       bytes << GANGER_RACE_BYTES_SHIFT;
	record->address = address;
	record->base = base;
	chunk->records++;
}

/* Whether an address lies in the stack of the thread that runs, or in the CTA's block, which the ids are read from. */
static int is_own(const struct gg_cta *cta, uintptr_t address)
{
	const uintptr_t here = (uintptr_t)__builtin_frame_address(0) - cta->stack_base;
	const uintptr_t stack = cta->stack_base + here / cta->stack_bytes * cta->stack_bytes;

	return address - stack < cta->stack_bytes || address - (uintptr_t)cta < GG_CTA_BYTES;
}

__attribute__((noinline)) void ganger_race_access(uintptr_t kind, uintptr_t address,
						  uintptr_t bytes, uintptr_t base)
{
	const uintptr_t pc = (uintptr_t)__builtin_return_address(0);

	if (kind == GANGER_RACE_CLUSTER) {
		if (bytes / 256u == GG_CALL_CLUSTER_BARRIER) {
			write_record(GANGER_RACE_CLUSTER, address, bytes % 256u, base, pc);
		}
		return;
	}
	if (kind != GANGER_RACE_BARRIER && is_own(ganger_block(), address)) {
		return;
	}
	while (bytes > PIECE_BYTES) {
		write_record((uint32_t)kind, address, PIECE_BYTES, base, pc);
		address += PIECE_BYTES;
		bytes -= PIECE_BYTES;
	}
	if (bytes > 0 || kind == GANGER_RACE_BARRIER) {
		write_record((uint32_t)kind, address, (uint32_t)bytes, base, pc);
	}
}
