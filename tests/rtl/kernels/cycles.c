/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Kernels whose cycles are known: they mark sections for ganger.Sections.
 */

/** CTA k goes round a loop (k + 1) n times in section 0, in which each turn has four instructions, and stores once in section 1. */
kernel void sections(uint n, global uint *out, struct ganger_section *marks)
{
	uint left = n * ((uint)ganger_cta_linear_id() + 1);
	uint sum = 0;
	size_t since = ganger_cycle();

	__asm__ volatile("1: add %1, %1, %0\n\t"
			 "xor %1, %1, %0\n\t"
			 "addi %0, %0, -1\n\t"
			 "bnez %0, 1b"
			 : "+r"(left), "+r"(sum));
	ganger_section_end(marks, 2, 0, since);
	since = ganger_cycle();
	out[get_global_linear_id()] = sum;
	ganger_section_end(marks, 2, 1, since);
}

/** The same without sections, for cores whose kernels cannot read the counter. */
kernel void turns(uint n, global uint *out)
{
	uint left = n * ((uint)ganger_cta_linear_id() + 1);
	uint sum = 0;

	__asm__ volatile("1: add %1, %1, %0\n\t"
			 "xor %1, %1, %0\n\t"
			 "addi %0, %0, -1\n\t"
			 "bnez %0, 1b"
			 : "+r"(left), "+r"(sum));
	out[get_global_linear_id()] = sum;
}
