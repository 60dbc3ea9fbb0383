/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Kernels for several devices.
 */

/** Counts each CTA. That of the number in `gate` stays until somebody changes it. */
kernel void counted(global uint *counts, global const volatile uint *gate)
{
	const uint number = (uint)ganger_cta_linear_id();

	atomic_inc(&counts[number]);
	while (*gate == number) {
	}
}

/** Writes the CTA's number, plus what is there, into its entries. */
kernel void own(global uint *data, uint each)
{
	const uint number = (uint)ganger_cta_linear_id();

	for (uint i = number * each; i < (number + 1) * each; i++) {
		data[i] += number;
	}
}

/** The sum of an entry and its neighbours, where there are any. */
kernel void sums(global const uint *in, global uint *out, uint n)
{
	const uint i = (uint)get_global_id(0);

	if (i < n) {
		out[i] = (i > 0 ? in[i - 1] : 0) + in[i] + (i + 1 < n ? in[i + 1] : 0);
	}
}

/** Writes in the CTA of a number, and prints in the others. One stays until somebody changes `gate`. */
kernel void fails(global uint *out, uint bad, global const volatile uint *gate)
{
	const uint number = (uint)get_group_id(0);

	if (number == bad) {
		*out = 1;
	}
	while (*gate == number) {
	}
	printf("%u ", number);
}
