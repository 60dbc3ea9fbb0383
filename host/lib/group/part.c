/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/group/part.h"

#include <stdlib.h>
#include <string.h>

#include "host/lib/core/failure.h"
#include "host/lib/core/handle.h"
#include "host/lib/mailbox/device.h"

#define LINE \
	64u /* An entry has the same place in such a line as it would have in a buffer of all entries. */

static enum gg_status no_memory(uint64_t bytes)
{
	return failure_set(GG_ERR_NO_MEMORY, "bytes", bytes,
			   "The host has no memory for a part of a group's work");
}

static bool is_written(const struct gg_group_buffer *buffer)
{
	return buffer->spread == GG_SPREAD_MERGE ||
	       (buffer->spread == GG_SPREAD_SPLIT && buffer->writes != 0);
}

/** Bytes that a merged buffer begins with. */
static enum gg_status write_zeros(struct gg_context *context, uint64_t address, uint64_t bytes)
{
	static const uint8_t zeros[4096];
	enum gg_status status = GG_OK;

	while (bytes > 0 && status == GG_OK) {
		const uint64_t some = bytes < sizeof(zeros) ? bytes : sizeof(zeros);

		status = gg_context_write(context, address, zeros, some);
		address += some;
		bytes -= some;
	}
	return status;
}

static enum gg_status place(const struct part_of *of, struct part *part, uint32_t at)
{
	struct part_placed *placed = &part->placed[at];
	const struct gg_group_buffer *buffer = of->work->arguments[at].buffer;
	uint64_t shift;
	enum gg_status status;

	for (uint32_t before = 0; before < at; before++) {
		if (part->placed[before].buffer == buffer) {
			placed->pointer = part->placed[before].pointer;
			return GG_OK;
		}
	}
	placed->bytes = (struct share_bytes){ 0, buffer->bytes, 0, buffer->bytes };
	if (buffer->spread == GG_SPREAD_SPLIT)
		placed->bytes = share_bytes(buffer, &of->shape, part->share);
	shift = placed->bytes.low % LINE;
	status = gg_alloc(part->context, placed->bytes.high - placed->bytes.low + LINE, LINE,
			  &placed->memory);
	if (status != GG_OK)
		return status;
	placed->buffer = buffer;
	placed->pointer = placed->memory + shift - placed->bytes.low;
	if (buffer->spread == GG_SPREAD_MERGE)
		return write_zeros(part->context, placed->memory, buffer->bytes);
	return gg_context_write(part->context, placed->memory + shift,
				(const uint8_t *)buffer->data + placed->bytes.low,
				placed->bytes.high - placed->bytes.low);
}

static enum gg_status submit(const struct part_of *of, const struct gg_group_member *member,
			     struct part *part, uint32_t timeout_ms)
{
	const uint32_t count = of->work->argument_count;
	struct gg_argument *arguments = calloc(count + 1u, sizeof(*arguments));
	struct gg_work work = of->work->work;
	enum gg_status status;

	if (arguments == NULL)
		return no_memory(count * sizeof(*arguments));
	for (uint32_t at = 0; at < count; at++) {
		arguments[at] = of->work->arguments[at].value;
		if (of->work->arguments[at].buffer != NULL)
			arguments[at] = (struct gg_argument){ GG_ARGUMENT_BUFFER, sizeof(uint64_t),
							      &part->placed[at].pointer };
	}
	work.module = member->module;
	work.arguments = arguments;
	work.argument_count = count;
	work.first_cta = part->share.first;
	work.ctas = (uint32_t)part->share.ctas;
	status = gg_submit(&work, timeout_ms, &part->task);
	free(arguments);
	return status;
}

/** Buffers are where the kernel may reach them. */
static enum gg_status context_of(struct gg_module *handle, struct gg_context **context)
{
	USE_MODULE(module, handle);

	*context = module->context->handle;
	return GG_OK;
}

enum gg_status part_start(const struct part_of *of, const struct gg_group_member *member,
			  struct share share, uint32_t timeout_ms, struct part **part)
{
	const size_t bytes =
		sizeof(struct part) + of->work->argument_count * sizeof(struct part_placed);
	struct part *made = calloc(1, bytes);
	struct gg_info info;
	enum gg_status status;

	if (made == NULL)
		return no_memory(bytes);
	made->share = share;
	status = gg_device_info(member->device, &info);
	if (status == GG_OK)
		status = context_of(member->module, &made->context);
	for (uint32_t at = 0; at < of->work->argument_count && status == GG_OK; at++) {
		if (of->work->arguments[at].buffer != NULL)
			status = place(of, made, at);
		if (info.xlen == 32)
			made->placed[at].pointer &= UINT32_MAX;
	}
	if (status == GG_OK)
		status = submit(of, member, made, timeout_ms);
	if (status != GG_OK) {
		const struct gg_failure failure = failure_last();

		part_drop(of, made, false);
		return failure_again(&failure);
	}
	*part = made;
	return GG_OK;
}

enum gg_status part_fetch(const struct part_of *of, struct part *part)
{
	for (uint32_t at = 0; at < of->work->argument_count; at++) {
		struct part_placed *placed = &part->placed[at];
		const uint64_t bytes = placed->bytes.end - placed->bytes.first;
		enum gg_status status;

		if (placed->buffer == NULL || !is_written(placed->buffer) || bytes == 0)
			continue;
		placed->found = malloc(bytes);
		if (placed->found == NULL)
			return no_memory(bytes);
		status = gg_context_read(part->context, placed->pointer + placed->bytes.first,
					 placed->found, bytes);
		if (status != GG_OK)
			return status;
	}
	for (uint32_t at = 0; at < of->work->argument_count; at++) {
		struct part_placed *placed = &part->placed[at];

		if (placed->buffer == NULL || placed->found == NULL)
			continue;
		if (placed->buffer->spread == GG_SPREAD_MERGE)
			placed->buffer->merge(placed->buffer->user, placed->buffer->data,
					      placed->found, placed->buffer->bytes);
		else
			memcpy((uint8_t *)placed->buffer->data + placed->bytes.first, placed->found,
			       placed->bytes.end - placed->bytes.first);
	}
	return GG_OK;
}

void part_drop(const struct part_of *of, struct part *part, bool runs)
{
	(void)gg_task_release(part->task);
	for (uint32_t at = 0; at < of->work->argument_count; at++) {
		const uint64_t memory = part->placed[at].memory;
		/* A device that is lost has nothing to give back. */
		const enum gg_status status =
			memory != 0 && !runs ? gg_free(part->context, memory) : GG_OK;

		(void)status;
		free(part->placed[at].found);
	}
	free(part);
}
