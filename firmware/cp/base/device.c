/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/base/device.h"

struct device device;

__attribute__((noinline)) uint32_t device_ticks(uint32_t us)
{
	const uint64_t ticks = (uint64_t)us * device.cap->timebase_hz / 1000000u;

	return ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX - 1;
}
