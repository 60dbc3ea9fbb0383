/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Floating-point registers of CTAs. They change hands only when another CTA gets the hart, and
 * are saved only when the one before has written any (mstatus.FS); a kernel without
 * floating-point arithmetic costs nothing. A new CTA never sees another's values.
 */
#ifndef FIRMWARE_SM_FLOAT_H
#define FIRMWARE_SM_FLOAT_H

#include "firmware/sm/sm.h"

/** mstatus.FS. */
enum float_state {
	FLOAT_OFF = 0,     /**< Instructions trap. */
	FLOAT_INITIAL = 1, /**< All zero. */
	FLOAT_CLEAN = 2,   /**< As they were loaded. */
	FLOAT_DIRTY = 3,   /**< Written since. */
};

/** Give the hart's floating-point registers to a CTA that is about to run. */
void float_give(struct sm *sm, struct sm_cta *cta);

/** A CTA has ended: its values are not kept. */
void float_forget(struct sm *sm, const struct sm_cta *cta);

/** float_registers.S: mstatus.FS, an enum float_state. */
uintptr_t float_state(void);

/** float_registers.S: set mstatus.FS. */
void float_set_state(uintptr_t state);

/** float_registers.S: save all registers and fcsr. FS is not off.
 * @param wide  Not 0 when the core has D. */
void float_save(struct sm_floats *floats, uintptr_t wide);

/** float_registers.S: load all registers and fcsr. FS is not off. */
void float_load(const struct sm_floats *floats, uintptr_t wide);

/** float_registers.S: overwrite all registers and fcsr. FS is not off. */
void float_zero(void);

#endif /* FIRMWARE_SM_FLOAT_H */
