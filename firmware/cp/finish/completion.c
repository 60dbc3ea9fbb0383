/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/finish/completion.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/task/trace.h"
#include "hal/doorbell.h"
#include "hal/fence.h"
#include "hal/mmio.h"
#include "hal/timer.h"

static struct task_list finished; /* tasks whose completion is not posted, oldest first */
static uint32_t put;              /* completions written, modulo 2^32 */
static bool interrupt_due;        /* a completion that was posted asks for an interrupt */

/* After a restart the ring has completions that the host has not taken, unless a bug has destroyed the count. */
static __attribute__((cold)) void go_on(void)
{
	const uint32_t get = mmio_read32(&device.post->get);

	put = mmio_read32(&device.post->put);
	if (put - get > CP_COMPLETION_ENTRIES) {
		put = get;
		mmio_write32(&device.post->put, put);
	}
}

void completion_init(void)
{
	finished = (struct task_list){ 0 };
	put = 0;
	if (part_is_here(GG_FEATURE_RESTARTS)) {
		go_on();
	}
	interrupt_due = false;
}

void completion_add(struct task *task)
{
	task_list_append(&finished, task);
	due_set(DUE_POST);
}

bool completion_waits(void)
{
	return finished.head != NULL;
}

/* Whether so many more completions fit into the ring. */
static inline bool ring_fits(uint32_t more)
{
	return put - mmio_read32(&device.post->get) <= CP_COMPLETION_ENTRIES - more;
}

static bool ring_has_room(void)
{
	return ring_fits(1);
}

bool completion_has_room(void)
{
	return !completion_waits() && ring_has_room();
}

bool completion_has_much_room(void)
{
	_Static_assert(2 * CP_SLOTS < CP_COMPLETION_ENTRIES, "there is much room in an empty ring");
	return !completion_waits() && ring_fits(2 * CP_SLOTS + 1);
}

static inline void ring_show(void)
{
	put++;
	fence_release(); /* write the completion before the count */
	mmio_write32(&device.post->put, put);
	due_set(DUE_POST);
}

/* The same where there was much room at the beginning of the turn. */
static inline void ring_show_plain(bool quiet)
{
	interrupt_due |= !quiet;
	ring_show();
}

static void ring_advance(bool quiet)
{
	ring_show();
	interrupt_due |= !quiet || !ring_has_room(); /* a full ring always interrupts the host */
}

static inline __attribute__((always_inline)) struct gg_completion *
ring_entry(const struct command_source *source, const struct refusal *refusal, uint32_t sms)
{
	struct gg_completion *entry = &device.completions[put % CP_COMPLETION_ENTRIES];

	entry->tag = source->tag;
	entry->status = (uint32_t)refusal->status;
	entry->field = refusal->field;
	gg_split(&entry->value_lo, &entry->value_hi, refusal->value);
	entry->source = gg_put(GG_COMPLETION_CHANNEL, source->channel) |
			gg_put(GG_COMPLETION_OPCODE, source->opcode) |
			gg_put(GG_COMPLETION_SMS, sms);
	return entry;
}

static void entry_times(struct gg_completion *entry, const struct task *task, uint64_t now)
{
	gg_split(&entry->posted_lo, &entry->posted_hi, task->source.posted);
	gg_split(&entry->ready_lo, &entry->ready_hi, task->work.ready);
	gg_split(&entry->first_lo, &entry->first_hi, task->work.first);
	gg_split(&entry->last_lo, &entry->last_hi, task->work.last);
	gg_split(&entry->done_lo, &entry->done_hi, now);
}

/* A command that is no task is answered when it is taken; no CTA of it ever ran. */
static void entry_times_now(struct gg_completion *entry, uint64_t now)
{
	gg_split(&entry->posted_lo, &entry->posted_hi, now);
	gg_split(&entry->ready_lo, &entry->ready_hi, 0);
	gg_split(&entry->first_lo, &entry->first_hi, 0);
	gg_split(&entry->last_lo, &entry->last_hi, 0);
	gg_split(&entry->done_lo, &entry->done_hi, now);
}

/* What all but tasks that met something have. */
static inline __attribute__((always_inline)) void entry_plain(struct gg_completion *entry,
							      uint32_t packets, uint32_t mode)
{
	entry->fault = 0;
	entry->packets = packets;
	entry->mode = mode;
	entry->retried = 0;
#pragma GCC unroll 16
	for (uint32_t reason = 0; reason < TASK_REASONS; reason++) {
		entry->not_issued[reason] = 0;
	}
}

/* Of a command that ran no CTA. In line, so that what is constant for a caller is not loaded. */
static inline __attribute__((always_inline)) void ring_answer(const struct command_source *source,
							      const struct refusal *answer)
{
	const uint64_t now = timer_now();
	struct gg_completion *entry = ring_entry(source, answer, 0);

	gg_split(&entry->ctas_lo, &entry->ctas_hi, 0);
	entry_times_now(entry, now);
	entry_plain(entry, 0, 0);
}

void completion_answer(const struct command_source *source, const struct refusal *answer)
{
	ring_answer(source, answer);
	ring_advance(source->quiet);
}

void completion_post_done(const struct command_source *source)
{
	const struct refusal none = { .status = GG_OK };

	ring_answer(source, &none);
	ring_show_plain(source->quiet);
}

/* Of a wave whose SMs nobody has looked at only their number is known: each got a share, which counts as a packet. */
static uint32_t sms_of(const struct task *task)
{
	const uint32_t sms = bits_count_all(task->sms, device.sm_words);

	return sms != 0 ? sms : task->work.packets;
}

static void count_task(const struct task *task)
{
	perf_count(&device.perf->tasks_completed);
	if (task_has_failed(task)) {
		perf_count(&device.perf->tasks_failed);
	}
}

/* Out of line, as completion_post_plain(): debuggers stop here. */
__attribute__((noinline)) void completion_post(const struct task *task)
{
	const uint64_t now = timer_now();
	const struct command_source source = {
		.tag = task->source.tag,
		.channel = task->source.channel,
		.opcode = task->source.opcode,
		.quiet = task->source.quiet,
	};

	struct gg_completion *entry = ring_entry(&source, &task->failure, sms_of(task));

	gg_split(&entry->ctas_lo, &entry->ctas_hi, task->work.done);
	entry_times(entry, task, now);
	entry->fault = task->fault;
	entry->packets = task->work.packets;
	entry->mode = task->rules.mode;
	entry->retried = task->back.retried;
#pragma GCC unroll 16
	for (uint32_t reason = 0; reason < TASK_REASONS; reason++) {
		entry->not_issued[reason] = task->stall.turns[reason];
	}
	ring_advance(task->source.quiet);
	trace_task(task, now);
	if (task->source.opcode == GG_OPCODE_SUBMIT) {
		count_task(task);
	}
}

__attribute__((noinline)) void completion_post_plain(const struct task *task)
{
	const uint32_t packets = task->work.packets;
	struct gg_completion *entry = &device.completions[put % CP_COMPLETION_ENTRIES];

	entry->tag = task->source.tag;
	entry->status = GG_OK;
	entry->field = 0;
	gg_split(&entry->value_lo, &entry->value_hi, 0);
	entry->source = gg_put(GG_COMPLETION_CHANNEL, task->source.channel) |
			gg_put(GG_COMPLETION_OPCODE, GG_OPCODE_SUBMIT) |
			gg_put(GG_COMPLETION_SMS, packets);
	gg_split(&entry->ctas_lo, &entry->ctas_hi, task->work.done);
	entry_times(entry, task, timer_now());
	entry_plain(entry, packets, task->rules.mode);
	ring_show_plain(task->source.quiet);
	perf_count(&device.perf->tasks_completed);
}

struct task *completion_take(void)
{
	struct task *task = finished.head;

	if (task == NULL) {
		return NULL;
	}
	if (!ring_has_room()) {
		perf_count(&device.perf->post_full);
		return NULL;
	}
	(void)task_list_take(&finished);
	completion_post(task);
	return task;
}

void completion_interrupt(void)
{
	if (interrupt_due) {
		interrupt_due = false;
		device.post->interrupts++;
		doorbell_ring_host();
	}
	if (!completion_waits()) {
		due_clear(DUE_POST);
	}
}
