/* SPDX-License-Identifier: Apache-2.0 */
/* A rectangle of a picture in a buffer to another place, as clEnqueueCopyBufferRect does. */
__kernel void copy2d(__global const uchar4 *from, uint from_pitch, __global uchar4 *to,
		     uint to_pitch, uint2 from_at, uint2 to_at)
{
	uint2 at = (uint2)(get_global_id(0), get_global_id(1));
	uint2 a = from_at + at, b = to_at + at;

	to[b.y * to_pitch + b.x] = from[a.y * from_pitch + a.x].wzyx;
}
