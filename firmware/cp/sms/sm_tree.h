/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The tree of domains: SMs in TPCs, TPCs in CPCs, CPCs in GPCs, and GPCs in the device (S1-R2, S1-R4). It is built
 * from the groups and ranks that sm_state.h keeps. Domains of one kind that lie in the same larger domain have
 * consecutive indexes.
 */
#ifndef FIRMWARE_CP_SMS_SM_TREE_H
#define FIRMWARE_CP_SMS_SM_TREE_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/limits.h"

/** Values of enum gg_domain: GPU, GPC, CPC, TPC; a larger value is a smaller domain. */
#define SM_TREE_KINDS 4u

/** The SMs of a domain, by rank, that lie in one word of a bitmap. */
struct sm_tree_part {
	uint16_t word;  /**< Index of the word. */
	uint32_t ranks; /**< Bits of these ranks; not 0. */
};

/** A domain by kind and index.
 * @param index  Below sm_tree_count(). */
struct sm_domain {
	const struct sm_tree_part *parts; /**< Its SMs by rank, in order of the words. */
	uint16_t parts_count;             /**< Entries of `parts`, 1 or more. */
	uint16_t sms;                     /**< Number of SMs, 1 or more. */
	uint16_t number; /**< Number as in CONFIG.group: of the GPC, of the CPC in its GPC, … */
	uint16_t first_child; /**< Index of its first domain of the next smaller kind. */
	uint16_t children;    /**< Number of those domains; 0 in a TPC. */
};

/** A range of domains of one kind. */
struct sm_tree_range {
	uint32_t first; /**< Index of the first one. */
	uint32_t count; /**< Number of domains, 1 or more. */
};

/** Build the tree again after groups or ranks have changed. Takes time in proportion to the number of SMs. */
void sm_tree_build(void);

/** Number of domains of a kind. */
uint32_t sm_tree_count(enum gg_domain kind);

/** A domain.
 * @param index  Below sm_tree_count(). */
const struct sm_domain *sm_tree_domain(enum gg_domain kind, uint32_t index);

/** Index of the domain of a kind in which the SM of a rank lies. */
uint32_t sm_tree_index(enum gg_domain kind, uint32_t rank);

/** The domains of kind `inner` that lie in a domain.
 * @param inner  The same kind or a smaller one. */
struct sm_tree_range sm_tree_inside(enum gg_domain kind, uint32_t index, enum gg_domain inner);

#endif /* FIRMWARE_CP_SMS_SM_TREE_H */
