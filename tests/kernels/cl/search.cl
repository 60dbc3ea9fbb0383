/* SPDX-License-Identifier: Apache-2.0 */
/* Places where a pattern begins in a text. The pattern comes into local memory as a copy. */
__kernel void search(__global const char *text, uint length, __global const char *pattern,
		     uint pattern_length, __local char *copy, __global uint *found,
		     __global volatile uint *count)
{
	event_t event = async_work_group_copy(copy, pattern, pattern_length, 0);
	uint i = get_global_id(0), k = 0;

	wait_group_events(1, &event);
	if (i + pattern_length > length) {
		return;
	}
	while (k < pattern_length && text[i + k] == copy[k]) {
		k++;
	}
	if (k == pattern_length) {
		found[atomic_inc(count)] = i;
	}
}
