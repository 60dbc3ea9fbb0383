/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The rest of the runtime: divergent barriers, and what the C library asks of its system.
 */
#include <stdint.h>
#include <stdlib.h>

#include "firmware/kernel/runtime/stub.h"

void ganger_diverged(void);
void _exit(int status);
_Noreturn void __assert_func(const char *file, int line, const char *function, const char *text);

/** Environment call that ends the CTA. */
_Noreturn static void call(uintptr_t number, uintptr_t first, uintptr_t second, uintptr_t third)
{
	register uintptr_t a0 __asm__("a0") = first;
	register uintptr_t a1 __asm__("a1") = second;
	register uintptr_t a2 __asm__("a2") = third;
	register uintptr_t a7 __asm__("a7") = number;

	__asm__ volatile("ecall" : : "r"(a0), "r"(a1), "r"(a2), "r"(a7) : "memory");
	__builtin_unreachable();
}

/** The first thread that has returned, or the first that waits. There is one. */
static uint32_t first_thread(const struct gg_cta *cta, int returned)
{
	uintptr_t context = cta->stack_base;
	uint32_t thread = 0;

	while ((((const struct gg_thread *)context)->sp == 0) != returned) {
		context += cta->stack_bytes;
		thread++;
	}
	return thread;
}

/**
 * Some threads have returned while others wait at a barrier (S3-Q4). Names the first thread of the
 * smaller party; of equal parties, the first that has returned. Called by threads.S.
 */
void ganger_diverged(void)
{
	struct gg_cta *cta = ganger_block();
	uint32_t returned = cta->done;
	uint32_t waiting = cta->threads - returned;

	cta->waiting = waiting;
	call(GG_CALL_DIVERGED, first_thread(cta, returned <= waiting), returned, waiting);
}

/** Also where failed assertions end. */
void abort(void)
{
	struct gg_cta *cta = ganger_block();

	cta->result = GG_ABORT_KERNEL;
	call(GG_CALL_ABORT, GG_ABORT_KERNEL, cta->thread, 0);
}

/** A kernel has no process to leave: the same as abort(). */
void _exit(int status)
{
	(void)status;
	abort();
}

/** A failed assertion of the C library: there is nowhere to print to. */
void __assert_func(const char *file, int line, const char *function, const char *text)
{
	(void)file;
	(void)line;
	(void)function;
	(void)text;
	abort();
}
