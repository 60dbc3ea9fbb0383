/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The log of accesses that kernels of `ganger-cc --race` write, for `ganger race`.
 *
 * The host lays the log into the heap: this header, and chunks behind it. It clears the header and writes `chunks`, and the
 * log's address into the module's variable ganger_race_log. A CTA takes one chunk after the other for itself; those of one
 * CTA are in the order of their addresses. host/python/ganger/race.py reads it.
 */
#ifndef FIRMWARE_KERNEL_RUNTIME_RACE_H
#define FIRMWARE_KERNEL_RUNTIME_RACE_H

#include <assert.h>
#include <stdint.h>

/* What a record tells of. */
#define GANGER_RACE_READ         1u
#define GANGER_RACE_WRITE        2u
#define GANGER_RACE_ATOMIC_READ  3u /**< An atomic load. */
#define GANGER_RACE_ATOMIC_WRITE 4u /**< An atomic store, or an operation that reads, too. */
#define GANGER_RACE_BARRIER      5u /**< The thread has come to a barrier. */
#define GANGER_RACE_CLUSTER \
	6u /**< The CTA is at a barrier of its cluster: `bytes` is GG_CLUSTER_…, `address` the level. */

/* Fields of ganger_race_record.what. */
#define GANGER_RACE_THREAD_SHIFT 4u
#define GANGER_RACE_BYTES_SHIFT  14u

#define GANGER_RACE_RECORDS 168u /**< Of a chunk, which has 4,096 bytes. */

struct ganger_race_log {
	uint32_t chunks; /**< Chunks that there are. Written by the host. */
	uint32_t taken;  /**< Chunks that CTAs asked for: may be more than there are. */
	uint32_t lost;   /**< CTAs that got none when they wanted one: the log is not complete. */
	uint32_t reserved[13];
};

struct ganger_race_record {
	uint32_t pc;   /**< Lower word of the address behind the call that made the record. */
	uint32_t what; /**< Kind in bits 0 to 3, thread of the CTA in 4 to 13, bytes in 14 to 31. */
	uint64_t address;
	uint64_t
		base; /**< The pointer that the address was computed from: it says which buffer is meant. */
};

/** What a CTA of the CTA block (gg_cta.h) is, and what it did. */
struct ganger_race_chunk {
	uint64_t cta_linear;
	uint64_t shared; /**< Address of its shared memory. */
	uint64_t args;   /**< Of its argument block. */
	uint32_t shared_bytes;
	uint32_t threads;
	uint32_t cluster_id[3];
	uint32_t cluster_members;
	uint32_t outer_size; /**< Clusters of its CGA of the second level; 1 without. */
	uint32_t records;    /**< That are valid. */
	uint64_t queue; /**< Address of place 0 of the queue that its items came from; 0: none. */
	struct ganger_race_record record[GANGER_RACE_RECORDS];
};

static_assert(sizeof(struct ganger_race_log) == 64, "chunks behind it are aligned");
static_assert(sizeof(struct ganger_race_chunk) == 4096, "the host's size");

/** The CTA begins: called by its entry stub. */
void ganger_race_begin(void);

/** Called before each access. `bytes` of CLUSTER is 256 * the number of the environment call + its second argument, and
 * `address` its first. `base`: as in the record. */
void ganger_race_access(uintptr_t kind, uintptr_t address, uintptr_t bytes, uintptr_t base);

#endif /* FIRMWARE_KERNEL_RUNTIME_RACE_H */
