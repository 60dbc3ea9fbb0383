/* SPDX-License-Identifier: Apache-2.0 */
/* Availability levels against the plainest possible model: a table and a search.
 * sources: firmware/cp/sms/availability.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/cp/sms/availability.h"

static struct availability levels;
static uint32_t model[CP_SMS];

static void set(uint32_t rank, uint32_t slots)
{
	model[rank] = slots;
	availability_set(&levels, rank, slots);
}

static void clear(void)
{
	memset(&levels, 0, sizeof(levels));
	memset(model, 0, sizeof(model));
}

static int model_best(void)
{
	int best = -1;

	for (int rank = 0; rank < (int)CP_SMS; rank++) {
		if (model[rank] > (best < 0 ? 0 : model[best])) {
			best = rank;
		}
	}
	return best;
}

/* CTAs that each rank gets, as balance_many() gives them. */
static uint64_t pour(uint64_t ctas, uint32_t *given)
{
	const struct availability_fill fill = availability_pour(&levels, ctas);
	uint32_t extra = fill.extra;

	memset(given, 0, CP_SMS * sizeof(*given));
	for (uint32_t rank = 0; rank < CP_SMS; rank++) {
		if ((availability_at_least(&levels, fill.final, rank / 32) >> rank % 32 & 1u) !=
		    0) {
			given[rank] = levels.level[rank] - fill.final + (extra > 0 ? 1 : 0);
			extra -= extra > 0 ? 1 : 0;
		}
	}
	return fill.ctas;
}

/* S0-R31, S0-C1: most free slots first, then the SM priority list. */
static void best_is_the_models(void **state)
{
	(void)state;
	clear();
	srand(1);
	for (int step = 0; step < 200000; step++) {
		uint32_t found = 0;

		set((uint32_t)rand() % CP_SMS,
		    (uint32_t)rand() % 4 ? (uint32_t)rand() % AVAILABILITY_LEVELS : 0);

		const int want = model_best();

		assert_int_equal(availability_best(&levels, &found), want >= 0);
		if (want >= 0) {
			assert_int_equal(found, want);
		}
	}
}

/* S0-R34, S1-R83, S1-R84, S1-R93, S1-T1: pouring many equals placing one CTA at a time. */
static void pouring_is_one_at_a_time(void **state)
{
	static uint32_t given[CP_SMS], expected[CP_SMS];

	(void)state;
	srand(2);
	for (int round = 0; round < 3000; round++) {
		const uint32_t sms = (uint32_t)rand() % 40 + 1;
		const uint64_t ctas = (uint64_t)rand() % 200 + 1;
		uint64_t placed = 0;

		clear();
		for (uint32_t rank = 0; rank < sms; rank++) {
			set(rank, (uint32_t)rand() % 9);
		}
		const uint64_t poured = pour(ctas, given);

		memset(expected, 0, sizeof(expected));
		for (int best = model_best(); best >= 0 && placed < ctas; best = model_best()) {
			model[best]--;
			expected[best]++;
			placed++;
		}
		assert_int_equal(poured, placed);
		assert_memory_equal(given, expected, sizeof(given));
	}
}

static void assert_pour(const uint32_t *given, uint32_t sms, uint64_t ctas, const uint32_t *want)
{
	static uint32_t got[CP_SMS];

	clear();
	for (uint32_t rank = 0; rank < sms; rank++) {
		set(rank, given[rank]);
	}
	pour(ctas, got);
	assert_memory_equal(got, want, sms * sizeof(*want));
}

/* S1-T2, S1-T3, S1-T4, S1-R86: worked examples of the lake. */
static void worked_examples(void **state)
{
	(void)state;
	assert_pour((uint32_t[]){ 8, 5, 8, 0, 0, 7, 0, 8, 0, 6 }, 10, 23,
		    (uint32_t[]){ 5, 2, 5, 0, 0, 4, 0, 5, 0, 2 });
	assert_pour((uint32_t[]){ 3, 3, 3, 1 }, 4, 5, (uint32_t[]){ 2, 2, 1, 0 });
	assert_pour((uint32_t[]){ 2, 1 }, 2, 4, (uint32_t[]){ 2, 1 });
	assert_pour((uint32_t[]){ 0, 0 }, 2, 4, (uint32_t[]){ 0, 0 });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(best_is_the_models),
		cmocka_unit_test(pouring_is_one_at_a_time),
		cmocka_unit_test(worked_examples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
