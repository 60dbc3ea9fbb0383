/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Console memory: the last bytes that the device printed, and how long it has stood still, in a memfd that clients only read.
 *
 * The broker is the only writer. Of the text it writes at most CONSOLE_PART bytes, then `total`. So a reader
 * reads `total`, then bytes, then `total` again: bytes that lie more than CONSOLE_KEPT below the
 * second total may have been overwritten meanwhile. The layout is a part of the protocol: see
 * WIRE_VERSION.
 */
#ifndef HOST_COMMON_CONSOLE_H
#define HOST_COMMON_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONSOLE_BYTES 262144u                        /**< Room; a power of two. */
#define CONSOLE_PART  4096u                          /**< Most bytes before `total` moves. */
#define CONSOLE_KEPT  (CONSOLE_BYTES - CONSOLE_PART) /**< Bytes that can be read. */

#define CONSOLE_STANDS (1ull << 63) /**< In `stood`: the device stands still. */

/** Layout of the memfd. */
struct console_memory {
	uint64_t total; /**< Bytes printed since the start; only grows. */
	/** Milliseconds for which the device has stood still in all. While it does, CONSOLE_STANDS and the time of the monotonic
	 * clock that this number would be counted from. */
	uint64_t stood;
	uint64_t reserved[6];      /**< 0. */
	char bytes[CONSOLE_BYTES]; /**< Byte n is at n modulo CONSOLE_BYTES. */
};

/** Console memory as the broker has it. */
struct console {
	int descriptor; /**< The memfd, for reading and writing. */
	int readers;    /**< A descriptor for clients, for reading only. */
	struct console_memory *memory;
};

/** Make console memory. @return GG_OK, GG_ERR_IO. */
__attribute__((warn_unused_result)) int console_create(struct console *console);

/** Add bytes, at most CONSOLE_PART. */
void console_append(struct console *console, const char *data, size_t bytes);

/** Tell that the device stands still, or goes on. */
void console_stand(struct console *console, bool stands);

/** Copy of a memfd's descriptor that allows reading only; closed on exec. @return -1 on failure. */
int console_reopen(int descriptor);

/** A client's side: copies what was printed from byte `next` on and moves `next`. Bytes that were
 * overwritten are left out. @return Bytes copied; 0: nothing is new. */
size_t console_copy(const struct console_memory *console, uint64_t *next, char *text, size_t size);

/** A client's side: milliseconds for which the device has stood still since it was booted. */
uint64_t console_stood(const struct console_memory *console);

#endif /* HOST_COMMON_CONSOLE_H */
