/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Recall: when SMs are told to end their streams of a PULL grid, each after the CTA that it runs (S0-R13, S4-R16).
 * With its last report an SM gives back the items that it took and did not start, and others can run them.
 */
#ifndef FIRMWARE_CP_PULL_PULL_RECALL_H
#define FIRMWARE_CP_PULL_PULL_RECALL_H

#include "firmware/cp/task/task.h"

/** Recall SMs for a task that lacks room: SMs that it may use, from PULL grids of lower priority, the lowest first,
 * and as many as the task could use now. */
void pull_recall_room(const struct task *task);

/** Recall an SM from a PULL grid of another priority for a task that is due a CTA (minimum_share.h) and lacks room. */
void pull_recall_due(const struct task *task);

/** Recall all SMs from a PULL grid that has to leave its slot or is suspended. */
void pull_recall_task(struct task *task);

/** Recall all endless streams of a PULL grid, because the number of its CTAs is limited from now on. */
void pull_recall_endless(const struct task *task);

/** Recall all SMs from all PULL grids, because the throttle mode is to be switched. */
void pull_recall_all(void);

/** Recall SMs that were disabled from all PULL grids. */
void pull_recall_disabled(void);

#endif /* FIRMWARE_CP_PULL_PULL_RECALL_H */
