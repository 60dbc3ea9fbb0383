/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels for the measurements: they do as little as they can. */

kernel void empty(void)
{
}

/* Its `local` argument decides how many of its CTAs an SM can hold. */
kernel void big(local_pointer(uint) memory)
{
	(void)memory;
}

kernel void barriers(uint count)
{
	for (uint i = 0; i < count; i++)
		barrier(CLK_LOCAL_MEM_FENCE);
}

/* Keeps its SM busy until the host writes the flag. */
kernel void hold(global uint *flag, local_pointer(uint) memory)
{
	(void)memory;
	while (__atomic_load_n(flag, __ATOMIC_RELAXED) == 0)
		;
}
