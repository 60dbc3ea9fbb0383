/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/express/refill.h"

#include <stddef.h>
#include <stdint.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/collect/inbox.h"
#include "firmware/cp/collect/sm_request.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/launch/launch_out.h"
#include "firmware/cp/schedule/issue.h"
#include "firmware/cp/sms/offer.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/task/trace.h"
#include "firmware/cp/task/work.h"
#include "firmware/cp/wave/wave.h"
#include "hal/fence.h"
#include "hal/launch_unit.h"
#include "hal/mmio.h"
#include "hal/timer.h"

#define MOST 16u /* SMs that are refilled in a turn, at most */

/** What an SM has said. What is known at the same time does not lie side by side (sm_state.c). */
struct news {
	uint32_t sm;
	uint32_t put;    /* its reports, as far as they were looked at */
	uint32_t bell;   /* its bell byte, when it was looked at */
	uint32_t starts; /* lowest unit of each CTA that has ended, a bit each */
};

/** What all SMs have said. It stays in registers. */
struct all_news {
	struct news *of;  /* of an SM each; room for MOST */
	struct news *end; /* behind the last one of `of` */
	uint32_t ctas;    /* that have ended */
	uint32_t reports; /* that say so */
	uint64_t first;   /* when the first of these CTAs started, in ticks */
	uint64_t last;    /* when the last one ended, in ticks */
};

/* The task that is first in line, if it is a plain grid. Nothing is due but host and SMs, so it has been offered all
 * SMs, found no room, and keeps the tasks behind it from getting any. */
static struct task *first(void)
{
	struct task *task = task_table_first(bits_lowest(task_table_priorities()));

	return task->rules.plain && issue_is_balanced(task) ? task : NULL;
}

/* Whether an SM has said nothing but that CTAs of the task have ended well, so that it has room for as many. */
static bool look(const struct task *task, uint32_t name, uint32_t sm, uint32_t bell,
		 struct all_news *all)
{
	struct news *news = all->end;
	const struct gg_report *reports = device.launch[sm].reports;
	uint32_t starts = 0;

	if (news == all->of + MOST || inbox_has_stopped(sm) || sm_request_waits(sm)) {
		return false;
	}
	const uint32_t put = mmio_read32(&device.sms[sm].report_put);

	news->sm = sm;
	news->bell = bell;
	fence_acquire(); /* read the reports after the count */
	for (uint32_t get = inbox_taken[sm]; get != put; get++) {
		const struct gg_report *report = &reports[get % CP_LAUNCH_ENTRIES];
		const uint64_t first = gg_join(report->first_lo, report->first_hi);
		const uint64_t last = gg_join(report->last_lo, report->last_hi);

		if (report->task != name || report->status != GG_OK) {
			return false;
		}
		starts |= report->starts;
		all->first = first < all->first ? first : all->first;
		all->last = last > all->last ? last : all->last;
		all->reports++;
	}
	const uint32_t ctas = bits_count(starts);

	news->put = put;
	news->starts = starts;
	all->end = news + 1;
	all->ctas += ctas;
	return sm_state_fits_again(sm, task, ctas, starts);
}

/* A launch unit has a bit for each SM; else an SM has a byte. */
static bool look_at_all(const struct task *task, struct all_news *all)
{
	const bool unit = launch_unit_here();
	const uint32_t words = unit ? 1 : (device.sms_count + 3) / 4;
	const uint32_t shift = unit ? 0 : 3;
	const uint32_t name = task_table_name(task);

	if (unit) {
		inbox_take_bells();
	}
	for (uint32_t word = 0; word < words; word++) {
		const uint32_t bells = unit ? inbox_rung : mmio_read32(&device.bells[word]);
		uint32_t changed = unit ? bells : bells ^ inbox_heard[word];

		while (changed != 0) {
			const uint32_t at = bits_lowest(changed) >> shift;

			changed &= ~((unit ? 1u : 0xffu) << (at << shift));
			fence_acquire(); /* read the news after the bell */
			if (!look(task, name, word * 4 + at, bells >> (at << shift), all)) {
				return false;
			}
		}
	}
	return true;
}

static void hear(const struct news *news)
{
	const uint32_t sm = news->sm;

	((unsigned char *)inbox_heard)[sm] = (unsigned char)news->bell;
	inbox_taken[sm] = news->put;
	mmio_write32(&device.launch[sm].header.report_get, news->put);
}

/* Records the packets that the SMs will get. Kept out of line: the device is hardly ever traced. */
static __attribute__((noinline)) void record(const struct task *task, const struct news *news,
					     const struct news *end)
{
	struct trace_packets packets = trace_packets_begin(task, timer_now());
	uint32_t next = gg_low(task->work.position);

	for (; news != end; news++) {
		const uint32_t ctas = bits_count(news->starts);

		if (ctas != 0) {
			trace_packets_add(&packets, news->sm, next, ctas);
			next += ctas;
		}
	}
	trace_packets_end(&packets);
}

/* As many CTAs are in flight afterwards as before. What is counted is counted once for all SMs. */
static void refill(struct task *task, const struct all_news *all)
{
	uint64_t next = task->work.position;
	uint32_t packets = 0;

	for (const struct news *news = all->of; news != all->end; news++) {
		hear(news);
		if (news->starts != 0) {
			next += launch_again(news->sm, task, news->starts, next);
			packets++;
		} else {
			sm_state_hear(news->sm);
		}
	}
	if (launch_unit_here()) {
		inbox_rung = 0; /* all of them */
	}
	device.perf->reports += all->reports;
	device.perf->packets += packets;
	perf_add(&device.perf->ctas_lo, &device.perf->ctas_hi, all->ctas);
	if (all->reports != 0) {
		task_work_end(task, 0, all->first, all->last);
	}
	task_work_complete(task, all->ctas);
	task_work_again(task, all->ctas, packets);
	offer_passed(all->ctas);
	task_table_show(task);
}

bool refill_turn(void)
{
	struct task *task = first();
	struct news of[MOST];
	struct all_news all = { .of = of, .end = of, .first = UINT64_MAX };

	if (task == NULL || (wave_is_here() && wave_slots != 0) || !look_at_all(task, &all) ||
	    all.ctas >= task->work.left) {
		return false;
	}
	if (trace_is_on()) {
		record(task, of, all.end);
	}
	refill(task, &all);
	return true;
}
