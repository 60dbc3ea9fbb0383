/* SPDX-License-Identifier: Apache-2.0 */
/* The lake: one CTA at a time, binary search and layers place the same CTAs on the same SMs.
 * sources: room:cga memory tests/unit/cga_fixture.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/cga/lake.h"
#include "firmware/cp/cga/shadow.h"
#include "firmware/cp/sms/sm_state.h"
#include "tests/unit/cga_fixture.h"

#define SMS    70u /* ranks in three words */
#define ROUNDS 120000u

static struct availability levels; /* by rank = number */
static uint32_t members[SMS];      /* SMs of the domain, by rank */
static uint32_t members_count;

/* What a variant says. */
struct outcome {
	bool valid;
	uint32_t speed;
	uint32_t ctas[SMS];
};

static void receive(struct outcome *outcome, uint32_t sm, uint32_t ctas)
{
	const uint32_t left = levels.level[sm] - ctas;

	outcome->ctas[sm] = ctas;
	if (ctas != 0 && left < outcome->speed) {
		outcome->speed = left;
	}
}

/* S1-R90: one at a time, to the SM with most free slots; with `spread`, not twice to one. */
static struct outcome one_at_a_time(uint32_t ctas, bool spread)
{
	struct outcome outcome = { .speed = 99 };
	uint32_t given[SMS] = { 0 };

	while (ctas-- > 0) {
		uint32_t best = SMS;

		for (uint32_t member = 0; member < members_count; member++) {
			const uint32_t sm = members[member];
			const uint32_t slots =
				spread && given[sm] != 0 ? 0 : levels.level[sm] - given[sm];

			if (slots > (best == SMS ? 0 : levels.level[best] - given[best])) {
				best = sm;
			}
		}
		if (best == SMS) {
			return outcome;
		}
		given[best]++;
	}
	outcome.valid = true;
	for (uint32_t sm = 0; sm < SMS; sm++) {
		receive(&outcome, sm, given[sm]);
	}
	return outcome;
}

/* CTAs that bring the water down to a level. */
static uint32_t above(uint32_t level)
{
	uint32_t ctas = 0;

	for (uint32_t member = 0; member < members_count; member++) {
		const uint32_t slots = levels.level[members[member]];

		ctas += slots > level ? slots - level : 0;
	}
	return ctas;
}

/* S1-R92: the lowest level for which there are CTAs enough, by halves; S1-R93: the rest by the exclusive
 * population count of those that stand there, left to right. */
static struct outcome binary_search(uint32_t ctas)
{
	struct outcome outcome = { .speed = 99, .valid = above(0) >= ctas };
	uint32_t low = 0, high = AVAILABILITY_LEVELS, before = 0;

	while (low < high) {
		const uint32_t middle = (low + high) / 2;

		if (above(middle) > ctas) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	for (uint32_t member = 0; member < members_count && outcome.valid; member++) {
		const uint32_t sm = members[member];
		uint32_t given = levels.level[sm] > low ? levels.level[sm] - low : 0;

		if (levels.level[sm] >= low && low > 0) {
			given += before < ctas - above(low) ? 1 : 0;
			before++;
		}
		receive(&outcome, sm, given);
	}
	return outcome;
}

static struct outcome firmware(uint32_t ctas, bool spread)
{
	static struct availability lowered, again;
	const struct sm_domain *domain = sm_tree_domain(GG_DOMAIN_GPC, 1);
	const struct lake_query query = { .ctas = ctas, .spread = spread };
	const struct lake_answer answer = lake_ask(&levels, domain, query);
	struct outcome outcome = { .valid = answer.valid, .speed = 99 };
	uint32_t count;

	if (answer.valid) {
		lowered = levels;
		shadow_begin(&lowered);
		shadow_place(domain, query, answer);
		const struct cga_piece *pieces = shadow_log(&count);

		again = levels;
		for (uint32_t index = 0; index < count; index++) {
			receive(&outcome, pieces[index].sm, pieces[index].ctas);
			assert_true(index == 0 || pieces[index].sm > pieces[index - 1].sm);
			availability_set(&again, pieces[index].sm,
					 levels.level[pieces[index].sm] - pieces[index].ctas);
		}
		assert_memory_equal(&again, &lowered, sizeof(again));
		assert_int_equal(answer.speed, outcome.speed);
		while (count-- > 0) {
			shadow_take_back();
		}
		assert_memory_equal(&levels, &lowered, sizeof(again)); /* S1-C6 */
	}
	return outcome;
}

static void assert_same(const struct outcome *left, const struct outcome *right)
{
	assert_int_equal(left->valid, right->valid);
	if (left->valid) {
		assert_int_equal(left->speed, right->speed);
		assert_memory_equal(left->ctas, right->ctas, sizeof(left->ctas));
	}
}

/* SMs that are members are GPC 1, the others GPC 0; ranks are numbers. */
static void choose_members(uint32_t share)
{
	members_count = 0;
	for (uint32_t sm = 0; sm < SMS; sm++) {
		const bool member = sm == 1 || (sm != 0 && fixture_random(share) == 0);

		fixture_group(sm, member ? 1 : 0, 0, sm);
		if (member) {
			members[members_count++] = sm;
		}
	}
	fixture_grouped();
}

static void set_levels(uint32_t most)
{
	for (uint32_t sm = 0; sm < SMS; sm++) {
		availability_set(&levels, sm, fixture_random(most + 1));
	}
}

/* S1-C18, S1-R82, S1-R83, S1-R84, S1-R85, S1-R87, S1-R89, S1-R90, S1-R91, S1-R92, S1-R93, S1-R198,
 * S1-T1, S1-Q1…Q3, S1-C9: layers (the firmware), one at a time and binary search agree on counts, SMs and speed,
 * in 120,000 random cases. */
static void three_variants_agree(void **state)
{
	(void)state;
	fixture_init(SMS);
	srand(11);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		if (round % 100 == 0) {
			choose_members(1 + fixture_random(12));
			set_levels(1 + fixture_random(AVAILABILITY_LEVELS - 1));
		}
		availability_set(&levels, fixture_random(SMS), fixture_random(9));

		const uint32_t all = above(0);
		const uint32_t ctas = 1 + fixture_random((all < 40 ? all : 40) + 2);
		const struct outcome layers = firmware(ctas, false);
		const struct outcome one = one_at_a_time(ctas, false);
		const struct outcome search = binary_search(ctas);

		assert_same(&layers, &one);
		assert_same(&layers, &search);
	}
}

/* S1-R79, S1-Q4, S1-C11: MULTI_CAST is one at a time, never twice on an SM, where each TPC is one SM. */
static void spreading_is_one_at_a_time(void **state)
{
	(void)state;
	fixture_init(SMS);
	srand(12);
	for (uint32_t round = 0; round < 30000; round++) {
		if (round % 100 == 0) {
			choose_members(1 + fixture_random(12));
			set_levels(1 + fixture_random(6));
		}
		availability_set(&levels, fixture_random(SMS), fixture_random(4));

		const uint32_t ctas = 1 + fixture_random(members_count + 1);
		const struct outcome layers = firmware(ctas, true);
		const struct outcome one = one_at_a_time(ctas, true);

		assert_same(&layers, &one);
	}
}

/* S1-Q33: the closed form is the number of CGAs that can be placed one after the other. */
static void capacity_is_what_fits(void **state)
{
	(void)state;
	fixture_init(SMS);
	srand(13);
	for (uint32_t round = 0; round < 4000; round++) {
		const bool spread = round % 2 != 0;
		const struct lake_query query = { 1 + fixture_random(7), spread };
		const struct sm_domain *domain;
		static struct availability rest;
		uint32_t placed = 0;

		choose_members(2 + fixture_random(12));
		set_levels(1 + fixture_random(spread ? 31 : 6));
		domain = sm_tree_domain(GG_DOMAIN_GPC, 1);
		rest = levels;
		shadow_begin(&rest);
		for (struct lake_answer answer = lake_ask(&rest, domain, query); answer.valid;
		     answer = lake_ask(&rest, domain, query)) {
			shadow_place(domain, query, answer);
			shadow_keep();
			placed++;
		}
		assert_int_equal(lake_capacity(&levels, domain, query), placed);
	}
}

static void assert_vector(const uint32_t *slots, uint32_t sms, struct lake_query query,
			  const uint32_t *want, uint32_t speed)
{
	struct outcome outcome;

	memset(&levels, 0, sizeof(levels));
	for (uint32_t sm = 0; sm < SMS; sm++) {
		fixture_group(sm, sm < sms ? 1 : 0, 0, sm);
		availability_set(&levels, sm, sm < sms ? slots[sm] : 31);
	}
	fixture_grouped();
	outcome = firmware(query.ctas, query.spread);
	assert_int_equal(outcome.valid, want != NULL);
	if (want != NULL) {
		assert_memory_equal(outcome.ctas, want, sms * sizeof(*want));
		assert_int_equal(outcome.speed, speed);
	}
}

/* S1-R63, S1-R103, S1-T2, S1-T3, S1-T4, S1-T5, S1-T10, S1-R64, S1-R87: worked examples. */
static void worked_examples(void **state)
{
	(void)state;
	fixture_init(SMS);
	assert_vector((uint32_t[]){ 8, 5, 8, 0, 0, 7, 0, 8, 0, 6 }, 10,
		      (struct lake_query){ 23, false },
		      (uint32_t[]){ 5, 2, 5, 0, 0, 4, 0, 5, 0, 2 }, 3);
	assert_vector((uint32_t[]){ 3, 3, 3, 1 }, 4, (struct lake_query){ 5, false },
		      (uint32_t[]){ 2, 2, 1, 0 }, 1);
	assert_vector((uint32_t[]){ 2, 1 }, 2, (struct lake_query){ 4, false }, NULL, 0);
	assert_vector((uint32_t[]){ 5, 0, 1 }, 3, (struct lake_query){ 3, true }, NULL, 0);
	assert_vector((uint32_t[]){ 5, 0, 1 }, 3, (struct lake_query){ 3, false },
		      (uint32_t[]){ 3, 0, 0 }, 2);
	assert_vector((uint32_t[]){ 5, 0, 1 }, 3, (struct lake_query){ 2, false },
		      (uint32_t[]){ 2, 0, 0 }, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_variants_agree),
		cmocka_unit_test(spreading_is_one_at_a_time),
		cmocka_unit_test(capacity_is_what_fits),
		cmocka_unit_test(worked_examples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
