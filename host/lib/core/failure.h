/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the last failed call of each thread tells its caller.
 */
#ifndef HOST_LIB_CORE_FAILURE_H
#define HOST_LIB_CORE_FAILURE_H

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

#endif /* HOST_LIB_CORE_FAILURE_H */
