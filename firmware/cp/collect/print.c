/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/collect/print.h"

#include <stddef.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "hal/fence.h"
#include "hal/mmio.h"

/* The first word of the buffer holds the number of bytes behind it that were printed; the host reads only those. */
enum gg_status print_append(struct task *task, const void *from, uint32_t bytes)
{
	struct task *root = task;

	while (root->source.parent != NULL) {
		root = root->source.parent;
	}
	const uint64_t buffer = gg_join(root->tmd.print_lo, root->tmd.print_hi);

	if (root->tmd.print_bytes == 0) {
		return GG_OK;
	}
	if (bytes % 4 != 0) {
		return GG_ERR_ARGUMENT;
	}
	if (bytes > root->tmd.print_bytes - root->printed) {
		return gg_get(root->tmd.header, GG_TMD_CUT_PRINTS) != 0 ? GG_ERR_NO_MEMORY
									: GG_ERR_PRINT_FLOOD;
	}
	memcpy(device_words(buffer + 4 + root->printed), from, bytes);
	root->printed += bytes;
	fence_release(); /* write the bytes before the count */
	mmio_write32(device_words(buffer), root->printed);
	return GG_OK;
}
