/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A part of a group's submission on a device: what its CTAs need is put there, and what they wrote is fetched.
 */
#ifndef HOST_LIB_GROUP_PART_H
#define HOST_LIB_GROUP_PART_H

#include "host/lib/group/share.h"

/** What the parts of a submission have in common. */
struct part_of {
	const struct gg_group_work *work;
	struct share_shape shape;
};

/** An argument that is a buffer, in the memory of a device. */
struct part_placed {
	const struct gg_group_buffer *buffer; /**< NULL: the argument is none. */
	uint64_t memory;  /**< What gg_alloc() gave; 0: it has that of an earlier argument. */
	uint64_t pointer; /**< What the kernel gets: where byte 0 would be. */
	struct share_bytes bytes;
	void *found; /**< What the kernel left, once it is fetched. */
};

/** A part that is on its way. */
struct part {
	struct part *next;
	struct share share;
	uint32_t member;
	struct gg_context *context;
	struct gg_task *task;
	struct part_placed placed[]; /**< By argument. */
};

/** Puts a part on a device and submits it. Sets the failure; then nothing of it is left.
 * @return GG_ERR_NO_MEMORY, and what the calls return that it makes. */
enum gg_status part_start(const struct part_of *of, const struct gg_group_member *member,
			  struct share share, uint32_t timeout_ms, struct part **part);

/** Reads what a part that has completed wrote, and then joins it with the buffers of the host. Sets the failure; then these
 * are as they were. @return as gg_context_read(); GG_ERR_NO_MEMORY. */
enum gg_status part_fetch(const struct part_of *of, struct part *part);

/** Forgets a part, with its memory on the device unless it may still run there. */
void part_drop(const struct part_of *of, struct part *part, bool runs);

#endif /* HOST_LIB_GROUP_PART_H */
