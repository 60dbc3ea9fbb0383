/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/context.h"

#include <stdlib.h>

#include "host/lib/core/heap.h"
#include "host/lib/core/kernel_list.h"

void module_free(struct gg_module *module)
{
	kernel_list_clear(&module->list);
	free(module);
}

void context_free(struct gg_context *context)
{
	while (context->modules) {
		struct gg_module *module = context->modules;

		context->modules = module->next;
		module_free(module);
	}
	heap_clear(&context->heap);
	free(context);
}
