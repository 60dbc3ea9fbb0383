/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Tasks of the policy laboratory on a device: CTAs that take a time of the device's clock, and a look at that clock.
 */
#include "ganger_kernel.h"

#define APART \
	16 /* turns of a loop between two looks, so that harts which QEMU lets take turns get further in each */

/** The low word of the device's clock, in ticks. */
static uint ticks(void)
{
	uintptr_t now;

	for (uint i = 0; i < APART; i++) {
		__asm__ volatile("" : : : "memory"); /* so that the loop stays */
	}
	__asm__ volatile("rdtime %0" : "=r"(now) : : "memory");
	return (uint)now;
}

/**
 * Each CTA runs for its time, the work-items after the first one for next to none. While its SM runs another CTA, the time stands
 * still.
 * @param times  In ticks, below 2^31.
 * @param each   1: one for each CTA; 0: the first is that of all.
 * @param most   Ticks between two looks at the clock above which the SM has run another CTA.
 */
kernel void lab(global const uint *times, uint each, uint most)
{
	if (get_local_id(0) == 0) {
		const uint time = times[each ? get_group_id(0) : 0];
		uint last = ticks();

		for (uint done = 0; done < time;) {
			const uint now = ticks();

			done += now - last < most ? now - last : 0;
			last = now;
		}
	}
}

/**
 * Shows the host the clock until it is told to stop.
 * @param words  The clock, in ticks, low word; and what the host makes 1 in the end.
 */
kernel void lab_clock(global volatile uint *words)
{
	while (words[1] == 0) {
		words[0] = ticks();
	}
}
