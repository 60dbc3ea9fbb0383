/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "host/lib/core/elf_file.h"
#include "host/lib/core/failure.h"
#include "host/lib/core/file.h"
#include "host/lib/core/kernel_list.h"
#include "host/lib/mailbox/device.h"

static enum gg_status no_kernel(uint32_t index)
{
	return failure_set(GG_ERR_KERNEL_NAME, "kernel", index, "There is no kernel number %u",
			   index);
}

static enum gg_status copy_kernel(const struct kernel_list *list, uint32_t index,
				  struct gg_kernel_info *info)
{
	const struct kernel *kernel;

	if (index >= list->facts.kernels)
		return no_kernel(index);
	kernel = &list->kernels[index];
	memset(info, 0, sizeof(*info));
	memcpy(info->name, kernel->name, sizeof(info->name));
	memcpy(info->attributes, kernel->attributes, sizeof(info->attributes));
	info->shared_bytes = kernel->shared_bytes;
	info->stack_bytes = kernel->stack_bytes;
	info->flags = kernel->flags;
	memcpy(info->block, kernel->block, sizeof(info->block));
	info->entry = kernel->entry;
	info->argument_bytes = kernel->argument_bytes;
	info->parameters = kernel->parameters;
	for (uint32_t i = 0; i < kernel->parameters && i < GG_PARAMETERS_MAX; i++)
		info->parameter[i] = kernel->parameter[i];
	return GG_OK;
}

static enum gg_status copy_parameter(const struct kernel_list *list, uint32_t index,
				     uint32_t number, struct gg_parameter *parameter)
{
	if (index >= list->facts.kernels)
		return no_kernel(index);
	if (number >= list->kernels[index].parameters)
		return failure_set(GG_ERR_ARGUMENT, "parameter", number,
				   "Kernel %s has %u parameters; there is no number %u",
				   list->kernels[index].name, list->kernels[index].parameters,
				   number);
	*parameter = list->kernels[index].parameter[number];
	return GG_OK;
}

enum gg_status gg_module_info(struct gg_module *handle, struct gg_elf *elf, uint64_t *base,
			      uint64_t *code_bytes)
{
	USE_MODULE(module, handle);
	NEEDS(elf, base, code_bytes);

	*elf = module->list.facts;
	*base = module->base;
	*code_bytes = module->list.text_bytes;
	return GG_OK;
}

enum gg_status gg_module_kernel(struct gg_module *handle, uint32_t index,
				struct gg_kernel_info *info)
{
	USE_MODULE(module, handle);
	NEEDS(info);

	return copy_kernel(&module->list, index, info);
}

enum gg_status gg_module_parameter(struct gg_module *handle, uint32_t index, uint32_t number,
				   struct gg_parameter *parameter)
{
	USE_MODULE(module, handle);
	NEEDS(parameter);

	return copy_parameter(&module->list, index, number, parameter);
}

enum gg_status gg_kernel_find(struct gg_module *handle, const char *name, uint32_t *index)
{
	USE_MODULE(module, handle);
	NEEDS(name, index);

	for (uint32_t i = 0; i < module->list.facts.kernels; i++) {
		if (strcmp(module->list.kernels[i].name, name) == 0) {
			*index = i;
			return GG_OK;
		}
	}
	return failure_set(GG_ERR_KERNEL_NAME, "kernel", 0, "The module has no kernel %s", name);
}

/** Reads the kernel list of a file. */
static enum gg_status read_list(const char *path, struct kernel_list *list)
{
	struct elf_file elf;
	size_t bytes;
	uint8_t *data;
	enum gg_status status = file_read(path, &data, &bytes);

	if (status != GG_OK)
		return status;
	status = elf_open(&elf, data, bytes);
	if (status == GG_OK)
		status = kernel_list_read(list, &elf);
	free(data);
	return status;
}

enum gg_status gg_elf_info(const char *path, struct gg_elf *elf)
{
	NEEDS(path, elf);

	struct kernel_list list;
	enum gg_status status = read_list(path, &list);

	if (status != GG_OK)
		return status;
	*elf = list.facts;
	kernel_list_clear(&list);
	return GG_OK;
}

enum gg_status gg_elf_kernel(const char *path, uint32_t index, struct gg_kernel_info *info)
{
	NEEDS(path, info);

	struct kernel_list list;
	enum gg_status status = read_list(path, &list);

	if (status != GG_OK)
		return status;
	status = copy_kernel(&list, index, info);
	kernel_list_clear(&list);
	return status;
}

enum gg_status gg_elf_parameter(const char *path, uint32_t index, uint32_t number,
				struct gg_parameter *parameter)
{
	NEEDS(path, parameter);

	struct kernel_list list;
	enum gg_status status = read_list(path, &list);

	if (status != GG_OK)
		return status;
	status = copy_parameter(&list, index, number, parameter);
	kernel_list_clear(&list);
	return status;
}
