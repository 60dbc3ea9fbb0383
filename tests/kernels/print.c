/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Prints: every conversion, many threads, too much, and what is no print.
 */
#include <assert.h>

kernel void hello(uint n)
{
	if (get_global_id(0) < n) {
		printf("hello\n");
	}
}

kernel void conversions(int a, uint b, int64_t c, double d, global const char *text)
{
	printf("%d|%5d|%-5d|%05d|%+d|%i\n", a, a, a, a, a, a);
	printf("%u|%x|%#X|%o|%hhx|%hd\n", b, b, b, b, (unsigned char)b, (short)b);
	printf("%lld|%llx|%zu|%ld|%lu\n", (long long)c, (unsigned long long)c, sizeof(b), (long)a,
	       (unsigned long)b);
	printf("%f|%.3f|%10.2e|%g|%a\n", d, d, d, d, d);
	printf("%s|%.3s|%8s|%-8s|%c|%%|%p\n", text, text, "ab", "cd", 'x', (const void *)0);
	printf("%*d|%.*f|%-*d|\n", 6, a, 2, d, 4, a);
	printf("no argument, 100%%\n");
}

/* Each thread prints once: records do not mix. */
kernel void numbers(uint rounds)
{
	for (uint i = 0; i < rounds; i++) {
		printf("[%u %u %u]", (uint)get_group_id(0), (uint)get_local_id(0), i);
	}
}

kernel void numbers_met(uint rounds)
{
	for (uint i = 0; i < rounds; i++) {
		printf("[%u %u %u]", (uint)get_group_id(0), (uint)get_local_id(0), i);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}

/* Until the task ends it. */
kernel void flood(uint cta, uint thread)
{
	while (get_group_id(0) == cta && get_local_id(0) == thread) {
		printf("%u%s", cta, " flood ");
	}
}

/* A print that does not fit, and one after it that does; what they return. */
kernel void long_and_short(global const char *text, global int *results)
{
	results[0] = printf("%s", text);
	results[1] = printf("short");
}

/* A string that does not fit, and numbers after it that do not, either. */
kernel void long_one(global const char *text)
{
	printf("%d %s %d\n", 1, text, 2);
}

kernel void failing(uint number)
{
	assert(number == 7);
}

/* A print by hand, as from another language: a vector, and any format address. */
kernel void by_hand(uint64_t format)
{
	static const char vector[] = "%s %v4d %v2hlf.\n";
	const int64_t four[] = { 1, -2, 3, -4 };
	const double two[] = { 0.5, 1.5 };
	struct ganger_print_record record;

	ganger_print_begin(&record, format != 0 ? (const char *)(uintptr_t)format : vector);
	ganger_print_str(&record, "by hand");
	ganger_print_slot(&record, GANGER_PRINT_INTEGER, four, sizeof(four));
	ganger_print_slot(&record, GANGER_PRINT_FLOAT, two, sizeof(two));
	ganger_print_end(&record);
}

/* The call itself, with any arguments. */
kernel void raw(uint64_t address, uint bytes, global int *result)
{
	register uintptr_t a0 __asm__("a0") = (uintptr_t)address;
	register uintptr_t a1 __asm__("a1") = bytes;
	register uintptr_t a7 __asm__("a7") = GG_CALL_PRINT;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a7) : "memory");
	*result = (int)a0;
}

/* A child prints into the buffer of its oldest ancestor. */
kernel void parent(global const struct gg_tmd *pattern, global struct gg_tmd *tmd)
{
	printf("parent\n");
	*tmd = *pattern;
	ganger_launch(tmd);
}
