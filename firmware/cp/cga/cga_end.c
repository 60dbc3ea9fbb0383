/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/cga/cga_end.h"

#include <assert.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/cga/cga_again.h"
#include "firmware/cp/cga/cga_barrier.h"
#include "firmware/cp/cga/cga_id.h"
#include "firmware/cp/cga/cga_record.h"
#include "firmware/cp/sms/sm_state.h"

/* Members on one SM are mostly neighbours in the circle, so their units are freed together.
 * `mask`: units of a member, from its lowest one on; 0 if they are free already. */
static void free_members(uint32_t mask, const struct cga *cga)
{
	struct cga_member_place place = { cga->head_sm, cga->head_unit };
	uint32_t sm = place.sm;
	uint32_t units = 0;

	for (uint32_t rank = 0; rank < cga->size; rank++) {
		struct gg_member *member = cga_member(place);

		BITS_ASSERT(member->sequence == cga->sequence);
		if (mask != 0 && place.sm != sm) {
			sm_state_free_units(sm, units);
			sm = place.sm;
			units = 0;
		}
		units |= mask << place.unit;
		member->sequence = 0;
		place = cga_member_after(member);
	}
	if (mask != 0) {
		sm_state_free_units(sm, units);
	}
}

static __attribute__((noinline)) void end(uint32_t mask, uint32_t number)
{
	const struct cga *cga = cga_record(number);

	if (cga->level == 0) {
		free_members(mask, cga);
		cga_id_give(cga->pool, cga->id);
	}
	cga_record_close(number);
}

/* Counts an ended CTA in all its CGAs, the innermost first: a CGA ends after all the CGAs in it. */
static void end_cta(struct task *task, struct cga_member_place place, bool well)
{
	uint32_t number = cga_member_record(place);

	assert(number != CGA_NONE);
	while (number != CGA_NONE) {
		struct cga *cga = cga_record(number);
		const uint32_t parent = cga->parent;

		assert(cga->running != 0);
		cga->failed = (uint16_t)(cga->failed + (well ? 0 : 1));
		if (--cga->running == 0) {
			if (cga->again != 0) {
				cga_again_keep(task, cga);
			}
			end(task->rules.unit_mask, number);
		} else {
			cga_barrier_check(number);
		}
		number = parent;
	}
}

__attribute__((noinline)) void cga_end_ctas(struct task *task, uint32_t sm, uint32_t starts,
					    bool well)
{
	const uint32_t open = cga_barrier_open(sm);

	sm_state_release(sm, task, 0, bits_count(starts));
	for (; starts != 0; starts &= starts - 1) {
		const struct cga_member_place place = { sm, bits_lowest(starts) };

		if ((open & bits_isolate(starts)) != 0) {
			cga_barrier_leave(place);
		}
		end_cta(task, place, well);
	}
}

void cga_end_wave(uint32_t slot)
{
	for (uint32_t number = cga_of_wave[slot], next; number != CGA_NONE; number = next) {
		struct cga *cga = cga_record(number);

		next = cga->next;
		cga->running = 0;
		end(0, number);
	}
}
