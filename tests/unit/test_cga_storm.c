/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of CGAs and plain tasks at random, with failures, barriers, cancels, suspensions and SMs that are switched off
 * and on: what must hold of CGAs holds after every turn, and everything comes back.
 * sources: scheduler tests/unit/fake_run.c tests/unit/fake_cga.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/cga/cga.h"
#include "firmware/cp/cga/cga_id.h"
#include "firmware/cp/cga/cga_wait.h"
#include "firmware/cp/task/task.h"
#include "firmware/cp/task/task_table.h"
#include "tests/unit/fake_cga.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define TASKS 2000u /* of a round */
#define NAMES 32u   /* tasks that are named at random */

static uint64_t names[NAMES];
static uint32_t submitted;
static uint32_t completed;

static uint32_t any(uint32_t count)
{
	return (uint32_t)rand() % count;
}

static bool one_in(uint32_t count)
{
	return any(count) == 0;
}

static struct gg_tmd any_cgas(void)
{
	struct gg_tmd tmd = fake_cga((enum gg_domain)any(4), any(5) + 1, any(6) + 1);
	uint32_t domain = gg_get(tmd.cluster_z, GG_TMD_CLUSTER_DOMAIN);

	for (uint32_t level = 1; level < 3 && domain > 0 && one_in(2); level++) {
		domain -= 1 + any(domain);
		tmd = fake_cga_outer(tmd, (enum gg_domain)domain, any(3) + 1);
	}
	tmd = fake_with_mode(tmd, one_in(4) ? GG_TASK_MODE_MULTI_CAST : GG_TASK_MODE_DEVICE);
	tmd.header |= one_in(6) ? GG_TMD_SEQUENTIAL : 0;
	return tmd;
}

/* Those that can never fit are refused at submission: they count as complete. */
static void any_task(void)
{
	struct gg_tmd tmd = one_in(3) ? fake_own(fake_tmd(any(40) + 1)) : any_cgas();

	tmd.shared_bytes = one_in(3) ? any(12000) : 0;
	tmd.block_xy = one_in(4) ? 256u | 1u << 16 : tmd.block_xy;
	tmd.header |= one_in(5) ? GG_TMD_HEAD : 0;
	if (one_in(6)) {
		tmd.header |= GG_TMD_QUOTA_ENABLE;
		tmd.quota = any(9) + 1;
	}
	tmd.gpc_mask = one_in(6) ? any(3) + 1 : 0;
	tmd = fake_with_priority(tmd, any(3) + 4);
	names[any(NAMES)] = fake_run(++submitted, &tmd);
}

static void any_name(enum gg_opcode opcode)
{
	fake_name(++submitted, opcode, names[any(NAMES)]);
}

static void any_barrier(void)
{
	for (uint32_t count = any(30); count > 0 && fake_cta_count > 0; count--) {
		const struct fake_cta *cta = &fake_ctas[any(fake_cta_count)];
		const uint32_t levels = task_table_holder(cta->slot)->rules.shape.levels;
		struct gg_cluster *words = &device.clusters[cta->sm];
		const uint32_t level = levels != 0 ? any(levels) : 0;

		if (levels != 0 && ((words->come[level] ^ words->go[level]) & cta->start) == 0) {
			words->come[level] ^= cta->start;
			fake_bell(cta->sm);
		}
	}
}

static void any_ends(uint32_t most)
{
	for (uint32_t count = any(most); count > 0 && fake_cta_count > 0; count--) {
		fake_end(any(fake_cta_count), one_in(80) ? GG_ERR_ABORTED : GG_OK);
	}
	fake_settle(1000);
}

static void any_switch(void)
{
	device.config->enabled[0] = one_in(2) ? 0xfff : (any(0xfff) | 1u << any(12)) & 0xfff;
	cga_wait_set_patience(any(60));
	cga_id_set_limit(one_in(2) ? 256 : any(4) + 9);
	fake_post(1, (struct gg_command){ .header = GG_OPCODE_CONFIG,
					  .tag = ++submitted,
					  .argument0 = 1u << GG_CONFIG_PART_ENABLED });
	fake_settle(1000);
}

static void take(void)
{
	struct gg_completion done;

	while (fake_completion(&done)) {
		completed++;
	}
	device.post->rung++;
	fake_settle(1000);
}

static void step(void)
{
	switch (any(8)) {
	case 0:
	case 1:
		any_task();
		break;
	case 2:
		any_barrier();
		break;
	case 3:
		any_name(one_in(3) ? GG_OPCODE_CANCEL : GG_OPCODE_SUSPEND);
		any_name(GG_OPCODE_RESUME);
		break;
	case 4:
		if (one_in(10)) {
			any_switch();
		}
		break;
	case 5:
		fake_stop_all();
		break;
	default:
		any_ends(40);
	}
	if (one_in(3)) {
		fake_cga_check(); /* SMs acknowledge and take packets */
	}
	take();
}

static void resume_all(void)
{
	for (uint32_t number = 0; number < task_pool_touched(); number++) {
		const struct task *task = task_pool_place(number);

		if (task->serial != 0 && task->life.suspended) {
			fake_name(++submitted, GG_OPCODE_RESUME, task->source.address);
			take();
		}
	}
}

/* With all SMs on and nobody suspended, everything ends by itself: no task waits forever. */
static void drain(void)
{
	device.config->enabled[0] = 0xfff;
	cga_id_set_limit(256);
	fake_post(1, (struct gg_command){ .header = GG_OPCODE_CONFIG,
					  .tag = ++submitted,
					  .argument0 = 1u << GG_CONFIG_PART_ENABLED });
	for (uint32_t turn = 0; completed < submitted; turn++) {
		assert_true(turn < 20000);
		resume_all();
		fake_stop_all();
		fake_cga_check();
		any_ends(60);
		take();
	}
}

/* S1-R34, S1-R139, S1-R147, S1-C1, S1-C6, S1-C20, S1-R133, S1-R134, S1-R141, S1-R149, S1-R151, S1-R200, S0-R35: no
 * SM is over-committed, no CGA is there in part, ids are unique, all is given back. */
static void all_is_whole_and_given_back(void **state)
{
	(void)state;
	for (uint32_t round = 0; round < 5; round++) {
		fake_device_init(12);
		device.cap->features |= round % 2 << GG_FEATURE_ATOMICS;
		fake_floor(round % 2 * 100);
		submitted = 0;
		completed = 0;
		for (uint32_t index = 0; index < NAMES; index++) {
			names[index] = FAKE_HEAP;
		}
		while (device.perf->tasks_accepted < TASKS) {
			step();
		}
		drain();
		fake_cga_expect_none();
		assert_int_equal(task_pool_free(), task_pool_capacity());
		assert_int_equal(device.perf->unmatched, 0);
		assert_int_equal(device.perf->waves_opened != 0, round % 2 != 0);
		print_message(
			"%u tasks, %u failed; %u CGAs, %u did not fit, %u stalls, %u barriers, "
			"%u reservations\n",
			device.perf->tasks_completed, device.perf->tasks_failed, device.perf->cgas,
			device.perf->cga_failures, device.perf->cga_stalls,
			device.perf->cga_barriers, device.perf->cga_reservations);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(all_is_whole_and_given_back) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
