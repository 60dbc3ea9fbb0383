/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/platform.h"

#include <pthread.h>
#include <string.h>

#include "host/opencl/info.h"
#include "host/opencl/object.h"

struct _cl_platform_id {
	struct object object;
};

static struct _cl_platform_id platform;
static pthread_once_t begun = PTHREAD_ONCE_INIT;

static void never_ends(void *object)
{
	(void)object;
}

static void begin(void)
{
	object_begin(&platform, OBJECT_PLATFORM, never_ends);
}

cl_platform_id platform_of_all(void)
{
	(void)pthread_once(&begun, begin);
	return &platform;
}

cl_int clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
			      cl_uint *num_platforms)
{
	if ((!platforms && !num_platforms) || (platforms && num_entries == 0))
		return CL_INVALID_VALUE;
	if (platforms)
		platforms[0] = platform_of_all();
	if (num_platforms)
		*num_platforms = 1;
	return CL_SUCCESS;
}

cl_int clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms)
{
	return clIcdGetPlatformIDsKHR(num_entries, platforms, num_platforms);
}

cl_int clGetPlatformInfo(cl_platform_id asked, cl_platform_info name, size_t size, void *value,
			 size_t *size_ret)
{
	static const struct info_row rows[] = {
		{ CL_PLATFORM_PROFILE, INFO_TEXT, 0, "FULL_PROFILE" },
		{ CL_PLATFORM_VERSION, INFO_TEXT, 0, PLATFORM_VERSION },
		{ CL_PLATFORM_NAME, INFO_TEXT, 0, "Ganger" },
		{ CL_PLATFORM_VENDOR, INFO_TEXT, 0, "Ganger" },
		{ CL_PLATFORM_EXTENSIONS, INFO_TEXT, 0, PLATFORM_EXTENSIONS },
		{ CL_PLATFORM_ICD_SUFFIX_KHR, INFO_TEXT, 0, "GANGER" },
		{ CL_PLATFORM_HOST_TIMER_RESOLUTION, INFO_ULONG, 1, NULL },
		{ CL_PLATFORM_NUMERIC_VERSION, INFO_UINT, CL_MAKE_VERSION(3, 0, 0), NULL },
	};
	const struct answer answer = { size, value, size_ret };

	/* A loader asks before it has asked for the platform. */
	if (asked && asked != platform_of_all())
		return CL_INVALID_PLATFORM;
	if (name == CL_PLATFORM_EXTENSIONS_WITH_VERSION)
		return info_versions(&answer, PLATFORM_EXTENSIONS, CL_MAKE_VERSION(1, 0, 0));
	return info_row(rows, sizeof(rows) / sizeof(rows[0]), name, &answer);
}

/** Not through clGetExtensionFunctionAddress(): a loader has a function of this name, too, which may be found first. */
static void *find_function(const char *name)
{
	void *found = NULL;

	for (const struct extension_function *known = extension_functions; name && known->name;
	     known++) {
		if (strcmp(name, known->name) == 0)
			memcpy(&found, &known->function, sizeof(found));
	}
	return found;
}

void *clGetExtensionFunctionAddress(const char *name)
{
	return find_function(name);
}

void *clGetExtensionFunctionAddressForPlatform(cl_platform_id asked, const char *name)
{
	return asked == platform_of_all() ? find_function(name) : NULL;
}

cl_int clUnloadCompiler(void)
{
	return CL_SUCCESS;
}

cl_int clUnloadPlatformCompiler(cl_platform_id asked)
{
	return asked == platform_of_all() ? CL_SUCCESS : CL_INVALID_PLATFORM;
}
