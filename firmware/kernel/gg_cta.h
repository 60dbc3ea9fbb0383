/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The CTA block: what an SM tells the threads of a CTA, and what the threads' runtime tells the SM.
 *
 * Entry protocol. For each CTA the SM picks `tp`, the base of the CTA's shared memory, aligned to
 * GG_CTA_ALIGN; the block is the GG_CTA_BYTES just below it. The SM has written every field of the first
 * part, and those that are the same for all CTAs of a task perhaps for an earlier CTA of it, and enters U-mode at the kernel's entry (TMD) with
 *
 *     tp = base of shared memory        sp = stack_base + stack_bytes (top of the first stack)
 *     a0 = tp - GG_CTA_BYTES            all other registers: undefined
 *
 * mstatus.FS must allow F and D where the core has them; mcounteren, and scounteren on a core with
 * S-mode, the counters.
 * The kernel ends with an environment call (below), never by a return. The SM keeps all registers
 * across a call, but for a0, its result.
 *
 * The block is the same on RV32 and RV64: pointers take 8 bytes on both. It lies in memory that
 * the kernel can write, so the SM may report what it reads there but never rely on it.
 *
 * Included by C and by assembly.
 */
#ifndef FIRMWARE_KERNEL_GG_CTA_H
#define FIRMWARE_KERNEL_GG_CTA_H

#define GG_CTA_BYTES 256 /**< Size of the block. */
#define GG_CTA_ALIGN 128 /**< Alignment of tp, and the most that a shared variable may ask for. */

/* Offsets that the assembly uses; tied to the struct below. */
#define GG_CTA_BLOCK       12
#define GG_CTA_THREADS     48
#define GG_CTA_FLAGS       52
#define GG_CTA_STACK_BYTES 108
#define GG_CTA_STACK_BASE  136
#define GG_CTA_LOCAL_ID    176
#define GG_CTA_THREAD      188
#define GG_CTA_DONE        192
#define GG_CTA_RESULT      200
#define GG_CTA_CONTEXT     232

/* Bits of gg_cta.flags. */
#define GG_CTA_FLAG_EDGE 2 /**< CTAs at the end of the grid have fewer threads: `edge` tells. */
#define GG_CTA_FLAG_RUN \
	4 /**< After its CTA the kernel may go on with the next one, until it has done that of the
		number `last`; it adds 1 to `cta_linear`, `cta_id[0]` and `cluster_id[0]` each time. A
		kernel that ends before is entered again for the rest. */
#define GG_CTA_FLAG_YIELD 1 /**< Call GG_CALL_YIELD each time all threads have met at a barrier. */

/* Lowest bytes of every stack: struct gg_thread. */
#define GG_THREAD_SP     0
#define GG_THREAD_CANARY 8
#define GG_THREAD_BYTES  16

/* Environment calls: the number is in a7, arguments in a0, a1, …; the result in a0.
 * LAUNCH, PUSH, CLOSE, PRINT and OCCUPANCY are asked of the CP: the CTA waits, and the result is 0 or the negative of
 * an error number (ganger_abi.h). */
#define GG_CALL_EXIT       1  /**< The CTA has ended. a0 = status, 0 is good. No return. */
#define GG_CALL_YIELD      2  /**< Lets others run now. Returns 0. */
#define GG_CALL_DIVERGED   3  /**< a0 = a thread, a1 = threads that returned, a2 = that wait. */
#define GG_CALL_ABORT      4  /**< a0 = GG_ABORT_…, a1 = thread (linear). No return. */
#define GG_CALL_LAUNCH     16 /**< Start a child task: a0 = TMD, a1 = its generation. */
#define GG_CALL_QUEUE_PUSH 17 /**< a0, a1 = TMD and generation, a2 = items or 0, a3 = number. */
#define GG_CALL_PRINT      18 /**< a0 = bytes, aligned to 4; a1 = how many, a multiple of 4. */
#define GG_CALL_CLUSTER_BARRIER \
	19                     /**< a0 = level, 0 is the cluster; a1 = GG_CLUSTER_… . Returns 0,
				      or the negative of ERR_ARGUMENT: no such level. */
#define GG_CALL_QUEUE_CLOSE 20 /**< a0, a1 = TMD and generation of a queue task. */
#define GG_CALL_CLUSTER_MAP \
	21 /**< a0 = address in the own shared memory, a1 = rank: returns the
				      address in that member's. A wrong one ends the CTA. */
#define GG_CALL_OCCUPANCY \
	22 /**< a0, a1 = TMD and generation, a3 = 0: now, 1: on an idle device.
				      Returns a number of CGAs. */
#define GG_CALL_CLUSTER_RANK \
	23 /**< a0 = address in a member's shared memory: returns its rank.
				      A wrong one ends the CTA. */

/* What GG_CALL_CLUSTER_BARRIER does: one of them, or both. */
#define GG_CLUSTER_ARRIVE 1 /**< The CTA has come. */
#define GG_CLUSTER_WAIT   2 /**< The CTA waits until all have come. */

/* Reasons of GG_CALL_ABORT. */
#define GG_ABORT_STACK  1 /**< A thread overran its stack (S3-R82). */
#define GG_ABORT_KERNEL 2 /**< The kernel called abort(), _exit(), or an assertion failed. */

#ifndef __ASSEMBLER__

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

/** A word of the XLEN that takes 8 bytes on both. On RV32 nobody looks at the upper half. */
#define GG_CTA_WORD(name)             \
	union {                       \
		uintptr_t name;       \
		uint64_t name##_slot; \
	}

/** One for each thread, at the lowest address of its stack. Written by the runtime. */
struct gg_thread {
	GG_CTA_WORD(sp); /**< Of a thread that waits at a barrier; 0: it has returned. */
	GG_CTA_WORD(
		canary); /**< Address of this struct. A stack that overflows overwrites it first. */
};

struct gg_cta {
	/* Written by the SM at the start of the CTA, and the same until its end (S0-R42). In a run the kernel goes on to
	 * the next CTA by itself (GG_CTA_FLAG_RUN). */
	uint32_t grid[3];  /**< CTAs along x, y, z; each 1 or more. */
	uint32_t block[3]; /**< Threads along x, y, z; each 1 or more, product = threads. */
	uint32_t cta_id
		[3]; /**< Position in the grid, each below grid[]. N-D range: the low word of the
	                             position, 0, 0. */
	uint32_t work_dim;   /**< Dimensions that the host named, 1 to 3. */
	uint64_t cta_linear; /**< x + grid.x * (y + grid.y * z); in an N-D range the position. */
	uint32_t threads;    /**< Threads of the CTA, 1 to 1,024. */
	uint32_t flags;      /**< GG_CTA_FLAG_… */
	uint32_t task_tag;   /**< Correlation id of the TMD: free for the host. */
	uint32_t task_id;    /**< Task slot in the lower, generation in the upper half (S0-R04). */
	uint32_t cluster[3]; /**< CTAs of the cluster along x, y, z; 1, 1, 1 without clusters. */
	uint32_t cluster_rank; /**< Linear number in the cluster (S1-R114); 0 without clusters. */
	uint32_t cluster_id
		[3]; /**< Position of the cluster among those of the grid: cta_id / cluster. */
	uint32_t shared_bytes;     /**< Shared memory of the CTA from tp on. */
	uint64_t queue_position;   /**< Queue task: number of the first item (S0-R05), modulo a
	                                    multiple of the capacity; else 0. */
	uint32_t queue_items;      /**< Queue task: items of this CTA (S0-R06); else 0. */
	uint32_t stack_bytes;      /**< Stack of a thread; a multiple of 16. */
	uint32_t global_offset[3]; /**< First global id along x, y, z; 0 without an offset. */
	uint32_t print_bytes;      /**< Bytes that the task may print; 0: nobody reads them, unless
	                                    an ancestor has a print buffer. */
	GG_CTA_WORD(args);         /**< Argument block, laid out as a C struct; read-only. */
	GG_CTA_WORD(stack_base);   /**< Lowest address of the stacks; aligned to 16. */
	uint32_t outer_rank; /**< Linear number of the cluster in its CGA of the second level; 0
	                                    without. */
	uint32_t outer_size; /**< Clusters of that CGA; 1 without. */
	GG_CTA_WORD(queue);  /**< Queue task: place 0 of the circular queue. PULL: the `nd_range`;
	                                  0 in a grid of three dimensions. */
	union {
		struct {
			uint32_t queue_capacity;   /**< Queue task: its places. */
			uint32_t queue_item_bytes; /**< Queue task: from one place to the next. */
			uint32_t queue_place;      /**< Queue task: place of the first item. */
		};
		uint32_t edge[3]; /**< With GG_CTA_FLAG_EDGE, along x, y, z: threads of the CTAs in
			                the lower half, of the last one in the upper half. */
	};
	uint32_t cga_id; /**< Id of the cluster, unique in its GPC, or in the device when it
	                                    may be larger (S1-R74, S1-R139); 0 without. */
	/* Written by the runtime in the kernel; undefined at the start, but for `thread`, which is 0, and `last`. */
	uint32_t local_id[3]; /**< Position in the block of the thread that runs now. */
	uint32_t thread;      /**< Its linear number: x + block.x * (y + block.y * z). */
	uint32_t done;        /**< Threads that returned since the last barrier was complete. */
	union {
		uint32_t waiting; /**< After GG_CALL_DIVERGED: threads that wait at the barrier. */
		uint32_t last;    /**< With GG_CTA_FLAG_RUN, written by the SM: low word of the
		                       `cta_linear` of the last CTA of the run. */
	};
	uint32_t result;       /**< 0, or the reason of GG_CALL_ABORT. */
	uint32_t nd_known;     /**< 0, written by the SM; 1: the runtime has the N-D index. */
	GG_CTA_WORD(origin_x); /**< Global id of the first thread: cta_id * block + offset. */
	GG_CTA_WORD(origin_y); /**< The same along y. */
	GG_CTA_WORD(origin_z); /**< The same along z. */
	GG_CTA_WORD(context);  /**< struct gg_thread of the thread that runs now. */
	uint64_t runtime_reserved[2]; /**< The kernel's side does not write it (sm_asm.h). */
};

static_assert(sizeof(struct gg_cta) == GG_CTA_BYTES, "shared size");
static_assert(GG_CTA_BYTES % GG_CTA_ALIGN == 0, "the block keeps the alignment of tp");
static_assert(sizeof(struct gg_thread) == GG_THREAD_BYTES, "the assembly's size");
static_assert(offsetof(struct gg_cta, block) == GG_CTA_BLOCK, "the assembly's offset");
static_assert(offsetof(struct gg_cta, threads) == GG_CTA_THREADS, "the assembly's offset");
static_assert(offsetof(struct gg_cta, flags) == GG_CTA_FLAGS, "the assembly's offset");
static_assert(offsetof(struct gg_cta, stack_bytes) == GG_CTA_STACK_BYTES, "the assembly's offset");
static_assert(offsetof(struct gg_cta, stack_base) == GG_CTA_STACK_BASE, "the assembly's offset");
static_assert(offsetof(struct gg_cta, local_id) == GG_CTA_LOCAL_ID, "the assembly's offset");
static_assert(offsetof(struct gg_cta, thread) == GG_CTA_THREAD, "the assembly's offset");
static_assert(offsetof(struct gg_cta, done) == GG_CTA_DONE, "the assembly's offset");
static_assert(offsetof(struct gg_cta, result) == GG_CTA_RESULT, "the assembly's offset");
static_assert(offsetof(struct gg_cta, context) == GG_CTA_CONTEXT, "the assembly's offset");

#endif /* __ASSEMBLER__ */

#endif /* FIRMWARE_KERNEL_GG_CTA_H */
