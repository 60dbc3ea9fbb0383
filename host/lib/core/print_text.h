/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Text of kernels' prints: records (firmware/kernel/print_record.h) and format strings, both written
 * by a kernel and believed in nothing.
 */
#ifndef HOST_LIB_CORE_PRINT_TEXT_H
#define HOST_LIB_CORE_PRINT_TEXT_H

#include <stddef.h>
#include <stdint.h>

/** Text that grows. All zero is an empty one. */
struct text {
	char *at; /**< `bytes` characters, or NULL; no 0 at the end. */
	size_t bytes;
	size_t capacity;
};

/** Finds a format string by its address. @return its text, ended by 0 within `most` bytes, or NULL. */
typedef const char *print_format(void *what, uint64_t address, size_t most);

/**
 * Adds the text of records. One that makes no sense, or names no format string, is shown as "<…>",
 * and what is left of a text that does not fit into memory is not there.
 */
void print_text(struct text *text, const void *records, size_t bytes, print_format *format,
		void *what);

#endif /* HOST_LIB_CORE_PRINT_TEXT_H */
