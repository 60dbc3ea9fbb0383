/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What ganger-cc keeps in the user's cache folder, read without ganger-cc. The platform names what it
 * builds, by a sum over all that it gives to ganger-cc, and says that name (--key); ganger-cc writes the
 * files and keeps them few. Their form is in firmware/kernel/gangercc/programs.py and cache.py.
 */
#ifndef HOST_OPENCL_KEPT_H
#define HOST_OPENCL_KEPT_H

#include "host/opencl/compiler.h"
#include "host/opencl/sha256.h"

/** The name of what a compilation makes.
 * @param words  The words for ganger-cc, ended by NULL, without paths that are made for this run. */
void kept_name(char *const *words, const struct compilation *what, char name[SHA256_TEXT]);

/** Takes what was built before under this name, with its log, if all that it was made of is still the
 * same. @return false: there is nothing. */
bool kept_find(const char *name, struct compiled *compiled);

#endif /* HOST_OPENCL_KEPT_H */
