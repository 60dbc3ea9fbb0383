/* SPDX-License-Identifier: Apache-2.0 */
/* Capability blocks: the first byte says whether the block is searched in memory or checked as it is.
 * sources: host/lib/transport/layout.c host/lib/transport/transport.c host/lib/core/failure.c
 * host/lib/core/names.c */
#include <stdlib.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "host/lib/transport/layout.h"
#include "tests/fuzz/fuzz.h"

#define RAM 0x80000000u

static void find(const uint8_t *data, size_t bytes)
{
	struct place place = { .ram_bytes = bytes };
	uint8_t *ram = aligned_alloc(64, (bytes + 63) / 64 * 64 + 64);

	memcpy(ram, data, bytes);
	if (layout_find(ram, &place) == GG_OK && place.window - place.ram >= bytes)
		abort();
	free(ram);
}

static void check(const uint8_t *data, size_t bytes)
{
	struct gg_cap cap = { 0 };
	struct place place = { .ram = RAM, .ram_bytes = 1u << 28 };
	uint64_t heap;

	memcpy(&cap, data, bytes < sizeof(cap) ? bytes : sizeof(cap));
	place.window = gg_join(cap.base_lo, cap.base_hi);
	if (layout_check(&cap, &place) != GG_OK)
		return;
	heap = gg_join(cap.heap_lo, cap.heap_hi);
	if (heap < RAM || heap > RAM + place.ram_bytes || cap.sms == 0 || cap.channels == 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	if (bytes > 0 && data[0] == 0)
		find(data + 1, bytes - 1);
	else if (bytes > 0)
		check(data + 1, bytes - 1);
	return 0;
}
