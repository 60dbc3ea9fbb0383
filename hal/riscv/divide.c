/* SPDX-License-Identifier: Apache-2.0 */
/* Division of 64-bit numbers on processors of 32 bits, which compilers call by these names. The compiler's library has
 * functions that are several times as fast and ten times as large. The firmware divides only where it counts microseconds
 * or checks what a host has set, so size is what matters here. */
#include <stdint.h>

#if __riscv_xlen == 32
uint64_t __udivdi3(uint64_t dividend, uint64_t divisor);
uint64_t __umoddi3(uint64_t dividend, uint64_t divisor);

struct result {
	uint64_t quotient;
	uint64_t rest;
};

/* A bit of the quotient in each step, from the highest down. Division by 0 gives all ones, and the dividend as the rest,
 * as the instructions do. */
static __attribute__((noinline)) struct result divide(uint64_t dividend, uint64_t divisor)
{
	struct result result = { dividend, 0 };

	for (uint32_t step = 0; step < 64; step++) {
		const uint32_t carry = (uint32_t)(result.rest >> 63);

		result.rest = result.rest << 1 | result.quotient >> 63;
		result.quotient <<= 1;
		if (carry != 0 || result.rest >= divisor) {
			result.rest -= divisor;
			result.quotient |= 1;
		}
	}
	return result;
}

uint64_t __udivdi3(uint64_t dividend, uint64_t divisor)
{
	return divide(dividend, divisor).quotient;
}

uint64_t __umoddi3(uint64_t dividend, uint64_t divisor)
{
	return divide(dividend, divisor).rest;
}
#endif
