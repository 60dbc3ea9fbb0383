/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Ids of innermost CGAs. There is a pool for each GPC, and one of the device for CGAs that may lie in several GPCs
 * (S1-R69, S1-R139…R143, S1-R184).
 */
#ifndef FIRMWARE_CP_CGA_CGA_ID_H
#define FIRMWARE_CP_CGA_CGA_ID_H

#include <stdint.h>

#include "firmware/cp/base/limits.h"

#define CGA_ID_GPCS   CP_GPCS /**< Number of pools of GPCs. */
/** Number of the device's pool; the pool of GPC g is number g. */
#define CGA_ID_DEVICE CGA_ID_GPCS
#define CGA_ID_POOLS  (CGA_ID_GPCS + 1u) /**< Number of all pools. */

/** Reset: all ids are free, CP_CGA_IDS in each pool. */
void cga_id_init(void);

/** Set how many ids each pool has from now on. Ids above the limit that are in use stay so until they are given back
 * (S1-R141).
 * @param ids  1 to CP_CGA_IDS. */
void cga_id_set_limit(uint32_t ids);

/** Number of ids of each pool. */
uint32_t cga_id_limit(void);

/** Number of free ids of a pool. */
uint32_t cga_id_free(uint32_t pool);

/** GPCs without a free id: bit g for the pool of GPC g. */
uint32_t cga_id_exhausted(void);

/** Take the lowest free id of a pool. The caller has checked cga_id_free(). */
uint32_t cga_id_take(uint32_t pool);

/** Give an id back. All CTAs of its CGA have ended, and so have their memory accesses (S1-R142). */
void cga_id_give(uint32_t pool, uint32_t id);

#endif /* FIRMWARE_CP_CGA_CGA_ID_H */
