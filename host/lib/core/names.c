/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/core/names.h"

#include <stdio.h>

#include "firmware/abi/ganger_names.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct gg_name *find(const struct gg_name *names, size_t count, int32_t value)
{
	for (size_t i = 0; i < count; i++) {
		if (names[i].value == value)
			return &names[i];
	}
	return NULL;
}

const char *status_name(int32_t status)
{
	const struct gg_name *name = find(gg_status_names, COUNT(gg_status_names), status);

	return name ? name->name : "?";
}

const char *status_text(int32_t status)
{
	const struct gg_name *name = find(gg_status_names, COUNT(gg_status_names), status);

	return name ? name->text : "A status that this host does not know.";
}

enum gg_status field_name(uint32_t field, char *name, size_t size)
{
	const struct gg_name *found = find(gg_field_names, COUNT(gg_field_names), (int32_t)field);

	if (!name || size == 0)
		return GG_ERR_ARGUMENT;
	if (found)
		(void)snprintf(name, size, "%s.%s", found->text, found->name);
	else
		name[0] = '\0';
	return GG_OK;
}
