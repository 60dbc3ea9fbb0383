/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The TMDs of the last plain tasks, kept with what was computed from them: a task like one of them is not checked anew. It is for
 * the short way (express.h) alone, so only what that takes is kept.
 *
 * Who changes what the checks depend on calls tmd_kept_init().
 */
#ifndef FIRMWARE_CP_ACCEPT_TMD_KEPT_H
#define FIRMWARE_CP_ACCEPT_TMD_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/base/part.h"
#include "firmware/cp/task/task.h"

/** Keep no TMD. */
void tmd_kept_init(void);

/** Keep the TMD of a plain task that has passed its checks, if tmd_kept_take() or tmd_kept_look() did not know the last one, and if
 * the short way can take it. */
void tmd_kept_add(const struct task *task);

/** Like tmd_take(), for a TMD that launches the same kernel as one that is kept, with no rare field; only its arguments and the size of
 * its grid may differ.
 * @param task  The place that task_clean() returned. Its work is not filled in.
 * @return      Number of CTAs; 0: the TMD is another one, or something is wrong with it; nothing is changed but `tmd`. */
uint32_t tmd_kept_take(struct task *task, struct task_name name);

/** Whether the stages, too, look for TMDs among those that are kept. Where memory is small they do not. */
#define TMD_KEPT_LOOK PART_FAST

/** The same on the long way, and for a TMD that does not say that it is short, though it is.
 * @param parent   The task whose child it will be; NULL: the host's.
 * @param trusted  The host, not a kernel, chose the TMD.
 * @return         Number of CTAs; 0: the TMD is another one, or something may be wrong with it. */
uint32_t tmd_kept_look(struct task *task, const struct task *parent, struct task_name name,
		       bool trusted);

/** A number for a TMD that was checked and is kept, here or elsewhere, for `rules.kept`: an odd one, so that it never is 0. */
uint32_t tmd_kept_number(void);

#endif /* FIRMWARE_CP_ACCEPT_TMD_KEPT_H */
