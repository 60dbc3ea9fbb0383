/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/sms/sm_room.h"

#include "firmware/cp/base/device.h"

struct sm_room sm_room_whole[CP_UNITS + 1];
uint32_t sm_room_units;

void sm_room_init(void)
{
	sm_room_units = bits_ones(device.resources.units);
	for (uint32_t units = 1; units <= CP_UNITS; units++) {
		const uint32_t starts = bits_runs(sm_room_units, units, CP_UNITS);

		sm_room_whole[units] = (struct sm_room){ starts, bits_count(starts) };
	}
}
