/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * TMDs (S0-R01…R04): copies a TMD into a task and checks the copy completely, before it has any effect.
 *
 * The host can change a TMD while it is read, so only the copy is checked and used. A refusal names the field and its
 * value. A field that asks for something that this firmware does not do is refused as unsupported, never ignored.
 */
#ifndef FIRMWARE_CP_ACCEPT_TMD_H
#define FIRMWARE_CP_ACCEPT_TMD_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/device.h"
#include "firmware/cp/task/task.h"

/** Whether a device address that the host or a kernel names may be that of a TMD: aligned, and in the heap. */
static inline bool tmd_may_be_at(uint64_t address)
{
	return address % sizeof(struct gg_tmd) == 0 && device_holds(address, sizeof(struct gg_tmd));
}

/** Copy a TMD into a task and check it. On success `rules` and the work of the task are filled in.
 * @param task  From the pool, with `source` filled in.
 * @return      false: refused, with task->failure set. */
bool tmd_take(struct task *task, struct task_name name);

/** A number for a TMD that was checked and is kept, for `rules.kept`: an odd one, so that it never is 0. */
uint32_t tmd_number(void);

/** Forget what tmd_take_again() knows. */
void tmd_init(void);

/** Like tmd_take(), for a TMD that launches the same kernel as one that was checked before, with no rare
 * field; only its arguments may differ.
 * @param task  The place that task_clean() returned. Its work is not filled in.
 * @return      Number of CTAs; 0: the TMD is another one, or something is wrong with it; nothing is changed but `tmd`. */
uint32_t tmd_take_again(struct task *task, struct task_name name);

/** Like tmd_take(), for a TMD that is already in `task->tmd`, and that tmd_check_child() has found right with another grid,
 * priority and arguments.
 * @param rules  What it found. The arguments lie in the heap. */
bool tmd_check_known(struct task *task, const struct task_rules *rules);

/** Choose whether a task of several CTAs, all of which are to run, is pulled: if it is a plain grid whose mode is DEVICE, and does not
 * fit into the device at once. tmd_take() has done it. */
void tmd_choose_mode(struct task *task);

/** Like tmd_take(), for a TMD in the CP's own memory, which is checked as that of a child of `parent`. */
bool tmd_check_child(struct task *task, struct task *parent, const struct gg_tmd *tmd);

#endif /* FIRMWARE_CP_ACCEPT_TMD_H */
