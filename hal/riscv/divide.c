/* SPDX-License-Identifier: Apache-2.0 */
/* Division of 64-bit numbers on processors of 32 bits, which compilers call by these names. The compiler's library has
 * functions of ten times the size, which are faster only for numbers of more than 32 bits. */
#include <stdint.h>

#if __riscv_xlen == 32
uint64_t __udivdi3(uint64_t dividend, uint64_t divisor);
uint64_t __umoddi3(uint64_t dividend, uint64_t divisor);

struct result {
	uint64_t quotient;
	uint64_t rest;
};

/* The high word is divided by the processor, or is smaller than the divisor. If that leaves no rest, so is the low
 * word; else a loop finds the 32 bits of the quotient, the highest first. The divisor is not 0. */
static __attribute__((noinline)) struct result divide(uint64_t dividend, uint64_t divisor)
{
	const uint32_t high = (uint32_t)(dividend >> 32);
	const uint32_t small = (uint32_t)divisor;
	uint32_t low = (uint32_t)dividend;
	struct result result = { 0, high };

	if (divisor >> 32 == 0) {
		result.quotient = high / small;
		result.rest = high % small;
		if (result.rest == 0) {
			return (struct result){ result.quotient << 32 | low / small, low % small };
		}
	}
	for (uint32_t step = 0; step < 32; step++) {
		const uint32_t carry = (uint32_t)(result.rest >> 63);

		result.rest = result.rest << 1 | low >> 31;
		low <<= 1;
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
