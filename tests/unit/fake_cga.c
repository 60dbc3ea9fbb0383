/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fake_cga.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/cga/cga_id.h"
#include "firmware/cp/cga/cga_record.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/wave/wave.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

struct gg_tmd fake_cga(enum gg_domain domain, uint32_t cgas, uint32_t ctas)
{
	struct gg_tmd tmd = fake_with_type(fake_own(fake_tmd(cgas * ctas)), GG_TASK_TYPE_CGA);

	tmd.cluster_xy = gg_put(GG_TMD_CLUSTER_X, ctas) | gg_put(GG_TMD_CLUSTER_Y, 1);
	tmd.cluster_z = gg_put(GG_TMD_CLUSTER_Z, 1) | gg_put(GG_TMD_CLUSTER_DOMAIN, domain);
	return tmd;
}

struct gg_tmd fake_cga_outer(struct gg_tmd tmd, enum gg_domain domain, uint32_t parts)
{
	uint32_t *word = tmd.outer == 0 ? &tmd.outer : &tmd.top;

	*word = gg_put(GG_TMD_OUTER_X, parts) | gg_put(GG_TMD_OUTER_Y, 1) |
		gg_put(GG_TMD_OUTER_Z, 1) | gg_put(GG_TMD_OUTER_DOMAIN, domain);
	tmd.grid_x *= parts;
	return tmd;
}

void fake_fill(void)
{
	const struct gg_tmd tmd = fake_tmd(device.sms_count * device.resources.ctas);

	fake_run(FAKE_PLAIN, &tmd);
	assert_int_equal(fake_take_all(), tmd.grid_x);
}

void fake_end_some(uint32_t tag, uint32_t sm, uint32_t ctas)
{
	for (uint32_t index = fake_cta_count; index-- > 0 && ctas > 0;) {
		if (fake_ctas[index].sm == sm && fake_tag(index) == tag) {
			fake_end(index, GG_OK);
			ctas--;
		}
	}
	assert_int_equal(ctas, 0);
	fake_settle(100);
}

void fake_free(uint32_t sm, uint32_t ctas)
{
	fake_end_some(FAKE_PLAIN, sm, ctas);
}

static struct cga_member_place place_of(uint32_t index)
{
	return (struct cga_member_place){ fake_ctas[index].sm,
					  bits_lowest(fake_ctas[index].start) };
}

struct gg_member *fake_member(uint32_t index)
{
	return cga_member(place_of(index));
}

uint32_t fake_at_position(uint32_t tag, uint64_t position)
{
	uint32_t index = 0;

	while (index < fake_cta_count &&
	       (fake_tag(index) != tag || fake_ctas[index].cta != position)) {
		index++;
	}
	assert_true(index < fake_cta_count);
	return index;
}

void fake_come(uint32_t tag, uint64_t position, uint32_t level)
{
	const struct fake_cta *cta = &fake_ctas[fake_at_position(tag, position)];

	device.clusters[cta->sm].come[level] ^= cta->start;
	fake_bell(cta->sm);
	fake_settle(100);
}

bool fake_waits(uint32_t tag, uint64_t position, uint32_t level)
{
	const struct fake_cta *cta = &fake_ctas[fake_at_position(tag, position)];
	const struct gg_cluster *words = &device.clusters[cta->sm];

	return ((words->come[level] ^ words->go[level]) & cta->start) != 0;
}

void fake_end_position(uint32_t tag, uint64_t position, enum gg_status status)
{
	fake_end(fake_at_position(tag, position), status);
	fake_settle(100);
}

static const struct cga_shape *shape_of(uint32_t index)
{
	return &task_table_holder(fake_ctas[index].slot)->rules.shape;
}

/* Each unit of an SM is free, or a CTA's, or kept for a CGA whose CTA there has ended. */
static void check_units(void)
{
	static uint32_t used[CP_SMS], ctas[CP_SMS];

	wave_settle(); /* else SM STATE shows what lent SMs had before */
	memset(used, 0, sizeof(used));
	memset(ctas, 0, sizeof(ctas));
	for (uint32_t index = 0; index < fake_cta_count; index++) {
		const struct fake_cta *cta = &fake_ctas[index];
		const uint32_t units = cta->start * bits_ones(cta->units);

		assert_int_equal(used[cta->sm] & units, 0);
		used[cta->sm] |= units;
		ctas[cta->sm]++;
	}
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		assert_int_equal(used[sm] & device.sms[sm].free_units, 0);
		if (wave_slots == 0) { /* else CTAs may have ended that the CP has not heard of */
			assert_int_equal(ctas[sm] + device.sms[sm].free_ctas,
					 device.resources.ctas);
		}
	}
}

static uint32_t domain_of(uint32_t sm, uint32_t kind)
{
	const uint32_t ids[] = { 0, sm_state_gpc(sm), sm_state_cpc(sm), sm_state_tpc(sm) };
	uint32_t domain = 0;

	for (uint32_t step = 1; step <= kind; step++) {
		domain = domain << 8 | ids[step];
	}
	return domain;
}

static uint64_t ids_used[CGA_ID_POOLS][CP_CGA_IDS]; /* sequence of the CGA, 0 for none */

static void check_id(const struct gg_member *member, const struct cga_shape *shape, uint32_t sm)
{
	const uint32_t pool = shape->domain[0] == GG_DOMAIN_GPU ? CGA_ID_DEVICE : sm_state_gpc(sm);
	uint64_t *user = &ids_used[pool][gg_get(member->cga, GG_MEMBER_ID)];

	assert_true(*user == 0 || *user == member->sequence);
	*user = member->sequence;
}

static uint32_t walked[CP_SMS][CP_UNITS]; /* sequence of the CGA whose circle leads there */

/* All members of its CGA, itself included, are in the circle, by rank (S1-R71, S1-R133). Each circle is walked
 * once. */
static void check_circle(uint32_t index)
{
	const struct cga_shape *shape = shape_of(index);
	const struct cga_member_place first = place_of(index);
	const struct gg_member head = *fake_member(index);
	const uint32_t rank = gg_get(head.rank, GG_MEMBER_RANK);
	struct cga_member_place at = first;
	uint32_t seen[CP_SM_WORDS] = { 0 };

	assert_int_equal(rank, fake_ctas[index].cta % shape->parts[0]);
	assert_int_equal(fake_ctas[index].cga,
			 GG_PACKET_CGA_VALID |
				 gg_put(GG_PACKET_CGA_ID, gg_get(head.cga, GG_MEMBER_ID)));
	if (walked[first.sm][first.unit] == head.sequence) {
		return;
	}
	for (uint32_t step = 0; step < shape->parts[0]; step++) {
		const struct gg_member *member = cga_member(at);

		assert_int_equal(member->sequence, head.sequence);
		assert_int_equal(member->cga, head.cga);
		assert_int_equal(gg_get(member->rank, GG_MEMBER_RANK),
				 (rank + step) % shape->parts[0]);
		if (gg_get(member->rank, GG_MEMBER_RANK) == 0) {
			assert_int_equal(at.sm, gg_get(head.rank, GG_MEMBER_HEAD_SM));
			assert_int_equal(at.unit, gg_get(head.cga, GG_MEMBER_HEAD_UNIT));
		}
		assert_int_equal(domain_of(at.sm, shape->domain[0]),
				 domain_of(first.sm, shape->domain[0]));
		assert_false(shape->spread && bits_has(seen, at.sm)); /* S1-R79 */
		bits_set(seen, at.sm);
		walked[at.sm][at.unit] = member->sequence;
		check_id(member, shape, at.sm);
		at = cga_member_next(at);
	}
	assert_true(at.sm == first.sm && at.unit == first.unit);
}

/* CGAs of each level lie in one domain. */
static void check_levels(uint32_t left, uint32_t right)
{
	const struct cga_shape *shape = shape_of(left);
	uint64_t ctas = 1;

	for (uint32_t level = 0; level < shape->levels; level++) {
		ctas *= shape->parts[level];
		if (fake_ctas[left].cta / ctas == fake_ctas[right].cta / ctas) {
			assert_int_equal(domain_of(fake_ctas[left].sm, shape->domain[level]),
					 domain_of(fake_ctas[right].sm, shape->domain[level]));
		}
	}
}

void fake_cga_check(void)
{
	uint32_t last[CP_SLOTS];

	memset(ids_used, 0, sizeof(ids_used));
	memset(walked, 0, sizeof(walked));
	memset(last, 0xff, sizeof(last));
	fake_take_all();
	check_units();
	for (uint32_t index = 0; index < fake_cta_count; index++) {
		const uint32_t slot = fake_ctas[index].slot;

		if (shape_of(index)->levels != 0) {
			check_circle(index);
			if (last[slot] != UINT32_MAX) {
				check_levels(index, last[slot]);
			}
			last[slot] = index;
		} else {
			assert_int_equal(fake_ctas[index].cga, 0);
		}
	}
}

void fake_cga_expect_none(void)
{
	assert_int_equal(cga_record_live(), 0);
	for (uint32_t pool = 0; pool < CGA_ID_POOLS; pool++) {
		assert_int_equal(cga_id_free(pool), cga_id_limit());
	}
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		const struct gg_cluster *words = &device.clusters[sm];

		assert_int_equal(device.sms[sm].free_units, bits_ones(device.resources.units));
		assert_int_equal(device.sms[sm].free_ctas, device.resources.ctas);
		assert_int_equal(device.sms[sm].free_warps, device.resources.warps);
		for (uint32_t level = 0; level < CP_CGA_LEVELS; level++) {
			assert_int_equal(words->come[level], words->go[level]);
		}
		for (uint32_t unit = 0; unit < CP_UNITS; unit++) {
			assert_int_equal(
				cga_member((struct cga_member_place){ sm, unit })->sequence, 0);
		}
	}
}
