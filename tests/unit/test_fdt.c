/* SPDX-License-Identifier: Apache-2.0 */
/* Device trees: a good one, and a hundred thousand damaged ones that must not be believed or
 * read past their end (the sanitizer watches).
 * sources: hal/drivers/fdt.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hal/drivers/fdt.h"

#define BEGIN 1u
#define CLOSE 2u
#define PROP  3u
#define LAST  9u

static const char names[] =
	"#address-cells\0#size-cells\0device_type\0reg\0timebase-frequency\0status";
enum {
	ADDRESS_CELLS = 0,
	SIZE_CELLS = 15,
	DEVICE_TYPE = 27,
	REG = 39,
	TIMEBASE = 43,
	STATUS = 62
};

static uint8_t tree[4096];
static uint32_t at;

static void word(uint32_t value)
{
	for (int shift = 24; shift >= 0; shift -= 8) {
		tree[at++] = (uint8_t)(value >> shift);
	}
}

static void node(const char *name)
{
	word(BEGIN);
	memcpy(&tree[at], name, strlen(name) + 1);
	at = (at + (uint32_t)strlen(name) + 1 + 3) & ~3u;
}

static void text(uint32_t name, const char *value)
{
	word(PROP);
	word((uint32_t)strlen(value) + 1);
	word(name);
	memcpy(&tree[at], value, strlen(value) + 1);
	at = (at + (uint32_t)strlen(value) + 1 + 3) & ~3u;
}

static void cells(uint32_t name, uint32_t count, const uint32_t *values)
{
	word(PROP);
	word(count * 4);
	word(name);
	for (uint32_t index = 0; index < count; index++) {
		word(values[index]);
	}
}

static void cpu(uint32_t number, bool disabled)
{
	char name[16];

	(void)snprintf(name, sizeof(name), "cpu@%x", number);
	node(name);
	text(DEVICE_TYPE, "cpu");
	cells(REG, 1, &number);
	if (disabled) {
		text(STATUS, "disabled");
	}
	word(CLOSE);
}

/* 256 MiB at 0x80000000, five harts of which one is disabled, 10 MHz. */
static void structure(void)
{
	node("");
	cells(ADDRESS_CELLS, 1, (uint32_t[]){ 2 });
	cells(SIZE_CELLS, 1, (uint32_t[]){ 2 });
	node("memory@80000000");
	text(DEVICE_TYPE, "memory");
	cells(REG, 4, (uint32_t[]){ 0, 0x80000000u, 0, 0x10000000u });
	word(CLOSE);
	node("cpus");
	cells(ADDRESS_CELLS, 1, (uint32_t[]){ 1 });
	cells(SIZE_CELLS, 1, (uint32_t[]){ 0 });
	cells(TIMEBASE, 1, (uint32_t[]){ 10000000 });
	for (uint32_t number = 0; number < 5; number++) {
		cpu(number, number == 3);
	}
	word(CLOSE);
	word(CLOSE);
	word(LAST);
}

static uint32_t build(void)
{
	memset(tree, 0, sizeof(tree));
	at = 56;
	structure();

	const uint32_t structure_end = at;

	memcpy(&tree[at], names, sizeof(names));
	at += (uint32_t)sizeof(names);

	const uint32_t total = at;

	at = 0;
	word(0xd00dfeedu);
	word(total);
	word(56);
	word(structure_end);
	word(40);
	word(17);
	word(16);
	word(0);
	word((uint32_t)sizeof(names));
	word(structure_end - 56);
	return total;
}

/* S3-R12, S3-R49: the number of cores and the size of memory are found out at boot. */
static void a_good_tree_is_read(void **state)
{
	struct fdt_summary summary;
	const uint32_t total = build();

	(void)state;
	assert_true(fdt_summarize(tree, total, 0x80001000u, &summary));
	assert_int_equal(summary.ram_base, 0x80000000u);
	assert_int_equal(summary.ram_bytes, 0x10000000u);
	assert_int_equal(summary.harts, 4);
	assert_int_equal(summary.timebase_hz, 10000000);
	assert_false(fdt_summarize(tree, total, 0x10000000u, &summary));
}

/* Every truncation is refused. */
static void truncated_trees_are_refused(void **state)
{
	struct fdt_summary summary;
	const uint32_t total = build();

	(void)state;
	for (uint32_t limit = 0; limit < total; limit++) {
		uint8_t *exact = malloc(limit == 0 ? 1 : limit);

		assert_non_null(exact);
		memcpy(exact, tree, limit);
		assert_false(fdt_summarize(exact, limit, 0x80001000u, &summary));
		free(exact);
	}
}

/* Random damage is never read past the end; whatever is believed is sane. */
static void damaged_trees_are_harmless(void **state)
{
	(void)state;
	srand(11);
	for (uint32_t round = 0; round < 100000; round++) {
		struct fdt_summary summary;
		const uint32_t total = build();
		uint8_t *exact = malloc(total);

		assert_non_null(exact);
		memcpy(exact, tree, total);
		for (int count = rand() % 4 + 1; count > 0; count--) {
			exact[(uint32_t)rand() % total] = (uint8_t)rand();
		}
		if (fdt_summarize(exact, total, 0x80001000u, &summary)) {
			assert_true(summary.harts != 0 && summary.ram_bytes != 0);
		}
		free(exact);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_tree_is_read),
		cmocka_unit_test(truncated_trees_are_refused),
		cmocka_unit_test(damaged_trees_are_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
