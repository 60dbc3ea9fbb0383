/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Build options of programs: words with spaces between them, which are checked before a compiler sees
 * them.
 */
#ifndef HOST_OPENCL_OPTIONS_H
#define HOST_OPENCL_OPTIONS_H

#include <stdbool.h>

#include "host/opencl/base.h"

/** Words of an option string. */
struct options {
	char *text;   /* The words, each ended by 0. */
	char **words; /* Those for ganger-cc. */
	size_t count;
	bool library; /* -create-library */
};

/** Splits and checks options. A quoted part, in '' or "", keeps its spaces.
 * @param text     NULL: none.
 * @param linking  Whether they are those of clLinkProgram().
 * @return CL_INVALID_BUILD_OPTIONS (CL_INVALID_LINKER_OPTIONS), CL_OUT_OF_HOST_MEMORY. */
cl_int options_read(const char *text, bool linking, struct options *options);

/** Frees them. */
void options_free(struct options *options);

#endif /* HOST_OPENCL_OPTIONS_H */
