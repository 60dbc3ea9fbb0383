/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/accept/tmd_kept.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/accept/tmd.h"
#include "firmware/cp/accept/tmd_copy.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/limits.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/work.h"
#include "hal/mmio.h"

/** Plain tasks whose short TMDs are kept: the last ones that tmd_kept_take() did not know. */
static struct known {
	uint32_t key;    /* key_of() its TMD; 0: none is kept here */
	uint32_t kernel; /* kernel_of() it */
	uint32_t number; /* of the TMD: rules.kept of places that hold its words */
	struct gg_tmd tmd __attribute__((aligned(16))); /* it is read by words of the processor */
	struct task_needs needs;                        /* computed from it, as all that follows */
	uint32_t unit_mask;                             /* of a CTA */
	uint32_t ctas;                                  /* of its grid */
	uint8_t mode;                                   /* tmd_mode() of it */
} known[CP_KEPT];

static uint32_t oldest; /* of `known`: the next one comes in its place */
static bool wanted;     /* tmd_kept_take() did not know a TMD: keep the next one that fits */

void tmd_kept_init(void)
{
	wanted = false;
#pragma GCC unroll 1
	for (uint32_t index = 0; index < CP_KEPT; index++) {
		known[index].key = 0;
	}
}

/* A number that TMDs of different kernels and priorities nearly always differ in. Not needed where only one is kept. */
static inline uint32_t kernel_of(const struct gg_tmd *tmd, uint32_t header)
{
	return CP_KEPT == 1
		       ? 0
		       : mmio_read32(&tmd->entry_lo) + header * 4 + mmio_read32(&tmd->block_xy) * 8;
}

/* The same for grids of different sizes. Never 0. */
static inline uint32_t key_of(uint32_t kernel, uint32_t x, uint32_t yz)
{
	return CP_KEPT == 1 ? 1 : (kernel + x * 2 + yz * 8) | 1;
}

static inline struct known *find(uint32_t key)
{
	struct known *one = known;

	while (one->key != key) {
		if (++one == known + CP_KEPT) {
			return NULL;
		}
	}
	return one;
}

uint32_t tmd_kept_number(void)
{
	static uint32_t number = 1;

	return number += 2;
}

/* Whether the short way can take a plain task of so many CTAs: what fits into the device, or, where there are waves, a PULL grid that
 * does not. */
static inline bool is_short(uint32_t mode, uint64_t ctas, uint32_t most)
{
	const bool pull = mode == GG_TASK_MODE_PULL;

	return (ctas > most) == pull && (CP_WAVE_SMS != 0 || !pull) && ctas <= UINT32_MAX &&
	       mode != GG_TASK_MODE_ROUND_ROBIN;
}

static struct known *take_oldest(void)
{
	struct known *one = &known[oldest];

	oldest = (oldest + 1) % CP_KEPT;
	return one;
}

/* Keeps the TMD of a plain task that has passed its checks, if the short way can take it. */
static __attribute__((cold)) void keep(const struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;
	const uint32_t most = sm_state_slots_all(&task->rules.needs);

	if (!is_short(task->rules.mode, task->work.left, most) ||
	    (tmd->header & GG_TMD_HEAD) != 0 ||
	    ((tmd->header & GG_TMD_SHORT) == 0 && (!TMD_KEPT_LOOK || tmd_others(tmd) != 0))) {
		return;
	}
	const uint32_t kernel = kernel_of(tmd, tmd->header | GG_TMD_SHORT);
	const uint32_t key = key_of(kernel, tmd->grid_x, tmd->grid_yz);
	struct known *one = find(key);

	if (one == NULL) {
		one = take_oldest();
	}
	wanted = false;
	one->key = key;
	one->kernel = kernel;
	one->number = tmd_kept_number();
	one->tmd = *tmd;
	one->tmd.header |= GG_TMD_SHORT;
	one->needs = task->rules.needs;
	one->unit_mask = task->rules.unit_mask;
	one->mode = task->rules.mode;
	one->ctas = (uint32_t)task->work.left;
}

void tmd_kept_add(const struct task *task)
{
	if (wanted) {
		keep(task);
	}
}

/* Keeps a TMD with a grid of this size, that is like one of this kernel that is kept in all else: so a program that launches a kernel on
 * data of any size takes the short way, too. That the task's TMD is like it is seen when the two are compared.
 * Returns NULL if no such TMD is kept, or if the stages have to check this one. */
static __attribute__((cold, noinline)) struct known *keep_size(uint32_t kernel, uint32_t x,
							       uint32_t yz)
{
	const struct known *one = known;

	while (one->kernel != kernel || one->key == 0) {
		if (++one == known + CP_KEPT) {
			return NULL;
		}
	}
	const uint64_t ctas = tmd_ctas(x, yz);
	const uint32_t most = sm_state_slots_all(&one->needs);
	const uint32_t mode = tmd_mode(gg_get(one->tmd.header, GG_TMD_MODE), ctas, most);

	if (ctas == 0 || tmd_width(x, one->tmd.block_xy) > device.size_max ||
	    !is_short(mode, ctas, most)) {
		return NULL;
	}
	struct known *other = take_oldest();

	*other = *one;
	other->tmd.grid_x = x;
	other->tmd.grid_yz = yz;
	other->key = key_of(kernel, x, yz);
	other->number = tmd_kept_number();
	other->ctas = (uint32_t)ctas;
	other->mode = (uint8_t)mode;
	return other;
}

/* Makes a clean place one that has the words of a TMD that is kept, and what was computed from it. */
static __attribute__((cold, noinline)) void prepare(struct task *task, const struct known *one)
{
	task->tmd = one->tmd;
	task->rules.kept = one->number;
	task->rules.needs = one->needs;
	task->rules.unit_mask = one->unit_mask;
	task->rules.priority = (uint8_t)gg_get(one->tmd.header, GG_TMD_PRIORITY);
	task->rules.mode = one->mode;
	task->rules.plain = true;
}

/* Whether all that a TMD names lies in its heap, which is the parent's. */
static bool is_inside(const struct task *task, const struct gg_tmd *parent, uint64_t address)
{
	const struct gg_tmd *tmd = &task->tmd;

	return tmd->context == parent->context && tmd->heap_lo == parent->heap_lo &&
	       tmd->heap_hi == parent->heap_hi && tmd->heap_bytes_lo == parent->heap_bytes_lo &&
	       tmd->heap_bytes_hi == parent->heap_bytes_hi &&
	       task_heap_holds(task, address, sizeof(*tmd)) &&
	       task_heap_holds(task, gg_join(tmd->code_lo, tmd->code_hi), tmd->code_bytes) &&
	       (tmd->args_bytes == 0 ||
		task_heap_holds(task, gg_join(tmd->args_lo, tmd->args_hi), tmd->args_bytes));
}

__attribute__((cold)) uint32_t tmd_kept_look(struct task *task, const struct task *parent,
					     struct task_name name, bool trusted)
{
	if (wanted || !tmd_may_be_at(name.address)) {
		return 0; /* the last one was not known: this one is checked, and kept if it can be */
	}
	const struct gg_tmd *tmd = device_pointer(name.address);
	const uint32_t header = mmio_read32(&tmd->header), short_header = header | GG_TMD_SHORT;

	if (!tmd_is_plain(header)) {
		return 0;
	}
	const uint32_t kernel = kernel_of(tmd, short_header);
	const uint32_t x = mmio_read32(&tmd->grid_x), yz = mmio_read32(&tmd->grid_yz);
	const struct known *one = find(key_of(kernel, x, yz));

	if (one == NULL) {
		one = keep_size(kernel, x, yz);
		wanted = one == NULL;
	}
	if (one == NULL) {
		return 0;
	}
	if (task->rules.kept != one->number) {
		prepare(task, one);
	}
	task->tmd.header ^= header ^ short_header; /* that it says so is no difference */
	if ((header == short_header || tmd_others(tmd) == 0) &&
	    tmd_copy_again(&task->tmd, tmd) == 0) {
		task->tmd.header = short_header;
		if (task->tmd.generation == name.generation && tmd_args_fit(&task->tmd) &&
		    (trusted || is_inside(task, &parent->tmd, name.address))) {
			return one->ctas;
		}
	}
	task->rules.kept = 0;
	return 0;
}

uint32_t tmd_kept_take(struct task *task, struct task_name name)
{
	const struct gg_tmd *tmd = NULL;
	const struct known *one = NULL;

	if (tmd_may_be_at(name.address)) {
		uint32_t kernel = 0, x = 0, yz = 0;

		tmd = device_pointer(name.address);
		if (CP_KEPT > 1) {
			kernel = kernel_of(tmd, mmio_read32(&tmd->header));
			x = mmio_read32(&tmd->grid_x);
			yz = mmio_read32(&tmd->grid_yz);
		}
		one = find(key_of(kernel, x, yz));
		const uint32_t header = one == NULL ? mmio_read32(&tmd->header) : 0;

		/* One that does not say that it is short is looked for by the stages. */
		if ((header & GG_TMD_SHORT) != 0 && tmd_is_plain(header)) {
			one = CP_KEPT > 1 ? keep_size(kernel, x, yz) : NULL;
			wanted = one == NULL;
		}
	}
	if (one == NULL) {
		return 0;
	}
	if (task->rules.kept != one->number) {
		prepare(task, one);
	}
	/* The arguments are what changes from launch to launch. */
	wanted = tmd_copy_again(&task->tmd, tmd) != 0 || task->tmd.generation != name.generation ||
		 !tmd_args_fit(&task->tmd);
	if (wanted) {
		task->rules.kept = 0; /* the place has words of another TMD now */
		return 0;
	}
	return one->ctas;
}
