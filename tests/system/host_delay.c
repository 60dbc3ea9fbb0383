/* SPDX-License-Identifier: Apache-2.0 */
/* The host's part of delays on purpose: a thread is held up, now and then, before it reads or writes a word of the device. */
#include "host/lib/transport/regs.h"

#include <stdlib.h>
#include <time.h>

#define OFTEN   16u     /* one access of so many is held up */
#define LONG_NS 200000u /* ns, at most */

static _Thread_local uint64_t random_word;

void gg_delay(void)
{
	if (random_word == 0) {
		const char *seed = getenv("GANGER_DELAYS");

		random_word = (seed ? strtoull(seed, NULL, 0) : 1) * 0x9e3779b97f4a7c15u +
			      (uintptr_t)&random_word;
	}
	random_word ^= random_word << 13;
	random_word ^= random_word >> 7;
	random_word ^= random_word << 17;
	if (random_word % OFTEN == 0) {
		nanosleep(&(struct timespec){ .tv_nsec = (long)((random_word >> 32) % LONG_NS) },
			  NULL);
	}
}
