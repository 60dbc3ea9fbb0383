/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Modules of SPIR-V: whether they can be taken here, and what their words say. ganger-cc reads them with llvm-spirv-14, a
 * program of Debian that need not be there.
 */
#ifndef HOST_OPENCL_IL_H
#define HOST_OPENCL_IL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/opencl/base.h"

#define IL_TEXT 64u /* Of a constant's value for ganger-cc. */

/** Whether modules can be built: llvm-spirv-14 is in PATH. */
bool il_available(void);

/** The versions of SPIR-V that are taken, the newest first. */
#define IL_VERSIONS "SPIR-V_1.4 SPIR-V_1.3 SPIR-V_1.2 SPIR-V_1.1 SPIR-V_1.0"

/** Whether bytes are a module: header, version and lengths of instructions, and the memory model of OpenCL. */
bool il_check(const void *module, size_t bytes);

/** Writes the value of a specialization constant as ganger-cc takes it: "3:i32:64".
 * @param module  Good, as il_check() says.
 * @return CL_INVALID_SPEC_ID: it has no such one; CL_INVALID_VALUE: it has another size. */
cl_int il_constant(const void *module, size_t bytes, uint32_t number, size_t size,
		   const void *value, char text[IL_TEXT]);

#endif /* HOST_OPENCL_IL_H */
