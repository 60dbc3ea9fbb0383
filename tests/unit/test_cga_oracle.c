/* SPDX-License-Identifier: Apache-2.0 */
/* Placement of CGAs against brute force: every assignment of every CTA, on six SMs of 0 to 3 free slots.
 * A set of such devices is 4096 bits; placing is done for all devices of a set at once, so the sets after
 * one, two, … CGAs are those that any order of any choices can reach.
 * sources: room:cga memory tests/unit/cga_fixture.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/cga/cga_count.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/sms/sm_tree.h"
#include "tests/unit/cga_fixture.h"

#define SMS    6u
#define WORDS  64u
#define ROUNDS 60000u

/* Device v has v / 4^sm % 4 free slots on an SM. */
struct devices {
	uint64_t in[WORDS];
};

static struct devices with_slot[SMS]; /* devices in which the SM has a free slot */
static uint32_t slots[SMS];
static uint32_t groups[SMS]; /* GPC, CPC, TPC, a byte each, the GPC highest */

static void make_with_slot(void)
{
	memset(with_slot, 0, sizeof(with_slot));
	for (uint32_t v = 0; v < WORDS * 64; v++) {
		for (uint32_t sm = 0; sm < SMS; sm++) {
			if ((v >> 2 * sm & 3u) != 0) {
				with_slot[sm].in[v / 64] |= (uint64_t)1 << v % 64;
			}
		}
	}
}

/* Add to `to` the devices of `from` with one CTA more on an SM. */
static void take(struct devices *to, const struct devices *from, uint32_t sm)
{
	const uint32_t step = 1u << 2 * sm;

	for (uint32_t word = step / 64; word < WORDS; word++) {
		const uint64_t old = from->in[word] & with_slot[sm].in[word];

		to->in[word - step / 64] |= step < 64 ? old >> step : old;
	}
}

static void add(struct devices *to, const struct devices *more)
{
	for (uint32_t word = 0; word < WORDS; word++) {
		to->in[word] |= more->in[word];
	}
}

static bool none(const struct devices *set)
{
	uint64_t any = 0;

	for (uint32_t word = 0; word < WORDS; word++) {
		any |= set->in[word];
	}
	return any == 0;
}

static bool inside(uint32_t sm, enum gg_domain kind, uint32_t like)
{
	return kind == GG_DOMAIN_GPU ||
	       groups[sm] >> 8 * (3 - kind) == groups[like] >> 8 * (3 - kind);
}

/* Whether an SM is the first of its domain, and that is inside the outer one of another. */
static bool names_domain(uint32_t sm, enum gg_domain kind, enum gg_domain outer, uint32_t like)
{
	if (!inside(sm, outer, like)) {
		return false;
	}
	for (uint32_t before = 0; before < sm; before++) {
		if (inside(before, kind, sm)) {
			return false;
		}
	}
	return true;
}

typedef void place_fn(struct devices *, const struct cga_shape *, uint32_t);

/* An innermost CGA in the domain of an SM. */
static void place_inner(struct devices *set, const struct cga_shape *shape, uint32_t like)
{
	static struct devices with[17]; /* so many CTAs placed */

	memset(with, 0, sizeof(with));
	with[0] = *set;
	for (uint32_t sm = 0; sm < SMS; sm++) {
		for (uint32_t again = 0; again < (shape->spread ? 1u : 3u); again++) {
			for (uint32_t ctas = shape->parts[0];
			     ctas > 0 && inside(sm, shape->domain[0], like); ctas--) {
				take(&with[ctas], &with[ctas - 1], sm);
			}
		}
	}
	*set = with[shape->parts[0]];
}

/* `parts` CGAs of a kind, each in any of the domains of that kind in an outer one. */
static void place_parts(struct devices *set, const struct cga_shape *shape, uint32_t level,
			enum gg_domain outer, uint32_t like, uint32_t parts, place_fn *place)
{
	for (; parts > 0 && !none(set); parts--) {
		struct devices next = { { 0 } };

		for (uint32_t sm = 0; sm < SMS; sm++) {
			if (names_domain(sm, shape->domain[level], outer, like)) {
				struct devices one = *set;

				place(&one, shape, sm);
				add(&next, &one);
			}
		}
		*set = next;
	}
}

static void place_middle(struct devices *set, const struct cga_shape *shape, uint32_t like)
{
	place_parts(set, shape, 0, shape->domain[1], like, shape->parts[1], place_inner);
}

static void place_outer(struct devices *set, const struct cga_shape *shape, uint32_t like)
{
	place_parts(set, shape, 1, shape->domain[2], like, shape->parts[2], place_middle);
}

/* Most CGAs that any assignment can place. */
static uint32_t brute_force(const struct cga_shape *shape)
{
	static place_fn *const place[] = { place_inner, place_middle, place_outer };
	struct devices set = { { 0 } };
	uint32_t v = 0, cgas = 0;

	for (uint32_t sm = 0; sm < SMS; sm++) {
		v |= slots[sm] << 2 * sm;
	}
	set.in[v / 64] = (uint64_t)1 << v % 64;
	for (;; cgas++) {
		const uint32_t top = shape->levels - 1u;

		place_parts(&set, shape, top, GG_DOMAIN_GPU, 0, 1, place[top]);
		if (none(&set)) {
			return cgas;
		}
	}
}

/* Groups of unequal sizes (S1-R4). */
static void random_groups(void)
{
	for (uint32_t sm = 0; sm < SMS; sm++) {
		const uint32_t gpc = fixture_random(2), cpc = fixture_random(2);
		const uint32_t tpc = fixture_random(2);

		groups[sm] = gpc << 16 | cpc << 8 | tpc;
		fixture_group(sm, gpc, cpc, tpc);
	}
	fixture_grouped();
	fixture_ranks(SMS, true);
}

static struct cga_shape random_shape(void)
{
	struct cga_shape shape = { .levels = (uint8_t)(1 + fixture_random(3)),
				   .spread = fixture_random(2) != 0 };
	uint32_t kind = GG_DOMAIN_TPC - fixture_random(5u - shape.levels);

	for (uint32_t level = 0; level < shape.levels; level++) {
		shape.domain[level] = (uint8_t)kind;
		shape.parts[level] = (uint16_t)(1 + fixture_random(level == 0 ? 4 : 3));
		kind -= 1 + fixture_random(kind - (shape.levels - level - 2u) > 1 &&
							   level + 1u < shape.levels
						   ? 2
						   : 1);
	}
	return shape;
}

static uint32_t placed(const struct cga_shape *shape)
{
	uint32_t ctas[SMS], cgas = 0;

	cga_place_begin(&fixture_needs, NULL);
	while (cga_place_next(shape)) {
		fixture_tally(shape, ctas, SMS);
		cgas++;
	}
	return cgas;
}

/* S1-Q33, S1-R12, S1-R13, S1-R105, S1-R133, S1-C1, S1-C8, S1-C14: a CGA is placed whenever any assignment of its
 * CTAs exists, with one, two or three levels, in either mode, and so is every further one. */
static void fits_whenever_anything_does(void **state)
{
	uint32_t fitted = 0;

	(void)state;
	fixture_init(SMS);
	make_with_slot();
	srand(21);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		const struct cga_shape shape = random_shape();
		uint32_t want;

		if (round % 8 == 0) {
			random_groups();
		}
		for (uint32_t sm = 0; sm < SMS; sm++) {
			slots[sm] = fixture_random(4);
		}
		fixture_free_all(slots, SMS);
		want = brute_force(&shape);
		assert_int_equal(placed(&shape), want);
		assert_int_equal(cga_count(&shape, &fixture_needs, NULL, false, 99), want);
		fitted += want != 0 ? 1 : 0;
	}
	assert_in_range(fitted, ROUNDS / 5, ROUNDS * 4 / 5); /* both answers are tried */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fits_whenever_anything_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
