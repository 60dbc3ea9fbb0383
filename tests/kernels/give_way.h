/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * How a test's kernel waits for the host.
 */
#ifndef TESTS_KERNELS_GIVE_WAY_H
#define TESTS_KERNELS_GIVE_WAY_H

/** Lets the other CTAs of the core run. While all of them only call this the core sleeps most of the time, so that QEMU's
 * threads of CTAs that wait do not take the processors from the host. */
static inline void give_way(void)
{
	register uintptr_t result __asm__("a0");
	register uintptr_t call __asm__("a7") = GG_CALL_YIELD;

	__asm__ volatile("ecall" : "=r"(result) : "r"(call) : "memory");
}

#endif
