/* SPDX-License-Identifier: Apache-2.0 */
/* The mutex that the reset of its owner frees: the reset of a hart that has had it, or asks for it, does not. */
#include "smoke.h"

#define LOCK MAILBOX_MUTEX(0)

/* 1: hart 2 has had it; 2: hart 1 has it; 3: hart 2 has asked in vain. */
static volatile uint32_t step;

static void wait_for_step(uint32_t number)
{
	while (step != number) {
	}
}

static void take(uint32_t next)
{
	while (LOCK != 0) {
	}
	step = next;
}

/* Harts that are reset come here once more, when all steps are over. */
static void follow(uint32_t hart)
{
	if (hart == 1 && step < 2) {
		wait_for_step(1);
		take(2);
	} else if (hart == 2 && step == 0) {
		while (LOCK != 0) {
		}
		LOCK = 0;
		step = 1;
		wait_for_step(2);
		CHECK(LOCK == 1);
		step = 3;
	}
	for (;;) {
	}
}

void smoke(uint32_t hart)
{
	if (hart != 0) {
		follow(hart);
	}
	wait_for_step(3);
	CHECK(LOCK == 1);
	MAILBOX_RESET = 1u << 2;
	CHECK(LOCK == 1);
	MAILBOX_RESET = 1u << 1;
	CHECK(LOCK == 0);
	CHECK(LOCK == 1); /* hart 0 has it now; hart 1, still held, does not free it */
	LOCK = 0;
	CHECK(LOCK == 0);
}
