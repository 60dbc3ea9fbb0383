/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/launch/launch.h"

#include <stdbool.h>
#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/launch/launch_out.h"
#include "firmware/cp/launch/launch_stop.h"
#include "firmware/cp/launch/launch_trace.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/task/queue.h"
#include "firmware/cp/task/retry.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/task/trace.h"
#include "firmware/cp/task/work.h"
#include "hal/fence.h"
#include "hal/launch_unit.h"
#include "hal/mmio.h"

#define NO_ASSIGNMENT UINT32_MAX

static uint32_t unseen[CP_SM_WORDS]; /* SMs with packets of CGAs that they do not see yet */
static uint32_t sequence;            /* packets written for all SMs */

_Static_assert(CP_LAUNCH_ENTRIES >= CP_UNITS, "packets in flight cannot overflow a ring");

void launch_init(void)
{
	sequence = 0;
	launch_out_init();
	launch_stop_init();
}

/* Shows an SM so many packets, and interrupts it. */
static inline void show(uint32_t sm, struct launch_rings *rings, uint32_t written)
{
	fence_release(); /* the packets become visible before the count */
	mmio_write32(&rings->header.launch_put, written);
	sm_interrupt(sm);
}

/* Shows an SM all packets that are written for it. */
static void launch_show(uint32_t sm)
{
	show(sm, &device.launch[sm], launch_written[sm]);
}

/* Fills the packet in place, word by word: to copy it would cost as much again. */
static inline __attribute__((always_inline)) void launch_fill(struct gg_packet *packet,
							      const struct task *task,
							      uint32_t starts, uint64_t first,
							      uint32_t assign)
{
	packet->task = task_table_name(task);
	packet->starts = starts;
	gg_split(&packet->first_lo, &packet->first_hi, first);
	packet->units = task->rules.needs.units;
	packet->cga = 0;
	packet->sequence = sequence++;
	packet->assign = assign;
	packet->pull = 0;
}

/* Takes the resources and writes a packet that the SM does not see yet. What is called comes first, so that little is kept in
 * registers meanwhile. */
static inline __attribute__((always_inline)) struct gg_packet *
launch_begin(uint32_t sm, struct task *task, uint32_t ctas, uint64_t first)
{
	const uint32_t starts = sm_state_reserve(sm, task, ctas);
	const uint32_t assign = sm_state_assign(sm, task);
	struct gg_packet *packet = launch_place(sm, launch_written[sm]++);

	launch_fill(packet, task, starts, first, assign);
	task_work_issue(task, sm, ctas);
	launch_out[sm][task->turn.slot] |= starts;
	perf_count(&device.perf->packets);
	if (retry_is_on(task)) {
		retry_note(task, sm, starts, first);
	}
	if (trace_is_on()) {
		launch_trace_packet(sm, task, packet);
	}
	return packet;
}

uint32_t launch_piece(uint32_t sm, struct task *task, uint32_t ctas, uint32_t cga)
{
	BITS_ASSERT(ctas <= task->work.left);

	struct gg_packet *packet = launch_begin(sm, task, ctas, task->work.position);

	if (task_queue(task) != NULL) {
		/* the CTAs take their items from the queue (S0-R05) */
		queue_take(task, ctas, &packet->queue_position, &packet->queue_last);
	} else {
		task_work_advance(task, ctas);
	}
	packet->cga = cga;
	perf_add(&device.perf->ctas_lo, &device.perf->ctas_hi, ctas);
	if (cga == 0) {
		launch_show(sm);
	} else {
		bits_set(unseen, sm);
	}
	return packet->starts;
}

void launch_only(uint32_t sm, const struct task *task)
{
	struct launch_rings *rings = &device.launch[sm];
	const uint32_t put = launch_written[sm];

	launch_written[sm] = put + 1;
	sm_state_reserve_first(sm, task);
	launch_fill(&rings->packets[put % CP_LAUNCH_ENTRIES], task, 1, 0,
		    sm_state_assign_first(sm, task));
	launch_out[sm][task->turn.slot] = 1; /* the SM holds nothing */
	perf_count(&device.perf->packets);
	perf_add(&device.perf->ctas_lo, &device.perf->ctas_hi, 1);
	show(sm, rings, put + 1);
}

uint32_t launch_again(uint32_t sm, const struct task *task, uint32_t starts, uint64_t first)
{
	struct launch_rings *rings = &device.launch[sm];
	const uint32_t put = launch_written[sm];
	const uint32_t again = sm_state_again(sm, task, starts);

	launch_written[sm] = put + 1;
	launch_fill(&rings->packets[put % CP_LAUNCH_ENTRIES], task, again, first,
		    sm_state_assign_again(sm, task));
	if (again != starts) {
		uint32_t *out = &launch_out[sm][task->turn.slot];

		*out = (*out & ~starts) | again;
	}
	show(sm, rings, put + 1);
	return bits_count(starts);
}

void launch_streams(uint32_t sm, struct task *task, uint32_t streams, uint64_t first, uint32_t pull)
{
	struct gg_packet *packet = launch_begin(sm, task, streams, first);

	packet->pull = pull;
	perf_count(&device.perf->pull_packets);
	launch_show(sm);
}

/* The same for a set of SMs, interrupted by the launch unit, whose SMs are in one word. */
static void launch_show_set(uint32_t sms)
{
	fence_release();
	for (uint32_t left = sms; left != 0; left &= left - 1) {
		const uint32_t sm = bits_lowest(left);

		mmio_write32(&device.launch[sm].header.launch_put, launch_written[sm]);
	}
	sm_interrupt_set(sms);
}

/* No SM has acknowledged NO_ASSIGNMENT, so it looks at the packet before it looks for what its CTAs need. */
void launch_special(uint32_t sm, struct task *task, uint32_t starts, uint64_t area, uint32_t how)
{
	struct gg_packet *packet = launch_place(sm, launch_written[sm]++);
	const bool back = how == GG_PACKET_PARK_RESTORE;

	launch_fill(packet, task, starts, area, back ? sm_state_assign(sm, task) : NO_ASSIGNMENT);
	packet->pull = how;
	perf_count(&device.perf->packets);
	if (back) {
		task_work_issue(task, sm, bits_count(starts));
		launch_out[sm][task->turn.slot] |= starts;
	}
	launch_show(sm);
}

void launch_publish(void)
{
	if (launch_unit_here()) {
		launch_show_set(unseen[0]);
		unseen[0] = 0;
		return;
	}
	for (uint32_t word = 0; word < device.sm_words; word++) {
		for (uint32_t left = unseen[word]; left != 0; left &= left - 1) {
			launch_show(word * 32 + bits_lowest(left));
		}
		unseen[word] = 0;
	}
}
