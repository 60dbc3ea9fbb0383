/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Clusters in OpenCL C: the built-ins of ganger_cluster.h, each under the name that clang gives to what
 * ganger_opencl.clh declares.
 */
#define GANGER_LOOPS
#include "firmware/kernel/ganger_cluster.h"

#define ALONG(name, mangled)                                   \
	unsigned int cl_##name(unsigned int) __asm__(mangled); \
	unsigned int cl_##name(unsigned int axis)              \
	{                                                      \
		return name(axis);                             \
	}

ALONG(cluster_nctaid, "_Z14cluster_nctaidj")
ALONG(cluster_dim, "_Z11cluster_dimj")
ALONG(clusterid, "_Z9clusteridj")
ALONG(nclusterid, "_Z10nclusteridj")
ALONG(cluster_ctaid, "_Z13cluster_ctaidj")

#define NUMBER(name, mangled)                          \
	unsigned int cl_##name(void) __asm__(mangled); \
	unsigned int cl_##name(void)                   \
	{                                              \
		return name();                         \
	}

NUMBER(cluster_ctarank, "_Z15cluster_ctarankv")
NUMBER(cluster_nctarank, "_Z16cluster_nctarankv")
NUMBER(cluster_local_id, "_Z16cluster_local_idv")
NUMBER(cluster_outer_rank, "_Z18cluster_outer_rankv")
NUMBER(cluster_outer_size, "_Z18cluster_outer_sizev")

/* Inlined into each caller, as barrier() is. */
#ifdef __clang__
#define MEETING __attribute__((convergent, noduplicate))
#else
#define MEETING
#endif
#define SYNC(name, mangled)                                 \
	MEETING void cl_##name(void) __asm__(mangled);      \
	__attribute__((always_inline)) void cl_##name(void) \
	{                                                   \
		name();                                     \
	}

SYNC(cluster_sync, "_Z12cluster_syncv")
SYNC(cluster_arrive, "_Z14cluster_arrivev")
SYNC(cluster_wait, "_Z12cluster_waitv")
SYNC(cluster_outer_sync, "_Z18cluster_outer_syncv")
SYNC(cluster_top_sync, "_Z16cluster_top_syncv")

void *cl_map_shared_rank(const volatile void *,
			 unsigned int) __asm__("_Z22ganger_map_shared_rankPU7CLlocalVKvj");
void *cl_map_shared_rank(const volatile void *pointer, unsigned int rank)
{
	return ganger_map_shared_rank(pointer, rank);
}

unsigned int
cl_query_shared_rank(const volatile void *) __asm__("_Z17query_shared_rankPU7CLlocalVKv");
unsigned int cl_query_shared_rank(const volatile void *pointer)
{
	return query_shared_rank(pointer);
}
