/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A host's share of a device that several hosts use at once: the memory that the broker and this host have in common.
 *
 * The broker makes one for each host that attaches, and gives it the descriptor. It takes all completions of the
 * device and hands each to the host whose channel its command came through. What a host writes here is checked by
 * nobody but the broker, and can hurt that host alone.
 */
#ifndef HOST_COMMON_SHARE_H
#define HOST_COMMON_SHARE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

#define SHARE_MAGIC   0x52485347u /**< The letters GSHR. */
#define SHARE_VERSION 1u          /**< Of this file. */
#define SHARES_MOST   8u          /**< Hosts at once, at most: channels have eight bell bytes. */
#define SHARE_ENTRIES 4096u       /**< Completions of the ring; a power of two. */

/** The memory. Numbers have the machine's byte order. Constant, unless a comment names the writer. */
struct share_memory {
	uint32_t magic;         /**< SHARE_MAGIC. */
	uint32_t version;       /**< SHARE_VERSION. */
	uint32_t host;          /**< Number of the share, from 0 on. */
	uint32_t first_channel; /**< First channel of the device that is this host's. */
	uint32_t channels;      /**< Channels that are. The host calls the first of them 0. */
	uint32_t first_tag;     /**< Its tags and generations begin behind this one. */
	uint32_t first_context; /**< Its numbers of contexts begin here: no other host has them. */
	uint32_t manages;       /**< 1: it may change what concerns all hosts, such as CONFIG. */
	uint64_t heap;          /**< Its part of the device's heap: address, a multiple of 4 KiB. */
	uint64_t heap_bytes;    /**< Bytes of that part. */
	uint32_t most;          /**< Tasks that it may have on their way at once. Writer: broker. */
	uint32_t posted;        /**< Commands that it has written to channels. Writer: host. */
	/** Restarts of the control processor that this host has been told of, after all completions from before. Writer:
	 * broker. */
	uint32_t resets;
	/** Page of the memory for CTAs that are parked, as config.park_page has it: behind all shares. 0: there is none. */
	uint32_t park_page;
	/** Of its completions: `put` is the broker's word, `get` the host's; the others are 0. */
	struct gg_post post;
	struct gg_completion ring[SHARE_ENTRIES]; /**< Completions. Writer: broker. */
};

#define SHARE_PAGE 4096u /**< Bytes of a page; config.park_page counts these. */

/** Bytes that a device needs for CTAs that are parked: of each of its SMs' own memory twice; 0: it parks none. */
static inline uint64_t share_parked_bytes(const struct gg_cap *cap)
{
	return (cap->features >> GG_FEATURE_PARKS & 1u) != 0
		       ? 2 * (uint64_t)cap->sms * cap->sm_area_bytes
		       : 0;
}

static_assert(offsetof(struct share_memory, post) == 64, "its words have cache lines of their own");
static_assert((SHARE_ENTRIES & (SHARE_ENTRIES - 1)) == 0, "counts wrap at 2^32");

#endif /* HOST_COMMON_SHARE_H */
