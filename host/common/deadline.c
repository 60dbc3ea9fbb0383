/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1
#include "host/common/deadline.h"

#include <errno.h>
#include <time.h>

static uint64_t skipped; /* milliseconds; written by deadline_skip() */

static struct timespec time_after(uint32_t ms)
{
	struct timespec time;

	(void)clock_gettime(CLOCK_MONOTONIC, &time);
	time.tv_sec += ms / 1000u;
	time.tv_nsec += (long)(ms % 1000u) * 1000000L;
	if (time.tv_nsec >= 1000000000L) {
		time.tv_nsec -= 1000000000L;
		time.tv_sec++;
	}
	return time;
}

uint64_t deadline_clock(void)
{
	struct timespec time = time_after(0);

	return (uint64_t)time.tv_sec * 1000u + (uint64_t)time.tv_nsec / 1000000u;
}

uint64_t deadline_now(void)
{
	return deadline_clock() - __atomic_load_n(&skipped, __ATOMIC_RELAXED);
}

void deadline_skip(uint64_t ms)
{
	(void)__atomic_add_fetch(&skipped, ms, __ATOMIC_RELAXED);
}

uint64_t deadline_after(uint32_t timeout_ms)
{
	return deadline_now() + timeout_ms;
}

uint32_t deadline_left(uint64_t deadline, uint32_t most)
{
	uint64_t now = deadline_now();

	if (now >= deadline)
		return 0;
	return deadline - now < most ? (uint32_t)(deadline - now) : most;
}

void deadline_nap(uint32_t ms)
{
	struct timespec time = { .tv_sec = ms / 1000u, .tv_nsec = (long)(ms % 1000u) * 1000000L };

	(void)nanosleep(&time, NULL);
}

int deadline_cond_init(pthread_cond_t *condition)
{
	pthread_condattr_t attributes;
	int error = pthread_condattr_init(&attributes);

	if (error == 0)
		error = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	return error ? error : pthread_cond_init(condition, &attributes);
}

void deadline_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint32_t ms)
{
	struct timespec until = time_after(ms);

	(void)pthread_cond_timedwait(condition, lock, &until);
}
