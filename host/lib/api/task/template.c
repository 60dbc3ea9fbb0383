/* SPDX-License-Identifier: Apache-2.0 */
/* TMDs that are not submitted, for kernels to launch and for SCHEDULE. */
#include "host/lib/core/failure.h"
#include "host/lib/work/template.h"

enum gg_status gg_template_create(const struct gg_work *work, uint64_t *address,
				  uint32_t *generation)
{
	NEEDS(address, generation);

	struct job job = { 0 };
	enum gg_status status = template_create_of(work, &job);

	if (status == GG_OK) {
		*address = job.address;
		*generation = job.tmd.generation;
	}
	return status;
}

enum gg_status gg_template_destroy(struct gg_context *context, uint64_t address)
{
	return gg_free(context, address);
}
