/* SPDX-License-Identifier: Apache-2.0 */
/* Answers that are kept from session to session: the same CGAs are placed the same way as without.
 * sources: room:cga memory tests/unit/cga_fixture.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/sms/sm_class.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/sms/sm_tree.h"
#include "tests/unit/cga_fixture.h"
#include "tests/unit/fake_memory.h"

#define SMS      70u
#define SESSIONS 3000u
#define CLASSES  6u /* more than are kept */
#define LOG      400000u

static uint32_t words[LOG]; /* what the first run placed */
static uint32_t logged;
static bool compares; /* the second run */
static uint32_t fitted;

static void note(uint32_t word)
{
	assert_true(logged < LOG);
	if (compares) {
		assert_int_equal(words[logged], word);
	}
	words[logged++] = word;
}

/* Tasks of different needs: warps, units. */
static struct task_needs needs_of(uint32_t number)
{
	return (struct task_needs){ .units = 1 + number % 2, .warps = 1 + number * 4 };
}

static const struct cga_shape shapes[] = {
	{ .levels = 1, .domain = { GG_DOMAIN_GPC }, .parts = { 12 } },
	{ .levels = 1, .domain = { GG_DOMAIN_GPC }, .parts = { 11 }, .spread = true },
	{ .levels = 2, .domain = { GG_DOMAIN_GPC, GG_DOMAIN_GPU }, .parts = { 5, 6 } },
	{ .levels = 3,
	  .domain = { GG_DOMAIN_CPC, GG_DOMAIN_GPC, GG_DOMAIN_GPU },
	  .parts = { 4, 2, 3 } },
};

static void enable(void)
{
	const uint32_t sm = fixture_random(SMS);

	sm_state_enable(sm, fixture_random(3) != 0);
}

/* GPCs of unequal sizes with gaps in their numbers; a few TPCs lie in several words. */
static void group(void)
{
	for (uint32_t sm = 0; sm < SMS; sm++) {
		fixture_group(sm, 3 * fixture_random(6) + 1, fixture_random(2), fixture_random(9));
	}
	fixture_grouped();
}

static void change(void)
{
	switch (fixture_random(40)) {
	case 0:
		group();
		break;
	case 1:
		fixture_ranks(SMS, true);
		break;
	case 2:
	case 3:
		enable();
		break;
	default:
		fixture_free(fixture_random(SMS), fixture_random(8) / 3);
		break;
	}
}

/* The last CGA, piece by piece. */
static void note_pieces(void)
{
	uint32_t count;
	const struct cga_piece *pieces = cga_place_pieces(&count);

	for (uint32_t index = 0; index < count; index++) {
		note((uint32_t)pieces[index].sm << 16 | (uint32_t)pieces[index].ctas << 1 |
		     (uint32_t)pieces[index].last);
	}
}

/* What is kept is forgotten: a session for some of the SMs comes between. */
static void forget(void)
{
	uint32_t sms[CP_SM_WORDS] = { 1 };
	const struct task_needs needs = needs_of(0);

	cga_place_begin(&needs, sms);
	(void)cga_place_next(&shapes[0]);
}

/* Of one class and shape often many in a row; some are placed and not launched. */
static void session(uint32_t class, const struct cga_shape *shape)
{
	const struct task_needs needs = needs_of(class);

	cga_place_begin(&needs, NULL);
	for (uint32_t cga = 0; cga < 3; cga++) {
		const bool fits = cga_place_next(shape);

		note(fits);
		if (!fits) {
			return;
		}
		fitted++;
		note_pieces();
		if (class == 0 && cga == 0 && fixture_random(2) == 0) {
			fixture_commit();
		}
	}
}

static void run(bool keeps)
{
	uint32_t class = 0, shape = 0;

	srand(77);
	logged = 0;
	fixture_init(SMS);
	for (uint32_t count = 0; count < SESSIONS; count++) {
		for (uint32_t changes = fixture_random(6); changes > 0; changes--) {
			change();
		}
		class = fixture_random(4) == 0 ? fixture_random(CLASSES) : class;
		shape = fixture_random(4) == 0 ? fixture_random(4) : shape;
		if (!keeps) {
			forget();
		}
		session(class, &shapes[shape]);
	}
}

/* S1-R17, S1-R18, S1-R201: SMs are enabled, disabled, ranked and grouped anew, classes come and go in their places,
 * CGAs are launched or given up: no answer outlives what it was asked about. */
static void no_answer_is_out_of_date(void **state)
{
	(void)state;
	run(false);
	compares = true;
	run(true);
	assert_in_range(fitted, SESSIONS / 2, 5 * SESSIONS); /* both answers are tried */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_answer_is_out_of_date),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
