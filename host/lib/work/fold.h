/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Folded grids (GG_WORK_FOLD): work with more CTAs along y or z than a task has bits for becomes work with a grid along x
 * alone and one more argument, struct ggk_fold, for the kernel's code that gives each CTA its place.
 */
#ifndef HOST_LIB_WORK_FOLD_H
#define HOST_LIB_WORK_FOLD_H

#include "firmware/kernel/kernel_meta.h"
#include "host/lib/work/request.h"

/** A request that was folded, and what it points to. */
struct fold {
	struct request request; /**< As the original, but for `work` and `folded`. */
	struct gg_work work;
	struct kernel
		kernel; /**< With the entry of folded grids, and the argument before the others. */
	struct ggk_fold words;
	struct gg_argument *arguments; /**< Those of the work, behind `words`. */
};

/** Whether work is to be folded: it asks for that, and its grid needs it. */
bool fold_is_due(const struct gg_work *work);

/** Folds a request, which stays open as long as this one is used. Sets the failure.
 * @return GG_ERR_KERNEL_NAME; GG_ERR_UNSUPPORTED: the module has no entry for it; GG_ERR_GRID_OVERFLOW: 2^32 CTAs or more;
 * GG_ERR_ARGUMENT_COUNT, GG_ERR_NO_MEMORY. */
enum gg_status fold_begin(struct fold *fold, const struct request *request);

/** Frees what fold_begin() took, also after an error. */
void fold_end(struct fold *fold);

#endif /* HOST_LIB_WORK_FOLD_H */
