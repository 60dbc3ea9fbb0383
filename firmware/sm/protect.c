/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/protect.h"

#include "firmware/abi/field.h"
#include "firmware/sm/cta.h"

#define READ_WRITE   (PROTECTION_READ | PROTECTION_WRITE)
#define READ_EXECUTE (PROTECTION_READ | PROTECTION_EXECUTE)

/* First match decides: code and arguments lie in the heap and are not written by kernels. The
 * task's memory windows would be the last four; the CP refuses tasks that name any. */
static void protect_make(const struct sm *sm, struct sm_cta *cta, const struct gg_tmd *tmd)
{
	const struct protection_region regions[] = {
		{ cta_window(sm, cta), cta->units * sm->unit_bytes, READ_WRITE },
		{ (uintptr_t)gg_join(tmd->code_lo, tmd->code_hi), tmd->code_bytes, READ_EXECUTE },
		{ (uintptr_t)gg_join(tmd->args_lo, tmd->args_hi), tmd->args_bytes, PROTECTION_READ },
		{ (uintptr_t)gg_join(tmd->heap_lo, tmd->heap_hi),
		  (uintptr_t)gg_join(tmd->heap_bytes_lo, tmd->heap_bytes_hi), READ_WRITE },
	};
	const uint32_t count = sizeof(regions) / sizeof(regions[0]);

	sm_assert(protection_encode(&sm->protection, regions, count, &cta->protection) == HAL_OK);
}

void protect_load(struct sm *sm, struct sm_cta *cta)
{
	const struct sm_task *task = &sm->tasks[cta->slot];

	if (cta->protection_of != task->primed) {
		protect_make(sm, cta, task->tmd);
		cta->protection_of = task->primed;
		sm->protected = NULL;
	}
	if (sm->protected != cta) {
		protection_load(&cta->protection);
		sm->protected = cta;
	}
}
