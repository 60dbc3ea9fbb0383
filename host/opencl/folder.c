/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1
#include "host/opencl/folder.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEPTH 16

bool folder_make(struct folder *folder)
{
	const char *below = getenv("TMPDIR");

	if (!below || !below[0])
		below = "/tmp";
	return snprintf(folder->path, sizeof(folder->path), "%s/ganger-opencl-XXXXXX", below) <
		       (int)sizeof(folder->path) &&
	       mkdtemp(folder->path) != NULL;
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
	(void)facts;
	(void)kind;
	(void)place;
	(void)remove(path);
	return 0;
}

void folder_remove(const struct folder *folder)
{
	(void)nftw(folder->path, remove_one, DEPTH, FTW_DEPTH | FTW_PHYS);
}

bool folder_path(const struct folder *folder, const char *name, char path[PATH_MAX])
{
	return snprintf(path, PATH_MAX, "%s/%s", folder->path, name) < PATH_MAX;
}

/** Makes the folders that a path inside of the folder needs. */
static bool make_parents(const struct folder *folder, char *path)
{
	for (char *slash = strchr(path + strlen(folder->path) + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		struct stat facts;

		*slash = '\0';
		(void)mkdir(path, 0700);
		if (stat(path, &facts) != 0 || !S_ISDIR(facts.st_mode))
			return false;
		*slash = '/';
	}
	return true;
}

bool folder_write(const struct folder *folder, const char *name, const void *data, size_t bytes)
{
	char path[PATH_MAX];
	FILE *file;
	bool written;

	if (name[0] == '/' || strstr(name, "..") || !folder_path(folder, name, path) ||
	    !make_parents(folder, path))
		return false;
	file = fopen(path, "wbe");
	if (!file)
		return false;
	written = fwrite(data, 1, bytes, file) == bytes;
	return fclose(file) == 0 && written;
}

uint8_t *folder_read(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "rbe");
	uint8_t *data = NULL;
	struct stat facts;

	if (!file)
		return NULL;
	if (fstat(fileno(file), &facts) == 0 && S_ISREG(facts.st_mode)) {
		*bytes = (size_t)facts.st_size;
		data = malloc(*bytes + 1);
	}
	if (data && fread(data, 1, *bytes, file) != *bytes) {
		free(data);
		data = NULL;
	}
	(void)fclose(file);
	return data;
}
