/* SPDX-License-Identifier: Apache-2.0 */
/* Thousands of random declarations against a model that compares every pair of passes (S2-R59…R62, R79, S2-Q4…Q6): order,
 * cycles, ranks; then the plan of memory, and random schedules.
 * sources: firmware/graph/build.c firmware/graph/draft.c firmware/graph/draft_end.c firmware/graph/order.c
 * firmware/graph/cycle.c firmware/graph/plan.c firmware/graph/space.c */
#include <string.h>

#include "firmware/graph/plan.h"
#include "tests/unit/graph_model.h"
#include "tests/unit/graph_schedule.h"

#define PROGRAMS 6000u

/* A random use; transients are written first. */
static void choose_uses(uint32_t busy)
{
	memset(uses, 0, sizeof(uses));
	for (uint32_t pass = 0; pass < passes; pass++) {
		for (uint32_t resource = 0; resource < RESOURCES; resource++) {
			if (below(100) < busy) {
				uses[pass][resource] = "rrrwssu"[below(unordered ? 6 : 7)];
			}
			if (reads(pass, resource) && !unordered && resource % 2 == 1 &&
			    !is_written_before(pass, resource)) {
				uses[pass][resource] = W;
			}
		}
	}
	for (uint32_t pass = 0; unordered && pass < passes; pass++) {
		for (uint32_t resource = 1; resource < RESOURCES; resource += 2) {
			if (uses[pass][resource] == R && !is_written_before(passes, resource)) {
				uses[pass][resource] = NOTHING;
			}
		}
	}
}

/* The same for the unit, in random order and with repetitions. */
static void declare_uses(uint32_t pass, uint32_t afters)
{
	const uint32_t start = below(RESOURCES);

	for (uint32_t i = 0; i < RESOURCES; i++) {
		const uint32_t resource = (start + i) % RESOURCES;

		for (uint32_t times = 0; uses[pass][resource] != NOTHING && times <= below(2);
		     times++) {
			graph_test_declare(uses[pass][resource], resource);
		}
	}
	for (; below(100) < afters; afters /= 2) {
		const uint32_t other = below(10) == 0 || pass == 0 ? below(passes) : below(pass);

		graph_test_declare('a', other);
		waits[other] |= 1ull << pass;
	}
	assert_int_equal(graph_test_end_pass().status, GG_OK);
}

static void make_program(uint32_t seed)
{
	srand(seed);
	passes = 1 + below(PASSES);
	unordered = below(4) == 0;
	choose_uses(unordered ? 1 + below(12) : 5 + below(60));
	graph_test_fill(GG_GRAPH_RESOURCE_KIND_FIXED, RESOURCES);
	for (uint32_t i = 1; i < RESOURCES; i += 2) {
		graph_test_table[i].kind = GG_GRAPH_RESOURCE_KIND_TRANSIENT;
		graph_test_table[i].bytes_lo = 1 + below(4 * 64);
	}
	graph_test_begin_as(RESOURCES, unordered);
	memset(waits, 0, sizeof(waits));
	for (uint32_t pass = 0; pass < passes; pass++) {
		declare_uses(pass, below(2) * 30);
	}
	model_make();
	assert_int_equal(graph_test_end().status, GG_OK);
}

/* Order and ranks are those of the model. */
static void compare(void)
{
	uint64_t placed = 0;
	uint64_t reach[PASSES];

	graph_reach_make(reach);
	for (uint32_t i = 0; i < passes; i++) {
		const uint32_t pass = graph_test->order[i];
		uint32_t rank = 0;

		assert_true(reach[i] == waits[i]);
		assert_false(waits[pass] & placed);
		placed |= 1ull << pass;
		for (uint32_t j = 0; j < passes; j++) {
			const uint32_t other = graph_test->passes[j].rank;

			rank = (waits[i] >> j & 1) && other > rank ? other : rank;
		}
		assert_int_equal(graph_test->passes[i].rank, rank + graph_test->passes[i].estimate);
	}
	assert_true(placed == (1ull << passes) - 1);
}

static bool share_memory(uint32_t a, uint32_t b)
{
	const struct graph_resource *x = &graph_test->resources[a];
	const struct graph_resource *y = &graph_test->resources[b];

	return x->first != GRAPH_NONE && y->first != GRAPH_NONE &&
	       x->address < y->address + y->bytes && y->address < x->address + x->bytes;
}

/* Whether all users of a wait for all users of b. */
static bool is_after(const uint64_t *reach, uint32_t a, uint32_t b)
{
	for (uint32_t i = 0; i < passes; i++) {
		for (uint32_t j = 0; j < passes; j++) {
			if (uses[i][a] != NOTHING && uses[j][b] != NOTHING &&
			    (reach[j] >> i & 1) == 0) {
				return false;
			}
		}
	}
	return true;
}

static struct refusal plan(uint64_t space_bytes, bool resource)
{
	struct refusal refusal = refusal_none();

	for (uint32_t cursor = 0; cursor != UINT32_MAX && refusal.status == GG_OK;) {
		refusal = graph_plan(graph_test, space_bytes, resource, &cursor, 1 + below(9));
	}
	return refusal;
}

/* In every schedule: buffers that share memory are used one after the other; what waited still waits; no cycle. What is
 * said to be enough when it is too little, is enough. */
static void check_plan(uint64_t space_bytes, bool resource)
{
	uint64_t reach[PASSES];
	struct refusal refusal = plan(space_bytes, resource);

	if (refusal.status != GG_OK) {
		assert_int_equal(refusal.status, GG_ERR_GRAPH_MEMORY);
		assert_true(refusal.value > space_bytes);
		space_bytes = refusal.value;
		refusal = plan(space_bytes, resource);
	}
	assert_int_equal(refusal.status, GG_OK);
	graph_reach_make(reach);
	for (uint32_t i = 0; i < passes; i++) {
		assert_true((reach[i] & waits[i]) == waits[i]);
		assert_false(reach[i] >> i & 1);
	}
	assert_true(graph_test->peak_bytes <= space_bytes);
	for (uint32_t a = 1; a < RESOURCES; a += 2) {
		assert_true(graph_test->resources[a].first == GRAPH_NONE ||
			    graph_test->resources[a].address + graph_test->resources[a].bytes <=
				    graph_test->peak_bytes);
		for (uint32_t b = 1; b < a; b += 2) {
			assert_true(!share_memory(a, b) || is_after(reach, a, b) ||
				    is_after(reach, b, a));
		}
	}
}

/* Transients in use now: some user has started, and not all have ended. */
static bool is_live(uint32_t resource)
{
	uint64_t users = 0;

	for (uint32_t i = 0; i < passes; i++) {
		users |= (uint64_t)(uses[i][resource] != NOTHING) << i;
	}
	return (users & graph_schedule_started) != 0 && (users & ~graph_schedule_ended) != 0;
}

/* Some schedules: what must come before a pass has ended when it starts, and no memory is in use twice. */
static void check_schedules(void)
{
	for (uint32_t times = 0; times < 5; times++) {
		graph_schedule_begin();
		while (!graph_schedule_is_over()) {
			const uint32_t pass = graph_schedule_step();

			for (uint32_t i = 0; pass != GRAPH_NONE && i < passes; i++) {
				assert_false((waits[i] >> pass & 1) &&
					     (graph_schedule_ended >> i & 1) == 0);
			}
			for (uint32_t a = 1; a < RESOURCES; a += 2) {
				for (uint32_t b = 1; b < a; b += 2) {
					assert_false(share_memory(a, b) && is_live(a) &&
						     is_live(b));
				}
			}
		}
	}
}

static uint32_t cyclic;
static uint32_t planned;

static void try_program(uint32_t seed)
{
	make_program(seed);

	const struct refusal refusal = graph_test_order();
	const uint64_t members = model_cycles();

	if (members != 0) {
		assert_int_equal(refusal.status, GG_ERR_GRAPH_CYCLE);
		assert_true(members >> refusal.value & 1);
		cyclic++;
		return;
	}
	assert_int_equal(refusal.status, GG_OK);
	for (uint32_t i = 0; i < passes; i++) {
		graph_test->passes[i].estimate = 1 + below(100);
	}
	graph_test_rank();
	compare();
	check_plan(64 * below(20), below(2) == 0);
	planned += graph_test->peak_bytes < graph_test->sum_bytes;
	check_schedules();
}

static void programs(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= PROGRAMS; seed++) {
		try_program(seed);
	}
	print_message("%u programs: %u with cycles, %u share memory\n", PROGRAMS, cyclic, planned);
	assert_in_range(cyclic, PROGRAMS / 20, PROGRAMS / 2);
	assert_in_range(planned, PROGRAMS / 20, PROGRAMS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
