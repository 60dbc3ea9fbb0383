/* SPDX-License-Identifier: Apache-2.0 */
/* Prices of options after Black and Scholes. */
float normal(float d)
{
	return 0.5f * erfc(-d * M_SQRT1_2_F);
}

__kernel void black_scholes(__global const float *price, __global const float *strike,
			    __global const float *years, __global float *call,
			    __global float *put, float rate, float volatility)
{
	int i = get_global_id(0);
	float root = sqrt(years[i]);
	float d1 = (log(price[i] / strike[i]) +
		    (rate + 0.5f * volatility * volatility) * years[i]) /
		   (volatility * root);
	float d2 = d1 - volatility * root;
	float discount = native_exp(-rate * years[i]);

	call[i] = price[i] * normal(d1) - strike[i] * discount * normal(d2);
	put[i] = strike[i] * discount * normal(-d2) - price[i] * normal(-d1);
}
