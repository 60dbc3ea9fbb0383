/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/task/quarantine.h"

#include <string.h>

/** A kernel, and the channel that its task came from. */
struct place {
	uint64_t entry;
	uint32_t channel;
};

static struct place places[QUARANTINE_PLACES]; /* the oldest first */
uint32_t quarantine_count;

__attribute__((cold)) void quarantine_init(void)
{
	quarantine_count = 0;
}

static void remove_place(uint32_t place)
{
	quarantine_count--;
	memmove(&places[place], &places[place + 1], (quarantine_count - place) * sizeof(places[0]));
}

__attribute__((cold)) void quarantine_add(uint64_t entry, uint32_t channel)
{
	if (quarantine_find(entry)) {
		return;
	}
	if (quarantine_count == QUARANTINE_PLACES) {
		remove_place(0);
	}
	places[quarantine_count++] = (struct place){ entry, channel };
}

__attribute__((cold)) void quarantine_lift(uint32_t channel)
{
	for (uint32_t place = quarantine_count; place-- > 0;) {
		if (places[place].channel == channel) {
			remove_place(place);
		}
	}
}

__attribute__((cold)) bool quarantine_find(uint64_t entry)
{
	for (uint32_t place = 0; place < quarantine_count; place++) {
		if (places[place].entry == entry) {
			return true;
		}
	}
	return false;
}
