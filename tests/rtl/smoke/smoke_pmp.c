/* SPDX-License-Identifier: Apache-2.0 */
/* PMP and U-mode (has: pmp): what U-mode may reach and what not, and that machine mode is not bound. */
#include "smoke.h"

#define PMP_R     1u
#define PMP_W     2u
#define PMP_X     4u
#define PMP_NAPOT 0x18u

static uint32_t window[16] __attribute__((aligned(64)));
static uint32_t fence[16] __attribute__((aligned(64)));

/* Run one load, store or jump in U-mode. It traps sooner or later; the handler comes back here. */
static void in_user_mode(uint32_t *address, uint32_t what)
{
	__asm__ volatile("la t0, 4f\n\t"
			 "sw t0, %0\n\t"
			 "la t0, 1f\n\t"
			 "csrw mepc, t0\n\t"
			 "li t0, 0x1800\n\t"
			 "csrc mstatus, t0\n\t"
			 "mret\n"
			 "1:\tbeqz %2, 2f\n\t"
			 "addi t0, %2, -1\n\t"
			 "beqz t0, 3f\n\t"
			 "jr %1\n"
			 "2:\tlw t0, 0(%1)\n\t"
			 "ecall\n"
			 "3:\tsw t0, 0(%1)\n\t"
			 "ecall\n"
			 ".balign 4\n"
			 "4:"
			 : "=m"(traps[0].resume)
			 : "r"(address), "r"(what)
			 : "t0", "memory");
}

static void expect(uint32_t *address, uint32_t what, uint32_t cause, uint32_t line)
{
	in_user_mode(address, what);
	if (traps[0].cause != cause) {
		fail(line);
	}
}

void smoke(uint32_t hart)
{
	if (hart != 0) {
		return;
	}
	/* 0: the window, read and write. 1: all of the first 64 KiB of RAM, execute only. */
	csr_write(pmpaddr0, (uintptr_t)window >> 2 | 7);
	csr_write(pmpaddr1, 0x80000000u >> 2 | 0x1fff);
	csr_write(pmpcfg0, (PMP_NAPOT | PMP_X) << 8 | PMP_NAPOT | PMP_R | PMP_W);
	CHECK(csr_read(pmpaddr0) == ((uintptr_t)window >> 2 | 7));
	expect(window, 0, 8, __LINE__);
	expect(window + 15, 1, 8, __LINE__);
	expect(fence, 0, 5, __LINE__);
	expect(window + 16, 1, 7, __LINE__);
	expect(window, 2, 1, __LINE__);
	expect((uint32_t *)0xd0000004u, 0, 5, __LINE__);
	fence[0] = 1; /* machine mode may */
	CHECK(fence[0] == 1);
}
