/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Reaches for one address, of its own or of others, and copies from window to window. Compiled with -fno-loops, since
 * overruns of the stacks of threads are a part of it.
 */

/* Also in tests/system/isolation.py. */
enum deed {
	READ = 0,
	WRITE = 1,
	EXECUTE = 2,
	ATOMIC = 3,
};

kernel void reach(uint deed, uint64_t address, global uint *out)
{
	volatile uint *word = (volatile uint *)(uintptr_t)address;

	if (deed == READ) {
		out[0] = *word;
	} else if (deed == WRITE) {
		*word = 0x5eed;
	} else if (deed == EXECUTE) {
		((void (*)(void))(uintptr_t)address)();
	} else {
		atomic_inc(word);
	}
	out[1] = 1; /* it came through */
}

/* Own code and arguments, which are there to be read: returns their first words. */
kernel void own(global uint *out)
{
	out[0] = *(const volatile uint *)(uintptr_t)&own;
	out[1] = *(const volatile uint *)ganger_cta()->args;
	out[2] = *(const volatile uint *)((uintptr_t)ganger_cta() + sizeof(struct gg_cta));
}

kernel void copy(uint64_t from, uint64_t to, uint n)
{
	const uint i = (uint)get_global_id(0);

	if (i < n) {
		((uint *)(uintptr_t)to)[i] = ((const uint *)(uintptr_t)from)[i] + 1;
	}
}

/* A child with the pattern's windows, after the kernel has changed the first one's base. */
kernel void child(global const struct gg_tmd *pattern, global struct gg_tmd *tmd,
		  global struct gg_window *window, uint64_t base, global int *result)
{
	*tmd = *pattern;
	*window = *(const struct gg_window *)(uintptr_t)pattern->windows_lo;
	window->base_lo = (uint)base;
	window->base_hi = (uint)(base >> 32);
	tmd->windows_lo = (uint)(uintptr_t)window;
	tmd->window_count = 1;
	*result = ganger_launch(tmd);
}

/* Writes from this frame down, as a function with a frame of so many bytes would. */
__attribute__((noinline)) static void overrun(uint from, uint bytes)
{
	const uintptr_t top = (uintptr_t)__builtin_frame_address(0);

	for (uint below = from; below <= bytes; below += 4) {
		*(volatile uint *)(top - below) = 0x0bad57ac;
	}
}

/* Thread `thread` overruns its stack; the others count. No barrier: one stack for all. */
GANGER_STACK(1024);
kernel void deep(uint thread, uint bytes, global uint *count)
{
	if (get_local_linear_id() == thread) {
		overrun(128, bytes);
	}
	atomic_inc(count);
}

/* The same before a barrier, between barriers and after the last: where = 0, 1, 2. */
GANGER_STACK(1024);
kernel void deep_met(uint thread, uint bytes, global uint *count, uint where)
{
	for (uint step = 0; step < 3; step++) {
		if (get_local_linear_id() == thread && step == where) {
			overrun(128, bytes);
		}
		atomic_inc(&count[step]);
		if (step < 2) {
			barrier(CLK_LOCAL_MEM_FENCE);
		}
	}
}

/* Endless, each in its own way: a loop, yields, barriers, pushes into a full queue, prints. */
enum endless {
	LOOP = 0,
	YIELD = 1,
	MEET = 2,
	PUSH = 3,
	PRINT = 4,
	FLOATS = 5,
};

/* A call with up to four arguments. */
static void ask(uintptr_t number, uintptr_t first, uintptr_t second, uintptr_t third,
		uintptr_t fourth)
{
	register uintptr_t a0 __asm__("a0") = first;
	register uintptr_t a1 __asm__("a1") = second;
	register uintptr_t a2 __asm__("a2") = third;
	register uintptr_t a3 __asm__("a3") = fourth;
	register uintptr_t a7 __asm__("a7") = number;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a7) : "memory");
}

/* One turn of it. */
static void endless_turn(uint how, uintptr_t queue, uint generation, volatile float *sum)
{
	static const uint item;

	switch (how) {
	case YIELD:
		ask(GG_CALL_YIELD, 0, 0, 0, 0);
		break;
	case PUSH:
		ask(GG_CALL_QUEUE_PUSH, queue, generation, (uintptr_t)&item, 1);
		break;
	case PRINT:
		printf("again\n");
		break;
	case FLOATS:
		*sum = *sum * 1.5f + 1.0f;
		break;
	default:
		__asm__ volatile("");
	}
}

kernel void endless(uint how, uint64_t queue, uint generation)
{
	volatile float sum = 0;

	for (;;) {
		endless_turn(how, (uintptr_t)queue, generation, &sum);
	}
}

kernel void endless_met(void)
{
	for (;;) {
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}
