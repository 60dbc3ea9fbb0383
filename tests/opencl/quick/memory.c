/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers: parts, sub-buffers, boxes, fills, copies, mappings, and what of these is refused. */
#include "check.h"

#define BYTES 4096u

static unsigned char data[BYTES], back[BYTES];

static void read_all(cl_mem memory)
{
	memset(back, 0, sizeof(back));
	OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, BYTES, back, 0, NULL, NULL));
}

static void parts(cl_mem memory)
{
	OK(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, BYTES, data, 0, NULL, NULL));
	OK(clEnqueueCopyBuffer(queue, memory, memory, 0, 1024, 1000, 0, NULL, NULL));
	read_all(memory);
	IS(memcmp(back, data, 1024), 0);
	IS(memcmp(back + 1024, data, 1000), 0);
	IS(memcmp(back + 2024, data + 2024, BYTES - 2024), 0);
	IS(clEnqueueCopyBuffer(queue, memory, memory, 0, 500, 1000, 0, NULL, NULL),
	   CL_MEM_COPY_OVERLAP);
	IS(clEnqueueReadBuffer(queue, memory, CL_TRUE, 1, BYTES, back, 0, NULL, NULL),
	   CL_INVALID_VALUE);
	IS(clEnqueueReadBuffer(queue, memory, CL_TRUE, (size_t)-8, 16, back, 0, NULL, NULL),
	   CL_INVALID_VALUE);
}

static void fills(cl_mem memory)
{
	static const cl_uint pattern[4] = { 1, 2, 3, 4 };

	OK(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, BYTES, data, 0, NULL, NULL));
	OK(clEnqueueFillBuffer(queue, memory, pattern, 16, 32, 160, 0, NULL, NULL));
	read_all(memory);
	IS(memcmp(back, data, 32), 0);
	for (int i = 0; i < 10; i++)
		IS(memcmp(back + 32 + 16 * i, pattern, 16), 0);
	IS(memcmp(back + 192, data + 192, BYTES - 192), 0);
	IS(clEnqueueFillBuffer(queue, memory, pattern, 3, 0, 3, 0, NULL, NULL), CL_INVALID_VALUE);
	IS(clEnqueueFillBuffer(queue, memory, pattern, 16, 8, 16, 0, NULL, NULL), CL_INVALID_VALUE);
}

/** A box of 5 x 4 x 3 bytes out of 16 x 16 x 16, to a place in another such block. */
static void boxes(cl_mem memory, cl_mem other)
{
	const size_t from[3] = { 3, 2, 1 }, to[3] = { 7, 5, 4 }, region[3] = { 5, 4, 3 };
	const size_t outside[3] = { 3, 2, 14 };

	OK(clEnqueueWriteBufferRect(queue, memory, CL_TRUE, (const size_t[]){ 0, 0, 0 },
				    (const size_t[]){ 0, 0, 0 }, (const size_t[]){ 16, 16, 16 }, 16,
				    256, 0, 0, data, 0, NULL, NULL));
	OK(clEnqueueFillBuffer(queue, other, "", 1, 0, BYTES, 0, NULL, NULL));
	OK(clEnqueueCopyBufferRect(queue, memory, other, from, to, region, 16, 256, 16, 256, 0,
				   NULL, NULL));
	read_all(other);
	for (size_t i = 0; i < BYTES; i++) {
		size_t x = i % 16, y = i / 16 % 16, z = i / 256;
		int inside = x >= 7 && x < 12 && y >= 5 && y < 9 && z >= 4 && z < 7;

		IS(back[i], inside ? data[i - 4 - 3 * 16 - 3 * 256] : 0);
	}
	IS(clEnqueueCopyBufferRect(queue, memory, other, outside, to, region, 16, 256, 16, 256, 0,
				   NULL, NULL),
	   CL_INVALID_VALUE);
	IS(clEnqueueCopyBufferRect(queue, memory, memory, from, (const size_t[]){ 4, 2, 1 }, region,
				   16, 256, 16, 256, 0, NULL, NULL),
	   CL_MEM_COPY_OVERLAP);
}

static void subs(cl_mem memory)
{
	cl_buffer_region region = { 1024, 256 }, odd = { 3, 16 };
	cl_int error;
	cl_mem sub = clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);

	OK(error);
	OK(clEnqueueFillBuffer(queue, memory, "", 1, 0, BYTES, 0, NULL, NULL));
	OK(clEnqueueWriteBuffer(queue, sub, CL_TRUE, 6, 10, data + 1, 0, NULL, NULL));
	read_all(memory);
	IS(memcmp(back + 1030, data + 1, 10), 0);
	IS(back[1029], 0);
	IS(back[1040], 0);
	(void)clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &odd, &error);
	IS(error, CL_MISALIGNED_SUB_BUFFER_OFFSET);
	(void)clCreateSubBuffer(sub, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
	IS(error, CL_INVALID_MEM_OBJECT);
	OK(clReleaseMemObject(sub));
}

static void maps(cl_mem memory)
{
	cl_int error;
	cl_uint count = 0;
	unsigned char *pointer = clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_WRITE, 100, 50,
						    0, NULL, NULL, &error);

	OK(error);
	memset(pointer, 0x5a, 50);
	OK(clGetMemObjectInfo(memory, CL_MEM_MAP_COUNT, sizeof(count), &count, NULL));
	IS(count, 1);
	OK(clEnqueueUnmapMemObject(queue, memory, pointer, 0, NULL, NULL));
	read_all(memory);
	for (int i = 0; i < 50; i++)
		IS(back[100 + i], 0x5a);
	IS(clEnqueueUnmapMemObject(queue, memory, pointer, 0, NULL, NULL), CL_INVALID_VALUE);
}

/** CL_MEM_USE_HOST_PTR: a mapping is in the program's own memory. */
static void host_pointers(void)
{
	static cl_uint own[16];
	cl_int error;
	cl_mem memory;
	cl_uint *pointer, seven = 7;

	own[3] = 3;
	memory = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof(own), own, &error);
	OK(error);
	OK(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 4, 4, &seven, 0, NULL, NULL));
	pointer = clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, 0, sizeof(own), 0, NULL,
				     NULL, &error);
	OK(error);
	TRUE(pointer == own);
	IS(own[1], 7);
	IS(own[3], 3);
	OK(clEnqueueUnmapMemObject(queue, memory, pointer, 0, NULL, NULL));
	OK(clReleaseMemObject(memory));
}

static void refused(void)
{
	cl_int error;
	cl_ulong most = 0;

	OK(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(most), &most, NULL));
	(void)clCreateBuffer(context, 0, 0, NULL, &error);
	IS(error, CL_INVALID_BUFFER_SIZE);
	(void)clCreateBuffer(context, 0, most + 1, NULL, &error);
	IS(error, CL_INVALID_BUFFER_SIZE);
	(void)clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, NULL, &error);
	IS(error, CL_INVALID_VALUE);
	(void)clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, NULL, &error);
	IS(error, CL_INVALID_HOST_PTR);
	(void)clCreateBuffer(context, 0, 4, data, &error);
	IS(error, CL_INVALID_HOST_PTR);
}

/** All of the memory is taken, which is refused at the end, and given back. */
static void exhaust(void)
{
	cl_mem all[64];
	cl_ulong most = 0;
	cl_int error = CL_SUCCESS;
	int count = 0;

	OK(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(most), &most, NULL));
	while (count < 64) {
		all[count] = clCreateBuffer(context, 0, most / 8, NULL, &error);
		if (error != CL_SUCCESS)
			break;
		count++;
	}
	IS(error, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	TRUE(count >= 8);
	while (count > 0)
		OK(clReleaseMemObject(all[--count]));
	all[0] = clCreateBuffer(context, 0, most, NULL, &error);
	OK(error);
	OK(clReleaseMemObject(all[0]));
}

int main(void)
{
	cl_mem memory, other;

	begin();
	for (size_t i = 0; i < BYTES; i++)
		data[i] = (unsigned char)(i * 7 + i / 256);
	memory = buffer(BYTES);
	other = buffer(BYTES);
	parts(memory);
	fills(memory);
	boxes(memory, other);
	subs(memory);
	maps(memory);
	host_pointers();
	refused();
	OK(clReleaseMemObject(memory));
	OK(clReleaseMemObject(other));
	exhaust();
	return finish();
}
