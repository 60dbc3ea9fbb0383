/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Where the firmware images, the board files and the broker are.
 */
#ifndef HOST_LIB_CORE_BUILD_FOLDER_H
#define HOST_LIB_CORE_BUILD_FOLDER_H

#include <stddef.h>

#include "firmware/abi/ganger_abi.h"

/**
 * The build folder: the caller's, else $GANGER_BUILD, else the one of this library: `ganger` beside
 * it where it is installed, or the one that it lies in (build/host/libganger.so). Sets the failure. @return GG_ERR_IMAGE_MISSING, GG_ERR_ARGUMENT.
 */
enum gg_status build_folder(const char *wanted, char *folder, size_t size);

/** A path inside it. Sets the failure. @return GG_ERR_ARGUMENT: too long. */
enum gg_status build_path(const char *folder, const char *inside, char *path, size_t size);

#endif /* HOST_LIB_CORE_BUILD_FOLDER_H */
