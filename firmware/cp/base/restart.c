/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/base/restart.h"

#include <stddef.h>

#include "firmware/cp/base/device.h"
#include "hal/entry.h"
#include "hal/fence.h"
#include "hal/kept.h"
#include "hal/timer.h"

#define MINUTE_SECONDS 60u

static HAL_KEPT struct {
	uint64_t began;  /* when the minute began in which panics are counted, in ticks */
	uint32_t panics; /* in this minute */
	uint32_t most;   /* of these after which it boots again */
	bool warm;       /* it has booted again */
} kept;

bool restart_has_been(void)
{
	return kept.warm;
}

__attribute__((cold)) void restart_init(void)
{
	restart_set(RESTARTS);
}

__attribute__((cold)) void restart_set(uint32_t most)
{
	kept.most = most;
}

uint32_t restart_most(void)
{
	return kept.most;
}

/* A panic while the device boots would come again. */
__attribute__((cold)) bool restart_is_due(void)
{
	const uint64_t now = timer_now();

	if (device.cap == NULL || device.cap->state != GG_DEVICE_STATE_READY) {
		return false;
	}
	if (now - kept.began >= (uint64_t)MINUTE_SECONDS * timer_hz()) {
		kept.began = now;
		kept.panics = 0;
	}
	kept.panics++;
	return kept.panics <= kept.most;
}

__attribute__((cold)) _Noreturn void restart_now(void)
{
	kept.warm = true;
	device.cap->state = GG_DEVICE_STATE_BOOTING;
	fence_full();
	hal_restart();
}
