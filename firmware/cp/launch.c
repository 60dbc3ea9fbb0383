/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/launch.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/bits.h"
#include "firmware/cp/cga_barrier.h"
#include "firmware/cp/cga_end.h"
#include "firmware/cp/cga_record.h"
#include "firmware/cp/device.h"
#include "firmware/cp/launch_out.h"
#include "firmware/cp/launch_stop.h"
#include "firmware/cp/launch_trace.h"
#include "firmware/cp/perf.h"
#include "firmware/cp/queue.h"
#include "firmware/cp/report.h"
#include "firmware/cp/request.h"
#include "firmware/cp/sm_lost.h"
#include "firmware/cp/sm_state.h"
#include "firmware/cp/task_table.h"
#include "firmware/cp/trace.h"
#include "hal/fence.h"
#include "hal/mmio.h"

/** The CP's side of an SM's rings. */
struct link {
	uint32_t put; /* packets that the SM may see; those behind are its plan */
	uint32_t get; /* reports taken */
};

static struct link links[CP_SMS];
static uint32_t heard[CP_SMS / 4];   /* bell bytes as last seen */
static uint32_t unseen[CP_SM_WORDS]; /* SMs that are ready, with packets that they do not see yet */
static uint32_t sequence;            /* packets of all SMs */

_Static_assert(CP_LAUNCH_ENTRIES >= CP_UNITS,
	       "packets and reports in flight cannot overflow a ring");

void launch_init(void)
{
	for (uint32_t sm = 0; sm < CP_SMS; sm++) {
		links[sm] = (struct link){ 0 };
	}
	for (uint32_t word = 0; word < CP_SMS / 4; word++) {
		heard[word] = 0;
	}
	for (uint32_t word = 0; word < CP_SM_WORDS; word++) {
		unseen[word] = 0;
	}
	launch_out_init();
	sm_lost_init();
	launch_stop_init();
}

/* The SM sees what is written. */
static void launch_show(uint32_t sm)
{
	struct link *link = &links[sm];

	if (trace_is_on()) {
		launch_trace_packets(sm, link->put);
	}
	device.perf->packets += launch_written[sm] - link->put;
	link->put = launch_written[sm];
	fence_release(); /* the packets before the count that shows them */
	mmio_write32(&device.launch[sm].header.launch_put, link->put);
	launch_ring(sm);
}

/* Word by word in its place: a copy would cost as much again. */
static void launch_fill(struct gg_packet *packet, const struct task *task, uint32_t starts)
{
	packet->task = launch_name(task);
	packet->starts = starts;
	packet->first_lo = gg_low(task->position);
	packet->first_hi = gg_high(task->position);
	packet->units = task->needs.units;
	packet->cga = 0;
	packet->cga_first = 0;
	packet->sequence = sequence++;
	packet->queue_position = 0;
	packet->queue_last = 0;
	packet->cga_sequence = 0;
	packet->pull = 0;
}

/* Its packets are seen now; or when the SM has acknowledged the task, which the first of them asks for; or, of CGAs,
 * when all is in place. */
static void launch_leaves(uint32_t sm, const struct task *task, bool later)
{
	const bool is_first = launch_written[sm] - links[sm].put == 1;

	if (!sm_state_ready(sm, task->slot)) {
		if (is_first) {
			if (trace_is_on()) {
				launch_trace_assign(sm, task);
			}
			sm_state_assign(sm, task->slot);
		}
	} else if (later) {
		bits_set(unseen, sm);
	} else {
		launch_show(sm);
	}
}

/* Its resources are taken; the SM does not see the packet yet. */
static inline __attribute__((always_inline)) struct gg_packet *
launch_begin(uint32_t sm, struct task *task, uint32_t ctas)
{
	const uint32_t starts = sm_state_reserve(sm, task, ctas);
	struct gg_packet *packet = launch_place(sm, launch_written[sm]++);

	launch_fill(packet, task, starts);
	task->in_flight += ctas;
	task->packets++;
	launch_out[sm][task->slot] |= starts;
	bits_set(task->sms, sm);
	return packet;
}

uint32_t launch_piece(uint32_t sm, struct task *task, uint32_t ctas, const struct launch_cga *cga)
{
	assert(ctas <= task->left);

	struct gg_packet *packet = launch_begin(sm, task, ctas);

	if (task->queue != NULL) {
		/* its items go with its CTAs (S0-R05) */
		queue_take(task, ctas, &packet->queue_position, &packet->queue_last);
	} else {
		task->left -= ctas;
	}
	if (cga != NULL) {
		packet->cga = cga->cga;
		packet->cga_first = cga->first;
		packet->cga_sequence = cga->sequence;
	}
	task->position += ctas;
	perf_add(&device.perf->ctas_lo, &device.perf->ctas_hi, ctas);
	launch_leaves(sm, task, cga != NULL);
	return packet->starts;
}

void launch_streams(uint32_t sm, struct task *task, uint32_t streams, uint64_t first, uint32_t pull)
{
	struct gg_packet *packet = launch_begin(sm, task, streams);

	gg_split(&packet->first_lo, &packet->first_hi, first);
	packet->pull = pull;
	perf_count(&device.perf->pull_packets);
	launch_leaves(sm, task, false);
}

void launch_publish(void)
{
	for (uint32_t sm = 0; bits_next(unseen, device.sm_words, &sm); sm++) {
		bits_clear(unseen, sm);
		launch_show(sm);
	}
}

void launch_take_report(uint32_t sm, const struct gg_report *report)
{
	const uint32_t slot = gg_get(report->task, GG_REPORT_SLOT);
	struct task *task = slot < CP_SLOTS ? task_table_holder(slot) : NULL;

	perf_count(&device.perf->reports);
	if (task == NULL || launch_name(task) != report->task) {
		perf_count(&device.perf->unmatched);
		return;
	}
	const uint32_t starts = report->starts;
	const uint32_t ctas = bits_count(starts);

	launch_out[sm][slot] &= ~starts;
	if (task->shape.levels == 0) {
		sm_state_release(sm, task, starts, ctas);
	} else {
		cga_end_ctas(task, sm, starts, report->status == GG_OK);
	}
	report_take(task, sm, report, ctas);
}

void launch_forget(uint32_t sm)
{
	launch_written[sm] = links[sm].put;
	bits_clear(unseen, sm);
}

static void launch_take_reports(uint32_t sm)
{
	struct launch_rings *rings = &device.launch[sm];
	const uint32_t put = mmio_read32(&device.sms[sm].report_put);
	uint32_t get = links[sm].get;

	assert(put - get <= CP_LAUNCH_ENTRIES);
	fence_acquire(); /* the count before the reports that it shows */
	links[sm].get = put;
	for (; get != put; get++) {
		launch_take_report(sm, &rings->reports[get % CP_LAUNCH_ENTRIES]);
	}
	mmio_write32(&rings->header.report_get, put);
}

/* CTAs that were never sent end as the SM would have ended them. */
static void launch_cancel(uint32_t sm, const struct gg_packet *packet)
{
	const struct task *task = task_table_holder(gg_get(packet->task, GG_PACKET_SLOT));
	const struct gg_report cancelled = {
		.task = packet->task,
		.starts = packet->starts,
		.status = (uint32_t)GG_ERR_CANCELLED,
		.first_lo = gg_low(task->times.first),
		.first_hi = gg_high(task->times.first),
	};

	launch_take_report(sm, &cancelled);
}

/* The SM has acknowledged: its plan leaves, but not that of a task that failed meanwhile. At most as many packets
 * as an SM has CTA slots. */
static void launch_plan_leaves(uint32_t sm)
{
	struct link *link = &links[sm];
	const struct gg_packet *first = launch_place(sm, link->put);
	const uint32_t end = launch_written[sm];

	if (task_table_holder(gg_get(first->task, GG_PACKET_SLOT))->failure.status == GG_OK) {
		launch_show(sm);
		return;
	}
	launch_written[sm] = link->put;
	for (uint32_t number = link->put; number != end; number++) {
		launch_cancel(sm, launch_place(sm, number));
	}
}

static void launch_hear(uint32_t sm)
{
	if (cga_record_live() != 0) {
		cga_barrier_hear(sm);
	}
	if (mmio_read32(&device.sms[sm].report_put) != links[sm].get) {
		launch_take_reports(sm);
	}
	if (request_waits(sm)) {
		request_serve(sm);
	}
	if (sm_state_acknowledged(sm) && launch_written[sm] != links[sm].put) {
		launch_plan_leaves(sm);
	}
	if (launch_stop_waits(sm)) {
		launch_stop_next(sm);
	}
	if (mmio_read32(&device.sms[sm].hart_state) == GG_HART_STATE_STOPPED) {
		launch_take_reports(sm); /* the last ones may have come just before */
		sm_lost(sm);
	}
}

static void launch_hear_word(uint32_t word, uint32_t changed)
{
	for (uint32_t byte = 0; byte < 4; byte++) {
		if ((changed >> 8 * byte & 0xffu) != 0) {
			launch_hear(word * 4 + byte);
		}
	}
}

void launch_poll(void)
{
	const uint32_t *bells = device.bells;
	const uint32_t words = (device.sms_count + 3) / 4;
	bool any = false;

	for (uint32_t word = 0; word < words; word++) {
		const uint32_t rung = mmio_read32(&bells[word]);
		const uint32_t changed = rung ^ heard[word];

		if (changed != 0) {
			heard[word] = rung;
			fence_acquire(); /* the bell before what it announces */
			launch_hear_word(word, changed);
			any = true;
		}
	}
	if (any && cga_record_live() != 0) {
		cga_barrier_ring();
	}
}
