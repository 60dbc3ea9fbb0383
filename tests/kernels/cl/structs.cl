/* SPDX-License-Identifier: Apache-2.0 */
/* Structures and vectors as arguments. */
typedef struct {
	char tag;
	float4 scale;
	short offsets[3];
	double weight;
} Settings;

typedef struct __attribute__((packed)) {
	uchar kind;
	uint value;
} Packed;

__kernel void structs(__global float4 *data, Settings settings, uchar first, float3 shift,
		      __global const Settings *same, Packed packed, ulong last)
{
	size_t i = get_global_id(0);

	settings.offsets[0] += i;
	data[i] = data[i] * settings.scale + (float4)(shift, (float)settings.weight) +
		  settings.offsets[0] + settings.tag + first;
	if (i == 0) {
		data[0] = (float4)(same->weight == settings.weight, packed.value, packed.kind,
				   last);
	}
}
