/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1
#include "host/opencl/beside.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool beside_find(enum beside_place place, const char *inside, char path[PATH_MAX])
{
	static const char here;
	const char *const folders[] = { "/ganger/", place == BESIDE_TREE ? "/../../" : "/../" };
	const char *build = place == BESIDE_BUILD ? getenv("GANGER_BUILD") : NULL;
	char library[PATH_MAX];
	Dl_info about;
	char *slash;

	if (build && build[0] && snprintf(path, PATH_MAX, "%s/%s", build, inside) < PATH_MAX &&
	    access(path, R_OK) == 0)
		return true;
	if (!dladdr(&here, &about) || !about.dli_fname || !realpath(about.dli_fname, library))
		return false;
	slash = strrchr(library, '/');
	if (slash)
		*slash = '\0';
	for (size_t i = 0; i < 2; i++) {
		if (snprintf(path, PATH_MAX, "%s%s%s", library, folders[i], inside) < PATH_MAX &&
		    access(path, R_OK) == 0)
			return true;
	}
	return false;
}
