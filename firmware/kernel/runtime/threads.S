/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads of a CTA with barriers. Each has a stack; struct gg_thread lies at its lowest address and
 * holds sp while the thread waits. They take turns in the order of their linear numbers: a thread
 * that comes to a barrier, or to its end, goes on with the next one; after the last one the round
 * is over, and the next round begins with the first thread (S3-R97, S3-R103).
 *
 * A waiting thread's frame: ra, s0, s1. The compiler keeps the other registers (ganger_sync.h).
 * In all of it: t0 = struct gg_thread of a thread, t2 = its number.
 */
#include "firmware/kernel/gg_cta.h"

#if __riscv_xlen == 64
#define LOAD  ld
#define STORE sd
#define WORD  8
#else
#define LOAD  lw
#define STORE sw
#define WORD  4
#endif
#define FRAME (4 * WORD)

/* A field of the CTA block. */
#define CTA(offset) (offset - GG_CTA_BYTES)(tp)

	.macro FUNCTION name
	.section .text.\name, "ax", @progbits
	.globl	\name
	.type	\name, @function
	.balign	4
\name:
	.endm

	.macro END name
	.size	\name, . - \name
	.endm

FUNCTION ganger_barrier
	addi	sp, sp, -FRAME
	STORE	ra, 0 * WORD(sp)
	STORE	s0, 1 * WORD(sp)
	STORE	s1, 2 * WORD(sp)
	LOAD	t0, CTA(GG_CTA_CONTEXT)
	LOAD	t1, GG_THREAD_CANARY(t0)
	bne	t1, t0, .Loverflow
	STORE	sp, GG_THREAD_SP(t0)
.Lnext:
	lw	t2, CTA(GG_CTA_THREAD)
	lw	t3, CTA(GG_CTA_THREADS)
	addi	t2, t2, 1
	beq	t2, t3, .Lround
	lw	t4, CTA(GG_CTA_STACK_BYTES)
	lw	t5, CTA(GG_CTA_LOCAL_ID)
	lw	t6, CTA(GG_CTA_BLOCK)
	add	t0, t0, t4
	addi	t5, t5, 1
	beq	t5, t6, .Lrow
.Lresume_x:
	sw	t5, CTA(GG_CTA_LOCAL_ID)
.Lresume:
	sw	t2, CTA(GG_CTA_THREAD)
	STORE	t0, CTA(GG_CTA_CONTEXT)
	LOAD	sp, GG_THREAD_SP(t0)
	LOAD	ra, 0 * WORD(sp)
	LOAD	s0, 1 * WORD(sp)
	LOAD	s1, 2 * WORD(sp)
	addi	sp, sp, FRAME
	ret

.Lrow:	/* x is through: next y, and perhaps next z */
	lw	t5, CTA(GG_CTA_LOCAL_ID + 4)
	lw	t6, CTA(GG_CTA_BLOCK + 4)
	addi	t5, t5, 1
	bne	t5, t6, 1f
	lw	t5, CTA(GG_CTA_LOCAL_ID + 8)
	addi	t5, t5, 1
	sw	t5, CTA(GG_CTA_LOCAL_ID + 8)
	li	t5, 0
1:	sw	t5, CTA(GG_CTA_LOCAL_ID + 4)
	li	t5, 0
	j	.Lresume_x

.Lround: /* all threads had their turn: they wait, or they have returned, or some of each */
	lw	t1, CTA(GG_CTA_DONE)
	bnez	t1, .Lended
	lw	t1, CTA(GG_CTA_FLAGS)
	andi	t1, t1, GG_CTA_FLAG_YIELD
	beqz	t1, .Lfirst
	li	a7, GG_CALL_YIELD
	ecall
.Lfirst:
	LOAD	t0, CTA(GG_CTA_STACK_BASE)
	li	t2, 0
	sw	zero, CTA(GG_CTA_LOCAL_ID + 4)
	sw	zero, CTA(GG_CTA_LOCAL_ID + 8)
	li	t5, 0
	j	.Lresume_x

.Lended:
	bne	t1, t3, .Ldiverged
	li	a0, 0
	li	a7, GG_CALL_EXIT
	ecall
	.word	0	/* an illegal instruction: the call does not return */
.Ldiverged:
	tail	ganger_diverged
.Loverflow:
	tail	ganger_stack_overflow

/* void ganger_end_thread(void): the kernel has returned to the stub. */
	.globl	ganger_end_thread
	.type	ganger_end_thread, @function
	END	ganger_barrier
ganger_end_thread:
	LOAD	t0, CTA(GG_CTA_CONTEXT)
	LOAD	t1, GG_THREAD_CANARY(t0)
	bne	t1, t0, .Loverflow
	lw	t1, CTA(GG_CTA_DONE)
	STORE	zero, GG_THREAD_SP(t0)
	addi	t1, t1, 1
	sw	t1, CTA(GG_CTA_DONE)
	j	.Lnext

/* void ganger_run_threads(void (*thread)(void)): frames to start from, then the first thread. */
	.globl	ganger_run_threads
	.type	ganger_run_threads, @function
	END	ganger_end_thread
ganger_run_threads:
	LOAD	t0, CTA(GG_CTA_STACK_BASE)
	lw	t1, CTA(GG_CTA_STACK_BYTES)
	lw	t2, CTA(GG_CTA_THREADS)
	sw	zero, CTA(GG_CTA_DONE)
1:	add	t3, t0, t1
	addi	t4, t3, -FRAME
	STORE	a0, 0 * WORD(t4)
	STORE	t0, GG_THREAD_CANARY(t0)
	STORE	t4, GG_THREAD_SP(t0)
	addi	t2, t2, -1
	mv	t0, t3
	bnez	t2, 1b
	j	.Lfirst
	END	ganger_run_threads

/* void ganger_stack_overflow(void) */
FUNCTION ganger_stack_overflow
	lw	a1, CTA(GG_CTA_THREAD)
	li	a0, GG_ABORT_STACK
	sw	a0, CTA(GG_CTA_RESULT)
	li	a7, GG_CALL_ABORT
	ecall
	.word	0
	END	ganger_stack_overflow
