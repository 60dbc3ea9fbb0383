/* SPDX-License-Identifier: Apache-2.0 */
/* TMDs that a test changes before it posts them. */
#include "host/include/ganger_inspect.h"
#include "host/lib/core/failure.h"
#include "host/lib/work/template.h"

enum gg_status gg_tmd_create(const struct gg_work *work, struct gg_tmd *tmd, uint64_t *address)
{
	NEEDS(tmd, address);

	struct job job = { 0 };
	enum gg_status status = template_create_of(work, &job);

	if (status == GG_OK) {
		*tmd = job.tmd;
		*address = job.address;
	}
	return status;
}

enum gg_status gg_tmd_destroy(struct gg_device *handle, uint64_t address)
{
	USE_DEVICE(device, handle);

	return template_destroy(device, address);
}
