/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the units of task graphs share: the job of a task of type GRAPH, and the graph it works on.
 * Written by the control processor alone.
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_JOB_H
#define FIRMWARE_CP_GRAPH_GRAPH_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/task/task.h"
#include "firmware/graph/code.h"
#include "firmware/graph/run.h"

#define GRAPH_FLIGHTS \
	64u /**< Commands of a graph in flight, at most: argument blocks (bits of a word). */

/** A kernel with its settings: what commands DISPATCH from (S2-R22). */
struct graph_state {
	struct gg_tmd
		tmd;    /**< Checked once; arguments, grid and priority are set for each command. */
	uint64_t ctas;  /**< CTAs of its own grid. */
	uint32_t units; /**< Memory units of a CTA. */
	bool splits;    /**< A plain grid: may be run in parts (S2-R82). */
};

/** A graph that is made, being made, or kept; at the start of a block of graph_store.h. */
struct graph_image {
	struct graph graph;         /**< Passes and so on. */
	struct graph_run run;       /**< The run of `user`. */
	struct graph_state *states; /**< Behind this. */
	struct task *user;          /**< GRAPH task that makes or runs it, or NULL. */
	uint32_t state_count;       /**< How many. */
	uint32_t copy_state;        /**< State that copies, or GRAPH_NONE. */
	uint32_t fill_state;        /**< State that fills, or GRAPH_NONE. */
	uint32_t argument_count;    /**< Arguments that it needs. */
	uint32_t context;           /**< Context of its maker: nobody else launches it. */
	uint32_t handle;            /**< Of a kept graph; else 0. */
	bool forget;                /**< FREE was asked for while it ran. */
	bool resource;              /**< It was planned with emphasis on resources. */
	uint64_t free_blocks;       /**< Run: bit b: argument block b is free. */
	uint64_t space;             /**< Run: address of the argument blocks; transients follow. */
	uint64_t started;           /**< Run: ticks. */
	uint64_t made;              /**< Run: ticks. */
	uint32_t unissued;          /**< Run: tasks of commands that have CTAs left to issue. */
	uint32_t fault;   /**< Run: `fault` word of the first task that failed with one. */
	uint32_t resumes; /**< Run: entries of `resume`. */
	uint32_t begun;   /**< Run: commands begun in this turn. */
	uint32_t resume[GRAPH_FLIGHTS];      /**< Run: passes whose next command can start. */
	uint64_t arguments[GRAPH_ARGUMENTS]; /**< Run: arguments of the graph. */
};

/** What is needed only while a graph is made; at the end of the open block, with the program. */
struct graph_making {
	struct graph_program program; /**< The copy. */
	struct graph_outside outside; /**< What the program sees. */
	struct graph_machine machine; /**< Executes it. */
	unsigned char *copy;          /**< Where it is copied to. */
	uint64_t room;                /**< Bytes from the image to this. */
};

/** What a job does now, in this order; a kept graph begins at ESTIMATE. */
enum graph_stage {
	GRAPH_STAGE_NEW = 0,  /**< Not begun: the task waits for others. */
	GRAPH_STAGE_OPEN,     /**< Waits for memory, or for the kept graph. */
	GRAPH_STAGE_COPY,     /**< Copies the program. */
	GRAPH_STAGE_VERIFY,   /**< Verifies it. */
	GRAPH_STAGE_STATES,   /**< Checks its states. */
	GRAPH_STAGE_CODE,     /**< Executes it. */
	GRAPH_STAGE_LINK,     /**< Links what passes wait for. */
	GRAPH_STAGE_ORDER,    /**< Topological order. */
	GRAPH_STAGE_PLAN,     /**< Places of transient buffers. */
	GRAPH_STAGE_PACK,     /**< Moves its arrays together. */
	GRAPH_STAGE_ESTIMATE, /**< Times that are expected. */
	GRAPH_STAGE_RANK,     /**< Ranks. */
	GRAPH_STAGE_BEGIN,    /**< Keeps it, or begins its run. */
	GRAPH_STAGE_CHECK,    /**< Checks where its resources lie in this launch. */
	GRAPH_STAGE_RESET,    /**< Resets counters and states of passes. */
	GRAPH_STAGE_RUN,      /**< Passes run. */
	GRAPH_STAGE_REPORT,   /**< Writes the report. */
	GRAPH_STAGE_CLOSED,   /**< Nothing is left to do. */
};

/** The job of a task of type GRAPH. It takes a place of the task pool. */
struct graph_job {
	struct gg_graph settings; /**< Checked copy of the descriptor. */
	struct task *next; /**< Next of the tasks whose jobs have begun and are not closed. */
	struct graph_image *image;   /**< Its graph; NULL before and after. */
	struct graph_making *making; /**< At the end of the open block, while the graph is made. */
	uint64_t deadline;           /**< End of its time limit, in ticks; UINT64_MAX: none. */
	uint64_t tried;              /**< OPEN: bytes that were too few for it, or 0. */
	struct refusal too_large;    /**< OPEN: what was too large for them. */
	uint32_t kept;               /**< Handle of the graph that it has kept, or 0. */
	uint32_t cursor;             /**< Of the stage. */
	uint8_t stage;               /**< enum graph_stage. */
	bool due;                    /**< There is something to do. */
	bool starved;                /**< RUN: there will be, when the task pool has room. */
};

/** The graph of a GRAPH task whose job has one. */
static inline struct graph_image *graph_image_of(const struct task *task)
{
	return task->graph->image;
}

#endif /* FIRMWARE_CP_GRAPH_GRAPH_JOB_H */
