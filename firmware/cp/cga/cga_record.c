/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/cga/cga_record.h"

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"

uint32_t cga_records_live;
uint16_t cga_of_wave[CP_SLOTS];

struct cga cga_records[CP_CGAS];
static uint32_t free_first; /* first of the free records, linked by `next`; if there is one */
static uint32_t sequence;   /* sequence number of the last innermost CGA */

_Static_assert(CP_CGAS < CGA_NONE, "numbers of records have 16 bits, and one stands for none");
_Static_assert(sizeof(device.clusters->members) >= CP_UNITS * sizeof(struct gg_member),
	       "a block has a member for each unit");

void cga_record_init(void)
{
	for (uint32_t number = 0; number < CP_CGAS; number++) {
		cga_records[number] = (struct cga){ .next = (uint16_t)(number + 1) };
	}
	free_first = 0;
	cga_records_live = 0;
	sequence = 0;
}

uint32_t cga_record_needs(const struct cga_shape *shape)
{
	uint32_t of_level = 1;
	uint32_t all = 1;

	for (uint32_t level = shape->levels - 1u; level > 0; level--) {
		of_level *= shape->parts[level];
		all += of_level;
	}
	return all;
}

static void link_to(struct cga *parent, struct cga *cga, uint32_t number)
{
	cga->next = parent->child;
	if (parent->child != CGA_NONE) {
		cga_records[parent->child].previous = (uint16_t)number;
	}
	parent->child = (uint16_t)number;
}

uint32_t cga_record_open(uint32_t level, uint32_t parent, uint32_t ctas, uint32_t slot)
{
	const uint32_t number = free_first;
	struct cga *cga = cga_record(number);

	free_first = cga->next;
	cga_records_live++;
	due_note(DUE_CGAS, true);
	*cga = (struct cga){
		.parent = (uint16_t)parent,
		.child = CGA_NONE,
		.next = CGA_NONE,
		.previous = CGA_NONE,
		.size = (uint16_t)ctas,
		.running = (uint16_t)ctas,
		.level = (uint8_t)level,
		.slot = (uint8_t)slot,
	};
	if (level == 0) {
		sequence = cga_sequence_after(sequence);
		cga->sequence = sequence;
	}
	if (parent != CGA_NONE) {
		link_to(&cga_records[parent], cga, number);
	}
	return number;
}

static void unlink_from(struct cga *parent, const struct cga *cga)
{
	if (cga->previous != CGA_NONE) {
		cga_records[cga->previous].next = cga->next;
	} else {
		parent->child = cga->next;
	}
	if (cga->next != CGA_NONE) {
		cga_records[cga->next].previous = cga->previous;
	}
}

void cga_record_close(uint32_t number)
{
	struct cga *cga = cga_record(number);

	BITS_ASSERT(cga->running == 0 && cga->child == CGA_NONE);
	if (cga->parent != CGA_NONE) {
		unlink_from(&cga_records[cga->parent], cga);
	}
	cga->sequence = 0; /* no member is of it any more */
	cga->next = (uint16_t)free_first;
	free_first = number;
	cga_records_live--;
	due_note(DUE_CGAS, cga_records_live != 0);
}

/* The next record of a tree, parents before children; CGA_NONE after the last. */
static uint32_t next_in_tree(uint32_t root, uint32_t number)
{
	if (cga_records[number].child != CGA_NONE) {
		return cga_records[number].child;
	}
	while (number != root && cga_records[number].next == CGA_NONE) {
		number = cga_records[number].parent;
	}
	return number == root ? CGA_NONE : cga_records[number].next;
}

uint32_t cga_record_next(uint32_t root, uint32_t last)
{
	uint32_t number = next_in_tree(root, last);

	while (number != CGA_NONE && cga_records[number].level != 0) {
		number = next_in_tree(root, number);
	}
	return number;
}

uint32_t cga_record_at(uint32_t number, uint32_t level)
{
	while (number != CGA_NONE && cga_records[number].level != level) {
		number = cga_records[number].parent;
	}
	return number;
}

uint32_t cga_member_record(struct cga_member_place place)
{
	const struct gg_member *member = cga_member(place);
	const uint32_t number = gg_get(member->cga, GG_MEMBER_RECORD);

	return member->sequence != 0 && number < CP_CGAS &&
			       cga_records[number].sequence == member->sequence
		       ? number
		       : CGA_NONE;
}

struct cga_member_place cga_member_next(struct cga_member_place place)
{
	return cga_member_after(cga_member(place));
}
