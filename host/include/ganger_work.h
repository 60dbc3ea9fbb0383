/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * libganger: what a task is made of. The rules of ganger.h hold.
 */
#ifndef HOST_INCLUDE_GANGER_WORK_H
#define HOST_INCLUDE_GANGER_WORK_H

#include "host/include/ganger_device.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gg_range;     /* A set of up to 8 dimensions: see ganger_range.h. */
struct gg_graph_run; /* How a graph is run: see ganger_graph.h. */

/** One argument: VALUE: its bytes; BUFFER: a uint64_t address; LOCAL: no data, bytes of memory. */
struct gg_argument {
	uint32_t kind;    /**< enum gg_argument_kind. */
	uint32_t bytes;   /**< Bytes at data; LOCAL: bytes of shared memory. */
	const void *data; /**< The value; LOCAL: NULL. */
};

/** Memory outside the context's heap that a task's kernels may reach. */
struct gg_memory {
	uint64_t address; /**< A multiple of 4. */
	uint64_t bytes;   /**< A multiple of 4, not 0. */
	uint32_t read;    /**< 1: may be read. */
	uint32_t write;   /**< 1: may be written. */
};

#define GG_WINDOWS_MAX 4

/** What the end of a task does to another task, which is given by its handle or by the name of its
 * TMD. */
struct gg_dependence {
	struct gg_task *task; /**< The other task; NULL: the TMD at `address`. */
	uint64_t address;     /**< Without a task: address of its TMD; else 0. */
	uint32_t generation;  /**< Without a task: its generation; else 0. */
	uint32_t action;      /**< enum gg_dependence_action. */
	uint32_t amount;      /**< INCREMENT_PUT: items that are in place, 1 to 65535; else 0. */
	uint32_t reserved;    /**< 0. */
};

#define GG_DEPENDENCES_MAX 64 /* Most dependents, and most predecessors. */

/** What a task does with a word of the context's heap when it has completed without error. */
struct gg_semaphore {
	uint64_t address; /**< A multiple of 4; not looked at when the op is NONE. */
	uint32_t value;
	uint32_t op; /**< enum gg_semaphore_op; 0: nothing. */
};

/** The queue of a QUEUE task. Its ring is in the context's heap as long as the task lives. */
struct gg_queue {
	uint32_t capacity;    /**< Items that the ring holds; not 0. */
	uint32_t item_bytes;  /**< Bytes of an item; a multiple of 4. */
	uint32_t items;       /**< Items that a CTA takes: N, 1 to 65535. */
	uint32_t minimum;     /**< Fewest items that start a CTA at once, at most N; 0: N. */
	uint32_t coalesce_us; /**< A CTA starts with fewer items after so long; 0: at once. */
	uint32_t closed;      /**< 1: closed from the start: only its own CTAs push. */
	uint32_t data_items;  /**< Items that are in it at the start; at most its capacity. */
	uint32_t reserved;    /**< 0. */
	const void *data;     /**< These items; NULL: their bytes are zero. */
};

#define GG_COALESCE_NEVER UINT32_MAX /* coalesce_us: only when there are enough items. */

/**
 * What to run. Zero is the common case of everything after `arguments`, but for `mode`.
 *
 * All CTAs of a CGA, or none, start, on SMs of one domain (S1-R35 to S1-R39). By type:
 *  GRID          a plain grid; with `cluster` it is taken as a GPC_CGA, with `outer`, too, as a
 *                GPU_GPC_CGA
 *  GPC_CGA, GPU_CGA  one level, `cluster`: each in one GPC, or in the device
 *  GPU_GPC_CGA   two levels: `cluster` in one GPC each, `outer` of them in the device
 *  CGA           one to three levels, in the domains that are named
 *  QUEUE, GRID_NULL  no CGAs: the words are 0
 *  GRAPH         a task graph of `context`, without a module
 * The grid is a multiple of the CGAs' sizes along each axis. `mode` MULTI_CAST: the CTAs of a
 * cluster are on different SMs; PULL: SMs take CTAs of a plain grid themselves. A range and its
 * rows are copied into the context's heap, where they stay as long as the task does.
 */
struct gg_work {
	struct gg_module *module; /**< Module; NULL: GRID_NULL or GRAPH of `context`. */
	uint32_t kernel;          /**< Number of its kernel. */
	uint32_t dimensions;      /**< Dimensions that the kernel sees, 1 to 3; 0: 3. */
	uint32_t grid[3];  /**< CTAs along x, y, z; the device refuses zeros. QUEUE: not read. */
	uint32_t block[3]; /**< Threads of a CTA along x, y, z. */
	uint32_t mode;     /**< enum gg_task_mode; GG_TASK_MODE_DEVICE: the device's. */
	uint32_t argument_count; /**< Number of arguments: as many as the kernel has parameters. */
	const struct gg_argument *arguments;
	uint32_t priority;      /**< 1 (highest) to 10; 0: 5. */
	uint32_t channel;       /**< Channel, from 0. */
	uint32_t head;          /**< 1: before the others of its priority. */
	uint32_t sequential;    /**< 1: one CTA at a time. */
	uint32_t throttle;      /**< 1: in throttle mode only. */
	uint32_t quota;         /**< CTAs before another task's turn; 0: no quota. */
	uint32_t time_limit_us; /**< Longest time of a CTA; 0: the device's default. */
	uint32_t
		retry_limit; /**< Times a CTA may run again after its SM was lost, up to 15: the kernel may run a CTA twice. A cluster runs again as a whole; not for clusters of clusters. */
	uint32_t cluster[3]; /**< CTAs of a cluster (CGA), each 1 to 65,535; 0 0 0: none. */
	uint32_t outer[3];   /**< Clusters of a CGA of the second level, each 1 to 1,023. */
	uint32_t top[3];     /**< CGAs of the second level in one of the third. */
	uint32_t cluster_domain;   /**< Type CGA: enum gg_domain that each cluster is in; else 0. */
	uint32_t outer_domain;     /**< The domain of the second level; larger than the first. */
	uint32_t top_domain;       /**< The domain of the third level. */
	uint32_t gpc_mask;         /**< GPCs that may run it; 0: all. */
	uint32_t stack_bytes;      /**< Stack of a thread; 0: the kernel's. */
	uint32_t correlation;      /**< For the caller's own use. */
	uint32_t affinity_count;   /**< Number of SMs in `affinity`; 0: all SMs may run it. */
	uint32_t memory_count;     /**< Number of windows in `memory`. */
	uint32_t after_count;      /**< Number of tasks in `after`, at most GG_DEPENDENCES_MAX. */
	uint32_t flags;            /**< GG_WORK_… */
	uint32_t type;             /**< enum gg_task_type: see above. */
	uint32_t dependence_count; /**< DECREMENTs of others that it waits for, besides `after`. */
	uint32_t dependent_count;  /**< Number of `dependents`, at most GG_DEPENDENCES_MAX. */
	const uint32_t *affinity;
	const struct gg_memory *memory;
	struct gg_task *const *after; /**< Tasks that must complete first. */
	/** What its end without error does to other tasks. */
	const struct gg_dependence *dependents;
	/** Released at its end without error, in this order. */
	struct gg_semaphore semaphores[2];
	struct gg_queue queue;      /**< Of a QUEUE. */
	struct gg_context *context; /**< Without a module: its context; else NULL. */
	uint32_t print_bytes; /**< Bytes that it may print; rounded up to 4; 0: nobody reads it.
				 A kernel that cannot print (GG_KERNEL_SILENT) takes none. */
	uint32_t chunk;       /**< PULL: CTAs that an SM takes at once; 0: the device chooses. */
	const struct gg_range *range;     /**< PULL: the grid's set, in place of `grid`; or NULL. */
	const struct gg_graph_run *graph; /**< GRAPH: what and how; else NULL. */
	/** Grids: global ids of the first work-item along x, y, z (get_global_offset); 0 with a range. */
	uint32_t offset[3];
	/** Grids: threads of the last CTA along x, y, z; 0: as many as of the others, else fewer. Not
	 * with a range, nor for a kernel that was compiled for one size of a block. */
	uint32_t edge[3];
	/** Grids: the CTAs that are run, in linear order, or in the order of a range. Kernels see ids and
	 * sizes of the whole grid. Both are multiples of the CTAs of a CGA. */
	uint64_t first_cta;
	uint32_t ctas;     /**< How many, from `first_cta` on; 0: all that follow. */
	uint32_t reserved; /**< 0. */
};

#define GG_WORK_NO_INTERRUPT 1u /**< No interrupt for its completion: a wait looks now and then. */
#define GG_WORK_CUT_PRINTS \
	2u /**< Prints beyond `print_bytes` are left out; else they are an error. */

/** The grid may have 65,536 CTAs and more along y and z, if it has fewer than 2^32 in all: the kernel's code finds out the
 * place of each CTA (kernels of OpenCL C have what that takes; otherwise GG_ERR_UNSUPPORTED). Not for templates. */
#define GG_WORK_FOLD 4u

#ifdef __cplusplus
}
#endif

#endif /* HOST_INCLUDE_GANGER_WORK_H */
