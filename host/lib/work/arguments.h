/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The argument block of a task: arguments are checked against the kernel's parameters and laid out.
 */
#ifndef HOST_LIB_WORK_ARGUMENTS_H
#define HOST_LIB_WORK_ARGUMENTS_H

#include "host/lib/core/kernel_list.h"

/** Whether a kernel takes so many arguments. Sets the failure. @return GG_ERR_ARGUMENT_COUNT. */
enum gg_status arguments_count(const struct kernel *kernel, uint32_t count);

/** Fills the block, which is `kernel->argument_bytes` long and all zero. `__local` arguments get
 * places behind the kernel's own shared variables; `shared_bytes` is what a CTA then needs. Sets
 * the failure. @return GG_ERR_ARGUMENT_COUNT, GG_ERR_ARGUMENT_SIZE. */
enum gg_status arguments_pack(const struct kernel *kernel, const struct gg_work *work,
			      uint8_t *block, uint32_t *shared_bytes);

#endif /* HOST_LIB_WORK_ARGUMENTS_H */
