/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a grid of one CTA on the device in arrays of the unit tests. The control processor's files are built
 * with -finstrument-functions; each entry into one of their functions, and each return, is a line of the output.
 * walks.py makes walks of them. */
#include <stdio.h>

#include "tests/unit/fake_device.h"

#define TURNS 10u /* of the loop, at most, until nothing is left to do */

static bool on;

void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller)
{
	(void)caller;
	if (on) {
		printf("+ %p\n", function);
	}
}

void __cyg_profile_func_exit(void *function, void *caller)
{
	(void)caller;
	if (on) {
		printf("- %p\n", function);
	}
}

static void live(uint32_t tag)
{
	const struct gg_tmd tmd = fake_tmd(1);
	struct gg_completion done;

	fake_submit(0, tag, &tmd);
	fake_settle(TURNS);
	(void)fake_take_packets(0);
	fake_end(0, GG_OK);
	fake_settle(TURNS);
	if (!fake_completion(&done) || done.tag != tag || done.status != 0) {
		printf("the task did not end well\n");
	}
}

int main(void)
{
	fake_device_init(1);
	live(1); /* the first one finds tables empty */
	on = true;
	live(2);
	return 0;
}
