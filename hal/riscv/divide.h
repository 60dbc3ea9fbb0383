/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Division of 64-bit numbers by 32-bit steps, for processors of 32 bits. The compiler's library has functions of ten
 * times the size, which are faster only for numbers of more than 32 bits. And products, for those without multiplication.
 */
#ifndef HAL_RISCV_DIVIDE_H
#define HAL_RISCV_DIVIDE_H

#include <stdint.h>

/** What a division gives. */
struct division {
	uint64_t quotient; /**< The quotient, rounded down. */
	uint64_t rest;     /**< Less than the divisor. */
};

/** Divide. The high word is divided by the processor, or is smaller than the divisor. If that leaves no rest, so is the
 * low word; else a loop finds the 32 bits of the quotient, the highest first.
 * @param divisor  Not 0. */
static inline struct division divide(uint64_t dividend, uint64_t divisor)
{
	const uint32_t high = (uint32_t)(dividend >> 32);
	const uint32_t small = (uint32_t)divisor;
	uint32_t low = (uint32_t)dividend;
	struct division result = { 0, high };

	if (divisor >> 32 == 0) {
		result.quotient = high / small;
		result.rest = high % small;
		if (result.rest == 0) {
			return (struct division){ result.quotient << 32 | low / small,
						  low % small };
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

/** Multiply, modulo 2^32, in a step for each bit of the smaller factor: it is a number of a unit or an SM as often as not, and
 * the compiler's library goes through that of the second one. */
static inline uint32_t multiply(uint32_t left, uint32_t right)
{
	uint32_t few = left < right ? left : right;
	uint32_t many = left ^ right ^ few;
	uint32_t product = 0;

	do {
		if ((few & 1u) != 0) {
			product += many;
		}
		many <<= 1;
		few >>= 1;
	} while (few != 0);
	return product;
}

#endif /* HAL_RISCV_DIVIDE_H */
