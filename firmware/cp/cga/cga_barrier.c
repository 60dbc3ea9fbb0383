/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/cga/cga_barrier.h"

#include <stdbool.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/sms/sm_state.h"
#include "hal/atomic.h"
#include "hal/fence.h"
#include "hal/mmio.h"

/* `come` as last read, by SM and level. Bit u belongs to the CTA that starts at unit u; the CTA waits while this bit
 * and its bit of `go` differ. */
static uint32_t come[CP_SMS][CP_CGA_LEVELS];
static uint32_t
	released[CP_SM_WORDS]; /* SMs that have to be interrupted, by number; empty between turns */
static bool any_released;      /* `released` is not empty */

static uint32_t come_now(uint32_t sm, uint32_t level)
{
	return mmio_read32(&device.clusters[sm].come[level]);
}

void cga_barrier_init(void)
{
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		for (uint32_t level = 0; level < CP_CGA_LEVELS; level++) {
			come[sm][level] = come_now(sm, level);
			mmio_write32(&device.clusters[sm].go[level], come[sm][level]);
		}
	}
}

static bool is_waiting(struct cga_member_place place, uint32_t level)
{
	const uint32_t go = device.clusters[place.sm].go[level];

	return ((come[place.sm][level] ^ go) >> place.unit & 1u) != 0;
}

/* Makes the CTA's bits of `come` and `go` equal. */
static void let_go(struct cga_member_place place, uint32_t level)
{
	uint32_t *go = &device.clusters[place.sm].go[level];

	mmio_write32(go, *go ^ 1u << place.unit);
}

static void let_go_and_tell(struct cga_member_place place, uint32_t level)
{
	let_go(place, level);
	bits_set(released, place.sm);
	any_released = true;
}

/* Releases the members that wait; those that have ended do not. This takes at most CP_CGA_CTAS steps. */
static void release(uint32_t number, uint32_t level)
{
	const struct cga *cga = cga_record(number);
	struct cga_member_place place = { cga->head_sm, cga->head_unit };

	for (uint32_t rank = 0; rank < cga->size; rank++) {
		if (is_waiting(place, level)) {
			let_go_and_tell(place, level);
		}
		place = cga_member_next(place);
	}
}

__attribute__((noinline)) void cga_barrier_check(uint32_t number)
{
	struct cga *cga = cga_record(number);
	uint32_t inner = number;

	if (cga->waiting != cga->running || cga->running == 0 || cga->failed != 0) {
		return;
	}
	atomic_add(&device.perf->cga_barriers, 1); /* SMs count theirs there, too */
	cga->waiting = 0;
	fence_release(); /* what CTAs wrote before the barrier becomes visible before `go` */
	if (cga->level == 0) {
		release(number, 0);
		return;
	}
	while ((inner = cga_record_next(number, inner)) != CGA_NONE) {
		release(inner, cga->level);
	}
}

/* `waits`: the CTA's bits differ. */
static void arrive(struct cga_member_place place, uint32_t level, bool waits)
{
	const uint32_t number = cga_record_at(cga_member_record(place), level);

	if (number != CGA_NONE) {
		struct cga *cga = cga_record(number);

		cga->waiting = (uint16_t)(cga->waiting + (waits ? 1u : UINT32_MAX));
		cga_barrier_check(number);
	} else if (waits) { /* no CGA to wait for: the CTA must not hang */
		let_go_and_tell(place, level);
	}
}

/* Takes arrivals, at least one of which is new. */
static __attribute__((noinline)) void hear_changed(uint32_t sm)
{
	for (uint32_t level = 0; level < CP_CGA_LEVELS; level++) {
		const uint32_t now = come_now(sm, level);
		const uint32_t open = now ^ device.clusters[sm].go[level];
		uint32_t changed = now ^ come[sm][level];

		come[sm][level] = now;
		for (; changed != 0; changed &= changed - 1) {
			arrive((struct cga_member_place){ sm, bits_lowest(changed) }, level,
			       (open & bits_isolate(changed)) != 0);
		}
	}
}

/* Nearly always no CTA has come to a barrier, which one look at all levels tells. */
void cga_barrier_hear(uint32_t sm)
{
	const struct gg_cluster *words = &device.clusters[sm];
	const uint32_t *seen = come[sm];
	uint32_t changed = 0;

#pragma GCC unroll 4
	for (uint32_t level = 0; level < CP_CGA_LEVELS; level++) {
		changed |= mmio_read32(&words->come[level]) ^ seen[level];
	}
	if (changed != 0) {
		hear_changed(sm);
	}
}

/* The CTA may have passed the barrier without waiting, or may have been stopped there, whether the CP has seen its
 * arrival or not. Its bits are made equal here, because the next CTA that starts at its unit relies on that. */
static void leave_level(struct cga_member_place place, uint32_t level)
{
	const uint32_t bit = 1u << place.unit;
	uint32_t *seen = &come[place.sm][level];

	if (is_waiting(place, level)) {
		cga_record(cga_record_at(cga_member_record(place), level))->waiting--;
	}
	*seen = (*seen & ~bit) | (come_now(place.sm, level) & bit);
	if (is_waiting(place, level)) {
		let_go(place, level);
	}
}

uint32_t cga_barrier_open(uint32_t sm)
{
	const struct gg_cluster *words = &device.clusters[sm];
	const uint32_t *seen = come[sm];
	uint32_t open = 0;

#pragma GCC unroll 4
	for (uint32_t level = 0; level < CP_CGA_LEVELS; level++) {
		const uint32_t go = words->go[level];

		open |= (seen[level] ^ go) | (mmio_read32(&words->come[level]) ^ go);
	}
	return open;
}

void cga_barrier_leave(struct cga_member_place place)
{
	for (uint32_t level = 0; level < CP_CGA_LEVELS; level++) {
		leave_level(place, level);
	}
}

void cga_barrier_ring(void)
{
	if (!any_released) {
		return;
	}
	any_released = false;
	for (uint32_t sm = 0; bits_next(released, device.sm_words, &sm); sm++) {
		bits_clear(released, sm);
		sm_interrupt(sm);
	}
}
