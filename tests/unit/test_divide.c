/* SPDX-License-Identifier: Apache-2.0 */
/* What processors do that have no instructions for it, against this machine's own: divisions of 64-bit numbers, products, and the
 * lowest bit of a word.
 * sources: */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "firmware/cp/base/bits.h"
#include "hal/riscv/divide.h"

static uint64_t state = 88172645463325252u;

/* A number of any length. */
static uint64_t any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1du >> (state >> 58);
}

static void check(uint64_t dividend, uint64_t divisor)
{
	const struct division division = divide(dividend, divisor);

	assert_int_equal(division.quotient, dividend / divisor);
	assert_int_equal(division.rest, dividend % divisor);
}

/* Numbers of all lengths, and multiples, whose high word leaves no rest. */
static void divides_as_this_machine_does(void **unused)
{
	(void)unused;
	for (uint32_t round = 0; round < 1000000; round++) {
		const uint64_t divisor = any() | 1;

		check(any(), divisor);
		check(divisor * (any() >> 40), divisor);
	}
	check(UINT64_MAX, 1);
	check(UINT64_MAX, UINT64_MAX);
	check(UINT64_MAX - 1, UINT64_MAX);
	check(0, UINT64_MAX);
	check((uint64_t)UINT32_MAX << 32, UINT32_MAX);
}

static void multiplies_as_this_machine_does(void **unused)
{
	(void)unused;
	for (uint32_t round = 0; round < 1000000; round++) {
		const uint32_t left = (uint32_t)any();
		const uint32_t right = (uint32_t)any();

		assert_int_equal(multiply(left, right), left * right);
	}
	assert_int_equal(multiply(0, UINT32_MAX), 0);
	assert_int_equal(multiply(UINT32_MAX, UINT32_MAX), 1);
	assert_int_equal(multiply(UINT32_MAX, 0), 0);
}

static void steps_find_the_lowest_bit(void **unused)
{
	(void)unused;
	for (uint32_t bit = 0; bit < 32; bit++) {
		assert_int_equal(bits_lowest_by_steps(1u << bit), bit);
		assert_int_equal(bits_lowest_by_steps((uint32_t)any() << bit | 1u << bit), bit);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(divides_as_this_machine_does),
		cmocka_unit_test(multiplies_as_this_machine_does),
		cmocka_unit_test(steps_find_the_lowest_bit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
