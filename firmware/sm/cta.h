/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A CTA's start, with its block (S0-R42, S1-R108), and its end.
 */
#ifndef FIRMWARE_SM_CTA_H
#define FIRMWARE_SM_CTA_H

#include "firmware/sm/fault.h"
#include "firmware/sm/sm.h"

/** Start a CTA that waits and has the hart: write its block, enter its kernel. */
_Noreturn void cta_start(struct sm *sm, struct sm_cta *cta);

/** End a resident CTA, or a stream: trace it, count it, gather it for a report, free its record. The caller settles
 * the task's report afterwards.
 * @param status  0, or the negative of an error number.
 * @param fault   Sequence of its fault record, or 0. */
void cta_end(struct sm *sm, struct sm_cta *cta, int32_t status, uint32_t fault);

/** A CTA has ended without an error. Report it, or let its stream go on (S4-R48). */
void cta_exit(struct sm *sm, struct sm_cta *cta);

/** End a CTA that failed, and all others of its task that are here, because the task has failed with it. The caller
 * settles the task's report afterwards. */
void cta_fail(struct sm *sm, struct sm_cta *cta, int32_t status, uint32_t fault);

/** End a CTA that did something wrong: write a fault record, end it as cta_fail() does, and report it. */
void cta_fault(struct sm *sm, struct sm_cta *cta, const struct fault *fault);

/** The same for an error that is no trap: the record has the status and the thread only. */
void cta_fault_status(struct sm *sm, struct sm_cta *cta, int32_t status);

/** End the CTAs of a task with GG_ERR_CANCELLED.
 * @param members  Only those of CGAs that are to stop. */
void cta_cancel(struct sm *sm, const struct sm_task *task, bool members);

#endif /* FIRMWARE_SM_CTA_H */
