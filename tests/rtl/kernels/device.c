/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Small loads for cores without A: no two threads write the same word.
 */

/* Also in tests/rtl/test_device_faults.py. */
enum deed {
	STORE = 0,
	LOAD = 1,
	JUMP = 2,
	ILLEGAL = 3,
	BAD_CALL = 4,
	OVERRUN = 5,
};

/* Writes from this frame down, as a function with a frame of so many bytes would. */
__attribute__((noinline)) static void overrun(uint bytes)
{
	const uintptr_t top = (uintptr_t)__builtin_frame_address(0);

	for (uint below = 128; below <= bytes; below += 4) {
		*(volatile uint *)(top - below) = 0x0bad57ac;
	}
}

static void bad_call(uintptr_t number)
{
	register uintptr_t a7 __asm__("a7") = number;
	register uintptr_t a0 __asm__("a0") = 0;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a7) : "memory");
}

static void doing(uint deed, uint address)
{
	switch (deed) {
	case STORE:
		*(volatile uint *)(uintptr_t)address = 1;
		break;
	case LOAD:
		(void)*(volatile uint *)(uintptr_t)address;
		break;
	case JUMP:
		((void (*)(void))(uintptr_t)address)();
		break;
	case BAD_CALL:
		bad_call(address);
		break;
	case OVERRUN:
		overrun(address);
		break;
	default:
		__asm__ volatile(".balign 4\n\t.word 0xffffffff" : : : "memory");
	}
}

/** Work-item `thread` of CTA `cta` does it; the others count their CTA, thread 0 for all. */
GANGER_STACK(1024);
kernel void fault(global uint *counts, uint deed, uint address, uint cta, uint thread)
{
	if (ganger_cta_linear_id() == cta && get_local_linear_id() == thread) {
		doing(deed, address);
	}
	if (get_local_linear_id() == 0) {
		counts[ganger_cta_linear_id()]++;
	}
}

/** Counts each CTA once. */
kernel void count(global uint *counts)
{
	if (get_local_linear_id() == 0) {
		counts[ganger_cta_linear_id()]++;
	}
}

/** Each CTA tells that it has started, and waits for the host's word. */
kernel void hold(global uint *started, volatile global uint *go)
{
	started[ganger_cta_linear_id()]++;
	while (*go == 0) {
	}
}

/** Never ends by itself, in CTA `cta` only; the others count. */
kernel void forever(global uint *counts, uint cta)
{
	if (ganger_cta_linear_id() == cta) {
		for (;;) {
			__asm__ volatile("");
		}
	}
	counts[ganger_cta_linear_id()]++;
}

/** Turns interrupts off in CTA `cta`, and never ends; the others count. Only machine mode may do that. */
kernel void hang(global uint *counts, uint cta)
{
	counts[ganger_cta_linear_id()]++;
	if (ganger_cta_linear_id() == cta) {
		__asm__ volatile("csrci mstatus, 8\n\tj ." ::: "memory");
	}
}

/** Adds each item of a queue of words to the word of its position. */
kernel void consume(global uint *out)
{
	for (uint i = 0; i < get_queue_items(); i++) {
		const uint *item = ganger_queue_item(i);

		out[get_queue_position() + i] += *item;
	}
}

/** Each CTA writes its own word again and again: when its turns on the SM begin and end shows. */
kernel void turns(volatile global uint *words, uint count)
{
	for (uint i = 0; i < count; i++) {
		words[ganger_cta_linear_id()] = i;
	}
}

kernel void blank(void)
{
}
