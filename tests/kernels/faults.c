/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What a kernel must not do. One work-item does it, all others count themselves.
 */
#include <stdlib.h>

/* Also in tests/system/test_faults.py. */
enum deed {
	STORE = 0,
	LOAD = 1,
	JUMP = 2,
	ILLEGAL = 3,
	BAD_CALL = 4,
	BREAKPOINT = 5,
	READ_CSR = 6,
	RETURN_FROM_TRAP = 7,
	ABORT = 8,
	WRITE_CODE = 9,
	WRITE_ARGUMENTS = 10,
	OVERFLOW = 11,
	AMO = 12,
	NOTHING = 13,
};

/* Writes from this frame down, as a function with a frame of so many bytes would. */
__attribute__((noinline)) static void overrun(uint bytes)
{
	const uintptr_t top = (uintptr_t)__builtin_frame_address(0);

	for (uint below = 128; below <= bytes; below += 4) {
		*(volatile uint *)(top - below) = 0x0bad57ac;
	}
}

static void jump(uintptr_t address)
{
	((void (*)(void))address)();
}

static void bad_call(uintptr_t number)
{
	register uintptr_t a7 __asm__("a7") = number;
	register uintptr_t a0 __asm__("a0") = 0;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a7) : "memory");
}

static void privileged(uint deed)
{
	uintptr_t value;

	if (deed == READ_CSR) {
		__asm__ volatile("csrr %0, mstatus" : "=r"(value));
	} else if (deed == RETURN_FROM_TRAP) {
		__asm__ volatile("mret");
	} else {
		__asm__ volatile(".word 0");
	}
}

static void write_arguments(void)
{
	*(volatile uint *)ganger_cta()->args = 0;
}

static void doing(uint deed, uintptr_t address)
{
	switch (deed) {
	case STORE:
		*(volatile uint *)address = 1;
		break;
	case LOAD:
		(void)*(volatile uint *)address;
		break;
	case AMO:
		atomic_inc((volatile uint *)address);
		break;
	case JUMP:
		jump(address);
		break;
	case BAD_CALL:
		bad_call(address);
		break;
	case BREAKPOINT:
		__asm__ volatile("ebreak");
		break;
	case ABORT:
		abort();
	case WRITE_CODE:
		*(volatile uint *)(uintptr_t)&doing = 0;
		break;
	case WRITE_ARGUMENTS:
		write_arguments();
		break;
	case OVERFLOW:
		overrun((uint)address);
		break;
	case NOTHING:
		break;
	default:
		privileged(deed);
	}
}

GANGER_STACK(2048);
kernel void fault(global uint *counts, uint deed, uint64_t address, uint cta, uint thread)
{
	if (ganger_cta_linear_id() == cta && get_local_linear_id() == thread) {
		doing(deed, (uintptr_t)address);
	}
	atomic_inc(&counts[ganger_cta_linear_id()]);
}

/* Waits for a word to become 0: whoever launched it has had the answer. */
GANGER_STACK(2048);
kernel void fault_answered(global int *answer, uint deed, uint64_t address, uint cta, uint thread)
{
	if (ganger_cta_linear_id() == cta && get_local_linear_id() == thread) {
		while (__atomic_load_n(answer, __ATOMIC_ACQUIRE) != 0) {
		}
		doing(deed, (uintptr_t)address);
	}
}

GANGER_STACK(2048);
kernel void fault_met(global uint *counts, uint deed, uint64_t address, uint cta, uint thread)
{
	barrier(CLK_LOCAL_MEM_FENCE);
	if (ganger_cta_linear_id() == cta && get_local_linear_id() == thread) {
		doing(deed, (uintptr_t)address);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_inc(&counts[ganger_cta_linear_id()]);
}
