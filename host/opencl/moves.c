/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/moves.h"

#include <string.h>

#include "host/opencl/beside.h"

#define CTA_BYTES   4096u /* As in firmware/kernel/graph/box_move.c. */
#define BLOCK       64u
#define IMAGE       "kernels/box_move.elf"
#define IMAGE_RV32  "kernels/rv32/box_move.elf"
#define VALUES_MOST 9u

/* ---- Kernels ---------------------------------------------------------------------------- */

/** The module of each device, once it is loaded. It stays as long as the device. */
static struct gg_module *modules[DEVICES_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* Of `modules`. */

static enum gg_status load(cl_device_id device, struct gg_module **module)
{
	const char *image = device_xlen(device) == 32 ? IMAGE_RV32 : IMAGE;
	enum gg_status status = GG_OK;
	char path[PATH_MAX];

	(void)pthread_mutex_lock(&lock);
	if (!modules[device->index])
		status = beside_find(BESIDE_BUILD, image, path)
				 ? gg_module_load(device->context, path, &modules[device->index])
				 : GG_ERR_IMAGE_MISSING;
	*module = modules[device->index];
	(void)pthread_mutex_unlock(&lock);
	return status;
}

/** Arguments of a kernel under construction. */
struct values {
	struct gg_graph_value list[VALUES_MOST];
	uint32_t count;
};

static void add(struct values *values, const void *data, uint32_t bytes)
{
	values->list[values->count++] = (struct gg_graph_value){
		.kind = GG_GRAPH_VALUE,
		.argument = { GG_ARGUMENT_VALUE, bytes, data },
	};
}

#define ADD(values, value) add(values, &(value), sizeof(value))

static enum gg_status dispatch(struct gg_task_graph *graph, cl_device_id device, const char *name,
			       uint32_t groups, const struct values *values)
{
	struct gg_work work = { .dimensions = 1,
				.grid = { groups, 1, 1 },
				.block = { BLOCK, 1, 1 },
				.mode = GG_TASK_MODE_DEVICE };
	enum gg_status status = load(device, &work.module);

	if (status == GG_OK)
		status = gg_kernel_find(work.module, name, &work.kernel);
	return status == GG_OK ? gg_graph_dispatch(graph, &work, values->list, values->count)
			       : status;
}

/* ---- Copies ----------------------------------------------------------------------------- */

static enum gg_status copy_run(struct gg_task_graph *graph, uint64_t to, uint64_t from,
			       uint32_t bytes)
{
	uint32_t target, source = 0;
	enum gg_status status = gg_graph_buffer(graph, to, bytes, &target);

	if (status == GG_OK)
		status = gg_graph_buffer(graph, from, bytes, &source);
	if (status == GG_OK)
		status = gg_graph_use(graph, GG_GRAPH_OP_WRITE, target);
	if (status == GG_OK)
		status = gg_graph_use(graph, GG_GRAPH_OP_READ, source);
	return status == GG_OK ? gg_graph_copy(graph, target, source, bytes) : status;
}

enum gg_status moves_copy(struct gg_task_graph *graph, cl_device_id device, uint64_t to,
			  uint64_t from, const struct transfer *transfer)
{
	const uint64_t to_pitch[] = { transfer->to.row_pitch, transfer->to.slice_pitch };
	const uint64_t from_pitch[] = { transfer->from.row_pitch, transfer->from.slice_pitch };
	const uint32_t bytes = (uint32_t)transfer->bytes;
	const uint32_t rows = (uint32_t)transfer->rows;
	const uint32_t count = (uint32_t)(transfer->rows * transfer->slices);
	const uint32_t parts = bytes / CTA_BYTES + (bytes % CTA_BYTES != 0);
	const uint32_t each = bytes < CTA_BYTES ? CTA_BYTES / bytes : 1;
	struct values values = { .count = 0 };

	if (count == 1)
		return copy_run(graph, to, from, bytes);
	ADD(&values, to);
	ADD(&values, from);
	ADD(&values, to_pitch);
	ADD(&values, from_pitch);
	ADD(&values, bytes);
	ADD(&values, rows);
	ADD(&values, count);
	ADD(&values, parts);
	ADD(&values, each);
	return dispatch(graph, device, "box_copy",
			(uint32_t)((uint64_t)parts * ((count - 1) / each + 1)), &values);
}

/* ---- Fills ------------------------------------------------------------------------------ */

static enum gg_status fill_run(struct gg_task_graph *graph, uint64_t to, const struct fill *fill)
{
	uint8_t bytes[sizeof(uint32_t)];
	uint32_t target, word;
	enum gg_status status = gg_graph_buffer(graph, to, fill->bytes, &target);

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = fill->pattern[i % fill->pattern_bytes];
	memcpy(&word, bytes, sizeof(word));
	if (status == GG_OK)
		status = gg_graph_use(graph, GG_GRAPH_OP_WRITE, target);
	return status == GG_OK ? gg_graph_fill(graph, target, word, (uint32_t)fill->bytes) : status;
}

enum gg_status moves_fill(struct gg_task_graph *graph, cl_device_id device, uint64_t to,
			  const struct fill *fill)
{
	const uint64_t words = fill->bytes / sizeof(uint32_t);
	const uint32_t length = (uint32_t)(fill->pattern_bytes / sizeof(uint32_t));
	struct values values = { .count = 0 };

	if (length <= 1)
		return fill_run(graph, to, fill);
	ADD(&values, to);
	ADD(&values, words);
	ADD(&values, length);
	ADD(&values, fill->pattern);
	return dispatch(graph, device, "box_fill", (uint32_t)((fill->bytes - 1) / CTA_BYTES + 1),
			&values);
}
