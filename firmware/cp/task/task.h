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

/** A task, or a fence waiting for tasks. Each group of fields says which rooms write it: tools/check_owners.py
 * holds them to that. What a plain grid needs comes first. */
struct task {
	/** Checked copy; SMs read it. Written by: accept, graph (the TMD of a pass, before it is accepted). */
	struct gg_tmd tmd;
	/** Checked copies; SMs find them behind `tmd`. Written by: accept. */
	struct gg_window windows[TASK_WINDOWS];
	/** Neighbours in the list that the task is on. Written by: task. */
	struct task *next, *previous;
	/** How much of it has been done. Written by: task (work.h). */
	struct {
		uint64_t position; /**< Next CTA to issue: the resume position (S0-R13). */
		uint64_t left;     /**< CTAs left to issue; of a queue task: that its items make. */
		uint64_t done;     /**< CTAs that completed without error. */
		uint64_t ready; /**< When it entered the scheduler table, in ticks; 0: not yet. */
		uint64_t first; /**< When its first CTA started, in ticks; 0: not yet. */
		uint64_t last;  /**< When its last CTA so far ended, in ticks; 0: not yet. */
		uint32_t in_flight; /**< CTAs issued and not reported. */
		uint32_t packets;   /**< Launch packets so far. */
	} work;
	/** What its TMD asks for, in the form that the scheduler uses. Written by: accept. */
	struct {
		struct task_needs needs; /**< Per CTA. */
		struct cga_shape shape;  /**< Of its CGAs. */
		uint32_t
			unit_mask; /**< needs.units ones: the units of a CTA that starts at unit 0. */
		uint8_t priority; /**< 1 to 10. */
		uint8_t mode;     /**< enum gg_task_mode. */
		bool sequential;  /**< At most one CTA in flight (S0-R23). */
		bool throttle;    /**< Runs in throttle mode only (S0-R22). */
		bool restricted;  /**< `allowed` holds (S0-R25). */
	} rules;
	/** Its place in the task table. Written by: task. */
	struct {
		uint32_t stamp;      /**< Age: smaller is older (S0-R26). */
		uint32_t quota_left; /**< CTAs of its turn that are left (S0-R24). */
		uint8_t slot;        /**< Slot, or TASK_NO_SLOT. */
	} turn;
	/** Completion's `fault` word, or 0. Written by: task. */
	uint32_t fault;
	/** Where it is in its life; the task table sets the states of tasks in slots. Written by: life, task. */
	struct {
		uint8_t state;  /**< enum task_state. */
		bool suspended; /**< Is to get no CTA until it is resumed. */
	} life;
	/** Its first failure; GG_OK while there is none. Written by: task. */
	struct refusal failure;
	/** Where it came from. Written by: host, accept. */
	struct {
		struct task *parent; /**< Task of the CTA that launched it, or NULL. */
		uint64_t address;    /**< Of its TMD: with the TMD's generation, its name. */
		uint64_t posted;     /**< When the command was taken, in ticks. */
		uint32_t tag;        /**< Tag of its command, or of its oldest ancestor's. */
		uint32_t interval;   /**< Fence interval of its channel in which it was accepted. */
		uint8_t channel;     /**< Channel of its command. */
		uint8_t opcode;      /**< enum gg_opcode of its command. */
		bool quiet;          /**< No interrupt for its completion. */
		bool trusted;        /**< The host, not a kernel, chose its TMD. */
		uint8_t depth;       /**< 0 for the host's tasks, else the parent's + 1. */
	} source;
	/** Its family. Written by: life. */
	struct {
		struct task *child;        /**< Newest of its children that are alive, or NULL. */
		struct task *sibling_next; /**< Older child of the same parent. */
		struct task *sibling_previous; /**< Newer one. */
	} family;
	/** Neighbours in its chain of the name table. Written by: task. */
	struct {
		struct task *next;     /**< Next of the chain. */
		struct task *previous; /**< Previous of the chain. */
	} name;
	/** What others wait for, and what it waits for. Written by: task, accept. */
	struct {
		struct edge *edges; /**< What is to happen when it is over. */
		uint32_t waits;     /**< Tasks that it waits for. */
		uint32_t open;      /**< Of those, not yet named by anybody's dependents. */
	} depend;
	/** Why its CTAs are kept back. Written by: task. */
	struct {
		uint32_t since;   /**< Turn of the loop in which `reason` began. */
		uint32_t reasons; /**< Bit r: turns[r] is not 0. */
		uint32_t turns[GG_REASON_NONE + 1]; /**< Turns of the loop spent for each reason. */
		uint8_t reason; /**< enum gg_reason: what keeps them back now. */
	} stall;
	/** Its queue, or NULL. Written by: task. */
	struct queue *queue;
	/** Of a PULL grid. Written by: pull. */
	struct {
		uint64_t given_back; /**< Items in its ranges (pull_range.h). */
		uint16_t ranges;     /**< Number of its first range, plus 1; 0 for none. */
		bool lost;           /**< An SM was lost that had items of it. */
	} pull;
	/** Of a GRAPH task: its job; else NULL. Written by: graph. */
	struct graph_job *graph;
	/** Of a task of a graph's pass. Written by: graph. */
	struct {
		uint32_t number; /**< The pass, plus 1; 0: it is of none. */
		uint8_t block;   /**< Its argument block. */
		bool unissued;   /**< It counts in graph_image.unissued. */
	} pass;
	/** How its CGA waits (cga_wait.h). Written by: cga. */
	struct {
		uint32_t since;   /**< CTAs issued when its CGA began to wait. */
		uint32_t version; /**< sm_state_version() when the domain was chosen. */
		uint16_t domain;  /**< Domain that is reserved for its CGA. */
		uint8_t how;      /**< How it waits. */
	} cga_wait;
	/** Bytes in its print buffer. Written by: collect. */
	uint32_t printed;
	/** Number of this use of the place; 0: it is free. Written by: task. */
	uint32_t serial;
	/** SMs that ran its CTAs, a bitmap by number. Written by: task (work.h). */
	uint32_t sms[CP_SM_WORDS];
	/** SMs that may run its CTAs, when `rules.restricted`. Written by: accept. */
	uint32_t allowed[CP_SM_WORDS];
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
	return part_is_here(GG_FEATURE_PULL) && task->rules.mode == GG_TASK_MODE_PULL;
}

/** Whether the CTAs of a task form CGAs. */
static inline bool task_has_cgas(const struct task *task)
{
	return part_is_here(GG_FEATURE_CLUSTERS) && task->rules.shape.levels != 0;
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

/** Note how a task has failed.
 * @param fault  Completion's `fault` word, or 0. */
void task_fail(struct task *task, const struct refusal *failure, uint32_t fault);

/** A task that does not fail answers a number: its completion's value. */
void task_answer(struct task *task, uint64_t value);

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
