/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Kernel built-ins: barrier and fences (S0-R40, S3-R113). Included by ganger_kernel.h.
 */
#ifndef FIRMWARE_KERNEL_GANGER_SYNC_H
#define FIRMWARE_KERNEL_GANGER_SYNC_H

#define CLK_LOCAL_MEM_FENCE  1u
#define CLK_GLOBAL_MEM_FENCE 2u

/* Registers that a barrier does not keep. The runtime keeps ra, sp, s0 and s1; whatever else is alive the compiler
 * keeps on the stack, which is little at most barriers. */
#define GANGER_BARRIER_CLOBBERS                                                                   \
	"ra", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a0", "a1", "a2", "a3", "a4", "a5", "a6", \
		"a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "memory"

#ifdef __riscv_flen
#define GANGER_BARRIER_CLOBBERS_F                                                               \
	, "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "ft8", "ft9", "ft10", "ft11", \
		"fa0", "fa1", "fa2", "fa3", "fa4", "fa5", "fa6", "fa7", "fs0", "fs1", "fs2",    \
		"fs3", "fs4", "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11"
#else
#define GANGER_BARRIER_CLOBBERS_F
#endif

/**
 * No thread of the CTA goes on before all of them have come here, and each then sees what the
 * others wrote before. In loops and in called functions, too. A thread that returns while others
 * wait ends the task with ERR_DIVERGED.
 * @param flags  CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE: all memory is in order either way, since
 *               the threads of a CTA run on one core. The rounding mode is common to all threads.
 */
__attribute__((always_inline)) static inline void barrier(unsigned int flags)
{
	(void)flags;
	/* A call is two instructions, but compilers count statements: the second one is for them, and does nothing. Without
	 * it a branch over many barriers may be too short. */
	__asm__ volatile("call ganger_barrier\n\t.p2align 1"
			 :
			 :
			 : GANGER_BARRIER_CLOBBERS GANGER_BARRIER_CLOBBERS_F);
}

/** Orders this thread's accesses before and after it, also as other CTAs see them. */
static inline void mem_fence(unsigned int flags)
{
	if (flags & CLK_GLOBAL_MEM_FENCE) {
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
	} else {
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
	}
}

/** Orders this thread's reads. */
static inline void read_mem_fence(unsigned int flags)
{
	mem_fence(flags);
}

/** Orders this thread's writes. */
static inline void write_mem_fence(unsigned int flags)
{
	mem_fence(flags);
}

#endif /* FIRMWARE_KERNEL_GANGER_SYNC_H */
