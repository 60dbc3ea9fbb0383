/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * vload, vstore and what goes with them (OpenCL C 6.12.7), copies by a work-group and prefetch
 * (6.12.10), shuffles (6.12.12).
 */
#include "base.clh"

#define LOAD(T, space)                                                                      \
	OVER T##2 vload2(size_t i, const space T *p)                                        \
	{                                                                                   \
		p += 2 * i;                                                                 \
		return (T##2)(p[0], p[1]);                                                  \
	}                                                                                   \
	OVER T##3 vload3(size_t i, const space T *p)                                        \
	{                                                                                   \
		p += 3 * i;                                                                 \
		return (T##3)(p[0], p[1], p[2]);                                            \
	}                                                                                   \
	OVER T##4 vload4(size_t i, const space T *p)                                        \
	{                                                                                   \
		p += 4 * i;                                                                 \
		return (T##4)(p[0], p[1], p[2], p[3]);                                      \
	}                                                                                   \
	OVER T##8 vload8(size_t i, const space T *p)                                        \
	{                                                                                   \
		return (T##8)(vload4(2 * i, p), vload4(2 * i + 1, p));                      \
	}                                                                                   \
	OVER T##16 vload16(size_t i, const space T *p)                                      \
	{                                                                                   \
		return (T##16)(vload8(2 * i, p), vload8(2 * i + 1, p));                     \
	}

#define STORE(T, space)                                                                     \
	OVER void vstore2(T##2 v, size_t i, space T *p)                                     \
	{                                                                                   \
		p[2 * i] = v.x;                                                             \
		p[2 * i + 1] = v.y;                                                         \
	}                                                                                   \
	OVER void vstore3(T##3 v, size_t i, space T *p)                                     \
	{                                                                                   \
		p[3 * i] = v.x;                                                             \
		p[3 * i + 1] = v.y;                                                         \
		p[3 * i + 2] = v.z;                                                         \
	}                                                                                   \
	OVER void vstore4(T##4 v, size_t i, space T *p)                                     \
	{                                                                                   \
		vstore2(v.lo, 2 * i, p);                                                    \
		vstore2(v.hi, 2 * i + 1, p);                                                \
	}                                                                                   \
	OVER void vstore8(T##8 v, size_t i, space T *p)                                     \
	{                                                                                   \
		vstore4(v.lo, 2 * i, p);                                                    \
		vstore4(v.hi, 2 * i + 1, p);                                                \
	}                                                                                   \
	OVER void vstore16(T##16 v, size_t i, space T *p)                                   \
	{                                                                                   \
		vstore8(v.lo, 2 * i, p);                                                    \
		vstore8(v.hi, 2 * i + 1, p);                                                \
	}

/* The items of a work-group share the work; wait_group_events() is where they meet. */
static size_t first_element(void)
{
	return get_local_id(0) +
	       get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
}

static size_t step_of_elements(void)
{
	return get_local_size(0) * get_local_size(1) * get_local_size(2);
}

#define COPY(T, to, from)                                                                   \
	OVER event_t async_work_group_copy(to T *target, const from T *source, size_t count, \
					   event_t event)                                   \
	{                                                                                   \
		for (size_t i = first_element(); i < count; i += step_of_elements()) {      \
			target[i] = source[i];                                              \
		}                                                                           \
		return event;                                                               \
	}
#define COPIES(T)                                                                           \
	COPY(T, local, global)                                                              \
	COPY(T, global, local)                                                              \
	OVER event_t async_work_group_strided_copy(local T *target, const global T *source, \
						   size_t count, size_t stride, event_t event) \
	{                                                                                   \
		for (size_t i = first_element(); i < count; i += step_of_elements()) {      \
			target[i] = source[i * stride];                                     \
		}                                                                           \
		return event;                                                               \
	}                                                                                   \
	OVER event_t async_work_group_strided_copy(global T *target, const local T *source, \
						   size_t count, size_t stride, event_t event) \
	{                                                                                   \
		for (size_t i = first_element(); i < count; i += step_of_elements()) {      \
			target[i * stride] = source[i];                                     \
		}                                                                           \
		return event;                                                               \
	}                                                                                   \
	OVER void prefetch(const global T *p, size_t count) {}

/* clang declares it with a pointer to any memory, which OpenCL C 1.2 does not have. */
void cl_wait_group_events(int count, event_t *events)
	__asm__("_Z17wait_group_eventsiPU9CLgeneric9ocl_event");
void cl_wait_group_events(int count, event_t *events)
{
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

#define SHUFFLE(n, m, T, U)                                                                 \
	OVER T##n shuffle(T##m x, U##n mask)                                                \
	{                                                                                   \
		T##n result;                                                                \
		for (int i = 0; i < n; i++) {                                               \
			result[i] = x[mask[i] & (m - 1)];                                   \
		}                                                                           \
		return result;                                                              \
	}                                                                                   \
	OVER T##n shuffle2(T##m x, T##m y, U##n mask)                                       \
	{                                                                                   \
		T##n result;                                                                \
		for (int i = 0; i < n; i++) {                                               \
			result[i] = (mask[i] & m) ? y[mask[i] & (m - 1)] : x[mask[i] & (m - 1)]; \
		}                                                                           \
		return result;                                                              \
	}
#define SHUFFLES_TO(n, T, U)                                                                \
	SHUFFLE(n, 2, T, U) SHUFFLE(n, 4, T, U) SHUFFLE(n, 8, T, U) SHUFFLE(n, 16, T, U)

#define COPIES_SIZE(n, T) COPIES(T##n)
#define MEMORY(T, U, unused)                                                                \
	LOAD(T, global) LOAD(T, local) LOAD(T, private) LOAD(T, constant)                   \
	STORE(T, global) STORE(T, local) STORE(T, private)                                  \
	COPIES(T) SIZES(COPIES_SIZE, T)                                                     \
	SHUFFLES_TO(2, T, U) SHUFFLES_TO(4, T, U) SHUFFLES_TO(8, T, U) SHUFFLES_TO(16, T, U)

INTEGERS(MEMORY, 0)
MEMORY(float, uint, 0)
MEMORY(double, ulong, 0)
