/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Makes text of kernels' prints, that is, of records (firmware/kernel/print_record.h) and format
 * strings. A kernel wrote both, so nothing in them is trusted.
 */
#ifndef HOST_LIB_CORE_PRINT_TEXT_H
#define HOST_LIB_CORE_PRINT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Text that grows. All zero is an empty one. */
struct text {
	char *at; /**< `bytes` characters, or NULL; no 0 at the end. */
	size_t bytes;
	size_t capacity;
	bool missing; /**< Some text was left out: this process had no memory for it. */
};

/** Finds a format string by its address. @return its text, ended by 0 within `most` bytes, or NULL. */
typedef const char *print_format(void *what, uint64_t address, size_t most);

/** Adds the text of records. A record that makes no sense, or names no format string, is shown as
 * "<…>". Text for which this process has no memory is left out, and noted. */
void print_text(struct text *text, const void *records, size_t bytes, print_format *format,
		void *what);

#endif /* HOST_LIB_CORE_PRINT_TEXT_H */
