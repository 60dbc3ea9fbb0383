/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/info.h"

#include <string.h>

#define VERSIONS_MAX 32u

cl_int info_bytes(const struct answer *answer, const void *data, size_t bytes)
{
	if (answer->value && answer->size < bytes)
		return CL_INVALID_VALUE;
	if (answer->value && bytes > 0)
		memcpy(answer->value, data, bytes);
	if (answer->size_ret)
		*answer->size_ret = bytes;
	return CL_SUCCESS;
}

cl_int info_text(const struct answer *answer, const char *text)
{
	return info_bytes(answer, text, strlen(text) + 1);
}

cl_int info_row(const struct info_row *rows, size_t count, cl_uint name,
		const struct answer *answer)
{
	size_t i = 0;

	while (i < count && rows[i].name != name)
		i++;
	if (i == count)
		return CL_INVALID_VALUE;
	switch (rows[i].kind) {
	case INFO_UINT:
		return INFO_VALUE(answer, cl_uint, rows[i].number);
	case INFO_ULONG:
		return INFO_VALUE(answer, cl_ulong, rows[i].number);
	case INFO_SIZE:
		return INFO_VALUE(answer, size_t, rows[i].number);
	case INFO_TEXT:
		return info_text(answer, rows[i].text);
	default:
		return info_bytes(answer, NULL, 0);
	}
}

/** The version of a name: extensions whose text is not final yet have others than 1.0.0. */
static cl_version version_of(const char *name, cl_version version)
{
	if (strcmp(name, "cl_khr_command_buffer") == 0)
		return CL_MAKE_VERSION(0, 9, 4);
	return strcmp(name, "cl_khr_command_buffer_mutable_dispatch") == 0
		       ? CL_MAKE_VERSION(0, 9, 0)
		       : version;
}

cl_int info_versions(const struct answer *answer, const char *names, cl_version version)
{
	cl_name_version list[VERSIONS_MAX] = { 0 };
	size_t count = 0;

	while (*names && count < VERSIONS_MAX) {
		size_t length = strcspn(names, " ");

		if (length > 0 && length < sizeof(list[count].name)) {
			memcpy(list[count].name, names, length);
			list[count].version = version_of(list[count].name, version);
			count++;
		}
		names += length + (names[length] == ' ');
	}
	return info_bytes(answer, list, count * sizeof(list[0]));
}
