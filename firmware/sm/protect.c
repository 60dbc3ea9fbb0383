/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/protect.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/sm/cga/remote.h"
#include "firmware/sm/units.h"

#define READ_WRITE   (PROTECTION_READ | PROTECTION_WRITE)
#define READ_EXECUTE (PROTECTION_READ | PROTECTION_EXECUTE)
#define WINDOWS      4u
#define REGIONS      (4u + WINDOWS)

/* Each region takes at most two entries, so a task with all its windows takes the 16 entries of a core. */
_Static_assert(2 * REGIONS <= PROTECTION_ENTRIES, "the worst task can be protected");

static uint32_t protect_rounded(uint32_t bytes, uint32_t grain)
{
	return (bytes + grain - 1) & ~(grain - 1);
}

static void protect_region(struct protection_region *region, uint32_t base_lo, uint32_t base_hi,
			   uintptr_t bytes, uint32_t rights)
{
	region->base = (uintptr_t)gg_join(base_lo, base_hi);
	region->bytes = bytes;
	region->rights = rights;
}

/* The CP has checked the windows. Its copies of them lie right behind its copy of the TMD. */
static void protect_windows(struct protection_region *region, const struct gg_tmd *tmd)
{
	const struct gg_window *window = (const struct gg_window *)(tmd + 1);
	const struct gg_window *end = window + tmd->window_count;

	for (; window < end; window++, region++) {
		const uint32_t rights = window->rights;

		protect_region(
			region, window->base_lo, window->base_hi,
			(uintptr_t)gg_join(window->bytes_lo, gg_get(rights, GG_WINDOW_BYTES_HI)),
			(rights & GG_WINDOW_WRITE) != 0 ? READ_WRITE : PROTECTION_READ);
	}
}

/* Shared memory of the members of its CGA that the CTA has reached into, newest last. */
static uint32_t protect_members(const struct sm *sm, const struct sm_cta *cta,
				struct protection_region *region, uint32_t bytes)
{
	for (uint32_t i = 0; i < cta->windows; i++) {
		region[i].base = remote_shared(sm, cta, cta->window[i]);
		region[i].bytes = bytes;
		region[i].rights = READ_WRITE;
	}
	return cta->windows;
}

/* The first region that matches decides. Code and arguments lie in the heap and come before it, so kernels cannot
 * write them, whatever windows there are (S3-R45); nor does a window take anything from the heap. */
static bool protect_make(const struct sm *sm, struct sm_cta *cta, const struct gg_tmd *tmd)
{
	const uint32_t grain = sm->protection.grain;
	const uint32_t args_bytes = protect_rounded(tmd->args_bytes, grain);
	const uint32_t shared_bytes = protect_rounded(tmd->shared_bytes, grain);
	struct protection_region regions[REGIONS + SM_WINDOWS];
	uint32_t count = 4 + tmd->window_count;

	regions[0].base = units_window(sm, cta);
	regions[0].bytes = cta->units * sm->unit_bytes;
	regions[0].rights = READ_WRITE;
	protect_region(&regions[1], tmd->code_lo, tmd->code_hi, tmd->code_bytes, READ_EXECUTE);
	protect_region(&regions[2], tmd->args_lo, tmd->args_hi, args_bytes, PROTECTION_READ);
	protect_region(&regions[3], tmd->heap_lo, tmd->heap_hi,
		       (uintptr_t)gg_join(tmd->heap_bytes_lo, tmd->heap_bytes_hi), READ_WRITE);
	sm_assert(tmd->window_count <= WINDOWS);
	protect_windows(&regions[4], tmd);
	count += protect_members(sm, cta, &regions[count], shared_bytes);
	return protection_encode(&sm->protection, regions, count, &cta->protection) == HAL_OK;
}

/* Make the table with as many windows into other members' memory as the core has entries for. One window always
 * fits, because the CP allows the task of a CGA fewer windows of its own. */
static bool protect_fit(const struct sm *sm, struct sm_cta *cta, const struct gg_tmd *tmd)
{
	while (!protect_make(sm, cta, tmd)) {
		if (cta->windows <= 1) {
			return false;
		}
		remote_drop(cta);
	}
	return true;
}

bool protect_load(struct sm *sm, struct sm_cta *cta)
{
	const struct sm_task *task = &sm->tasks[cta->slot];

	if (cta->windows != 0) {
		remote_prune(sm, cta);
	}
	if (cta->protection_of != task->primed) {
		sm->protected = NULL;
		cta->protection_of = 0;
		if (!protect_fit(sm, cta, task->tmd)) {
			return false;
		}
		cta->protection_of = task->primed;
	}
	if (sm->protected != cta) {
		protection_load(&cta->protection);
		sm->protected = cta;
	}
	return true;
}
