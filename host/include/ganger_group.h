/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * libganger: one submission over several devices. The rules of ganger.h hold.
 *
 * The CTAs of a grid, or of a range, are shared out among devices in proportion to their SMs, in linear
 * order, and each device runs its part of them (S0-R42, S4-R35): kernels see the ids and sizes of the whole. The
 * host has the buffers: a device gets what its CTAs need before they run, and gives back what they wrote.
 */
#ifndef HOST_INCLUDE_GANGER_GROUP_H
#define HOST_INCLUDE_GANGER_GROUP_H

#include "host/include/ganger_task.h"
#include "host/include/ganger_work.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GG_GROUP_MEMBERS_MAX 64 /* Most devices of a group. */

/** A device of a group. The caller opens it, loads the same ELF on all of them, and closes them. */
struct gg_group_member {
	struct gg_device *device;
	struct gg_module *module; /**< The ELF on this device. */
	uint32_t lost;     /**< 1: gets nothing. gg_group_run() sets it where a device was lost. */
	uint32_t reserved; /**< 0. */
};

/** How the devices of a group see a buffer. */
enum gg_spread {
	GG_SPREAD_WHOLE = 0, /**< Every device has all of it, and kernels only read it. */
	GG_SPREAD_SPLIT = 1, /**< A device has the entries that its CTAs work on. */
	GG_SPREAD_MERGE =
		2, /**< A device begins with zeros; `merge` joins what it has in the end. */
};

/** Memory of the host that the kernel sees as one piece, with the indices of the whole. */
struct gg_group_buffer {
	void *data;      /**< Not written where kernels only read. */
	uint64_t bytes;  /**< Not 0. */
	uint32_t spread; /**< enum gg_spread. */
	uint32_t
		writes; /**< SPLIT: 1: the kernel writes the entries of its own CTAs, and no others. */
	uint64_t entry_bytes; /**< SPLIT: bytes of an entry; `bytes` is a multiple. Else 0. */
	/** SPLIT: entries of a CTA along the slowest axis of the grid; of an item of a range. Else 0. */
	uint64_t cta_entries;
	uint64_t
		halo; /**< SPLIT, not written: entries more that a device has on each side. Else 0. */
	/** MERGE: joins what a part left with `data`, after it has completed: once for each part whose
	 * results count. It is called in the thread of gg_group_run(). */
	void (*merge)(void *user, void *data, const void *part, uint64_t bytes);
	void *user; /**< The first parameter of `merge`. */
};

/** An argument of the kernel: a buffer of the group, or a value or shared memory. */
struct gg_group_argument {
	const struct gg_group_buffer *buffer; /**< Or NULL. */
	struct gg_argument value;             /**< Without a buffer; of kind BUFFER only as NULL. */
};

/** What a group runs. */
struct gg_group_work {
	/** As for one device, but 0 are: module, arguments, first_cta, ctas, and what names tasks, memory
	 * or contexts of one device (after, dependents, dependence_count, semaphores, memory, affinity,
	 * context, graph). Type GRID, or a CGA whose sizes the parts are multiples of. */
	struct gg_work work;
	const struct gg_group_argument *arguments;
	uint32_t argument_count; /**< As many as the kernel has parameters. */
	/** 1: the kernel may run twice: the part of a device that is lost goes to the others, and that of one whose
	 * control processor boots again is shared out among all. What `data`
	 * of buffers has in the end is as if it had run once. */
	uint32_t again;
};

/** What came of it. */
struct gg_group_done {
	uint64_t ctas;      /**< CTAs that completed and whose results count, each once. */
	uint64_t lost_ctas; /**< CTAs of parts that were lost and ran again, see `again`. */
	uint32_t parts;     /**< Parts that completed. */
	uint32_t lost;      /**< Devices that were lost meanwhile. */
	/** CTAs that each member completed. */
	uint64_t member_ctas[GG_GROUP_MEMBERS_MAX];
};

/**
 * Runs a kernel on the devices of a group, and returns when all of it has completed: then results are in
 * the buffers' `data`. Buffers are used by one call at a time.
 * @param done  Written also after an error, as far as it came.
 * @return GG_ERR_HANDLE: a device or module of a member that is not lost, or a module of another device;
 * GG_ERR_ARGUMENT: members, arguments, buffers, or a field of `work` that is about one device;
 * GG_ERR_DEVICE_LOST: a device was lost and the kernel may not run twice (the other parts are complete
 * and their results are there; value: the first CTA that is missing), or none is left; GG_ERR_TIMEOUT: the
 * parts were cancelled; what gg_submit() and gg_task_wait() return, where a part failed: the others were
 * cancelled, and buffers have the results of parts that had completed.
 */
GG_CHECKED enum gg_status gg_group_run(struct gg_group_member *members, uint32_t count,
				       const struct gg_group_work *work, uint32_t timeout_ms,
				       struct gg_group_done *done);

#ifdef __cplusplus
}
#endif

#endif /* HOST_INCLUDE_GANGER_GROUP_H */
