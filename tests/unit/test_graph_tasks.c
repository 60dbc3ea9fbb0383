/* SPDX-License-Identifier: Apache-2.0 */
/* Task graphs on the control processor: passes become tasks, ends release what waits, failures and cancel.
 * sources: scheduler tests/unit/fake_run.c tests/unit/fake_graph.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/graph/graph.h"
#include "firmware/cp/task/quarantine.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_graph.h"
#include "tests/unit/fake_run.h"

#define NONE UINT32_MAX

static struct fake_graph graph;

static void assert_pass(uint32_t pass, enum gg_graph_pass_state state, int32_t status,
			uint32_t cause)
{
	const struct gg_graph_pass *words = fake_graph_pass_report(&graph, pass);

	assert_int_equal(gg_get(words->state, GG_GRAPH_PASS_STATE), state);
	assert_int_equal((int32_t)words->status, status);
	assert_int_equal(words->cause, cause);
}

/* P1: R1 → R2; P2, P3, P4: R2 → R3, R4, R5; P5: R3, R4, R5 → R6 (Fig 8a). */
static void fig8(uint32_t state)
{
	uint32_t r[6];

	for (uint32_t index = 0; index < 6; index++) {
		r[index] = fake_graph_buffer(&graph, 64);
	}
	fake_graph_pass(&graph, state, r[0], r[1]);
	for (uint32_t index = 2; index < 5; index++) {
		fake_graph_pass(&graph, state, r[1], r[index]);
	}
	fake_graph_use(&graph, GG_GRAPH_OP_READ, r[2]);
	fake_graph_use(&graph, GG_GRAPH_OP_READ, r[3]);
	fake_graph_pass(&graph, state, r[4], r[5]);
}

/* S2-R3, S2-R4, S2-R5, S2-R44, S2-R54, S2-R57, S2-R59, S2-R62, S2-R83, S2-R97, S2-R98, S2-R106, S2-A13: a pass starts when what it reads was produced; independent ones
 * run at once; one completion, which counts all CTAs. */
static void passes_follow_their_data(void **state)
{
	(void)state;
	fig8(fake_graph_fresh(&graph, 8, 2));
	fake_graph_run(&graph, 1);
	assert_int_equal(fake_take_all(), 2); /* P1 alone */
	fake_end(0, GG_OK);
	fake_settle(200);
	assert_int_equal(fake_take_all(), 1); /* not before all of P1 has ended (S2-R59) */
	fake_end_all();
	fake_settle(200);
	assert_int_equal(fake_take_all(), 6); /* P2, P3, P4 */
	fake_expect_none();
	fake_end_all();
	fake_settle(200);
	assert_int_equal(fake_take_all(), 2);
	fake_end_all();
	fake_settle(200);
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 10);
	fake_expect_none();
	assert_int_equal(device.perf->tasks_completed, 1);

	const struct gg_graph_report *report = fake_graph_report(&graph);

	assert_int_equal(report->passes, 5);
	assert_int_equal(report->resources, 6);
	assert_int_equal(report->reads, 7);
	assert_int_equal(report->writes, 5);
	assert_int_equal(report->at_once, 3);
	for (uint32_t pass = 0; pass < 5; pass++) {
		const struct gg_graph_pass *words = fake_graph_pass_report(&graph, pass);

		assert_pass(pass, GG_GRAPH_PASS_STATE_DONE, GG_OK, 0);
		assert_int_equal(words->ctas_lo, 2);
		assert_true(words->ready_lo <= words->started_lo &&
			    words->started_lo < words->ended_lo);
	}
}

/* Every kind of grid is a state, those of CGAs too: the pass has the CTAs of all of them. */
static void every_kind_of_grid(void **state)
{
	static const enum gg_task_type types[] = { GG_TASK_TYPE_GRID, GG_TASK_TYPE_GPC_CGA,
						   GG_TASK_TYPE_GPU_CGA, GG_TASK_TYPE_GPU_GPC_CGA,
						   GG_TASK_TYPE_CGA };

	(void)state;
	for (uint32_t at = 0; at < sizeof(types) / sizeof(types[0]); at++) {
		struct gg_tmd tmd = fake_with_type(fake_tmd(12), types[at]);

		(void)fake_graph_fresh(&graph, 8, 1);
		if (types[at] != GG_TASK_TYPE_GRID) {
			tmd.cluster_xy = gg_put(GG_TMD_CLUSTER_X, 2) | gg_put(GG_TMD_CLUSTER_Y, 1);
			tmd.cluster_z = gg_put(GG_TMD_CLUSTER_Z, 1);
		}
		if (types[at] == GG_TASK_TYPE_GPU_GPC_CGA) {
			tmd.outer = gg_put(GG_TMD_OUTER_X, 3) | gg_put(GG_TMD_OUTER_Y, 1) |
				    gg_put(GG_TMD_OUTER_Z, 1);
		}
		fake_graph_pass(&graph, fake_graph_state(&graph, tmd), NONE, NONE);
		fake_graph_run(&graph, 1);
		fake_settle(200);
		assert_int_equal(fake_take_all(), 12);
		fake_end_all();
		fake_settle(200);
		assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 12);
	}
}

/* S2-R69: with emphasis on resources passes run one after the other. */
static void one_at_a_time(void **state)
{
	(void)state;
	fig8(fake_graph_fresh(&graph, 8, 2));
	graph.settings.mode = gg_put(GG_GRAPH_EMPHASIS, GG_GRAPH_EMPHASIS_RESOURCE);
	fake_graph_run(&graph, 1);
	for (uint32_t pass = 0; pass < 5; pass++) {
		assert_int_equal(fake_take_all(), 2);
		fake_end_all();
		fake_settle(200);
	}
	fake_expect(1, GG_OK);
	assert_int_equal(fake_graph_report(&graph)->at_once, 1);
}

/* A CTA fails, with the number of a fault record. */
static void fail_with(uint32_t index, enum gg_status status, uint32_t fault)
{
	const uint32_t sm = fake_ctas[index].sm;

	fake_end(index, status);
	device.launch[sm].reports[(device.sms[sm].report_put - 1) % CP_LAUNCH_ENTRIES].fault =
		fault;
}

/* S2-Q19: a failed pass makes those that need what it did not make be skipped, with its number; others
 * finish; the graph fails as the pass did. */
static void a_pass_fails(void **state)
{
	(void)state;
	uint32_t sm = NONE;

	fig8(fake_graph_fresh(&graph, 8, 2));
	fake_graph_pass(&graph, 0, 1, NONE); /* P6 reads R2: independent of P3 */
	fake_graph_run(&graph, 1);
	assert_int_equal(fake_take_all(), 2);
	fake_end_all();
	fake_settle(200);
	assert_int_equal(fake_take_all(), 8); /* P2, P3, P4, P6 */
	for (uint32_t index = 0; index < fake_cta_count; index++) {
		if (fake_ctas[index].slot == fake_ctas[2].slot) {
			sm = fake_ctas[index].sm;
			fail_with(index, GG_ERR_FAULT_ILLEGAL, 5);
			break;
		}
	}
	fake_settle(200);
	fake_expect_none();
	fake_stop_all();
	fake_finish();
	fake_settle(200);

	const struct gg_completion completion = fake_expect(1, GG_ERR_FAULT_ILLEGAL);
	const uint32_t failed = completion.value_lo;

	assert_int_equal(completion.field, GG_FIELD_GRAPH_PASS_STATE);
	assert_int_equal(gg_get(completion.fault, GG_COMPLETION_FAULT_SM), sm);
	assert_int_equal(gg_get(completion.fault, GG_COMPLETION_FAULT_SEQUENCE), 5);
	assert_in_range(failed, 1, 5);
	assert_pass(failed, GG_GRAPH_PASS_STATE_FAILED, GG_ERR_FAULT_ILLEGAL, 0);
	assert_pass(4, failed == 5 ? GG_GRAPH_PASS_STATE_DONE : GG_GRAPH_PASS_STATE_SKIPPED,
		    failed == 5 ? GG_OK : GG_ERR_DEPENDENCY, failed == 5 ? 0 : failed + 1);
	assert_int_equal(fake_graph_report(&graph)->failed, 1);
	assert_int_equal(device.perf->tasks_failed, 1);
}

/* S2-Q19: of several passes that fail, the first one says why the graph fails; the first one that left a record of a fault says
 * where that is. */
static void several_passes_fail(void **state)
{
	static const uint32_t faults[] = { 0, 5, 6, 0 };
	const uint32_t passes = sizeof(faults) / sizeof(faults[0]);
	const uint32_t kernel = fake_graph_fresh(&graph, 8, 1);
	uint32_t sm = NONE;

	(void)state;
	for (uint32_t pass = 0; pass < passes; pass++) {
		fake_graph_pass(&graph, kernel, NONE, NONE);
	}
	fake_graph_run(&graph, 1);
	assert_int_equal(fake_take_all(), passes);
	for (uint32_t pass = 0; pass < passes; pass++) {
		sm = faults[pass] == 5 ? fake_ctas[0].sm : sm;
		fail_with(0, pass == 0 ? GG_ERR_ABORTED : GG_ERR_FAULT_ILLEGAL, faults[pass]);
		fake_settle(200);
	}
	const struct gg_completion completion = fake_expect(1, GG_ERR_ABORTED);

	assert_int_equal(gg_get(completion.fault, GG_COMPLETION_FAULT_SM), sm);
	assert_int_equal(gg_get(completion.fault, GG_COMPLETION_FAULT_SEQUENCE), 5);
	assert_int_equal(fake_graph_report(&graph)->failed, passes);
}

/* S2-Q19: far more passes than are skipped in one step need what a failed one did not make. */
static void many_are_skipped(void **state)
{
	const uint32_t readers = 100;

	(void)state;
	const uint32_t kernel = fake_graph_fresh(&graph, 8, 1);
	const uint32_t buffer = fake_graph_buffer(&graph, 64);

	fake_graph_pass(&graph, kernel, NONE, buffer);
	for (uint32_t pass = 0; pass < readers; pass++) {
		fake_graph_pass(&graph, kernel, buffer, NONE);
	}
	graph.report_passes = 1 + readers;
	fake_graph_run(&graph, 1);
	assert_int_equal(fake_take_all(), 1);
	fake_end(0, GG_ERR_ABORTED);
	fake_settle(200);
	assert_int_equal(fake_take_all(), 0);
	fake_expect(1, GG_ERR_ABORTED);
	for (uint32_t pass = 1; pass <= readers; pass++) {
		assert_pass(pass, GG_GRAPH_PASS_STATE_SKIPPED, GG_ERR_DEPENDENCY, 1);
	}
}

/* S2-Q19: cancel: what runs is stopped, nothing more starts, the rest is skipped. */
static void cancelled(void **state)
{
	(void)state;
	fig8(fake_graph_fresh(&graph, 8, 2));

	const struct gg_tmd tmd = fake_graph_put(&graph);
	const uint64_t address = fake_run(1, &tmd);

	fake_settle(200);
	assert_int_equal(fake_take_all(), 2);
	fake_name(2, GG_OPCODE_CANCEL, address);
	fake_expect(2, GG_OK);
	fake_expect_none(); /* its CTAs are in flight */
	fake_stop_all();
	fake_settle(200);
	fake_expect(1, GG_ERR_CANCELLED);
	assert_pass(0, GG_GRAPH_PASS_STATE_FAILED, GG_ERR_CANCELLED, 0);
	assert_pass(4, GG_GRAPH_PASS_STATE_SKIPPED, GG_ERR_DEPENDENCY, 1);
	assert_int_equal(fake_graph_report(&graph)->skipped, 4);
	assert_int_equal(fake_take_all(), 0);
}

/* A suspended graph starts nothing; what runs ends. */
static void suspended(void **state)
{
	(void)state;
	fig8(fake_graph_fresh(&graph, 8, 2));

	const struct gg_tmd tmd = fake_graph_put(&graph);
	const uint64_t address = fake_run(1, &tmd);

	fake_settle(200);
	assert_int_equal(fake_take_all(), 2);
	fake_name(2, GG_OPCODE_SUSPEND, address);
	fake_expect(2, GG_OK);
	fake_end_all();
	fake_settle(200);
	assert_int_equal(fake_take_all(), 0);
	fake_name(3, GG_OPCODE_RESUME, address);
	fake_expect(3, GG_OK);
	fake_settle(200);
	assert_int_equal(fake_take_all(), 6);
	fake_finish();
	fake_finish();
	fake_settle(200);
	fake_finish();
	fake_expect(1, GG_OK);
}

/* S2-Q19: a graph that takes longer than its limit is cancelled, by the clock alone. */
static void time_limit(void **state)
{
	(void)state;
	fig8(fake_graph_fresh(&graph, 8, 2));
	graph.settings.time_limit_ms = 2;
	fake_graph_run(&graph, 1);
	assert_int_equal(fake_take_all(), 2);
	assert_true(fake_hal.now < 10000);
	assert_in_range(graph_deadline(), 2 * 1000 * FAKE_US, fake_hal.now + 2 * 1000 * FAKE_US);
	fake_hal.now += 2 * 1000 * FAKE_US;
	fake_settle(200);
	assert_true(graph_deadline() == UINT64_MAX); /* the clock is done with it */
	fake_stop_all();
	fake_settle(200);

	const struct gg_completion completion = fake_expect(1, GG_ERR_TIME_LIMIT);

	assert_int_equal(completion.field, GG_FIELD_GRAPH_TIME_LIMIT_MS);
	assert_int_equal(completion.value_lo, 2);
}

/* S2-Q19: a limit is exact, also the longest one, of 50 days. */
static void long_time_limits(void **state)
{
	(void)state;
	for (uint32_t limit_ms = UINT32_MAX; limit_ms > 1000; limit_ms /= 10) {
		const uint64_t ticks = (uint64_t)limit_ms * 1000 * FAKE_US;

		fig8(fake_graph_fresh(&graph, 8, 2));
		graph.settings.time_limit_ms = limit_ms;
		fake_graph_run(&graph, 1);
		assert_int_equal(fake_take_all(), 2);
		assert_true(graph_deadline() >= ticks && graph_deadline() <= fake_hal.now + ticks);
	}
}

/* S2-Q20: graphs depend on graphs as tasks do; and two run at the same time. */
static void graphs_depend_on_graphs(void **state)
{
	static struct fake_graph second;

	(void)state;
	fig8(fake_graph_fresh(&graph, 8, 1));
	fake_graph_begin(&second);
	fake_graph_state(&second, fake_tmd(3));
	fake_graph_pass(&second, 0, NONE, NONE);

	const struct gg_tmd first = fake_graph_put(&graph);
	const uint64_t address = fake_run(1, &first);
	struct gg_tmd tmd = fake_graph_put(&second);

	fake_run(2, &tmd); /* at the same time */
	fake_set_after(&tmd, &address, 1);
	fake_run(3, &tmd); /* after the first */
	fake_settle(300);
	assert_int_equal(fake_take_all(), 4); /* P1, and all of the second */
	fake_end_all();
	fake_settle(300);
	fake_expect(2, GG_OK);
	assert_int_equal(fake_take_all(), 3); /* P2, P3, P4; nothing of the third */
	fake_end_all();
	fake_settle(300);
	assert_int_equal(fake_take_all(), 1);
	fake_end_all();
	fake_settle(300);
	fake_expect(1, GG_OK);
	assert_int_equal(fake_take_all(), 3);
	fake_end_all();
	fake_settle(300);
	fake_expect(3, GG_OK);
}

/* Two passes, one after the other; the first one runs. */
static void first_of_two(void)
{
	const uint32_t kernel = fake_graph_fresh(&graph, 8, 2);
	const uint32_t between = fake_graph_buffer(&graph, 64);

	fake_graph_pass(&graph, kernel, NONE, between);
	fake_graph_pass(&graph, kernel, between, NONE);
	fake_graph_run(&graph, 1);
	assert_int_equal(fake_take_all(), 2);
}

/* The TMD of a pass was checked with its state. What the device has learnt since is still looked at. */
static void what_has_changed_since(void **state)
{
	(void)state;
	first_of_two();
	quarantine_add(gg_join(graph.states[0].entry_lo, graph.states[0].entry_hi), 3);
	fake_end_all();
	fake_settle(200);
	fake_expect(1, GG_ERR_QUARANTINE);
	assert_pass(1, GG_GRAPH_PASS_STATE_FAILED, GG_ERR_QUARANTINE, 0);

	first_of_two();
	device.size_max = (uint64_t)2 * gg_get(graph.states[0].block_xy, GG_TMD_BLOCK_X) - 1;
	fake_end_all();
	fake_settle(200);
	fake_expect(1, GG_ERR_GRID_OVERFLOW);
	assert_pass(1, GG_GRAPH_PASS_STATE_FAILED, GG_ERR_GRID_OVERFLOW, 0);
}

/* S0-R25: a pass whose state may run only on some of the SMs. */
static void only_on_some_sms(void **state)
{
	struct gg_tmd tmd = fake_tmd(3);

	(void)state;
	(void)fake_graph_fresh(&graph, 8, 2);
	tmd.gpc_mask = 1u << 1; /* SMs 4 to 7 */
	fake_graph_pass(&graph, fake_graph_state(&graph, tmd), NONE, NONE);
	tmd.gpc_mask = 1u << 0;
	(void)fake_graph_state(&graph, tmd); /* another one is checked later */
	fake_graph_run(&graph, 1);
	assert_int_equal(fake_take_all(), 3);
	for (uint32_t index = 0; index < 3; index++) {
		assert_in_range(fake_ctas[index].sm, 4, 7);
	}
	fake_end_all();
	fake_settle(200);
	fake_expect(1, GG_OK);
}

/* S2-R65, S2-R68: passes that wait for nothing run at the same time, those that may run only on some of the SMs too: a pass whose CTAs
 * have all been issued keeps no other one back. */
static void many_at_once(void **state)
{
	struct gg_tmd tmd = fake_tmd(3);

	(void)state;
	(void)fake_graph_fresh(&graph, 8, 2);
	tmd.gpc_mask = 1u << 1; /* SMs 4 to 7 */
	const uint32_t number = fake_graph_state(&graph, tmd);

	for (uint32_t pass = 0; pass < 8; pass++) {
		fake_graph_pass(&graph, number, NONE, NONE);
	}
	fake_graph_run(&graph, 1);
	assert_int_equal(fake_take_all(), 8 * 3);
	fake_end_all();
	fake_settle(200);
	fake_expect(1, GG_OK);
}

/* S2-R37: a kernel that never ran is expected to take 50 us for each time that its CTAs fill the device, and for the rest. */
static void what_never_ran(void **state)
{
	const uint64_t wave_ticks = 50u * FAKE_US + 1;

	(void)state;
	for (uint32_t ctas = 1; ctas <= 1000; ctas *= 10) {
		fake_graph_pass(&graph, fake_graph_fresh(&graph, 1, 1), NONE, NONE);
		fake_graph_pass(&graph, fake_graph_state(&graph, fake_tmd(ctas)), NONE, NONE);
		graph.report_passes = 2;
		fake_graph_run(&graph, 1);
		fake_finish();
		fake_expect(1, GG_OK);
		const uint32_t units = fake_graph_pass_report(&graph, 0)->units;

		assert_int_equal(fake_graph_pass_report(&graph, 1)->estimate,
				 (ctas * units / device.resources.units + 1) * wave_ticks);
	}
}

/* S2-R38: the units that a pass is expected to need are those of its CTAs, or all of the device when no further CTA fits beside
 * them. */
static void what_a_grid_needs(void **state)
{
	(void)state;
	for (uint32_t ctas = 1; ctas <= 20; ctas++) {
		struct gg_tmd tmd = fake_tmd(ctas);

		fake_device_init(1);
		fake_graph_begin(&graph);
		tmd.shared_bytes = 3 * (device.resources.shared_bytes / device.resources.units);
		fake_graph_pass(&graph, fake_graph_state(&graph, tmd), NONE, NONE);
		fake_graph_run(&graph, 1);
		fake_finish();
		fake_expect(1, GG_OK);
		assert_int_equal(device.resources.units, 32);
		assert_int_equal(fake_graph_pass_report(&graph, 0)->units,
				 ctas < 10 ? 3 * ctas : 32);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_has_changed_since),
		cmocka_unit_test(only_on_some_sms),
		cmocka_unit_test(many_at_once),
		cmocka_unit_test(what_never_ran),
		cmocka_unit_test(what_a_grid_needs),
		cmocka_unit_test(passes_follow_their_data),
		cmocka_unit_test(every_kind_of_grid),
		cmocka_unit_test(one_at_a_time),
		cmocka_unit_test(a_pass_fails),
		cmocka_unit_test(several_passes_fail),
		cmocka_unit_test(many_are_skipped),
		cmocka_unit_test(cancelled),
		cmocka_unit_test(suspended),
		cmocka_unit_test(time_limit),
		cmocka_unit_test(long_time_limits),
		cmocka_unit_test(graphs_depend_on_graphs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
