/* SPDX-License-Identifier: Apache-2.0 */
/* A device is closed while calls of other threads still use its contexts and tasks: what ends between two steps of the
 * close. One thread does the steps here, in an order in which several threads did them.
 * sources: host/lib/mailbox/context.c host/lib/mailbox/pump.c host/lib/mailbox/restart.c host/lib/mailbox/completion.c
 * host/lib/mailbox/task.c host/lib/mailbox/flight.c host/lib/mailbox/print.c host/lib/mailbox/report.c host/lib/mailbox/memory.c
 * host/lib/mailbox/doorbell.c host/lib/mailbox/device.c host/lib/core/handle.c host/lib/core/failure.c host/lib/core/names.c
 * host/lib/core/heap.c host/lib/core/pool.c host/lib/core/kernel_list.c host/lib/core/elf_file.c host/lib/core/file.c
 * host/lib/core/print_text.c host/lib/transport/transport.c host/common/deadline.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/kernel/print_record.h"
#include "host/lib/mailbox/context.h"
#include "host/lib/mailbox/pump.h"
#include "host/lib/mailbox/task.h"

#define RAM         0x80000000u
#define BYTES       8192u
/* Offsets in the device's memory. */
#define COMPLETIONS 0u
#define POST        1024u
#define HEAP        4096u
#define PRINTS      2048u /* of a task */
#define ENTRIES     4u
#define TAG         7u

static _Alignas(8) uint8_t ram[BYTES];

static void device_end(void *what)
{
	struct device *device = what;

	assert_int_equal(heap_taken_bytes(&device->heap), 0);
	flight_clear(&device->flight);
	heap_clear(&device->heap);
	pool_clear(&device->jobs);
	(void)pthread_cond_destroy(&device->changed);
	(void)pthread_mutex_destroy(&device->lock);
	free(device);
}

static const struct handle_type device_handles = { .kind = HANDLE_DEVICE, .end = device_end };

static const struct transport_kind memory_kind = { .bytes = sizeof(struct transport) };
static struct transport memory = { .kind = &memory_kind, .bytes = BYTES, .ram = ram };
static const struct reach window = { .map = ram, .transport = &memory };

static struct device *device_make(void)
{
	struct device *device = calloc(1, sizeof(*device));

	assert_non_null(device);
	memset(ram, 0, sizeof(ram));
	device->transport = &memory;
	device->window = &window;
	device->place = (struct place){ .ram = RAM, .ram_bytes = BYTES };
	device->cap.completions_offset = COMPLETIONS;
	device->cap.completion_entries = ENTRIES;
	device->cap.post_offset = POST;
	device->cap.timebase_hz = 1;
	device->fresh = true;
	(void)pthread_mutex_init(&device->lock, NULL);
	(void)pthread_cond_init(&device->changed, NULL);
	assert_int_equal(heap_add(&device->heap, RAM + HEAP, BYTES - HEAP), GG_OK);
	device->handle = handle_make(&device_handles, device, NULL);
	assert_non_null(device->handle);
	return device;
}

static struct context *context_make(struct device *device)
{
	struct context *context = calloc(1, sizeof(*context));

	assert_non_null(context);
	context->device = device;
	context->bytes = BYTES - HEAP;
	assert_int_equal(heap_take(&device->heap, context->bytes, 16, &context->start), GG_OK);
	assert_int_equal(heap_add(&context->heap, context->start, context->bytes), GG_OK);
	device->contexts = context;
	context->handle = handle_make(&context_handles, context, device->handle);
	return context;
}

static struct module *module_make(struct context *context)
{
	struct module *module = calloc(1, sizeof(*module));

	assert_non_null(module);
	module->context = context;
	assert_int_equal(heap_take(&context->heap, 64, 16, &module->base), GG_OK);
	context->modules = module;
	module->handle = handle_make(&module_handles, module, context->handle);
	return module;
}

/** A task on its way whose job is in its context's heap, and which has printed. */
static struct task *task_post(struct context *context, struct module *module)
{
	const struct ganger_print_record print = { .bytes = GANGER_PRINT_HEADER, .format = RAM };
	const uint32_t bytes = GANGER_PRINT_HEADER;
	struct task *task = task_create(context->device);

	assert_non_null(task);
	task->context = context;
	task->module = module;
	assert_int_equal(heap_take(&context->heap, 64, 16, &task->piece), GG_OK);
	task->print = RAM + PRINTS;
	task->print_bytes = bytes;
	memcpy(ram + PRINTS, &bytes, sizeof(bytes));
	memcpy(ram + PRINTS + sizeof(bytes), &print, GANGER_PRINT_HEADER);
	task->done.tag = TAG;
	assert_int_equal(flight_add(&context->device->flight, task), GG_OK);
	context->running++;
	module->running++;
	return task;
}

/** The device writes the completion of the task. */
static void complete(void)
{
	const struct gg_completion completion = { .tag = TAG, .ctas_lo = 3 };
	const uint32_t put = 1;

	memcpy(ram + COMPLETIONS, &completion, sizeof(completion));
	memcpy(ram + POST, &put, sizeof(put));
}

static void drain(struct device *device)
{
	(void)pthread_mutex_lock(&device->lock);
	pump_drain(device);
	(void)pthread_mutex_unlock(&device->lock);
}

/** One thread closes the device, and has released its handle; a second one leaves the last call that used the context;
 * a third one, which waits for a task, takes its completion: the context and the module are not there any more. */
static void task_ends_after_its_context(void **state)
{
	struct device *device = device_make();
	struct context *context = context_make(device);
	struct module *module = module_make(context);
	struct task *task = task_post(context, module);
	struct handle_use closing = handle_enter(HANDLE_DEVICE, device->handle);
	struct handle_use submitting = handle_enter(HANDLE_CONTEXT, context->handle);
	struct handle_use waiting = handle_enter(HANDLE_TASK, task->handle);

	(void)state;
	assert_int_equal(handle_release(&closing), GG_OK);
	handle_leave(&submitting);
	assert_null(device->contexts);
	complete();
	drain(device);
	assert_true(task->ended);
	assert_int_equal(task->done.ctas, 3);
	assert_int_equal(task->output.bytes, 0);
	handle_leave(&waiting);
	handle_leave(&closing);
}

/** A context that is still used when the task ends is told: it counts its tasks, and gets the job's memory back. */
static void task_ends_before_its_context(void **state)
{
	struct device *device = device_make();
	struct context *context = context_make(device);
	struct module *module = module_make(context);
	struct task *task = task_post(context, module);
	struct handle_use closing = handle_enter(HANDLE_DEVICE, device->handle);
	struct handle_use submitting = handle_enter(HANDLE_CONTEXT, context->handle);
	struct handle_use waiting = handle_enter(HANDLE_TASK, task->handle);

	(void)state;
	assert_int_equal(handle_release(&closing), GG_OK);
	complete();
	drain(device);
	assert_true(task->ended);
	assert_int_equal(context->running, 0);
	assert_int_equal(module->running, 0);
	assert_int_equal(heap_taken_bytes(&context->heap), 64); /* the module's */
	assert_true(task->output.bytes > 0);
	handle_leave(&submitting);
	assert_null(device->contexts);
	handle_leave(&waiting);
	handle_leave(&closing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(task_ends_after_its_context),
		cmocka_unit_test(task_ends_before_its_context),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
