/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/core/failure.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "host/lib/core/names.h"

static _Thread_local struct gg_failure last;

static void failure_begin(enum gg_status status, const char *name, uint64_t value)
{
	memset(&last, 0, sizeof(last));
	last.status = status;
	last.value = value;
	(void)snprintf(last.name, sizeof(last.name), "%s", name ? name : "");
}

enum gg_status failure_set(enum gg_status status, const char *name, uint64_t value,
			   const char *format, ...)
{
	va_list arguments;

	failure_begin(status, name, value);
	va_start(arguments, format);
	(void)vsnprintf(last.message, sizeof(last.message), format, arguments);
	va_end(arguments);
	return status;
}

enum gg_status failure_status(enum gg_status status)
{
	return failure_set(status, NULL, 0, "%s", status_text(status));
}

enum gg_status failure_done(int32_t status, uint32_t field, uint64_t value, uint32_t fault_sm,
			    uint32_t fault_sequence)
{
	char name[sizeof(last.name)];

	(void)field_name(field, name, sizeof(name));
	failure_begin((enum gg_status)status, name, value);
	last.field = field;
	last.fault_sm = fault_sm;
	last.fault_sequence = fault_sequence;
	if (field != GG_FIELD_NONE)
		(void)snprintf(last.message, sizeof(last.message), "%s (%s = %" PRIu64 ")",
			       status_text(status), name, value);
	else
		(void)snprintf(last.message, sizeof(last.message), "%s", status_text(status));
	return (enum gg_status)status;
}

enum gg_status failure_about(const char *format, ...)
{
	char message[sizeof(last.message)];
	va_list arguments;
	int used;

	memcpy(message, last.message, sizeof(message));
	va_start(arguments, format);
	used = vsnprintf(last.message, sizeof(last.message), format, arguments);
	va_end(arguments);
	if (used >= 0 && (size_t)used < sizeof(last.message))
		(void)snprintf(last.message + used, sizeof(last.message) - (size_t)used, "%s",
			       message);
	return (enum gg_status)last.status;
}

enum gg_status failure_again(const struct gg_failure *failure)
{
	last = *failure;
	return (enum gg_status)last.status;
}

struct gg_failure failure_last(void)
{
	return last;
}

bool failure_all_given(const char *names, const void *const *pointers, size_t count)
{
	for (size_t i = 0; i < count; i++, names += strcspn(names, ",") + 2) {
		if (!pointers[i]) {
			const int length = (int)strcspn(names, ",");

			(void)failure_set(GG_ERR_ARGUMENT, NULL, 0, "%.*s is NULL", length, names);
			(void)snprintf(last.name, sizeof(last.name), "%.*s", length, names);
			return false;
		}
	}
	return true;
}
