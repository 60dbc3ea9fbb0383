/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/sms/sm_class.h"

#include <stddef.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/sms/sm_state.h"

#define CLASSES 4u /* classes that are kept at once */

/** A class: the levels for one set of needs. */
struct class
{
	struct task_needs needs;     /* resources of a CTA */
	uint32_t whole;              /* free slots of an SM that holds nothing */
	uint32_t used;               /* `clock_now` at its last use */
	uint32_t stale[CP_SM_WORDS]; /* SMs, by number, whose level is not up to date */
	uint32_t changed
		[CP_SM_WORDS];      /* SMs, by number, whose level changed since the last session */
	uint32_t any[CP_SM_WORDS];  /* SMs, by number, on a level above 0 */
	struct availability levels; /* levels, up to date except for stale SMs */
};

static struct class classes[CLASSES];
static uint32_t seen_order;      /* `sm_state_order` when the classes were made */
static uint32_t classes_used;    /* number of entries in use, from the first */
static uint32_t clock_now;       /* counts uses of classes */
static uint32_t recent;          /* index of the class that was used last */
static struct availability some; /* levels of some of the SMs, or as if all were idle */

/** Whether `some` holds the levels of idle SMs. They are kept because admission asks for the same levels for each
 * task of a kind. */
static struct {
	bool valid;              /* `some` holds the levels of all SMs as if idle */
	struct task_needs needs; /* needs for which they were computed */
	uint32_t version;        /* sm_state_version() at that time */
} some_idle;

/* Drops all classes, because levels are kept by rank and the ranks have changed. */
static void forget_order(void)
{
	seen_order = sm_state_order;
	classes_used = 0;
	some_idle.valid = false;
}

/* Marks the SMs that have changed as stale in each class. */
static void classes_hear(void)
{
	if (seen_order != sm_state_order) {
		forget_order();
	}
	for (uint32_t word = 0; word < device.sm_words; word++) {
		const uint32_t changed = sm_state_news[word];

		if (changed != 0) {
			sm_state_news[word] = 0;
			for (uint32_t index = 0; index < classes_used; index++) {
				classes[index].stale[word] |= changed;
			}
		}
	}
}

static void class_level(struct class *class, uint32_t sm, uint32_t slots)
{
	const uint32_t rank = sm_state_rank_of(sm);

	if (class->levels.level[rank] != slots) {
		availability_set(&class->levels, rank, slots);
		bits_set(class->changed, sm);
	}
	if (slots != 0) {
		bits_set(class->any, sm);
	} else {
		bits_clear(class->any, sm);
	}
}

static void class_refresh(struct class *class)
{
	for (uint32_t word = 0; word < device.sm_words; word++) {
		uint32_t stale = class->stale[word];

		class->stale[word] = 0;
		while (stale != 0) {
			const uint32_t sm = word * 32 + bits_lowest(stale);
			const uint32_t slots = bits_has(sm_state_idle, sm)
						       ? class->whole
						       : sm_state_slots(sm, &class->needs);

			class_level(class, sm, slots);
			device.sms[sm].availability = slots;
			stale &= stale - 1;
		}
	}
}

static void class_build(struct class *class, const struct task_needs *needs)
{
	perf_count(&device.perf->class_rebuilds);
	class->needs = *needs;
	class->whole = sm_state_slots_whole(needs);
	class->levels = (struct availability){ 0 };
	for (uint32_t word = 0; word < device.sm_words; word++) {
		class->any[word] = 0;
		class->stale[word] = device_sms_of_word(word);
		class->changed[word] = class->stale[word];
	}
}

static struct class *oldest_class(void)
{
	struct class *oldest = &classes[0];

	if (classes_used < CLASSES) {
		return &classes[classes_used++];
	}
	for (uint32_t index = 1; index < CLASSES; index++) {
		if (clock_now - classes[index].used > clock_now - oldest->used) {
			oldest = &classes[index];
		}
	}
	return oldest;
}

/* The class of these needs: one that is kept, or a new one in the place of the class that was used longest ago. */
static struct class *class_of(const struct task_needs *needs)
{
	struct class *class = &classes[recent];

	classes_hear();
	if (recent >= classes_used || !task_needs_are(&class->needs, needs)) {
		class = classes;
		while (class != classes + classes_used && !task_needs_are(&class->needs, needs)) {
			class ++;
		}
		if (class == classes + classes_used) {
			class = oldest_class();
			class_build(class, needs);
		}
		recent = (uint32_t)(class - classes);
	}
	class->used = ++clock_now;
	return class;
}

static struct class *class_current(const struct task_needs *needs)
{
	struct class *class = class_of(needs);

	class_refresh(class);
	return class;
}

/* Few tasks are restricted to some of the SMs, so levels for these are put together for each call. */
static const struct availability *restricted_levels(const struct availability *levels,
						    const uint32_t *sms)
{
	some_idle.valid = false;
	some = (struct availability){ 0 };
	for (uint32_t sm = 0; bits_next(sms, device.sm_words, &sm); sm++) {
		const uint32_t rank = sm_state_rank_of(sm);

		availability_set(&some, rank, levels->level[rank]);
	}
	return &some;
}

const struct availability *sm_class_levels(const struct task_needs *needs, const uint32_t *sms)
{
	const struct availability *levels = &class_current(needs)->levels;

	return sms == NULL ? levels : restricted_levels(levels, sms);
}

struct sm_class_session sm_class_begin(const struct task_needs *needs, const uint32_t *sms)
{
	struct class *class = class_current(needs);

	if (sms != NULL) {
		restricted_levels(&class->levels, sms);
		return (struct sm_class_session){ .levels = &some };
	}
	return (struct sm_class_session){ .levels = &class->levels,
					  .changed = class->changed,
					  .stale = class->stale };
}

const struct availability *sm_class_idle(const struct task_needs *needs, const uint32_t *sms)
{
	if (seen_order != sm_state_order) {
		forget_order();
	}
	if (sms == NULL && some_idle.valid && some_idle.version == sm_state_version() &&
	    task_needs_are(&some_idle.needs, needs)) {
		return &some;
	}
	some_idle.valid = sms == NULL;
	some_idle.needs = *needs;
	some_idle.version = sm_state_version();
	some = (struct availability){ 0 };
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		if (sms == NULL || bits_has(sms, sm)) {
			availability_set(&some, sm_state_rank_of(sm),
					 sm_state_slots_idle(sm, needs));
		}
	}
	return &some;
}

static uint32_t word_of(const struct class *class, const uint32_t *sms, uint32_t word)
{
	return sms == NULL ? class->any[word] : class->any[word] & sms[word];
}

bool sm_class_next(const struct task_needs *needs, const uint32_t *sms, uint32_t last, uint32_t *sm)
{
	const struct class *class = class_current(needs);
	const uint32_t from = last + 1 < device.sms_count ? last + 1 : 0;
	uint32_t word = from / 32;
	uint32_t found = word_of(class, sms, word) & ~bits_ones(from % 32);

	for (uint32_t step = 0; found == 0 && step < device.sm_words; step++) {
		word = word + 1 < device.sm_words ? word + 1 : 0;
		found = word_of(class, sms, word);
	}
	if (found != 0) {
		*sm = word * 32 + bits_lowest(found);
	}
	return found != 0;
}
