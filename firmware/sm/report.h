/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Reports to the CP: CTAs of a task that ended are gathered, and one report stands for all of
 * them.
 *
 * A report goes when no CTA of the task is left here, when it stands for `batch` CTAs, when a CTA
 * failed, when a CTA goes on for longer than a time slice, and before the SM sleeps. CTAs that
 * ended well and those that did not never share a report. Streams of a PULL grid are reported when
 * they end, all of them at once if the last one does within a time slice. What a wave counts (wave.h) is not reported.
 * The ring has as many entries as there are units and each report frees a unit at least, so it cannot overflow; should it be full all
 * the same, the CTAs stay gathered and the next occasion sends them.
 */
#ifndef FIRMWARE_SM_REPORT_H
#define FIRMWARE_SM_REPORT_H

#include "firmware/sm/sm.h"

/** Gather a CTA that ended now.
 * @param status  0, or the negative of an error number.
 * @param fault   Sequence of its fault record, or 0. */
void report_gather(struct sm *sm, const struct sm_cta *cta, int32_t status, uint32_t fault);

/** Send what is gathered of a task, if it is time to. */
void report_settle(struct sm *sm, struct sm_task *task);

/** Gather a CTA, not of a PULL grid, that ended well now, and send what is gathered, if it is time to. */
void report_good(struct sm *sm, const struct sm_cta *cta);

/** The SM has left the wave of a task: what is gathered is to be reported after all. Send it, if it is time to. */
void report_again(struct sm *sm, struct sm_task *task);

/** Send all that is gathered, except of a wave. */
void report_flush(struct sm *sm);

#endif /* FIRMWARE_SM_REPORT_H */
