/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/graph_hand.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct graph hand;
struct graph_run hand_run;

static struct graph_pass passes[HAND_PASSES];
static struct graph_access accesses[HAND_ACCESSES];
static struct graph_version versions[HAND_ACCESSES];
static struct graph_resource resources[HAND_RESOURCES];
static uint32_t heap[HAND_PASSES];
static uint32_t before[HAND_ACCESSES]; /* by version: the version before it */
static uint64_t clock_now;

void hand_begin(void)
{
	hand = (struct graph){ .passes = passes,
			       .accesses = accesses,
			       .versions = versions,
			       .resources = resources,
			       .heap = heap };
	memset(&hand_run, 0xa5, sizeof(hand_run)); /* whatever was there */
}

uint32_t hand_resource(uint64_t bytes)
{
	assert_true(hand.resource_count < HAND_RESOURCES);
	resources[hand.resource_count] = (struct graph_resource){
		.bytes = bytes == 0 ? 64 : bytes,
		.first = GRAPH_NONE,
		.last = GRAPH_NONE,
		.kind = bytes == 0 ? GG_GRAPH_RESOURCE_KIND_FIXED
				   : GG_GRAPH_RESOURCE_KIND_TRANSIENT,
	};
	hand.peak_bytes += bytes;
	return hand.resource_count++;
}

uint32_t hand_pass(uint32_t estimate)
{
	assert_true(hand.pass.used < HAND_PASSES);
	memset(&passes[hand.pass.used], 0xa5, sizeof(passes[0]));
	passes[hand.pass.used].first_access = hand.access.used;
	passes[hand.pass.used].accesses = 0;
	passes[hand.pass.used].estimate = estimate;
	memset(passes[hand.pass.used].needs, 0, sizeof(passes[0].needs));
	return hand.pass.used++;
}

static void add(enum graph_use use, uint32_t version)
{
	assert_true(hand.access.used < HAND_ACCESSES);
	accesses[hand.access.used++] = (struct graph_access){ .pass = hand.pass.used - 1,
							      .version = version,
							      .next = GRAPH_NONE,
							      .use = (uint8_t)use };
	passes[hand.pass.used - 1].accesses++;
}

static uint32_t new_version(uint32_t number, uint32_t writers)
{
	struct graph_resource *resource = &resources[number];
	const uint32_t version = hand.version.used++;

	versions[version] = (struct graph_version){ .resource = number,
						    .writers = writers,
						    .first_reader = GRAPH_NONE,
						    .first_free = GRAPH_NONE,
						    .next = GRAPH_NONE,
						    .writers_left = 77,
						    .readers_left = 77,
						    .failed = 77 };
	before[version] = resource->last;
	if (resource->last == GRAPH_NONE) {
		resource->first = version;
	} else {
		versions[resource->last].next = version;
	}
	resource->last = version;
	resource->shared = false;
	return version;
}

/* The newest version, or what was there before the graph. */
static uint32_t newest(uint32_t resource)
{
	const uint32_t last = resources[resource].last;

	return last != GRAPH_NONE ? last : new_version(resource, 0);
}

void hand_read(uint32_t resource)
{
	const uint32_t version = newest(resource);

	versions[version].readers++;
	add(GRAPH_USE_READ, version);
}

void hand_write(uint32_t resource)
{
	if (resources[resource].last != GRAPH_NONE) {
		add(GRAPH_USE_FREE, resources[resource].last);
	}
	add(GRAPH_USE_WRITE, new_version(resource, 1));
}

void hand_update(uint32_t resource)
{
	add(GRAPH_USE_UPDATE, newest(resource));
	add(GRAPH_USE_WRITE, new_version(resource, 1));
}

void hand_share(uint32_t resource)
{
	const uint32_t last = resources[resource].last;

	if (last == GRAPH_NONE || !resources[resource].shared || versions[last].readers != 0) {
		hand_write(resource);
		resources[resource].shared = true;
		return;
	}
	if (before[last] != GRAPH_NONE) {
		add(GRAPH_USE_FREE, before[last]);
	}
	versions[last].writers++;
	add(GRAPH_USE_WRITE, last);
}

void hand_after(uint32_t pass)
{
	add(GRAPH_USE_AFTER, pass);
}

void hand_reuse(uint32_t resource)
{
	add(GRAPH_USE_FREE, resources[resource].last);
}

void hand_need(enum gg_graph_need kind, uint32_t amount)
{
	passes[hand.pass.used - 1].needs[kind] = amount;
	if (amount > hand.needs_most[kind]) {
		hand.needs_most[kind] = amount;
	}
}

/* The list that an access waits in, or NULL: it waits for nothing. */
static uint32_t *list_of(const struct graph_access *access)
{
	switch ((enum graph_use)access->use) {
	case GRAPH_USE_READ:
		return &versions[access->version].first_reader;
	case GRAPH_USE_FREE:
	case GRAPH_USE_UPDATE:
		return &versions[access->version].first_free;
	case GRAPH_USE_AFTER:
		return &passes[access->version].first_after;
	case GRAPH_USE_WRITE:
		break;
	}
	return NULL;
}

static uint32_t longest(uint32_t first)
{
	uint32_t rank = 0;

	for (uint32_t index = first; index != GRAPH_NONE; index = accesses[index].next) {
		const uint32_t other = passes[accesses[index].pass].rank;

		rank = other > rank ? other : rank;
	}
	return rank;
}

/* All that waits for a pass is behind it, so its rank is known. */
static uint32_t behind(const struct graph_pass *pass)
{
	uint32_t rank = longest(pass->first_after);

	for (uint32_t index = 0; index < pass->accesses; index++) {
		const struct graph_access *access = &accesses[pass->first_access + index];

		if (access->use != GRAPH_USE_READ && access->use != GRAPH_USE_WRITE) {
			continue;
		}
		const struct graph_version *version = &versions[access->version];
		const uint32_t reader =
			access->use == GRAPH_USE_WRITE ? longest(version->first_reader) : 0;
		const uint32_t next = longest(version->first_free);
		const uint32_t most = reader > next ? reader : next;

		rank = most > rank ? most : rank;
	}
	return rank;
}

void hand_end(void)
{
	for (uint32_t pass = 0; pass < hand.pass.used; pass++) {
		passes[pass].first_after = GRAPH_NONE;
		passes[pass].waits = 0;
	}
	for (uint32_t index = 0; index < hand.access.used; index++) {
		uint32_t *list = list_of(&accesses[index]);

		if (list != NULL) {
			accesses[index].next = *list;
			*list = index;
			passes[accesses[index].pass].waits++;
		}
	}
	for (uint32_t pass = hand.pass.used; pass-- > 0;) {
		passes[pass].rank = passes[pass].estimate + behind(&passes[pass]);
	}
	hand.sum_bytes = hand.peak_bytes;
}

void hand_start(const struct graph_limits *limits)
{
	uint32_t cursor = 0;

	clock_now = 0;
	while (cursor != UINT32_MAX) {
		graph_run_begin(&hand_run, &hand, limits, &cursor, 3);
	}
}

uint32_t hand_next(uint64_t now)
{
	uint32_t pass;

	do {
		pass = graph_run_next(&hand_run, now);
	} while (pass == GRAPH_NONE && hand_run.more);
	return pass;
}

void hand_expect(const uint32_t *expected)
{
	clock_now++;
	for (; *expected != GRAPH_NONE; expected++) {
		assert_int_equal(hand_next(clock_now), *expected);
	}
	assert_int_equal(hand_next(clock_now), GRAPH_NONE);
}

enum gg_graph_pass_state hand_state(uint32_t pass)
{
	return (enum gg_graph_pass_state)passes[pass].state;
}

void hand_ended(uint32_t pass)
{
	graph_run_end(&hand_run, pass, GG_OK, 50);
}

void hand_failed(uint32_t pass)
{
	graph_run_end(&hand_run, pass, GG_ERR_TIME_LIMIT, 60);
}

uint32_t hand_make(uint32_t read, uint32_t other, uint32_t write)
{
	const uint32_t pass = hand_pass(10);

	if (read != GRAPH_NONE) {
		hand_read(read);
	}
	if (other != GRAPH_NONE) {
		hand_read(other);
	}
	if (write != GRAPH_NONE) {
		hand_write(write);
	}
	return pass;
}

void hand_resources(uint32_t count)
{
	hand_begin();
	while (count-- > 0) {
		hand_resource(0);
	}
}
