/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Files that come with this library: beside it where it is installed, and in the tree that it was built in.
 */
#ifndef HOST_OPENCL_BESIDE_H
#define HOST_OPENCL_BESIDE_H

#include <limits.h>
#include <stdbool.h>

/** Where a file lies when the library is not installed. */
enum beside_place {
	BESIDE_TREE,  /* In the sources. */
	BESIDE_BUILD, /* In the build folder: $GANGER_BUILD, or that of the library. */
};

/** Finds a file by its path inside. @return false: it is not there. */
bool beside_find(enum beside_place place, const char *inside, char path[PATH_MAX]);

#endif /* HOST_OPENCL_BESIDE_H */
