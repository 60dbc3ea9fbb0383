/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/cga/cga.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/kernel/gg_cta.h"
#include "firmware/sm/bell.h"
#include "firmware/sm/position.h"
#include "firmware/sm/schedule.h"
#include "hal/atomic.h"
#include "hal/fence.h"
#include "hal/ipi.h"
#include "hal/mmio.h"

#define NO_ROUND     16u /* more than GG_CLUSTER_ROUND has */
#define MEMBER_WORDS (sizeof(struct gg_member) / sizeof(uint32_t))

/* What a CTA does at the barrier of its innermost CGA, and what it takes from the word. */
#define CTA_COMES  gg_put(GG_CLUSTER_MISSING, 1)
#define CTA_LEAVES gg_put(GG_CLUSTER_RUNNING, 1)
#define CTA_FAILS  0u

struct gg_cluster *cga_block(const struct sm *sm, uint32_t number)
{
	return (struct gg_cluster *)((uintptr_t)sm->cap + sm->cap->cluster_offset +
				     (uintptr_t)number * sm->cap->cluster_stride);
}

const struct gg_member *cga_member(const struct sm *sm, uint32_t place)
{
	const struct gg_cluster *block = cga_block(sm, gg_get(place, GG_MEMBER_SM));

	return (const struct gg_member *)&block
		->members[MEMBER_WORDS * gg_get(place, GG_MEMBER_UNIT)];
}

static uint32_t cga_rank(const struct gg_member *member)
{
	return gg_get(member->rank, GG_MEMBER_RANK);
}

uint32_t cga_place(const struct sm *sm, const struct sm_cta *cta)
{
	return gg_put(GG_MEMBER_SM, sm->boot.sm) | gg_put(GG_MEMBER_UNIT, cta->unit);
}

uint32_t cga_find(const struct sm *sm, const struct sm_cta *cta, uint32_t rank)
{
	uint32_t place = cga_place(sm, cta);
	const struct gg_member *member = cga_member(sm, place);

	while (cga_rank(member) != rank) {
		place = member->next;
		member = cga_member(sm, place);
		sm_assert(cga_rank(member) !=
			  cta->rank); /* it would be a bug to walk all the way round */
	}
	return place;
}

/* The word in which an SM says what has become of the CTA that starts at a unit: the sequence number of its CGA when
 * it has ended, all its bits inverted while it runs; anything else before. Sequence numbers have 31 bits, so
 * these are never the same. */
static uint32_t cga_gone(const struct sm *sm, uint32_t place)
{
	const struct gg_cluster *block = cga_block(sm, gg_get(place, GG_MEMBER_SM));

	return mmio_read32(&block->gone[gg_get(place, GG_MEMBER_UNIT)]);
}

bool cga_is_gone(const struct sm *sm, const struct sm_cta *cta, uint32_t place)
{
	return cga_gone(sm, place) == cta->sequence;
}

bool cga_has_begun(const struct sm *sm, const struct sm_cta *cta, uint32_t place)
{
	const bool begun = cga_gone(sm, place) == ~cta->sequence;

	fence_acquire(); /* read the word before the memory that it speaks of */
	return begun;
}

void cga_begin(struct sm *sm, const struct sm_cta *cta)
{
	fence_release(); /* clear the memory before the word that shows it is written */
	mmio_write32(&sm->members->gone[cta->unit], ~cta->sequence);
}

void cga_join(struct sm *sm, struct sm_cta *cta)
{
	const struct gg_member *member = cga_member(sm, cga_place(sm, cta));

	cta->rank = cga_rank(member);
	cta->sequence = member->sequence;
	cta->barrier = &cga_block(sm, gg_get(member->rank, GG_MEMBER_HEAD_SM))
				->barriers[gg_get(member->cga, GG_MEMBER_HEAD_UNIT)];
	cta->round = NO_ROUND;
	cta->cga |= gg_put(GG_PACKET_CGA_ID,
			   gg_get(member->cga, GG_MEMBER_ID)); /* a wave may have several CGAs */
	sm_assert(cta->sequence != 0);
}

static struct gg_perf *cga_perf(const struct sm *sm)
{
	return (struct gg_perf *)((uintptr_t)sm->cap + sm->cap->perf_offset);
}

static uint32_t round_of(uint32_t word)
{
	return gg_get(word, GG_CLUSTER_ROUND);
}

/* Whether the SMs count at the barrier of a CTA's innermost CGA. */
static bool cga_counts(const struct sm_cta *cta)
{
	return ATOMIC_SHARED(true) && *cta->barrier != 0;
}

/* Interrupt the SMs of the other members, also this one if it has some: they may wait. Neighbours are on one SM mostly. */
static void cga_let_go(const struct sm *sm, const struct sm_cta *cta)
{
	const uint32_t own = cga_place(sm, cta);
	uint32_t last = UINT32_MAX;

	atomic_add(&cga_perf(sm)->cga_barriers, 1);
	for (uint32_t place = cga_member(sm, own)->next; place != own;
	     place = cga_member(sm, place)->next) {
		const uint32_t number = gg_get(place, GG_MEMBER_SM);

		if (number != last) {
			ipi_send(number + 1);
			last = number;
		}
	}
}

/* Takes a CTA from those that are waited for: it has come to the barrier, or has ended well (CTA_LEAVES), and is no longer one of
 * them. If all others have come, a round is over: what they wrote before is seen by all that see the next one. A CTA that
 * has ended in another way (CTA_FAILS) breaks the barrier. */
static void cga_count(const struct sm *sm, struct sm_cta *cta, uint32_t what)
{
	uint32_t old, word;

	do {
		old = mmio_read32(cta->barrier);
		word = what == CTA_FAILS ? old | GG_CLUSTER_BROKEN : old - what;
		if (what == CTA_LEAVES && round_of(old) != cta->round) {
			word -= CTA_COMES;
		}
		if ((word & (GG_CLUSTER_MISSING | GG_CLUSTER_BROKEN)) == 0 &&
		    (word & GG_CLUSTER_RUNNING) != 0) {
			word += gg_put(GG_CLUSTER_ROUND, 1) |
				gg_put(GG_CLUSTER_MISSING, gg_get(word, GG_CLUSTER_RUNNING));
		}
	} while (!atomic_compare_swap(cta->barrier, old, word));
	cta->round = (uint8_t)round_of(old);
	if (round_of(old) != round_of(word)) {
		cga_let_go(sm, cta);
	}
}

void cga_leave(struct sm *sm, struct sm_cta *cta, int32_t status)
{
	sm->at_barrier &= ~(1u << cta->unit);
	if (cta->windows != 0) {
		cta->windows = 0;
		cta->protection_of = 0;
	}
	fence_release();
	if (cga_counts(cta)) {
		cga_count(sm, cta, status == GG_OK ? CTA_LEAVES : CTA_FAILS);
	}
	if (status == GG_OK) {
		mmio_write32(&sm->members->gone[cta->unit], cta->sequence);
	}
}

/* A CTA's two bits of a level differ while it has come to the barrier and the others have not. Where the SMs count, the round
 * has not changed then. */
static bool cga_waits(const struct sm *sm, const struct sm_cta *cta, uint32_t level)
{
	if (level == 0 && cga_counts(cta)) {
		return round_of(mmio_read32(cta->barrier)) == cta->round;
	}
	const uint32_t come = mmio_read32(&sm->members->come[level]);

	return ((come ^ mmio_read32(&sm->members->go[level])) >> cta->unit & 1u) != 0;
}

static void cga_come(struct sm *sm, struct sm_cta *cta, uint32_t level)
{
	uint32_t *come = &sm->members->come[level];

	if (level == 0 && cga_counts(cta)) {
		cga_count(sm, cta, CTA_COMES);
		return;
	}
	fence_release(); /* what the CTA wrote comes before the bit that says it has come */
	mmio_write32(come, mmio_read32(come) ^ 1u << cta->unit);
	bell_note(sm);
}

/* Time at which a blocked CTA has used up its time limit. */
static uint64_t cga_limit(const struct sm_cta *cta)
{
	const uint32_t limit = cta->task->limit;

	if (limit == 0) {
		return UINT64_MAX;
	}
	return cta->blocked + (cta->used < limit ? limit - cta->used : 0);
}

static void cga_note_limit(struct sm *sm, const struct sm_cta *cta)
{
	const uint64_t limit = cga_limit(cta);

	if (sm->at_barrier == 0 || limit < sm->barrier_limit) {
		sm->barrier_limit = limit;
	}
	sm->at_barrier |= 1u << cta->unit;
}

static void cga_wait(struct sm *sm, struct sm_cta *cta, uint32_t level)
{
	if (!cga_waits(sm, cta, level)) {
		fence_acquire();
		return;
	}
	cta->level = (uint8_t)level;
	schedule_block(sm, cta, SM_CTA_AT_BARRIER);
	cga_note_limit(sm, cta);
}

void cga_barrier(struct sm *sm, struct sm_cta *cta)
{
	uintptr_t *arguments = &cta->context.x[SM_A0];
	const uint32_t levels = position_levels(cta->task->tmd);
	const uintptr_t level = arguments[0];
	const uintptr_t what = arguments[1];
	const bool known = (level == 0 || level < levels) && what != 0 &&
			   (what & ~(uintptr_t)(GG_CLUSTER_ARRIVE | GG_CLUSTER_WAIT)) == 0;

	if (!known || levels == 0) {
		cta->context.pc += SM_CALL_BYTES;
		arguments[0] = known ? 0 : (uintptr_t)GG_ERR_ARGUMENT;
		return;
	}
	if ((what & GG_CLUSTER_ARRIVE) == 0 || !cga_waits(sm, cta, (uint32_t)level)) {
		if ((what & GG_CLUSTER_ARRIVE) != 0) {
			cga_come(sm, cta, (uint32_t)level);
		}
		cta->context.pc += SM_CALL_BYTES;
		arguments[0] = 0;
		if ((what & GG_CLUSTER_WAIT) == 0) {
			return;
		}
	} /* else the CTA waits, and makes the same call again afterwards */
	cga_wait(sm, cta, (uint32_t)level);
}

/* Let the CTA go on if all have come. Returns whether it still waits and its time is up. */
static bool cga_check(struct sm *sm, struct sm_cta *cta)
{
	if (!cga_waits(sm, cta, cta->level)) {
		sm->at_barrier &= ~(1u << cta->unit);
		sm->idle_yields = 0;
		schedule_go_on(sm, cta);
		return false;
	}
	if (cga_limit(cta) <= sm->now) {
		return true;
	}
	if (cga_limit(cta) < sm->barrier_limit) {
		sm->barrier_limit = cga_limit(cta);
	}
	return false;
}

struct sm_cta *cga_look(struct sm *sm)
{
	struct sm_cta *late = NULL;

	if (sm->at_barrier == 0) {
		return NULL;
	}
	sm->barrier_limit = UINT64_MAX;
	for (uint32_t unit = 0; late == NULL && unit < SM_UNITS_MAX && sm->at_barrier >> unit != 0;
	     unit++) {
		if ((sm->at_barrier >> unit & 1u) != 0 && cga_check(sm, &sm->ctas[unit])) {
			late = &sm->ctas[unit];
		}
	}
	fence_acquire(); /* read the bits before what the others wrote */
	return late;
}
