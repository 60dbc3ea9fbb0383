/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * OpenCL C's printf: every conversion, vectors of every type and size, what it returns.
 */
constant char named[] = "[%u]";

kernel void scalars(global int *result, char c, uint u, long l, float f, double d, char large)
{
	result[0] = printf("%d|%5d|%-5d|%05d|%+d|%i|%.3d\n", c, c, c, c, c, c, c);
	result[1] = printf("%u|%x|%#X|%o|%hhu|%hd|%hu\n", u, u, u, u, (uchar)u,
			   (short)u, (ushort)u);
	result[2] = printf("%ld|%lu|%lx|%10ld|\n", l, l, l, l);
	result[3] = printf("%f|%.3f|%10.2e|%g|%a|%F|%E|%G\n", f, f, f, f, f, f, f, f);
	result[4] = printf("%f|%.3f|%10.2e|%g|%a\n", d, d, d, d, d);
	result[5] = printf("%s|%.3s|%8s|%-8s|%c|%%|%p|%p\n", "text of mine", "text", "ab",
			   large ? "large" : "small", 'x', result, (local int *)0);
	result[6] = printf("%*d|%.*f|100%%\n", 6, c, 2, f);
	result[7] = printf("none\n");
	result[8] = printf("");
	result[9] = printf("%s|%d %c%%\n", (constant char *)0, u > 5, 'y');
}

#define INTEGERS(T, length, N)                                                        \
	{                                                                             \
		T##N v = vload##N(0, (global T *)from), w = vload##N(1, (global T *)from); \
		bad |= printf("%v" #N length "d\n", v);                               \
		bad |= printf("%d %v" #N length "i %c\n", 1, w, '.');                 \
	}
#define UNSIGNED(T, length, N)                                                        \
	{                                                                             \
		T##N v = vload##N(0, (global T *)from);                               \
		bad |= printf("%v" #N length "u\n", v);                               \
		bad |= printf("%#v" #N length "x\n", v);                              \
	}
#define REALS(T, length, N)                                                           \
	{                                                                             \
		T##N v = vload##N(0, (global T *)from);                               \
		bad |= printf("%v" #N length "a\n", v);                               \
		bad |= printf("%d %.2v" #N length "f %g\n", -1, v, 0.5);              \
	}
#define KERNEL(name, M, T, length)                                                    \
	kernel void name(global int *result, global const void *from)                 \
	{                                                                             \
		int bad = 0;                                                          \
		M(T, length, 2) M(T, length, 3) M(T, length, 4)                       \
		M(T, length, 8) M(T, length, 16)                                      \
		*result = bad;                                                        \
	}
KERNEL(vectors_char, INTEGERS, char, "hh")
KERNEL(vectors_uchar, UNSIGNED, uchar, "hh")
KERNEL(vectors_short, INTEGERS, short, "h")
KERNEL(vectors_ushort, UNSIGNED, ushort, "h")
KERNEL(vectors_int, INTEGERS, int, "hl")
KERNEL(vectors_uint, UNSIGNED, uint, "hl")
KERNEL(vectors_long, INTEGERS, long, "l")
KERNEL(vectors_ulong, UNSIGNED, ulong, "l")
KERNEL(vectors_float, REALS, float, "hl")
KERNEL(vectors_double, REALS, double, "l")

/* Without a length: elements of 32 bits, and those of the argument. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat"
kernel void plain_vectors(int4 i, float4 f, double2 d, float2 g, uint3 u)
{
	printf("%v4d %v4f %v2f %v2f %v3x\n", i, f, d, g, u);
	printf("%+5v4d|%-8.1v4f|\n", i, f);
}
#pragma clang diagnostic pop

/* Many threads, before and after barriers and in a function that is called. */
void called(uint number)
{
	printf(named, number);
}

kernel void threads(global uint *sums, local uint *shared)
{
	uint i = get_local_id(0), n = get_local_size(0);
	shared[i] = i;
	printf("<%u %u>", (uint)get_group_id(0), i);
	barrier(CLK_LOCAL_MEM_FENCE);
	sums[get_global_id(0)] = shared[i] + shared[n - 1 - i];
	called(sums[get_global_id(0)]);
}

/* More than a record takes: 16 and 8 numbers fit, and the 16 after them do not. */
kernel void cut(global int *result, int16 a, int8 b)
{
	result[0] = printf("%v16d %v8d %v16d.\n", a, b, a);
	result[1] = printf("%v16d %v8d.\n", a, b);
}

kernel void flood(void)
{
	while (printf("%d;", 1) == 0) {
	}
}
