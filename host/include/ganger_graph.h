/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * libganger: task graphs (S2). The rules of ganger.h hold.
 *
 * A graph program is what the device makes a graph of: a `graph_program` of the ABI with its tables.
 * It comes from gg_graph_create() and the calls that follow it, which build straight programs, or
 * from a file of `ganger graph asm` by gg_graph_load(). It is run as a task: work of type
 * GG_TASK_TYPE_GRAPH with a context and a gg_graph_run, by gg_submit(); so channel, priority,
 * `after`, dependents, semaphores and prints are those of all tasks, and so are waits and cancel.
 * Modules of its kernels stay loaded until the task has ended, and until a kept graph is freed.
 *
 * One call at a time may use a gg_task_graph: a second one fails with GG_ERR_BUSY.
 */
#ifndef HOST_INCLUDE_GANGER_GRAPH_H
#define HOST_INCLUDE_GANGER_GRAPH_H

#include "host/include/ganger_task.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GG_GRAPH_ARGUMENTS_MAX 64u    /* Arguments of a graph. */
#define GG_GRAPH_BLOCKS_BYTES  16384u /* Argument blocks at the start of the work space. */
#define GG_GRAPH_SMALL_BYTES   4096u  /* More is copied or filled by a kernel. */

struct gg_task_graph; /* A program under construction, or loaded. */

/** How a graph is run. All but the program or the handle may be zero. The submission copies it. */
struct gg_graph_run {
	const void *program;       /**< Program; NULL: run the kept graph `handle`. */
	const uint64_t *arguments; /**< Numbers, or addresses of buffers. */
	uint64_t program_bytes;    /**< A multiple of 8; 0 with a handle. */
	/** Work space for transient buffers; argument blocks are added. */
	uint64_t space_bytes;
	uint32_t argument_count; /**< 0 to GG_GRAPH_ARGUMENTS_MAX. */
	uint32_t handle;         /**< Kept graph; 0: run the program. */
	uint32_t keep;           /**< 1: only make it and keep it; done.value is its handle. */
	uint32_t emphasis;       /**< enum gg_graph_emphasis. */
	uint32_t step_budget;    /**< Most steps of the program; 0: 1,000,000. */
	uint32_t time_limit_ms;  /**< Longest time from start to end; 0: no limit. */
	uint32_t split_ctas;     /**< Larger plain grids are split; 0: never. */
	uint32_t at_once;        /**< Most passes at once; 0: the device's choice. */
	uint32_t budgets[4];     /**< By enum gg_graph_need; 0: no limit. */
	uint32_t report_passes;  /**< Passes that a report has room for; 0: no report. */
	uint32_t raw_mode;       /**< For tests: bits of `mode` besides emphasis and keep. */
};

/** Reads the report of a task of type GRAPH that has completed, also if it failed.
 * @param passes Room for `room` passes; may be NULL if that is 0.
 * @param count Passes written.
 * @return GG_ERR_ARGUMENT: it is no graph, no report was asked for, or it is not complete yet;
 * GG_ERR_NO_MEMORY: this process had no memory for the report. */
GG_CHECKED enum gg_status gg_graph_report(struct gg_task *task, struct gg_graph_report *report,
					  struct gg_graph_pass *passes, uint32_t room,
					  uint32_t *count);

/** Submits work of type GRAPH with `keep` and waits for it. @return the task's status, or as
 * gg_submit(). */
GG_CHECKED enum gg_status gg_graph_keep(const struct gg_work *work, uint32_t timeout_ms,
					uint32_t *handle);
/** Forgets a kept graph, if it runs, after its end. @return GG_ERR_GRAPH_HANDLE, …. */
GG_CHECKED enum gg_status gg_graph_free(struct gg_device *device, uint32_t handle,
					uint32_t timeout_ms);

/** Makes a state: the TMD of some work, without addresses, arguments and lists. Of the arguments
 * only those of kind LOCAL count. @return GG_ERR_ARGUMENT for what a state cannot have (affinity,
 * windows, a range, lists, semaphores, prints), or as gg_submit(). */
GG_CHECKED enum gg_status gg_graph_state(const struct gg_work *work, struct gg_tmd *state);
/** Makes the states of the kernels that copy and fill. The first call loads them into the context.
 */
GG_CHECKED enum gg_status gg_graph_moves(struct gg_context *context, struct gg_tmd *copy,
					 struct gg_tmd *fill);

/* ---- Programs --------------------------------------------------------------------------- */

/** Makes an empty program on the host. gg_graph_destroy() frees it. */
GG_CHECKED enum gg_status gg_graph_create(struct gg_context *context, struct gg_task_graph **graph);
/** Loads a program that was assembled, with a kernel for each of its states, in order; their lists
 * of arguments may be NULL. @return GG_ERR_GRAPH_FORMAT, _ARGUMENT_COUNT (states), …. */
GG_CHECKED enum gg_status gg_graph_load(struct gg_context *context, const void *program,
					uint64_t bytes, const struct gg_work *states,
					uint32_t state_count, struct gg_task_graph **graph);
/** Checks a program as the device does before it executes it: header, tables, definitions, resources
 * and steps. A resource whose address is an argument must have its bytes by now. gg_error_last() tells
 * the field; its value is that of a field of the header, or else the number of the definition, resource
 * or step. @return GG_ERR_GRAPH_FORMAT, _GRAPH_STEP, _GRAPH_TYPE, _GRAPH_JUMP, _GRAPH_TOO_LARGE,
 * _NO_MEMORY; _ARGUMENT: there is no program, or it has 4 GiB or more. */
GG_CHECKED enum gg_status gg_graph_check(const void *program, uint64_t bytes,
					 uint32_t argument_count);
/** Frees a program. NULL does nothing. @return GG_ERR_BUSY: another call uses it. */
GG_API enum gg_status gg_graph_destroy(struct gg_task_graph *graph);
/** The finished program, valid until the next call for it. @return GG_ERR_GRAPH_FORMAT (a pass was
 * not ended), GG_ERR_NO_MEMORY, or as gg_graph_moves(). */
GG_CHECKED enum gg_status gg_graph_program(struct gg_task_graph *graph, const void **program,
					   uint64_t *bytes);

/** Adds a resource: a buffer at an address, one whose address is an argument of the graph, or a
 * transient one. `bytes` is not 0. @return GG_ERR_GRAPH_TOO_LARGE, _ARGUMENT. */
GG_CHECKED enum gg_status gg_graph_buffer(struct gg_task_graph *graph, uint64_t address,
					  uint64_t bytes, uint32_t *resource);
GG_CHECKED enum gg_status gg_graph_argument(struct gg_task_graph *graph, uint32_t argument,
					    uint64_t bytes, uint32_t *resource);
GG_CHECKED enum gg_status gg_graph_transient(struct gg_task_graph *graph, uint64_t bytes,
					     uint32_t *resource);

/** An argument of a kernel in a graph. */
struct gg_graph_value {
	uint32_t kind;               /**< enum gg_graph_value_kind. */
	uint32_t number;             /**< RESOURCE: its number; PARAMETER: argument of the graph. */
	uint32_t offset;             /**< RESOURCE: bytes added to its address. */
	uint32_t reserved;           /**< 0. */
	struct gg_argument argument; /**< VALUE: a value, or LOCAL. */
};

enum gg_graph_value_kind {
	GG_GRAPH_VALUE = 0,     /**< Constant. */
	GG_GRAPH_RESOURCE = 1,  /**< Address of a resource that the pass declares. */
	GG_GRAPH_PARAMETER = 2, /**< Argument of the graph, as it is at the launch. */
};

/** Add a pass, in this order: declarations (gg_graph_use() with READ, WRITE or SHARE of enum
 * gg_graph_op, gg_graph_after(), gg_graph_need()), 1 to 16 commands, and gg_graph_end(), which
 * tells the number of the pass. What the device checks is not checked here. gg_graph_dispatch()
 * takes kernel and shape from the work, and arguments from `values`, one for each parameter.
 * @return GG_ERR_GRAPH_TOO_LARGE, _GRAPH_RESOURCE (no such resource), _ARGUMENT_COUNT,
 * _ARGUMENT_SIZE, _NO_MEMORY, …. */
GG_CHECKED enum gg_status gg_graph_use(struct gg_task_graph *graph, enum gg_graph_op op,
				       uint32_t resource);
GG_CHECKED enum gg_status gg_graph_after(struct gg_task_graph *graph, uint32_t pass);
GG_CHECKED enum gg_status gg_graph_need(struct gg_task_graph *graph, enum gg_graph_need kind,
					uint32_t amount);
GG_CHECKED enum gg_status gg_graph_dispatch(struct gg_task_graph *graph, const struct gg_work *work,
					    const struct gg_graph_value *values, uint32_t count);
GG_CHECKED enum gg_status gg_graph_copy(struct gg_task_graph *graph, uint32_t to, uint32_t from,
					uint32_t bytes);
GG_CHECKED enum gg_status gg_graph_fill(struct gg_task_graph *graph, uint32_t to, uint32_t value,
					uint32_t bytes);
GG_CHECKED enum gg_status gg_graph_signal(struct gg_task_graph *graph, uint32_t to, uint32_t value,
					  uint32_t offset);
GG_CHECKED enum gg_status gg_graph_fence(struct gg_task_graph *graph);
GG_CHECKED enum gg_status gg_graph_end(struct gg_task_graph *graph, uint32_t *pass);

/** Copies between two ranges of a context's memory that have no byte in common, or fills one with copies of a word (little
 * endian; the last one may be cut). The device does it, by a graph of one pass, so that the bytes do not go over the line
 * of a device that shares no memory; it takes some work space in the context's memory. A device without graphs has the
 * host do it. Returns when it is done; tasks that were submitted before need not have ended.
 * @param bytes  May be 0, and need not be a multiple of 4.
 * @return GG_ERR_ARGUMENT: a range is not in the context's memory, or they overlap; GG_ERR_NO_MEMORY: no room for the
 * work space; GG_ERR_TIMEOUT: it goes on, or has come to a part; GG_ERR_BUSY: the device is only observed; as gg_submit()
 * and gg_task_wait(). */
GG_CHECKED enum gg_status gg_context_copy(struct gg_context *context, uint64_t to, uint64_t from,
					  uint64_t bytes, uint32_t timeout_ms);
GG_CHECKED enum gg_status gg_context_fill(struct gg_context *context, uint64_t to, uint32_t word,
					  uint64_t bytes, uint32_t timeout_ms);

#ifdef __cplusplus
}
#endif

#endif /* HOST_INCLUDE_GANGER_GRAPH_H */
