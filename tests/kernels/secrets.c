/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What is in the private memory of a kernel when it starts, and in the registers when it is entered. `leave` and `look`
 * are entered as they are, without the code that ganger-cc puts before a kernel: the tests write their addresses into
 * TMDs.
 */

#define SECRET 0x5ec2e7
#define WORDS  64u

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

#if __riscv_xlen == 64
#define STORE "sd"
#else
#define STORE "sw"
#endif

/* Ends with the secret in all registers, and with other rounding and flags than at first. */
__attribute__((naked, used)) void leave(void)
{
	__asm__ volatile("li t0, " TEXT(SECRET) "\n"
						".irp n, "
						"0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,"
						"20,21,22,23,24,25,26,27,28,29,30,31\n"
						"fmv.w.x f\\n, t0\n"
						".endr\n"
						"csrwi fcsr, 0x1f\n"
						"csrwi frm, 1\n"
						".irp n, "
						"1,2,3,4,6,7,8,9,11,12,13,14,15,16,18,19,20,21,22,"
						"23,24,25,26,27,28,29,30,31\n"
						"mv x\\n, t0\n"
						".endr\n"
						"li a0, 0\n"
						"li a7, " TEXT(GG_CALL_EXIT) "\n"
									     "ecall\n");
}

/* Stores all registers, and fcsr in the place of x0. Those that say where memory is, sp, tp and a0, are stored as 0. */
__attribute__((naked, used)) void look(void)
{
	__asm__ volatile(
		"addi sp, sp, -16\n" STORE " t0, 0(sp)\n"
#if __riscv_xlen == 64
		"ld t0, %0(a0)\n"
		"ld t0, 0(t0)\n"
#else
		"lw t0, %0(a0)\n"
		"lw t0, 0(t0)\n"
#endif
		".irp n, "
		"1,3,6,7,8,9,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n" STORE
		" x\\n, 8*\\n(t0)\n"
		".endr\n"
		".irp n, "
		"0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,"
		"30,31\n"
		"fsd f\\n, 256+8*\\n(t0)\n"
		".endr\n"
		"csrr t1, fcsr\n" STORE " t1, 0(t0)\n"
		"mv t1, t0\n"
#if __riscv_xlen == 64
		"ld t0, 0(sp)\n"
#else
		"lw t0, 0(sp)\n"
#endif
		STORE " t0, 40(t1)\n"
		"li a0, 0\n"
		"li a7, " TEXT(GG_CALL_EXIT) "\n"
					     "ecall\n"
		:
		: "i"(offsetof(struct gg_cta, args)));
}

/* Where they lie. Their argument is this kernel's. */
kernel void places(global uint64_t *saved)
{
	saved[0] = (uintptr_t)&leave;
	saved[1] = (uintptr_t)&look;
}

/* Each thread counts the words of its stack that hold the secret, then leaves it in all of them. Because of the barrier
 * each thread has a stack of its own. */
kernel void stack(global uint *found)
{
	uint hole[WORDS];
	uint count = 0;

	/* What lies there is read, although nothing was written. */
	__asm__ volatile("" : "=m"(hole));
	for (uint i = 0; i < WORDS; i++) {
		count += hole[i] == SECRET;
		hole[i] = SECRET;
	}
	/* It stays there, although nothing reads it. */
	__asm__ volatile("" : : "m"(hole));
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_add(found, count);
}
