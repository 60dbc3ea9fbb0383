/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/pull/config_pull.h"

#include "firmware/cp/base/device.h"
#include "hal/mmio.h"

#define PER_MILLE 1000u
#define LONGEST   0x7fffffffu /* most ticks that an SM can wait: half of the range of 32 bits */

struct refusal config_pull_read(struct pull_settings *wanted)
{
	const struct gg_config *config = device.config;

	wanted->far_ticks = mmio_read32(&config->far_ticks);
	wanted->chunk_us = mmio_read32(&config->chunk_us);
	wanted->local_low = mmio_read32(&config->local_low);
	if (wanted->local_low > PER_MILLE) {
		return refusal_of(GG_ERR_CONFIG, GG_FIELD_CONFIG_LOCAL_LOW, wanted->local_low);
	}
	for (uint32_t gpc = 0; gpc < CP_GPCS; gpc++) {
		wanted->latency[gpc] = mmio_read32(&config->latency[gpc]);
		if (wanted->latency[gpc] > LONGEST) {
			return refusal_of(GG_ERR_CONFIG, GG_FIELD_CONFIG_LATENCY,
					  wanted->latency[gpc]);
		}
	}
	return refusal_none();
}
