/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/cga/remote.h"

#include "firmware/abi/field.h"
#include "firmware/sm/cga/cga.h"
#include "firmware/sm/position.h"
#include "firmware/sm/schedule.h"
#include "firmware/sm/units.h"

/* Bytes from the units of one SM to those of the next. Tasks of CGAs run only while no SM has the units of others
 * (throttle mode). */
static uintptr_t remote_stride(const struct sm *sm)
{
	return (uintptr_t)sm->cap->sm_units * sm->unit_bytes;
}

/* Address of the units of SM 0. */
static uintptr_t remote_base(const struct sm *sm)
{
	return sm->units - sm->boot.sm * remote_stride(sm);
}

uintptr_t remote_shared(const struct sm *sm, const struct sm_cta *cta, uint32_t place)
{
	return units_shared(sm, cta) +
	       (gg_get(place, GG_MEMBER_SM) - (uintptr_t)sm->boot.sm) * remote_stride(sm) +
	       (gg_get(place, GG_MEMBER_UNIT) - (uintptr_t)cta->unit) * sm->unit_bytes;
}

static uint32_t remote_bytes(const struct sm_cta *cta)
{
	return cta->task->tmd->shared_bytes;
}

/* Find the member of the CTA's innermost CGA that owns the unit at a place: it begins at that unit, or at one of
 * those before (S1-G3: the match). All CTAs of a task take equally many units. */
static bool remote_owner(const struct sm *sm, const struct sm_cta *cta, uint32_t *place)
{
	for (uint32_t back = 0; back < cta->units && back <= gg_get(*place, GG_MEMBER_UNIT);
	     back++) {
		if (cga_member(sm, *place - back)->sequence == cta->sequence) {
			*place -= back;
			return true;
		}
	}
	return false;
}

/* @param[out] place  Place of the member whose shared memory holds the address; written when the result is GG_OK. */
static int32_t remote_look_up(const struct sm *sm, const struct sm_cta *cta, uintptr_t address,
			      uint32_t *place)
{
	const uintptr_t offset = address - remote_base(sm);
	const uintptr_t stride = remote_stride(sm);
	const uintptr_t number = offset / stride;

	if (number >= sm->cap->sms) {
		return GG_ERR_FAULT_ACCESS;
	}
	*place = gg_put(GG_MEMBER_SM, (uint32_t)number) |
		 gg_put(GG_MEMBER_UNIT, (uint32_t)(offset % stride) / sm->unit_bytes);
	if (!remote_owner(sm, cta, place) ||
	    address - remote_shared(sm, cta, *place) >= remote_bytes(cta)) {
		return GG_ERR_CLUSTER_RANGE;
	}
	return GG_OK;
}

int32_t remote_map(const struct sm *sm, const struct sm_cta *cta, uintptr_t address, uintptr_t rank,
		   uintptr_t *mapped)
{
	const uintptr_t offset = address - units_shared(sm, cta);
	uint32_t place = cga_place(sm, cta);

	if (offset >= remote_bytes(cta)) {
		return GG_ERR_CLUSTER_RANGE;
	}
	if (rank >= position_members(cta->task->tmd)) {
		return GG_ERR_CLUSTER_RANK;
	}
	if (cta->sequence != 0) {
		place = cga_find(sm, cta, (uint32_t)rank);
		if (cga_is_gone(sm, cta, place)) {
			return GG_ERR_CLUSTER_GONE;
		}
	}
	*mapped = remote_shared(sm, cta, place) + offset;
	return GG_OK;
}

int32_t remote_rank(const struct sm *sm, const struct sm_cta *cta, uintptr_t address,
		    uintptr_t *rank)
{
	uint32_t place;

	if (address - units_shared(sm, cta) < remote_bytes(cta)) {
		*rank = cta->sequence != 0 ? cta->rank : 0;
		return GG_OK;
	}
	if (cta->sequence == 0 || remote_look_up(sm, cta, address, &place) != GG_OK) {
		return GG_ERR_CLUSTER_RANGE;
	}
	*rank = gg_get(cga_member(sm, place)->rank, GG_MEMBER_RANK);
	return GG_OK;
}

static bool remote_is_open(const struct sm_cta *cta, uint32_t place)
{
	for (uint32_t i = 0; i < cta->windows; i++) {
		if (cta->window[i] == place) {
			return true;
		}
	}
	return false;
}

/* If a window is open, the access that was refused reaches beyond its end. */
int32_t remote_open(struct sm *sm, struct sm_cta *cta, uintptr_t address)
{
	uint32_t place;
	const int32_t status = remote_look_up(sm, cta, address, &place);

	if (status != GG_OK) {
		return status;
	}
	if (cga_is_gone(sm, cta, place)) {
		return GG_ERR_CLUSTER_GONE;
	}
	if (place == cga_place(sm, cta)) {
		return GG_ERR_FAULT_ACCESS;
	}
	if (remote_is_open(cta, place)) {
		return GG_ERR_CLUSTER_RANGE;
	}
	if (!cga_has_begun(sm, cta, place)) {
		schedule_yield(sm); /* the CTA makes the same access again at its next turn */
		return GG_OK;
	}
	if (cta->windows == SM_WINDOWS) {
		remote_drop(cta);
	}
	cta->window[cta->windows] = place;
	cta->windows++;
	cta->protection_of = 0;
	return GG_OK;
}

static void remote_close(struct sm_cta *cta, uint32_t window)
{
	cta->windows--;
	cta->protection_of = 0;
	for (uint32_t i = window; i < cta->windows; i++) {
		cta->window[i] = cta->window[i + 1];
		__asm__ volatile("" ::: "memory"); /* keep it a loop, not a call of memmove */
	}
}

void remote_drop(struct sm_cta *cta)
{
	remote_close(cta, 0);
}

void remote_prune(const struct sm *sm, struct sm_cta *cta)
{
	for (uint32_t i = cta->windows; i-- > 0;) {
		if (cga_is_gone(sm, cta, cta->window[i])) {
			remote_close(cta, i);
		}
	}
}
