/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/cga/cga.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/kernel/gg_cta.h"
#include "firmware/sm/bell.h"
#include "firmware/sm/position.h"
#include "firmware/sm/schedule.h"
#include "hal/fence.h"
#include "hal/mmio.h"

#define MEMBER_WORDS (sizeof(struct gg_member) / sizeof(uint32_t))

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

uint32_t cga_place(const struct sm *sm, const struct sm_cta *cta)
{
	return gg_put(GG_MEMBER_SM, sm->boot.sm) | gg_put(GG_MEMBER_UNIT, cta->unit);
}

uint32_t cga_find(const struct sm *sm, const struct sm_cta *cta, uint32_t rank)
{
	uint32_t place = cga_place(sm, cta);
	const struct gg_member *member = cga_member(sm, place);

	while (member->rank != rank) {
		place = member->next;
		member = cga_member(sm, place);
		sm_assert(member->rank !=
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

	cta->rank = member->rank;
	cta->sequence = member->sequence;
	sm_assert(cta->sequence != 0);
}

void cga_leave(struct sm *sm, struct sm_cta *cta, int32_t status)
{
	sm->at_barrier &= ~(1u << cta->unit);
	if (cta->windows != 0) {
		cta->windows = 0;
		cta->protection_of = 0;
	}
	fence_release();
	if (status == GG_OK) {
		mmio_write32(&sm->members->gone[cta->unit], cta->sequence);
	}
}

bool cga_is_heard(const struct sm *sm)
{
	return mmio_read32(&sm->members->come[0]) == mmio_read32(&sm->members->go[0]);
}

/* A CTA's two bits of a level differ while it has come to the barrier and the others have not. */
static bool cga_waits(const struct sm *sm, const struct sm_cta *cta, uint32_t level)
{
	const uint32_t come = mmio_read32(&sm->members->come[level]);

	return ((come ^ mmio_read32(&sm->members->go[level])) >> cta->unit & 1u) != 0;
}

static void cga_come(struct sm *sm, const struct sm_cta *cta, uint32_t level)
{
	const uint32_t come = mmio_read32(&sm->members->come[level]);

	fence_release(); /* what the CTA wrote comes before the bit that says it has come */
	mmio_write32(&sm->members->come[level], come ^ 1u << cta->unit);
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
	if ((what & GG_CLUSTER_ARRIVE) != 0) {
		if (cga_waits(sm, cta, (uint32_t)level)) {
			cga_wait(
				sm, cta,
				(uint32_t)level); /* the CTA makes the same call again afterwards */
			return;
		}
		cga_come(sm, cta, (uint32_t)level);
	}
	cta->context.pc += SM_CALL_BYTES;
	arguments[0] = 0;
	if ((what & GG_CLUSTER_WAIT) != 0) {
		cga_wait(sm, cta, (uint32_t)level);
	}
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
