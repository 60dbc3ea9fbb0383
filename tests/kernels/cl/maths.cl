/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of real numbers: a row of results for each pair of numbers. */
#define ROW 40

#define MATHS(T, I)                                                                       \
	__kernel void maths_##T(__global const T *a, __global const T *b, __global T *out, \
				__global int *flags)                                      \
	{                                                                                 \
		size_t i = get_global_id(0);                                              \
		T x = a[i], y = b[i], part;                                               \
		T##4 v = (T##4)(x, y, x, y);                                              \
		__global T *row = out + ROW * i;                                          \
		int e;                                                                    \
                                                                                          \
		row[0] = sin(x), row[1] = cos(x), row[2] = tan(x), row[3] = exp(x / 8);   \
		row[4] = log(fabs(x)), row[5] = log2(fabs(x)), row[6] = exp2(y);          \
		row[7] = pow(fabs(x), y), row[8] = sqrt(fabs(x)), row[9] = atan2(x, y);   \
		row[10] = fmod(x, y), row[11] = floor(x), row[12] = ceil(x);              \
		row[13] = round(x), row[14] = rint(x), row[15] = trunc(x);                \
		row[16] = hypot(x, y), row[17] = fma(x, y, x), row[18] = copysign(x, y);  \
		row[19] = fmax(x, y), row[20] = fmin(x, y), row[21] = cbrt(x);            \
		row[22] = sinh(y), row[23] = tanh(x), row[24] = erf(y);                       \
		row[25] = tgamma(fabs(y) + 1);                                            \
		row[26] = sinpi(y), row[27] = cospi(x), row[28] = mix(x, y, (T)0.25);     \
		row[29] = smoothstep((T)-2, (T)5, x), row[30] = clamp(x, (T)-1, (T)2);    \
		row[31] = length(v), row[32] = dot(v, v.wzyx), row[33] = normalize(v).y;  \
		row[34] = cross((T##3)(x, y, 1), (T##3)(2, x, y)).z;                      \
		row[35] = fract(x, &part) + part, row[36] = ldexp(frexp(x, &e), e);       \
		row[37] = sincos((T##2)(x, y), &((__private T##2 *)&v)[0]).y + v.y;       \
		row[38] = sign(x) + step(x, y) + degrees(radians(y)), row[39] = asinh(x); \
		flags[i] = isnan(x / (y - y)) | isinf(exp(x * x * 1000 + 1000)) << 1 |    \
			   isless(x, y) << 2 | signbit(x) << 3 | any((I##4)(0, -1, 0, 0)) << 4 | \
			   all(isgreaterequal((T##2)x, (T##2)(x, y))) << 5 | ilogb(x) << 8; \
	}

MATHS(float, int)
MATHS(double, long)
