/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/cga_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/cga/cga.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/sms/sm_tree.h"
#include "tests/unit/fake_memory.h"

const struct task_needs fixture_needs = { .units = 1, .warps = 1 };

static struct task task;        /* whose CTAs take slots away */
static uint32_t starts[CP_SMS]; /* their units */
static uint32_t groups[CP_SMS];

void fixture_init(uint32_t sms)
{
	fake_memory_init(sms);
	cga_init();
	fake_sms_init();
	task = (struct task){ .rules.needs = fixture_needs, .rules.unit_mask = 1 };
	memset(starts, 0, sizeof(starts));
	for (uint32_t sm = 0; sm < sms; sm++) {
		groups[sm] = device.config->group[sm];
	}
}

void fixture_free(uint32_t sm, uint32_t slots)
{
	const uint32_t want = FIXTURE_SLOTS - slots;
	const uint32_t have = bits_count(starts[sm]);

	if (have < want) {
		starts[sm] |= sm_state_reserve(sm, &task, want - have);
	}
	while (bits_count(starts[sm]) > want) {
		sm_state_release(sm, &task, bits_isolate(starts[sm]), 1);
		starts[sm] &= starts[sm] - 1;
	}
}

void fixture_free_all(const uint32_t *slots, uint32_t sms)
{
	for (uint32_t sm = 0; sm < sms; sm++) {
		fixture_free(sm, slots[sm]);
	}
}

void fixture_group(uint32_t sm, uint32_t gpc, uint32_t cpc, uint32_t tpc)
{
	groups[sm] = gpc | cpc << 8 | tpc << 16;
	sm_state_group(sm, groups[sm]);
}

void fixture_grouped(void)
{
	sm_tree_build();
}

void fixture_gpcs(const uint32_t *sms, uint32_t gpcs)
{
	uint32_t sm = 0;

	for (uint32_t gpc = 0; gpc < gpcs; gpc++) {
		for (uint32_t tpc = 0; tpc < sms[gpc]; tpc++) {
			fixture_group(sm++, gpc, 0, tpc);
		}
	}
	fixture_grouped();
}

void fixture_ranks(uint32_t sms, bool random)
{
	uint16_t order[CP_SMS];

	for (uint32_t rank = 0; rank < sms; rank++) {
		const uint32_t other = random ? fixture_random(rank + 1) : rank;

		order[rank] = order[other];
		order[other] = (uint16_t)rank;
	}
	sm_state_rank(order);
	sm_tree_build();
}

uint32_t fixture_slots(uint32_t sm)
{
	return sm_state_slots(sm, &fixture_needs);
}

/* S1-R54, S1-R79, S1-R85: in a piece is one SM with free slots; an innermost CGA ends at `last` and has
 * no SM twice. */
void fixture_tally(const struct cga_shape *shape, uint32_t *ctas, uint32_t sms)
{
	uint32_t count, inner = 0, all = 0;
	uint32_t seen[CP_SM_WORDS] = { 0 };
	const struct cga_piece *pieces = cga_place_pieces(&count);

	memset(ctas, 0, sms * sizeof(*ctas));
	for (uint32_t index = 0; index < count; index++) {
		const struct cga_piece *piece = &pieces[index];

		assert_true(piece->sm < sms && piece->ctas > 0);
		assert_true(!shape->spread || piece->ctas == 1);
		assert_false(bits_has(seen, piece->sm));
		bits_set(seen, piece->sm);
		ctas[piece->sm] += piece->ctas;
		inner += piece->ctas;
		all += piece->ctas;
		assert_int_equal(piece->last, inner == shape->parts[0]);
		if (piece->last) {
			inner = 0;
			memset(seen, 0, sizeof(seen));
		}
	}
	assert_int_equal(all, cga_shape_ctas(shape));
}

void fixture_commit(void)
{
	uint32_t count;
	const struct cga_piece *pieces = cga_place_pieces(&count);

	for (uint32_t index = 0; index < count; index++) {
		const struct cga_piece *piece = &pieces[index];

		starts[piece->sm] |= sm_state_reserve(piece->sm, &task, piece->ctas);
	}
}

struct cga_shape fixture_shape(enum gg_domain domain, uint32_t ctas, bool spread)
{
	return (struct cga_shape){ .levels = 1,
				   .domain = { (uint8_t)domain },
				   .spread = spread,
				   .parts = { (uint16_t)ctas } };
}

uint32_t fixture_random(uint32_t limit)
{
	return (uint32_t)rand() % limit;
}
