/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Floating-point registers of CTAs. They change hands only when another CTA gets the hart, and they are saved only
 * when the CTA before has written any of them (mstatus.FS). So a kernel without floating-point arithmetic costs
 * nothing. A new CTA never sees another one's values.
 */
#ifndef FIRMWARE_SM_FLOAT_H
#define FIRMWARE_SM_FLOAT_H

#include "firmware/sm/sm.h"

/** mstatus.FS. */
enum float_state {
	FLOAT_OFF = 0,     /**< Instructions trap. */
	FLOAT_INITIAL = 1, /**< All zero. */
	FLOAT_CLEAN = 2,   /**< Not written since they were loaded. */
	FLOAT_DIRTY = 3,   /**< Written since they were loaded. */
};

/** What the core has is known. */
void float_init(struct sm *sm);

/** Give the hart's floating-point registers to a CTA that is about to run. */
void float_give(struct sm *sm, struct sm_cta *cta);

/** A CTA has ended: its values are not kept. */
void float_forget(struct sm *sm, const struct sm_cta *cta);

/** A CTA leaves the hart for long: its values are in its record afterwards. */
void float_keep(struct sm *sm, struct sm_cta *cta);

/** In float_registers.S. Saves all registers and fcsr. FS must not be off.
 * @param wide  Not 0 when the core has D. */
void float_save(struct sm_floats *floats, uintptr_t wide);

/** In float_registers.S. Loads all registers and fcsr. FS must not be off. */
void float_load(const struct sm_floats *floats, uintptr_t wide);

/** In float_registers.S. Overwrites all registers and fcsr. FS must not be off. */
void float_zero(void);

#endif /* FIRMWARE_SM_FLOAT_H */
