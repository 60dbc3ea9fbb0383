/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A print as it goes from a kernel to the host: the same on RV32, RV64 and the host, little-endian.
 */
#ifndef FIRMWARE_KERNEL_PRINT_RECORD_H
#define FIRMWARE_KERNEL_PRINT_RECORD_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define GANGER_PRINT_BYTES  256u /**< Of a record, at most. */
#define GANGER_PRINT_HEADER 16u  /**< Of its fixed part. */
#define GANGER_PRINT_CUT    1u   /**< Flag: something was left out. */

/* First word of a slot: kind | bytes of the values << GANGER_PRINT_SHIFT. The values follow, padded
 * to words. */
#define GANGER_PRINT_SHIFT   8u
#define GANGER_PRINT_INTEGER 1u /**< int64_t or uint64_t, one or more. */
#define GANGER_PRINT_FLOAT   2u /**< double, one or more. */
#define GANGER_PRINT_STRING  3u /**< Characters, without a 0 at the end. */
#define GANGER_PRINT_POINTER 4u /**< uint64_t, one. */

/** A print, as it goes to the host. */
struct ganger_print_record {
	uint32_t bytes;  /**< Of the record; a multiple of 4. */
	uint32_t flags;  /**< GANGER_PRINT_CUT, or 0. */
	uint64_t format; /**< Address of the format string. */
	uint32_t slots[(GANGER_PRINT_BYTES - GANGER_PRINT_HEADER) / 4]; /**< One after another. */
};

static_assert(sizeof(struct ganger_print_record) == GANGER_PRINT_BYTES, "size in the buffer");
static_assert(offsetof(struct ganger_print_record, slots) == GANGER_PRINT_HEADER, "fixed part");

#endif /* FIRMWARE_KERNEL_PRINT_RECORD_H */
