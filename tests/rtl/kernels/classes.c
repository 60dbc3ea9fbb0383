/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Loops from which tests/bench/cycle_costs.py tells what a core needs for each kind of instruction: a turn of the loop `name` has
 * 32 times what is in question, and two instructions more.
 */
#define LOOP(name, text)                                                              \
	kernel void name(uint n, global uint *word)                                   \
	{                                                                             \
		__asm__ volatile(".balign 4\n1:\n\t.rept 32\n\t" text "\n\t.endr\n\t" \
				 "addi %0, %0, -1\n\tbnez %0, 1b"                     \
				 : "+r"(n)                                            \
				 : "r"(word)                                          \
				 : "t0", "t1", "t2", "t3", "memory");                 \
	}

LOOP(turn, "")
LOOP(alu, "xor t0, t1, t2")
LOOP(alu_chain, "xor t0, t0, t2")
LOOP(shift, "slli t0, t1, 13")
LOOP(load, "lw t0, 0(%1)")
LOOP(load_use, "lw t0, 0(%1)\n\txor t1, t0, t2")
LOOP(store, "sw t0, 0(%1)")
LOOP(branch, "bne x0, x0, 2f\n\t2:")
LOOP(taken, "beq x0, x0, 2f\n\txor t0, t1, t2\n\t2:")
LOOP(jump, "j 2f\n\t2:")
LOOP(address, "la t0, 2f\n\t2:")
LOOP(jump_register, "la t0, 2f\n\tjr t0\n\t2:")
#ifdef __riscv_mul
LOOP(multiply, "mul t0, t1, t2")
LOOP(multiply_high, "mulhu t0, t1, t2")
LOOP(divide, "divu t0, %1, %0")
#endif
