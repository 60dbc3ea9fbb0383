/* SPDX-License-Identifier: Apache-2.0 */
#include "host/include/ganger_device.h"
#include "host/lib/core/failure.h"
#include "host/lib/core/names.h"

enum gg_status gg_error_last(struct gg_failure *failure)
{
	if (failure)
		*failure = failure_last();
	return GG_OK;
}

const char *gg_status_name(int32_t status)
{
	return status_name(status);
}

const char *gg_status_text(int32_t status)
{
	return status_text(status);
}

enum gg_status gg_field_name(uint32_t field, char *name, size_t size)
{
	NEEDS_FOR(size > 0, name);

	return field_name(field, name, size);
}
