/* SPDX-License-Identifier: Apache-2.0 */
/* Hardware mutex: all harts count in one word, under the same mutex; the others are not taken by it. */
#include "smoke.h"

#define TURNS 100u

static volatile uint32_t count, inside;

void smoke(uint32_t hart)
{
	for (uint32_t turn = 0; turn < TURNS; turn++) {
		while (MAILBOX_MUTEX(1) != 0) {
		}
		CHECK(inside == 0);
		inside = hart + 1;
		count = count + 1;
		CHECK(inside == hart + 1);
		inside = 0;
		MAILBOX_MUTEX(1) = 0;
	}
	while (hart == 0 && count < TURNS * MAILBOX_HARTS) {
	}
	if (hart == 0) {
		CHECK(count == TURNS * MAILBOX_HARTS);
		CHECK(MAILBOX_MUTEX(0) == 0 && MAILBOX_MUTEX(0) == 1);
		CHECK(MAILBOX_MUTEX(2) == 0);
		MAILBOX_MUTEX(0) = 0;
		CHECK(MAILBOX_MUTEX(0) == 0);
	}
}
