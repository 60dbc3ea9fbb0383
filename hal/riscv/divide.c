/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that compilers call for divisions of 64-bit numbers on processors of 32 bits, and for products on those without
 * multiplication. */
#include "hal/riscv/divide.h"

#if __riscv_xlen == 32
uint64_t __udivdi3(uint64_t dividend, uint64_t divisor);
uint64_t __umoddi3(uint64_t dividend, uint64_t divisor);

/* One copy for both. */
static __attribute__((noinline)) struct division divide_once(uint64_t dividend, uint64_t divisor)
{
	return divide(dividend, divisor);
}

uint64_t __udivdi3(uint64_t dividend, uint64_t divisor)
{
	return divide_once(dividend, divisor).quotient;
}

uint64_t __umoddi3(uint64_t dividend, uint64_t divisor)
{
	return divide_once(dividend, divisor).rest;
}
#endif

#ifndef __riscv_mul
uint32_t __mulsi3(uint32_t left, uint32_t right);

uint32_t __mulsi3(uint32_t left, uint32_t right)
{
	return multiply(left, right);
}
#endif
