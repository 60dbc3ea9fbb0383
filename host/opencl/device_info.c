/* SPDX-License-Identifier: Apache-2.0 */
/* What clGetDeviceInfo() answers: from tables what is the same for all devices, the rest from the
 * device, which only those questions open that cannot be answered without it. */
#include <stdio.h>
#include <string.h>

#include "host/opencl/device.h"
#include "host/opencl/il.h"
#include "host/opencl/info.h"
#include "host/opencl/platform.h"
#include "host/opencl/recording.h"

#define FP_CONFIG                                                                      \
	(CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | \
	 CL_FP_ROUND_TO_INF | CL_FP_FMA)
#define SINGLE_CONFIG                                                                              \
	(CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA | CL_FP_ROUND_TO_ZERO | \
	 CL_FP_ROUND_TO_INF | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT)
#define ALL_TYPES (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR)
#define VERSION_3 CL_MAKE_VERSION(3, 0, 0)
#define VERSION_1 CL_MAKE_VERSION(1, 0, 0)
#define FEATURES                                                            \
	"__opencl_c_fp64 __opencl_c_int64 __opencl_c_atomic_order_acq_rel " \
	"__opencl_c_atomic_order_seq_cst __opencl_c_atomic_scope_device"
#define ATOMICS_64      " cl_khr_int64_base_atomics cl_khr_int64_extended_atomics"
#define EXTENSIONS_TEXT 1024u

#define UINT(name, number)                    \
	{                                     \
		name, INFO_UINT, number, NULL \
	}
#define ULONG(name, number)                    \
	{                                      \
		name, INFO_ULONG, number, NULL \
	}
#define SIZE(name, number)                    \
	{                                     \
		name, INFO_SIZE, number, NULL \
	}
#define TEXT(name, text)                 \
	{                                \
		name, INFO_TEXT, 0, text \
	}
#define NOTHING(name)                       \
	{                                   \
		name, INFO_NOTHING, 0, NULL \
	}

static const struct info_row rows[] = {
	ULONG(CL_DEVICE_TYPE, ALL_TYPES | CL_DEVICE_TYPE_DEFAULT),
	UINT(CL_DEVICE_VENDOR_ID, 0x67616e67), /* "gang" */
	UINT(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 3),
	SIZE(CL_DEVICE_MAX_WORK_GROUP_SIZE, 1024),
	UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, 1),
	UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, 1),
	UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, 1),
	UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, 1),
	UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 1),
	UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, 1),
	UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, 0),
	UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, 1),
	UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, 1),
	UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, 1),
	UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, 1),
	UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, 1),
	UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, 1),
	UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, 0),
	UINT(CL_DEVICE_MAX_CLOCK_FREQUENCY, 1000), /* Nobody knows that of an emulator. */
	UINT(CL_DEVICE_IMAGE_SUPPORT, CL_FALSE),
	UINT(CL_DEVICE_MAX_READ_IMAGE_ARGS, 0),
	UINT(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, 0),
	UINT(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, 0),
	SIZE(CL_DEVICE_IMAGE2D_MAX_WIDTH, 0),
	SIZE(CL_DEVICE_IMAGE2D_MAX_HEIGHT, 0),
	SIZE(CL_DEVICE_IMAGE3D_MAX_WIDTH, 0),
	SIZE(CL_DEVICE_IMAGE3D_MAX_HEIGHT, 0),
	SIZE(CL_DEVICE_IMAGE3D_MAX_DEPTH, 0),
	SIZE(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 0),
	SIZE(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, 0),
	UINT(CL_DEVICE_IMAGE_PITCH_ALIGNMENT, 0),
	UINT(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, 0),
	UINT(CL_DEVICE_MAX_SAMPLERS, 0),
	SIZE(CL_DEVICE_MAX_PARAMETER_SIZE, 1024),
	UINT(CL_DEVICE_MEM_BASE_ADDR_ALIGN, DEVICE_ALIGN * 8),
	UINT(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, DEVICE_ALIGN),
	ULONG(CL_DEVICE_SINGLE_FP_CONFIG, SINGLE_CONFIG),
	ULONG(CL_DEVICE_DOUBLE_FP_CONFIG, FP_CONFIG),
	ULONG(CL_DEVICE_HALF_FP_CONFIG, 0),
	UINT(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, CL_NONE),
	UINT(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 0),
	ULONG(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 0),
	UINT(CL_DEVICE_MAX_CONSTANT_ARGS, 32),
	UINT(CL_DEVICE_LOCAL_MEM_TYPE, CL_LOCAL),
	UINT(CL_DEVICE_ERROR_CORRECTION_SUPPORT, CL_FALSE),
	SIZE(CL_DEVICE_PROFILING_TIMER_RESOLUTION, 100),
	UINT(CL_DEVICE_ENDIAN_LITTLE, CL_TRUE),
	UINT(CL_DEVICE_COMPILER_AVAILABLE, CL_TRUE),
	UINT(CL_DEVICE_LINKER_AVAILABLE, CL_TRUE),
	ULONG(CL_DEVICE_EXECUTION_CAPABILITIES, CL_EXEC_KERNEL),
	ULONG(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES,
	      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE),
	ULONG(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, 0),
	UINT(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, 0),
	UINT(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, 0),
	UINT(CL_DEVICE_MAX_ON_DEVICE_QUEUES, 0),
	UINT(CL_DEVICE_MAX_ON_DEVICE_EVENTS, 0),
	TEXT(CL_DEVICE_VENDOR, "Ganger"),
	TEXT(CL_DRIVER_VERSION, PLATFORM_DRIVER_VERSION),
	TEXT(CL_DEVICE_PROFILE, "FULL_PROFILE"),
	TEXT(CL_DEVICE_VERSION, PLATFORM_VERSION),
	TEXT(CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 1.2 Ganger"),
	TEXT(CL_DEVICE_BUILT_IN_KERNELS, ""),
	TEXT(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, ""),
	{ CL_DEVICE_PARENT_DEVICE, INFO_SIZE, 0, NULL },
	UINT(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, 0),
	SIZE(CL_DEVICE_PARTITION_PROPERTIES, 0),
	ULONG(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, 0),
	SIZE(CL_DEVICE_PARTITION_TYPE, 0),
	UINT(CL_DEVICE_REFERENCE_COUNT, 1),
	UINT(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, CL_TRUE),
	SIZE(CL_DEVICE_PRINTF_BUFFER_SIZE, 1 << 20),
	SIZE(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, 0),
	SIZE(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, 0),
	UINT(CL_DEVICE_MAX_PIPE_ARGS, 0),
	UINT(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, 0),
	UINT(CL_DEVICE_PIPE_MAX_PACKET_SIZE, 0),
	UINT(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, 0),
	UINT(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, 0),
	UINT(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, 0),
	UINT(CL_DEVICE_MAX_NUM_SUB_GROUPS, 0),
	UINT(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, CL_FALSE),
	UINT(CL_DEVICE_NUMERIC_VERSION, VERSION_3),
	UINT(CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, CL_MAKE_VERSION(1, 2, 0)),
	NOTHING(CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION),
	ULONG(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES,
	      CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
		      CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
		      CL_DEVICE_ATOMIC_SCOPE_DEVICE),
	ULONG(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES,
	      CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
		      CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM |
		      CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE),
	UINT(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, CL_TRUE),
	SIZE(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 1),
	UINT(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, CL_FALSE),
	UINT(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, CL_FALSE),
	ULONG(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, 0),
	UINT(CL_DEVICE_PIPE_SUPPORT, CL_FALSE),
	ULONG(CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR,
	      CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |
		      CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR |
		      CL_COMMAND_BUFFER_CAPABILITY_OUT_OF_ORDER_KHR),
	ULONG(CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR, 0),
	ULONG(CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, CHANGES_ALL),
};

/** The versions of OpenCL C that programs can be written in. */
static cl_int c_versions(const struct answer *answer)
{
	static const cl_name_version versions[] = {
		{ CL_MAKE_VERSION(1, 0, 0), "OpenCL C" },
		{ CL_MAKE_VERSION(1, 1, 0), "OpenCL C" },
		{ CL_MAKE_VERSION(1, 2, 0), "OpenCL C" },
		{ CL_MAKE_VERSION(3, 0, 0), "OpenCL C" },
	};

	return info_bytes(answer, versions, sizeof(versions));
}

/** What a device has: 64-bit processors have atomics on words of 64 bits, command buffers are task graphs, and SPIR-V
 * needs a tool. */
static void list_extensions(cl_device_id device, char text[EXTENSIONS_TEXT])
{
	(void)snprintf(text, EXTENSIONS_TEXT, PLATFORM_EXTENSIONS "%s%s%s",
		       device_xlen(device) == 64 ? ATOMICS_64 : "",
		       device_has_graphs(device)
			       ? " cl_khr_command_buffer cl_khr_command_buffer_mutable_dispatch"
			       : "",
		       il_available() ? " cl_khr_il_program" : "");
}

/** The versions of SPIR-V that programs can be made of. */
static cl_int il_versions(const struct answer *answer)
{
	cl_name_version versions[5];

	memset(versions, 0, sizeof(versions));
	for (uint32_t i = 0; i < 5; i++) {
		memcpy(versions[i].name, "SPIR-V", sizeof("SPIR-V"));
		versions[i].version = CL_MAKE_VERSION(1, 4 - i, 0);
	}
	return info_bytes(answer, versions, il_available() ? sizeof(versions) : 0);
}

static cl_int name_answer(cl_device_id device, const struct answer *answer)
{
	char name[PLACE_BYTES + 32];

	if (device->place.kind == PLACE_BOOT)
		(void)snprintf(name, sizeof(name), "Ganger %s", device->place.text);
	else
		(void)snprintf(name, sizeof(name), "Ganger %s%s",
			       device->place.kind == PLACE_UP ? "up:" : "", device->place.text);
	return info_text(answer, name);
}

/** Answers that need an open device. */
static cl_int opened_answer(cl_device_id device, cl_device_info name, const struct answer *answer)
{
	const bool here = device_open(device) == CL_SUCCESS;

	switch (name) {
	case CL_DEVICE_MAX_COMPUTE_UNITS:
		return INFO_VALUE(answer, cl_uint, here ? device->info.sms : 1);
	case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
	case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
		return INFO_VALUE(answer, cl_ulong, here ? device_most_bytes(device) : 0);
	case CL_DEVICE_GLOBAL_MEM_SIZE:
		return INFO_VALUE(answer, cl_ulong, here ? device->heap_bytes : 0);
	case CL_DEVICE_LOCAL_MEM_SIZE:
		return INFO_VALUE(answer, cl_ulong, here ? device->info.sm_shared_bytes : 0);
	case CL_DEVICE_SVM_CAPABILITIES:
		return INFO_VALUE(answer, cl_device_svm_capabilities,
				  here && device_shares_pointers(device)
					  ? CL_DEVICE_SVM_COARSE_GRAIN_BUFFER |
						    CL_DEVICE_SVM_FINE_GRAIN_BUFFER
					  : 0);
	case CL_DEVICE_HOST_UNIFIED_MEMORY:
		return INFO_VALUE(answer, cl_bool, here && device->view != NULL);
	default:
		return CL_INVALID_VALUE;
	}
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size, void *value,
		       size_t *size_ret)
{
	const struct answer answer = { size, value, size_ret };
	const size_t most = 1024;
	char text[EXTENSIONS_TEXT];
	USE_DEVICE(entered, device);

	switch (name) {
	case CL_DEVICE_NAME:
		return name_answer(entered, &answer);
	case CL_DEVICE_PLATFORM:
		return INFO_VALUE(&answer, cl_platform_id, platform_of_all());
	case CL_DEVICE_ADDRESS_BITS:
		return INFO_VALUE(&answer, cl_uint, device_xlen(entered));
	case CL_DEVICE_AVAILABLE:
		return INFO_VALUE(&answer, cl_bool,
				  !entered->failed &&
					  !__atomic_load_n(&entered->lost, __ATOMIC_ACQUIRE));
	case CL_DEVICE_MAX_WORK_ITEM_SIZES:
		return info_bytes(&answer, &(const size_t[]){ most, most, most }, 3 * sizeof(most));
	case CL_DEVICE_EXTENSIONS:
		list_extensions(entered, text);
		return info_text(&answer, text);
	case CL_DEVICE_EXTENSIONS_WITH_VERSION:
		list_extensions(entered, text);
		return info_versions(&answer, text, VERSION_1);
	case CL_DEVICE_IL_VERSION:
		return info_text(&answer, il_available() ? IL_VERSIONS : "");
	case CL_DEVICE_ILS_WITH_VERSION:
		return il_versions(&answer);
	case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
		return c_versions(&answer);
	case CL_DEVICE_OPENCL_C_FEATURES:
		return info_versions(&answer, FEATURES, VERSION_3);
	case CL_DEVICE_MAX_COMPUTE_UNITS:
		if (entered->place.kind == PLACE_BOOT)
			return INFO_VALUE(&answer, cl_uint, entered->place.sms);
		return opened_answer(entered, name, &answer);
	case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
	case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
	case CL_DEVICE_GLOBAL_MEM_SIZE:
	case CL_DEVICE_LOCAL_MEM_SIZE:
	case CL_DEVICE_HOST_UNIFIED_MEMORY:
	case CL_DEVICE_SVM_CAPABILITIES:
		return opened_answer(entered, name, &answer);
	default:
		return info_row(rows, sizeof(rows) / sizeof(rows[0]), name, &answer);
	}
}
