/* SPDX-License-Identifier: Apache-2.0 */
/* Task graphs on the control processor: large passes are run in parts.
 * sources: scheduler tests/unit/fake_run.c tests/unit/fake_graph.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/task/task.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_graph.h"
#include "tests/unit/fake_run.h"

#define NONE UINT32_MAX

static struct fake_graph graph;

/* S2-R82, S2-Q17: a large pass is run in parts; it has ended when the last part has. */
static void split_and_joined(void **state)
{
	(void)state;
	const uint32_t big = fake_graph_fresh(&graph, 8, 10);
	const uint32_t buffer = fake_graph_buffer(&graph, 64);

	fake_graph_pass(&graph, big, NONE, buffer);
	fake_graph_pass(&graph, big, buffer, NONE);
	graph.settings.split_ctas = 4;
	fake_graph_run(&graph, 1);
	fake_take_all();
	fake_settle(200);
	assert_int_equal(fake_take_all(), 10);

	uint32_t slots = 0;
	uint32_t ctas = 0;

	for (uint32_t index = 0; index < fake_cta_count; index++) {
		slots |= 1u << fake_ctas[index].slot;
		ctas |= 1u << fake_ctas[index].cta;
	}
	assert_int_equal(__builtin_popcount(slots), 3);
	assert_int_equal(ctas, 0x3ff); /* each CTA once */
	while (fake_cta_count > 1) {
		fake_end(0, GG_OK);
	}
	fake_settle(200);
	assert_int_equal(fake_take_all(), 1);
	fake_end(0, GG_OK);
	fake_settle(200);
	fake_finish();
	fake_settle(200);
	fake_finish();
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 20);
	assert_int_equal(fake_graph_pass_report(&graph, 0)->ctas_lo, 10);
}

/* A part that fails takes the other parts with it. */
static void a_part_fails(void **state)
{
	(void)state;
	fake_graph_pass(&graph, fake_graph_fresh(&graph, 8, 10), NONE, NONE);
	graph.settings.split_ctas = 4;
	fake_graph_run(&graph, 1);
	fake_take_all();
	fake_settle(200);
	assert_int_equal(fake_take_all(), 10);
	fake_end(0, GG_ERR_ABORTED);
	fake_settle(200);
	fake_stop_all();
	fake_stop_all();
	fake_settle(200);
	fake_expect(1, GG_ERR_ABORTED);
	assert_int_equal(fake_cta_count, 0);
}

/* S2-R82: while the pool has few places left a large pass runs as one task, which leaves them to others. */
static void whole_when_places_are_few(void **state)
{
	uint32_t taken = 0;

	(void)state;
	fake_graph_pass(&graph, fake_graph_fresh(&graph, 8, 10), NONE, NONE);
	graph.settings.split_ctas = 4;

	void **places = calloc(task_pool_capacity(), sizeof(places[0]));

	assert_non_null(places);
	while (task_pool_free() > CP_RESERVE + 8) {
		places[taken++] = task_take_place();
	}
	fake_graph_run(&graph, 1);
	assert_int_equal(fake_take_all(), 10);
	for (uint32_t index = 0; index < 10; index++) {
		assert_int_equal(fake_ctas[index].slot, fake_ctas[0].slot);
	}
	fake_end_all();
	fake_settle(200);
	assert_int_equal(fake_expect(1, GG_OK).ctas_lo, 10);
	while (taken > 0) {
		task_give_place(places[--taken]);
	}
	free(places);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(split_and_joined),
		cmocka_unit_test(a_part_fails),
		cmocka_unit_test(whole_when_places_are_few),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
