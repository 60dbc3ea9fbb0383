/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a TMD that a host writes for a grid of CGAs, and what it refuses before it sends it.
 * sources: host/lib/work/cluster.c host/lib/core/failure.c host/lib/core/names.c host/lib/api/device/error.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "host/lib/work/cluster.h"

#define WORDS 12u

/* Each word of the caller's, the most that its bits hold, and its field. */
static const struct {
	size_t offset;
	uint32_t most;
	uint32_t field;
} words[WORDS] = {
	{ offsetof(struct gg_work, cluster[0]), 65535, GG_FIELD_TMD_CLUSTER_X },
	{ offsetof(struct gg_work, cluster[1]), 65535, GG_FIELD_TMD_CLUSTER_Y },
	{ offsetof(struct gg_work, cluster[2]), 65535, GG_FIELD_TMD_CLUSTER_Z },
	{ offsetof(struct gg_work, cluster_domain), 3, GG_FIELD_TMD_CLUSTER_DOMAIN },
	{ offsetof(struct gg_work, outer[0]), 1023, GG_FIELD_TMD_OUTER_X },
	{ offsetof(struct gg_work, outer[1]), 1023, GG_FIELD_TMD_OUTER_Y },
	{ offsetof(struct gg_work, outer[2]), 1023, GG_FIELD_TMD_OUTER_Z },
	{ offsetof(struct gg_work, outer_domain), 3, GG_FIELD_TMD_OUTER_DOMAIN },
	{ offsetof(struct gg_work, top[0]), 1023, GG_FIELD_TMD_TOP_X },
	{ offsetof(struct gg_work, top[1]), 1023, GG_FIELD_TMD_TOP_Y },
	{ offsetof(struct gg_work, top[2]), 1023, GG_FIELD_TMD_TOP_Z },
	{ offsetof(struct gg_work, top_domain), 3, GG_FIELD_TMD_TOP_DOMAIN },
};

static struct gg_work work_of(uint32_t type, uint32_t cluster, uint32_t outer)
{
	struct gg_work work = { .type = type };

	for (uint32_t axis = 0; axis < 3; axis++) {
		work.cluster[axis] = cluster;
		work.outer[axis] = outer;
	}
	return work;
}

static void set(struct gg_work *work, size_t offset, uint32_t value)
{
	memcpy((uint8_t *)work + offset, &value, sizeof(value));
}

static void expect_refused(const struct gg_work *work, uint32_t field, uint32_t value)
{
	struct gg_failure failure;

	assert_int_equal(cluster_check(work), GG_ERR_CLUSTER);
	assert_int_equal(gg_error_last(&failure), GG_OK);
	assert_int_equal(failure.status, GG_ERR_CLUSTER);
	assert_int_equal(failure.field, field);
	assert_int_equal(failure.value, value);
}

/* S1-R35, S1-R37: a grid that names clusters is one of GPC_CGAs, or of GPU_CGAs of them; all other types stay what the caller
 * says. */
static void types(void **state)
{
	struct gg_work work = work_of(GG_TASK_TYPE_GRID, 0, 0);

	(void)state;
	assert_int_equal(cluster_type(&work), GG_TASK_TYPE_GRID);
	work.cluster[2] = 1;
	assert_int_equal(cluster_type(&work), GG_TASK_TYPE_GPC_CGA);
	work.outer[1] = 1;
	assert_int_equal(cluster_type(&work), GG_TASK_TYPE_GPU_GPC_CGA);
	for (uint32_t type = GG_TASK_TYPE_QUEUE; type <= GG_TASK_TYPE_CGA; type++) {
		work = work_of(type, 2, 2);
		assert_int_equal(cluster_type(&work), type);
	}
}

/* S1-R35, S1-R36: the most that each word holds is taken, one more is refused with its field and value. */
static void bounds(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < WORDS; i++) {
		struct gg_work work = work_of(GG_TASK_TYPE_CGA, 1, 1);

		set(&work, words[i].offset, words[i].most);
		assert_int_equal(cluster_check(&work), GG_OK);
		set(&work, words[i].offset, words[i].most + 1);
		expect_refused(&work, words[i].field, words[i].most + 1);
		set(&work, words[i].offset, UINT32_MAX);
		expect_refused(&work, words[i].field, UINT32_MAX);
	}
}

/* S1-R37: what has no grid has no CGAs: every word that is not 0 is refused. */
static void plain_tasks(void **state)
{
	static const uint32_t plain[] = { GG_TASK_TYPE_QUEUE, GG_TASK_TYPE_GRID_NULL };

	(void)state;
	for (uint32_t i = 0; i < 2 * WORDS; i++) {
		struct gg_work work = work_of(plain[i % 2], 0, 0);

		assert_int_equal(cluster_check(&work), GG_OK);
		set(&work, words[i / 2].offset, 1);
		expect_refused(&work, words[i / 2].field, 1);
	}
}

/* S1-R36: each number is in the bits that the ABI gives it, and in no others. */
static void fields(void **state)
{
	struct gg_work work = { 0 };
	struct gg_tmd tmd;

	(void)state;
	for (uint32_t i = 0; i < WORDS; i++) {
		set(&work, words[i].offset, words[i].most);
		memset(&tmd, 0, sizeof(tmd));
		cluster_fill(&tmd, &work);
		/* A field id is: block, low bit, offset of the word. */
		assert_int_equal(((const uint32_t *)&tmd)[(words[i].field & 0xffffu) / 4],
				 words[i].most << (words[i].field >> 16 & 0xffu));
		set(&work, words[i].offset, 0);
		tmd.cluster_xy = tmd.cluster_z = tmd.outer = tmd.top = 0;
		for (uint32_t word = 0; word < sizeof(tmd) / 4; word++)
			assert_int_equal(((const uint32_t *)&tmd)[word], 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types),
		cmocka_unit_test(bounds),
		cmocka_unit_test(plain_tasks),
		cmocka_unit_test(fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
