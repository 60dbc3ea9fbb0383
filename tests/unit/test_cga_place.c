/* SPDX-License-Identifier: Apache-2.0 */
/* Placement of CGAs: worked examples of sessions, domains, modes and counts.
 * sources: room:cga memory tests/unit/cga_fixture.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/cp/cga/cga_count.h"
#include "firmware/cp/sms/sm_class.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/sms/sm_tree.h"
#include "tests/unit/cga_fixture.h"
#include "tests/unit/fake_memory.h"

#define SLOTS(...)              (const uint32_t[]){ __VA_ARGS__ }, sizeof((uint32_t[]){ __VA_ARGS__ }) / 4
#define assert_next(shape, ...) assert_placed(shape, SLOTS(__VA_ARGS__))

static void begin(void)
{
	cga_place_begin(&fixture_needs, NULL);
}

/* The next CGA fits, and gives SM 0, 1, … so many CTAs. */
static void assert_placed(struct cga_shape shape, const uint32_t *want, uint32_t sms)
{
	uint32_t ctas[CP_SMS];

	assert_true(cga_place_next(&shape));
	fixture_tally(&shape, ctas, sms);
	assert_memory_equal(ctas, want, sms * sizeof(*want));
}

static void assert_fails(struct cga_shape shape)
{
	uint32_t count;

	assert_false(cga_place_next(&shape));
	cga_place_pieces(&count);
	assert_int_equal(count, 0);
}

/* S1-R65, S1-T7, S1-R12, S1-R123, S1-R126, S1-R200, S1-C6: three GPC_CGAs of four CTAs in GPCs of 8 and 3 free
 * slots fail, and neither the shadow nor the live model has changed by a bit; with 8 and 4 they fit. */
static void all_or_nothing(void **state)
{
	static struct availability before;
	static struct gg_sm_state live[4];
	const struct cga_shape shape = { .levels = 2,
					 .domain = { GG_DOMAIN_GPC, GG_DOMAIN_GPU },
					 .parts = { 4, 3 } };
	const struct availability *levels;

	(void)state;
	fixture_init(4);
	fixture_gpcs((uint32_t[]){ 2, 2 }, 2);
	fixture_free_all(SLOTS(4, 4, 2, 1));
	levels = sm_class_levels(&fixture_needs, NULL);
	begin();
	before = *levels;
	memcpy(live, device.sms, sizeof(live));
	assert_fails(shape);
	assert_memory_equal(levels, &before, sizeof(before));
	assert_memory_equal(live, device.sms, sizeof(live));
	assert_int_equal(fixture_slots(0) * 1000 + fixture_slots(3), 4001);
	fixture_free(3, 2);
	begin();
	assert_next(shape, 4, 4, 2, 2);
	assert_fails(shape);
}

/* S1-T11, S1-C7, S1-R128, S1-R201, S1-R202, S1-R203: a CTA that ends during a session raises the live model alone;
 * what is launched is subtracted. */
static void completion_during_a_session(void **state)
{
	const struct cga_shape two = fixture_shape(GG_DOMAIN_GPC, 2, false);
	const struct availability *levels;

	(void)state;
	fixture_init(2);
	fixture_free_all(SLOTS(3, 0));
	begin();
	assert_next(two, 2, 0);
	fixture_free(0, 4);
	fixture_free(1, 1);
	levels = sm_class_begin(&fixture_needs, (uint32_t[CP_SM_WORDS]){ 0 }).levels;
	assert_int_equal(levels->filled, 0); /* no SM */
	fixture_commit();
	assert_int_equal(fixture_slots(0), 3 + 1 - 2);
	assert_int_equal(fixture_slots(1), 1);
	begin();
	assert_next(two, 2, 0); /* that of SM 1 stands lower than both of SM 0 */
	fixture_free(1, 4);
	assert_fails(two); /* the session has not seen SM 1's */
	begin();
	assert_next(two, 0, 2);
}

/* S1-R50, S1-R102, S1-R107, S1-C13, S1-Q6: a GPC without room; one that would be full; two that keep slots, of
 * which the first gets the CGA and the other the next one. */
static void fastest_domain(void **state)
{
	const struct cga_shape shape = fixture_shape(GG_DOMAIN_GPC, 4, false);

	(void)state;
	fixture_init(8);
	fixture_gpcs((uint32_t[]){ 2, 2, 2, 2 }, 4);
	fixture_free_all(SLOTS(1, 2, 2, 2, 4, 4, 4, 4));
	begin();
	assert_next(shape, 0, 0, 0, 0, 2, 2, 0, 0);
	assert_next(shape, 0, 0, 0, 0, 0, 0, 2, 2);
	assert_next(shape, 0, 0, 2, 2, 0, 0, 0, 0);
	assert_next(shape, 0, 0, 0, 0, 2, 2, 0, 0);
	assert_next(shape, 0, 0, 0, 0, 0, 0, 2, 2);
	assert_fails(shape);
}

/* S1-R13, S1-R36, S1-R105, S1-C8: CPC_CGAs of two CTAs, two to a GPC_CGA, two of those to a GPU_CGA; GPCs of unequal
 * sizes (S1-R4). GPC 0 has CPCs of 3 and 1 slots: one CPC_CGA only. */
static void three_levels(void **state)
{
	const struct cga_shape shape = { .levels = 3,
					 .domain = { GG_DOMAIN_CPC, GG_DOMAIN_GPC, GG_DOMAIN_GPU },
					 .parts = { 2, 2, 2 } };

	(void)state;
	fixture_init(7);
	fixture_group(0, 0, 0, 0);
	fixture_group(1, 0, 1, 0);
	fixture_group(2, 1, 0, 0);
	fixture_group(3, 1, 1, 0);
	fixture_group(4, 1, 1, 1);
	fixture_group(5, 2, 0, 0);
	fixture_group(6, 2, 0, 1);
	fixture_grouped();
	fixture_free_all(SLOTS(3, 1, 3, 2, 2, 3, 2));
	begin();
	assert_next(shape, 0, 0, 2, 1, 1, 3, 1);
	assert_fails(shape);
	assert_int_equal(cga_count(&shape, &fixture_needs, NULL, false, 9), 1);
	assert_int_equal(cga_count(&shape, &fixture_needs, NULL, true, 99), 7);
	assert_int_equal(cga_count(&shape, &fixture_needs, NULL, true, 5), 5);
}

/* S1-R80, S1-Q4: of SMs with equally many free slots, those first whose TPC is free as a whole. */
static void whole_tpcs_first(void **state)
{
	const struct cga_shape shape = fixture_shape(GG_DOMAIN_GPU, 2, true);

	(void)state;
	fixture_init(8);
	for (uint32_t sm = 0; sm < 8; sm++) {
		fixture_group(sm, 0, 0, sm / 2);
	}
	fixture_grouped();
	fixture_free_all(SLOTS(2, 0, 2, 2, 0, 2, 0, 0));
	begin();
	assert_next(shape, 0, 0, 1, 1, 0, 0, 0, 0);
	assert_next(shape, 1, 0, 0, 0, 0, 1, 0, 0);
	fixture_free_all(
		SLOTS(1, 1, 3, 0, 0, 0, 0, 0)); /* most free slots come before a whole TPC */
	begin();
	assert_next(shape, 1, 0, 1, 0, 0, 0, 0, 0);
	assert_next(shape, 0, 1, 1, 0, 0, 0, 0, 0);
	assert_fails(shape);
}

static uint32_t cgas_placed(struct cga_shape shape)
{
	uint32_t cgas = 0;

	for (begin(); cga_place_next(&shape); cgas++) {
	}
	return cgas;
}

/* The same of many SMs, of which each two are a TPC, also SMs 31 and 32, and 63 and 64: of those with a free slot the first ones
 * whose TPC has two, then the first others. */
static void whole_tpcs_of_many(void **state)
{
	enum {
		MANY = 70
	};
	uint32_t ctas[MANY], slots[MANY];

	(void)state;
	fixture_init(MANY);
	srand(52);
	for (uint32_t sm = 0; sm < MANY; sm++) {
		fixture_group(sm, 0, 0, (sm + 1) / 2);
	}
	fixture_grouped();
	for (uint32_t round = 0; round < 1000; round++) {
		uint32_t free = 0;

		for (uint32_t sm = 0; sm < MANY; sm++) {
			slots[sm] = fixture_random(3) != 0;
			free += slots[sm];
		}
		fixture_free_all(slots, MANY);
		uint32_t left = 1 + fixture_random(free);
		const struct cga_shape shape = fixture_shape(GG_DOMAIN_GPC, left, true);

		begin();
		assert_true(cga_place_next(&shape));
		fixture_tally(&shape, ctas, MANY);
		for (uint32_t whole = 2; whole-- > 0;) {
			for (uint32_t sm = 0; sm < MANY; sm++) {
				const uint32_t other = sm % 2 != 0 ? sm + 1 : sm - 1;
				const bool both = other >= MANY || slots[other] != 0;

				if (slots[sm] != 0 && both == (whole != 0)) {
					assert_int_equal(ctas[sm], left != 0);
					left -= left != 0;
				}
			}
		}
		assert_int_equal(left, 0);
	}
}

/* S1-Q4, S1-Q5, S1-R79: the preference for whole TPCs costs no CGA: as many are placed as without, and as the
 * closed form says; more free slots never make fewer. */
static void preference_costs_nothing(void **state)
{
	(void)state;
	fixture_init(8);
	srand(51);
	for (uint32_t round = 0; round < 3000; round++) {
		const struct cga_shape shape =
			fixture_shape(GG_DOMAIN_GPU, 1 + fixture_random(5), true);
		uint32_t cgas[2], more, most = 0, sum = 0;

		for (uint32_t sm = 0; sm < 8; sm++) {
			fixture_free(sm, fixture_random(6));
		}
		for (uint32_t pairs = 0; pairs < 2; pairs++) {
			for (uint32_t sm = 0; sm < 8; sm++) {
				fixture_group(sm, 0, 0, pairs != 0 ? sm / 2 : sm);
			}
			fixture_grouped();
			cgas[pairs] = cgas_placed(shape);
		}
		for (uint32_t n = 1; n <= 64; n++, sum = 0) {
			for (uint32_t sm = 0; sm < 8; sm++) {
				sum += fixture_slots(sm) < n ? fixture_slots(sm) : n;
			}
			most = sum >= n * shape.parts[0] ? n : most;
		}
		assert_int_equal(cgas[0], most);
		assert_int_equal(cgas[1], most);
		more = fixture_random(8);
		fixture_free(more, fixture_slots(more) + 1);
		assert_true(cgas_placed(shape) >= most);
	}
	fixture_free_all(SLOTS(5, 0, 2, 5, 4, 5, 1, 5));
	assert_int_equal(cgas_placed(fixture_shape(GG_DOMAIN_GPU, 2, true)), 13);
}

/* S1-R25, S1-R79, S1-R95, S1-C11: SMs that are off or not allowed get nothing; ranks, not numbers, break ties;
 * MULTI_CAST does not share an SM, LOAD_BALANCING does. */
static void which_sms(void **state)
{
	const struct cga_shape two = fixture_shape(GG_DOMAIN_GPC, 2, false);
	uint16_t order[CP_SMS] = { 5, 4, 3, 2, 1, 0 };

	(void)state;
	fixture_init(6);
	fixture_gpcs((uint32_t[]){ 6 }, 1);
	sm_state_rank(order);
	sm_tree_build();
	begin();
	assert_next(two, 0, 0, 0, 0, 1, 1);
	sm_state_enable(5, false);
	begin();
	assert_next(two, 0, 0, 0, 1, 1, 0);
	cga_place_begin(&fixture_needs, (uint32_t[CP_SM_WORDS]){ 1u << 0 | 1u << 5 });
	assert_next(two, 2, 0, 0, 0, 0, 0);
	assert_fails(fixture_shape(GG_DOMAIN_GPC, 2, true));
	assert_next(fixture_shape(GG_DOMAIN_GPC, 6, false), 6, 0, 0, 0, 0, 0);
	assert_fails(fixture_shape(GG_DOMAIN_GPC, 1, false));
}

/* S1-R44, S1-Q10: how many fit now, and if all enabled SMs were idle; MULTI_CAST needs as many SMs as CTAs. */
static void counts(void **state)
{
	const struct cga_shape four = fixture_shape(GG_DOMAIN_GPC, 4, false);
	const struct cga_shape apart = fixture_shape(GG_DOMAIN_GPC, 4, true);
	const uint32_t some[CP_SM_WORDS] = { 0x1f };

	(void)state;
	fixture_init(6);
	fixture_gpcs((uint32_t[]){ 2, 4 }, 2);
	fixture_free_all(SLOTS(3, 4, 2, 2, 2, 1));
	assert_int_equal(cga_count(&four, &fixture_needs, NULL, false, 99), 1 + 1);
	assert_int_equal(cga_count(&four, &fixture_needs, NULL, true, 99), 4 + 8);
	assert_int_equal(cga_count(&apart, &fixture_needs, NULL, false, 99), 1);
	assert_int_equal(cga_count(&apart, &fixture_needs, NULL, true, 99), 8);
	assert_int_equal(cga_count(&apart, &fixture_needs, some, true, 99), 0);
	assert_int_equal(cga_count(&four, &fixture_needs, some, true, 99), 4 + 6);
	sm_state_enable(1, false);
	assert_int_equal(cga_count(&four, &fixture_needs, NULL, true, 99), 2 + 8);
	assert_int_equal(cga_count(&four, &fixture_needs, NULL, false, 99), 0 + 1);
}

/* S1-R62, S1-R104: after the first CGA only the domain that took the last one is asked again, also in the
 * next session; speeds never rise. */
static void answers_are_kept(void **state)
{
	const struct cga_shape shape = fixture_shape(GG_DOMAIN_GPC, 4, false);
	uint32_t asked;

	(void)state;
	fixture_init(128);
	begin();
	for (uint32_t cga = 0; cga < 128 * FIXTURE_SLOTS / 4; cga++) {
		const uint32_t before = fixture_slots(0);

		asked = device.perf->cga_queries;
		assert_true(cga_place_next(&shape));
		assert_int_equal(device.perf->cga_queries - asked, cga == 0 ? 8 : 1);
		fixture_commit();
		assert_in_range(fixture_slots(0), FIXTURE_SLOTS - 1 - cga / 32, before);
		if (cga % 5 == 0) {
			begin();
		}
	}
	assert_fails(shape);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_or_nothing),
		cmocka_unit_test(completion_during_a_session),
		cmocka_unit_test(fastest_domain),
		cmocka_unit_test(three_levels),
		cmocka_unit_test(whole_tpcs_first),
		cmocka_unit_test(whole_tpcs_of_many),
		cmocka_unit_test(preference_costs_nothing),
		cmocka_unit_test(which_sms),
		cmocka_unit_test(counts),
		cmocka_unit_test(answers_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
