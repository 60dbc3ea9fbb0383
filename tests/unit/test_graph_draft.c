/* SPDX-License-Identifier: Apache-2.0 */
/* Passes under construction: commands and their arguments, needs, sizes, what is left over; room, and packing.
 * sources: firmware/graph/build.c firmware/graph/draft.c firmware/graph/draft_end.c firmware/graph/order.c
 * firmware/graph/cycle.c */
#include <string.h>

#include "tests/unit/graph_reach.h"

#define FIXED     GG_GRAPH_RESOURCE_KIND_FIXED
#define TRANSIENT GG_GRAPH_RESOURCE_KIND_TRANSIENT
#define READ      GG_GRAPH_OP_READ
#define WRITE     GG_GRAPH_OP_WRITE

static struct graph_draft *const draft = &graph_test_draft;

static void declare(enum gg_graph_op op, uint32_t resource)
{
	assert_int_equal(graph_draft_declare(draft, op, resource).status, GG_OK);
}

static struct refusal add(uint8_t op, uint32_t a, uint32_t b, uint32_t c)
{
	const struct graph_command command = {
		.op = op, .a = a, .b = b, .c = c, .state = 7, .values = 9, .first_value = 9
	};

	return graph_draft_command(draft, &command);
}

static enum gg_status add_value(uint8_t op, uint8_t bytes, uint32_t number)
{
	const struct graph_value value = { .op = op, .bytes = bytes, .number = number };

	return graph_draft_value(draft, &value).status;
}

/* S2-R23, S2-R34: a pass has its commands, each DISPATCH the arguments before it. */
static void commands(void **state)
{
	(void)state;
	graph_test_begin(FIXED, 4, false);
	declare(READ, 1);
	declare(WRITE, 2);
	assert_int_equal(add_value(GG_GRAPH_OP_CONST, 4, 5), GG_OK);
	assert_int_equal(add(GG_GRAPH_OP_COPY, 2, 1, 8).status, GG_OK);
	assert_int_equal(add_value(GG_GRAPH_OP_ADDRESS, 0, 1), GG_OK);
	assert_int_equal(add(GG_GRAPH_OP_DISPATCH, 1, 1, 1).status, GG_OK);
	assert_int_equal(add_value(GG_GRAPH_OP_PARAMETER, 8, 0), GG_OK);
	assert_int_equal(add(GG_GRAPH_OP_DISPATCH, 1, 1, 1).status, GG_OK);
	assert_int_equal(graph_draft_commands(draft), 3);
	draft->step = 99;
	assert_int_equal(graph_draft_end(draft, 3).status, GG_OK);
	assert_int_equal(graph_draft_commands(draft), 0);

	const struct graph_pass *pass = &graph_test->passes[0];
	const struct graph_command *command = &graph_test->commands[pass->first_command];

	assert_int_equal(pass->commands, 3);
	assert_int_equal(pass->definition, 3);
	assert_int_equal(pass->step, 99);
	assert_int_equal(command[0].values, 0);
	assert_int_equal(command[1].values, 2);
	assert_int_equal(command[1].state, 7);
	assert_int_equal(graph_test->values[command[1].first_value].number, 5);
	assert_int_equal(graph_test->values[command[1].first_value + 1].bytes, 8);
	assert_int_equal(command[2].values, 1);
	assert_int_equal(command[2].first_value, 2);
}

/* V7: passes of one definition differ in their arguments. */
static void loop(void **state)
{
	(void)state;
	graph_test_begin(FIXED, 64, false);
	for (uint32_t i = 0; i < 50; i++) {
		declare(READ, i);
		declare(WRITE, i + 1);
		assert_int_equal(add_value(GG_GRAPH_OP_CONST, 4, i * i), GG_OK);
		assert_int_equal(add(GG_GRAPH_OP_DISPATCH, i, 1, 1).status, GG_OK);
		assert_int_equal(graph_draft_end(draft, 1).status, GG_OK);
	}
	graph_test_finish();
	assert_int_equal(graph_test->pass.used, 50);
	for (uint32_t i = 0; i < 50; i++) {
		const struct graph_command *command = &graph_test->commands[i];

		assert_int_equal(command->a, i);
		assert_int_equal(graph_test->values[command->first_value].number, i * i);
		assert_int_equal(graph_test->passes[i].rank, 50 - i);
	}
}

/* What commands use must be declared, and lies in the resources. */
static void ranges(void **state)
{
	const struct {
		uint8_t op;
		uint32_t a, b, c;
		enum gg_status status;
	} cases[] = {
		{ GG_GRAPH_OP_COPY, 2, 1, 64, GG_OK },
		{ GG_GRAPH_OP_COPY, 2, 1, 65, GG_ERR_GRAPH_DATA },
		{ GG_GRAPH_OP_COPY, 1, 2, 4, GG_ERR_GRAPH_RESOURCE },
		{ GG_GRAPH_OP_COPY, 2, 3, 4, GG_ERR_GRAPH_RESOURCE },
		{ GG_GRAPH_OP_COPY, 3, 1, 4, GG_ERR_GRAPH_RESOURCE },
		{ GG_GRAPH_OP_COPY, 2, 99, 4, GG_ERR_GRAPH_RESOURCE },
		{ GG_GRAPH_OP_FILL, 2, 0, 64, GG_OK },
		{ GG_GRAPH_OP_FILL, 2, 0, 0xffffffff, GG_ERR_GRAPH_DATA },
		{ GG_GRAPH_OP_FILL, 1, 0, 4, GG_ERR_GRAPH_RESOURCE },
		{ GG_GRAPH_OP_FILL, 0xffffffff, 0, 4, GG_ERR_GRAPH_RESOURCE },
		{ GG_GRAPH_OP_SIGNAL, 2, 9, 60, GG_OK },
		{ GG_GRAPH_OP_SIGNAL, 2, 9, 61, GG_ERR_GRAPH_DATA },
		{ GG_GRAPH_OP_SIGNAL, 2, 9, 58, GG_ERR_GRAPH_DATA },
		{ GG_GRAPH_OP_SIGNAL, 2, 9, 0xfffffffc, GG_ERR_GRAPH_DATA },
		{ GG_GRAPH_OP_SIGNAL, 1, 9, 0, GG_ERR_GRAPH_RESOURCE },
	};

	(void)state;
	graph_test_begin(FIXED, 4, false);
	declare(READ, 1);
	declare(GG_GRAPH_OP_SHARE, 2);
	draft->step = 12;
	for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const uint32_t before = graph_draft_commands(draft);
		const struct refusal refusal = add(cases[i].op, cases[i].a, cases[i].b, cases[i].c);

		assert_int_equal(refusal.status, cases[i].status);
		assert_int_equal(refusal.value, refusal.status == GG_OK ? 0 : 12);
		assert_int_equal(graph_draft_commands(draft), before + (refusal.status == GG_OK));
	}
	assert_int_equal(add_value(GG_GRAPH_OP_ADDRESS, 0, 3), GG_ERR_GRAPH_RESOURCE);
	assert_int_equal(add_value(GG_GRAPH_OP_ADDRESS, 0, 1), GG_OK);
	graph_test->resource_count = 2; /* what follows was a good one */
	assert_int_equal(add(GG_GRAPH_OP_FILL, 2, 0, 64).status, GG_ERR_GRAPH_RESOURCE);
}

/* An argument block is at most 256 bytes, with arguments aligned; a pass has at most 16 commands. */
static void blocks(void **state)
{
	(void)state;
	graph_test_begin(FIXED, 4, false);
	assert_int_equal(add_value(GG_GRAPH_OP_CONST, 4, 0), GG_OK);
	for (uint32_t i = 1; i < 32; i++) {
		assert_int_equal(add_value(GG_GRAPH_OP_CONST, 8, 0), GG_OK);
	}
	assert_int_equal(add_value(GG_GRAPH_OP_CONST, 4, 0), GG_ERR_GRAPH_TOO_LARGE);
	for (uint32_t i = 0; i < 16; i++) {
		assert_int_equal(add(GG_GRAPH_OP_DISPATCH, 1, 1, 1).status, GG_OK);
	}
	assert_int_equal(add(GG_GRAPH_OP_DISPATCH, 1, 1, 1).status, GG_ERR_GRAPH_TOO_LARGE);
	assert_int_equal(graph_test->commands[0].values, 32);
	for (uint32_t i = 0; i < 64; i++) {
		assert_int_equal(add_value(GG_GRAPH_OP_CONST, 4, 0), GG_OK);
	}
	assert_int_equal(add_value(GG_GRAPH_OP_CONST, 4, 0), GG_ERR_GRAPH_TOO_LARGE);
}

/* Needs are of one pass; the graph knows the most. */
static void needs(void **state)
{
	(void)state;
	graph_test_begin(FIXED, 4, false);
	graph_draft_need(draft, GG_GRAPH_NEED_USER, 7);
	graph_draft_need(draft, GG_GRAPH_NEED_MEMORY, 100);
	graph_test_pass("");
	graph_draft_need(draft, GG_GRAPH_NEED_USER, 5);
	graph_test_pass("");
	assert_int_equal(graph_test->passes[0].needs[GG_GRAPH_NEED_USER], 7);
	assert_int_equal(graph_test->passes[1].needs[GG_GRAPH_NEED_USER], 5);
	assert_int_equal(graph_test->passes[1].needs[GG_GRAPH_NEED_MEMORY], 0);
	assert_int_equal(graph_test->needs_most[GG_GRAPH_NEED_USER], 7);
	assert_int_equal(graph_test->needs_most[GG_GRAPH_NEED_MEMORY], 100);
}

/* S2-Q9: declarations without a command stay for the next pass, or are no pass at the end. */
static void left_over(void **state)
{
	(void)state;
	graph_test_begin(FIXED, 4, false);
	declare(READ, 1);
	assert_int_equal(graph_draft_end(draft, 0).status, GG_OK);
	assert_int_equal(graph_test->pass.used, 0);
	graph_test_pass("w2");
	assert_int_equal(graph_test->reads, 1);
	graph_test_pass("r1");
	declare(WRITE, 3);
	assert_int_equal(graph_draft_after(draft, 77).status, GG_OK);
	assert_int_equal(add_value(GG_GRAPH_OP_CONST, 4, 0), GG_OK);
	assert_int_equal(add(GG_GRAPH_OP_DISPATCH, 1, 1, 1).status, GG_OK);
	graph_test_finish();
	assert_int_equal(graph_test->pass.used, 2);
	assert_int_equal(graph_test->command.used, 2);
	assert_int_equal(graph_test->access.used, 3);
	assert_int_equal(graph_test->value.used, 0);
	assert_int_equal(graph_test->resources_used, 2);
	assert_false(graph_test->forward);
	graph_test_begin(FIXED, 4, false);
	declare(WRITE, 3);
	graph_draft_begin(draft, graph_test);
	graph_test_pass("r3");
	assert_int_equal(graph_test->writes, 0);
	graph_test_begin(FIXED, 0, false);
	graph_test_finish();
	assert_int_equal(graph_test->pass.used, 0);
}

/* Sizes of transients are set before their first use. */
static void sizes(void **state)
{
	(void)state;
	graph_test_fill(TRANSIENT, 4);
	graph_test_table[0].kind = FIXED;
	graph_test_begin_as(4, false);
	assert_int_equal(graph_draft_size(draft, 0, 5).status, GG_ERR_GRAPH_RESOURCE);
	assert_int_equal(graph_draft_size(draft, 4, 5).status, GG_ERR_GRAPH_RESOURCE);
	assert_int_equal(graph_draft_size(draft, 1, 5).status, GG_OK);
	assert_int_equal(graph_draft_size(draft, 1, 0xffffffff).status, GG_OK);
	declare(WRITE, 1);
	assert_int_equal(graph_draft_size(draft, 1, 5).status, GG_ERR_GRAPH_RESOURCE);
	assert_int_equal(graph_test_end_pass().status, GG_OK);
	assert_int_equal(graph_draft_size(draft, 1, 5).status, GG_ERR_GRAPH_RESOURCE);
	assert_true(graph_test->resources[1].bytes == 0xffffffff);
	assert_int_equal(graph_draft_size(draft, 2, 0).status, GG_OK);
	assert_int_equal(graph_draft_declare(draft, WRITE, 2).status, GG_ERR_GRAPH_RESOURCE);
	/* Unordered: read by somebody, written by nobody. */
	graph_test_fill(TRANSIENT, 4);
	graph_test_begin_as(4, true);
	graph_test_pass("w1");
	graph_test_pass("r1 r2");
	assert_int_equal(graph_test_end().status, GG_ERR_GRAPH_RESOURCE);
	assert_int_equal(graph_test_end().value, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands), cmocka_unit_test(loop),  cmocka_unit_test(ranges),
		cmocka_unit_test(blocks),   cmocka_unit_test(needs), cmocka_unit_test(left_over),
		cmocka_unit_test(sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
