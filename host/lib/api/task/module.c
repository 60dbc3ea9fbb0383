/* SPDX-License-Identifier: Apache-2.0 */
/* Modules, which are kernel ELFs that were loaded into a context. */
#include <stdlib.h>
#include <string.h>

#include "firmware/kernel/kernel_meta.h"
#include "host/lib/core/elf_file.h"
#include "host/lib/core/elf_load.h"
#include "host/lib/core/failure.h"
#include "host/lib/core/file.h"
#include "host/lib/core/heap.h"
#include "host/lib/core/kernel_list.h"
#include "host/lib/mailbox/command.h"
#include "host/lib/mailbox/context.h"
#include "host/lib/mailbox/control.h"
#include "host/lib/mailbox/memory.h"
#include "host/lib/mailbox/pump.h"
#include "host/lib/mailbox/room.h"
#include "host/lib/transport/regs.h"

#define CODE_BYTES 65536u /* Most bytes of one CODE command. */
#define CODE_MS    10000u

/** Checks that the device can run the kernels. */
static enum gg_status check_device(const struct device *device, const struct kernel_list *list)
{
	uint32_t missing = list->facts.features & ~device->cap.features;

	if (list->facts.xlen != device->cap.xlen)
		return failure_set(
			GG_ERR_ELF_XLEN, "xlen", list->facts.xlen,
			"The kernel ELF is for XLEN %u, the device has %u: build it with "
			"ganger-cc --xlen %u",
			list->facts.xlen, device->cap.xlen, device->cap.xlen);
	if (missing != 0)
		return failure_set(GG_ERR_ELF_ISA, "features", missing,
				   "The kernel ELF is for %s, which the device's cores do not have",
				   list->facts.isa);
	return GG_OK;
}

/** Makes the image for its base and writes it to the device. */
static enum gg_status write_image(struct module *module, const struct elf_file *elf)
{
	uint64_t bytes = module->list.image_bytes;
	uint8_t *image = calloc(1, bytes);
	enum gg_status status;

	if (!image)
		return failure_status(GG_ERR_NO_MEMORY);
	status = elf_load(elf, module->base, image, bytes);
	if (status == GG_OK)
		status = memory_write(module->context->device, module->base, image, bytes);
	regs_fence();
	free(image);
	return status;
}

/** Finds a place and writes the image. */
static enum gg_status module_place(struct module *module, const struct elf_file *elf)
{
	struct context *context = module->context;
	uint32_t bytes = module->list.image_bytes;
	enum gg_status status;

	(void)pthread_mutex_lock(&context->device->lock);
	status = heap_take(&context->heap, bytes, GGK_LOAD_ALIGN, &module->base);
	if (status != GG_OK) {
		(void)room_failure(context->device, context, bytes, GGK_LOAD_ALIGN, "a module");
	} else {
		status = write_image(module, elf);
		if (status != GG_OK)
			(void)heap_give(&context->heap, module->base);
	}
	(void)pthread_mutex_unlock(&context->device->lock);
	return status;
}

/** Tells the device that there is new code, because other code may have run at the same address. */
static enum gg_status announce(const struct module *module)
{
	uint32_t left = module->list.text_bytes;
	enum gg_status status = GG_OK;

	while (status == GG_OK && left > 0) {
		uint32_t bytes = left < CODE_BYTES ? left : CODE_BYTES;
		struct gg_raw raw = {
			.channel = control_channel(module->context->device, 0),
			.opcode = GG_OPCODE_CODE,
			.address = module->base + module->list.text_bytes - left,
			.argument = { bytes },
		};

		status = command_call(module->context->device, &raw, CODE_MS, NULL);
		left -= bytes;
	}
	return status;
}

/** Adds the module to its context, or gives its memory back if the device did not take the code. */
static enum gg_status module_link(struct module *module, enum gg_status status)
{
	struct context *context = module->context;

	(void)pthread_mutex_lock(&context->device->lock);
	if (status == GG_OK) {
		module->handle = handle_make(&module_handles, module, context->handle);
		status = module->handle ? GG_OK : failure_status(GG_ERR_NO_MEMORY);
	}
	if (status == GG_OK) {
		module->next = context->modules;
		context->modules = module;
	} else {
		(void)heap_give(&context->heap, module->base);
	}
	(void)pthread_mutex_unlock(&context->device->lock);
	return status;
}

enum gg_status gg_module_load_bytes(struct gg_context *handle, const void *data, size_t bytes,
				    struct gg_module **module)
{
	USE_CONTEXT(context, handle);
	NEEDS(data, module);

	struct module *made = calloc(1, sizeof(*made));
	struct elf_file elf;
	enum gg_status status;

	if (!made)
		return failure_status(GG_ERR_NO_MEMORY);
	made->context = context;
	status = elf_open(&elf, data, bytes);
	if (status == GG_OK)
		status = kernel_list_read(&made->list, &elf);
	if (status == GG_OK)
		status = check_device(context->device, &made->list);
	if (status == GG_OK)
		status = module_place(made, &elf);
	if (status == GG_OK)
		status = module_link(made, announce(made));
	if (status == GG_OK)
		*module = made->handle;
	else
		module_free(made);
	return status;
}

enum gg_status gg_module_load(struct gg_context *handle, const char *path,
			      struct gg_module **module)
{
	USE_CONTEXT(context, handle);
	NEEDS(path, module);

	size_t bytes;
	uint8_t *data;
	enum gg_status status = file_read(path, &data, &bytes);

	if (status != GG_OK)
		return status;
	status = gg_module_load_bytes(handle, data, bytes, module);
	free(data);
	return status;
}

enum gg_status gg_module_unload(struct gg_module *handle)
{
	USE_MODULE(module, handle);

	return idle_release(&module_use, module->context->device, &module->running, "module");
}
