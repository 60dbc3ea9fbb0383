/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Reports of SMs, which say that CTAs have ended: releases the resources of the CTAs, and updates their task.
 */
#ifndef FIRMWARE_CP_COLLECT_REPORT_H
#define FIRMWARE_CP_COLLECT_REPORT_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/abi/refusal.h"
#include "firmware/cp/task/task.h"

/** Handle a report of an SM, or one that the CP made in its place. A report for a task that is not in its slot any
 * more is counted as unmatched, and changes nothing else. */
void report_take(uint32_t sm, const struct gg_report *report);

/** Count the CTAs, or the streams, of a task's wave that is over, and give back what they held. */
void report_wave_count(struct task *task);

/** All SMs of a slot's wave have counted themselves: all its CTAs have ended well. */
void report_wave(uint32_t slot);

/** End a task because CTAs of it failed, were stopped, or were lost. Does nothing when it has failed before.
 * @param fault  Sequence of the fault record of the SM that tells of it, or 0. */
void report_fail(struct task *task, uint32_t sm, const struct refusal *failure, uint32_t fault);

/** End the CTAs of a lost SM, in place of its report. Not for PULL grids.
 * @param failure  GG_OK: the task has kept them, and issues them again; else how it fails.
 * @param fault    Sequence of the fault record that tells of it, or 0. */
void report_lost(uint32_t sm, struct task *task, const struct refusal *failure, uint32_t fault);

/** An SM has counted itself in a wave that is open: its CTAs of the wave have ended well. */
void report_counted(uint32_t slot, uint32_t sm);

#endif /* FIRMWARE_CP_COLLECT_REPORT_H */
