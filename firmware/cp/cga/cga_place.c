/* SPDX-License-Identifier: Apache-2.0 */
/* Placement of CGAs of any number of levels (S1-R13, S1-R102…R105, S1-R119…R126, S1-C8).
 *
 * A frame is a CGA of one level that is being placed in one domain, part by part. Each part goes to the smaller
 * domain with the highest speed, the first one among equals (S1-R102, S1-Q6). The whole device, with one top-level
 * CGA to place, is a frame, too. Speeds are found by a query with a sample (S1-R62, S1-R63). At level 0 the query
 * asks the lake, which changes nothing. Above, a frame is opened as a trial, and what it placed is taken back when
 * its speed is known (S1-R66, S1-R105). Answers are kept until an SM of their domain changes.
 *
 * The choice of domains never makes a CGA fail that fits (S1-Q33): how many CGAs of a level a domain has room for
 * depends on its SMs alone, and each CGA that is placed in it lowers that number by one. */
#include "firmware/cp/cga/cga_place.h"

#include <stddef.h>
#include <string.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/cga/lake.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/cga/shadow.h"
#include "firmware/cp/sms/sm_class.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/sms/sm_tree.h"

/* The answer of a domain is a byte: 1 + the speed, which is 1 to 32, or one of these. A larger answer is better. */
#define ANSWER_INVALID 0u    /* the CGA does not fit (S1-R63) */
#define ANSWER_NONE    0xfeu /* of a CGA of which no part is placed yet */
#define ANSWER_UNKNOWN 0xffu /* the query has not been made */

/** A CGA of one level that is being placed. */
struct frame {
	struct sm_tree_range inside; /* domains in which its parts may lie */
	uint16_t domain;             /* index of the domain in which it lies */
	uint16_t left;               /* parts that are still to be placed */
	uint32_t mark;               /* pieces in the log before its first one */
	uint8_t answer;              /* least answer of its parts so far (S1-Q4) */
	bool trial;                  /* it is opened only to find its speed */
};

/* A frame for each level above 0, and one for the device. */
static struct frame frames[CP_CGA_LEVELS + 1];
static struct cga_shape shape; /* shape for which answers are kept; with 0 levels there are none */
static const struct availability *answers_of; /* levels on which they are based */
static uint32_t *stale; /* SMs that the session lowered; NULL when the levels are its own */
static uint8_t answers[CP_CGA_LEVELS][CP_SMS]; /* by level of the CGA and index of the domain */
static struct lake_answer lakes[CP_SMS];       /* answers of the lake, by domain of level 0 */
static uint32_t ranks[CP_SM_WORDS]; /* wave_share.ranks of the wave that was looked for last */

static enum gg_domain kind_of(uint32_t level)
{
	return level < shape.levels ? (enum gg_domain)shape.domain[level] : GG_DOMAIN_GPU;
}

static struct lake_query sample(const struct cga_shape *of)
{
	return (struct lake_query){ .ctas = of->parts[0], .spread = of->spread };
}

/* An SM has changed, so the answers of all domains in which it lies are unknown. */
static void forget(uint32_t rank)
{
	for (uint32_t level = 0; level < shape.levels; level++) {
		answers[level][sm_tree_index(kind_of(level), rank)] = ANSWER_UNKNOWN;
	}
}

static void forget_changed(uint32_t *changed)
{
	for (uint32_t word = 0; word < device.sm_words; word++) {
		uint32_t sms = changed[word];

		changed[word] = 0;
		for (; shape.levels != 0 && sms != 0; sms &= sms - 1) {
			forget(sm_state_rank_of(word * 32 + bits_lowest(sms)));
		}
	}
}

static void take_shape(const struct cga_shape *wanted)
{
	if (cga_shape_is(&shape, wanted)) {
		return;
	}
	shape = *wanted;
	for (uint32_t level = 0; level < shape.levels; level++) {
		memset(answers[level], ANSWER_UNKNOWN, sm_tree_count(kind_of(level)));
	}
}

void cga_place_begin(const struct task_needs *needs, const uint32_t *sms)
{
	const struct sm_class_session session = sm_class_begin(needs, sms);

	if (session.levels != answers_of || session.changed == NULL) {
		shape.levels = 0;
	}
	if (session.changed != NULL) {
		forget_changed(session.changed);
	}
	answers_of = session.levels;
	stale = session.stale;
	shadow_begin(session.levels);
}

static uint8_t ask_lake(uint32_t index)
{
	const struct lake_answer answer =
		lake_ask(shadow_levels(), sm_tree_domain(kind_of(0), index), sample(&shape));

	perf_count(&device.perf->cga_queries);
	lakes[index] = answer;
	answers[0][index] = (uint8_t)(answer.valid ? answer.speed + 1u : ANSWER_INVALID);
	return answers[0][index];
}

/** The domain for the next part. */
struct choice {
	uint32_t domain; /* first domain with the best answer */
	uint8_t answer; /* ANSWER_INVALID: there is none; ANSWER_UNKNOWN: it has to be queried first */
};

static struct choice choose(const struct frame *frame, uint32_t level)
{
	const uint32_t end = frame->inside.first + frame->inside.count;
	struct choice best = { .answer = ANSWER_INVALID };

	for (uint32_t index = frame->inside.first; index < end; index++) {
		uint8_t answer = answers[level - 1][index];

		if (answer == ANSWER_UNKNOWN && level == 1) {
			answer = ask_lake(index);
		}
		if (answer > best.answer) {
			best = (struct choice){ .domain = index, .answer = answer };
		}
		if (answer == ANSWER_UNKNOWN) {
			break;
		}
	}
	return best;
}

/* When there is only one domain to choose from, nothing has to be compared, so its frame is opened without a trial. */
static void frame_open(uint32_t level, uint32_t domain, bool trial)
{
	const bool device_frame = level == shape.levels;
	const enum gg_domain kind = kind_of(level);
	uint32_t mark;

	(void)shadow_log(&mark);
	frames[level] = (struct frame){
		.inside = sm_tree_inside(kind, domain, kind_of(level - 1)),
		.domain = (uint16_t)domain,
		.left = device_frame ? 1 : shape.parts[level],
		.mark = mark,
		.answer = ANSWER_NONE,
		.trial = trial,
	};
}

static void place_part(struct frame *frame, uint8_t answer)
{
	frame->left--;
	frame->answer = answer < frame->answer ? answer : frame->answer;
}

static void take_back(uint32_t mark)
{
	uint32_t count;

	for ((void)shadow_log(&count); count > mark; count--) {
		const struct cga_piece piece = shadow_take_back();

		if (piece.last) { /* once for each innermost CGA, since its SMs lie in the same domains */
			forget(sm_state_rank_of(piece.sm));
		}
	}
}

/* Ends a frame when all its parts are placed or one does not fit. A CGA that does not fit leaves nothing in the
 * shadow (S1-R123.5, S1-R126, S1-R200). */
static void frame_close(uint32_t level, bool fits)
{
	const struct frame *frame = &frames[level];

	if (frame->trial || !fits) {
		take_back(frame->mark);
	}
	if (level == shape.levels) {
		return;
	}
	if (frame->trial || !fits) {
		answers[level][frame->domain] = fits ? frame->answer : ANSWER_INVALID;
	} else {
		place_part(&frames[level + 1], frame->answer);
	}
}

static void place_inner(struct frame *frame, struct choice best)
{
	const struct sm_domain *domain = sm_tree_domain(kind_of(0), best.domain);

	shadow_place(domain, sample(&shape), lakes[best.domain]);
	forget(domain->parts->word * 32u + bits_lowest(domain->parts->ranks));
	place_part(frame, best.answer);
}

/* Does one step of a frame: places a part, or opens the frame of a part. Returns the level to go on with. */
static uint32_t frame_step(uint32_t level)
{
	struct frame *frame = &frames[level];
	struct choice best;

	if (frame->left == 0) {
		frame_close(level, true);
		return level + 1;
	}
	best = choose(frame, level);
	if (best.answer == ANSWER_INVALID) {
		frame_close(level, false);
		return level + 1;
	}
	if (level == 1) {
		place_inner(frame, best);
		return level;
	}
	frame_open(level - 1, best.domain,
		   best.answer == ANSWER_UNKNOWN && frame->inside.count > 1);
	return level - 1;
}

/* SMs that were lowered are computed again at the next session, because the CGA may never be launched. */
static void mark_stale(const struct cga_piece *piece, uint32_t count)
{
	for (; stale != NULL && count != 0; count--) {
		bits_set(stale, piece->sm);
		piece++;
	}
}

/* Begins to look for places for a top-level CGA. */
static __attribute__((noinline)) void begin(const struct cga_shape *wanted)
{
	shadow_keep();
	take_shape(wanted);
	frame_open(wanted->levels, 0, false);
}

/* All parts are placed in the shadow before anything is launched (S1-R121, S1-R192, S1-R193). The loop ends because
 * each step places a part, finds an unknown answer, or closes a frame. */
static void place(const struct cga_shape *wanted, uint32_t cgas)
{
	uint32_t level = wanted->levels;

	BITS_ASSERT(level != 0);
	begin(wanted);
	frames[level].left = (uint16_t)cgas;
	while (level <= wanted->levels) {
		level = frame_step(level);
	}
}

bool cga_place_next(const struct cga_shape *wanted)
{
	uint32_t count;

	place(wanted, 1);
	const struct cga_piece *pieces = shadow_log(&count);

	mark_stale(pieces, count);
	return count != 0;
}

void cga_place_back(const struct wave_share *share)
{
	uint32_t count;
	const struct cga_piece *pieces = shadow_log(&count);

	if (share == NULL) {
		take_back(0);
		return;
	}
	for (uint32_t rank = 0; rank < share->sms; rank++) {
		shadow_raise(pieces[rank].sm, share->each + (rank < share->extra ? share->run : 0));
		if (pieces[rank].last) {
			forget(sm_state_rank_of(pieces[rank].sm));
		}
	}
}

/* The SMs of the first round follow one another by rank; each later round goes through the same ones in the same order. */
bool cga_place_in_rounds(const struct cga_shape *wanted, uint32_t cgas, struct wave_share *share)
{
	uint32_t count;

	place(wanted, cgas);
	const struct cga_piece *pieces = shadow_log(&count);

	if (count == 0) {
		return false;
	}
	const uint32_t run = pieces->ctas;
	uint32_t last = sm_state_rank_of(pieces->sm); /* of the SMs of the first round */
	uint32_t sms = 1;

	memset(ranks, 0, sizeof(ranks));
	bits_set(ranks, last);
	for (; sms < count && sm_state_rank_of(pieces[sms].sm) > last; sms++) {
		last = sm_state_rank_of(pieces[sms].sm);
		bits_set(ranks, last);
	}
	for (uint32_t index = 0; index < count; index++) {
		if (pieces[index].ctas != run ||
		    (index >= sms && pieces[index].sm != pieces[index - sms].sm)) {
			return false;
		}
	}
	*share = (struct wave_share){
		.ranks = ranks,
		.sms = sms,
		.each = count / sms * run,
		.extra = count % sms,
		.ctas = count * run,
		.run = run,
	};
	BITS_ASSERT(pieces[sms - 1].last); /* the SMs of a CGA follow one another by rank */
	return true;
}

/* SMs on the highest level get the same number of CTAs, the first ones perhaps one more, if no others get any. */
bool cga_place_even(const struct cga_shape *wanted, struct wave_share *share)
{
	const struct availability *levels = shadow_levels();
	uint32_t sms = 0;
	uint32_t others = 0;

	begin(wanted);
	const struct choice best = choose(&frames[1], 1);

	if (best.answer == ANSWER_INVALID) {
		return false;
	}
	const struct lake_answer answer = lakes[best.domain];
	const struct sm_domain *domain = sm_tree_domain(kind_of(0), best.domain);
	const uint32_t top = bits_highest(levels->filled);

	memset(ranks, 0, sizeof(ranks));
	for (uint32_t part = 0; part < domain->parts_count; part++) {
		const uint32_t word = domain->parts[part].word;
		const uint32_t inside = domain->parts[part].ranks;

		ranks[word] = levels->sms[top][word] & inside;
		sms += bits_count(ranks[word]);
		others |= availability_at_least(levels, answer.final, word) & inside & ~ranks[word];
	}
	const uint32_t each = top - answer.final;

	*share = (struct wave_share){
		.ranks = ranks,
		.sms = each != 0 ? sms : answer.extra,
		.each = each,
		.extra = answer.extra,
		.ctas = wanted->parts[0],
	};
	return others == 0;
}

const struct cga_piece *cga_place_pieces(uint32_t *count)
{
	return shadow_log(count);
}
