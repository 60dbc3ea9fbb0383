/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/tree_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "firmware/cp/base/device.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/sms/sm_tree.h"

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
	for (uint32_t other = 0; other < device.sms_count; other++) {
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
	for (uint32_t rank = 0; rank < device.sms_count; rank++) {
		const uint32_t at = sm_tree_index(inner, rank);

		for (uint32_t index = 0; index < sm_tree_count(kind); index++) {
			const struct sm_tree_range range = sm_tree_inside(kind, index, inner);

			assert_int_equal(at >= range.first && at < range.first + range.count,
					 sm_tree_index(kind, rank) == index);
			assert_true(range.first >= index); /* cga_count.c builds on it */
		}
	}
}

void tree_check(void)
{
	for (uint32_t kind = 0; kind < SM_TREE_KINDS; kind++) {
		for (uint32_t sm = 0; sm < device.sms_count; sm++) {
			assert_domain((enum gg_domain)kind, sm);
		}
		for (uint32_t inner = kind; inner < SM_TREE_KINDS; inner++) {
			assert_inside((enum gg_domain)kind, (enum gg_domain)inner);
		}
	}
	assert_int_equal(sm_tree_count(GG_DOMAIN_GPU), 1);
}
