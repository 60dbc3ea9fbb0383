/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/float.h"

#include <stddef.h>

static bool has(const struct sm *sm, enum gg_feature feature)
{
	return (sm->features & 1u << feature) != 0;
}

/* Save the values of the CTA that had the registers before, if they are still wanted. */
static void float_take(struct sm *sm, uintptr_t wide)
{
	if (float_state() != FLOAT_DIRTY) {
		return;
	}
	sm->floats_zero = false;
	if (sm->floats_of != NULL) {
		float_save(&sm->floats_of->floats, wide);
		sm->floats_of->floats_kept = true;
	}
}

void float_give(struct sm *sm, struct sm_cta *cta)
{
	const uintptr_t wide = has(sm, GG_FEATURE_DOUBLE);

	if (!has(sm, GG_FEATURE_FLOAT) || sm->floats_of == cta) {
		return;
	}
	float_take(sm, wide);
	sm->floats_of = cta;
	if (cta->floats_kept) {
		float_load(&cta->floats, wide);
		float_set_state(FLOAT_CLEAN);
		sm->floats_zero = false;
		return;
	}
	if (!sm->floats_zero) {
		float_zero();
		sm->floats_zero = true;
	}
	float_set_state(FLOAT_INITIAL);
}

void float_forget(struct sm *sm, const struct sm_cta *cta)
{
	if (sm->floats_of == cta) {
		sm->floats_of = NULL;
	}
}
