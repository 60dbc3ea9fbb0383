/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the last failed call of each thread tells its caller.
 */
#ifndef HOST_LIB_CORE_FAILURE_H
#define HOST_LIB_CORE_FAILURE_H

#include <stdbool.h>
#include <stddef.h>

#include "host/include/ganger_device.h"

/** Keeps a failure of this thread. `name` says what `value` is, or is NULL. @return status. */
enum gg_status failure_set(enum gg_status status, const char *name, uint64_t value,
			   const char *format, ...) __attribute__((format(printf, 4, 5)));

/** Keeps a failure whose message is the ABI's sentence for the status. @return status. */
enum gg_status failure_status(enum gg_status status);

/** Keeps what a completion tells as the failure of this thread. @return its status. */
enum gg_status failure_done(int32_t status, uint32_t field, uint64_t value, uint32_t fault_sm,
			    uint32_t fault_sequence);

/** Puts words before the message of this thread's last failure. @return its status. */
enum gg_status failure_about(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Keeps a failure that failure_last() gave. @return its status. */
enum gg_status failure_again(const struct gg_failure *failure);

/** The last failure of this thread; all zero if there was none. */
struct gg_failure failure_last(void);

/** Whether all of some pointers are given. Sets the failure where one is NULL.
 * @param names  Their names in the API, "a, b". */
bool failure_all_given(const char *names, const void *const *pointers, size_t count);

/** Returns from the function with GG_ERR_ARGUMENT if the condition holds, and one of the pointers is
 * NULL. The API's functions have it first, or behind what they do with their handle. */
#define NEEDS_FOR(condition, ...)                                                               \
	do {                                                                                    \
		const void *const needs_[] = { __VA_ARGS__ };                                   \
                                                                                                \
		if ((condition) &&                                                              \
		    !failure_all_given(#__VA_ARGS__, needs_, sizeof(needs_) / sizeof(*needs_))) \
			return GG_ERR_ARGUMENT;                                                 \
	} while (0)

#define NEEDS(...) NEEDS_FOR(true, __VA_ARGS__)

#endif /* HOST_LIB_CORE_FAILURE_H */
