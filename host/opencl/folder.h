/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Temporary folders, with the files that compilers read and write.
 */
#ifndef HOST_OPENCL_FOLDER_H
#define HOST_OPENCL_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct folder {
	char path[PATH_MAX];
};

/** Makes a folder below $TMPDIR or /tmp. @return false: it cannot be made. */
bool folder_make(struct folder *folder);

/** Removes it with all that is in it. */
void folder_remove(const struct folder *folder);

/** Path of a file in it. @return false: it is too long. */
bool folder_path(const struct folder *folder, const char *name, char path[PATH_MAX]);

/** Writes a file, whose name may have folders in it, which are made. @return false: it cannot be
 * written, or its name leads out of the folder. */
bool folder_write(const struct folder *folder, const char *name, const void *data, size_t bytes);

/** Reads a file into memory that the caller frees. @return NULL: it cannot be read. */
uint8_t *folder_read(const char *path, size_t *bytes);

#endif /* HOST_OPENCL_FOLDER_H */
