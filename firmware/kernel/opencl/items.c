/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What ganger_ids.h asks for in OpenCL C, for kernels that keep their threads: read from the CTA's block. Where a
 * kernel becomes loops, gangercc/loops puts something else in the place of the calls.
 */
#define GANGER_LOOPS
#include "firmware/kernel/ganger_ids.h"

uintptr_t ganger_item_x(void)
{
	return ganger_cta()->local_id[0];
}

uintptr_t ganger_item_y(void)
{
	return ganger_cta()->local_id[1];
}

uintptr_t ganger_item_z(void)
{
	return ganger_cta()->local_id[2];
}

uintptr_t ganger_item_linear(void)
{
	return ganger_cta()->thread;
}

uintptr_t ganger_fixed_u32(unsigned int offset)
{
	return *(const uint32_t *)((const char *)ganger_cta() + offset);
}

uintptr_t ganger_fixed_word(unsigned int offset)
{
	return *(const uintptr_t *)((const char *)ganger_cta() + offset);
}
