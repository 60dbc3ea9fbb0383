/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Records of the CGAs in flight, one for each CGA of every level, and their members (S1-R55, S1-R68,
 * S1-R71, S1-R72). A record is private to the control processor; the members of an innermost CGA are entries of
 * the CLUSTER blocks, where SMs read them, linked in a circle by rank. Nobody else writes those.
 *
 *      top-level CGA ◀─ parent ─ CGA ◀─ parent ─ innermost CGA ─ head ▸ member ▸ member ▸ … ▸ head
 */
#ifndef FIRMWARE_CP_CGA_CGA_RECORD_H
#define FIRMWARE_CP_CGA_CGA_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/limits.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/task/cga_shape.h"

#define CGA_NONE 0xffffu /**< No record. */

/** A CGA in flight: at least one of its CTAs has not ended. */
struct cga {
	uint32_t sequence; /**< Innermost: its number, not 0, as in its members. */
	uint16_t parent;   /**< Record of the CGA that it is a part of, or CGA_NONE. */
	uint16_t child;    /**< A part of it that is in flight, or CGA_NONE. */
	uint16_t next;     /**< The next part of its parent, or CGA_NONE. */
	uint16_t previous; /**< The one before it. */
	uint16_t size;     /**< CTAs, of all its levels. */
	uint16_t running;  /**< Of those, the ones that have not ended (S1-R136). */
	uint16_t waiting;  /**< Of those, the ones that have come to the barrier of this CGA. */
	uint16_t head_sm;  /**< Innermost: SM of the member of rank 0. */
	uint8_t head_unit; /**< Its lowest unit. */
	uint8_t pool;      /**< Innermost: whose id it has (cga_id.h). */
	uint8_t id;        /**< Innermost: its id (S1-R139). */
	uint8_t level;     /**< 0: innermost. */
	bool broken; /**< A CTA of it failed or was stopped: nobody passes its barrier any more. */
};

/** Place of a member. */
struct cga_member_place {
	uint32_t sm;   /**< Its SM. */
	uint32_t unit; /**< Its lowest unit. */
};

/** No CGA is in flight. */
void cga_record_init(void);

/** Records in use. Written by cga_record.c. */
extern uint32_t cga_records_live;

/** CGAs in flight, of all levels. */
static inline uint32_t cga_record_live(void)
{
	return part_is_here(GG_FEATURE_CLUSTERS) ? cga_records_live : 0;
}

/** Free records. */
static inline uint32_t cga_record_free(void)
{
	return CP_CGAS - cga_records_live;
}

/** Records that a top-level CGA takes. */
uint32_t cga_record_needs(const struct cga_shape *shape);

/** A record by number. */
struct cga *cga_record(uint32_t number);

/** Take a free record; there is one.
 * @param level   0: innermost; it has a sequence number then.
 * @param parent  The CGA that it is a part of, or CGA_NONE.
 * @param ctas    Its CTAs: all of them run.
 * @return        Its number. */
uint32_t cga_record_open(uint32_t level, uint32_t parent, uint32_t ctas);

/** Give a record back: nothing of its CGA runs. */
void cga_record_close(uint32_t number);

/** The innermost CGAs in a CGA, one after the other.
 * @param last  The last one; the root itself at first.
 * @return      CGA_NONE after the last. */
uint32_t cga_record_next(uint32_t root, uint32_t last);

/** The CGA of a level that a record lies in, or CGA_NONE. */
uint32_t cga_record_at(uint32_t number, uint32_t level);

/** A CTA's entry of its SM's CLUSTER block. */
struct gg_member *cga_member(struct cga_member_place place);

/** The innermost CGA of a CTA, or CGA_NONE when there is no CTA of a CGA in that place. */
uint32_t cga_member_record(struct cga_member_place place);

/** Where the member of the next rank is. */
struct cga_member_place cga_member_next(struct cga_member_place place);

/** The number after a sequence number: 0 is nobody's (S1-Q27). They have 31 bits: SMs use their complements. */
static inline uint32_t cga_sequence_after(uint32_t sequence)
{
	return sequence == INT32_MAX ? 1 : sequence + 1;
}

#endif /* FIRMWARE_CP_CGA_CGA_RECORD_H */
