/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fake_members.h"

#include <stddef.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/sm/bell.h"
#include "firmware/sm/cga/cga.h"
#include "firmware/sm/schedule.h"
#include "firmware/sm/units.h"
#include "hal/ipi.h"

#define PRIVATE_SHARE 1024u /* private memory of a unit */

struct members members;

/* The capability block, and behind it the CLUSTER blocks. */
static struct device {
	struct gg_cap cap;
	struct gg_cluster blocks[MEMBERS_SMS];
	struct gg_perf perf;
} device;

void members_init(uint32_t count, uint32_t units, uint32_t shared_bytes)
{
	memset(&members, 0, sizeof(members));
	memset(&device, 0, sizeof(device));
	device.cap.sms = MEMBERS_SMS;
	device.cap.sm_units = SM_UNITS_MAX;
	device.cap.cluster_offset = offsetof(struct device, blocks);
	device.cap.perf_offset = offsetof(struct device, perf);
	device.cap.cluster_stride = sizeof(struct gg_cluster);
	members.count = count;
	members.tmd.cluster_xy = gg_put(GG_TMD_CLUSTER_X, count) | gg_put(GG_TMD_CLUSTER_Y, 1);
	members.tmd.cluster_z = 1;
	members.tmd.shared_bytes = shared_bytes;
	for (uint32_t number = 0; number < MEMBERS_SMS; number++) {
		struct sm *sm = &members.sm[number];

		sm->boot.sm = number;
		sm->cap = &device.cap;
		sm->members = &device.blocks[number];
		sm->unit_bytes = MEMBERS_UNIT;
		sm->private_share = PRIVATE_SHARE;
		sm->units = MEMBERS_UNITS + (uintptr_t)number * SM_UNITS_MAX * MEMBERS_UNIT;
		sm->tasks[0].tmd = &members.tmd;
		sm->tasks[0].primed = 1;
		sm->tasks[0].guard = 1;
		sm->protection = (struct protection_limits){ .entries = 16, .grain = 4 };
		for (uint32_t unit = 0; unit < SM_UNITS_MAX; unit++) {
			sm->ctas[unit].task = &sm->tasks[0];
			sm->ctas[unit].unit = (uint8_t)unit;
			sm->ctas[unit].base = sm->units + (uintptr_t)unit * MEMBERS_UNIT;
			sm->ctas[unit].units = (uint8_t)units;
		}
	}
}

struct gg_cluster *members_block(uint32_t sm)
{
	return &device.blocks[sm];
}

struct gg_member *members_entry(uint32_t sm, uint32_t unit)
{
	return (struct gg_member *)&device.blocks[sm].members[4 * unit];
}

void members_arrive(uint32_t rank, uint32_t sm, uint32_t unit, uint32_t sequence)
{
	struct gg_member *entry = members_entry(sm, unit);

	members.place[rank] = gg_put(GG_MEMBER_SM, sm) | gg_put(GG_MEMBER_UNIT, unit);
	entry->sequence = sequence;
	entry->rank = rank;
	members.sm[sm].ctas[unit].state = SM_CTA_WAITING;
	cga_join(&members.sm[sm], &members.sm[sm].ctas[unit]);
}

void members_put(uint32_t rank, uint32_t sm, uint32_t unit, uint32_t sequence)
{
	members_arrive(rank, sm, unit, sequence);
	members.sm[sm].ctas[unit].state = SM_CTA_STARTED;
	cga_begin(&members.sm[sm], &members.sm[sm].ctas[unit]);
}

void members_link(void)
{
	for (uint32_t rank = 0; rank < members.count; rank++) {
		const uint32_t place = members.place[rank];
		struct gg_member *entry =
			members_entry(gg_get(place, GG_MEMBER_SM), gg_get(place, GG_MEMBER_UNIT));

		entry->next = members.place[(rank + 1) % members.count];
	}
}

void members_line_up(uint32_t count, uint32_t shared_bytes)
{
	members_init(count, 1, shared_bytes);
	for (uint32_t rank = 0; rank < count; rank++) {
		members_put(rank, rank / 8, rank % 8, 7);
	}
	members_link();
}

void members_count(uint32_t count)
{
	device.blocks[0].barriers[0] = GG_CLUSTER_COUNTED | gg_put(GG_CLUSTER_RUNNING, count) |
				       gg_put(GG_CLUSTER_MISSING, count);
}

uint32_t members_barriers(void)
{
	return device.perf.cga_barriers;
}

struct sm *members_sm(uint32_t rank)
{
	return &members.sm[gg_get(members.place[rank], GG_MEMBER_SM)];
}

struct sm_cta *members_cta(uint32_t rank)
{
	return &members_sm(rank)->ctas[gg_get(members.place[rank], GG_MEMBER_UNIT)];
}

uintptr_t members_shared(uint32_t rank)
{
	return units_shared(members_sm(rank), members_cta(rank));
}

/* ---- the rest of the runtime ---- */

void schedule_block(struct sm *sm, struct sm_cta *cta, enum sm_cta_state state)
{
	cta->state = (uint8_t)state;
	cta->blocked = sm->now;
}

void schedule_go_on(struct sm *sm, struct sm_cta *cta)
{
	cta->state = SM_CTA_STARTED;
	cta->used += sm->now - cta->blocked;
}

void schedule_yield(struct sm *sm)
{
	(void)sm;
	members.yields++;
}

void bell_note(struct sm *sm)
{
	(void)sm;
	members.bells++;
}

void ipi_send(uint32_t hart)
{
	members.calls[hart - 1]++;
}

void protection_load(const struct protection_table *table, uintptr_t base, uintptr_t bytes)
{
	members.loads++;
	members.entries = table->entries;
	members.base = base;
	members.bytes = bytes;
}

void protection_move(const struct protection_table *table, uintptr_t base, uintptr_t bytes)
{
	(void)table;
	members.moves++;
	members.base = base;
	members.bytes = bytes;
}
