/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Records of the CGAs in flight, one for each CGA of every level, and their members (S1-R55, S1-R68, S1-R71,
 * S1-R72). Owns the pool of records and the members in the CLUSTER blocks.
 *
 * A record is private to the control processor. The members of an innermost CGA are entries of the CLUSTER blocks,
 * which only the CP writes and SMs read. They are linked in a circle by rank.
 *
 *      top-level CGA ◀─ parent ─ CGA ◀─ parent ─ innermost CGA ─ head ▸ member ▸ member ▸ … ▸ head
 */
#ifndef FIRMWARE_CP_CGA_CGA_RECORD_H
#define FIRMWARE_CP_CGA_CGA_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/field.h"
#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/limits.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/task/cga_shape.h"

#define CGA_NONE 0xffffu /**< Record number that stands for no record. */

/** The record of a CGA in flight, of which at least one CTA has not ended. */
struct cga {
	uint32_t sequence; /**< Innermost: its sequence number, not 0; also in its members. */
	uint16_t parent;   /**< Record of the CGA that it is a part of, or CGA_NONE. */
	uint16_t child;    /**< Record of one of its parts in flight, or CGA_NONE. */
	uint16_t
		next; /**< Record of the next part of its parent, or of a CGA of the same wave; or CGA_NONE. */
	uint16_t previous; /**< Record of the previous part, or CGA_NONE. */
	uint16_t size;     /**< Number of its CTAs. */
	uint16_t running;  /**< Of these, CTAs that have not ended (S1-R136). */
	uint16_t waiting;  /**< Of these, CTAs that wait at the barrier of this CGA. */
	uint16_t
		failed; /**< CTAs of it that failed, were stopped or lost: if any, none passes its barrier now. */
	uint16_t head_sm;  /**< Innermost: SM of the member of rank 0. */
	uint8_t head_unit; /**< Innermost: lowest unit of that member. */
	uint8_t pool;      /**< Innermost: pool of its id (cga_id.h). */
	uint8_t id;        /**< Innermost: its id (S1-R139). */
	uint8_t level;     /**< Level; 0 is the innermost. */
	uint8_t slot;      /**< Slot of its task. */
	/** Innermost: task_range.losses with which it runs again when all its CTAs have ended; 0: it does not (cga_again.h). */
	uint8_t again;
};

/** The place of a member. */
struct cga_member_place {
	uint32_t sm;   /**< Its SM. */
	uint32_t unit; /**< Its lowest unit. */
};

/** By slot, a record of the CGAs that were launched as a wave, if the last wave was one of CGAs. Written by cga.c. */
extern uint16_t cga_of_wave[CP_SLOTS];

/** Reset: no CGA is in flight. */
void cga_record_init(void);

/** Number of records in use. Written by cga_record.c. */
extern uint32_t cga_records_live;

/** Number of CGAs of all levels in flight. */
static inline uint32_t cga_record_live(void)
{
	return part_is_here(GG_FEATURE_CLUSTERS) ? cga_records_live : 0;
}

/** Number of free records. */
static inline uint32_t cga_record_free(void)
{
	return CP_CGAS - cga_records_live;
}

/** Number of records that a top-level CGA takes. */
uint32_t cga_record_needs(const struct cga_shape *shape);

/** The records, by number. Written by the room cga. */
extern struct cga cga_records[CP_CGAS];

/** The record of a number below CP_CGAS. */
static inline struct cga *cga_record(uint32_t number)
{
	BITS_ASSERT(number < CP_CGAS);
	return &cga_records[number];
}

/** Take a free record. The caller has checked cga_record_free().
 * @param level   0 for an innermost CGA, which also gets a sequence number.
 * @param parent  Record of the CGA that it is a part of, or CGA_NONE.
 * @param ctas    Number of its CTAs, all of which run now.
 * @param slot    Slot of its task.
 * @return        Number of the record. */
uint32_t cga_record_open(uint32_t level, uint32_t parent, uint32_t ctas, uint32_t slot);

/** Give back the record of a CGA that has ended. */
void cga_record_close(uint32_t number);

/** Visit the innermost CGAs in a CGA of a higher level, one after the other.
 * @param root  Record of the CGA.
 * @param last  Record that was visited last; `root` at first.
 * @return      The next record; CGA_NONE after the last. */
uint32_t cga_record_next(uint32_t root, uint32_t last);

/** The record of the CGA of a level in which a CGA lies, or CGA_NONE. */
uint32_t cga_record_at(uint32_t number, uint32_t level);

/** The entry of a member in its SM's CLUSTER block. */
static inline struct gg_member *cga_member(struct cga_member_place place)
{
	BITS_ASSERT(place.sm < device.sms_count && place.unit < CP_UNITS);
	return (struct gg_member *)&device.clusters[place.sm]
		.members[place.unit * (sizeof(struct gg_member) / 4)];
}

/** The record of the innermost CGA of the member in a place; CGA_NONE when there is no member. */
uint32_t cga_member_record(struct cga_member_place place);

/** The place of the member of the next rank; after the last rank, that of rank 0. */
static inline struct cga_member_place cga_member_after(const struct gg_member *member)
{
	return (struct cga_member_place){ gg_get(member->next, GG_MEMBER_SM),
					  gg_get(member->next, GG_MEMBER_UNIT) };
}

/** The same for the member in a place. */
struct cga_member_place cga_member_next(struct cga_member_place place);

/** The sequence number that follows another. 0 is never used (S1-Q27). Sequence numbers have 31 bits, because SMs
 * also use their complements. */
static inline uint32_t cga_sequence_after(uint32_t sequence)
{
	return sequence == INT32_MAX ? 1 : sequence + 1;
}

#endif /* FIRMWARE_CP_CGA_CGA_RECORD_H */
