/* SPDX-License-Identifier: Apache-2.0 */
/* Shared virtual memory: a pointer is the same on the host and in kernels of a 64-bit device whose memory is mapped
 * at its own addresses. Elsewhere the calls are refused, and the query says so. */
#include "check.h"

#define COUNT 1000

struct node {
	struct node *next;
	cl_int value, pad;
};

static const char *source =
	"struct node { ulong next; int value, pad; };\n"
	"kernel void sum(global struct node *first, global int *total, global ulong *last)\n"
	"{\n"
	"	int found = 0;\n"
	"	while (first) {\n"
	"		found += first->value;\n"
	"		*last = (ulong)first;\n"
	"		first = (global struct node *)(size_t)first->next;\n"
	"	}\n"
	"	*total = found;\n"
	"}\n"
	"kernel void add(global int *a, int more) { a[get_global_id(0)] += more; }\n";

static cl_kernel add;

static void refuse_all(void)
{
	int value = 0;

	TRUE(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0) == NULL);
	IS(clEnqueueSVMMemcpy(queue, CL_TRUE, &value, &(int){ 1 }, 4, 0, NULL, NULL),
	   CL_INVALID_OPERATION);
	IS(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, &value, 4, 0, NULL, NULL),
	   CL_INVALID_OPERATION);
	IS(clEnqueueSVMMemFill(queue, &value, &value, 4, 4, 0, NULL, NULL), CL_INVALID_OPERATION);
	IS(clSetKernelArgSVMPointer(add, 0, &value), CL_INVALID_OPERATION);
	IS(value, 0);
}

/** The host makes a list, a kernel walks it and writes a pointer, which the host follows. */
static void walk_list(cl_program program)
{
	struct node *nodes = clSVMAlloc(context, CL_MEM_READ_WRITE, COUNT * sizeof(*nodes), 0);
	struct answer {
		struct node *last;
		cl_int total;
	} *answer = clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER,
			       sizeof(*answer), 8);
	cl_kernel sum = kernel(program, "sum");
	const size_t one = 1;
	void *reached[] = { nodes };

	TRUE(nodes && answer);
	OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, nodes, COUNT * sizeof(*nodes), 0, NULL,
			   NULL));
	for (int i = 0; i < COUNT; i++)
		nodes[i] = (struct node){ i + 1 < COUNT ? &nodes[i + 1] : NULL, i, 0 };
	OK(clEnqueueSVMUnmap(queue, nodes, 0, NULL, NULL));
	OK(clSetKernelArgSVMPointer(sum, 0, nodes));
	OK(clSetKernelArgSVMPointer(sum, 1, &answer->total));
	OK(clSetKernelArgSVMPointer(sum, 2, &answer->last));
	OK(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(reached), reached));
	OK(clEnqueueNDRangeKernel(queue, sum, 1, NULL, &one, NULL, 0, NULL, NULL));
	OK(clFinish(queue));
	IS(answer->total, COUNT * (COUNT - 1) / 2);
	TRUE(answer->last == &nodes[COUNT - 1]);
	IS(answer->last->value, COUNT - 1);
	OK(clReleaseKernel(sum));
	clSVMFree(context, nodes);
	clSVMFree(context, answer);
}

static int frees;

static void CL_CALLBACK count_free(cl_command_queue freed, cl_uint count, void *pointers[],
				   void *user_data)
{
	(void)freed;
	for (cl_uint i = 0; i < count; i++)
		clSVMFree(context, pointers[i]);
	frees += (int)count + *(int *)user_data;
}

/** Fills, copies and kernels are in the order of the queue, and the free comes last. */
static void use_commands(void)
{
	const size_t count = COUNT;
	int *a = clSVMAlloc(context, 0, sizeof(int) * COUNT, 0);
	int *b = clSVMAlloc(context, 0, sizeof(int) * COUNT, 128);
	int found[COUNT], ten = 10;
	void *both[] = { a, b };

	OK(clEnqueueSVMMemFill(queue, a, &(int){ 5 }, sizeof(int), sizeof(int) * COUNT, 0, NULL,
			       NULL));
	OK(clSetKernelArgSVMPointer(add, 0, a));
	OK(clSetKernelArg(add, 1, sizeof(int), &(int){ 3 }));
	OK(clEnqueueNDRangeKernel(queue, add, 1, NULL, &count, NULL, 0, NULL, NULL));
	OK(clEnqueueSVMMemcpy(queue, CL_FALSE, b, a, sizeof(int) * COUNT, 0, NULL, NULL));
	OK(clEnqueueSVMMigrateMem(queue, 1, (const void **)both, NULL, 0, 0, NULL, NULL));
	OK(clEnqueueSVMMemcpy(queue, CL_TRUE, found, b, sizeof(int) * COUNT, 0, NULL, NULL));
	for (int i = 0; i < COUNT; i++)
		IS(found[i], 8);
	OK(clEnqueueSVMFree(queue, 2, both, count_free, &ten, 0, NULL, NULL));
	OK(clFinish(queue));
	IS(frees, 12);
}

/** A buffer made on shared memory has no other. */
static void make_buffer(void)
{
	const size_t count = COUNT;
	int *a = clSVMAlloc(context, 0, sizeof(int) * COUNT, 0);
	cl_bool uses = CL_FALSE;
	void *pointer = NULL;
	cl_int error;
	cl_mem memory;

	for (int i = 0; i < COUNT; i++)
		a[i] = i;
	memory = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof(int) * COUNT, a, &error);
	OK(error);
	OK(clSetKernelArg(add, 0, sizeof(memory), &memory));
	OK(clEnqueueNDRangeKernel(queue, add, 1, NULL, &count, NULL, 0, NULL, NULL));
	OK(clFinish(queue));
	for (int i = 0; i < COUNT; i++)
		IS(a[i], i + 3);
	OK(clGetMemObjectInfo(memory, CL_MEM_USES_SVM_POINTER, sizeof(uses), &uses, NULL));
	OK(clGetMemObjectInfo(memory, CL_MEM_HOST_PTR, sizeof(pointer), &pointer, NULL));
	TRUE(uses && pointer == a);
	OK(clReleaseMemObject(memory));
	clSVMFree(context, a);
}

static void refuse_wrong_ones(void)
{
	int *a = clSVMAlloc(context, 0, 64, 0);

	TRUE(clSVMAlloc(context, CL_MEM_SVM_ATOMICS | CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0) == NULL);
	TRUE(clSVMAlloc(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0) == NULL);
	TRUE(clSVMAlloc(context, 0, 0, 0) == NULL && clSVMAlloc(context, 0, 64, 3) == NULL);
	TRUE(clSVMAlloc(context, 0, (size_t)-4096, 0) == NULL &&
	     clSVMAlloc(context, 0, 64, 256) == NULL);
	IS(clEnqueueSVMMemcpy(queue, CL_TRUE, a, NULL, 4, 0, NULL, NULL), CL_INVALID_VALUE);
	IS(clEnqueueSVMMemcpy(queue, CL_TRUE, a, a + 1, 8, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
	IS(clEnqueueSVMMemFill(queue, (char *)a + 2, a, 4, 4, 0, NULL, NULL), CL_INVALID_VALUE);
	IS(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, a, 0, 0, NULL, NULL), CL_INVALID_VALUE);
	IS(clEnqueueSVMMigrateMem(queue, 1, (const void *[]){ &failures }, NULL, 0, 0, NULL, NULL),
	   CL_INVALID_VALUE);
	IS(clSetKernelArgSVMPointer(add, 2, a), CL_INVALID_ARG_INDEX);
	IS(clSetKernelArgSVMPointer(add, 1, a), CL_INVALID_ARG_VALUE);
	IS(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 4,
			       &(cl_bool){ CL_TRUE }),
	   CL_INVALID_OPERATION);
	IS(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_PTRS, 3, a), CL_INVALID_VALUE);
	clSVMFree(context, NULL);
	clSVMFree(context, a);
	clSVMFree(context, a); /* Nothing any more. */
}

/** All of it comes back: together these are many times the device's memory. */
static void give_back(void)
{
	cl_ulong most = 0;

	OK(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(most), &most, NULL));
	for (int i = 0; i < 100; i++) {
		void *pointer = clSVMAlloc(context, 0, most, 0);

		TRUE(pointer);
		clSVMFree(context, pointer);
	}
}

int main(void)
{
	cl_device_svm_capabilities has = 0;
	cl_program program;
	cl_uint bits = 0;

	begin();
	OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(has), &has, NULL));
	OK(clGetDeviceInfo(device, CL_DEVICE_ADDRESS_BITS, sizeof(bits), &bits, NULL));
	IS(has, bits == 64 && !SANITIZED
			? CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER
			: 0);
	program = build(source);
	add = kernel(program, "add");
	if (has) {
		walk_list(program);
		use_commands();
		make_buffer();
		refuse_wrong_ones();
		give_back();
	} else {
		refuse_all();
	}
	OK(clReleaseKernel(add));
	OK(clReleaseProgram(program));
	return finish();
}
