/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Ids of innermost CGAs: a pool for each GPC, and one of the device for CGAs that may lie in several
 * GPCs (S1-R69, S1-R139…R143, S1-R184).
 */
#ifndef FIRMWARE_CP_CGA_CGA_ID_H
#define FIRMWARE_CP_CGA_CGA_ID_H

#include <stdint.h>

#include "firmware/cp/base/limits.h"

#define CGA_ID_GPCS   CP_GPCS     /**< GPCs: numbers of GPCs are below it. */
#define CGA_ID_DEVICE CGA_ID_GPCS /**< Number of the device's pool; below it, those of GPCs. */
#define CGA_ID_POOLS  (CGA_ID_GPCS + 1u)

/** All pools are full. */
void cga_id_init(void);

/** Ids of each pool from now on; those in use that are above stay in use until they are given back (S1-R141).
 * @param ids  1 to CP_CGA_IDS. */
void cga_id_set_limit(uint32_t ids);

/** Ids of each pool. */
uint32_t cga_id_limit(void);

/** Free ids of a pool. */
uint32_t cga_id_free(uint32_t pool);

/** Bit g: the pool of GPC g has no free id. */
uint32_t cga_id_exhausted(void);

/** Take the lowest free id of a pool; there is one. */
uint32_t cga_id_take(uint32_t pool);

/** Give an id back: all CTAs of its CGA have ended, and their memory accesses with them (S1-R142). */
void cga_id_give(uint32_t pool, uint32_t id);

#endif /* FIRMWARE_CP_CGA_CGA_ID_H */
