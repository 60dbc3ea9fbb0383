/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What ganger-cc's entry stubs are made of: one stub per kernel, in one of three forms.
 *
 * What ganger-cc could make loops of is called once: GANGER_LOOPS_OF.
 * Without a barrier the work-items run one after the other on one stack (S3-R92): GANGER_ITEMS.
 * With barriers every thread has a stack of its own and they take turns (S3-R96): GANGER_THREADS,
 * with the switch in threads.S. `call` loads the arguments and calls the kernel once.
 */
#ifndef FIRMWARE_KERNEL_RUNTIME_STUB_H
#define FIRMWARE_KERNEL_RUNTIME_STUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "firmware/kernel/gg_cta.h"
#ifdef GANGER_RACE
#include "firmware/kernel/runtime/race.h"
#endif

/** Runs all threads of the CTA, each from `thread`, and ends the CTA (threads.S). */
_Noreturn void ganger_run_threads(void (*thread)(void));

/** The end of a thread that ganger_run_threads() started (threads.S). */
_Noreturn void ganger_end_thread(void);

/** Reports the thread whose stack ran over, and ends the CTA (threads.S). */
_Noreturn void ganger_stack_overflow(void);

static inline struct gg_cta *ganger_block(void)
{
	return (struct gg_cta *)__builtin_thread_pointer() - 1;
}

/** Ends the CTA. */
__attribute__((always_inline)) _Noreturn static inline void ganger_exit(void)
{
	register uintptr_t status __asm__("a0") = 0;
	register uintptr_t call __asm__("a7") = GG_CALL_EXIT;

	__asm__ volatile("ecall" : : "r"(status), "r"(call) : "memory");
	__builtin_unreachable();
}

/** A CTA begins with the rounding mode of C and without floating-point flags. */
__attribute__((always_inline)) static inline void ganger_float_begin(void)
{
#ifdef __riscv_flen
	uintptr_t state;

	__asm__ volatile("frcsr %0" : "=r"(state));
	if (state != 0) {
		__asm__ volatile("fscsr zero");
	}
#endif
}

/** A CTA begins: nothing of what the CTA before in this place has left is found. */
__attribute__((always_inline)) static inline void ganger_clear(struct gg_cta *cta)
{
	cta->result = 0;
#ifdef GANGER_RACE
	ganger_race_begin();
#endif
}

/** Fills in the runtime's part of the CTA block. */
__attribute__((always_inline)) static inline void ganger_begin(struct gg_cta *cta)
{
	uintptr_t x = cta->block[0], y = cta->block[1], z = cta->block[2];

	if ((cta->flags & GG_CTA_FLAG_EDGE) != 0) {
		x = (uint16_t)cta->edge[0];
		y = (uint16_t)cta->edge[1];
		z = (uint16_t)cta->edge[2];
	}
	cta->origin_x = cta->cta_id[0] * x + cta->global_offset[0];
	cta->origin_y = cta->cta_id[1] * y + cta->global_offset[1];
	cta->origin_z = cta->cta_id[2] * z + cta->global_offset[2];
	ganger_clear(cta);
}

/** Goes on to the next CTA of a run (gg_cta.h), which lies behind the one before along x. Returns false if this one was the last. */
__attribute__((always_inline)) static inline bool ganger_next(struct gg_cta *cta)
{
	if ((cta->flags & GG_CTA_FLAG_RUN) == 0 || (uint32_t)cta->cta_linear == cta->last) {
		return false;
	}
	cta->cta_linear++;
	cta->cta_id[0]++;
	cta->cluster_id[0]++;
	cta->nd_known = 0;
	ganger_clear(cta);
	cta->origin_x += cta->block[0];
	ganger_float_begin();
	return true;
}

/** Runs all work-items, x fastest, on one stack. The canary of the stack is checked after each of them, so that the
 * thread that overflowed is the one that is named. */
__attribute__((always_inline)) static inline void
ganger_run_items(struct gg_cta *cta, void (*call)(const struct gg_cta *))
{
	volatile struct gg_thread *stack = (volatile struct gg_thread *)cta->stack_base;
	uint32_t thread = 0;

	stack->canary = (uintptr_t)stack;
	for (uint32_t z = 0; z < cta->block[2]; z++) {
		cta->local_id[2] = z;
		for (uint32_t y = 0; y < cta->block[1]; y++) {
			const uint32_t end = cta->block[0];
			uint32_t x = 0;

			cta->local_id[1] = y;
			do {
				cta->local_id[0] = x;
				cta->thread = thread++;
				call(cta);
				if (stack->canary != (uintptr_t)stack) {
					ganger_stack_overflow();
				}
			} while (++x < end);
		}
	}
}

/** Gives others a turn where all work-items of a kernel of loops have met, if the SM asks for it (support.c). */
void ganger_loop_meet(void);

/** Kept by the linker, although nothing of the module calls it. */
#define GANGER_ENTRY __attribute__((section(".text.ganger.stubs"))) _Noreturn

/** Entry of a kernel without barriers. */
#define GANGER_ITEMS(stub, call)                     \
	GANGER_ENTRY void stub(void);                \
	void stub(void)                              \
	{                                            \
		struct gg_cta *cta = ganger_block(); \
                                                     \
		ganger_begin(cta);                   \
		do {                                 \
			ganger_run_items(cta, call); \
		} while (ganger_next(cta));          \
		ganger_exit();                       \
	}

/**
 * Entry of a kernel that is a loop over its work-items itself (gangercc/loops): it is called once. What it keeps for a
 * work-item, `kept` bytes, lies where the stack of its thread would begin. The one stack ends above what is kept for
 * the first work-item; its canary is looked at where all have met, and at the end.
 */
#define GANGER_LOOPS_OF(stub, kept, call)                                            \
	GANGER_ENTRY void stub(void);                                                \
	void stub(void)                                                              \
	{                                                                            \
		struct gg_cta *cta = ganger_block();                                 \
		volatile struct gg_thread *stack = (void *)(cta->stack_base + kept); \
                                                                                     \
		cta->context = (uintptr_t)stack;                                     \
		stack->canary = (uintptr_t)stack;                                    \
		ganger_begin(cta);                                                   \
		do {                                                                 \
			call(cta);                                                   \
			if (stack->canary != (uintptr_t)stack) {                     \
				ganger_stack_overflow();                             \
			}                                                            \
		} while (ganger_next(cta));                                          \
		ganger_exit();                                                       \
	}

/** Entry of a kernel with barriers, and the function that each of its threads runs. */
#define GANGER_THREADS(stub, thread, call)    \
	static _Noreturn void thread(void)    \
	{                                     \
		call(ganger_block());         \
		ganger_end_thread();          \
	}                                     \
	GANGER_ENTRY void stub(void);         \
	void stub(void)                       \
	{                                     \
		ganger_begin(ganger_block()); \
		ganger_run_threads(thread);   \
	}

#endif /* FIRMWARE_KERNEL_RUNTIME_STUB_H */
