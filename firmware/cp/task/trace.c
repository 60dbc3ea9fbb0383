/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/task/trace.h"

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
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
}

static inline __attribute__((always_inline)) void
write_record(const struct task *task, struct trace_event event, uint64_t start, uint64_t end)
{
	struct trace_ring *ring = &device.trace[0];
	const uint32_t put = ring->header.put;
	struct gg_trace_record *record = &ring->records[put % CP_TRACE_ENTRIES];

	record->header = gg_put(GG_TRACE_RECORD_TYPE, event.type) |
			 gg_put(GG_TRACE_RECORD_PLACE, task->turn.slot) |
			 gg_put(GG_TRACE_RECORD_SM, event.sm);
	record->tag = task->source.tag;
	record->cta_lo = gg_low(event.cta);
	record->extra = event.extra;
	record->start_lo = gg_low(start);
	record->start_hi = gg_high(start);
	record->end_lo = gg_low(end);
	record->end_hi = gg_high(end);
	fence_release();
	mmio_write32(&ring->header.put, put + 1);
}

void trace_write(const struct task *task, struct trace_event event, uint64_t start, uint64_t end)
{
	write_record(task, event, start, end);
}

void trace_write_now(const struct task *task, struct trace_event event)
{
	const uint64_t now = timer_now();

	trace_write(task, event, now, now);
}

__attribute__((noinline, cold)) void trace_write_launch(const struct task *task, uint32_t sm,
							uint64_t first, uint32_t starts)
{
	const uint64_t now = timer_now();
	const struct trace_event event = {
		.type = GG_TRACE_TYPE_LAUNCH,
		.sm = sm,
		.cta = first,
		.extra = bits_count(starts),
	};

	write_record(task, event, now, now);
}

void trace_write_task(const struct task *task, uint64_t done)
{
	const struct trace_event event = {
		.type = GG_TRACE_TYPE_TASK,
		.sm = TRACE_NO_SM,
		.cta = task->work.done,
		.extra = (uint32_t)task->failure.status,
	};

	trace_write(task, event, task->source.posted, done);
}

void trace_write_wait(const struct task *task)
{
	const uint64_t taken = task->source.posted;
	const uint64_t began = task->stall.began;
	const struct trace_event event = {
		.type = GG_TRACE_TYPE_REASON,
		.sm = TRACE_NO_SM,
		.extra = task->stall.reason,
	};

	trace_write(task, event, began > taken ? began : taken, timer_now());
}
