/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The image of a kernel module: segments copied, words relocated.
 */
#ifndef HOST_LIB_CORE_ELF_LOAD_H
#define HOST_LIB_CORE_ELF_LOAD_H

#include "host/lib/core/elf_file.h"

/**
 * Makes the image that belongs at a base address into `image`, `bytes` long and all zero. Sets
 * the failure. @return GG_ERR_ELF_FORMAT: a segment or relocation that cannot be placed.
 */
enum gg_status elf_load(const struct elf_file *elf, uint64_t base, uint8_t *image, uint64_t bytes);

#endif /* HOST_LIB_CORE_ELF_LOAD_H */
