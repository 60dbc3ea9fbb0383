/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/recover/warm.h"

#include <string.h>

#include "firmware/cp/base/device.h"
#include "firmware/cp/launch/launch_stop.h"
#include "firmware/cp/recover/reset.h"
#include "hal/hart.h"
#include "hal/ipi.h"
#include "hal/irq.h"
#include "hal/timer.h"

#define LOOKS_A_SECOND 1000u

bool warm_sm_stopped(uint32_t sm)
{
	return hart_state(sm + 1) == HART_STOPPED;
}

static bool all_stopped(void)
{
	uint32_t sm = 0;

	while (sm < device.sms_count && warm_sm_stopped(sm)) {
		sm++;
	}
	return sm == device.sms_count;
}

/* Interrupts are disabled: they only end the sleep. */
uint32_t warm_stop_sms(void)
{
	const uint32_t look = timer_hz() / LOOKS_A_SECOND;
	const uint64_t deadline = timer_now() + (uint64_t)look * RESET_ANSWER_MS;
	uint32_t running = 0;

	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		if (!warm_sm_stopped(sm)) {
			launch_stop_sm(sm);
		}
	}
	while (!all_stopped() && timer_now() < deadline) {
		ipi_clear();
		timer_set(timer_now() + look);
		wait_for_interrupt();
	}
	timer_cancel();
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		if (!warm_sm_stopped(sm) && hart_reset(sm + 1) != HAL_OK) {
			running++;
		}
	}
	return running;
}

void warm_clear(void)
{
	const struct gg_cap *cap = device.cap;
	unsigned char *base = (unsigned char *)device.cap;

	memset(base + cap->task_table_offset, 0, cap->faults_offset - cap->task_table_offset);
	memset(base + cap->cluster_offset, 0, cap->error_offset - cap->cluster_offset);
}
