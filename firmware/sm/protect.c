/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/protect.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/sm/cta.h"

#define READ_WRITE   (PROTECTION_READ | PROTECTION_WRITE)
#define READ_EXECUTE (PROTECTION_READ | PROTECTION_EXECUTE)
#define REGIONS      4u

/* First match decides: code and arguments lie in the heap and are not written by kernels. The
 * task's memory windows would be the last four; the CP refuses tasks that name any. */
static bool protect_make(const struct sm *sm, struct sm_cta *cta, const struct gg_tmd *tmd)
{
	const uint32_t grain = sm->protection.grain;
	const uint32_t args_bytes = (tmd->args_bytes + grain - 1) & ~(grain - 1);
	struct protection_region regions[REGIONS];

	regions[0].base = cta_window(sm, cta);
	regions[0].bytes = cta->units * sm->unit_bytes;
	regions[0].rights = READ_WRITE;
	regions[1].base = (uintptr_t)gg_join(tmd->code_lo, tmd->code_hi);
	regions[1].bytes = tmd->code_bytes;
	regions[1].rights = READ_EXECUTE;
	regions[2].base = (uintptr_t)gg_join(tmd->args_lo, tmd->args_hi);
	regions[2].bytes = args_bytes;
	regions[2].rights = PROTECTION_READ;
	regions[3].base = (uintptr_t)gg_join(tmd->heap_lo, tmd->heap_hi);
	regions[3].bytes = (uintptr_t)gg_join(tmd->heap_bytes_lo, tmd->heap_bytes_hi);
	regions[3].rights = READ_WRITE;
	return protection_encode(&sm->protection, regions, REGIONS, &cta->protection) == HAL_OK;
}

bool protect_load(struct sm *sm, struct sm_cta *cta)
{
	const struct sm_task *task = &sm->tasks[cta->slot];

	if (cta->protection_of != task->primed) {
		sm->protected = NULL;
		cta->protection_of = 0;
		if (!protect_make(sm, cta, task->tmd)) {
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
