/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A task graph in memory (S2-R7): passes, resources, and what ties them together.
 *
 * A resource has *versions*: the content that was there before anybody writes it, and one after each writer, or
 * after each group of writers that SHARE it. A pass that reads a version waits until it is *written*: all its
 * writers have ended. A pass that makes the next version waits until it is *free*: written, and all its readers have
 * ended. So RAW, WAR and WAW hazards are two counters for each version, the number of edges is linear in the number
 * of declarations, and no pair of passes is ever compared (S2-Q5, S2-Q6).
 *
 *       writers ──▶ version 1 ──written──▶ readers
 *                      │ free
 *                      ▼
 *       writers of version 2 ──▶ version 2 …
 *
 * Everything is in one block of memory, and names are numbers, so a block can be moved. Only the control processor
 * writes it. GRAPH_NONE is no number.
 */
#ifndef FIRMWARE_GRAPH_MODEL_H
#define FIRMWARE_GRAPH_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/abi/refusal.h"

#define GRAPH_NONE           0xffffffffu /**< No number. */
#define GRAPH_NEEDS          4u          /**< Kinds of enum gg_graph_need. */
#define GRAPH_ARGUMENTS      64u         /**< Arguments of a graph. */
#define GRAPH_BLOCK_COMMANDS 16u         /**< Commands of a pass, at most. */
#define GRAPH_ARGUMENT_BYTES 256u        /**< Argument block of a command, at most. */
#define GRAPH_PASSES         65535u      /**< Passes of a graph, at most. */

/** How a pass uses a version. */
enum graph_use {
	GRAPH_USE_READ = 0, /**< Reads it: waits until it is written, and keeps it until its end. */
	GRAPH_USE_WRITE,    /**< Makes it: its end counts as written. It waits for nothing here. */
	GRAPH_USE_FREE, /**< Waits until it is free, to make the next version or to use its memory. */
	GRAPH_USE_UPDATE, /**< As FREE, and reads it: fails when it could not be made. */
	GRAPH_USE_AFTER, /**< `version` is a pass: waits until that pass has ended, with or without an error. */
};

/** A declaration of a pass, and a member of one list of waiters. A WRITE is in no list. Waits that the plan adds lie
 * behind those of all passes and are found through the lists only. */
struct graph_access {
	uint32_t pass;    /**< Pass that declares it. */
	uint32_t version; /**< Version; of AFTER: number of a pass. */
	uint32_t next;    /**< Next access that waits for the same; GRAPH_NONE at the end. */
	uint8_t use;      /**< enum graph_use. */
};

/** A version of a resource. */
struct graph_version {
	uint32_t resource;     /**< Number of its resource. */
	uint32_t writers;      /**< Passes that make it; 0: it was there before the graph. */
	uint32_t readers;      /**< Passes that READ it. */
	uint32_t first_reader; /**< READ accesses. */
	uint32_t first_free;   /**< FREE and UPDATE accesses. */
	uint32_t next;         /**< Next version of the resource. */
	uint32_t writers_left; /**< Run: writers that have not ended. */
	uint32_t readers_left; /**< Run: readers that have not ended. */
	uint32_t failed; /**< Run: pass whose failure keeps it from being made, or GRAPH_NONE. */
	uint32_t reader_rank; /**< Most rank of its readers. */
	uint32_t free_rank;   /**< Most rank of who waits until it is free. */
};

/** What draft.c notes of a resource. */
struct graph_declared {
	uint32_t stamp;  /**< Draft that declares it: graph.drafts of that time; 0: none did. */
	uint32_t access; /**< Its access in that draft. */
	uint32_t before; /**< Version before the newest one, or GRAPH_NONE. */
};

/** What plan.c notes of a transient: the piece of memory that it was the last to use, from `from` to its end. */
struct graph_region {
	uint64_t
		from; /**< Where that piece begins. What lies below it was given to a later transient. */
	uint32_t below;      /**< Transient whose memory ends where this begins, or GRAPH_NONE. */
	uint32_t above;      /**< Transient whose memory begins where this ends, or GRAPH_NONE. */
	uint32_t before;     /**< Next in the list of free pieces. */
	uint32_t next;       /**< Previous in the list of free pieces. */
	uint32_t first_wait; /**< Accesses that wait for its memory: the first one, */
	uint32_t waits;      /**< and how many of them each writer of its first version has. */
};

/** A resource (S2-R6). */
struct graph_resource {
	uint64_t
		address; /**< FIXED: address; ARGUMENT: added to the argument; TRANSIENT: offset in the work space, set by the plan. */
	uint64_t bytes;  /**< Bytes; 0 for a transient whose size is not known yet. */
	uint32_t argument; /**< Argument of the graph. */
	uint32_t first;    /**< First version, or GRAPH_NONE: no pass uses it. */
	uint32_t last;     /**< Newest version. */
	uint8_t kind;      /**< enum gg_graph_resource_kind. */
	bool shared;       /**< The newest version was made by SHARE, and nobody has read it. */
	uint8_t life;      /**< Plan: what has become of its memory (plan.c). */
	bool begun;        /**< Run: a transient whose life has begun (S2-R39). */
	union {
		struct graph_declared declared; /**< While the graph is made. */
		struct graph_region region;     /**< While the memory of transients is planned. */
	};
};

/** An argument of a kernel. */
struct graph_value {
	uint8_t op;      /**< GG_GRAPH_OP_CONST, _PARAMETER or _ADDRESS. */
	uint8_t bytes;   /**< Its size in the block; of ADDRESS: that of a pointer. */
	uint16_t from;   /**< PARAMETER: argument of the graph. */
	uint32_t number; /**< CONST: value, sign-extended; ADDRESS: resource. */
	uint32_t offset; /**< ADDRESS: added. */
};

/** A command of a pass (S2-R23). */
struct graph_command {
	uint8_t op;           /**< GG_GRAPH_OP_DISPATCH to _FENCE. */
	uint8_t values;       /**< Arguments. */
	uint16_t state;       /**< DISPATCH: state. */
	uint32_t first_value; /**< First argument. */
	uint32_t a; /**< DISPATCH: CTAs along x, 0: those of the state; others: resource. */
	uint32_t b; /**< CTAs along y; COPY: resource; FILL, SIGNAL: value. */
	uint32_t c; /**< CTAs along z; COPY, FILL: bytes; SIGNAL: offset. */
};

/** A pass (S2-R5). */
struct graph_pass {
	uint32_t first_access;       /**< Its declarations, side by side. */
	uint32_t first_command;      /**< Its commands, side by side. */
	uint16_t accesses;           /**< How many. */
	uint8_t commands;            /**< How many. */
	uint8_t state;               /**< Run: enum gg_graph_pass_state. */
	uint16_t definition;         /**< Definition + 1; 0: a block. */
	uint8_t command;             /**< Run: command that runs. */
	uint8_t parts;               /**< Run: tasks of it that have not ended. */
	uint32_t step;               /**< Step that completed it. */
	uint32_t waits;              /**< Accesses that it waits for: all but WRITE. */
	uint32_t first_after;        /**< AFTER accesses that wait for its end. */
	uint32_t needs[GRAPH_NEEDS]; /**< By enum gg_graph_need; UNITS 0: not stated. */
	uint32_t estimate;           /**< Time expected, in ticks, not 0 (S2-R37). */
	uint32_t rank;       /**< Longest way from its start to the end of the graph, in ticks. */
	uint32_t after_rank; /**< Highest rank of the passes that wait for its end. */
	uint32_t unmet;      /**< Run: those of `waits` that are not met yet. */
	uint32_t cause;      /**< Run: pass whose failure it inherits, or GRAPH_NONE. */
	int16_t status;      /**< Run: enum gg_status of its first failure. */
	uint16_t history;    /**< Where the history had it last, or GRAPH_UNKNOWN (history.h). */
	uint32_t
		place; /**< Run, with emphasis on resources: where it is in the heap, while it is ready. */
	int64_t gain; /**< Run: bytes by which it lowers the live bytes (lives.h), if that counts. */
	uint64_t ctas;       /**< Run: CTAs that completed. */
	uint64_t ready_at;   /**< Run: ticks, or 0. */
	uint64_t started_at; /**< Run: ticks, or 0. */
	uint64_t ended_at;   /**< Run: ticks, or 0. */
};

/** How full an array is. */
struct graph_count {
	uint32_t used; /**< Elements in use. */
	uint32_t most; /**< Elements that there is room for. */
};

/** Where a stage that works in steps has come to. Private to the stage. */
struct graph_work {
	uint32_t stage; /**< Part of the stage. */
	uint32_t at;    /**< Next element. */
	uint32_t mark;  /**< Other places, by stage. */
	uint32_t first; /**< As above. */
	uint32_t last;  /**< As above. */
	uint32_t tail;  /**< As above. */
	uint64_t top;   /**< Plan: end of the memory that was given away. */
};

/** A graph. The arrays are in one block, which may begin with it; `passes` and so on are pointers into it. */
struct graph {
	void *memory;                     /**< The block. */
	struct graph_pass *passes;        /**< Passes, in the order in which they were made. */
	struct graph_access *accesses;    /**< Declarations. */
	struct graph_version *versions;   /**< Versions. */
	struct graph_command *commands;   /**< Commands. */
	struct graph_value *values;       /**< Arguments of kernels. */
	struct graph_resource *resources; /**< Resources of the program. */
	uint32_t *order; /**< A topological order of the passes, once order.h has made it. */
	uint32_t *heap;  /**< Run: passes that are ready (run.h); as many as passes. */
	struct graph_count pass;    /**< Of passes; `order` and `heap` have as many. */
	struct graph_count access;  /**< Of accesses. */
	struct graph_count version; /**< Of versions. */
	struct graph_count command; /**< Of commands. */
	struct graph_count value;   /**< Of values. */
	uint32_t resource_count;    /**< Resources of the program. */
	uint32_t resources_used;    /**< Those that a pass declares (S2-A7). */
	uint32_t reads;             /**< Edges resource → pass (S2-R32). */
	uint32_t writes;            /**< Edges pass → resource. */
	uint32_t steps;             /**< Steps executed to make it. */
	uint32_t drafts;            /**< Drafts so far (draft.c). */
	uint32_t late;              /**< AFTER accesses of later passes, linked, until build_end. */
	bool transients;            /**< The table of resources has transients. */
	uint8_t space_way;          /**< Plan: how places are chosen (space.h). */
	bool unordered;             /**< Program order means nothing (`graph_program.unordered`). */
	bool forward; /**< Some AFTER names a later pass, or it is unordered: cycles are possible. */
	uint8_t pointer_bytes;            /**< Bytes of a kernel's pointer: 4 or 8. */
	uint32_t needs_most[GRAPH_NEEDS]; /**< Most that one pass needs. */
	uint64_t sum_bytes;               /**< Of all transients in use. */
	uint64_t peak_bytes;              /**< What the plan gives them. */
	struct graph_work work;           /**< Of the stage that is at work. */
};

#endif /* FIRMWARE_GRAPH_MODEL_H */
