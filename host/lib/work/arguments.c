/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/work/arguments.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "host/common/local.h"
#include "host/lib/core/failure.h"

static const char *kind_text(uint32_t kind)
{
	static const char *const texts[] = { [GG_ARGUMENT_VALUE] = "a value",
					     [GG_ARGUMENT_BUFFER] = "a buffer",
					     [GG_ARGUMENT_LOCAL] = "local memory" };

	return kind < sizeof(texts) / sizeof(texts[0]) ? texts[kind] : "an unknown kind";
}

/** Sets the failure of an argument; `given` says what it is instead of what the kernel takes. */
static enum gg_status wrong(const struct kernel *kernel, uint32_t index, uint64_t value,
			    const char *given)
{
	const struct gg_parameter *parameter = &kernel->parameter[index];
	char name[sizeof(parameter->name) + 32];

	(void)snprintf(name, sizeof(name), "argument %u %s", index, parameter->name);
	return failure_set(GG_ERR_ARGUMENT_SIZE, name, value,
			   "Argument %u (%s %s) of kernel %s takes %s of %u bytes, not %s", index,
			   parameter->type_name, parameter->name, kernel->name,
			   kind_text(parameter->kind), parameter->bytes, given);
}

/** Writes the low bytes of a number. */
static void put_number(uint8_t *to, uint64_t value, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++)
		to[i] = (uint8_t)(value >> (8 * i));
}

static enum gg_status pack_buffer(const struct kernel *kernel, uint32_t index,
				  const struct gg_argument *argument, uint8_t *to)
{
	uint32_t bytes = kernel->parameter[index].bytes;
	uint64_t address;

	if (argument->bytes != sizeof(address) || !argument->data)
		return wrong(kernel, index, argument->bytes,
			     "this: a buffer is an address of 8 bytes");
	memcpy(&address, argument->data, sizeof(address));
	if (bytes < 8 && address >> (8 * bytes) != 0)
		return wrong(kernel, index, address, "an address that is larger");
	put_number(to, address, bytes);
	return GG_OK;
}

static enum gg_status pack_local(const struct kernel *kernel, uint32_t index,
				 const struct gg_argument *argument, uint8_t *to,
				 uint32_t *shared_bytes)
{
	uint64_t start = local_start(*shared_bytes, argument->bytes);

	if (start + argument->bytes > UINT32_MAX)
		return wrong(kernel, index, argument->bytes, "more than any SM has");
	put_number(to, start, kernel->parameter[index].bytes);
	*shared_bytes = (uint32_t)(start + argument->bytes);
	return GG_OK;
}

static enum gg_status pack_value(const struct kernel *kernel, uint32_t index,
				 const struct gg_argument *argument, uint8_t *to)
{
	if (argument->bytes != kernel->parameter[index].bytes || !argument->data)
		return wrong(kernel, index, argument->bytes, "a value of another size");
	memcpy(to, argument->data, argument->bytes);
	return GG_OK;
}

static enum gg_status pack_one(const struct kernel *kernel, uint32_t index,
			       const struct gg_argument *argument, uint8_t *block,
			       uint32_t *shared_bytes)
{
	const struct gg_parameter *parameter = &kernel->parameter[index];
	uint8_t *to = block + parameter->offset;

	if (argument->kind == GG_ARGUMENT_VALUE && parameter->kind != GG_ARGUMENT_LOCAL)
		return pack_value(kernel, index, argument, to);
	if (argument->kind != parameter->kind)
		return wrong(kernel, index, argument->kind, kind_text(argument->kind));
	if (parameter->kind == GG_ARGUMENT_BUFFER)
		return pack_buffer(kernel, index, argument, to);
	return pack_local(kernel, index, argument, to, shared_bytes);
}

enum gg_status arguments_count(const struct kernel *kernel, uint32_t count)
{
	if (count != kernel->parameters)
		return failure_set(GG_ERR_ARGUMENT_COUNT, "argument count", count,
				   "Kernel %s takes %u arguments, not %u: `ganger info` lists "
				   "those of an ELF",
				   kernel->name, kernel->parameters, count);
	return GG_OK;
}

enum gg_status arguments_pack(const struct kernel *kernel, const struct gg_work *work,
			      uint8_t *block, uint32_t *shared_bytes)
{
	enum gg_status status = arguments_count(kernel, work->argument_count);

	*shared_bytes = kernel->shared_bytes;
	for (uint32_t i = 0; status == GG_OK && i < kernel->parameters; i++)
		status = pack_one(kernel, i, &work->arguments[i], block, shared_bytes);
	return status;
}
