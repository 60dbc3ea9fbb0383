/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/graph_storm_kept.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "firmware/cp/graph/graph_kept.h"

static struct {
	uint32_t handle;
	struct made made;
} kept[GRAPH_KEPT];
static uint32_t count;

void kept_begin(void)
{
	count = 0;
}

void kept_add(uint32_t handle, const struct made *made)
{
	assert_true(count < GRAPH_KEPT);
	assert_int_not_equal(handle, 0);
	kept[count].handle = handle;
	kept[count++].made = *made;
}

uint32_t kept_any(struct made *made)
{
	if (count == 0) {
		return 0;
	}
	const uint32_t which = (uint32_t)rand() % count;

	*made = kept[which].made;
	return kept[which].handle;
}

uint32_t kept_forget(void)
{
	if (count == 0 || rand() % 8 == 0) {
		return (uint32_t)rand();
	}
	const uint32_t which = (uint32_t)rand() % count;
	const uint32_t handle = kept[which].handle;

	kept[which] = kept[--count];
	return handle;
}

void kept_free_all(void)
{
	while (count != 0) {
		assert_int_equal(graph_kept_free(kept[--count].handle).status, GG_OK);
	}
}
