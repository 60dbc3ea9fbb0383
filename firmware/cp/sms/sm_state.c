/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/sms/sm_state.h"

#include <assert.h>
#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/sms/sm_room.h"
#include "firmware/cp/task/trace.h"
#include "hal/mmio.h"

/** What the CP knows of an SM. Its size is a power of two, so that a shift finds that of an SM's number. What changes together
 * does not lie side by side: the compiler would put it together for one store, which takes longer than two. */
struct sm {
	uint32_t counted;        /* last `assign` that was not a wave's, without its slot */
	uint32_t free_units;     /* bit u: unit u is free */
	uint32_t free_registers; /* free registers */
	uint32_t assign;         /* last value written to task_assign */
	uint16_t rank;           /* position in the SM priority list */
	uint8_t free_ctas;       /* free CTA slots */
	uint8_t sync;            /* enum gg_sync_state */
	uint8_t free_warps;      /* free warp slots */
	uint8_t gpc;             /* number of its GPC */
	uint8_t cpc;             /* number of its CPC in that GPC */
	uint8_t tpc;             /* number of its TPC in that CPC */
	uint8_t service;         /* enum sm_service */
	bool wanted;             /* the host has not disabled it */
	bool enabled;            /* it serves and is wanted: it may take new CTAs */
	bool idle;               /* another SM has its memory in throttle mode */
} __attribute__((aligned(32)));

static struct sm sms[CP_SMS];
static uint16_t ranked[CP_SMS]; /* SM of each rank */
static uint32_t resident;       /* CTAs issued and not reported */
static uint32_t version;        /* counts changes of which SMs are enabled and of their ranks */

uint32_t sm_state_news[CP_SM_WORDS];
uint32_t sm_state_idle[CP_SM_WORDS];
uint32_t sm_state_order;

static bool holds_nothing(const struct sm *sm)
{
	return sm->free_ctas == device.resources.ctas && sm->free_units == sm_room_units;
}

/* These two run for each CTA, so they only set bits; classes are updated when they are used. */
static inline void sm_state_taken(uint32_t sm)
{
	bits_set(sm_state_news, sm);
	bits_clear(sm_state_idle, sm);
}

static inline void sm_state_freed(uint32_t sm)
{
	const struct sm *state = &sms[sm];

	bits_set(sm_state_news, sm);
	if (state->free_ctas == device.resources.ctas && holds_nothing(state) && state->enabled &&
	    !state->idle) {
		bits_set(sm_state_idle, sm);
	}
}

static void sm_state_changed(uint32_t sm)
{
	bits_clear(sm_state_idle, sm);
	sm_state_freed(sm);
}

void sm_state_init(void)
{
	for (uint32_t sm = 0; sm < CP_SMS; sm++) {
		sms[sm] = (struct sm){ .counted = gg_put(GG_SM_STATE_VALID, 1),
				       .rank = (uint16_t)sm };
		ranked[sm] = (uint16_t)sm;
	}
	for (uint32_t word = 0; word < CP_SM_WORDS; word++) {
		sm_state_idle[word] = 0;
	}
	due_clear(DUE_RANKED);
	sm_room_init();
	sm_state_order++;
	resident = 0;
}

/* Copies the free resources into SM STATE for the host; the CP never reads them there. */
static void sm_state_show(uint32_t sm)
{
	struct gg_sm_state *words = &device.sms[sm];

	mmio_write32(&words->free_units, sms[sm].free_units);
	mmio_write32(&words->free_ctas, sms[sm].free_ctas);
	mmio_write32(&words->free_warps, sms[sm].free_warps);
}

__attribute__((cold)) void sm_state_add(uint32_t sm)
{
	sms[sm].free_units = sm_room_units;
	sms[sm].free_registers = device.resources.registers;
	sms[sm].free_ctas = (uint8_t)device.resources.ctas;
	sms[sm].free_warps = (uint8_t)device.resources.warps;
	sms[sm].service = SM_SERVICE_YES;
	sm_state_enable(sm, true);
	sm_state_show(sm);
}

__attribute__((cold)) void sm_state_enable(uint32_t sm, bool enabled)
{
	sms[sm].wanted = enabled;
	sms[sm].enabled = enabled && sms[sm].service == SM_SERVICE_YES;
	version++;
	sm_state_changed(sm);
}

__attribute__((cold)) void sm_state_serve(uint32_t sm, enum sm_service service)
{
	sms[sm].service = (uint8_t)service;
	sm_state_enable(sm, sms[sm].wanted);
}

enum sm_service sm_state_service(uint32_t sm)
{
	return (enum sm_service)sms[sm].service;
}

__attribute__((cold)) void sm_state_stop(uint32_t sm, enum sm_service reason)
{
	sm_state_serve(sm, sm_state_is_lost(sm) ? SM_SERVICE_BACK : reason);
}

uint32_t sm_state_version(void)
{
	return version;
}

bool sm_state_enabled(uint32_t sm)
{
	return sms[sm].enabled;
}

__attribute__((cold)) bool sm_state_owes(uint32_t sm)
{
	return sms[sm].service == SM_SERVICE_YES && sms[sm].free_ctas != device.resources.ctas;
}

__attribute__((cold)) void sm_state_rank(const uint16_t order[CP_SMS])
{
	bool is_ranked = false;

	for (uint32_t rank = 0; rank < device.sms_count; rank++) {
		ranked[rank] = order[rank];
		sms[order[rank]].rank = (uint16_t)rank;
		is_ranked |= order[rank] != rank;
	}
	due_note(DUE_RANKED, is_ranked);
	version++;
	sm_state_order++;
}

uint32_t sm_state_sm(uint32_t rank)
{
	return ranked[rank];
}

uint32_t sm_state_rank_of(uint32_t sm)
{
	return sms[sm].rank;
}

static uint32_t minimum(uint32_t left, uint32_t right)
{
	return left < right ? left : right;
}

/* How many CTAs the free resources that are counted suffice for: all but the memory units. */
static inline uint32_t counted_room(const struct sm *sm, const struct task_needs *needs)
{
	uint32_t slots = sm->free_ctas;

	slots = minimum(slots, needs->warps == 1 ? sm->free_warps : sm->free_warps / needs->warps);
	if (needs->registers != 0) {
		slots = minimum(slots, sm->free_registers / needs->registers);
	}
	return slots;
}

/* How many CTAs the free resources suffice for: the least number over all resources (S1-R49). */
static inline uint32_t sm_state_room(const struct sm *sm, const struct task_needs *needs)
{
	return sm_room_ctas(sm->free_units, needs->units, counted_room(sm, needs));
}

uint32_t sm_state_slots(uint32_t number, const struct task_needs *needs)
{
	const struct sm *sm = &sms[number];

	if (!sm->enabled || sm->idle || sm->free_ctas == 0) {
		return 0;
	}
	return sm_state_room(sm, needs);
}

uint32_t sm_state_slots_whole(const struct task_needs *needs)
{
	const struct sm whole = {
		.free_units = sm_room_units,
		.free_registers = device.resources.registers,
		.free_ctas = (uint8_t)device.resources.ctas,
		.free_warps = (uint8_t)device.resources.warps,
	};

	return sm_state_room(&whole, needs);
}

uint32_t sm_state_slots_all(const struct task_needs *needs)
{
	return device.sms_count * sm_state_slots_whole(needs);
}

bool sm_state_idle_is_best(const struct task_needs *needs)
{
	const uint32_t most = device.resources.ctas;

	return needs->registers == 0 && needs->warps * most <= device.resources.warps &&
	       sm_room_whole[needs->units].ctas >= most;
}

__attribute__((cold)) uint32_t sm_state_slots_idle(uint32_t sm, const struct task_needs *needs)
{
	const struct sm *state = &sms[sm];

	return state->wanted && state->service != SM_SERVICE_LOST ? sm_state_slots_whole(needs) : 0;
}

static inline void take(uint32_t sm, const struct task *task, uint32_t units, uint32_t ctas)
{
	struct sm *state = &sms[sm];

	state->free_units &= ~units;
	state->free_ctas -= (uint8_t)ctas;
	state->free_warps -= (uint8_t)(ctas * task->rules.needs.warps);
	state->free_registers -= ctas * task->rules.needs.registers;
	resident += ctas;
	sm_state_taken(sm);
	sm_state_show(sm);
}

uint32_t sm_state_reserve(uint32_t sm, const struct task *task, uint32_t ctas)
{
	const struct sm *state = &sms[sm];
	const uint32_t starts = sm_room_starts(state->free_units, task->rules.needs.units, ctas);

	assert(ctas <= state->free_ctas);
	take(sm, task, starts * task->rules.unit_mask, ctas);
	return starts;
}

/* An SM that the host has disabled takes back what it had. */
__attribute__((cold)) bool sm_state_retake(uint32_t sm, const struct task *task, uint32_t start)
{
	const struct sm *state = &sms[sm];
	const struct task_needs *needs = &task->rules.needs;
	const uint32_t units = start * task->rules.unit_mask;

	if (state->service != SM_SERVICE_YES || state->free_ctas == 0 ||
	    (units & ~state->free_units) != 0 || state->free_warps < needs->warps ||
	    state->free_registers < needs->registers) {
		return false;
	}
	take(sm, task, units, 1);
	return true;
}

void sm_state_reserve_first(uint32_t sm, const struct task *task)
{
	BITS_ASSERT(holds_nothing(&sms[sm]));
	take(sm, task, task->rules.unit_mask, 1);
}

/* In line in both functions that use it: it is on the path of every report. */
static inline __attribute__((always_inline)) void release(uint32_t sm, const struct task *task,
							  uint32_t starts, uint32_t ctas)
{
	struct sm *state = &sms[sm];

	state->free_ctas += (uint8_t)ctas;
	state->free_warps += (uint8_t)(ctas * task->rules.needs.warps);
	state->free_registers += ctas * task->rules.needs.registers;
	resident -= ctas;
	state->free_units |= starts * task->rules.unit_mask;
	sm_state_freed(sm);
	sm_state_show(sm);
}

void sm_state_release(uint32_t sm, const struct task *task, uint32_t starts, uint32_t ctas)
{
	release(sm, task, starts, ctas);
}

void sm_state_free_units(uint32_t sm, uint32_t units)
{
	assert((sms[sm].free_units & units) == 0);
	sms[sm].free_units |= units;
	sm_state_freed(sm);
	sm_state_show(sm);
}

static bool sm_state_has(const struct sm *sm, uint32_t slot)
{
	return sm->sync != GG_SYNC_STATE_NONE && gg_get(sm->assign, GG_SM_STATE_SLOT) == slot;
}

/* The sequence number makes each assignment a different word, so an old acknowledgement is never mistaken for a new
 * one. */
static inline void sm_state_send(struct sm *state, struct gg_sm_state *words, uint32_t assign)
{
	state->assign = assign;
	state->sync = GG_SYNC_STATE_WAIT_ACK;
	words->cta_launch = 0;
	words->state_sync = GG_SYNC_STATE_WAIT_ACK;
	words->task_assign = state->assign;
	perf_count(&device.perf->assignments);
}

void sm_state_assign_as(uint32_t sm, uint32_t assign)
{
	sm_state_send(&sms[sm], &device.sms[sm], assign);
}

/* The word of an assignment, which is none of the last 65,535 that the SM acknowledged: those of waves are not counted, and have
 * a bit of their own. */
static inline uint32_t sm_state_next(struct sm *state, const struct task *task)
{
	state->counted += gg_put(GG_SM_STATE_SEQUENCE, 1);
	return state->counted | gg_put(GG_SM_STATE_SLOT, task->turn.slot);
}

uint32_t sm_state_assign_first(uint32_t sm, const struct task *task)
{
	struct sm *state = &sms[sm];

	sm_state_send(state, &device.sms[sm], sm_state_next(state, task));
	return state->assign;
}

/* The last thing that its caller does, so that no registers are saved while the device is not traced. */
static __attribute__((cold, noinline)) uint32_t trace_assignment(const struct task *task,
								 uint32_t sm, uint32_t assign)
{
	trace_write_now(task, trace_kind(GG_TRACE_TYPE_ASSIGN, sm), sm, 0);
	return assign;
}

uint32_t sm_state_assign(uint32_t sm, const struct task *task)
{
	struct sm *state = &sms[sm];

	if (sm_state_has(state, task->turn.slot)) {
		return state->assign;
	}
	sm_state_send(state, &device.sms[sm], sm_state_next(state, task));
	return trace_is_on() ? trace_assignment(task, sm, state->assign) : state->assign;
}

void sm_state_hear(uint32_t sm)
{
	struct sm *state = &sms[sm];
	struct gg_sm_state *words = &device.sms[sm];

	if (state->sync == GG_SYNC_STATE_WAIT_ACK &&
	    mmio_read32(&words->sync_ack) == state->assign) {
		state->sync = GG_SYNC_STATE_ACKED;
		words->state_sync = GG_SYNC_STATE_ACKED;
		words->cta_launch = 1;
		perf_count(&device.perf->acks);
	}
}

static __attribute__((noinline)) uint32_t hear_and_assign(uint32_t sm, const struct task *task)
{
	sm_state_hear(sm);
	return sm_state_assign(sm, task);
}

uint32_t sm_state_assign_again(uint32_t sm, const struct task *task)
{
	const struct sm *state = &sms[sm];

	return state->sync == GG_SYNC_STATE_ACKED && sm_state_has(state, task->turn.slot)
		       ? state->assign
		       : hear_and_assign(sm, task);
}

void sm_state_lend(const uint32_t *lent, uint32_t ctas)
{
	resident += ctas;
	for (uint32_t word = 0; word < device.sm_words; word++) {
		sm_state_idle[word] &= ~lent[word];
	}
}

void sm_state_return(const uint32_t *lent, uint32_t ctas)
{
	resident -= ctas;
	for (uint32_t word = 0; word < device.sm_words; word++) {
		sm_state_idle[word] |= lent[word];
	}
}

static void sm_state_unassign(uint32_t sm)
{
	struct gg_sm_state *words = &device.sms[sm];

	sms[sm].sync = GG_SYNC_STATE_NONE;
	words->state_sync = GG_SYNC_STATE_NONE;
	words->cta_launch = 0;
}

__attribute__((cold)) void sm_state_regain(uint32_t sm)
{
	sm_state_unassign(sm);
	sm_state_serve(sm, SM_SERVICE_YES);
}

void sm_state_forget_only(uint32_t sm, uint32_t slot)
{
	if (sm_state_has(&sms[sm], slot)) {
		sm_state_unassign(sm);
	}
}

/* SMs are assigned a task only to send them CTAs of it, so `task->sms` holds all of them. */
void sm_state_forget(const struct task *task, uint32_t slot)
{
	for (uint32_t sm = 0; bits_next(task->sms, device.sm_words, &sm); sm++) {
		sm_state_forget_only(sm, slot);
	}
}

/* It took the CTA behind its acknowledgement, which nobody has looked for if it is still waited for. */
void sm_state_end_only(uint32_t sm, const struct task *task, uint32_t starts)
{
	const struct sm *state = &sms[sm];

	release(sm, task, starts, 1);
	if (!sm_state_has(state, task->turn.slot)) {
		sm_state_hear(sm); /* of the assignment to another task */
		return;
	}
	if (state->sync == GG_SYNC_STATE_WAIT_ACK) {
		perf_count(&device.perf->acks);
	}
	sm_state_unassign(sm);
}

/* Whether CTAs that start there are as many as an SM that holds nothing has units for: they are at the lowest of its units, so
 * that as many again get the same. */
static inline bool fills(const struct task *task, uint32_t starts)
{
	return starts == sm_room_whole[task->rules.needs.units].starts;
}

/* There is room for as many as have ended. Is there room for more? Where CTA slots or units have run out, these are what ends it; so
 * are the units where those of the ended ones do not suffice for more. */
bool sm_state_fits_again(uint32_t sm, const struct task *task, uint32_t ctas, uint32_t starts)
{
	const struct sm *state = &sms[sm];
	const struct task_needs *needs = &task->rules.needs;

	if (!state->enabled || state->idle) {
		return false;
	}
	if (state->free_ctas == 0 || state->free_units == 0 || fills(task, starts)) {
		return true;
	}
	const struct sm after = {
		.free_units = state->free_units | starts * task->rules.unit_mask,
		.free_registers = state->free_registers + ctas * needs->registers,
		.free_ctas = (uint8_t)(state->free_ctas + ctas),
		.free_warps = (uint8_t)(state->free_warps + ctas * needs->warps),
	};

	return sm_room_ctas(after.free_units, needs->units, ctas + 1) == ctas ||
	       counted_room(&after, needs) == ctas;
}

uint32_t sm_state_again(uint32_t sm, const struct task *task, uint32_t starts)
{
	struct sm *state = &sms[sm];
	const uint32_t free = state->free_units | starts * task->rules.unit_mask;

	if (state->free_units == 0 || fills(task, starts)) {
		return starts;
	}
	const uint32_t again = sm_room_starts(free, task->rules.needs.units, bits_count(starts));

	if (again != starts) {
		state->free_units = free & ~(again * task->rules.unit_mask);
		bits_set(sm_state_news, sm);
		sm_state_show(sm);
	}
	return again;
}

uint32_t sm_state_gpc(uint32_t sm)
{
	return sms[sm].gpc;
}

uint32_t sm_state_cpc(uint32_t sm)
{
	return sms[sm].cpc;
}

uint32_t sm_state_tpc(uint32_t sm)
{
	return sms[sm].tpc;
}

__attribute__((cold)) void sm_state_group(uint32_t sm, uint32_t group)
{
	sms[sm].gpc = (uint8_t)gg_get(group, GG_CONFIG_GPC);
	sms[sm].cpc = (uint8_t)gg_get(group, GG_CONFIG_CPC);
	sms[sm].tpc = (uint8_t)gg_get(group, GG_CONFIG_TPC);
	sm_state_order++; /* this makes everything invalid that is kept by rank or domain */
}

/* The SM reads these words when it is next assigned a task. */
static void sm_state_tell_share(uint32_t sm, uint32_t shared)
{
	struct gg_sm_state *words = &device.sms[sm];

	gg_split(&words->share_lo, &words->share_hi, device.units_base + sm * device.units_stride);
	words->share_sms = shared;
	words->share_sequence++;
}

__attribute__((cold)) void sm_state_share(uint32_t shared)
{
	assert(resident == 0);
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		sms[sm].idle = sm % shared != 0 || sm + shared > device.sms_count;
		sm_state_tell_share(sm, shared);
		sm_state_unassign(sm);
		sm_state_changed(sm);
	}
}

uint32_t sm_state_resident(void)
{
	return resident;
}
