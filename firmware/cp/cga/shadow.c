/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/cga/shadow.h"

#include <string.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/sms/sm_state.h"

/** Which SMs of one word of a bitmap take CTAs. */
struct takers {
	uint32_t word;  /* index of the word in a bitmap by rank */
	uint32_t all;   /* SMs that take one or more */
	uint32_t extra; /* those of them that take one from the final level */
};

static struct availability *levels;
static struct cga_piece
	pieces[CP_CGA_CTAS]; /* log of one top-level CGA, with at most one piece for each CTA */
static uint32_t pieces_count;

void shadow_begin(struct availability *of_session)
{
	levels = of_session;
	pieces_count = 0;
}

const struct availability *shadow_levels(void)
{
	return levels;
}

void shadow_keep(void)
{
	pieces_count = 0;
}

const struct cga_piece *shadow_log(uint32_t *count)
{
	*count = pieces_count;
	return pieces;
}

void shadow_raise(uint32_t sm, uint32_t ctas)
{
	const uint32_t rank = sm_state_rank_of(sm);

	availability_set(levels, rank, levels->level[rank] + ctas);
}

struct cga_piece shadow_take_back(void)
{
	const struct cga_piece piece = pieces[--pieces_count];

	shadow_raise(piece.sm, piece.ctas);
	return piece;
}

/* The lowest `limit` 1 bits of a word: those with fewer than `limit` 1 bits below them (S1-R93, S1-Q1). */
static uint32_t first_ones(uint32_t ones, uint32_t limit)
{
	uint32_t rest = ones;

	while (rest != 0 && limit != 0) {
		rest &= rest - 1;
		limit--;
	}
	return ones & ~rest;
}

/* Moves SMs of a word from one level to a lower one, in all fields but level[]. */
static void move(uint32_t word, uint32_t ranks, uint32_t from, uint32_t to)
{
	const uint32_t sms = bits_count(ranks);

	if (ranks == 0) {
		return;
	}
	levels->sms[from][word] &= ~ranks;
	levels->count[from] = (uint16_t)(levels->count[from] - sms);
	if (levels->count[from] == 0) {
		levels->filled &= ~(1u << from);
	}
	if (to != 0) {
		levels->sms[to][word] |= ranks;
		levels->count[to] = (uint16_t)(levels->count[to] + sms);
		levels->filled |= 1u << to;
	}
}

/* The walk goes from the lowest level up, so that SMs that were moved to a level are not moved again. */
static void lower(const struct takers *takers, bool spread, uint32_t final)
{
	uint32_t filled = levels->filled & ~bits_ones(final == 0 ? 1 : final);
	const uint32_t below =
		final == 0 ? 0 : final - 1; /* with final 0 no SM takes an extra CTA */

	for (; filled != 0; filled &= filled - 1) {
		const uint32_t from = bits_lowest(filled);
		const uint32_t ranks = levels->sms[from][takers->word] & takers->all;

		if (spread) {
			move(takers->word, ranks, from, from - 1);
			continue;
		}
		move(takers->word, ranks & takers->extra, from, below);
		move(takers->word, ranks & ~takers->extra, from, final);
	}
}

/* Writes a piece for each SM, in order of rank (S1-R198), and lowers level[]; returns the number of CTAs. The code
 * reads what it needs once, because the compiler has to assume that a store to level[] may change anything. */
static uint32_t write_pieces(const struct takers *takers, bool spread, uint32_t final)
{
	uint32_t placed = 0;
	struct cga_piece *piece = &pieces[pieces_count];
	uint8_t *level = &levels->level[takers->word * 32];
	const uint32_t extra = takers->extra;

	for (uint32_t left = takers->all; left != 0; left &= left - 1) {
		const uint32_t bit = bits_lowest(left);
		const uint32_t ctas = spread ? 1 : level[bit] - final + (extra >> bit & 1u);

		placed += ctas;
		level[bit] = (uint8_t)(level[bit] - ctas);
		*piece++ = (struct cga_piece){ .sm = (uint16_t)sm_state_sm(takers->word * 32 + bit),
					       .ctas = (uint8_t)ctas };
	}
	pieces_count = (uint32_t)(piece - pieces);
	BITS_ASSERT(pieces_count <= CP_CGA_CTAS);
	return placed;
}

/* The loop ends at the last SM that takes a CTA; it gets there, because all CTAs fit. */
static void place_pour(const struct sm_domain *domain, uint32_t ctas, struct lake_answer answer)
{
	const uint32_t final = answer.final;
	uint32_t extra = answer.extra;

	for (uint32_t part = 0; ctas != 0; part++) {
		const uint32_t word = domain->parts[part].word;
		const uint32_t ranks =
			availability_at_least(levels, final, word) & domain->parts[part].ranks;
		struct takers takers = { .word = word, .extra = first_ones(ranks, extra) };

		takers.all = takers.extra | (final > 0 ? ranks & ~levels->sms[final][word] : ranks);
		if (takers.all != 0) {
			extra -= bits_count(takers.extra);
			ctas -= write_pieces(&takers, false, final);
			lower(&takers, false, final);
		}
	}
}

/* Whether all SMs of the TPC of a rank can take a CTA. */
static bool whole(uint32_t rank)
{
	const struct sm_domain *tpc =
		sm_tree_domain(GG_DOMAIN_TPC, sm_tree_index(GG_DOMAIN_TPC, rank));

	for (uint32_t part = 0; part < tpc->parts_count; part++) {
		const uint32_t word = tpc->parts[part].word;

		if ((tpc->parts[part].ranks & ~availability_at_least(levels, 1, word)) != 0) {
			return false;
		}
	}
	return true;
}

/* Of some SMs of a word, those in a TPC of which all SMs can take a CTA (S1-R80). */
static uint32_t preferred(uint32_t word, uint32_t ranks)
{
	uint32_t wholes = 0;

	if (sm_tree_count(GG_DOMAIN_TPC) == device.sms_count) {
		return ranks; /* each TPC is one SM */
	}
	for (uint32_t left = ranks; left != 0; left &= left - 1) {
		if (whole(word * 32 + bits_lowest(left))) {
			wholes |= bits_isolate(left);
		}
	}
	return wholes;
}

/* Chooses the SMs of the final level that take a CTA: first those that are preferred, then others, both in order of
 * rank. Levels are lowered only after all are chosen, because the SMs of a TPC may lie in several words. */
static void choose(const struct sm_domain *domain, struct lake_answer answer, uint32_t *chosen)
{
	uint32_t left = answer.extra;

	memset(chosen, 0, domain->parts_count * sizeof(*chosen));
	for (uint32_t part = 0; part < domain->parts_count && left != 0; part++) {
		const uint32_t word = domain->parts[part].word;

		chosen[part] = first_ones(preferred(word, levels->sms[answer.final][word] &
								  domain->parts[part].ranks),
					  left);
		left -= bits_count(chosen[part]);
	}
	for (uint32_t part = 0; part < domain->parts_count && left != 0; part++) {
		const struct sm_tree_part *of = &domain->parts[part];
		const uint32_t more = first_ones(
			levels->sms[answer.final][of->word] & of->ranks & ~chosen[part], left);

		chosen[part] |= more;
		left -= bits_count(more);
	}
}

static void place_spread(const struct sm_domain *domain, uint32_t ctas, struct lake_answer answer)
{
	uint32_t chosen[CP_SM_WORDS];

	choose(domain, answer, chosen);
	for (uint32_t part = 0; ctas != 0; part++) {
		const struct sm_tree_part *of = &domain->parts[part];
		struct takers takers = { .word = of->word };

		takers.all =
			chosen[part] |
			(availability_at_least(levels, answer.final + 1u, of->word) & of->ranks);
		if (takers.all != 0) {
			ctas -= write_pieces(&takers, true, answer.final);
			lower(&takers, true, answer.final);
		}
	}
}

void shadow_place(const struct sm_domain *domain, struct lake_query query,
		  struct lake_answer answer)
{
	BITS_ASSERT(answer.valid);
	if (query.spread) {
		place_spread(domain, query.ctas, answer);
	} else {
		place_pour(domain, query.ctas, answer);
	}
	pieces[pieces_count - 1].last = true;
}
