/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The trace: time-stamped records of what the control processor does, in its own ring. The ring keeps the newest
 * records; `put` counts all that were written, so a reader knows how many it missed. SMs write a record for each CTA
 * into their own rings.
 */
#ifndef FIRMWARE_CP_TASK_TRACE_H
#define FIRMWARE_CP_TASK_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/field.h"
#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/task/task.h"
#include "hal/fence.h"
#include "hal/mmio.h"

#define TRACE_MOST  (part_is_here(GG_FEATURE_TRACE) ? 1u : 0u) /**< Largest value of CONFIG.trace. */
#define TRACE_NO_SM 0xffffu /**< SM number in records that concern no SM. */

/** Packets of a task that are written at the same time, while their records are written. */
struct trace_packets {
	struct trace_ring *ring;      /**< The CP's ring. */
	struct gg_trace_record *next; /**< Place of the next record. */
	uint64_t now;                 /**< When the packets are written, in ticks. */
	uint32_t put;                 /**< Records of the ring so far. */
	uint32_t header;              /**< Header of each record, without the SM. */
	uint32_t tag;                 /**< The task's. */
};

extern bool trace_on; /**< Whether tracing is on. Written by trace.c. */

/** Switch tracing by the CP and by all SMs on or off. */
void trace_switch(bool on);

/** What happens, in the form of a record's header.
 * @param sm  SM number, or TRACE_NO_SM. */
static inline uint32_t trace_kind(enum gg_trace_type type, uint32_t sm)
{
	return gg_put(GG_TRACE_RECORD_TYPE, type) | gg_put(GG_TRACE_RECORD_SM, sm);
}

/** Write a record of an event of a task.
 * @param kind        What trace_kind() says.
 * @param cta         Low word of a CTA number, or what the type defines.
 * @param extra       What the type defines.
 * @param start, end  In ticks; of a pass: when its first command started and its last one ended. */
void trace_write(const struct task *task, uint32_t kind, uint32_t cta, uint32_t extra,
		 uint64_t start, uint64_t end);

/** The same, with the time of now. */
void trace_write_now(const struct task *task, uint32_t kind, uint32_t cta, uint32_t extra);

/** Write a record of a task that is over, from the time when its command was taken to `done`.
 * @param done  When it completed, in ticks. */
void trace_write_task(const struct task *task, uint64_t done);

/** Write a record of a reason that a task has had, from the time when it began, or the task was taken, to `now`. */
void trace_write_wait(const struct task *task, enum gg_reason reason, uint64_t now);

/** Begin the records of packets that are about to be written.
 * @param now  In ticks. */
static inline struct trace_packets trace_packets_begin(const struct task *task, uint64_t now)
{
	struct trace_ring *ring = &device.trace[0];
	const uint32_t put = ring->header.put;

	return (struct trace_packets){
		.ring = ring,
		.next = &ring->records[put % CP_TRACE_ENTRIES],
		.now = now,
		.put = put,
		.header = trace_kind(GG_TRACE_TYPE_LAUNCH, 0) |
			  gg_put(GG_TRACE_RECORD_PLACE, task->turn.slot),
		.tag = task->source.tag,
	};
}

/** Record one of them.
 * @param sm     The SM that it is for.
 * @param first  Low word of the number of its first CTA.
 * @param ctas   Number of its CTAs. */
static inline void trace_packets_add(struct trace_packets *packets, uint32_t sm, uint32_t first,
				     uint32_t ctas)
{
	struct gg_trace_record *record = packets->next;

	record->header = packets->header | gg_put(GG_TRACE_RECORD_SM, sm);
	record->tag = packets->tag;
	record->cta_lo = first;
	record->extra = ctas;
	record->start_lo = gg_low(packets->now);
	record->start_hi = gg_high(packets->now);
	record->end_lo = gg_low(packets->now);
	record->end_hi = gg_high(packets->now);
	packets->put++;
	packets->next = record + 1;
	if (packets->next == &packets->ring->records[CP_TRACE_ENTRIES]) {
		packets->next = packets->ring->records;
	}
}

/** Show the host these records. */
static inline void trace_packets_end(const struct trace_packets *packets)
{
	fence_release();
	mmio_write32(&packets->ring->header.put, packets->put);
}

/** Whether tracing is on. */
static inline bool trace_is_on(void)
{
	return part_is_here(GG_FEATURE_TRACE) && trace_on;
}

/** Record an event of a task if tracing is on. The parameters are those of trace_write_now(). */
static inline void trace_event(const struct task *task, uint32_t kind, uint32_t cta, uint32_t extra)
{
	if (trace_is_on()) {
		trace_write_now(task, kind, cta, extra);
	}
}

/** Record a task that is over if tracing is on.
 * @param done  When it completed, in ticks. */
static inline void trace_task(const struct task *task, uint64_t done)
{
	if (trace_is_on()) {
		trace_write_task(task, done);
	}
}

#endif /* FIRMWARE_CP_TASK_TRACE_H */
