/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/graph/graph_command.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/graph/graph_decode.h"
#include "firmware/cp/graph/graph_start.h"
#include "hal/fence.h"
#include "hal/mmio.h"

#define INLINE_BYTES 4096u /* bytes that the CP copies or fills itself, at most */
#define CTA_BYTES    4096u /* bytes that a CTA copies or fills */

uint64_t graph_command_address(const struct graph_image *image,
			       const struct graph_resource *resource)
{
	switch (resource->kind) {
	case GG_GRAPH_RESOURCE_KIND_ARGUMENT:
		return image->arguments[resource->argument] + resource->address;
	case GG_GRAPH_RESOURCE_KIND_TRANSIENT:
		return image->space + GRAPH_FLIGHTS * GRAPH_ARGUMENT_BYTES + resource->address;
	default:
		return resource->address;
	}
}

static uint64_t address_of(const struct task *task, uint32_t resource)
{
	return graph_command_address(graph_image_of(task),
				     &graph_image_of(task)->graph.resources[resource]);
}

static struct refusal refuse_resource(uint32_t number)
{
	return refusal_of(GG_ERR_GRAPH_RESOURCE, GG_FIELD_GRAPH_RESOURCE_ADDRESS, number);
}

struct refusal graph_command_check_resources(struct task *task, uint32_t *cursor, uint32_t budget)
{
	const struct graph *graph = &graph_image_of(task)->graph;

	for (uint32_t step = 0; step < budget && *cursor < graph->resource_count;
	     step++, (*cursor)++) {
		const struct graph_resource *resource = &graph->resources[*cursor];

		if (resource->first != GRAPH_NONE &&
		    graph_decode_memory(task, address_of(task, *cursor), resource->bytes) == NULL) {
			return refuse_resource(*cursor);
		}
	}
	if (*cursor >= graph->resource_count) {
		*cursor = UINT32_MAX;
	}
	return refusal_none();
}

/* Never NULL: the bytes were checked to lie in the resource when the graph was made, and the resource to lie in the
 * heap when it was launched. */
static unsigned char *bytes_of(const struct task *task, uint32_t resource, uint32_t bytes)
{
	return graph_decode_memory(task, address_of(task, resource), bytes);
}

static void use_state(struct task *task, uint32_t number, const struct graph_command *command,
		      struct graph_dispatch *dispatch)
{
	const struct graph_state *state = &graph_image_of(task)->states[number];

	dispatch->tmd = &state->tmd;
	dispatch->rules = &state->rules;
	dispatch->grid_x = state->tmd.grid_x;
	dispatch->grid_yz = state->tmd.grid_yz;
	dispatch->command = command;
	dispatch->ctas = state->ctas;
	dispatch->splits = state->splits;
}

static void set_grid(struct graph_dispatch *dispatch, uint32_t x, uint32_t y, uint32_t z)
{
	dispatch->grid_x = x;
	dispatch->grid_yz = gg_put(GG_TMD_GRID_Y, y) | gg_put(GG_TMD_GRID_Z, z);
	dispatch->ctas = (uint64_t)x * y * z;
}

static struct refusal do_dispatch(struct task *task, const struct graph_command *command,
				  struct graph_dispatch *dispatch)
{
	use_state(task, command->state, command, dispatch);
	if (command->a != 0) {
		set_grid(dispatch, command->a, command->b, command->c);
	}
	return refusal_none();
}

/* A large copy or fill becomes a grid, if the program names a kernel for it. */
static struct refusal by_kernel(struct task *task, uint32_t state,
				const struct graph_command *command,
				struct graph_dispatch *dispatch)
{
	if (state == GRAPH_NONE) {
		return refusal_of(GG_ERR_GRAPH_DATA, GG_FIELD_GRAPH_PROGRAM_COPY_STATE, command->c);
	}
	use_state(task, state, command, dispatch);
	set_grid(dispatch, command->c / CTA_BYTES + (command->c % CTA_BYTES != 0), 1, 1);
	return refusal_none();
}

static struct refusal do_copy(struct task *task, const struct graph_command *command,
			      struct graph_dispatch *dispatch)
{
	if (command->c > INLINE_BYTES) {
		return by_kernel(task, graph_image_of(task)->copy_state, command, dispatch);
	}
	if (command->c != 0) {
		fence_acquire();
		memmove(bytes_of(task, command->a, command->c),
			bytes_of(task, command->b, command->c), command->c);
		fence_release();
	}
	return refusal_none();
}

static struct refusal do_fill(struct task *task, const struct graph_command *command,
			      struct graph_dispatch *dispatch)
{
	if (command->c > INLINE_BYTES) {
		return by_kernel(task, graph_image_of(task)->fill_state, command, dispatch);
	}
	unsigned char *to = command->c != 0 ? bytes_of(task, command->a, command->c) : NULL;

	for (uint32_t index = 0; index < command->c; index++) {
		to[index] = (unsigned char)(command->b >> index % 4 * 8);
	}
	fence_release();
	return refusal_none();
}

static struct refusal do_signal(struct task *task, const struct graph_command *command,
				struct graph_dispatch *dispatch)
{
	const uint64_t address = address_of(task, command->a) + command->c;
	uint32_t *word = address % 4 == 0 ? graph_decode_memory(task, address, 4) : NULL;

	(void)dispatch;
	if (word == NULL) {
		return refuse_resource(command->a);
	}
	fence_release(); /* all earlier writes before the signal */
	mmio_write32(word, command->b);
	return refusal_none();
}

static struct refusal do_fence(struct task *task, const struct graph_command *command,
			       struct graph_dispatch *dispatch)
{
	(void)task;
	(void)command;
	(void)dispatch;
	fence_full();
	return refusal_none();
}

#define FIRST GG_GRAPH_OP_DISPATCH /* opcode of the first rule */

static struct refusal (*const rules[])(struct task *task, const struct graph_command *command,
				       struct graph_dispatch *dispatch) = {
	[0] = do_dispatch,
	[GG_GRAPH_OP_COPY - FIRST] = do_copy,
	[GG_GRAPH_OP_FILL - FIRST] = do_fill,
	[GG_GRAPH_OP_SIGNAL - FIRST] = do_signal,
	[GG_GRAPH_OP_FENCE - FIRST] = do_fence,
};

struct refusal graph_command_do(struct task *task, const struct graph_command *command,
				struct graph_dispatch *dispatch)
{
	assert(command->op >= FIRST && command->op <= GG_GRAPH_OP_FENCE);
	return rules[command->op - FIRST](task, command, dispatch);
}

/** An argument block that is being written. */
struct block {
	unsigned char *bytes; /* GRAPH_ARGUMENT_BYTES */
	uint32_t used;        /* bytes written so far */
};

/* Appends an argument, aligned to its size, little endian. */
static void put(struct block *block, uint64_t value, uint32_t bytes)
{
	block->used = (block->used + bytes - 1) / bytes * bytes;
	assert(block->used + bytes <= GRAPH_ARGUMENT_BYTES);
	memcpy(block->bytes + block->used, &value, bytes);
	block->used += bytes;
}

static uint64_t value_of(const struct task *task, const struct graph_value *value)
{
	switch (value->op) {
	case GG_GRAPH_OP_PARAMETER:
		return graph_image_of(task)->arguments[value->from];
	case GG_GRAPH_OP_ADDRESS:
		return address_of(task, value->number) + value->offset;
	default:
		return (uint64_t)(int64_t)(int32_t)value->number;
	}
}

static void put_values(struct task *task, const struct graph_command *command, struct block *block)
{
	const struct graph *graph = &graph_image_of(task)->graph;

	for (uint32_t index = 0; index < command->values; index++) {
		const struct graph_value *value = &graph->values[command->first_value + index];

		put(block, value_of(task, value), value->bytes);
	}
}

/* The arguments of every copy or fill kernel: destination; source address or value; bytes. */
static void put_copy(struct task *task, const struct graph_command *command, struct block *block)
{
	const uint32_t pointer = graph_image_of(task)->graph.pointer_bytes;

	put(block, address_of(task, command->a), pointer);
	if (command->op == GG_GRAPH_OP_COPY) {
		put(block, address_of(task, command->b), pointer);
	} else {
		put(block, command->b, 4);
	}
	put(block, command->c, 4);
}

void graph_command_arguments(struct task *task, struct graph_dispatch *dispatch, uint32_t block)
{
	const uint64_t address = graph_image_of(task)->space + block * GRAPH_ARGUMENT_BYTES;
	struct block to = { .bytes = graph_decode_memory(task, address, GRAPH_ARGUMENT_BYTES) };

	if (dispatch->command->op == GG_GRAPH_OP_DISPATCH) {
		put_values(task, dispatch->command, &to);
	} else {
		put_copy(task, dispatch->command, &to);
	}
	dispatch->args_bytes = to.used;
	dispatch->args = to.used != 0 ? address : 0;
}
