/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * When SMs are to end their streams of a PULL grid: after the CTA that each of them runs (S0-R13, S4-R16).
 * What an SM took and did not start comes back with its last report, and is for others.
 */
#ifndef FIRMWARE_CP_PULL_PULL_RECALL_H
#define FIRMWARE_CP_PULL_PULL_RECALL_H

#include "firmware/cp/task/task.h"

/** A task lacks room: SMs that it may use end streams of PULL grids of lower priority, the lowest first, as many as
 * the task could use now. */
void pull_recall_room(const struct task *task);

/** A CTA of a task is due (minimum_share.h) and lacks room: an SM ends its streams of another priority. */
void pull_recall_due(const struct task *task);

/** A PULL grid has to leave its slot, or is suspended: nothing more is taken. */
void pull_recall_task(struct task *task);

/** CTAs of a PULL grid are counted from now on: streams without an end have to end. */
void pull_recall_endless(const struct task *task);

/** All streams have to end: the throttle mode is to be switched. */
void pull_recall_all(void);

/** SMs were switched off: their streams end. */
void pull_recall_disabled(void);

#endif /* FIRMWARE_CP_PULL_PULL_RECALL_H */
