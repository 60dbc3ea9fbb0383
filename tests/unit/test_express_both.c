/* SPDX-License-Identifier: Apache-2.0 */
/* Random work on both ways, the short one and the stages: which turns the short way does, and that nobody can tell
 * afterwards which of the two it was.
 * sources: scheduler tests/unit/fake_run.c tests/unit/fake_cga.c tests/unit/fake_pull.c
 * tests/unit/fake_short.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/express/express.h"
#include "firmware/cp/loop.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/stall.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/task/trace.h"
#include "firmware/cp/wave/wave.h"
#include "tests/unit/fake_cga.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_pull.h"
#include "tests/unit/fake_run.h"
#include "tests/unit/fake_short.h"

#define STEPS  300u
#define EVENTS 400000u
#define KINDS  16u
#define SEEDS  300u
#define PLACES 3u /* of the pool, that are known */
#define QUEUES 7u
#define BIG    13u /* kind of tasks that fill SMs */
#define FULL   8u  /* CTAs of an SM */
#define MANY   8u  /* SMs: as many as tasks need that are not to share one */

static uint32_t events[2][EVENTS]; /* by way: what was seen */
static uint32_t counts[2];
static uint32_t way;
static uint32_t seed; /* of the numbers that are drawn */
static uint64_t tmds[KINDS];
static uint64_t queues[QUEUES];
static bool children; /* CTAs launch some */

static void note(uint32_t value)
{
	assert_true(counts[way] < EVENTS);
	events[way][counts[way]++] = value;
}

static uint32_t draw(uint32_t limit)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % limit;
}

/* Kinds of tasks; the first ones are those for which the short way is. */
static struct gg_tmd tmd_of(uint32_t kind)
{
	static const uint32_t ctas[KINDS] = { 1, 1, 1, 12, 100, 1, 2, 1, 5, 1, 4, 1, 1, 1, 20, 1 };
	struct gg_tmd tmd = fake_own(fake_tmd(ctas[kind]));

	tmd.correlation = kind;
	switch (kind) {
	case 1:
		tmd.shared_bytes = 5000; /* three units */
		break;
	case 2:
		tmd.block_xy = 0x00010000 | 512; /* 16 of 64 warps */
		break;
	case 5:
		tmd = fake_with_affinity(tmd, 2);
		break;
	case 6:
		tmd = fake_with_priority(tmd, 2);
		break;
	case 7:
		tmd = fake_with_mode(tmd, GG_TASK_MODE_ROUND_ROBIN);
		break;
	case 8:
		tmd = fake_with_priority(tmd, 8);
		break;
	case 9:
		tmd = fake_with_mode(tmd, GG_TASK_MODE_DEVICE);
		break;
	case 10:
		tmd.header |= GG_TMD_SEQUENTIAL;
		break;
	case 11:
		tmd.dependence_count = 1; /* it waits until it is cancelled */
		break;
	case 12:
		tmd = fake_with_priority(tmd, 2); /* urgent */
		break;
	case BIG:
		tmd.shared_bytes = device.resources.shared_bytes * 5 / 8; /* one on each SM */
		break;
	case 14:
		tmd.header |= GG_TMD_QUOTA_ENABLE;
		tmd.quota = 2;
		break;
	case 15: { /* its end brings two children */
		const struct gg_dependent edges[] = {
			fake_edge(tmds[0], GG_DEPENDENCE_ACTION_SCHEDULE, 0),
			fake_edge(tmds[1], GG_DEPENDENCE_ACTION_SCHEDULE, 0),
		};

		fake_set_dependents(&tmd, edges, 2);
		break;
	}
	default:
		break;
	}
	return tmd;
}

static void note_ctas(void)
{
	note(fake_cta_count);
	for (uint32_t index = 0; index < fake_cta_count; index++) {
		note(fake_ctas[index].sm << 16 | fake_ctas[index].slot);
		note(fake_ctas[index].start);
		note(gg_low(fake_ctas[index].cta));
		note(fake_ctas[index].first);
		note(fake_ctas[index].items);
		note(fake_tag(index));
	}
}

/* All that the host can see of SMs and slots, but times and how often it was looked. What lent SMs hold shows when it is asked for. */
static void note_state(void)
{
	wave_settle();
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		note(device.sms[sm].free_ctas);
		note(device.sms[sm].free_units);
		note(device.sms[sm].state_sync);
		note(device.launch[sm].header.launch_put);
		note(device.launch[sm].header.report_get);
	}
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		const struct task *task = task_table_holder(slot);

		assert_true(task == NULL ||
			    gg_join(device.slots[slot].tmd_lo, device.slots[slot].tmd_hi) ==
				    (uintptr_t)&task->tmd); /* the SM reads it there */
		note(device.slots[slot].state);
		note(device.slots[slot].in_flight);
		note(device.slots[slot].left_lo);
		note(device.slots[slot].next_lo);
		note(device.slots[slot].stamp);
		note(device.slots[slot].reason);
	}
	note(device.perf->packets);
	note(device.perf->reports);
	note(device.perf->ctas_lo);
	note(device.perf->assignments);
	note(device.perf->tasks_accepted);
}

/* What the completions say that are there. Their order is compared no more than that of places of the pool: what ends, or is refused, in
 * one turn has no order, and the tasks of a channel that is cancelled end by their places. */
static uint32_t sum_completions(void)
{
	struct gg_completion done;
	uint32_t sum = 0;

	while (fake_completion(&done)) {
		const uint32_t words[] = { done.tag, done.status, done.source, done.ctas_lo,
					   done.packets };
		uint32_t hash = 0;

		for (uint32_t at = 0; at < 5; at++) {
			hash = (hash ^ words[at]) * 16777619u;
		}
		sum += hash;
		assert_true(done.ctas_lo == 0 || done.first_lo != 0);
		assert_true(done.first_lo <= done.last_lo);
	}
	return sum;
}

static void submit(uint32_t tag, uint32_t kind)
{
	const uint32_t quiet = draw(4) == 0 ? GG_COMMAND_NO_INTERRUPT : 0;

	fake_post(draw(8) == 0 ? 2 : 0, (struct gg_command){ .header = GG_OPCODE_SUBMIT | quiet,
							     .tag = tag,
							     .address_lo = gg_low(tmds[kind]) });
}

/* Some CTAs end, nearly all of them well. */
static void end_some(void)
{
	const uint32_t most = draw(3) == 0 ? 1 : 1 + draw(12);

	for (uint32_t count = 0; count < most && fake_cta_count != 0; count++) {
		fake_end(draw(fake_cta_count), draw(150) == 0 ? GG_ERR_FAULT_ACCESS : GG_OK);
	}
}

/* A CTA launches a child, mostly a small one, which may outlive it. */
static void spawn(void)
{
	if (fake_cta_count != 0) {
		const uint64_t tmd = tmds[draw(4) == 0 ? draw(KINDS) : draw(3)];

		note((uint32_t)fake_launch(draw(fake_cta_count), tmd));
	}
}

/* The same, or that it pushes items, in one turn with the host's commands and what SMs have reported. Where the answer will be, or NULL. */
static const struct gg_answer *ask_beside(void)
{
	struct gg_request request = { .kind = GG_REQUEST_KIND_LAUNCH,
				      .address_lo = gg_low(tmds[draw(3)]) };

	if (draw(2) == 0) {
		request = (struct gg_request){ .kind = GG_REQUEST_KIND_PUSH,
					       .address_lo = gg_low(queues[draw(QUEUES)]),
					       .count = 1 + draw(2) };
	}
	return fake_cta_count == 0 ? NULL : fake_ask(draw(fake_cta_count), request);
}

static void put_tmds(void)
{
	struct gg_tmd tmd[QUEUES] = { fake_queue(8, 1),  fake_queue(64, 3), fake_queue(16, 2),
				      fake_queue(16, 1), fake_queue(16, 1), fake_queue(16, 1),
				      fake_queue(16, 1) };

	tmd[2] = fake_with_affinity(tmd[2], 1);
	tmd[3].header |= GG_TMD_QUOTA_ENABLE;
	tmd[3].quota = 2;
	tmd[4].retry_limit = 1;
	tmd[5].header |= GG_TMD_SEQUENTIAL;
	tmd[6] = fake_with_mode(tmd[6], GG_TASK_MODE_ROUND_ROBIN);
	for (uint32_t at = 0; at < QUEUES; at++) {
		queues[at] = fake_put_tmd(&tmd[at]);
	}
	for (uint32_t at = 0; at < KINDS; at++) {
		tmd[0] = tmd_of(at);
		tmds[at] = fake_put_tmd(&tmd[0]);
	}
}

/* Opens the queues; those that are open are not opened again. */
static void open_queues(uint32_t tag)
{
	for (uint32_t at = 0; at < QUEUES; at++) {
		fake_post(2, (struct gg_command){ .header = GG_OPCODE_SUBMIT,
						  .tag = tag,
						  .address_lo = gg_low(queues[at]) });
	}
}

/* Items for a queue, which may be full. */
static void push(uint32_t tag)
{
	fake_post(2, (struct gg_command){ .header = GG_OPCODE_PUSH,
					  .tag = tag,
					  .address_lo = gg_low(queues[draw(QUEUES)]),
					  .argument2 = 1 + draw(3) });
}

/* Channel 0 is suspended for a while, or resumed, or a fence comes. */
static void control(uint32_t tag)
{
	static const enum gg_opcode opcodes[] = { GG_OPCODE_SUSPEND, GG_OPCODE_RESUME,
						  GG_OPCODE_RESUME };
	const uint32_t choice = draw(6);

	if (choice < 3) {
		fake_post(1, (struct gg_command){ .header = opcodes[choice],
						  .tag = tag,
						  .argument1 = GG_TARGET_CHANNEL });
	} else {
		fake_post(choice % 2 * 2,
			  (struct gg_command){ .header = GG_OPCODE_FENCE, .tag = tag });
	}
}

/* All that can run runs. What the completions say, which may be more than the ring holds, so that their order tells which of them come
 * first. */
static uint32_t run_all(void)
{
	uint32_t sum = 0;

	do {
		sum += sum_completions();
		fake_stop_all();
		fake_finish();
		fake_settle(1000);
	} while (fake_cta_count != 0 || device.post->get != device.post->put);
	return sum;
}

/* What is left runs to its end, and what waits for ever is cancelled: no CTA is issued meanwhile, which would depend on the places. */
static void end_all(uint32_t tag)
{
	note_state();
	fake_channel(tag++, GG_OPCODE_RESUME, 0);
	note(run_all());
	fake_channel(tag++, GG_OPCODE_CANCEL, 0);
	fake_channel(tag, GG_OPCODE_CANCEL, 2);
	note(run_all());
}

static void run_random(uint32_t number, bool express)
{
	const bool waves = number % 2 != 0;
	const bool lazy = number % 5 == 4; /* the host seldom looks at its completions */
	uint32_t tag = 1, kind = 0;

	const bool fed = number % 3 != 1;
	const bool crowded =
		number % 7 == 6; /* more tasks than slots, most of which wait for an SM */

	children = number % 4 >= 2;
	way = express;
	counts[way] = 0;
	seed = number;
	fake_device_init(number % 3 == 0 ? 1 : number % 3 == 1 ? 3 : 40);
	device.cap->features = waves ? 1u << GG_FEATURE_ATOMICS : 0;
	express_switch(express);
	put_tmds();
	for (uint32_t step = 0; step < STEPS; step++) {
		kind = step % 25 != 0 ? kind : crowded ? BIG : draw(4); /* for a while */
		for (uint32_t most = draw(crowded ? 6 : 4); most != 0; most--) {
			submit(tag++, draw(crowded ? 4 : 12) == 0 ? draw(KINDS) : kind);
		}
		if (fed && step % 40 == 0) {
			open_queues(tag++);
		} else if (fed && draw(2) == 0) {
			push(tag++);
		}
		if (draw(25) == 0) {
			control(tag++);
		}
		const struct gg_answer *answer = children && draw(2) != 0 ? ask_beside() : NULL;

		fake_settle(1000);
		note(answer != NULL ? answer->answer_status : 0);
		if (draw(3) != 0) {
			fake_take_all();
		}
		note_ctas();
		for (uint32_t most = children ? draw(3) : 0; most != 0; most--) {
			spawn();
		}
		end_some();
		if (draw(2) == 0) {
			fake_settle(1000);
			note_state();
		}
		if (!lazy || step % 100 == 99) {
			note(sum_completions());
		}
	}
	end_all(tag);
	assert_int_equal(sm_state_resident(), 0);
	express_switch(true);
}

/* Whatever comes, SMs, slots, packets and completions are the same at any time. */
static void nobody_can_tell(void **state)
{
	(void)state;
	for (uint32_t number = 0; number < SEEDS; number++) {
		run_random(number, false);
		run_random(number, true);
		for (uint32_t at = 0; at < counts[0] && at < counts[1]; at++) {
			if (events[0][at] != events[1][at]) {
				fail_msg("seed %u, event %u of %u: %u is %u on the short way",
					 number, at, counts[0], events[0][at], events[1][at]);
			}
		}
		assert_int_equal(counts[0], counts[1]);
	}
}

/* The kernel of this TMD becomes known, and so do places of the pool. */
static uint64_t make_known(const struct gg_tmd *tmd)
{
	const uint64_t address = fake_put_tmd(tmd);
	struct gg_completion done;

	for (uint32_t round = 0; round < 4; round++) {
		for (uint32_t tag = 0; tag < PLACES; tag++) {
			fake_submit_at(0, tag, address);
		}
		fake_finish();
		for (uint32_t tag = 0; tag < PLACES; tag++) {
			assert_true(fake_completion(&done));
			assert_int_equal(done.status, GG_OK);
		}
	}
	return address;
}

/* A device on which that is so. */
static uint64_t begin_known(uint32_t sms, const struct gg_tmd *tmd)
{
	fake_device_init(sms);
	return make_known(tmd);
}

/* Plain tasks of one CTA: launched and ended, alone, in a batch, and beside others. */
static void what_is_short(void **state)
{
	const struct gg_tmd tmd = fake_tmd(1);
	const uint64_t address = begin_known(2, &tmd);

	(void)state;
	assert_true(fake_is_short()); /* nothing at all */
	fake_post_submit(0, 20, address);
	assert_true(fake_is_short());
	assert_int_equal(fake_take_all(), 1);
	fake_post_submit(3, 21, address);
	fake_post_submit(3, 22, address);
	assert_true(fake_is_short());
	assert_int_equal(fake_take_all(), 3);
	fake_end(0, GG_OK);
	assert_true(fake_is_short());
	fake_end(0, GG_OK);
	fake_end(0, GG_OK);
	fake_post_submit(1, 23, address);
	assert_true(fake_is_short());
	fake_expect(20, GG_OK);
	assert_int_equal(fake_take_all(), 1);
	fake_finish();
	assert_int_equal(device.perf->tasks_completed, 4 * PLACES + 4);
}

/* The end of a child while its parent runs and has others, also of one that had to wait for a slot: its place of the pool is as if none had
 * been there. */
static void the_end_of_a_child_is_short(void **state)
{
	const struct gg_tmd own = fake_own(fake_tmd(1));

	(void)state;
	fake_device_init(8);
	const uint64_t child = fake_put_tmd(&own);

	fake_run(1, &own);
	assert_int_equal(fake_take_all(), 1);
	for (uint32_t count = 0; count < CP_SLOTS + 1; count++) {
		assert_int_equal(fake_launch(0, child), GG_OK);
	}
	assert_int_equal(fake_take_all(), CP_SLOTS);
	for (uint32_t pending = 2; pending != 0; pending--) {
		fake_end(1, GG_OK);
		assert_false(fake_is_short()); /* one that is pending takes the slot */
		assert_int_equal(fake_take_all(), CP_SLOTS);
	}
	assert_int_equal(device.perf->not_issued_slot, 0);
	while (fake_cta_count > 1) {
		fake_end(fake_cta_count - 1, GG_OK);
		assert_int_equal(fake_is_short(),
				 fake_cta_count > 1); /* with the last one its parent may be over */
	}
	assert_int_not_equal(device.perf->not_issued_slot, 0);
	fake_end(0, GG_OK);
	fake_settle(10);
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 1);
	for (uint32_t round = 0; round < 3; round++) { /* in the first one the TMD is new */
		for (uint32_t tag = 0; tag < CP_SLOTS; tag++) {
			fake_submit_at(0, tag, child);
		}
		fake_finish();
		for (uint32_t tag = 0; tag < CP_SLOTS; tag++) {
			struct gg_completion done;

			assert_true(fake_completion(&done));
			assert_int_equal(done.status, GG_OK);
			assert_int_equal(done.not_issued[GG_REASON_SLOT], 0);
			assert_int_equal(done.packets, 1);
		}
	}
}

/* S0-R07: the host's tasks are the first generation, also in the places of children. */
static void a_place_has_no_depth(void **state)
{
	const struct gg_tmd own = fake_own(fake_tmd(1));

	(void)state;
	fake_device_init(8);
	const uint64_t address = fake_put_tmd(&own);

	for (uint32_t round = 0; round < 100; round++) {
		fake_submit_at(0, 1, address);
		assert_int_equal(fake_take_all(), 1);
		for (uint32_t count = 0; count < 3; count++) {
			assert_int_equal(fake_launch(0, address), GG_OK);
		}
		assert_int_equal(fake_take_all(), 4);
		fake_end(1, GG_OK);
		fake_settle(10);
		fake_finish();
		fake_expect(1, GG_OK);
	}
}

/* A grid that has filled the device: CTAs that end make room for as many of the next. */
static void a_refill_is_short(void **state)
{
	const struct gg_tmd tmd = fake_tmd(100);

	(void)state;
	fake_device_init(2);
	fake_run(1, &tmd);
	for (uint32_t issued = 16; issued < 100 - 8; issued += 2) {
		assert_int_equal(fake_take_all(), 16);
		fake_end(0, GG_OK);
		fake_end(0, GG_OK);
		assert_true(fake_is_short());
		assert_int_equal(device.perf->ctas_lo, issued + 2);
	}
	fake_finish();
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 100);
	assert_int_equal(device.trace[0].header.put, 0); /* nobody traces */
}

/* While the table is full, tasks that are pending need nothing of the stages, unless somebody could be asked to leave a slot: one
 * that is blocked, or whose CTAs can be parked. */
static void a_full_table(void **state)
{
	const struct gg_tmd tmd = fake_tmd(1);
	struct gg_tmd sequential = fake_tmd(2);

	(void)state;
	sequential.header |= GG_TMD_SEQUENTIAL;
	for (uint32_t what = 0; what < 3; what++) {
		fake_device_init(8);
		if (what == 1) {
			device.config->park_ms = 10;
			device.config->park_page = (uint32_t)(device.memory_base >> 12) + 16;
			assert_int_equal(fake_config(GG_CONFIG_PART_PARK), GG_OK);
		}
		fake_run(1, what == 2 ? &sequential : &tmd);
		for (uint32_t tag = 1; tag < CP_SLOTS; tag++) {
			assert_true(express_pending());
			fake_run(1, &tmd);
		}
		assert_true(express_pending());
		fake_run(2, &tmd);
		assert_int_equal(express_pending(), what == 0);
		assert_int_equal(fake_take_all(), CP_SLOTS);
		fake_end(CP_SLOTS - 1, GG_OK);
		assert_int_equal(fake_take_all(), CP_SLOTS);
		assert_int_equal(fake_count(2), 1);
		fake_finish();
		assert_int_equal(device.perf->tasks_completed, CP_SLOTS + 1);
	}
}

/* While tasks are pending, or ready, the others end the short way, before the stages go on. */
static void others_end_first(void **state)
{
	const struct gg_tmd tmd = fake_tmd(1);

	(void)state;
	for (uint32_t ready = 0; ready <= 1; ready++) {
		fake_device_init(ready != 0 ? 1 : 8); /* one SM has room for a part of them */
		for (uint32_t tag = 0; tag <= CP_SLOTS; tag++) {
			fake_run(tag, &tmd);
		}
		assert_int_equal(fake_take_all(), ready != 0 ? FULL : CP_SLOTS);
		assert_int_equal(task_table_free(), 0);
		fake_end(0, GG_OK);
		assert_false(fake_short_turn());
		assert_int_equal(task_table_free(), 1);
		fake_finish();
		assert_int_equal(device.perf->tasks_completed, CP_SLOTS + 1);
	}
}

/* What the stages have to do: the end of a task that is suspended, that others wait for, or that has failed. */
static void what_is_not_short(void **state)
{
	const struct gg_tmd tmd = fake_tmd(1);

	(void)state;
	for (uint32_t what = 0; what < 6; what++) {
		const uint64_t address = begin_known(2, &tmd);
		struct gg_tmd other = tmd;

		fake_submit_at(0, 20, address);
		if (what == 0) {
			fake_name(30, GG_OPCODE_SUSPEND, address);
			fake_expect(30, GG_OK);
		} else if (what == 1) {
			fake_set_after(&other, &address, 1);
			fake_run(21, &other);
		} else if (what == 2) {
			fake_name(30, GG_OPCODE_CANCEL, address);
			fake_expect(30, GG_OK);
		}
		fake_take_all();
		fake_end(0, what == 3 ? GG_ERR_FAULT_ACCESS : GG_OK);
		if (what == 4) {
			fake_post(0, (struct gg_command){ .header = GG_OPCODE_QUERY, .tag = 31 });
		} else if (what == 5) {
			fake_post_submit(0, 22, address);
			fake_post(1, (struct gg_command){ .header = GG_OPCODE_FENCE, .tag = 31 });
		}
		assert_false(fake_is_short());
		fake_finish();
	}
}

/* Settings and tasks for which all others need the stages. */
enum detour {
	LOWER_SHARE,
	RANKS,
	TRACES,
	THROTTLES,
	GROUPS,
	PULLS,
	DETOURS
};

static void switch_detour(enum detour detour, bool on)
{
	struct gg_tmd tmd = fake_tmd(1);

	switch (detour) {
	case LOWER_SHARE:
		fake_floor(on ? 250 : 0);
		return;
	case RANKS:
		device.config->rank[0] = on;
		device.config->rank[1] = !on;
		assert_int_equal(fake_config(GG_CONFIG_PART_RANK), GG_OK);
		return;
	case TRACES:
		trace_switch(on);
		return;
	case THROTTLES:
		tmd.header |= GG_TMD_THROTTLE;
		break;
	case GROUPS:
		tmd = fake_cga(GG_DOMAIN_GPU, 1, 2);
		break;
	default:
		tmd = fake_pull_grid(4, 0);
		break;
	}
	if (on) {
		fake_run(30, &tmd);
	}
}

/* While such a setting holds, or such a task is in the device, also one that waits for others to end, no task goes the short way.
 * When that is over, they do. */
static void detours(void **state)
{
	const struct gg_tmd tmd = fake_tmd(1);

	(void)state;
	for (uint32_t detour = 0; detour < DETOURS; detour++) {
		struct gg_completion done;
		uint32_t completions = 0;

		fake_pull_init(2, false);

		const uint64_t address = make_known(&tmd);

		fake_post_submit(0, 20, address);
		assert_true(fake_is_short());
		assert_int_equal(fake_take_all(), 1);
		switch_detour(detour, true);
		fake_post_submit(0, 21, address);
		assert_false(fake_is_short());
		fake_pull_finish();
		while (fake_completion(&done)) {
			assert_int_equal(done.status, GG_OK);
			completions++;
		}
		switch_detour(detour, false);
		assert_int_equal(completions, detour < THROTTLES ? 2 : 3);
		for (uint32_t tag = 22; tag < 26; tag++) { /* some settings make kernels new */
			fake_post_submit(0, tag, address);
			assert_true(fake_is_short() || tag < 25);
			fake_finish();
			fake_expect(tag, GG_OK);
		}
	}
}

/* Reports of a CTA that is over, in a slot without a task, and in one that another task has got: they are counted, and end
 * nothing. */
static void stale_reports_end_nothing(void **state)
{
	const struct gg_tmd tmd = fake_tmd(1);
	const uint64_t address = begin_known(2, &tmd);

	(void)state;
	fake_submit_at(0, 20, address);
	assert_int_equal(fake_take_all(), 1);

	const struct fake_cta old = fake_ctas[0];

	fake_end_all();
	fake_expect(20, GG_OK);
	for (uint32_t others = 0; others < 2; others++) {
		if (others != 0) {
			fake_submit_at(0, 21, address);
		}
		assert_int_equal(fake_take_all(), others);
		fake_ctas[fake_cta_count++] = old;
		fake_end(fake_cta_count - 1, GG_OK);
		assert_false(fake_is_short());
		assert_int_equal(device.perf->unmatched, 1 + others);
		fake_expect_none();
	}
	assert_int_equal(fake_ctas[0].slot, old.slot);
	fake_finish();
	fake_expect(21, GG_OK);
}

/* S0-R31: an SM that holds something comes before one that holds nothing if it has as many free slots and a lower number: when
 * something else is the limit than its CTA slots. */
static void the_lower_number(void **state)
{
	struct gg_tmd large = fake_tmd(1);
	const struct gg_tmd small = fake_tmd(1);

	(void)state;
	large.shared_bytes = 13 * 2048; /* two on an SM, beside four that need little, or none */
	for (uint32_t holds = 0; holds <= 1; holds++) {
		const uint64_t address = begin_known(3, &large);
		uint64_t other;

		for (uint32_t tag = 0; tag < holds; tag++) {
			fake_run(40 + tag, &small);
		}
		fake_take_all();
		other = fake_cta_count;
		for (uint32_t tag = 0; tag < 4; tag++) { /* until it is known again */
			fake_submit_at(0, 50, address);
			fake_take_all();
			assert_int_equal(fake_ctas[other].sm, 0);
			assert_int_equal(fake_on_sm(1), 0);
			fake_end_tag(50, GG_OK);
			fake_expect(50, GG_OK);
		}
		fake_finish();
	}
}

/* A task that went the short way has its CTA on an SM that is lost: it fails, and nothing of it is left. */
static void its_sm_is_lost(void **state)
{
	const struct gg_tmd tmd = fake_tmd(1);

	(void)state;
	for (uint32_t beside = 0; beside <= 1; beside++) {
		const uint64_t address = begin_known(2, &tmd);

		for (uint32_t tag = 0; tag < 1 + 2 * beside; tag++) { /* the third shares SM 0 */
			fake_submit_at(0, 20 + tag, address);
		}
		fake_take_all();
		fake_sm_stop(0);
		fake_settle(1000);
		fake_expect(20, GG_ERR_SM_LOST);
		if (beside != 0) {
			fake_expect(22, GG_ERR_SM_LOST);
			fake_finish();
			fake_expect(21, GG_OK);
		}
		fake_expect_none();
		for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
			assert_int_equal(device.slots[slot].state, GG_SLOT_STATE_FREE);
		}
	}
}

/* Ends the only CTA of an SM; the control processor does not go on. */
static void end_on(uint32_t sm)
{
	uint32_t index = 0;

	while (fake_ctas[index].sm != sm) {
		index++;
		assert_true(index < fake_cta_count);
	}
	fake_end(index, GG_OK);
}

static void expect_tags(uint32_t one, uint32_t other)
{
	fake_settle(10);
	fake_expect(one, GG_OK);
	fake_expect(other, GG_OK);
	fake_expect_none();
}

/* A parent and its last child end, and behind them a task that others wait for: the parent is over behind all of them. */
static void a_parent_and_its_child(void **state)
{
	(void)state;
	for (uint32_t express = 0; express < 2; express++) {
		fake_device_init(MANY);
		express_switch(express != 0);
		const struct gg_tmd tmd = fake_own(fake_tmd(1));
		const uint64_t child = fake_put_tmd(&tmd);
		struct gg_tmd after = tmd;

		fake_run(1, &tmd);
		fake_run(2, &tmd);
		const uint64_t awaited = fake_run(3, &tmd);

		fake_set_after(&after, &awaited, 1);
		fake_run(4, &after);
		assert_int_equal(fake_take_all(), 3);
		fake_end_tag(1, GG_OK);
		fake_expect(1, GG_OK);
		assert_int_equal(fake_launch(fake_find(2), child), GG_OK);
		assert_int_equal(fake_take_all(), 3);
		end_on(0); /* the child */
		end_on(1);
		end_on(2);
		expect_tags(3, 2);
		fake_finish();
		fake_expect(4, GG_OK);
	}
	express_switch(true);
}

/* Of two children that end, one is for the stages; between them the only child of another parent ends, which is over before. */
static void siblings(void **state)
{
	(void)state;
	for (uint32_t express = 0; express < 2; express++) {
		fake_device_init(MANY);
		express_switch(express != 0);
		struct gg_tmd tmd = fake_own(fake_tmd(1));
		const uint64_t child = fake_put_tmd(&tmd);

		fake_run(1, &tmd);
		fake_run(2, &tmd);
		tmd.header |= GG_TMD_SEQUENTIAL;
		const uint64_t sequential = fake_put_tmd(&tmd);

		assert_int_equal(fake_take_all(), 2);
		assert_int_equal(fake_launch(0, sequential), GG_OK);
		assert_int_equal(fake_launch(1, child), GG_OK);
		assert_int_equal(fake_launch(0, child), GG_OK);
		assert_int_equal(fake_take_all(), 5);
		end_on(0);
		end_on(1);
		fake_settle(10);
		fake_expect_none();
		end_on(2);
		end_on(3);
		end_on(4);
		expect_tags(2, 1);
	}
	express_switch(true);
}

/* A task that got no SM leaves its slot for an urgent one. The next one has used its quota; now it lacks room. */
static void reasons(void **state)
{
	(void)state;
	for (uint32_t express = 0; express < 2; express++) {
		fake_device_init(MANY);
		express_switch(express != 0);
		const struct gg_tmd small = fake_with_priority(fake_tmd(1), 4);
		const struct gg_tmd urgent = fake_with_priority(fake_tmd(1), 1);
		struct gg_tmd big = fake_with_priority(fake_tmd(100), 5); /* one on each SM */
		struct gg_tmd quota;
		uint32_t slot = 0;

		for (uint32_t tag = 2; tag < CP_SLOTS; tag++) {
			fake_run(tag, &small);
		}
		big.shared_bytes = device.resources.shared_bytes * 5 / 8;
		quota = big;
		quota.header |= GG_TMD_QUOTA_ENABLE;
		quota.quota = MANY;
		fake_post_submit(0, 0, fake_put_tmd(&quota));
		fake_post_submit(0, 1, fake_put_tmd(&big));
		fake_settle(10);
		assert_int_equal(fake_take_all(), CP_SLOTS - 2 + MANY);
		assert_int_equal(fake_count(0), MANY);
		assert_int_equal(task_table_free(), 0);
		while (task_table_holder(slot)->source.tag != 0) {
			slot++;
		}
		assert_int_equal(device.slots[slot].reason, GG_REASON_QUOTA);
		fake_run(CP_SLOTS, &urgent);
		fake_take_all();
		assert_int_equal(fake_count(CP_SLOTS), 1);
		assert_int_equal(device.slots[slot].reason, GG_REASON_SM);
		fake_finish();
		assert_int_equal(device.perf->tasks_completed, CP_SLOTS + 1);
	}
	express_switch(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_can_tell),
		cmocka_unit_test(what_is_short),
		cmocka_unit_test(the_end_of_a_child_is_short),
		cmocka_unit_test(a_place_has_no_depth),
		cmocka_unit_test(a_refill_is_short),
		cmocka_unit_test(a_full_table),
		cmocka_unit_test(others_end_first),
		cmocka_unit_test(what_is_not_short),
		cmocka_unit_test(detours),
		cmocka_unit_test(stale_reports_end_nothing),
		cmocka_unit_test(the_lower_number),
		cmocka_unit_test(its_sm_is_lost),
		cmocka_unit_test(a_parent_and_its_child),
		cmocka_unit_test(siblings),
		cmocka_unit_test(reasons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
