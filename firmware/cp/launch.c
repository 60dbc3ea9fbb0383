/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/launch.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/bits.h"
#include "firmware/cp/device.h"
#include "firmware/cp/perf.h"
#include "firmware/cp/queue.h"
#include "firmware/cp/report.h"
#include "firmware/cp/request.h"
#include "firmware/cp/sm_state.h"
#include "firmware/cp/task_table.h"
#include "firmware/cp/trace.h"
#include "hal/fence.h"
#include "hal/ipi.h"
#include "hal/mmio.h"

#define NO_STOP 0xffffffffu /* gg_sm_state.stop_slot: nothing to stop */

/** The CP's side of an SM's rings. */
struct link {
	struct gg_packet plan; /* leaves when the SM acknowledges */
	bool planned;          /* there is a plan */
	uint32_t put;          /* packets written */
	uint32_t get;          /* reports taken */
	uint32_t stopping;     /* bit s: the SM is to be told to stop slot s */
};

static struct link links[CP_SMS];
static uint32_t heard[CP_SMS / 4]; /* bell bytes as last seen */
static uint32_t sequence;          /* packets of all SMs */

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
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		device.sms[sm].stop_slot = NO_STOP;
		device.sms[sm].stop_ack = NO_STOP; /* the SM's, once it runs */
	}
}

void launch_ring(uint32_t sm)
{
	ipi_send(sm + 1); /* hart 0 is the CP */
}

static void launch_trace(const struct task *task, enum gg_trace_type type, uint32_t sm,
			 uint64_t cta, uint32_t ctas)
{
	if (trace_is_on()) {
		const struct trace_event event = {
			.type = type, .sm = sm, .cta = cta, .extra = ctas
		};

		trace_event(task, event);
	}
}

static void launch_send(uint32_t sm, const struct gg_packet *packet)
{
	struct launch_rings *rings = &device.launch[sm];

	rings->packets[links[sm].put % CP_LAUNCH_ENTRIES] = *packet;
	links[sm].put++;
	launch_trace(task_table_holder(gg_get(packet->task, GG_PACKET_SLOT)), GG_TRACE_TYPE_LAUNCH,
		     sm, gg_join(packet->first_lo, packet->first_hi), bits_count(packet->starts));
	perf_count(&device.perf->packets);
	fence_release(); /* the packet before the count that shows it */
	mmio_write32(&rings->header.launch_put, links[sm].put);
	launch_ring(sm);
}

static uint32_t launch_name(const struct task *task)
{
	return gg_put(GG_PACKET_SLOT, task->slot) |
	       gg_put(GG_PACKET_GENERATION, device.slots[task->slot].generation);
}

static struct gg_packet launch_packet(const struct task *task, uint32_t starts)
{
	return (struct gg_packet){
		.task = launch_name(task),
		.starts = starts,
		.first_lo = gg_low(task->position),
		.first_hi = gg_high(task->position),
		.units = task->needs.units,
		.sequence = sequence++,
	};
}

void launch_ctas(uint32_t sm, struct task *task, uint32_t ctas)
{
	const uint32_t starts = sm_state_reserve(sm, task, ctas);
	struct gg_packet packet = launch_packet(task, starts);

	assert(ctas <= task->left && !links[sm].planned);
	if (task->queue != NULL) {
		/* its items go with its CTAs (S0-R05) */
		queue_take(task, ctas, &packet.queue_position, &packet.queue_last);
	} else {
		task->left -= ctas;
	}
	task->position += ctas;
	task->in_flight += ctas;
	task->packets++;
	bits_set(task->sms, sm);
	perf_add(&device.perf->ctas_lo, &device.perf->ctas_hi, ctas);
	if (sm_state_ready(sm, task->slot)) {
		launch_send(sm, &packet);
		return;
	}
	links[sm].plan = packet;
	links[sm].planned = true;
	launch_trace(task, GG_TRACE_TYPE_ASSIGN, sm, sm, 0);
	sm_state_assign(sm, task->slot);
}

/* The word holds one request; the next is written when the SM has acted on the last. */
static void launch_stop_next(uint32_t sm)
{
	struct gg_sm_state *words = &device.sms[sm];
	struct link *link = &links[sm];

	while (link->stopping != 0 && mmio_read32(&words->stop_ack) == words->stop_slot) {
		const uint32_t slot = bits_lowest(link->stopping);
		const struct task *task = task_table_holder(slot);

		link->stopping &= link->stopping - 1;
		if (task != NULL && task->failure.status != GG_OK) {
			fence_release();
			mmio_write32(&words->stop_slot, launch_name(task));
			launch_ring(sm);
		}
	}
}

void launch_stop(const struct task *task)
{
	for (uint32_t sm = 0; bits_next(task->sms, device.sm_words, &sm); sm++) {
		links[sm].stopping |= 1u << task->slot;
		launch_stop_next(sm);
	}
}

static void launch_take_report(uint32_t sm, const struct gg_report *report)
{
	const uint32_t slot = gg_get(report->task, GG_REPORT_SLOT);
	struct task *task = slot < CP_SLOTS ? task_table_holder(slot) : NULL;

	perf_count(&device.perf->reports);
	if (task == NULL || launch_name(task) != report->task) {
		perf_count(&device.perf->unmatched);
		return;
	}
	sm_state_release(sm, task, report->starts);
	report_take(task, sm, report);
}

static void launch_take_reports(uint32_t sm)
{
	struct launch_rings *rings = &device.launch[sm];
	const uint32_t put = mmio_read32(&device.sms[sm].report_put);

	assert(put - links[sm].get <= CP_LAUNCH_ENTRIES);
	fence_acquire(); /* the count before the reports that it shows */
	while (links[sm].get != put) {
		launch_take_report(sm, &rings->reports[links[sm].get % CP_LAUNCH_ENTRIES]);
		links[sm].get++;
	}
	mmio_write32(&rings->header.report_get, put);
}

/* The SM has acknowledged: its plan leaves. A plan of a task that failed meanwhile does not: its
 * CTAs are reported as cancelled, as the SM would have done. */
static void launch_plan_leaves(uint32_t sm)
{
	const struct gg_packet *plan = &links[sm].plan;
	const struct task *task = task_table_holder(gg_get(plan->task, GG_PACKET_SLOT));

	links[sm].planned = false;
	if (task->failure.status == GG_OK) {
		launch_send(sm, plan);
		return;
	}
	const struct gg_report cancelled = {
		.task = plan->task,
		.starts = plan->starts,
		.status = (uint32_t)GG_ERR_CANCELLED,
		.first_lo = gg_low(task->times.first),
		.first_hi = gg_high(task->times.first),
	};

	launch_take_report(sm, &cancelled);
}

static void launch_hear(uint32_t sm)
{
	launch_take_reports(sm);
	request_poll(sm);
	if (sm_state_acknowledged(sm) && links[sm].planned) {
		launch_plan_leaves(sm);
	}
	if (links[sm].stopping != 0) {
		launch_stop_next(sm);
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
	for (uint32_t word = 0; word * 4 < device.sms_count; word++) {
		const uint32_t bells = mmio_read32(&device.bells[word]);
		const uint32_t changed = bells ^ heard[word];

		if (changed != 0) {
			heard[word] = bells;
			fence_acquire(); /* the bell before what it announces */
			launch_hear_word(word, changed);
		}
	}
}
