/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/completion.h"

#include <stdlib.h>
#include <string.h>

#include "host/lib/transport/regs.h"

#define NS 1000000000u

_Static_assert(sizeof(((struct gg_done *)0)->not_issued) ==
		       sizeof(((struct gg_completion *)0)->not_issued),
	       "a count for each reason");

uint64_t completion_ns(const struct device *device, uint64_t ticks)
{
	uint64_t hz = device->cap.timebase_hz;

	return ticks / hz * NS + ticks % hz * NS / hz;
}

static void read_times(const struct device *device, const struct gg_completion *from,
		       uint64_t times[5])
{
	const uint64_t ticks[] = {
		[GG_TIME_POSTED] = gg_join(from->posted_lo, from->posted_hi),
		[GG_TIME_READY] = gg_join(from->ready_lo, from->ready_hi),
		[GG_TIME_FIRST] = gg_join(from->first_lo, from->first_hi),
		[GG_TIME_LAST] = gg_join(from->last_lo, from->last_hi),
		[GG_TIME_DONE] = gg_join(from->done_lo, from->done_hi),
	};

	for (size_t i = 0; i < 5; i++)
		times[i] = completion_ns(device, ticks[i]);
}

void completion_read(const struct device *device, uint32_t get, struct gg_done *done)
{
	uint32_t index = get & (ring_entries(device) - 1);
	struct gg_completion from;

	regs_copy_out(ring_of(device), ring_entries_at(device) + index * (uint32_t)sizeof(from),
		      &from, sizeof(from));
	done->complete = 1;
	done->status = (int32_t)from.status;
	done->tag = from.tag;
	done->field = from.field;
	done->value = gg_join(from.value_lo, from.value_hi);
	done->ctas = gg_join(from.ctas_lo, from.ctas_hi);
	done->sms = gg_get(from.source, GG_COMPLETION_SMS);
	done->channel = gg_get(from.source, GG_COMPLETION_CHANNEL);
	done->opcode = gg_get(from.source, GG_COMPLETION_OPCODE);
	done->packets = from.packets;
	done->retried = from.retried;
	done->mode = from.mode;
	done->fault_sm = gg_get(from.fault, GG_COMPLETION_FAULT_SM);
	done->fault_sequence = gg_get(from.fault, GG_COMPLETION_FAULT_SEQUENCE);
	memcpy(done->not_issued, from.not_issued, sizeof(done->not_issued));
	read_times(device, &from, done->times);
}

void orphans_add(struct orphans *orphans, const struct gg_done *done)
{
	if (!orphans->at)
		orphans->at = calloc(ORPHANS_MAX, sizeof(*orphans->at));
	if (!orphans->at)
		return;
	if (orphans->count == ORPHANS_MAX) {
		orphans->first++;
		orphans->count--;
	}
	orphans->at[(orphans->first + orphans->count) % ORPHANS_MAX] = *done;
	orphans->count++;
}

bool orphans_take(struct orphans *orphans, struct gg_done *done)
{
	if (orphans->count == 0)
		return false;
	*done = orphans->at[orphans->first % ORPHANS_MAX];
	orphans->first++;
	orphans->count--;
	return true;
}
