/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/task/trace.h"

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"
#include "hal/fence.h"
#include "hal/mmio.h"
#include "hal/timer.h"

bool trace_on;

void trace_switch(bool on)
{
	trace_on = on;
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		mmio_write32(&device.sms[sm].trace, on ? 1 : 0);
	}
	due_note(DUE_TRACED, on);
}

void trace_write(const struct task *task, uint32_t kind, uint32_t cta, uint32_t extra,
		 uint64_t start, uint64_t end)
{
	struct trace_ring *ring = &device.trace[0];
	const uint32_t put = ring->header.put;
	struct gg_trace_record *record = &ring->records[put % CP_TRACE_ENTRIES];

	record->header = kind | gg_put(GG_TRACE_RECORD_PLACE, task->turn.slot);
	record->tag = task->source.tag;
	record->cta_lo = cta;
	record->extra = extra;
	record->start_lo = gg_low(start);
	record->start_hi = gg_high(start);
	record->end_lo = gg_low(end);
	record->end_hi = gg_high(end);
	fence_release();
	mmio_write32(&ring->header.put, put + 1);
}

void trace_write_now(const struct task *task, uint32_t kind, uint32_t cta, uint32_t extra)
{
	const uint64_t now = timer_now();

	trace_write(task, kind, cta, extra, now, now);
}

__attribute__((cold, noinline)) void trace_write_task(const struct task *task, uint64_t done)
{
	trace_write(task, trace_kind(GG_TRACE_TYPE_TASK, TRACE_NO_SM), gg_low(task->work.done),
		    (uint32_t)task->failure.status, task->source.posted, done);
}

void trace_write_wait(const struct task *task, enum gg_reason reason, uint64_t now)
{
	const uint64_t taken = task->source.posted;
	const uint64_t began = task->stall.began;

	trace_write(task, trace_kind(GG_TRACE_TYPE_REASON, TRACE_NO_SM), 0, reason,
		    began > taken ? began : taken, now);
}
