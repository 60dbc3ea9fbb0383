/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1
#include "host/lib/core/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/lib/core/failure.h"

#define FILE_BYTES_MAX (1ll << 30)

static enum gg_status refused(const char *path, const char *why)
{
	return failure_set(GG_ERR_IO, "file", 0, "%s: %s", path, why);
}

static enum gg_status read_open(FILE *file, const char *path, uint8_t **data, size_t *bytes)
{
	struct stat about;

	if (fstat(fileno(file), &about) != 0)
		return refused(path, strerror(errno));
	if (!S_ISREG(about.st_mode) || about.st_size > FILE_BYTES_MAX)
		return refused(path, "not a regular file, or too large");
	*bytes = (size_t)about.st_size;
	*data = malloc(*bytes + 1);
	if (!*data)
		return failure_status(GG_ERR_NO_MEMORY);
	*bytes = fread(*data, 1, *bytes, file);
	if (ferror(file)) {
		free(*data);
		return refused(path, "cannot be read");
	}
	return GG_OK;
}

enum gg_status file_read(const char *path, uint8_t **data, size_t *bytes)
{
	FILE *file = fopen(path, "rbe");
	enum gg_status status;

	if (!file)
		return refused(path, strerror(errno));
	status = read_open(file, path, data, bytes);
	(void)fclose(file);
	return status;
}
