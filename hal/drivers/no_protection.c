/* SPDX-License-Identifier: Apache-2.0 */
/* hal/protection.h of a core without PMP: limits say so, every list is accepted, nothing is done. */
#include "hal/protection.h"

void protection_probe(struct protection_limits *limits)
{
	limits->entries = 0;
	limits->grain = 4;
}

void protection_begin(const struct protection_limits *limits, struct protection_table *table)
{
	(void)limits;
	(void)table;
}

enum hal_status protection_add(const struct protection_limits *limits,
			       struct protection_table *table, uintptr_t base, uintptr_t bytes,
			       uint32_t rights)
{
	(void)limits;
	(void)table;
	(void)base;
	(void)bytes;
	(void)rights;
	return HAL_OK;
}

void protection_load(const struct protection_table *table, uintptr_t base, uintptr_t bytes)
{
	(void)table;
	(void)base;
	(void)bytes;
}

void protection_move(const struct protection_table *table, uintptr_t base, uintptr_t bytes)
{
	(void)table;
	(void)base;
	(void)bytes;
}
