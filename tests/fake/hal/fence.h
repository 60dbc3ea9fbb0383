/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * hal/fence.h for unit tests: compiler's fences, and a test may look at where they are.
 */
#ifndef HAL_FENCE_H
#define HAL_FENCE_H

/** Where a test is linked with one: each fence, as the letter R (release), A (acquire), F (full) or I (instructions). */
void fake_fence(char kind) __attribute__((weak));

static inline void fence_(char kind)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (fake_fence) {
		fake_fence(kind);
	}
}

static inline void fence_release(void)
{
	fence_('R');
}

static inline void fence_acquire(void)
{
	fence_('A');
}

static inline void fence_full(void)
{
	fence_('F');
}

static inline void fence_i(void)
{
	fence_('I');
}

#endif /* HAL_FENCE_H */
