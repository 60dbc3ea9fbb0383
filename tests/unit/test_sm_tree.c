/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of the SMs against searches in the table of groups.
 * sources: scheduler tests/unit/cga_fixture.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/cp/base/bits.h"
#include "firmware/cp/host/config.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/sms/sm_tree.h"
#include "tests/unit/cga_fixture.h"
#include "tests/unit/fake_device.h"

#define MOST 200u

static uint32_t sms;

/* Groups of two SMs agree down to a kind. */
static bool together(enum gg_domain kind, uint32_t left, uint32_t right)
{
	return kind == GG_DOMAIN_GPU ||
	       (sm_state_gpc(left) == sm_state_gpc(right) &&
		(kind < GG_DOMAIN_CPC || sm_state_cpc(left) == sm_state_cpc(right)) &&
		(kind < GG_DOMAIN_TPC || sm_state_tpc(left) == sm_state_tpc(right)));
}

static bool holds(const struct sm_domain *domain, uint32_t rank)
{
	for (uint32_t part = 0; part < domain->parts_count; part++) {
		if (domain->parts[part].word == rank / 32) {
			return (domain->parts[part].ranks >> rank % 32 & 1u) != 0;
		}
	}
	return false;
}

static uint32_t number_of(enum gg_domain kind, uint32_t sm)
{
	const uint32_t numbers[] = { 0, sm_state_gpc(sm), sm_state_cpc(sm), sm_state_tpc(sm) };

	return numbers[kind];
}

/* The domain of an SM has all SMs of its group and no others. */
static void assert_domain(enum gg_domain kind, uint32_t sm)
{
	const uint32_t index = sm_tree_index(kind, sm_state_rank_of(sm));
	const struct sm_domain *domain = sm_tree_domain(kind, index);
	uint32_t count = 0;

	assert_in_range(index, 0, sm_tree_count(kind) - 1);
	assert_int_equal(domain->number, number_of(kind, sm));
	for (uint32_t other = 0; other < sms; other++) {
		const bool is = together(kind, sm, other);

		assert_int_equal(holds(domain, sm_state_rank_of(other)), is);
		count += is ? 1 : 0;
	}
	assert_int_equal(domain->sms, count);
	for (uint32_t part = 0; part < domain->parts_count; part++) {
		assert_int_not_equal(domain->parts[part].ranks, 0);
		assert_true(part == 0 || domain->parts[part].word > domain->parts[part - 1].word);
	}
}

/* Of each domain, those inside it are exactly the range. */
static void assert_inside(enum gg_domain kind, enum gg_domain inner)
{
	for (uint32_t rank = 0; rank < sms; rank++) {
		const uint32_t at = sm_tree_index(inner, rank);

		for (uint32_t index = 0; index < sm_tree_count(kind); index++) {
			const struct sm_tree_range range = sm_tree_inside(kind, index, inner);

			assert_int_equal(at >= range.first && at < range.first + range.count,
					 sm_tree_index(kind, rank) == index);
			assert_true(range.first >= index); /* cga_count.c builds on it */
		}
	}
}

static void assert_tree(void)
{
	for (uint32_t kind = 0; kind < SM_TREE_KINDS; kind++) {
		for (uint32_t sm = 0; sm < sms; sm++) {
			assert_domain((enum gg_domain)kind, sm);
		}
		for (uint32_t inner = kind; inner < SM_TREE_KINDS; inner++) {
			assert_inside((enum gg_domain)kind, (enum gg_domain)inner);
		}
	}
	assert_int_equal(sm_tree_count(GG_DOMAIN_GPU), 1);
}

/* S1-R2, S1-R4: any groups, of any sizes, with ranks in any order. */
static void any_groups(void **state)
{
	(void)state;
	srand(31);
	for (uint32_t round = 0; round < 40; round++) {
		const uint32_t gpcs = 1 + fixture_random(32), spread = 1 + fixture_random(256);

		sms = 1 + fixture_random(round % 4 == 0 ? MOST : 40);
		fixture_init(sms);
		for (uint32_t sm = 0; sm < sms; sm++) {
			fixture_group(sm, fixture_random(gpcs), fixture_random(spread) % 5,
				      fixture_random(spread));
		}
		fixture_grouped();
		fixture_ranks(sms, round % 2 == 0);
		assert_tree();
	}
}

/* S1-R2: at boot, eight GPCs or GPCs of four SMs, each of two CPCs; a TPC is an SM. */
static void groups_at_boot(void **state)
{
	(void)state;
	sms = 128;
	fixture_init(sms);
	assert_tree();
	assert_int_equal(sm_tree_count(GG_DOMAIN_GPC), 8);
	assert_int_equal(sm_tree_count(GG_DOMAIN_CPC), 16);
	assert_int_equal(sm_tree_count(GG_DOMAIN_TPC), 128);
	assert_int_equal(sm_tree_domain(GG_DOMAIN_GPC, 7)->parts_count, 1);
}

/* S1-R2, S1-R95: the host's groups and ranks reach the tree, whether they come together or not. */
static void configured(void **state)
{
	(void)state;
	sms = 6;
	fixture_init(sms);
	for (uint32_t sm = 0; sm < sms; sm++) {
		device.config->group[sm] = (sm % 2 + 5) | (sm % 3) << 8 | 9u << 16;
		device.config->rank[sm] = sms - 1 - sm;
	}
	assert_int_equal(config_apply(1u << GG_CONFIG_PART_GROUP).status, GG_OK);
	assert_tree();
	assert_int_equal(sm_tree_count(GG_DOMAIN_GPC), 2);
	assert_int_equal(sm_tree_domain(GG_DOMAIN_GPC, 1)->number, 6);
	assert_int_equal(sm_tree_domain(GG_DOMAIN_GPC, 0)->parts[0].ranks, 0x15);
	assert_int_equal(config_apply(1u << GG_CONFIG_PART_RANK).status, GG_OK);
	assert_tree(); /* even SMs now have odd ranks */
	assert_int_equal(sm_tree_domain(GG_DOMAIN_GPC, 0)->parts[0].ranks, 0x2a);
	assert_int_equal(sm_tree_count(GG_DOMAIN_CPC), 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_groups),
		cmocka_unit_test(groups_at_boot),
		cmocka_unit_test(configured),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
