/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Kernel built-ins: child tasks (S0-R07), queues of work items (S0-R05, S0-R06), continuations
 * (S0-R08). Included by ganger_kernel.h.
 *
 * A task is described by a struct gg_tmd (ganger_abi.h, docs/REGISTERS.md) in the context's heap,
 * at an address that is a multiple of 256. A kernel gets TMDs from the host as arguments, filled in
 * or as a pattern of which it makes copies; it changes what it likes before it launches them:
 *
 *     child[i] = *pattern;
 *     ganger_tmd_grid(&child[i], 16, 1, 1);
 *     ganger_tmd_args(&child[i], &args[i], sizeof(args[i]));
 *     status = ganger_launch(&child[i]);
 *
 * What a TMD points to (code, arguments, queue, lists) is in the same heap, too, and stays as it is
 * until the task is over. A task is named by its TMD's address and `generation`: one that is
 * launched again from the same TMD gets another generation.
 *
 * The calls may be made by any thread, also between barriers; each makes the whole CTA wait until
 * the control processor has answered. What this CTA has written before, the other task sees. They
 * return 0, or the negative of an error number (enum gg_status) and then nothing was done.
 */
#ifndef FIRMWARE_KERNEL_GANGER_TASKS_H
#define FIRMWARE_KERNEL_GANGER_TASKS_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "ganger_ids.h"

/** An environment call with arguments, which the control processor answers. */
static inline int ganger_ask(uintptr_t call, const struct gg_tmd *tmd, uintptr_t second,
			     uintptr_t third)
{
	register uintptr_t a0 __asm__("a0") = (uintptr_t)tmd;
	register uintptr_t a1 __asm__("a1") = tmd->generation;
	register uintptr_t a2 __asm__("a2") = second;
	register uintptr_t a3 __asm__("a3") = third;
	register uintptr_t a7 __asm__("a7") = call;

	__asm__ volatile("fence\n\tecall"
			 : "+r"(a0)
			 : "r"(a1), "r"(a2), "r"(a3), "r"(a7)
			 : "memory");
	return (int)a0;
}

/** Start a child task: this task is not complete before it is, and fails if it fails. The child
 * may start before the call returns. Its context, heap included, is that of this task. */
static inline int ganger_launch(const struct gg_tmd *tmd)
{
	return ganger_ask(GG_CALL_LAUNCH, tmd, 0, 0);
}

/** Push items into the queue of a queue task that was submitted or launched.
 * @param items  Copied from there, 4,096 bytes at most, aligned to 4: this CTA's own memory or the
 *               heap. NULL: they are in place already, behind the last item that was pushed.
 * @param count  Items, not 0: all are taken, or none (GG_ERR_QUEUE_FULL, GG_ERR_QUEUE_CLOSED). */
static inline int ganger_queue_push(const struct gg_tmd *queue, const void *items, uint32_t count)
{
	return ganger_ask(GG_CALL_QUEUE_PUSH, queue, (uintptr_t)items, count);
}

/** Say that no more items come, except from CTAs of the queue task itself: it ends when all are worked on. */
static inline int ganger_queue_close(const struct gg_tmd *queue)
{
	return ganger_ask(GG_CALL_QUEUE_CLOSE, queue, 0, 0);
}

/** Number of the first item of this CTA in its queue task (S0-R05); 0 in a grid. It counts modulo
 * a multiple of the queue's capacity, below 2^32. */
static inline uint64_t get_queue_position(void)
{
	return ganger_cta()->queue_position;
}

/** Items that this CTA has to work on (S0-R06); 0 in a grid. */
static inline uint32_t get_queue_items(void)
{
	return (unsigned int)GANGER_U32(queue_items);
}

/** An item of this CTA, where it lies in the queue. When the CTA has ended its place is free for other items.
 * @param item  Below get_queue_items(). */
static inline const void *ganger_queue_item(uint32_t item)
{
	const struct gg_cta *cta = ganger_cta();
	const uint32_t rest = cta->queue_capacity - cta->queue_place; /* places up to the end */
	const uint32_t place = item < rest ? cta->queue_place + item : item - rest;

	return (const char *)cta->queue + (uintptr_t)place * cta->queue_item_bytes;
}

/** Write an address into a pair of words. */
static inline void ganger_tmd_pointer(uint32_t *low, uint32_t *high, const void *pointer)
{
	const uint64_t address = (uintptr_t)pointer;

	*low = (uint32_t)address;
	*high = (uint32_t)(address >> 32);
}

/** CTAs along x, y and z, each 1 or more; y and z below 65,536. */
static inline void ganger_tmd_grid(struct gg_tmd *tmd, uint32_t x, uint32_t y, uint32_t z)
{
	tmd->grid_x = x;
	tmd->grid_yz = y | z << 16;
}

/** Argument block: laid out as a C struct of the parameters, aligned to 16. */
static inline void ganger_tmd_args(struct gg_tmd *tmd, const void *args, uint32_t bytes)
{
	ganger_tmd_pointer(&tmd->args_lo, &tmd->args_hi, args);
	tmd->args_bytes = bytes;
}

/** The circular queue of a queue task.
 * @param places       `capacity` items of `item_bytes`, a multiple of 4.
 * @param outstanding  Items that are there already, from the first place on. */
static inline void ganger_tmd_queue(struct gg_tmd *tmd, const void *places, uint32_t capacity,
				    uint32_t item_bytes, uint32_t outstanding)
{
	ganger_tmd_pointer(&tmd->queue_lo, &tmd->queue_hi, places);
	tmd->queue_capacity = capacity;
	tmd->queue_item_bytes = item_bytes;
	tmd->queue_outstanding = outstanding;
}

/** What happens when the task has completed without error: an array of `count`. */
static inline void ganger_tmd_dependents(struct gg_tmd *tmd, const struct gg_dependent *dependents,
					 uint32_t count)
{
	ganger_tmd_pointer(&tmd->dependents_lo, &tmd->dependents_hi, dependents);
	tmd->dependent_count = count;
}

/** DECREMENTs of other tasks that the task waits for before it is ready. */
static inline void ganger_tmd_dependence_count(struct gg_tmd *tmd, uint32_t count)
{
	tmd->dependence_count = count;
}

/** An entry of a list of dependents. The other TMD's generation is final.
 * @param amount  GG_DEPENDENCE_ACTION_INCREMENT_PUT: items; else 0. */
static inline struct gg_dependent
ganger_dependent(const struct gg_tmd *other, enum gg_dependence_action action, uint32_t amount)
{
	struct gg_dependent dependent = {
		.tmd_generation = other->generation,
		.action = (uint32_t)action | amount << 16,
	};

	ganger_tmd_pointer(&dependent.tmd_lo, &dependent.tmd_hi, other);
	return dependent;
}

#endif /* FIRMWARE_KERNEL_GANGER_TASKS_H */
