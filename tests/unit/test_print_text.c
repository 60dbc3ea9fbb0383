/* SPDX-License-Identifier: Apache-2.0 */
/* Text of kernels' prints: what is whole, and anything that is not.
 * sources: host/lib/core/print_text.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/kernel/print_record.h"
#include "host/lib/core/print_text.h"

#define RECORD_BYTES 4096u
#define ROUNDS       200000

/** A record in the making. */
struct maker {
	uint8_t bytes[RECORD_BYTES];
	uint32_t used;
};

static const char *the_format(void *what, uint64_t address, size_t most)
{
	assert_true(most > 0);
	return address == 0 ? NULL : what;
}

static void begin(struct maker *maker)
{
	const struct ganger_print_record head = { .bytes = GANGER_PRINT_HEADER, .format = 1 };

	memcpy(maker->bytes, &head, GANGER_PRINT_HEADER);
	maker->used = GANGER_PRINT_HEADER;
}

static void slot(struct maker *maker, uint32_t kind, const void *from, uint32_t bytes)
{
	const uint32_t head = kind | bytes << GANGER_PRINT_SHIFT;

	memcpy(maker->bytes + maker->used, &head, sizeof(head));
	memcpy(maker->bytes + maker->used + sizeof(head), from, bytes);
	maker->used += (uint32_t)sizeof(head) + (bytes + 3) / 4 * 4;
	memcpy(maker->bytes, &maker->used, sizeof(maker->used));
}

static void expect_text(const struct maker *maker, const char *format, const char *expected)
{
	/* Of exactly the size: the sanitizer sees a byte too many. */
	uint8_t *exact = malloc(maker->used);
	char *copy = strdup(format);
	struct text text = { 0 };

	memcpy(exact, maker->bytes, maker->used);
	print_text(&text, exact, maker->used, the_format, copy);
	assert_int_equal(text.bytes, strlen(expected));
	assert_memory_equal(text.at, expected, text.bytes);
	free(text.at);
	free(exact);
	free(copy);
}

static void numbers_and_strings(void **state)
{
	const int64_t minus = -7;
	const uint64_t plus = 0xffffffffu;
	const double half = 0.5;
	struct maker maker;

	(void)state;
	begin(&maker);
	slot(&maker, GANGER_PRINT_INTEGER, &minus, 8);
	slot(&maker, GANGER_PRINT_INTEGER, &plus, 8);
	slot(&maker, GANGER_PRINT_FLOAT, &half, 8);
	slot(&maker, GANGER_PRINT_STRING, "abc", 3);
	slot(&maker, GANGER_PRINT_POINTER, &plus, 8);
	expect_text(&maker, "%d %u %.2f %s %p%%", "-7 4294967295 0.50 abc 0xffffffff%");
	expect_text(&maker, "%3hhd|%hx|%08.3f|%.2s|%p", " -7|ffff|0000.500|ab|0xffffffff");
	expect_text(&maker, "%d %d %g %s %p %d", "-7 4294967295 0.5 abc 0xffffffff <cut>");
	expect_text(&maker, "%s", "<?>");
}

static void strings_without_a_character(void **state)
{
	struct maker maker;

	(void)state;
	begin(&maker);
	slot(&maker, GANGER_PRINT_STRING, "", 0);
	expect_text(&maker, "%s%3s", "<cut>"); /* The first is empty, and there is no second. */
	begin(&maker);
	slot(&maker, GANGER_PRINT_STRING, "abcd", 4); /* No zero behind it. */
	expect_text(&maker, "<%.0s%.s>", "<<cut>>");
	begin(&maker);
	slot(&maker, GANGER_PRINT_STRING, "abcd", 4);
	expect_text(&maker, "<%3.0s>", "<   >");
}

static void vectors(void **state)
{
	const int64_t four[] = { 1, -2, 300, 4 };
	const double two[] = { 1.5, -2.5 };
	struct maker maker;

	(void)state;
	begin(&maker);
	slot(&maker, GANGER_PRINT_INTEGER, four, sizeof(four));
	slot(&maker, GANGER_PRINT_FLOAT, two, sizeof(two));
	expect_text(&maker, "%v4hld;%v2hlf", "1,-2,300,4;1.500000,-2.500000");
	expect_text(&maker, "%v4hhx;%6.1v2f", "1,fe,2c,4;   1.5,  -2.5");
	expect_text(&maker, "%v8d", "1,-2,300,4,0,0,0,0");
}

static void records_follow_one_another(void **state)
{
	struct text text = { 0 };
	struct maker maker;
	uint8_t both[2 * GANGER_PRINT_HEADER + 5];

	(void)state;
	begin(&maker);
	memcpy(both, maker.bytes, GANGER_PRINT_HEADER);
	memcpy(both + GANGER_PRINT_HEADER, maker.bytes, GANGER_PRINT_HEADER);
	memset(both + sizeof(both) - 5, 0, 5);
	print_text(&text, both, sizeof(both), the_format, (char[]){ "x" });
	assert_int_equal(text.bytes, strlen("xx<5 bytes that are no print>"));
	assert_memory_equal(text.at, "xx<5 bytes that are no print>", text.bytes);
	free(text.at);
}

static uint32_t next_random(uint32_t *random)
{
	*random = *random * 1664525u + 1013904223u;
	return *random >> 8;
}

/* Anything may come: nothing is read outside, and the text is bounded. */
static void nonsense(void **state)
{
	static const char letters[] = "%%%%%dscfpvhlLx0123456789*.-+ #n\x80";
	uint32_t random = 12345;

	(void)state;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		const uint32_t bytes = 16 + next_random(&random) % 64;
		const uint32_t length = next_random(&random) % 24;
		uint8_t *records = malloc(bytes);
		char *format = malloc(length + 1);
		struct text text = { 0 };

		for (uint32_t i = 0; i < bytes; i++) {
			records[i] = (uint8_t)(next_random(&random) % 5);
		}
		memcpy(records, &bytes, sizeof(bytes));
		for (uint32_t i = 0; i < length; i++) {
			format[i] = letters[next_random(&random) % (sizeof(letters) - 1)];
		}
		format[length] = 0;
		print_text(&text, records, bytes, the_format, format);
		assert_true(text.bytes < 24 * 16 * 2100);
		free(text.at);
		free(format);
		free(records);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_and_strings),
		cmocka_unit_test(strings_without_a_character),
		cmocka_unit_test(vectors),
		cmocka_unit_test(records_follow_one_another),
		cmocka_unit_test(nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
