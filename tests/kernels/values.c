/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Parameters of all sizes and kinds, copied out as they came.
 */

struct pair {
	uchar small;
	uint64_t large;
};

struct seen {
	int64_t i8, i16, i32, i64;
	uint64_t u8, u16, u32, u64;
	double f32, f64;
	uint64_t small, large;
	uint64_t buffer, null, last;
};

kernel void values(global struct seen *seen, int8_t i8, double f64, int16_t i16, uint8_t u8,
		   int64_t i64, float f32, uint16_t u16, struct pair pair, int32_t i32,
		   uint64_t u64, global uint *null, uint32_t u32, uchar last)
{
	*seen = (struct seen){
		.i8 = i8,
		.i16 = i16,
		.i32 = i32,
		.i64 = i64,
		.u8 = u8,
		.u16 = u16,
		.u32 = u32,
		.u64 = u64,
		.f32 = f32,
		.f64 = f64,
		.small = pair.small,
		.large = pair.large,
		.buffer = (uintptr_t)seen,
		.null = (uintptr_t)null,
		.last = last,
	};
}

GANGER_BLOCK(16, 2, 1);
kernel void fixed_block(global uint *out)
{
	atomic_inc(out);
}

/* A table of constants and a variable with an initial value: both need relocation. */
static const char *const words[] = { "zero", "one", "two" };
static uint variable = 41;
static uint *const pointer = &variable;

kernel void relocated(global uint *out)
{
	out[0] = (uint)words[1][0] + (uint)words[2][1];
	out[1] = *pointer + 1;
}

/** float.h: a sum that single precision rounds, and one that double does not. */
kernel void floats(global float *singles, global double *doubles, uint n)
{
	const size_t item = get_global_id(0);

	if (item < n) {
		singles[item] = singles[item] * 1.1f + 0.3f;
		doubles[item] = doubles[item] / 3.0 - 0.1;
	}
}
