/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that compilers call for divisions of 64-bit numbers on processors of 32 bits. */
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
