/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The tree of the SMs: TPCs in CPCs in GPCs in the device (S1-R2, S1-R4). Built from the groups and
 * ranks that sm_state keeps. Domains of one kind that lie in a larger one have successive numbers.
 */
#ifndef FIRMWARE_CP_SMS_SM_TREE_H
#define FIRMWARE_CP_SMS_SM_TREE_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/limits.h"

#define SM_TREE_KINDS \
	4u /**< enum gg_domain: GPU, GPC, CPC, TPC; a larger number is a smaller domain. */

/** Ranks of a domain that lie in one word of a bitmap of ranks. */
struct sm_tree_part {
	uint16_t word;  /**< Which word. */
	uint32_t ranks; /**< Which bits; not 0. */
};

/** A domain. */
struct sm_domain {
	const struct sm_tree_part *parts; /**< Its SMs, in order of the words. */
	uint16_t parts_count;             /**< Entries of `parts`, 1 or more. */
	uint16_t sms;                     /**< SMs, 1 or more. */
	uint16_t number;      /**< As in CONFIG.group: the GPC's, the CPC's in its GPC, … */
	uint16_t first_child; /**< Index of its first domain of the next smaller kind. */
	uint16_t children;    /**< Those domains; 0 in a TPC. */
};

/** Domains of one kind that lie in another one. */
struct sm_tree_range {
	uint32_t first; /**< Index of the first. */
	uint32_t count; /**< 1 or more. */
};

/** Build it anew, after the groups or the ranks have changed. Classes of tasks are forgotten. Takes
 * time in proportion to the number of SMs. */
void sm_tree_build(void);

/** Domains of a kind. */
uint32_t sm_tree_count(enum gg_domain kind);

/** A domain.
 * @param index  Below sm_tree_count(). */
const struct sm_domain *sm_tree_domain(enum gg_domain kind, uint32_t index);

/** Index of the domain of a kind that an SM lies in, by its rank. */
uint32_t sm_tree_index(enum gg_domain kind, uint32_t rank);

/** Domains of the same or a smaller kind `inner` in a domain. */
struct sm_tree_range sm_tree_inside(enum gg_domain kind, uint32_t index, enum gg_domain inner);

#endif /* FIRMWARE_CP_SMS_SM_TREE_H */
