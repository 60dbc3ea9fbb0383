/* SPDX-License-Identifier: Apache-2.0 */
/* Placement of CGAs, piece by piece, against the plainest model: copies of arrays, one CTA at a time, every
 * domain tried anew for every part; over histories of sessions in which CTAs come and end.
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

#define SMS    44u
#define PIECES 40u
#define BRANCH 3u /* domains of a kind in the next larger one, at most */

/* What the model has placed. */
struct plan {
	uint32_t slots[SMS];
	struct cga_piece pieces[PIECES];
	uint32_t count;
	uint32_t speed;
};

typedef bool place_fn(struct plan *, const struct cga_shape *, uint32_t domain);

static uint32_t tpc_of[SMS]; /* GPC, CPC and TPC as digits of base BRANCH */
static uint32_t sessions, placed_count;

static uint32_t power(uint32_t exponent)
{
	uint32_t value = 1;

	while (exponent-- > 0) {
		value *= BRANCH;
	}
	return value;
}

static uint32_t domain_of(enum gg_domain kind, uint32_t sm)
{
	return tpc_of[sm] / power(GG_DOMAIN_TPC - kind);
}

static bool whole_tpc(const struct plan *plan, uint32_t tpc)
{
	for (uint32_t sm = 0; sm < SMS; sm++) {
		if (tpc_of[sm] == tpc && plan->slots[sm] == 0) {
			return false;
		}
	}
	return true;
}

static bool better(const struct plan *plan, const bool *whole, uint32_t left, uint32_t right,
		   bool spread)
{
	if (plan->slots[left] != plan->slots[right]) {
		return plan->slots[left] > plan->slots[right];
	}
	if (spread && whole[left] != whole[right]) {
		return whole[left];
	}
	return sm_state_rank_of(left) < sm_state_rank_of(right);
}

static void write_pieces(struct plan *plan, const uint32_t *given)
{
	for (uint32_t rank = 0; rank < SMS; rank++) {
		const uint32_t sm = sm_state_sm(rank);

		if (given[sm] != 0) {
			assert_in_range(plan->count, 0, PIECES - 1);
			plan->pieces[plan->count++] =
				(struct cga_piece){ (uint16_t)sm, (uint8_t)given[sm], false };
			plan->speed = plan->slots[sm] < plan->speed ? plan->slots[sm] : plan->speed;
		}
	}
	plan->pieces[plan->count - 1].last = true;
}

static bool place_inner(struct plan *plan, const struct cga_shape *shape, uint32_t domain)
{
	uint32_t given[SMS] = { 0 };
	bool whole[SMS];

	for (uint32_t sm = 0; sm < SMS; sm++) {
		whole[sm] = whole_tpc(plan, tpc_of[sm]);
	}
	for (uint32_t cta = 0; cta < shape->parts[0]; cta++) {
		uint32_t best = SMS;

		for (uint32_t sm = 0; sm < SMS; sm++) {
			if (domain_of(shape->domain[0], sm) == domain && plan->slots[sm] != 0 &&
			    !(shape->spread && given[sm] != 0) &&
			    (best == SMS || better(plan, whole, sm, best, shape->spread))) {
				best = sm;
			}
		}
		if (best == SMS) {
			return false;
		}
		given[best]++;
		plan->slots[best]--;
	}
	write_pieces(plan, given);
	return true;
}

/* Parts one by one, each where its speed is highest; the speed of all is that of the slowest. */
static bool place_parts(struct plan *plan, const struct cga_shape *shape, uint32_t level,
			enum gg_domain outer, uint32_t domain, uint32_t parts, place_fn *place)
{
	const uint32_t inside = power(shape->domain[level] - outer);

	for (; parts > 0; parts--) {
		struct plan best;
		bool found = false;

		for (uint32_t inner = domain * inside; inner < (domain + 1) * inside; inner++) {
			struct plan trial = *plan;

			trial.speed = 99;
			if (place(&trial, shape, inner) && (!found || trial.speed > best.speed)) {
				best = trial;
				found = true;
			}
		}
		if (!found) {
			return false;
		}
		assert_true(best.speed <= plan->speed); /* S1-T12: the last is the slowest */
		*plan = best;
	}
	return true;
}

static bool place_middle(struct plan *plan, const struct cga_shape *shape, uint32_t domain)
{
	return place_parts(plan, shape, 0, shape->domain[1], domain, shape->parts[1], place_inner);
}

static bool place_outer(struct plan *plan, const struct cga_shape *shape, uint32_t domain)
{
	return place_parts(plan, shape, 1, shape->domain[2], domain, shape->parts[2], place_middle);
}

static bool place_top(struct plan *plan, const struct cga_shape *shape)
{
	static place_fn *const place[] = { place_inner, place_middle, place_outer };
	const struct plan before = *plan;

	plan->count = 0;
	plan->speed = 99;
	if (!place_parts(plan, shape, shape->levels - 1u, GG_DOMAIN_GPU, 0, 1,
			 place[shape->levels - 1])) {
		*plan = before;
		return false;
	}
	return true;
}

/* Domains from the smallest to a larger one to a still larger one, of which some are left out. */
static struct cga_shape random_shape(void)
{
	struct cga_shape shape = { .spread = fixture_random(3) == 0 };

	for (uint32_t kind = SM_TREE_KINDS; kind-- > 0;) {
		if (shape.levels < CP_CGA_LEVELS && fixture_random(2) == 0) {
			shape.domain[shape.levels] = (uint8_t)kind;
			shape.parts[shape.levels] =
				(uint16_t)(1 + fixture_random(shape.levels == 0 ? 5 : 2));
			shape.levels++;
		}
	}
	return shape.levels != 0 ? shape : fixture_shape(GG_DOMAIN_GPC, 3, false);
}

static void random_device(void)
{
	for (uint32_t sm = 0; sm < SMS; sm++) {
		const uint32_t limit = 1 + fixture_random(BRANCH);
		const uint32_t gpc = fixture_random(limit), cpc = fixture_random(BRANCH);
		const uint32_t tpc = fixture_random(limit);

		tpc_of[sm] = (gpc * BRANCH + cpc) * BRANCH + tpc;
		fixture_group(sm, gpc, cpc, tpc);
		sm_state_enable(sm, fixture_random(10) != 0);
	}
	fixture_grouped();
	if (fixture_random(2) == 0) {
		fixture_ranks(SMS, fixture_random(3) != 0);
	}
}

static void assert_pieces(const struct plan *plan)
{
	uint32_t count;
	const struct cga_piece *pieces = cga_place_pieces(&count);

	assert_int_equal(count, plan->count);
	for (uint32_t index = 0; index < count; index++) {
		assert_int_equal(pieces[index].sm, plan->pieces[index].sm);
		assert_int_equal(pieces[index].ctas, plan->pieces[index].ctas);
		assert_int_equal(pieces[index].last, plan->pieces[index].last);
	}
}

/* CTAs of others end while the session runs: it does not see them (S1-R201, S1-R202). */
static void some_end(void)
{
	const uint32_t sm = fixture_random(SMS);

	if (fixture_slots(sm) != 0) {
		fixture_free(sm, FIXTURE_SLOTS);
	}
}

static void session(struct cga_shape shape, const uint32_t *sms)
{
	struct plan plan = { .count = 0 };
	bool commit = true;

	cga_place_begin(&fixture_needs, sms);
	for (uint32_t sm = 0; sm < SMS; sm++) {
		plan.slots[sm] = sms == NULL || bits_has(sms, sm) ? fixture_slots(sm) : 0;
	}
	for (uint32_t cga = 0; cga < 4; cga++) {
		const bool placed = place_top(&plan, &shape);

		assert_int_equal(cga_place_next(&shape), placed);
		if (placed) {
			assert_pieces(&plan);
			placed_count++;
		}
		commit = commit && fixture_random(8) != 0; /* once not launched, it stays taken */
		if (placed && commit) {
			fixture_commit();
		}
		if (fixture_random(4) == 0) {
			some_end();
		}
		shape = fixture_random(8) == 0 ? random_shape() : shape;
	}
	sessions++;
}

/* S1-R9, S1-R51, S1-R53, S1-R66, S1-R16, S1-R17, S1-R18, S1-R52, S1-R64, S1-R80, S1-R102, S1-R103, S1-R104,
 * S1-R105, S1-R119, S1-R120, S1-R121, S1-R123, S1-R124, S1-R125, S1-R126, S1-R198, S1-R200, S1-R201, S1-R202,
 * S1-R203, S1-T12, S1-Q4, S1-Q6, S1-C7, S1-C8, S1-C13: the pieces of every CGA are the model's, whatever was
 * placed, launched, given up or ended before. */
static void pieces_are_the_models(void **state)
{
	struct cga_shape shape = fixture_shape(GG_DOMAIN_GPC, 4, false);

	(void)state;
	srand(41);
	fixture_init(SMS);
	for (uint32_t round = 0; round < 12000; round++) {
		uint32_t sms[2] = { (uint32_t)rand(), (uint32_t)rand() & bits_ones(SMS - 32) };

		if (round % 50 == 0) {
			random_device();
		}
		for (uint32_t change = fixture_random(6); change > 0; change--) {
			fixture_free(fixture_random(SMS), fixture_random(FIXTURE_SLOTS + 1));
		}
		if (fixture_random(8) == 0) {
			(void)sm_class_levels(&fixture_needs, NULL); /* plain tasks of the class */
		}
		shape = fixture_random(6) == 0 ? random_shape() : shape;
		session(shape, fixture_random(6) == 0 ? sms : NULL);
	}
	assert_in_range(placed_count, sessions / 2, sessions * 7 / 2); /* both answers are tried */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_the_models),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
