/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The kernels of a module: the section .ganger.kernels (firmware/kernel/kernel_meta.h), checked and
 * in the form that callers see.
 */
#ifndef HOST_LIB_CORE_KERNEL_LIST_H
#define HOST_LIB_CORE_KERNEL_LIST_H

#include "host/include/ganger_task.h"
#include "host/lib/core/elf_file.h"

/** A kernel: as struct gg_kernel_info, with all of its parameters. */
struct kernel {
	char name[128];
	char attributes[192];
	uint32_t shared_bytes;
	uint32_t stack_bytes;
	uint32_t flags;
	uint32_t block[3];
	uint32_t entry;
	uint32_t argument_bytes;
	uint32_t parameters;            /**< Number of parameters. */
	struct gg_parameter *parameter; /**< So many of them. */
};

/** What the section says. */
struct kernel_list {
	struct gg_elf facts;
	uint32_t text_bytes;             /**< Bytes of code and constants, which come first. */
	uint32_t image_bytes;            /**< Bytes of the whole image. */
	uint32_t fold;                   /**< Entry of folded grids; 0: there is none. */
	struct kernel *kernels;          /**< facts.kernels of them. */
	struct gg_parameter *parameters; /**< Of all kernels, one after the other. */
};

/** Reads the section. Sets the failure. @return GG_ERR_ELF_FORMAT, GG_ERR_NO_MEMORY. */
enum gg_status kernel_list_read(struct kernel_list *list, const struct elf_file *elf);

/** Frees the list. */
void kernel_list_clear(struct kernel_list *list);

#endif /* HOST_LIB_CORE_KERNEL_LIST_H */
