/* SPDX-License-Identifier: Apache-2.0 */
/* hal/protection.h of a core without PMP: limits say so, every list is accepted, nothing is done. */
#include "hal/protection.h"

void protection_probe(struct protection_limits *limits)
{
	limits->entries = 0;
	limits->grain = 4;
}

enum hal_status protection_encode(const struct protection_limits *limits,
				  const struct protection_region *regions, uint32_t count,
				  struct protection_table *table)
{
	(void)limits;
	(void)regions;
	(void)count;
	*table = (struct protection_table){ 0 };
	return HAL_OK;
}

void protection_load(const struct protection_table *table)
{
	(void)table;
}
