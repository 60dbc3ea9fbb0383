/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/scale/scale.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/cga/cga.h"
#include "firmware/cp/cga/cga_id.h"
#include "firmware/cp/cga/cga_wait.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/task_table.h"
#include "tests/unit/fake_cga.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define NAMES 32u   /* tasks that are named at random */
#define DRAIN 5000u /* steps after which all must be over */

static uint64_t names[NAMES];
static uint32_t submitted;
static uint32_t completed;
static uint32_t most_resident;

static uint32_t any(uint32_t count)
{
	return (uint32_t)rand() % count;
}

static bool one_in(uint32_t count)
{
	return any(count) == 0;
}

static uint32_t smaller(uint32_t left, uint32_t right)
{
	return left < right ? left : right;
}

/* 1 to `most`; small numbers are as frequent as large ones. */
static uint32_t any_size(uint32_t most)
{
	uint32_t limit = most;

	while (limit > 1 && one_in(2)) {
		limit = (limit + 1) / 2;
	}
	return any(limit) + 1;
}

/* CTA slots of the smallest domain of a kind. */
static uint32_t slots_of(const struct scale *scale, uint32_t domain)
{
	const uint32_t sms[] = { device.sms_count, scale->gpc_sms[0], scale->cpc_sms,
				 scale->tpc_sms };

	return sms[domain] * device.resources.ctas;
}

/* Of up to three levels. */
static struct gg_tmd any_cgas(const struct scale *scale)
{
	uint32_t domain = any(4);
	struct gg_tmd tmd = fake_cga((enum gg_domain)domain, any_size(64),
				     any_size(smaller(slots_of(scale, domain), CP_CGA_CTAS)));

	for (uint32_t level = 1; level < 3 && domain > 0 && one_in(2); level++) {
		domain -= 1 + any(domain);
		tmd = fake_cga_outer(tmd, (enum gg_domain)domain, any_size(8));
	}
	tmd = fake_with_mode(tmd, one_in(4) ? GG_TASK_MODE_MULTI_CAST : GG_TASK_MODE_DEVICE);
	tmd.header |= one_in(6) ? GG_TMD_SEQUENTIAL : 0;
	return tmd;
}

/* Those that can never fit are refused at submission: they count as complete. */
static void any_task(const struct scale *scale)
{
	struct gg_tmd tmd =
		one_in(3) ? fake_own(fake_tmd(any_size(device.sms_count * 4))) : any_cgas(scale);

	tmd.shared_bytes = one_in(3) ? any(12000) : 0;
	tmd.block_xy = one_in(4) ? 256u | 1u << 16 : tmd.block_xy;
	tmd.header |= one_in(5) ? GG_TMD_HEAD : 0;
	if (one_in(6)) {
		tmd.header |= GG_TMD_QUOTA_ENABLE;
		tmd.quota = any_size(100);
	}
	tmd.gpc_mask = one_in(6) ? any((1u << smaller(scale->gpcs, 16)) - 1) + 1 : 0;
	tmd = fake_with_priority(tmd, any(3) + 4);
	names[any(NAMES)] = fake_run(++submitted, &tmd);
}

static void any_name(enum gg_opcode opcode)
{
	fake_name(++submitted, opcode, names[any(NAMES)]);
}

static void come(const struct fake_cta *cta, uint32_t level)
{
	struct gg_cluster *words = &device.clusters[cta->sm];

	if (((words->come[level] ^ words->go[level]) & cta->start) == 0) {
		words->come[level] ^= cta->start;
		fake_bell(cta->sm);
	}
}

/* All running members of the innermost CGA of a random CTA, and some of other levels (S1-R134). */
static void any_barrier(void)
{
	const uint32_t chosen = fake_cta_count > 0 ? any(fake_cta_count) : 0;

	for (uint32_t index = 0; index < fake_cta_count; index++) {
		const struct fake_cta *cta = &fake_ctas[index];
		const uint32_t levels = task_table_holder(cta->slot)->rules.shape.levels;

		if (levels == 0) {
			continue;
		}
		if (fake_member(index)->sequence == fake_member(chosen)->sequence) {
			come(cta, 0);
		} else if (one_in(200)) {
			come(cta, any(levels));
		}
	}
	fake_settle(1000);
}

static void any_ends(void)
{
	uint32_t count = smaller(any(fake_cta_count / 2 + 40), fake_cta_count);

	for (; count > 0; count--) {
		const bool fails = count == 1 && one_in(10);

		fake_end(any(fake_cta_count), fails ? GG_ERR_ABORTED : GG_OK);
	}
	fake_settle(1000);
}

/* SMs of a random range are switched; GPC-wide ids become few, or all. */
static void any_switch(void)
{
	const uint32_t first = any(device.sms_count);
	const uint32_t count = any_size(device.sms_count - first);
	const bool on = one_in(2);

	for (uint32_t sm = 1; sm < count; sm++) { /* never all of them */
		sm_state_enable(first + sm, on);
	}
	cga_wait_set_patience(any(200));
	cga_id_set_limit(one_in(2) ? CP_CGA_IDS : any(4) + 9);
	fake_settle(1000);
}

static bool any_stops(void)
{
	bool any = false;

	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		if (device.sms[sm].stop_ack != device.sms[sm].stop_slot) {
			device.sms[sm].stop_ack = device.sms[sm].stop_slot;
			fake_bell(sm);
			any = true;
		}
	}
	fake_settle(1000);
	return any;
}

/* As fake_stop_all(), but all SMs at once: one by one, each would take a turn of the loop. */
static void stop_all(void)
{
	fake_take_all();
	for (uint32_t index = fake_cta_count; index-- > 0;) {
		if (device.slots[fake_ctas[index].slot].status != 0) {
			fake_end(index, GG_ERR_CANCELLED);
		}
	}
	while (any_stops()) { /* ends: an SM has a slot at a time to stop */
	}
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

static void step(const struct scale *scale)
{
	switch (any(8)) {
	case 0:
	case 1:
		any_task(scale);
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
		stop_all();
		break;
	default:
		any_ends();
	}
	if (one_in(scale->check)) {
		fake_cga_check(); /* SMs acknowledge and take packets */
		most_resident = fake_cta_count > most_resident ? fake_cta_count : most_resident;
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
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		sm_state_enable(sm, true);
	}
	cga_id_set_limit(CP_CGA_IDS);
	for (uint32_t turn = 0; completed < submitted; turn++) {
		assert_true(turn < DRAIN);
		resume_all();
		stop_all();
		fake_cga_check();
		any_ends();
		take();
	}
}

static void report(uint32_t round)
{
	print_message("round %u, %u SMs: %u tasks, %u failed; %u CGAs, %u did not fit, %u stalls, "
		      "%u barriers, %u reservations, %u queries; up to %u CTAs at once\n",
		      round, device.sms_count, device.perf->tasks_completed,
		      device.perf->tasks_failed, device.perf->cgas, device.perf->cga_failures,
		      device.perf->cga_stalls, device.perf->cga_barriers,
		      device.perf->cga_reservations, device.perf->cga_queries, most_resident);
}

void scale_storm(const struct scale *scale)
{
	for (uint32_t round = 0; round < scale->rounds; round++) {
		scale_device(scale);
		submitted = 0;
		completed = 0;
		most_resident = 0;
		for (uint32_t index = 0; index < NAMES; index++) {
			names[index] = FAKE_HEAP;
		}
		while (device.perf->tasks_accepted < scale->tasks) {
			step(scale);
		}
		drain();
		fake_cga_expect_none();
		assert_int_equal(task_pool_free(), task_pool_capacity());
		assert_int_equal(device.perf->unmatched, 0);
		report(round);
	}
}
