/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Kernel built-ins: clusters (S1-R74, S1-R117, S1-R135). A cluster is a CGA: CTAs that all run at the same
 * time, can wait for each other and reach into each other's shared memory. The names are CUDA's.
 * Included by ganger_kernel.h. In a grid without clusters each CTA is a cluster of its own.
 *
 * With nested CGAs a cluster is the innermost one. Clusters that are next to each other make a CGA of
 * the second level, those make one of the third; they too run at the same time, and have a barrier.
 */
#ifndef FIRMWARE_KERNEL_GANGER_CLUSTER_H
#define FIRMWARE_KERNEL_GANGER_CLUSTER_H

#include <stdint.h>

#include "ganger_ids.h"
#include "ganger_sync.h"
#include "ganger_tasks.h"

/** CTAs of a cluster along an axis, 0 to 2. */
static inline unsigned int cluster_nctaid(unsigned int axis)
{
	return (unsigned int)GANGER_FIELD(axis, cluster, 1);
}

/** The same. */
static inline unsigned int cluster_dim(unsigned int axis)
{
	return cluster_nctaid(axis);
}

/** Position of the cluster among the clusters of the grid. */
static inline unsigned int clusterid(unsigned int axis)
{
	return (unsigned int)GANGER_FIELD(axis, cluster_id, 0);
}

/** Clusters of the grid along an axis. */
static inline unsigned int nclusterid(unsigned int axis)
{
	return (unsigned int)GANGER_FIELD(axis, grid, 1) / cluster_nctaid(axis);
}

/** Position of the CTA in its cluster. */
static inline unsigned int cluster_ctaid(unsigned int axis)
{
	return (unsigned int)GANGER_FIELD(axis, cta_id, 0) - clusterid(axis) * cluster_nctaid(axis);
}

/** Linear number of the CTA in its cluster (S1-R114): x + dim.x * (y + dim.y * z). */
static inline unsigned int cluster_ctarank(void)
{
	return (unsigned int)GANGER_U32(cluster_rank);
}

/** CTAs of a cluster. */
static inline unsigned int cluster_nctarank(void)
{
	return cluster_nctaid(0) * cluster_nctaid(1) * cluster_nctaid(2);
}

/** Id of the cluster: no other one has it at the same time in the same GPC (S1-R139), or in the device
 * when clusters of this task may be larger than a GPC. */
static inline unsigned int cluster_local_id(void)
{
	return (unsigned int)GANGER_U32(cga_id);
}

/** Linear number of the cluster in its CGA of the second level; 0 without. */
static inline unsigned int cluster_outer_rank(void)
{
	return (unsigned int)GANGER_U32(outer_rank);
}

/** Clusters of that CGA; 1 without. */
static inline unsigned int cluster_outer_size(void)
{
	return (unsigned int)GANGER_U32(outer_size);
}

/** An environment call about the cluster. */
static inline uintptr_t ganger_cluster_call(uintptr_t call, uintptr_t first, uintptr_t second)
{
	register uintptr_t a0 __asm__("a0") = first;
	register uintptr_t a1 __asm__("a1") = second;
	register uintptr_t a7 __asm__("a7") = call;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a7) : "memory");
	return a0;
}

/* The first thread of the CTA is the first to go on after a barrier of the CTA. So when it makes the call all
 * threads have come, and when the call returns they all go on. */
__attribute__((always_inline)) static inline void ganger_cluster_barrier(uintptr_t level,
									 uintptr_t what)
{
	if (what & GG_CLUSTER_ARRIVE) {
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	}
	if (get_local_linear_id() == 0) {
		(void)ganger_cluster_call(GG_CALL_CLUSTER_BARRIER, level, what);
	}
}

/** barrier() of all threads of all CTAs of the cluster that have not ended (S1-R136): none goes on before
 * all have come, and each then sees what the others wrote before. All threads of the CTA call it. */
__attribute__((always_inline)) static inline void cluster_sync(void)
{
	ganger_cluster_barrier(0, GG_CLUSTER_ARRIVE | GG_CLUSTER_WAIT);
}

/** First half of cluster_sync(): says that all threads of this CTA have come. What follows may run before the others
 * have come. */
__attribute__((always_inline)) static inline void cluster_arrive(void)
{
	ganger_cluster_barrier(0, GG_CLUSTER_ARRIVE);
}

/** Second half: wait until all CTAs have come. All threads call it, after cluster_arrive(). */
__attribute__((always_inline)) static inline void cluster_wait(void)
{
	ganger_cluster_barrier(0, GG_CLUSTER_WAIT);
}

/** cluster_sync() of the CGA of the second level; nothing but a barrier() of the CTA without. */
__attribute__((always_inline)) static inline void cluster_outer_sync(void)
{
	ganger_cluster_barrier(1, GG_CLUSTER_ARRIVE | GG_CLUSTER_WAIT);
}

/** Of the third. */
__attribute__((always_inline)) static inline void cluster_top_sync(void)
{
	ganger_cluster_barrier(2, GG_CLUSTER_ARRIVE | GG_CLUSTER_WAIT);
}

/** map_shared_rank() without the type. */
static inline void *ganger_map_shared_rank(const volatile void *pointer, unsigned int rank)
{
	return (void *)ganger_cluster_call(GG_CALL_CLUSTER_MAP, (uintptr_t)pointer, rank);
}

/**
 * Where what `pointer` points to in this CTA's shared memory lies in that of another member of the
 * cluster: to be read, written and changed by atomic operations like any memory, until the member ends.
 * A wrong rank, a pointer elsewhere, or a member that has ended, ends the task with
 * ERR_CLUSTER_RANK, …_RANGE, …_GONE. Members must not end while others use their memory: a
 * cluster_sync() at the end of the kernel sees to it.
 */
#define map_shared_rank(pointer, rank) \
	((__typeof__(1 ? (pointer) : (pointer)))ganger_map_shared_rank((pointer), (rank)))

/** Rank of the member whose shared memory a pointer leads to. Another pointer ends the task. */
static inline unsigned int query_shared_rank(const volatile void *pointer)
{
	return (unsigned int)ganger_cluster_call(GG_CALL_CLUSTER_RANK, (uintptr_t)pointer, 0);
}

/** How many CGAs of a task could run at the same time (S1-R44): those of the highest level.
 * @param tmd   In the context's heap, as for ganger_launch(); nothing is launched.
 * @param idle  0: beside what runs now; 1: on a device that does nothing else.
 * @return      The number, or the negative of an error number: what is wrong with the TMD. */
static inline int cluster_max_active(const struct gg_tmd *tmd, int idle)
{
	return ganger_ask(GG_CALL_OCCUPANCY, tmd, 0, idle != 0);
}

#endif /* FIRMWARE_KERNEL_GANGER_CLUSTER_H */
