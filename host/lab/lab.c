/* SPDX-License-Identifier: Apache-2.0 */
/* The policy laboratory: plays a list of tasks through the control processor's own files, with simulated SMs. It prints
 * a line for each launch packet if it is asked to, a line for each task, when its first CTA started and its last one ended,
 * and then a line of sums. `ganger lab` runs it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "firmware/abi/field.h"
#include "firmware/cp/loop.h"
#include "host/lab/lab_device.h"
#include "host/lab/lab_sms.h"
#include "host/lab/lab_work.h"

#define TURNS 1000000u /* turns of the loop without a change of time: more are an endless loop */

static struct gg_completion *dones; /* by task */
static uint32_t posted;             /* tasks */
static uint32_t completed;          /* tasks */
static uint64_t begin;              /* lab_now when the device was made */
static uint64_t looked;             /* lab_now when tasks were last posted */

/* Posts the tasks that are due. Those for which the ring has no room follow later. */
static bool post(void)
{
	const uint32_t before = posted;

	looked = lab_now;
	while (posted < lab_setup.tasks && lab_tasks[posted].at + begin <= lab_now &&
	       lab_device_post(posted, &lab_tasks[posted])) {
		posted++;
	}
	return posted != before;
}

static bool complete(void)
{
	struct gg_completion done;
	bool any = false;

	for (; lab_device_completion(&done); any = true) {
		if (done.status != GG_OK) {
			fprintf(stderr, "task %u was refused: status %d, field %#x\n", done.tag,
				(int32_t)done.status, done.field);
			exit(4);
		}
		dones[done.tag] = done;
		completed++;
	}
	return any;
}

static bool turn(void)
{
	const uint64_t before = lab_blocks;

	loop_wake();
	const bool more = loop_turn();

	lab_now += (lab_blocks - before) * lab_setup.block_ns;
	lab_sms_take();
	return more;
}

/* When something happens next, which may be within the last turn, as it takes time, too. Tasks that were due when they were last
 * posted wait for room in the ring. */
static uint64_t next(void)
{
	const uint64_t sms = lab_sms_next();
	const uint64_t task = posted < lab_setup.tasks && lab_tasks[posted].at + begin > looked
				      ? lab_tasks[posted].at + begin
				      : LAB_NEVER;

	return sms < task ? sms : task;
}

static void play(void)
{
	uint32_t turns = 0;

	while (completed < lab_setup.tasks) {
		lab_sms_run();
		const bool news = post();
		const bool more = turn();

		if (complete() || news || more) {
			if (turns++ == TURNS) {
				fprintf(stderr, "the control processor turns without an end\n");
				exit(3);
			}
			continue;
		}
		turns = 0;
		if (next() == LAB_NEVER) {
			fprintf(stderr,
				"%u of %u tasks wait, and no CTA runs: the policy issues none\n",
				posted - completed, lab_setup.tasks);
			exit(3);
		}
		lab_now = next() > lab_now ? next() : lab_now;
	}
}

static void print(void)
{
	for (uint32_t index = 0; index < lab_setup.tasks; index++) {
		const struct gg_completion *done = &dones[index];

		printf("%" PRIu64 " %" PRIu64 "\n", gg_join(done->first_lo, done->first_hi) - begin,
		       gg_join(done->last_lo, done->last_hi) - begin);
	}
	printf("%" PRIu64 " %" PRIu64 " %u %u %" PRIu64 "\n", lab_busy_ns, lab_blocks,
	       device.perf->packets, device.perf->evictions,
	       gg_join(device.perf->ctas_lo, device.perf->ctas_hi));
}

int main(void)
{
	lab_work_read();
	dones = calloc(lab_setup.tasks, sizeof(dones[0]));
	if (dones == NULL) {
		fprintf(stderr, "there is not enough memory for the results\n");
		return 2;
	}
	lab_device_init(&lab_setup);
	lab_sms_init(&lab_setup);
	begin = lab_now;
	lab_blocks = 0;
	play();
	print();
	return 0;
}
