/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* MAP_FIXED_NOREPLACE */
#include "host/opencl/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "host/opencl/reaper.h"

#define JOB_PART      8u /* This part of the heap is left for tasks: arguments and prints. */
#define JOB_MOST      (UINT64_C(96) << 20)
#define CLOCK_WAIT_MS 10000u
#define BOUNCE_BYTES  65536u
#define MOVE_LEAST    4096u /* Bytes from which on it pays that the device moves them. */

static pthread_once_t listed = PTHREAD_ONCE_INIT;
static struct _cl_device_id all[DEVICES_MAX];
static cl_uint all_count;

static void never_ends(void *object)
{
	(void)object;
}

static void make_list(void)
{
	static struct place places[DEVICES_MAX];

	all_count = place_list(getenv("GANGER_DEVICES"), places, DEVICES_MAX);
	for (cl_uint i = 0; i < all_count; i++) {
		all[i].place = places[i];
		all[i].index = i;
		(void)pthread_mutex_init(&all[i].opening, NULL);
		object_begin(&all[i], OBJECT_DEVICE, never_ends);
	}
}

cl_uint device_list(cl_device_id *devices)
{
	(void)pthread_once(&listed, make_list);
	for (cl_uint i = 0; devices && i < all_count; i++)
		devices[i] = &all[i];
	return all_count;
}

static int64_t monotonic_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

uint64_t device_now(cl_device_id device)
{
	int64_t now = monotonic_ns() + device->clock;

	return now > 0 ? (uint64_t)now : 1;
}

static enum gg_status compare_clocks(cl_device_id device)
{
	uint64_t now = 0;
	enum gg_status status = gg_device_clock(device->device, CLOCK_WAIT_MS, &now);

	device->clock = (int64_t)now - monotonic_ns();
	return status;
}

/** @param wanted  Where; NULL: anywhere. A kernel that does not know MAP_FIXED_NOREPLACE may map elsewhere. */
static void *map_at(void *wanted, uint64_t bytes, int file, uint64_t offset)
{
	return mmap(wanted, bytes, PROT_READ | PROT_WRITE,
		    MAP_SHARED | (wanted ? MAP_FIXED_NOREPLACE : 0), file, (off_t)offset);
}

/** Maps the heap, if the device shares it with this host: at the device's own addresses, if nothing else is
 * there. */
static void share(cl_device_id device)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t offset;
	uint64_t before;
	uint8_t *mapped;
	int file;

	if (gg_memory_share(device->device, device->heap, device->heap_bytes, &file, &offset) !=
	    GG_OK)
		return;
	before = offset % page;
	mapped = map_at((void *)(uintptr_t)(device->heap - before), device->heap_bytes + before,
			file, offset - before);
	if (mapped == MAP_FAILED)
		mapped = map_at(NULL, device->heap_bytes + before, file, offset - before);
	(void)close(file);
	if (mapped != MAP_FAILED)
		device->view = mapped + before;
}

static enum gg_status make_context(cl_device_id device)
{
	uint64_t jobs;
	uint64_t left;
	uint32_t number;
	enum gg_status status = gg_device_info(device->device, &device->info);

	if (status != GG_OK)
		return status;
	jobs = device->info.heap_bytes / JOB_PART;
	jobs = jobs < JOB_MOST ? jobs : JOB_MOST;
	status =
		gg_context_create(device->device, device->info.heap_bytes - jobs, &device->context);
	if (status == GG_ERR_NO_MEMORY) /* Others have a part of it. */
		status = gg_context_create(device->device, 0, &device->context);
	if (status != GG_OK)
		return status;
	return gg_context_info(device->context, &number, &device->heap, &device->heap_bytes, &left);
}

static enum gg_status open_now(cl_device_id device)
{
	enum gg_status status = place_open(&device->place, &device->device);

	if (status != GG_OK)
		return status;
	status = make_context(device);
	if (status == GG_OK)
		status = compare_clocks(device);
	if (status == GG_OK) {
		share(device);
		status = reaper_start(device);
	}
	if (status != GG_OK)
		(void)gg_device_close(device->device);
	return status;
}

static void tell_failure(cl_device_id device, enum gg_status status)
{
	struct gg_failure failure;

	(void)gg_error_last(&failure);
	(void)fprintf(stderr, "Ganger: device %s: %s: %s\n", device->place.text,
		      gg_status_name(status),
		      failure.status == (int32_t)status ? failure.message : "");
}

cl_int device_open(cl_device_id device)
{
	enum gg_status status;

	(void)pthread_mutex_lock(&device->opening);
	if (!device->opened && !device->failed) {
		status = open_now(device);
		device->opened = status == GG_OK;
		device->failed = !device->opened;
		if (device->failed)
			tell_failure(device, status);
	}
	(void)pthread_mutex_unlock(&device->opening);
	return device->opened && !__atomic_load_n(&device->lost, __ATOMIC_ACQUIRE)
		       ? CL_SUCCESS
		       : CL_DEVICE_NOT_AVAILABLE;
}

uint32_t device_xlen(cl_device_id device)
{
	if (device->place.kind == PLACE_BOOT)
		return strstr(device->place.text, "32") ? 32 : 64;
	return device_open(device) == CL_SUCCESS ? device->info.xlen : 64;
}

bool device_has_graphs(cl_device_id device)
{
	return device->place.kind == PLACE_BOOT ||
	       (device_open(device) == CL_SUCCESS &&
		(device->info.features >> GG_FEATURE_GRAPHS & 1) != 0);
}

uint64_t device_most_bytes(cl_device_id device)
{
	return device->heap_bytes / 2;
}

cl_int device_alloc(cl_device_id device, uint64_t bytes, uint64_t *address)
{
	return gg_alloc(device->context, bytes, DEVICE_ALIGN, address) == GG_OK
		       ? CL_SUCCESS
		       : CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

void device_free(cl_device_id device, uint64_t address)
{
	enum gg_status status = gg_free(device->context, address);

	(void)status; /* A device that is lost has nothing to give back. */
}

bool device_shares_pointers(cl_device_id device)
{
	return device->view && device->view == (const uint8_t *)(uintptr_t)device->heap &&
	       device->info.xlen == 8 * sizeof(void *);
}

uint8_t *device_view(cl_device_id device, uint64_t address)
{
	return device->view ? device->view + (address - device->heap) : NULL;
}

bool device_moves(cl_device_id device, size_t bytes)
{
	return !device->view && bytes >= MOVE_LEAST &&
	       (device->info.features >> GG_FEATURE_GRAPHS & 1) != 0;
}

cl_int device_write(cl_device_id device, uint64_t address, const void *data, size_t bytes)
{
	uint8_t *view = device_view(device, address);

	if (view) {
		memcpy(view, data, bytes);
		return CL_SUCCESS;
	}
	return gg_context_write(device->context, address, data, bytes) == GG_OK
		       ? CL_SUCCESS
		       : CL_OUT_OF_RESOURCES;
}

cl_int device_read(cl_device_id device, uint64_t address, void *data, size_t bytes)
{
	const uint8_t *view = device_view(device, address);

	if (view) {
		memcpy(data, view, bytes);
		return CL_SUCCESS;
	}
	return gg_context_read(device->context, address, data, bytes) == GG_OK
		       ? CL_SUCCESS
		       : CL_OUT_OF_RESOURCES;
}

cl_int device_copy(cl_device_id device, uint64_t to, uint64_t from, size_t bytes)
{
	uint8_t *bounce;
	cl_int error = CL_SUCCESS;

	if (device->view) {
		memmove(device_view(device, to), device_view(device, from), bytes);
		return CL_SUCCESS;
	}
	bounce = malloc(bytes < BOUNCE_BYTES ? bytes : BOUNCE_BYTES);
	if (!bounce)
		return CL_OUT_OF_HOST_MEMORY;
	for (size_t done = 0; error == CL_SUCCESS && done < bytes;) {
		size_t left = bytes - done;
		size_t part = left < BOUNCE_BYTES ? left : BOUNCE_BYTES;
		/* Backwards where the place is behind the source. */
		size_t at = to > from ? left - part : done;

		error = device_read(device, from + at, bounce, part);
		if (error == CL_SUCCESS)
			error = device_write(device, to + at, bounce, part);
		done += part;
	}
	free(bounce);
	return error;
}

uint32_t device_channel(cl_device_id device)
{
	uint32_t number = __atomic_fetch_add(&device->next_channel, 1, __ATOMIC_RELAXED);

	return device->info.channels ? number % device->info.channels : 0;
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint num_entries,
		      cl_device_id *devices, cl_uint *num_devices)
{
	const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU |
				     CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR |
				     CL_DEVICE_TYPE_CUSTOM;
	cl_device_id found[DEVICES_MAX];
	cl_uint count = device_list(found);
	USE(void *, entered, OBJECT_PLATFORM, platform, CL_INVALID_PLATFORM);

	if (type != CL_DEVICE_TYPE_ALL && (type == 0 || (type & ~known)))
		return CL_INVALID_DEVICE_TYPE;
	if ((!devices && !num_devices) || (devices && num_entries == 0))
		return CL_INVALID_VALUE;
	if (type == CL_DEVICE_TYPE_DEFAULT && count > 1)
		count = 1;
	if (type == CL_DEVICE_TYPE_CUSTOM || count == 0) {
		if (num_devices)
			*num_devices = 0;
		return CL_DEVICE_NOT_FOUND;
	}
	for (cl_uint i = 0; devices && i < count && i < num_entries; i++)
		devices[i] = found[i];
	if (num_devices)
		*num_devices = count;
	return CL_SUCCESS;
}

/** References to a device of the platform are not counted. */
cl_int clRetainDevice(cl_device_id device)
{
	USE_DEVICE(entered, device);

	return CL_SUCCESS;
}

cl_int clReleaseDevice(cl_device_id device)
{
	USE_DEVICE(entered, device);

	return CL_SUCCESS;
}

cl_int clCreateSubDevices(cl_device_id device, const cl_device_partition_property *properties,
			  cl_uint num_devices, cl_device_id *devices, cl_uint *num_devices_ret)
{
	USE_DEVICE(entered, device);

	(void)properties;
	(void)num_devices;
	(void)devices;
	(void)num_devices_ret;
	return CL_INVALID_VALUE; /* There is no kind of partition. */
}

/** The two clocks run alike, so their times are those of one moment. */
cl_int clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_timestamp,
			       cl_ulong *host_timestamp)
{
	USE_DEVICE(entered, device);

	if (!device_timestamp || !host_timestamp)
		return CL_INVALID_VALUE;
	if (device_open(entered) != CL_SUCCESS)
		return CL_OUT_OF_RESOURCES;
	*device_timestamp = device_now(entered);
	*host_timestamp = (cl_ulong)((int64_t)*device_timestamp - entered->clock);
	return CL_SUCCESS;
}

cl_int clGetHostTimer(cl_device_id device, cl_ulong *host_timestamp)
{
	USE_DEVICE(entered, device);

	if (!host_timestamp)
		return CL_INVALID_VALUE;
	*host_timestamp = (cl_ulong)monotonic_ns();
	return CL_SUCCESS;
}

cl_int clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
				      cl_command_queue queue)
{
	(void)context;
	(void)device;
	(void)queue;
	return CL_INVALID_OPERATION; /* There are no queues on the device. */
}
