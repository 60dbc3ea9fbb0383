/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Tasks: the checked copy of a TMD with its dynamic state (S0-R01), and the pool they live in.
 *
 * The links of every list are in the task, so any number of tasks can be pending, bounded only by
 * the pool (S0-R11), and every list operation costs the same for one task and for a hundred
 * thousand. A task is on exactly one list at a time. Written by the control processor alone; SMs
 * read `tmd` while the task holds a slot.
 */
#ifndef FIRMWARE_CP_TASK_TASK_H
#define FIRMWARE_CP_TASK_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "firmware/abi/field.h"
#include "firmware/abi/ganger_abi.h"
#include "firmware/abi/refusal.h"
#include "firmware/cp/task/cga_shape.h"
#include "firmware/cp/base/limits.h"
#include "firmware/cp/base/part.h"

#define TASK_WINDOWS     4u                  /**< Memory windows of a task, at most. */
#define TASK_WINDOWS_CGA (TASK_WINDOWS - 1u) /**< The same with CGAs: their members take one. */
#define TASK_NO_SLOT     0xffu               /**< `slot` of a task that has none. */

struct edge;      /* dependence.h */
struct graph_job; /* graph_job.h */
struct queue;     /* queue.h */

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

/** Name of a TMD, and of the task that it becomes. */
struct task_name {
	uint64_t address;    /**< Device address of the TMD; anything. */
	uint32_t generation; /**< What the TMD's generation must be. */
};

/** A name, from the words that hold it. */
static inline struct task_name task_name_of(uint32_t address_lo, uint32_t address_hi,
					    uint32_t generation)
{
	return (struct task_name){ gg_join(address_lo, address_hi), generation };
}

/** Where a task is in its life; life.h has the picture. */
enum task_state {
	TASK_HELD = 0, /**< Waits for other tasks. */
	TASK_PENDING,  /**< In the scheduler table. */
	TASK_READY,    /**< In a slot; CTAs can be issued. */
	TASK_BLOCKED,  /**< In a slot; no CTA can be issued until one of its own ends. */
	TASK_DRAINING, /**< In a slot; no CTA is left to issue, some are in flight. */
	TASK_LEAVING,  /**< In a slot that it has to give up when its CTAs in flight have ended. */
	TASK_PARKED,   /**< Outside: suspended, or a queue task with too few items. */
	TASK_WAITING,  /**< Its CTAs have ended; it waits for its descendants. */
	TASK_OVER, /**< Its family has ended, too; what follows from that is still to be done. */
	TASK_DONE, /**< Nothing of it is left but its completion. */
};

/** A task, or a fence waiting for tasks. */
struct task {
	struct gg_tmd tmd;                      /**< Checked copy; SMs read it. */
	struct gg_window windows[TASK_WINDOWS]; /**< Checked copies; SMs find them behind `tmd`. */
	struct task *next;                      /**< Next of its list. */
	struct task *previous;                  /**< Previous of its list. */
	uint64_t position;       /**< Next CTA to issue: the resume position (S0-R13). */
	uint64_t left;           /**< CTAs left to issue; of a queue task: that its items make. */
	uint64_t done;           /**< CTAs that completed without error. */
	struct task_times times; /**< Times. */
	struct task_needs needs; /**< Per CTA. */
	struct cga_shape shape;  /**< Of its CGAs. */
	uint32_t unit_mask;      /**< needs.units ones: the units of a CTA that starts at unit 0. */
	uint32_t in_flight;      /**< CTAs issued and not reported. */
	uint32_t stamp;          /**< Age in the task table: smaller is older (S0-R26). */
	uint32_t quota_left;     /**< CTAs of its turn that are left (S0-R24). */
	uint32_t tag;            /**< Tag of its command, or of its oldest ancestor's. */
	uint64_t given_back;     /**< PULL: items in its ranges (pull_range.h). */
	uint16_t ranges;         /**< PULL: number of its first range, plus 1; 0 for none. */
	bool lost;               /**< PULL: an SM was lost that had items of it. */
	uint32_t packets;        /**< Launch packets so far. */
	uint32_t fault;          /**< Completion's `fault` word, or 0. */
	uint32_t printed;        /**< Bytes in its print buffer. */
	uint32_t interval;       /**< Fence interval of its channel in which it was accepted. */
	struct refusal failure;  /**< First failure. */
	uint8_t priority;        /**< 1 to 10. */
	uint8_t mode;            /**< enum gg_task_mode. */
	uint8_t slot;            /**< Slot, or TASK_NO_SLOT. */
	uint8_t channel;         /**< Channel of its command. */
	uint8_t opcode;          /**< enum gg_opcode of its command. */
	uint8_t state;           /**< enum task_state. */
	uint8_t reason;          /**< enum gg_reason: what keeps back its CTAs now. */
	uint8_t depth;           /**< 0 for the host's tasks, else the parent's + 1. */
	bool quiet;              /**< No interrupt for its completion. */
	bool suspended;          /**< Is to get no CTA until it is resumed. */
	bool trusted;            /**< The host, not a kernel, chose its TMD. */
	bool sequential;         /**< At most one CTA in flight (S0-R23). */
	bool throttle;           /**< Runs in throttle mode only (S0-R22). */
	bool restricted;         /**< `allowed` holds (S0-R25). */
	uint32_t reasons;        /**< Bit r: not_issued[r] is not 0. */
	uint32_t reason_since;   /**< Turn of the loop in which `reason` began. */
	uint32_t not_issued[GG_REASON_NONE + 1]; /**< Turns spent for each reason. */
	uint32_t serial;               /**< Number of this use of the place; 0: it is free. */
	uint64_t address;              /**< Of its TMD: with the TMD's generation, its name. */
	struct task *named_next;       /**< Next of its chain in the directory. */
	struct task *named_previous;   /**< Previous there. */
	struct task *parent;           /**< Task of the CTA that launched it, or NULL. */
	struct task *child;            /**< Newest of its children that are alive, or NULL. */
	struct task *sibling_next;     /**< Older child of the same parent. */
	struct task *sibling_previous; /**< Newer one. */
	struct edge *edges;            /**< What is to happen when it is over. */
	uint32_t waits;                /**< Tasks that it waits for. */
	uint32_t open;                 /**< Of those, not yet named by anybody's dependents. */
	struct queue *queue;           /**< Its queue, or NULL. */
	struct graph_job *graph;       /**< GRAPH: its job; else NULL. */
	uint32_t pass;                 /**< Of a task of a graph's pass: the pass, + 1; else 0. */
	uint8_t block;                 /**< The same: its argument block. */
	bool unissued;                 /**< The same: it counts in graph_image.unissued. */
	uint32_t wait_since;           /**< CTAs issued when its CGA began to wait (cga_wait.h). */
	uint32_t wait_version;         /**< sm_state_version() when the domain was chosen. */
	uint16_t wait_domain;          /**< Domain that is reserved for its CGA. */
	uint8_t wait;                  /**< How its CGA waits. */
	uint32_t sms[CP_SM_WORDS];     /**< SMs that ran its CTAs. */
	uint32_t allowed[CP_SM_WORDS]; /**< SMs that may, when `restricted`. */
};

_Static_assert(offsetof(struct task, windows) == sizeof(struct gg_tmd), "SMs find the windows");

/** enum gg_task_type of a task whose TMD is checked. */
static inline uint32_t task_type(const struct task *task)
{
	return gg_get(task->tmd.header, GG_TMD_TYPE);
}

/** Whether a task is a PULL grid: SMs take its CTAs themselves. */
static inline bool task_is_pull(const struct task *task)
{
	return part_is_here(GG_FEATURE_PULL) && task->mode == GG_TASK_MODE_PULL;
}

/** Whether the CTAs of a task form CGAs. */
static inline bool task_has_cgas(const struct task *task)
{
	return part_is_here(GG_FEATURE_CLUSTERS) && task->shape.levels != 0;
}

/** The queue of a queue task; NULL for all other tasks. */
static inline struct queue *task_queue(const struct task *task)
{
	return part_is_here(GG_FEATURE_QUEUES) ? task->queue : NULL;
}

/** The job of a GRAPH task; NULL for all other tasks. */
static inline struct graph_job *task_graph(const struct task *task)
{
	return part_is_here(GG_FEATURE_GRAPHS) ? task->graph : NULL;
}

/** Whether a task has failed, or was cancelled. */
static inline bool task_has_failed(const struct task *task)
{
	return task->failure.status != GG_OK;
}

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

/** Places that are free. */
uint32_t task_pool_free(void);

/** Number of places that were in use at least once: those below it can be looked at. */
uint32_t task_pool_touched(void);

/** Serial of the task that was taken last. */
uint32_t task_pool_serial(void);

/** A place by number, below task_pool_touched(). Its `serial` is 0 when it is no task now. */
struct task *task_pool_place(uint32_t number);

/** Take a task from the pool; all but `tmd` and `allowed` is zero. NULL when the pool is full. */
struct task *task_take(void);

/** Give a task back; it must be on no list. */
void task_give(struct task *task);

/** Take a place for something else of at most sizeof(struct task) bytes; NULL when it is full. Its
 * content is left from before, but for its `serial`, which is 0 and stays so. */
void *task_take_place(void);

/** Give such a place back. */
void task_give_place(void *place);

/** Whether memory lies in the heap of a task's context, and that in device memory.
 * @param bytes  Not 0; any 64-bit value: the sum does not wrap. */
bool task_heap_holds(const struct task *task, uint64_t base, uint64_t bytes);

/** Note why a task is refused. @return false. */
bool task_refuse(struct task *task, enum gg_status status, uint32_t field, uint64_t value);

/** Append to a list. */
void task_list_append(struct task_list *list, struct task *task);

/** Insert at the head of a list. */
void task_list_prepend(struct task_list *list, struct task *task);

/** Insert behind another task of a list; at the head when that is NULL. */
void task_list_insert(struct task_list *list, struct task *task, struct task *before);

/** Unlink from its list. */
void task_list_remove(struct task_list *list, struct task *task);

#endif /* FIRMWARE_CP_TASK_TASK_H */
