/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/breadcrumb.h"

#include "hal/mmio.h"

void breadcrumb_begin(void)
{
	struct breadcrumb *crumb = &hal_breadcrumb;

	if (crumb->magic != BREADCRUMB_MAGIC) {
		crumb->starts = 0;
		crumb->step = 0;
		crumb->frame.cause = UINTPTR_MAX;
		crumb->magic = BREADCRUMB_MAGIC;
	}
	crumb->last_step = crumb->step;
	crumb->starts++;
	mmio_write32(&crumb->step, 0);
}

void breadcrumb_drop(uint32_t step)
{
	mmio_write32(&hal_breadcrumb.step, step);
}
