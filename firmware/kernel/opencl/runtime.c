/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * OpenCL C's built-ins that are those of kernels in C: ids, barrier and fences. Each gets the name
 * that clang gives OpenCL's function; `j` is unsigned int.
 */
#define GANGER_LOOPS
#include "firmware/kernel/ganger_ids.h"
#include "firmware/kernel/ganger_sync.h"

#define ID(type, name)                                                        \
	type cl_##name(unsigned int) __asm__(CL_NAME(name));                  \
	__attribute__((always_inline)) type cl_##name(unsigned int dimension) \
	{                                                                     \
		return name(dimension);                                       \
	}

/* The mangled name contains the length of the name. */
#define CL_NAME(name)                   CL_NAME_##name
#define CL_NAME_get_global_id           "_Z13get_global_idj"
#define CL_NAME_get_local_id            "_Z12get_local_idj"
#define CL_NAME_get_group_id            "_Z12get_group_idj"
#define CL_NAME_get_global_size         "_Z15get_global_sizej"
#define CL_NAME_get_local_size          "_Z14get_local_sizej"
#define CL_NAME_get_enqueued_local_size "_Z23get_enqueued_local_sizej"
#define CL_NAME_get_num_groups          "_Z14get_num_groupsj"
#define CL_NAME_get_global_offset       "_Z17get_global_offsetj"

ID(size_t, get_global_id)
ID(size_t, get_local_id)
ID(size_t, get_group_id)
ID(size_t, get_global_size)
ID(size_t, get_local_size)
ID(size_t, get_enqueued_local_size)
ID(size_t, get_num_groups)
ID(size_t, get_global_offset)

unsigned int cl_get_work_dim(void) __asm__("_Z12get_work_dimv");
unsigned int cl_get_work_dim(void)
{
	return get_work_dim();
}

#define LINEAR(name, mangled)                    \
	size_t cl_##name(void) __asm__(mangled); \
	size_t cl_##name(void)                   \
	{                                        \
		return name();                   \
	}

LINEAR(get_global_linear_id, "_Z20get_global_linear_idv")
LINEAR(get_local_linear_id, "_Z19get_local_linear_idv")

/* Inlined into each caller, so that a barrier saves what is alive there and no more. The runtime counts arrivals and
 * not places, so copies of it do no harm; the attributes say that the compiler makes none. */
#define SCOPE_WORK_GROUP 1u /* __OPENCL_MEMORY_SCOPE_WORK_GROUP */

#ifdef __clang__
#define MEETING __attribute__((convergent, noduplicate))
#else
#define MEETING
#endif
MEETING void cl_barrier(unsigned int flags) __asm__("_Z7barrierj");
__attribute__((always_inline)) void cl_barrier(unsigned int flags)
{
	barrier(flags);
}

MEETING void cl_work_group_barrier(unsigned int flags) __asm__("_Z18work_group_barrierj");
__attribute__((always_inline)) void cl_work_group_barrier(unsigned int flags)
{
	barrier(flags);
}

MEETING void
cl_work_group_barrier_scope(unsigned int flags,
			    unsigned int scope) __asm__("_Z18work_group_barrierj12memory_scope");
__attribute__((always_inline)) void cl_work_group_barrier_scope(unsigned int flags,
								unsigned int scope)
{
	if (scope > SCOPE_WORK_GROUP)
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
	barrier(flags);
	if (scope > SCOPE_WORK_GROUP)
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#define FENCE(name, mangled)                                              \
	void cl_##name(unsigned int) __asm__(mangled);                    \
	__attribute__((always_inline)) void cl_##name(unsigned int flags) \
	{                                                                 \
		name(flags);                                              \
	}

FENCE(mem_fence, "_Z9mem_fencej")
FENCE(read_mem_fence, "_Z14read_mem_fencej")
FENCE(write_mem_fence, "_Z15write_mem_fencej")
