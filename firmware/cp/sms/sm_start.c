/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/sms/sm_start.h"

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/limits.h"
#include "firmware/cp/base/restart.h"
#include "hal/fence.h"
#include "hal/hal.h"
#include "hal/hart.h"
#include "hal/timer.h"

#define SLICES_A_SECOND 1000u /* time slices of an SM with several resident CTAs */

/* This hart does not translate addresses. */
struct sm_boot *sm_start_argument(uint32_t sm)
{
	const struct gg_sm_state *words = &device.sms[sm];

	return (struct sm_boot *)(uintptr_t)gg_join(words->area_lo, words->area_hi);
}

__attribute__((cold)) void sm_start_prepare(uint32_t sm, uint64_t area)
{
	struct gg_sm_state *words = &device.sms[sm];

	gg_split(&words->area_lo, &words->area_hi, area);
	if (!restart_is_warm()) {
		sm_start_argument(sm)->faults = 0;
	}
}

__attribute__((cold)) enum hal_status sm_start(uint32_t sm)
{
	struct sm_boot *argument = sm_start_argument(sm);

	*argument = (struct sm_boot){
		.cap_lo = device.cap->base_lo,
		.cap_hi = device.cap->base_hi,
		.sm = sm,
		.features = UINT32_MAX,
		.pmp_entries = CP_PMP_ENTRIES,
		.slice_ticks = timer_hz() / SLICES_A_SECOND + 1,
		.faults = argument->faults,
	};
	device.sms[sm].hart_state = GG_HART_STATE_STOPPED;
	fence_full();
	return hart_start(sm + 1, hal_board.sm_base, (uintptr_t)argument);
}
