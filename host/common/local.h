/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Where `__local` arguments lie in the shared memory of a CTA: one after the other behind the shared variables
 * of the kernel.
 */
#ifndef HOST_COMMON_LOCAL_H
#define HOST_COMMON_LOCAL_H

#include <stdint.h>

#define LOCAL_ALIGN 16u /**< Bytes; the least. */
#define LOCAL_ALIGN_MOST \
	128u /**< Bytes: the widest types of OpenCL C (long16, double16), and GG_CTA_ALIGN. */

/** First byte of a `__local` argument. A kernel may take it that memory is aligned to what its pointer says, and
 * nobody knows that type here; an array of it has a size that is a multiple of the alignment.
 * @param end    Bytes of shared memory that are taken before it.
 * @param bytes  Its size. */
static inline uint64_t local_start(uint64_t end, uint64_t bytes)
{
	uint64_t align = LOCAL_ALIGN;

	while (align < LOCAL_ALIGN_MOST && bytes % (2 * align) == 0)
		align *= 2;
	return (end + align - 1) / align * align;
}

#endif /* HOST_COMMON_LOCAL_H */
