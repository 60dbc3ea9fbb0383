/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1
#include "host/lib/core/build_folder.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/lib/core/failure.h"

#define BROKER "host/ganger-broker"

/** Takes the last part of a path away. */
static void up(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash)
		*slash = '\0';
}

/** Whether a folder has a broker, where a build folder has it. */
static bool has_broker(const char *folder)
{
	char path[PATH_MAX + sizeof("/" BROKER)];

	(void)snprintf(path, sizeof(path), "%s/" BROKER, folder);
	return access(path, X_OK) == 0;
}

/** The folder `ganger` beside this library's file, as it is installed; else two folders above the
 * file, as it is built. */
static enum gg_status beside_library(char *folder)
{
	static const char here;
	char library[PATH_MAX];
	Dl_info about;

	if (!dladdr(&here, &about) || !about.dli_fname || !realpath(about.dli_fname, library))
		return failure_set(GG_ERR_IMAGE_MISSING, "build", 0,
				   "The folder of this library is not known: set GANGER_BUILD to "
				   "the folder with the images");
	up(library);
	if (snprintf(folder, PATH_MAX, "%s/ganger", library) >= PATH_MAX || !has_broker(folder)) {
		up(library);
		(void)snprintf(folder, PATH_MAX, "%s", library);
	}
	return GG_OK;
}

enum gg_status build_folder(const char *wanted, char *folder, size_t size)
{
	const char *named = wanted ? wanted : getenv("GANGER_BUILD");
	char found[PATH_MAX];
	enum gg_status status = GG_OK;

	if (!named || !named[0])
		status = beside_library(found);
	else if (!realpath(named, found))
		status = failure_set(GG_ERR_IMAGE_MISSING, "build", 0,
				     "There is no build folder %s", named);
	return status == GG_OK ? build_path(found, ".", folder, size) : status;
}

enum gg_status build_path(const char *folder, const char *inside, char *path, size_t size)
{
	int length = strcmp(inside, ".") == 0 ? snprintf(path, size, "%s", folder)
					      : snprintf(path, size, "%s/%s", folder, inside);

	if (length < 0 || (size_t)length >= size)
		return failure_set(GG_ERR_ARGUMENT, "build", (uint64_t)length,
				   "The path of the build folder is too long");
	return GG_OK;
}
