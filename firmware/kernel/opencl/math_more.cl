/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Mathematical functions (OpenCL C 6.12.2) with integers or with a second result, and those in
 * units of pi.
 */
#include "base.clh"

#define C_FUNCTIONS(T, f, I, unused)                                                        \
	T cl_sin##f(T) __asm__("sin" #f);                                                   \
	T cl_cos##f(T) __asm__("cos" #f);                                                   \
	T cl_ldexp##f(T, int) __asm__("ldexp" #f);                                          \
	T cl_frexp##f(T, private int *) __asm__("frexp" #f);                                \
	T cl_remquo##f(T, T, private int *) __asm__("remquo" #f);                           \
	T cl_lgamma_r##f(T, private int *) __asm__("lgamma" #f "_r");                       \
	int cl_ilogb##f(T) __asm__("ilogb" #f);
REALS(C_FUNCTIONS, 0)

/* The argument is reduced before it is multiplied by pi: exact at multiples of a half. */
#define IN_PI(T, f, I, PI)                                                                  \
	OVER T sinpi(T x)                                                                   \
	{                                                                                   \
		T size = fabs(x), turn = size - 2 * floor(size / 2);                        \
		T half_turn = fmod(turn, (T)1);                                             \
		T rest = half_turn > (T)0.5 ? 1 - half_turn : half_turn;                    \
		T value = rest > (T)0.25 ? cos((T)PI * ((T)0.5 - rest)) : sin((T)PI * rest); \
		return (turn > 1) != (signbit(x) != 0) ? -value : value;                    \
	}                                                                                   \
	VECTORS_1(T, sinpi, T)                                                              \
	OVER T cospi(T x) { return sinpi(fmod(fabs(x), (T)2) + (T)0.5); }                   \
	VECTORS_1(T, cospi, T)                                                              \
	OVER T tanpi(T x) { return sinpi(x) / cospi(x); }                                   \
	VECTORS_1(T, tanpi, T)                                                              \
	OVER T acospi(T x) { return acos(x) / (T)PI; }                                      \
	VECTORS_1(T, acospi, T)                                                             \
	OVER T asinpi(T x) { return asin(x) / (T)PI; }                                      \
	VECTORS_1(T, asinpi, T)                                                             \
	OVER T atanpi(T x) { return atan(x) / (T)PI; }                                      \
	VECTORS_1(T, atanpi, T)                                                             \
	OVER T atan2pi(T y, T x) { return atan2(y, x) / (T)PI; }                            \
	VECTORS_2(T, atan2pi, T, T)

REALS(IN_PI, 3.14159265358979323846)

/* 1 / gamma(1 + t) for t from -0.5 to 0.5: the best polynomial, within 1e-17. */
OVER double gamma_part(double t)
{
	double q = 5.1041498417163275e-09;

	q = q * t + 4.939580133523849e-09;
	q = q * t - 2.056750434568255e-07;
	q = q * t + 1.1335045480626792e-06;
	q = q * t - 1.250484796492716e-06;
	q = q * t - 2.01349556850396e-05;
	q = q * t + 0.0001280502813722699;
	q = q * t - 0.00021524166229467653;
	q = q * t - 0.0011651675917944975;
	q = q * t + 0.007218943245911072;
	q = q * t - 0.00962197152787899;
	q = q * t - 0.04219773455552084;
	q = q * t + 0.1665386113822915;
	q = q * t - 0.042002635034095515;
	q = q * t - 0.6558780715202539;
	q = q * t + 0.5772156649015329;
	return fma(t, q, 1.0);
}

/* What Stirling's formula lacks, for x from 10 on. */
OVER double stirling_rest(double x)
{
	double r = 1 / (x * x), s = 1 / 156.0;

	s = s * r - 691 / 360360.0;
	s = s * r + 1 / 1188.0;
	s = s * r - 1 / 1680.0;
	s = s * r + 1 / 1260.0;
	s = s * r - 1 / 360.0;
	s = s * r + 1 / 12.0;
	return exp(s / x);
}

/* The gamma function. That of the C library comes from the logarithm, and is off by hundreds of units in the last place. */
OVER double tgamma(double x)
{
	double size = fabs(x), most = fmin(size, 200.0), a = 1, b = 1;

	if (isnan(x) || (x < 0 && x == floor(x)))
		return NAN;
	if (size <= 0.5)
		return 1 / (x * gamma_part(x));
	if (most >= 10) { /* two factors: their product may be more than there is, or less */
		a = pow(most, most / 2 - 0.25);
		b = a / exp(most) * (2.5066282746310002 * stirling_rest(most));
	} else {
		while (most > 1.5) {
			most -= 1;
			a *= most;
		}
		b = 1 / gamma_part(most - 1);
	}
	return x > 0 ? a * b : -M_PI / (size * sinpi(size)) / b / a;
}
OVER float tgamma(float x) { return (float)tgamma((double)x); }
VECTORS_1(double, tgamma, double)
VECTORS_1(float, tgamma, float)

/* A root of a number that is not negative. 1 / y is `part` and what that lacks, which is small. */
OVER double positive_root(double x, int y)
{
	double part = 1 / (double)y, lacks = fma(-(double)y, part, 1.0) / y;
	double root = pow(x, part);

	return x > 0 && isfinite(x) && isfinite(root) ? fma(root, lacks * log(x), root) : root;
}

/* Powers. A float has not all integers, so these are of double. rootn of a negative number is real when y is odd. */
#define POWERS(T, f, I, unused)                                                             \
	OVER T pown(T x, int y) { return (T)pow((double)x, (double)y); }                    \
	VECTORS_2(T, pown, T, int)                                                          \
	OVER T rootn(T x, int y)                                                            \
	{                                                                                   \
		T root = (T)positive_root(fabs((double)x), y);                              \
		return signbit(x) && (y & 1) ? -root : x < 0 || y == 0 ? (T)NAN : root;     \
	}                                                                                   \
	VECTORS_2(T, rootn, T, int)                                                         \
	OVER T ldexp(T x, int k) { return cl_ldexp##f(x, k); }                              \
	VECTORS_2(T, ldexp, T, int)                                                         \
	OVER int ilogb(T x) { return x == 0 ? FP_ILOGB0 : cl_ilogb##f(x); }                 \
	VECTORS_1(int, ilogb, T)                                                            \
	OVER T lgamma(T x)                                                                  \
	{                                                                                   \
		int sign;                                                                   \
		return cl_lgamma_r##f(x, &sign);                                            \
	}                                                                                   \
	VECTORS_1(T, lgamma, T)

REALS(POWERS, 0)

#define SCALAR_POWER(n, T)                                                                  \
	OVER T##n ldexp(T##n x, int k) { return ldexp(x, (int##n)k); }
SIZES(SCALAR_POWER, float)
SIZES(SCALAR_POWER, double)

OVER float nan(uint code) { return as_float(0x7fc00000u | (code & 0x3fffffu)); }
VECTORS_1(float, nan, uint)
OVER double nan(ulong code)
{
	return as_double(0x7ff8000000000000ul | (code & 0x7fffffffffffful));
}
VECTORS_1(double, nan, ulong)

/* Functions with a second result at a pointer to S. */
#define HALVES_OUT_1(n, h, T, name, S, space)                                               \
	OVER T##n name(T##n x, space S##n *second)                                          \
	{                                                                                   \
		private S##h low, high;                                                     \
		T##n result = (T##n)(name(x.lo, &low), name(x.hi, &high));                  \
		*second = (S##n)(low, high);                                                \
		return result;                                                              \
	}
#define VECTORS_OUT_1(T, name, S, space)                                                    \
	HALVES_OUT_1(2, , T, name, S, space)                                                \
	OVER T##3 name(T##3 x, space S##3 *second)                                          \
	{                                                                                   \
		private S a, b, c;                                                          \
		T##3 result = (T##3)(name(x.x, &a), name(x.y, &b), name(x.z, &c));          \
		*second = (S##3)(a, b, c);                                                  \
		return result;                                                              \
	}                                                                                   \
	HALVES_OUT_1(4, 2, T, name, S, space)                                               \
	HALVES_OUT_1(8, 4, T, name, S, space)                                               \
	HALVES_OUT_1(16, 8, T, name, S, space)

/* The largest number below 1 keeps fract's result in range. */
#define SECOND_1(T, f, space, BELOW_ONE)                                                    \
	OVER T fract(T x, space T *whole)                                                   \
	{                                                                                   \
		T down = floor(x);                                                          \
		*whole = down;                                                              \
		return isinf(x) ? copysign((T)0, x) : isnan(x) ? x : fmin(x - down, (T)BELOW_ONE); \
	}                                                                                   \
	OVER T modf(T x, space T *whole)                                                    \
	{                                                                                   \
		T part = trunc(x);                                                          \
		*whole = part;                                                              \
		return isinf(x) ? copysign((T)0, x) : copysign(x - part, x);                \
	}                                                                                   \
	OVER T sincos(T x, space T *cosine)                                                 \
	{                                                                                   \
		*cosine = cl_cos##f(x);                                                     \
		return cl_sin##f(x);                                                        \
	}                                                                                   \
	OVER T frexp(T x, space int *exponent)                                              \
	{                                                                                   \
		int e = 0;                                                                  \
		T result = cl_frexp##f(x, &e);                                              \
		*exponent = e;                                                              \
		return result;                                                              \
	}                                                                                   \
	OVER T lgamma_r(T x, space int *sign)                                               \
	{                                                                                   \
		int s = 1;                                                                  \
		T result = cl_lgamma_r##f(x, &s);                                           \
		*sign = s < 0 ? -1 : 1;                                                     \
		return result;                                                              \
	}                                                                                   \
	OVER T remquo(T x, T y, space int *quotient)                                        \
	{                                                                                   \
		int q = 0;                                                                  \
		T result = cl_remquo##f(x, y, &q);                                          \
		*quotient = q;                                                              \
		return result;                                                              \
	}

#define HALVES_OUT_2(n, h, T, space)                                                        \
	OVER T##n remquo(T##n x, T##n y, space int##n *second)                              \
	{                                                                                   \
		private int##h low, high;                                                   \
		T##n result = (T##n)(remquo(x.lo, y.lo, &low), remquo(x.hi, y.hi, &high));  \
		*second = (int##n)(low, high);                                              \
		return result;                                                              \
	}
#define REMQUO(T, space)                                                                    \
	HALVES_OUT_2(2, , T, space)                                                         \
	OVER T##3 remquo(T##3 x, T##3 y, space int##3 *second)                              \
	{                                                                                   \
		private int a, b, c;                                                        \
		T##3 result =                                                               \
			(T##3)(remquo(x.x, y.x, &a), remquo(x.y, y.y, &b), remquo(x.z, y.z, &c)); \
		*second = (int##3)(a, b, c);                                                \
		return result;                                                              \
	}                                                                                   \
	HALVES_OUT_2(4, 2, T, space)                                                        \
	HALVES_OUT_2(8, 4, T, space)                                                        \
	HALVES_OUT_2(16, 8, T, space)

#define SECOND(T, f, BELOW_ONE, space)                                                      \
	SECOND_1(T, f, space, BELOW_ONE)                                                    \
	VECTORS_OUT_1(T, fract, T, space)                                                   \
	VECTORS_OUT_1(T, modf, T, space)                                                    \
	VECTORS_OUT_1(T, sincos, T, space)                                                  \
	VECTORS_OUT_1(T, frexp, int, space)                                                 \
	VECTORS_OUT_1(T, lgamma_r, int, space)                                              \
	REMQUO(T, space)

/* The private ones first: the halves of all vectors use them. */
SECOND(float, f, 0x1.fffffep-1f, private)
SECOND(double, , 0x1.fffffffffffffp-1, private)
SECOND(float, f, 0x1.fffffep-1f, global)
SECOND(double, , 0x1.fffffffffffffp-1, global)
SECOND(float, f, 0x1.fffffep-1f, local)
SECOND(double, , 0x1.fffffffffffffp-1, local)
