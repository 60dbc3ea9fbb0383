/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Tasks: the checked copy of a TMD with its dynamic state (S0-R01), and the pool they live in.
 *
 * The links of every list are in the task, so any number of tasks can be pending, bounded only by
 * the pool (S0-R11), and every list operation costs the same for one task and for a hundred
 * thousand. A task is on exactly one list at a time. Written by the control processor alone; SMs
 * read `tmd` while the task holds a slot.
 */
#ifndef FIRMWARE_CP_TASK_H
#define FIRMWARE_CP_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/limits.h"

#define TASK_NO_SLOT 0xffu /**< `slot` of a task that has none. */

/** What a CTA of a task takes from an SM. */
struct task_needs {
	uint32_t units;     /**< Memory units, 1 to 32, side by side. */
	uint32_t warps;     /**< Warp slots, 1 to 32. */
	uint32_t registers; /**< Registers. */
};

/** Times of a task, in ticks; 0 is "not yet". */
struct task_times {
	uint64_t posted; /**< The command was taken. */
	uint64_t ready;  /**< It entered the scheduler table. */
	uint64_t first;  /**< Its first CTA started. */
	uint64_t last;   /**< Its last CTA ended. */
};

/** Why a command or a task failed. */
struct refusal {
	enum gg_status status; /**< GG_OK when it did not. */
	uint32_t field;        /**< enum gg_field, or 0. */
	uint64_t value;        /**< Value of that field. */
};

/** A task, or a fence waiting for tasks. */
struct task {
	struct gg_tmd tmd;       /**< Checked copy; SMs read it. */
	struct task *next;       /**< Next of its list. */
	struct task *previous;   /**< Previous of its list. */
	uint64_t position;       /**< Next CTA to issue: the resume position (S0-R13). */
	uint64_t left;           /**< CTAs left to issue. */
	uint64_t done;           /**< CTAs that completed without error. */
	struct task_times times; /**< Times. */
	struct task_needs needs; /**< Per CTA. */
	uint32_t unit_mask;      /**< needs.units ones: the units of a CTA that starts at unit 0. */
	uint32_t in_flight;      /**< CTAs issued and not reported. */
	uint32_t tag;            /**< Tag of its command. */
	uint32_t packets;        /**< Launch packets so far. */
	uint32_t fault;          /**< Completion's `fault` word, or 0. */
	uint32_t interval;       /**< Fence interval of its channel in which it was accepted. */
	struct refusal failure;  /**< First failure. */
	uint8_t priority;        /**< 1 to 10. */
	uint8_t mode;            /**< enum gg_task_mode. */
	uint8_t slot;            /**< Slot, or TASK_NO_SLOT. */
	uint8_t channel;         /**< Channel of its command. */
	uint8_t opcode;          /**< enum gg_opcode of its command. */
	bool quiet;              /**< No interrupt for its completion. */
	uint32_t sms[CP_SM_WORDS]; /**< SMs that ran its CTAs. */
};

/** A list of tasks. All zero is the empty list. */
struct task_list {
	struct task *head; /**< First, or NULL. */
	struct task *tail; /**< Last, or NULL. */
};

/** Take over the memory of the pool.
 * @param memory  Aligned to 16.
 * @param bytes   Its size; holds bytes / sizeof(struct task) tasks. */
void task_pool_init(void *memory, uint64_t bytes);

/** Places of the pool. */
uint32_t task_pool_capacity(void);

/** Whether a task can be had. */
bool task_pool_has_room(void);

/** Take a task from the pool; all but `tmd` is zero. NULL when the pool is full. */
struct task *task_take(void);

/** Give a task back; it must be on no list. */
void task_give(struct task *task);

/** Note why a task is refused. @return false. */
bool task_refuse(struct task *task, enum gg_status status, uint32_t field, uint64_t value);

/** Append to a list. */
void task_list_append(struct task_list *list, struct task *task);

/** Insert at the head of a list. */
void task_list_prepend(struct task_list *list, struct task *task);

/** Unlink from its list. */
void task_list_remove(struct task_list *list, struct task *task);

#endif /* FIRMWARE_CP_TASK_H */
