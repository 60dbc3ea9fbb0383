/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/launch/launch_stop.h"

#include <stddef.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/task_table.h"
#include "hal/fence.h"
#include "hal/mmio.h"

#define NO_STOP 0xffffffffu /* value of gg_sm_state.stop_slot for no request */
#define STOP_SM 0xfffffffeu /* for a request that the SM stops itself */

static uint32_t stopping[CP_SMS]; /* bit s: a request to stop CTAs of slot s is waiting */
static uint32_t waiting;          /* SMs that have such a bit */

/* Sets for which slots requests to stop CTAs of an SM wait, a bit each. */
static void wait_for(uint32_t sm, uint32_t slots)
{
	waiting += (uint32_t)(slots != 0) - (uint32_t)(stopping[sm] != 0);
	stopping[sm] = slots;
	due_note(DUE_STOPS, waiting != 0);
}

void launch_stop_init(void)
{
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		launch_stop_forget(sm);
	}
}

__attribute__((cold)) void launch_stop_forget(uint32_t sm)
{
	wait_for(sm, 0);
	device.sms[sm].stop_slot = NO_STOP;
	device.sms[sm].stop_ack = NO_STOP; /* written by the SM once it runs */
}

__attribute__((cold)) void launch_stop_sm(uint32_t sm)
{
	mmio_write32(&device.sms[sm].stop_slot, STOP_SM);
	sm_interrupt(sm);
}

/* The word holds one request; the next one is written when the SM has acted on the one before. Should the slot have another
 * task by now, no CGA of that is to stop. */
void launch_stop_next(uint32_t sm)
{
	struct gg_sm_state *words = &device.sms[sm];

	while (stopping[sm] != 0 && mmio_read32(&words->stop_ack) == words->stop_slot) {
		const struct task *task = task_table_holder(bits_lowest(stopping[sm]));

		wait_for(sm, stopping[sm] & (stopping[sm] - 1));
		if (task != NULL) {
			fence_release();
			mmio_write32(
				&words->stop_slot,
				task_table_name(task) |
					(~words->stop_slot & GG_SM_STATE_STOP_TURN) |
					(task_has_failed(task) ? 0 : GG_SM_STATE_STOP_MEMBERS));
			sm_interrupt(sm);
		}
	}
}

void launch_stop(const struct task *task)
{
	for (uint32_t sm = 0; bits_next(task->sms, device.sm_words, &sm); sm++) {
		wait_for(sm, stopping[sm] | 1u << task->turn.slot);
		launch_stop_next(sm);
	}
}
