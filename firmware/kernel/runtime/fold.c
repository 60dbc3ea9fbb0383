/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Folded grids (kernel_meta.h): where CTAs of a grid start that has more of them along y or z than a task has bits for.
 */
#include "firmware/kernel/kernel_meta.h"
#include "firmware/kernel/runtime/stub.h"

void ganger_folded(void);

/** What all CTAs of the task that start at the same place have in common: the SM writes its part of the block for the
 * first of them only. */
static void prepare(struct gg_cta *cta, const struct ggk_fold *fold)
{
	for (uint32_t axis = 0; axis < 3; axis++) {
		cta->grid[axis] = fold->grid[axis];
		cta->edge[axis] = fold->edge[axis];
	}
	if (fold->edge[0] != 0) {
		cta->flags |= GG_CTA_FLAG_EDGE;
	}
	cta->args = (uintptr_t)(fold + 1);
}

/** Entry. Kept by the linker, although nothing of the module calls it. */
__attribute__((section(".text.ganger.stubs"))) void ganger_folded(void)
{
	struct gg_cta *cta = ganger_block();
	uint32_t place = cta->cta_id[0], threads = 1;
	const struct ggk_fold *fold;

	if (cta->grid[1] == 1 && cta->grid[2] == 1) {
		prepare(cta, (const struct ggk_fold *)cta->args);
	}
	fold = (const struct ggk_fold *)cta->args - 1;
	for (uint32_t axis = 0; axis < 3; axis++) {
		const uint32_t size = fold->grid[axis], edge = fold->edge[axis];

		cta->cta_id[axis] = place % size;
		if (edge != 0) {
			cta->block[axis] =
				cta->cta_id[axis] + 1 == size ? edge >> 16 : edge & 0xffff;
		}
		threads *= cta->block[axis];
		place /= size;
	}
	cta->threads = threads;
	cta->last =
		(uint32_t)cta->cta_linear; /* of a run: what comes next would need a place, too */
	((void (*)(void))(uintptr_t)fold->entry)();
}
