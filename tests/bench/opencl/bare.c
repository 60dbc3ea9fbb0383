/* SPDX-License-Identifier: Apache-2.0 */
/* bare IMAGE COUNT DEVICE: the same as platform.c on libganger alone. DEVICE is a board, or the path of a device
 * that is up. */
#include <string.h>

#include "figures.h"
#include "host/include/ganger.h"

#define WAIT_MS 60000u

static struct gg_task *last;

static void launch(void *what)
{
	struct gg_work *work = what;
	struct gg_task *before = last;

	work->after = &before;
	work->after_count = before != NULL;
	NEED(gg_submit(work, WAIT_MS, &last));
	if (before)
		NEED(gg_task_release(before));
}

static void finish(void *what)
{
	(void)what;
	NEED(gg_task_wait(last, WAIT_MS, NULL));
	NEED(gg_task_release(last));
	last = NULL;
}

int main(int argc, char **argv)
{
	long count = argc == 4 ? atol(argv[2]) : -1;
	struct gg_argument argument = { GG_ARGUMENT_BUFFER, 8, NULL };
	struct gg_work work = { .grid = { 1, 1, 1 },
				.block = { 1, 1, 1 },
				.mode = GG_TASK_MODE_DEVICE,
				.dimensions = 1,
				.argument_count = 1,
				.arguments = &argument,
				.time_limit_us = 60000000 };
	struct gg_device *device;
	struct gg_context *context;
	struct gg_boot boot = { 0 };
	uint64_t address;
	int32_t result;

	if (count < 0) {
		(void)fprintf(stderr, "bare IMAGE COUNT DEVICE\n");
		return 1;
	}
	boot.board = argv[3];
	if (strchr(argv[3], '/'))
		NEED(gg_device_attach(argv[3], &device));
	else
		NEED(gg_device_boot(&boot, &device));
	NEED(gg_context_create(device, 0, &context));
	NEED(gg_module_load(context, argv[1], &work.module));
	NEED(gg_kernel_find(work.module, "next", &work.kernel));
	NEED(gg_alloc(context, 4, 4, &address));
	NEED(gg_context_write(context, address, &(int32_t){ 0 }, 4));
	argument.data = &address;
	launch(&work);
	finish(&work);
	if (count == 0)
		measure_rounds(launch, finish, &work);
	measure_chain(count ? count : 1000, launch, finish, &work);
	NEED(gg_context_read(context, address, &result, 4));
	NEED(result != 1 + (count ? count : 1000 + ROUNDS));
	return (int)gg_device_close(device);
}
