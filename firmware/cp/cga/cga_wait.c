/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/cga/cga_wait.h"

#include "firmware/cp/sms/availability.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/cga/cga.h"
#include "firmware/cp/cga/cga_id.h"
#include "firmware/cp/cga/cga_count.h"
#include "firmware/cp/cga/cga_place.h"
#include "firmware/cp/cga/cga_record.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/sms/offer.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/sms/sm_class.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/sms/sm_tree.h"

/* How long a reservation lasts: until so many times as many CTAs as the device can hold have been issued elsewhere.
 * If the domain is still not free, something runs there that does not end, or that takes far longer than what runs
 * elsewhere. */
#define RESERVATION_TURNS 16u

/** How a task of CGAs waits: task->cga_wait.how. */
enum wait {
	WAIT_NOT = 0,  /**< It does not wait. */
	WAIT_PATIENCE, /**< Since `since`, others may pass it. */
	WAIT_RESERVED, /**< Since `since`, `domain` is reserved for it. */
	WAIT_BOTH,     /**< As WAIT_RESERVED, and it has since had room, but no id. */
	WAIT_HOPELESS  /**< It fits in no domain now. */
};

static uint32_t patience;
static bool keeps_ids;                 /* ids and records are kept for a CGA in this walk */
static uint32_t reserved[CP_SM_WORDS]; /* result of sms_of(): a bitmap by number */

void cga_wait_set_patience(uint32_t ctas)
{
	patience = ctas;
}

void cga_wait_init(void)
{
	patience = CGA_PATIENCE;
}

void cga_wait_walk(void)
{
	keeps_ids = false;
}

bool cga_wait_keeps_ids(void)
{
	return keeps_ids;
}

void cga_wait_over(struct task *task)
{
	task->cga_wait.how = WAIT_NOT;
}

/* How many CTAs may still be issued past the task. */
static uint32_t patience_left(struct task *task)
{
	if (task->cga_wait.how == WAIT_NOT) {
		task->cga_wait.how = WAIT_PATIENCE;
		task->cga_wait.since = offer_total();
	}
	const uint32_t passed = offer_total() - task->cga_wait.since;

	return task->cga_wait.how == WAIT_PATIENCE && passed < patience ? patience - passed : 0;
}

static enum gg_domain outermost(const struct task *task)
{
	return (enum gg_domain)task->rules.shape.domain[task->rules.shape.levels - 1u];
}

/* The SMs of a domain that the task may use. */
static const uint32_t *sms_of(const struct task *task, uint32_t index)
{
	const struct sm_domain *domain = sm_tree_domain(outermost(task), index);

	for (uint32_t word = 0; word < device.sm_words; word++) {
		reserved[word] = 0;
	}
	for (uint32_t part = 0; part < domain->parts_count; part++) {
		uint32_t ranks = domain->parts[part].ranks;

		for (; ranks != 0; ranks &= ranks - 1) {
			const uint32_t rank = domain->parts[part].word * 32u + bits_lowest(ranks);
			const uint32_t sm = sm_state_sm(rank);

			if (!task->rules.restricted || bits_has(task->allowed, sm)) {
				bits_set(reserved, sm);
			}
		}
	}
	return reserved;
}

/* A domain that was reserved is still there: the groups do not change while there are tasks with CGAs. */
static bool fits(const struct task *task, uint32_t index)
{
	return cga_count(&task->rules.shape, &task->rules.needs, sms_of(task, index), true, 1) != 0;
}

/* How good it would be to reserve a domain: the number of free slots for the task on those of its SMs that are
 * offered, plus 1; 0 when none is offered, because others have claimed them. */
static uint32_t worth(const struct task *task, uint32_t index)
{
	const uint32_t *offered = offer_to(task);
	const uint32_t *sms = sms_of(task, index);
	const struct availability *levels = sm_class_levels(&task->rules.needs, NULL);
	uint32_t slots = 0;
	uint32_t any = 0;

	for (uint32_t sm = 0; bits_next(sms, device.sm_words, &sm); sm++) {
		if (offered == NULL || bits_has(offered, sm)) {
			slots += levels->level[sm_state_rank_of(sm)];
			any = 1;
		}
	}
	return slots + any;
}

static void reserve(struct task *task, uint32_t index)
{
	task->cga_wait.how = WAIT_RESERVED;
	task->cga_wait.domain = (uint16_t)index;
	task->cga_wait.since = offer_total();
}

/* Chooses the domain to reserve. This counts CGAs at most once for each domain; it runs once for each reservation,
 * and when SMs were enabled or disabled. */
static void choose(struct task *task)
{
	const uint32_t domains = sm_tree_count(outermost(task));
	uint32_t most = 0;

	task->cga_wait.how = WAIT_HOPELESS;
	for (uint32_t index = 0; index < domains; index++) {
		const uint32_t value = worth(task, index);

		if ((task->cga_wait.how == WAIT_HOPELESS || value > most) && fits(task, index)) {
			reserve(task, index);
			most = value;
		}
	}
	if (task->cga_wait.how == WAIT_RESERVED) {
		perf_count(&device.perf->cga_reservations);
	}
}

/* Moves the reservation to the next domain in which the CGA fits; it stays if there is no other one. */
static void move_on(struct task *task)
{
	const uint32_t domains = sm_tree_count(outermost(task));
	const uint8_t wait = task->cga_wait.how;
	uint32_t index = task->cga_wait.domain;

	do {
		index = index + 1 < domains ? index + 1 : 0;
	} while (index != task->cga_wait.domain && !fits(task, index));
	if (index != task->cga_wait.domain) {
		perf_count(&device.perf->cga_reservations);
	}
	reserve(task, index);
	task->cga_wait.how = wait;
}

static bool lasts_too_long(const struct task *task)
{
	const uint32_t slots = device.sms_count * device.resources.ctas;

	return offer_total() - task->cga_wait.since >= RESERVATION_TURNS * slots;
}

static bool is_reserved(const struct task *task)
{
	return task->cga_wait.how == WAIT_RESERVED || task->cga_wait.how == WAIT_BOTH;
}

/* Whether a domain is reserved. The answer depends on which SMs are enabled, so it is computed again only when that
 * changes. */
static bool holds_domain(struct task *task)
{
	const bool chosen = is_reserved(task) || task->cga_wait.how == WAIT_HOPELESS;

	if (!chosen || task->cga_wait.version != sm_state_version()) {
		if (!is_reserved(task) || !fits(task, task->cga_wait.domain)) {
			choose(task);
		}
		task->cga_wait.version = sm_state_version();
	}
	if (is_reserved(task) && lasts_too_long(task)) {
		move_on(task);
	}
	return is_reserved(task);
}

/* If tasks behind it took the next free id while it waits for room, and then the room while it waits for an id, it
 * would wait forever. So once it has had room but no id, ids are kept for it also while it waits for room. */
bool cga_wait_for_room(struct task *task)
{
	const uint32_t left = patience_left(task);

	if (left != 0) {
		offer_at_most(left);
		return true;
	}
	if (!holds_domain(task)) {
		return true;
	}
	keeps_ids = keeps_ids || task->cga_wait.how == WAIT_BOTH;
	return offer_claim_sms(sms_of(task, task->cga_wait.domain));
}

void cga_wait_for_id(struct task *task)
{
	const struct cga_shape *shape = &task->rules.shape;
	const uint32_t innermost = cga_shape_ctas(shape) / shape->parts[0];

	if (patience_left(task) == 0 && innermost <= cga_id_limit()) {
		keeps_ids = true;
		task->cga_wait.how =
			task->cga_wait.how == WAIT_RESERVED ? WAIT_BOTH : task->cga_wait.how;
	}
}
