/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/float.h"

#include <stddef.h>

#include "hal/riscv/csr.h"

static bool has(const struct sm *sm, enum gg_feature feature)
{
	return (sm->features & 1u << feature) != 0;
}

/* A core without these registers has no value in them, and none that changes. */
void float_init(struct sm *sm)
{
	sm->floats_zero = !has(sm, GG_FEATURE_FLOAT);
}

static uintptr_t float_state(void)
{
	return (csr_read(mstatus) & MSTATUS_FS) / MSTATUS_FS_INIT;
}

static void float_set_state(enum float_state state)
{
	csr_clear(mstatus, MSTATUS_FS);
	csr_set(mstatus, state * MSTATUS_FS_INIT);
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

static SM_COLD void float_change(struct sm *sm, const struct sm_cta *cta)
{
	const uintptr_t wide = has(sm, GG_FEATURE_DOUBLE);

	float_take(sm, wide);
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

void float_give(struct sm *sm, struct sm_cta *cta)
{
	if (sm->floats_of == cta) {
		return;
	}
	if (cta->floats_kept || !sm->floats_zero || float_state() == FLOAT_DIRTY) {
		float_change(sm, cta);
	}
	sm->floats_of = cta;
}

void float_keep(struct sm *sm, struct sm_cta *cta)
{
	if (sm->floats_of == cta) {
		float_take(sm, has(sm, GG_FEATURE_DOUBLE));
		sm->floats_of = NULL;
	}
}

void float_forget(struct sm *sm, const struct sm_cta *cta)
{
	if (sm->floats_of == cta) {
		sm->floats_of = NULL;
	}
}
