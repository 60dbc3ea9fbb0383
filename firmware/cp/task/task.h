/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Tasks: the checked copy of a TMD with its dynamic state (S0-R01), the pool of tasks, and lists of tasks.
 *
 * The links of every list are in the tasks, so the number of pending tasks is bounded only by the pool (S0-R11), and
 * a list operation takes the same time for one task and for a hundred thousand. A task is on exactly one list at a
 * time. Only the control processor writes tasks; SMs read `tmd` and `windows` while the task holds a slot.
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

#define TASK_WINDOWS     4u                  /**< Most memory windows of a task. */
#define TASK_WINDOWS_CGA (TASK_WINDOWS - 1u) /**< The same with CGAs, whose members take one. */
#define TASK_NO_SLOT     0xffu               /**< Value of `turn.slot` of a task without a slot. */

/** Number of the reasons that a completion counts; in enum gg_reason, GG_REASON_NONE follows them. */
#define TASK_REASONS (sizeof(((struct gg_completion *)0)->not_issued) / sizeof(uint32_t))
_Static_assert(TASK_REASONS == GG_REASON_NONE, "a word of a completion for each reason");

struct edge;      /* dependence.h */
struct graph_job; /* graph_job.h */
struct queue;     /* queue.h */

/** Resources that a CTA of a task takes from an SM. */
struct task_needs {
	uint32_t units;     /**< Consecutive memory units, 1 to 32. */
	uint32_t warps;     /**< Warp slots, 1 to 32. */
	uint32_t registers; /**< Registers. */
};

/** Whether two needs are the same. */
static inline bool task_needs_are(const struct task_needs *needs, const struct task_needs *other)
{
	return needs->units == other->units && needs->warps == other->warps &&
	       needs->registers == other->registers;
}

/** Name of a TMD and of the task that is made from it. */
struct task_name {
	uint64_t address;    /**< Device address of the TMD; not checked. */
	uint32_t generation; /**< Generation of the TMD. */
};

/** Make a name from the words that hold it. */
static inline struct task_name task_name_of(uint32_t address_lo, uint32_t address_hi,
					    uint32_t generation)
{
	return (struct task_name){ gg_join(address_lo, address_hi), generation };
}

/** The states of a task; life.h has a picture of them. */
enum task_state {
	TASK_HELD = 0, /**< It waits for other tasks. */
	TASK_PENDING,  /**< In the scheduler table. */
	TASK_READY,    /**< In a slot; CTAs can be issued. */
	TASK_BLOCKED,  /**< In a slot; no CTA can be issued until one of its own ends. */
	TASK_DRAINING, /**< In a slot; no CTA is left to issue, some are in flight. */
	TASK_LEAVING,  /**< In a slot that it gives up as soon as its CTAs in flight have ended. */
	TASK_PARKED, /**< In no slot and not pending: suspended, or a queue task with too few items. */
	TASK_WAITING, /**< Its CTAs have ended; it waits for its descendants. */
	TASK_OVER, /**< Its descendants have ended, too; what follows from that is still to be done. */
	TASK_DONE, /**< Only its completion is left to do. */
};

/** A task, or a fence that waits for tasks. The comment of each group of fields says which rooms write it, and
 * tools/check_owners.py checks that. What a plain grid needs comes first. */
struct task {
	/** The checked copy of its TMD; SMs read it. Written by: accept, graph (the TMD of a pass, before it is
	 * accepted). */
	struct gg_tmd tmd;
	/** The checked copies of its memory windows; SMs find them behind `tmd`. Written by: accept. */
	struct gg_window windows[TASK_WINDOWS];
	/** Its neighbours in the list that it is on. Written by: task. */
	struct task *next, *previous;
	/** How much of it has been done. Written by: task (work.h). */
	struct {
		uint64_t position; /**< Next CTA to issue: the resume position (S0-R13). */
		/** CTAs left to issue; a queue task: those its items can start now. */
		uint64_t left;
		uint64_t done;  /**< CTAs that completed without error. */
		uint64_t ready; /**< When it entered the scheduler table, in ticks; 0: not yet. */
		uint64_t first; /**< When its first CTA started, in ticks; 0: not yet. */
		uint64_t last;  /**< When its last CTA so far ended, in ticks; 0: not yet. */
		/** CTAs, or streams of a PULL grid, issued and not reported. */
		uint32_t in_flight;
		uint32_t packets; /**< Launch packets sent so far. */
		uint32_t
			parked; /**< CTAs of `left` that have started and are parked (launch_park.h). */
	} work;
	/** What its TMD asks for, in the form that the scheduler uses. Written by: accept. */
	struct task_rules {
		struct task_needs needs; /**< Resources that a CTA takes. */
		struct cga_shape shape;  /**< Shape of its CGAs. */
		uint32_t unit_mask;      /**< Units of a CTA that starts at unit 0, a bit each. */
		uint8_t priority;        /**< Priority 1 (highest) to 10 (S0-R03). */
		uint8_t mode;            /**< enum gg_task_mode. */
		bool sequential;         /**< At most one CTA in flight (S0-R23). */
		bool throttle;           /**< It runs only in throttle mode (S0-R22). */
		bool restricted;         /**< It may run only on the SMs in `allowed` (S0-R25). */
		/** A grid that uses no rare field of the TMD (accept/tmd.c). */
		bool plain;
		/** Number of the TMD that tmd_kept_take() has found in this place; 0 for none. */
		uint32_t kept;
	} rules;
	/** Its place in the task table. Written by: task. */
	struct {
		uint32_t stamp;      /**< Age: a smaller stamp is older (S0-R26); wraps at 2^32. */
		uint32_t quota_left; /**< CTAs left of its launch quota in this turn (S0-R24). */
		/** Its slot and the slot's generation (task_table_name()); means nothing while it has no slot. */
		uint32_t name;
		uint8_t slot; /**< Number of its slot, or TASK_NO_SLOT. */
	} turn;
	/** The `fault` word of its completion, or 0. Written by: task. */
	uint32_t fault;
	/** Its state; the task table sets the state of tasks in slots. Written by: life, task. */
	struct {
		uint8_t state;  /**< enum task_state. */
		bool suspended; /**< No CTA of it is issued until it is resumed. */
	} life;
	/** Its first failure; GG_OK while there is none. Written by: task. */
	struct refusal failure;
	/** Where it came from. Written by: host, accept, express. */
	struct {
		struct task *parent; /**< Task of the CTA that launched it, or NULL. */
		uint64_t address;    /**< Device address of its TMD; part of its name. */
		uint64_t posted;     /**< When the command was taken, in ticks. */
		/** Tasks of the fence interval of its channel in which it was accepted (channel.h); NULL: of none. */
		uint32_t *counted;
		uint32_t tag;    /**< Tag of its command, or of its oldest ancestor's. */
		uint8_t channel; /**< Channel of its command. */
		uint8_t opcode;  /**< enum gg_opcode of its command. */
		bool quiet;      /**< Its completion raises no interrupt. */
		bool trusted;    /**< The host, and not a kernel, chose its TMD. */
		uint8_t depth;   /**< 0 for the host's tasks, else the parent's + 1. */
	} source;
	/** Its family. Written by: life. */
	struct {
		struct task *child;            /**< Its newest child that is alive, or NULL. */
		struct task *sibling_next;     /**< Next older child of its parent, or NULL. */
		struct task *sibling_previous; /**< Next newer one, or NULL. */
	} family;
	/** Its neighbours in a chain of the name table. Written by: task. */
	struct {
		struct task *next; /**< Next task of the chain. */
		struct task **
			link; /**< The pointer to it: the head of its chain, or `next` of the task before. */
	} name;
	/** Dependences (dependence.h). Written by: task, accept. */
	struct {
		struct edge *edges;     /**< What happens to other tasks when it is over. */
		struct edge *schedules; /**< The TMDs that are submitted then. */
		uint32_t waits;         /**< Number of tasks that it waits for. */
		uint32_t open; /**< Of these, those that no TMD's `dependents` has named yet. */
	} depend;
	/** Why its CTAs are kept back (stall.h). Written by: task. */
	struct {
		uint32_t since;   /**< Turn of the loop in which `reason` was set. */
		uint32_t reasons; /**< Bit r: turns[r] is not 0. */
		/** Turns of the loop for each reason. */
		uint32_t turns[TASK_REASONS];
		uint8_t reason; /**< enum gg_reason: why they are kept back now. */
		uint64_t
			began; /**< When `reason` was set, in ticks, if the device was traced then. */
	} stall;
	/** Its queue, or NULL. Written by: task. */
	struct queue *queue;
	/** CTAs, or items of a PULL grid, that SMs had and that are to be issued again. Written by: task (range.h, retry.h). */
	struct {
		uint64_t ctas;    /**< Number of those in its ranges. */
		uint32_t retried; /**< CTAs that were lost and are issued again, so far. */
		uint16_t ranges;  /**< Pool number of its first range, plus 1; 0 for none. */
		/** task_range.losses of the CTAs that are issued now; a PULL grid: how often items were lost that had
		 * been lost before. */
		uint8_t losses;
		bool lost; /**< A PULL grid: an SM that had items of it was lost. */
	} back;
	/** The job of a GRAPH task, else NULL. Written by: graph. */
	struct graph_job *graph;
	/** A task that belongs to a pass of a graph. Written by: graph. */
	struct {
		uint32_t number; /**< Number of the pass, plus 1; 0 for none. */
		uint8_t block;   /**< Number of its argument block. */
		bool unissued;   /**< It is counted in graph_image.unissued. */
	} pass;
	/** How its CGA waits (cga_wait.h). Written by: cga. */
	struct {
		uint32_t since;   /**< offer_total() when this kind of waiting began. */
		uint32_t version; /**< sm_state_version() when the domain was chosen. */
		uint16_t domain;  /**< Index of the domain that is reserved for its CGA. */
		uint8_t how;      /**< enum wait of cga_wait.c. */
	} cga_wait;
	/** Bytes in its print buffer so far. Written by: collect. */
	uint32_t printed;
	/** Serial number of this use of the place; 0 when the place holds no task. Written by: task. */
	uint32_t serial;
	/** SMs that were sent CTAs of it, a bitmap by number. Written by: task (work.h). */
	uint32_t sms[CP_SM_WORDS];
	/** SMs that may run its CTAs, a bitmap by number; valid when `rules.restricted`. Written by: accept. */
	uint32_t allowed[CP_SM_WORDS];
};

_Static_assert(offsetof(struct task, windows) == sizeof(struct gg_tmd),
	       "SMs expect the windows behind the TMD");

/** The enum gg_task_type of a task whose TMD has been checked. */
static inline uint32_t task_type(const struct task *task)
{
	return gg_get(task->tmd.header, GG_TMD_TYPE);
}

/** Whether a task is a PULL grid, whose CTAs the SMs take themselves. */
static inline bool task_is_pull(const struct task *task)
{
	return part_is_here(GG_FEATURE_PULL) && task->rules.mode == GG_TASK_MODE_PULL;
}

/** Whether a task's CTAs form CGAs. */
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

/** Set up the pool; all places are free.
 * @param memory  Aligned to 16.
 * @param bytes   Size of the memory; it holds bytes / sizeof(struct task) tasks. */
void task_pool_init(void *memory, uint64_t bytes);

/** Number of places of the pool. */
uint32_t task_pool_capacity(void);

/** Number of free places. */
uint32_t task_pool_free(void);

/** Number of places that were taken at least once; only these may be passed to task_pool_place(). */
uint32_t task_pool_touched(void);

/** Serial number of the task that was taken last. */
uint32_t task_pool_serial(void);

/** The place of a number below task_pool_touched(). Its `serial` is 0 when it holds no task. */
struct task *task_pool_place(uint32_t number);

/** Take a task from the pool. All fields are zero except `tmd`, `windows`, `allowed`, `serial` and the two that say
 * "no slot" and "no stall reason".
 * @return  NULL when the pool is full. */
struct task *task_take(void);

/** First of the free places that are clean, or NULL. Written by task.c. */
extern struct task *task_pool_clean;

/** The free place that task_take_clean() would take, or NULL when there is none. Until it is taken, whoever asks may
 * write its `tmd` and `rules`. */
struct task *task_clean(void);

/** Take the place that task_clean() returned. It was cleared, or given back by task_give_clean(), so only these fields are not
 * zero, and the caller fills them in: `source`, `rules`, `turn`, `name`, `work.position`, `work.left`, `work.ready`,
 * `work.in_flight`, `work.packets`, `life.state`. Of `pass.block` and the links between siblings nothing is said: they
 * mean nothing without a pass, and without a parent. */
void task_take_clean(void);

/** Take a place like task_take(), or, if there is one, a clean place, whose `tmd` and `rules` are those of the last task. The
 * caller fills in these two if `rules.kept` is not what it needs, all of `source`, `work.position` and `work.left`. */
struct task *task_take_known(void);

/** Give back a plain task, whose fields are zero except `sms` and those that task_take_clean() names. */
void task_give_clean(struct task *task);

/** Give a task back. It is on no list, and has no slot, no queue and nothing in flight. */
void task_give(struct task *task);

/** Give back a task that is over and has no parent any more: as a clean place, if it was a plain one that has left nothing behind. */
void task_give_over(struct task *task);

/** Take a place of the pool for something else than a task, of at most offsetof(struct task, serial) bytes. Its
 * content is undefined, except that the task field `serial` is 0 and must stay 0.
 * @return  NULL when the pool is full. */
void *task_take_place(void);

/** Give back a place that task_take_place() returned. */
void task_give_place(void *place);

/** Whether [base, base + bytes) lies in the heap that a task's TMD names, and in device memory.
 * @param bytes  Any 64-bit value: the sum does not wrap. The answer for 0 is false. */
bool task_heap_holds(const struct task *task, uint64_t base, uint64_t bytes);

/** Record how a task has failed.
 * @param fault  The `fault` word of its completion, or 0. */
void task_fail(struct task *task, const struct refusal *failure, uint32_t fault);

/** Set the value in the completion of a task that has not failed. */
void task_answer(struct task *task, uint64_t value);

/** Record why a task is refused.
 * @param field  enum gg_field that is wrong, or 0.
 * @param value  What that field holds, or the limit that it exceeds.
 * @return       Always false. */
bool task_refuse(struct task *task, enum gg_status status, uint32_t field, uint64_t value);

/** Append a task to a list. */
void task_list_append(struct task_list *list, struct task *task);

/** Take the first task off a list that is not empty. */
static inline struct task *task_list_take(struct task_list *list)
{
	struct task *task = list->head;

	list->head = task->next;
	if (task->next == NULL) {
		list->tail = NULL;
	} else {
		task->next->previous = NULL;
		task->next = NULL;
	}
	return task;
}

/** Insert a task at the head of a list. */
void task_list_prepend(struct task_list *list, struct task *task);

/** Insert a task into a list.
 * @param before  The task of the list that it follows, or NULL to insert it at the head. */
void task_list_insert(struct task_list *list, struct task *task, struct task *before);

/** Remove a task from the list that it is on. */
void task_list_remove(struct task_list *list, struct task *task);

#endif /* FIRMWARE_CP_TASK_TASK_H */
