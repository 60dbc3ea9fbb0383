/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Kernel built-ins: who and where a work-item is (S0-R04, S0-R42).
 *
 * As in OpenCL, a dimension of 3 or more has size 1 and id 0. Included by ganger_kernel.h.
 */
#ifndef FIRMWARE_KERNEL_GANGER_IDS_H
#define FIRMWARE_KERNEL_GANGER_IDS_H

#include <stddef.h>
#include <stdint.h>

#include "gg_cta.h"

/** The CTA block, just below tp. */
static inline const struct gg_cta *ganger_cta(void)
{
	return (const struct gg_cta *)__builtin_thread_pointer() - 1;
}

/*
 * A kernel that ganger-cc makes loops of (gangercc/loops) asks functions for its ids and sizes. They are called there
 * only: what a work-item is asked for becomes a variable of a loop, and what is fixed for a CTA is read once. The
 * compiler may take it that they always return the same.
 */
#ifdef GANGER_LOOPS
#define GANGER_CONSTANT __attribute__((const, nothrow))
GANGER_CONSTANT uintptr_t ganger_item_x(void);                    /**< local_id[0] */
GANGER_CONSTANT uintptr_t ganger_item_y(void);                    /**< local_id[1] */
GANGER_CONSTANT uintptr_t ganger_item_z(void);                    /**< local_id[2] */
GANGER_CONSTANT uintptr_t ganger_item_linear(void);               /**< thread */
GANGER_CONSTANT uintptr_t ganger_fixed_u32(unsigned int offset);  /**< 32 bits at an offset. */
GANGER_CONSTANT uintptr_t ganger_fixed_word(unsigned int offset); /**< A word of the XLEN. */
#define GANGER_U32(field)  ganger_fixed_u32(offsetof(struct gg_cta, field))
#define GANGER_WORD(field) ganger_fixed_word(offsetof(struct gg_cta, field))
#else
#define ganger_item_x()      (ganger_cta()->local_id[0])
#define ganger_item_y()      (ganger_cta()->local_id[1])
#define ganger_item_z()      (ganger_cta()->local_id[2])
#define ganger_item_linear() (ganger_cta()->thread)
#define GANGER_U32(field)    (ganger_cta()->field)
#define GANGER_WORD(field)   (ganger_cta()->field)
#endif

/* One of three, or what a further dimension has. */
#define GANGER_ALONG(dimension, x, y, z, beyond) \
	((dimension) == 0 ? (x) : (dimension) == 1 ? (y) : (dimension) == 2 ? (z) : (beyond))
#define GANGER_FIELD(dimension, field, beyond)                                                    \
	GANGER_ALONG(dimension, GANGER_U32(field[0]), GANGER_U32(field[1]), GANGER_U32(field[2]), \
		     beyond)

/** Dimensions that the host named for the task, 1 to 3. */
static inline unsigned int get_work_dim(void)
{
	return (unsigned int)GANGER_U32(work_dim);
}

/** Threads of this CTA along a dimension. */
static inline size_t get_local_size(unsigned int dimension)
{
	return GANGER_FIELD(dimension, block, 1);
}

/** Threads of a CTA along a dimension, as launched: those at the end of the grid may have fewer. */
static inline size_t get_enqueued_local_size(unsigned int dimension)
{
	return (GANGER_U32(flags) & GG_CTA_FLAG_EDGE) != 0
		       ? GANGER_FIELD(dimension, edge, 1) & 0xffff
		       : get_local_size(dimension);
}

/** Position of the thread in its CTA. */
static inline size_t get_local_id(unsigned int dimension)
{
	return GANGER_ALONG(dimension, ganger_item_x(), ganger_item_y(), ganger_item_z(), 0);
}

/** CTAs of the grid along a dimension. */
static inline size_t get_num_groups(unsigned int dimension)
{
	return GANGER_FIELD(dimension, grid, 1);
}

/** Position of the CTA in the grid. */
static inline size_t get_group_id(unsigned int dimension)
{
	return GANGER_FIELD(dimension, cta_id, 0);
}

/** Global id of the first work-item along a dimension. */
static inline size_t get_global_offset(unsigned int dimension)
{
	return GANGER_FIELD(dimension, global_offset, 0);
}

/** Work-items of the grid along a dimension. On RV32 modulo 2^32. */
static inline size_t get_global_size(unsigned int dimension)
{
	const size_t all = get_num_groups(dimension) * get_enqueued_local_size(dimension);

	if ((GANGER_U32(flags) & GG_CTA_FLAG_EDGE) == 0 || dimension > 2) {
		return all;
	}
	return all - get_enqueued_local_size(dimension) + (GANGER_FIELD(dimension, edge, 1) >> 16);
}

/** Position of the work-item in the grid, with the offset. On RV32 modulo 2^32. */
static inline size_t get_global_id(unsigned int dimension)
{
	return GANGER_ALONG(dimension, GANGER_WORD(origin_x) + ganger_item_x(),
			    GANGER_WORD(origin_y) + ganger_item_y(),
			    GANGER_WORD(origin_z) + ganger_item_z(), 0);
}

/** Linear number of the thread in its CTA: x + size.x * (y + size.y * z). */
static inline size_t get_local_linear_id(void)
{
	return ganger_item_linear();
}

/** Linear number of the work-item in the grid, without the offset. On RV32 modulo 2^32. */
static inline size_t get_global_linear_id(void)
{
	size_t x = get_global_id(0) - get_global_offset(0);
	size_t y = get_global_id(1) - get_global_offset(1);
	size_t z = get_global_id(2) - get_global_offset(2);

	return x + get_global_size(0) * (y + get_global_size(1) * z);
}

/** Linear number of the CTA in its grid: x + grid.x * (y + grid.y * z). */
static inline uint64_t ganger_cta_linear_id(void)
{
	return ganger_cta()->cta_linear;
}

/** The task's identifier: task slot in the lower half, its generation in the upper half. */
static inline uint32_t ganger_task_id(void)
{
	return ganger_cta()->task_id;
}

/** The correlation id that the host gave the task. */
static inline uint32_t ganger_task_tag(void)
{
	return ganger_cta()->task_tag;
}

/** Bytes of shared memory that the CTA has. */
static inline uint32_t ganger_shared_bytes(void)
{
	return ganger_cta()->shared_bytes;
}

/** The core's cycle counter, of as many bits as the XLEN; it goes on while other CTAs run. A core without the CSR `cycle` does not have
 * it: Ibex takes the access for an illegal instruction, VexRiscv_Min reads 0. */
static inline size_t ganger_cycle(void)
{
	size_t cycles;

	__asm__ volatile("csrr %0, cycle" : "=r"(cycles));
	return cycles;
}

/** A section of a CTA: what ganger.Sections of the host reads. */
struct ganger_section {
	uint32_t cycles; /**< In which work-items were in it, modulo 2^32. */
	uint32_t times;  /**< How often one left it. */
};

/** A work-item leaves a section: count the cycles since it entered. No other CTA writes the same words, so no atomics are needed.
 * @param sections  The buffer of ganger.Sections; NULL: nothing is counted.
 * @param count     Number of its names.
 * @param section   Index of the name.
 * @param since     What ganger_cycle() said when it entered. */
static inline void ganger_section_end(struct ganger_section *sections, uint32_t count,
				      uint32_t section, size_t since)
{
	if (sections != NULL) {
		struct ganger_section *mine = &sections[ganger_cta_linear_id() * count + section];

		mine->cycles += (uint32_t)(ganger_cycle() - since);
		mine->times++;
	}
}

#endif /* FIRMWARE_KERNEL_GANGER_IDS_H */
