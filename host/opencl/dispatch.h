/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The table of all functions, through which the loader calls them: every object begins with its
 * address.
 */
#ifndef HOST_OPENCL_DISPATCH_H
#define HOST_OPENCL_DISPATCH_H

#include "host/opencl/base.h"

extern const cl_icd_dispatch dispatch_table;

#endif /* HOST_OPENCL_DISPATCH_H */
