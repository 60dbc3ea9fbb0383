/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Points in time, in milliseconds. Deadlines are on the monotonic clock without the time for which a device stood still that
 * this process waited for.
 */
#ifndef HOST_COMMON_DEADLINE_H
#define HOST_COMMON_DEADLINE_H

#include <pthread.h>
#include <stdint.h>

/** Milliseconds of the monotonic clock. */
uint64_t deadline_clock(void);

/** Milliseconds of the clock that deadlines are on. */
uint64_t deadline_now(void);

/** Moves all deadlines of this process so many milliseconds into the future. */
void deadline_skip(uint64_t ms);

/** The point in time so many milliseconds from now. */
uint64_t deadline_after(uint32_t timeout_ms);

/** Milliseconds until then, 0 if it has passed, at most `most`. */
uint32_t deadline_left(uint64_t deadline, uint32_t most);

/** Sleeps for some milliseconds. */
void deadline_nap(uint32_t ms);

/** A condition variable on that clock. @return 0, or an error number. */
int deadline_cond_init(pthread_cond_t *condition);

/** Waits on it for at most so many milliseconds. */
void deadline_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint32_t ms);

#endif /* HOST_COMMON_DEADLINE_H */
