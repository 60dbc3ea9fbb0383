/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Makes the image of a kernel module: copies its segments and relocates its words.
 */
#ifndef HOST_LIB_CORE_ELF_LOAD_H
#define HOST_LIB_CORE_ELF_LOAD_H

#include "host/lib/core/elf_file.h"

/** Writes the image for a base address into `image`, which is `bytes` long and all zero. Sets the
 * failure. @return GG_ERR_ELF_FORMAT: a segment or a relocation lies outside of the image, or is of
 * a kind that is not supported. */
enum gg_status elf_load(const struct elf_file *elf, uint64_t base, uint8_t *image, uint64_t bytes);

#endif /* HOST_LIB_CORE_ELF_LOAD_H */
