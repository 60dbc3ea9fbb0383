/* SPDX-License-Identifier: Apache-2.0 */
/* The division of 64-bit numbers that processors of 32 bits use, against this machine's own.
 * sources: */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

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

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(divides_as_this_machine_does) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
