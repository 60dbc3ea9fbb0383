/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/graph_world.h"

#include <string.h>

#include "firmware/graph/plan.h"
#include "tests/unit/graph_support.h"

struct world world;

static uint64_t seed = 88172645463325252u;
static bool written[WORLD_RESOURCES]; /* or there before the graph */
static bool was_read[WORLD_RESOURCES];
static bool gone[WORLD_RESOURCES]; /* its memory is another's */
static uint32_t far;               /* resources further back are not used */

uint32_t world_below(uint32_t limit)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)((seed >> 20) % limit);
}

static bool chance(uint32_t percent)
{
	return world_below(100) < percent;
}

static bool uses(uint32_t pass, uint32_t of)
{
	for (uint32_t index = world.uses; index > 0 && world.use[index - 1].pass == pass; index--) {
		if (world.use[index - 1].of == of && world.use[index - 1].what != 'a') {
			return true;
		}
	}
	return false;
}

static void use(uint32_t pass, char what, uint32_t of)
{
	assert_true(world.uses < WORLD_USES);
	world.use[world.uses++] = (struct world_use){ .pass = pass, .of = of, .what = what };
	if (what != 'a') {
		written[of] = written[of] || what != 'r';
		was_read[of] = was_read[of] || what == 'r' || what == 'u';
	}
}

static uint32_t add_resource(uint32_t bytes)
{
	assert_true(world.resources < WORLD_RESOURCES);
	world.bytes[world.resources] = bytes;
	world.reuses[world.resources] = GRAPH_NONE;
	written[world.resources] = bytes == 0;
	was_read[world.resources] = false;
	gone[world.resources] = false;
	return world.resources++;
}

/* A resource that is used already and not too old, or GRAPH_NONE. */
static uint32_t some(uint32_t pass)
{
	const uint32_t reach = far < world.resources ? far : world.resources;
	const uint32_t of = world.resources - 1 - world_below(reach);

	return gone[of] || uses(pass, of) ? GRAPH_NONE : of;
}

static void read_some(uint32_t pass)
{
	const uint32_t of = some(pass);

	if (of != GRAPH_NONE && written[of]) {
		use(pass, 'r', of);
	}
}

/* Another buffer, perhaps in the memory of an older one that nobody will use any more. */
static void write_new(uint32_t pass)
{
	const uint32_t bytes = chance(60) ? 64 * (1 + world_below(64)) : 0;
	const uint32_t old = some(pass);
	const uint32_t of = add_resource(bytes);

	if (bytes != 0 && !world.planned && old != GRAPH_NONE && world.bytes[old] != 0 &&
	    written[old] && chance(25)) {
		world.reuses[of] = old;
		gone[old] = true;
	}
	use(pass, !world.unordered && chance(20) ? 's' : 'w', of);
}

static void write_some(uint32_t pass)
{
	const uint32_t of = some(pass);
	const uint32_t how = world_below(3);

	if (of == GRAPH_NONE || chance(70)) {
		write_new(pass);
	} else if (world.unordered) {
		/* Another writer, if nobody depends on it yet. */
		if (!was_read[of] && world.bytes[of] != 0) {
			use(pass, 'w', of);
		}
	} else if (how != 2 || written[of]) {
		use(pass, "wsu"[how], of);
	}
}

static void make_pass(uint32_t place)
{
	const uint32_t pass = world.order[place];
	const uint32_t reads = world_below(4);

	for (uint32_t index = 0; index < reads; index++) {
		read_some(pass);
	}
	for (uint32_t index = 1 + chance(20); index > 0; index--) {
		write_some(pass);
	}
	if (place > 0 && chance(5)) {
		use(pass, 'a', world.order[place - 1 - world_below(place < 20 ? place : 20)]);
	}
}

/* How long, how wide, and whether it fails. */
static void make_costs(uint32_t pass, bool noisy, uint32_t failures)
{
	world.ticks[pass] = 1 + (chance(20) ? world_below(1000) : world_below(100));
	world.guess[pass] = world.ticks[pass];
	if (noisy) {
		world.guess[pass] = 1 + world.ticks[pass] * (75 + world_below(51)) / 100;
	}
	world.needs[pass][0] = 1 + (chance(20) ? world_below(100) : world_below(25));
	world.needs[pass][1] = chance(50) ? world_below(60) : 0;
	world.fails[pass] = world_below(1000) < failures;
}

void world_make(uint32_t passes, uint32_t failures)
{
	const bool noisy = chance(50);

	world.passes = passes;
	world.resources = 0;
	world.uses = 0;
	world.unordered = chance(15);
	world.planned = chance(30);
	far = 1 + world_below(chance(50) ? 8 : 60);
	for (uint32_t inputs = 1 + world_below(3); inputs > 0; inputs--) {
		add_resource(0);
	}
	for (uint32_t pass = 0; pass < passes; pass++) {
		const uint32_t other = world.unordered ? world_below(pass + 1) : pass;

		world.order[pass] = world.order[other];
		world.order[other] = pass;
		make_costs(pass, noisy, failures);
	}
	for (uint32_t place = 0; place < passes; place++) {
		make_pass(place);
	}
}

/* As plan.c does: behind all passes, a wait of each first writer for the memory. */
static void wait_for_memory(uint32_t resource, uint32_t old)
{
	struct graph_version *version = &graph_test->versions[graph_test->resources[old].last];
	const uint32_t end = graph_test->passes[world.passes - 1].first_access +
			     graph_test->passes[world.passes - 1].accesses;

	for (uint32_t index = 0; index < end; index++) {
		const struct graph_access *access = &graph_test->accesses[index];

		if (access->use != GRAPH_USE_WRITE ||
		    access->version != graph_test->resources[resource].first) {
			continue;
		}
		assert_true(graph_test->access.used < graph_test->access.most);
		graph_test->accesses[graph_test->access.used] =
			(struct graph_access){ .pass = access->pass,
					       .version = graph_test->resources[old].last,
					       .next = version->first_free,
					       .use = GRAPH_USE_FREE };
		version->first_free = graph_test->access.used++;
		graph_test->passes[access->pass].waits++;
	}
}

static void build_pass(uint32_t pass)
{
	graph_test_draft.step = pass;
	for (uint32_t index = 0; index < world.uses; index++) {
		if (world.use[index].pass == pass) {
			assert_int_equal(
				graph_test_declare(world.use[index].what, world.use[index].of)
					.status,
				GG_OK);
		}
	}
	graph_draft_need(&graph_test_draft, GG_GRAPH_NEED_UNITS, world.needs[pass][0]);
	graph_draft_need(&graph_test_draft, GG_GRAPH_NEED_BANDWIDTH, world.needs[pass][1]);
	assert_int_equal(graph_test_end_pass().status, GG_OK);
	graph_test->passes[pass].estimate = world.guess[pass];
}

static struct refusal plan(uint64_t bytes, bool resource)
{
	struct refusal refusal = refusal_none();

	for (uint32_t cursor = 0; cursor != UINT32_MAX && refusal.status == GG_OK;) {
		refusal = graph_plan(graph_test, bytes, resource, &cursor, 10);
	}
	return refusal;
}

/* In as little space as there can be, or in a little more. */
static void plan_tight(void)
{
	const struct refusal refusal = plan(64, chance(50));
	const uint64_t least = refusal.status == GG_ERR_GRAPH_MEMORY ? refusal.value : 64;

	assert_int_equal(plan(least + least * world_below(50) / 100, chance(50)).status, GG_OK);
}

struct graph *world_build(void)
{
	for (uint32_t of = 0; of < world.resources; of++) {
		graph_test_table[of] = (struct gg_graph_resource){
			.kind = world.bytes[of] == 0 ? GG_GRAPH_RESOURCE_KIND_FIXED
						     : GG_GRAPH_RESOURCE_KIND_TRANSIENT,
			.bytes_lo = world.bytes[of] == 0 ? 64 : world.bytes[of],
		};
	}
	graph_test_begin_as(world.resources, world.unordered);
	for (uint32_t pass = 0; pass < world.passes; pass++) {
		build_pass(pass);
	}
	assert_int_equal(graph_test_end().status, GG_OK);
	graph_test->peak_bytes = 0;
	for (uint32_t of = 0; of < world.resources; of++) {
		if (world.reuses[of] != GRAPH_NONE) {
			wait_for_memory(of, world.reuses[of]);
		}
		graph_test->peak_bytes += world.reuses[of] == GRAPH_NONE ? world.bytes[of] : 0;
	}
	graph_test->forward = true; /* so that the order is found, and cycles */
	assert_int_equal(graph_test_order().status, GG_OK);
	if (world.planned) {
		plan_tight();
	}
	graph_test_rank();
	return graph_test;
}
