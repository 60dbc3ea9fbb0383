/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/cga/cga.h"

#include <stdbool.h>
#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/cga/cga_barrier.h"
#include "firmware/cp/cga/cga_id.h"
#include "firmware/cp/cga/cga_place.h"
#include "firmware/cp/cga/cga_record.h"
#include "firmware/cp/cga/cga_wait.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/retry.h"
#include "firmware/cp/wave/wave.h"
#include "firmware/cp/wave/wave_launch.h"
#include "firmware/sm/wave_share.h"

/** A top-level CGA that is being launched. */
struct commit {
	struct task *task;
	uint32_t record[CP_CGA_LEVELS]; /* record of the next CTA's CGA, for each level */
	uint32_t innermost;             /* number of innermost CGAs so far */
	uint32_t rank;                  /* member.rank of the next CTA; 0 for the first */
	uint32_t sequence;              /* member.sequence of its innermost CGA */
	uint32_t member;                /* member.cga */
	uint32_t head;    /* value of member.next that leads to the member of rank 0 */
	uint32_t *link;   /* word that has to be set to the place of the next CTA */
	uint32_t cga;     /* packet.cga */
	uint32_t missing; /* of a wave: CTAs of this CGA that are not members yet */
};

static uint32_t eligible[CP_SM_WORDS]; /* result of without(): SMs whose GPC has a free id */

void cga_init(void)
{
	cga_record_init();
	cga_id_init();
	cga_barrier_init();
	cga_wait_init();
}

/* Number of innermost CGAs in a CGA of a level. */
static uint32_t innermost_in(const struct cga_shape *shape, uint32_t level)
{
	uint32_t count = 1;

	for (; level > 0; level--) {
		count *= shape->parts[level];
	}
	return count;
}

static uint32_t pool_of(const struct cga_shape *shape, uint32_t sm)
{
	return shape->domain[0] == GG_DOMAIN_GPU ? CGA_ID_DEVICE : sm_state_gpc(sm);
}

/* GPCs that can take no innermost CGA because no id is free (S1-R67), a bit each. */
static uint32_t exhausted_for(const struct cga_shape *shape)
{
	return shape->domain[0] == GG_DOMAIN_GPU ? 0 : cga_id_exhausted();
}

static const uint32_t *without(uint32_t exhausted, const uint32_t *sms)
{
	if (exhausted == 0) {
		return sms;
	}
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		if ((sms == NULL || bits_has(sms, sm)) &&
		    (exhausted >> sm_state_gpc(sm) & 1u) == 0) {
			bits_set(eligible, sm);
		} else {
			bits_clear(eligible, sm);
		}
	}
	return eligible;
}

/* Whether the pools have a free id for each innermost CGA of all pieces that were placed last. */
static bool ids_suffice_for(const struct cga_shape *shape)
{
	uint16_t wanted[CGA_ID_POOLS] = { 0 };
	uint32_t count;
	const struct cga_piece *pieces = cga_place_pieces(&count);
	bool first = true;

	for (uint32_t index = 0; index < count; index++) {
		if (first) {
			const uint32_t pool = pool_of(shape, pieces[index].sm);

			if (++wanted[pool] > cga_id_free(pool)) {
				return false;
			}
		}
		first = pieces[index].last;
	}
	return true;
}

static bool ids_suffice(const struct cga_shape *shape)
{
	uint32_t count;

	if (shape->levels > 1) {
		return ids_suffice_for(shape);
	}
	return cga_id_free(pool_of(shape, cga_place_pieces(&count)->sm)) != 0;
}

/* Takes records at the first CTA of an innermost CGA: one for that CGA, and one for each larger CGA that begins with
 * it. */
static void open_records(struct commit *commit, uint32_t sm)
{
	const struct cga_shape *shape = &commit->task->rules.shape;
	uint32_t parent = CGA_NONE;

	for (uint32_t level = shape->levels; level-- > 0;) {
		const uint32_t innermost = innermost_in(shape, level);

		if (commit->innermost % innermost == 0) {
			commit->record[level] =
				cga_record_open(level, parent, innermost * shape->parts[0],
						commit->task->turn.slot);
		}
		parent = commit->record[level];
	}
	struct cga *cga = cga_record(commit->record[0]);

	cga->pool = (uint8_t)pool_of(shape, sm);
	cga->id = (uint8_t)cga_id_take(cga->pool);
	commit->cga = gg_put(GG_PACKET_CGA_VALID, 1) | gg_put(GG_PACKET_CGA_ID, cga->id);
	commit->rank = 0;
	commit->sequence = cga->sequence;
	commit->member =
		gg_put(GG_MEMBER_RECORD, commit->record[0]) | gg_put(GG_MEMBER_ID, cga->id);
	commit->link = &commit->head;
}

/* The members form a circle by rank (S1-R71, S1-R138): each one holds the place of the next. */
static void add_members(struct commit *commit, uint32_t sm, uint32_t starts)
{
	struct gg_member *members = cga_member((struct cga_member_place){ .sm = sm });
	const uint32_t place = gg_put(GG_MEMBER_SM, sm);

	for (; starts != 0; starts &= starts - 1) {
		const uint32_t unit = bits_lowest(starts);
		struct gg_member *member = &members[unit];

		if (commit->rank == 0) {
			commit->rank = gg_put(GG_MEMBER_HEAD_SM, sm);
			commit->member |= gg_put(GG_MEMBER_HEAD_UNIT, unit);
		}
		member->sequence = commit->sequence;
		member->rank = commit->rank++;
		member->cga = commit->member;
		*commit->link = place | gg_put(GG_MEMBER_UNIT, unit);
		commit->link = &member->next;
	}
}

static void close_circle(struct commit *commit)
{
	struct cga *cga = cga_record(commit->record[0]);

	*commit->link = commit->head;
	cga->head_sm = (uint16_t)gg_get(commit->head, GG_MEMBER_SM);
	cga->head_unit = (uint8_t)gg_get(commit->head, GG_MEMBER_UNIT);
	device.clusters[cga->head_sm].barriers[cga->head_unit] = cga_barrier_word(cga->size);
	commit->innermost++;
}

static void commit_piece(struct commit *commit, const struct cga_piece *piece)
{
	add_members(commit, piece->sm,
		    launch_piece(piece->sm, commit->task, piece->ctas, commit->cga));
	if (piece->last) {
		close_circle(commit);
	}
}

/* Launches the CGA that was placed last. Its resources are subtracted from the SMs' free resources (S1-R203) in the
 * order of the launch positions. Sequence numbers and ids are given only now, when all of it has been placed
 * (S1-R192, S1-R196). */
static void commit_cga(struct task *task)
{
	uint32_t count;
	const struct cga_piece *pieces = cga_place_pieces(&count);
	struct commit commit = { .task = task };
	bool first = true;

	for (uint32_t index = 0; index < count; index++) {
		if (first) {
			open_records(&commit, pieces[index].sm);
		}
		commit_piece(&commit, &pieces[index]);
		first = pieces[index].last;
	}
	BITS_ASSERT(first && commit.innermost == innermost_in(&task->rules.shape,
							      task->rules.shape.levels - 1u));
	perf_count(&device.perf->cgas);
}

/* Whether the CGAs of a task, all that are left, can be a wave as far as is known before they are placed. GPCs that have no free
 * id are left out already. Only on a device that holds nothing several CGAs are likely to lie in rounds. */
static bool may_be_wave(const struct task *task, uint64_t cgas)
{
	const struct cga_shape *shape = &task->rules.shape;
	const uint32_t size = shape->parts[0];

	if (shape->levels != 1 || shape->spread || task->work.packets != 0 ||
	    !cga_barrier_fits(size) || !wave_may(task, cgas * size) ||
	    cga_id_free(CGA_ID_DEVICE) == 0) {
		return false;
	}
	return cgas == 1 || (cgas <= cga_record_free() && cgas * size <= CP_CGA_CTAS &&
			     cgas * size <= sm_state_slots_all(&task->rules.needs) &&
			     !retry_is_on(task) && sm_state_resident() == 0);
}

/* What each SM gets of a wave of all CGAs of a task. Nothing is placed afterwards. */
static bool find_share(const struct cga_shape *shape, uint32_t cgas, struct wave_share *share)
{
	if (cgas == 1) {
		return cga_place_even(shape, share);
	}
	const bool found = cga_place_in_rounds(shape, cgas, share) && ids_suffice_for(shape);

	cga_place_back(found ? share : NULL);
	return found;
}

/* Adds CTAs of an SM of a wave to the CGA that has not got all of its members yet, or to the next one. */
static void add_of_wave(struct commit *commit, uint32_t sm, uint32_t starts)
{
	if (commit->missing == 0) {
		open_records(commit, sm);
		commit->missing = commit->task->rules.shape.parts[0];
	}
	add_members(commit, sm, starts);
	commit->missing -= bits_count(starts);
	if (commit->missing == 0) {
		uint16_t *last = &cga_of_wave[commit->task->turn.slot];

		close_circle(commit);
		cga_record(commit->record[0])->next = *last;
		*last = (uint16_t)commit->record[0];
	}
}

/* A round of a wave: CTAs of its first `extra` SMs, and others of the others. */
static void add_round(struct commit *commit, const uint32_t *ranks, uint32_t extra, uint32_t more,
		      uint32_t starts)
{
	for (uint32_t word = 0; word < device.sm_words; word++) {
		for (uint32_t left = ranks[word]; left != 0; left &= left - 1) {
			const uint32_t added = extra != 0 ? more : starts;

			if (added == 0) {
				return; /* the last round has fewer CGAs */
			}
			extra -= extra != 0 ? 1 : 0;
			add_of_wave(commit, sm_state_sm(word * 32 + bits_lowest(left)), added);
		}
	}
}

/* Adds the members of the CGAs of a wave, in the order of their positions. */
static void add_all(struct commit *commit, const uint32_t *ranks)
{
	const uint32_t slot = commit->task->turn.slot;
	const struct gg_wave *entry = &device.waves[slot].entry;
	const struct gg_packet *packet = &device.waves[slot].packet;
	uint32_t left = wave_share_starts(entry, packet, 0);

	cga_of_wave[slot] = CGA_NONE;
	while (left != 0) {
		const uint32_t round = wave_share_run(entry, left);

		add_round(commit, ranks, entry->extra, entry->starts_more & round,
			  packet->starts & round);
		left &= ~round;
	}
}

/* Launches all CGAs of a task as a wave, if its SMs are idle. They are lent, so the model's shadow is not lowered. */
static bool launch_wave(struct task *task, uint32_t cgas)
{
	struct commit commit = { .task = task };
	struct wave_share share;
	const uint32_t *ranks;

	if (!find_share(&task->rules.shape, cgas, &share) ||
	    (ranks = wave_prepare(task, &share)) == NULL) {
		return false;
	}
	add_all(&commit, ranks);
	wave_send(task, &share, gg_put(GG_PACKET_CGA_VALID, 1));
	device.perf->cgas += cgas;
	return true;
}

/* A CGA was not placed, and GPCs without free ids were left out: is the lack of ids the only reason? */
static enum cga_outcome why_not(const struct task *task, uint32_t exhausted, const uint32_t *sms)
{
	if (exhausted == 0) {
		return CGA_NO_ROOM;
	}
	cga_place_begin(&task->rules.needs, sms);
	return cga_place_next(&task->rules.shape) ? CGA_NO_ID : CGA_NO_ROOM;
}

static enum cga_outcome session(struct task *task, uint64_t cgas, const uint32_t *sms)
{
	const struct cga_shape *shape = &task->rules.shape;
	uint32_t exhausted = exhausted_for(shape);

	cga_place_begin(&task->rules.needs, without(exhausted, sms));
	for (; cgas > 0; cgas--) {
		if (cga_record_free() < cga_record_needs(shape)) {
			return CGA_NO_ID;
		}
		if (exhausted != exhausted_for(shape)) {
			exhausted = exhausted_for(shape);
			cga_place_begin(&task->rules.needs, without(exhausted, sms));
		}
		if (wave_is_here() && may_be_wave(task, cgas) &&
		    launch_wave(task, (uint32_t)cgas)) {
			return CGA_LAUNCHED;
		}
		if (!cga_place_next(shape)) {
			return why_not(task, exhausted, sms);
		}
		if (!ids_suffice(shape)) {
			return CGA_NO_ID;
		}
		commit_cga(task);
	}
	return CGA_LAUNCHED;
}

enum cga_outcome cga_issue(struct task *task, uint64_t cgas, const uint32_t *sms)
{
	const enum cga_outcome outcome = session(task, cgas, sms);

	launch_publish();
	if (outcome == CGA_NO_ROOM) {
		perf_count(&device.perf->cga_failures);
	} else if (outcome == CGA_NO_ID) {
		perf_count(&device.perf->cga_stalls);
	}
	return outcome;
}
