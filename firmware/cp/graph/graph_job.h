/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Data that the units of task graphs share: the job of a task of type GRAPH, and the graph that it works on. Only the
 * control processor writes it.
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_JOB_H
#define FIRMWARE_CP_GRAPH_GRAPH_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"
#include "firmware/graph/code.h"
#include "firmware/graph/run.h"

/** Commands of a graph in flight, at most; each has an argument block, and a bit of `free_blocks`. */
#define GRAPH_FLIGHTS 64u

/** A state: a kernel with its settings, which DISPATCH commands use (S2-R22). */
struct graph_state {
	struct gg_tmd tmd;       /**< Checked; each command sets arguments, grid and priority. */
	uint64_t ctas;           /**< CTAs of its own grid. */
	struct task_rules rules; /**< What the check of the TMD found: task.rules of its passes. */
	bool splits;             /**< A plain grid, which may be run in parts (S2-R82). */
};

/** A graph that is being made, runs or is kept. It lies at the start of a block of graph_store.h. Fields with `Run:`
 * are those of the current run. */
struct graph_image {
	struct graph graph;         /**< Passes, commands and resources. */
	struct graph_run run;       /**< Run: its progress. */
	struct graph_state *states; /**< Array of states, directly behind this struct. */
	struct task *user;          /**< GRAPH task that makes or runs it, or NULL. */
	uint32_t state_count;       /**< Number of states. */
	uint32_t copy_state;        /**< State of the copy kernel, or GRAPH_NONE. */
	uint32_t fill_state;        /**< State of the fill kernel, or GRAPH_NONE. */
	uint32_t argument_count;    /**< Arguments that it needs. */
	uint32_t context;           /**< Context of its maker; only its tasks may launch it. */
	uint32_t handle;            /**< Handle of a kept graph; else 0. */
	bool forget;                /**< Freed by the host; goes when its run is over. */
	bool resource;              /**< It was planned with emphasis on resources. */
	bool guessed;               /**< A pass of it had never been seen when it was estimated. */
	uint64_t free_blocks;       /**< Run: bit b: argument block b is free. */
	uint64_t space;             /**< Run: address of the argument blocks; transients follow. */
	uint64_t started;           /**< Run: when the image was found or opened, in ticks. */
	uint64_t made;              /**< Run: when the graph was made, in ticks. */
	uint32_t unissued;          /**< Run: tasks of passes that have CTAs left to issue. */
	uint32_t fault;   /**< Run: `fault` word of the first task that failed with one. */
	uint32_t resumes; /**< Run: entries in `resume`. */
	uint32_t begun;   /**< Run: commands begun in this turn. */
	uint32_t resume[GRAPH_FLIGHTS];      /**< Run: passes whose next command can start. */
	uint64_t arguments[GRAPH_ARGUMENTS]; /**< Run: arguments of the graph. */
};

/** What is needed only while a graph is made. It lies at the end of the open block, before the copy of the program. */
struct graph_making {
	struct graph_program program; /**< The parts of the copied program. */
	struct graph_outside outside; /**< Arguments and memory that the program can read. */
	struct graph_machine machine; /**< Executes the program. */
	unsigned char *copy;          /**< The copy of the program. */
	uint64_t room;                /**< Bytes that the image can take, up to this struct. */
};

/** Stages of a job, in order. The launch of a kept graph goes from LOOK to ESTIMATE or BEGIN. */
enum graph_stage {
	GRAPH_STAGE_NEW = 0, /**< Not begun: the task waits for others. */
	GRAPH_STAGE_OPEN,    /**< Takes memory or the kept graph, or waits for it. */
	GRAPH_STAGE_LOOK, /**< Kept graph: finds out whether the estimates of its passes still hold. */
	GRAPH_STAGE_COPY,     /**< Copies the program. */
	GRAPH_STAGE_VERIFY,   /**< Verifies the program. */
	GRAPH_STAGE_STATES,   /**< Checks the states of the program. */
	GRAPH_STAGE_CODE,     /**< Executes the program. */
	GRAPH_STAGE_LINK,     /**< Links the passes to those that they wait for. */
	GRAPH_STAGE_ORDER,    /**< Sorts the passes topologically. */
	GRAPH_STAGE_PLAN,     /**< Assigns addresses to transient buffers. */
	GRAPH_STAGE_PACK,     /**< Moves the arrays of the graph together. */
	GRAPH_STAGE_ESTIMATE, /**< Estimates the times of passes. */
	GRAPH_STAGE_RANK,     /**< Ranks the passes. */
	GRAPH_STAGE_BEGIN,    /**< Keeps the graph, or begins its run. */
	GRAPH_STAGE_CHECK,    /**< Checks the addresses of resources in this launch. */
	GRAPH_STAGE_RESET,    /**< Resets counters and states of passes. */
	GRAPH_STAGE_RUN,      /**< Passes run. */
	GRAPH_STAGE_REPORT,   /**< Writes the report. */
	GRAPH_STAGE_CLOSED,   /**< Nothing is left to do. */
};

/** The job of a task of type GRAPH. It takes a place of the task pool, besides that of the task. */
struct graph_job {
	struct gg_graph settings; /**< Checked copy of the descriptor. */
	struct task *next; /**< Next of the tasks whose jobs have begun and are not closed. */
	struct graph_image *image;   /**< Its graph; NULL when it has none (yet). */
	struct graph_making *making; /**< While the graph is made; then NULL. */
	uint64_t deadline;           /**< End of its time limit, in ticks; UINT64_MAX: none. */
	uint64_t tried;              /**< OPEN: bytes of a block that was too small, or 0. */
	struct refusal too_large;    /**< OPEN: the refusal when there is no larger block. */
	uint32_t kept;               /**< Handle of the graph that it has kept, or 0. */
	uint32_t cursor;             /**< Progress in the stage. */
	uint8_t stage;               /**< enum graph_stage. */
	bool due;                    /**< There is work for the next turn. */
	bool starved;                /**< RUN: there is work when the task pool has room. */
};

/** The graph of a GRAPH task whose job has one. */
static inline struct graph_image *graph_image_of(const struct task *task)
{
	return task->graph->image;
}

#endif /* FIRMWARE_CP_GRAPH_GRAPH_JOB_H */
