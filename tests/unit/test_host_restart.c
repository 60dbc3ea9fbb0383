/* SPDX-License-Identifier: Apache-2.0 */
/* The control processor boots again while a host takes completions: what comes between two of the host's looks at the device.
 * The device's memory is copied here, so that the device can go on at each look.
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

#include "host/lib/mailbox/pump.h"
#include "host/lib/mailbox/task.h"

#define BYTES       8192u
/* Offsets in the device's memory; the capability block is at 0. */
#define POST        4096u
#define COMPLETIONS 4352u
#define ENTRIES     4u
#define TAGS        2u

static _Alignas(8) uint8_t ram[BYTES];
static uint32_t completed; /* completions that the device has written */
static uint32_t looks;     /* at the state of the device, until it boots again; 0: it does not */
static uint32_t before;    /* tasks that it completes before */

static void store(uint32_t offset, uint32_t word)
{
	memcpy(ram + offset, &word, sizeof(word));
}

/** The device completes the next task. */
static void complete(void)
{
	const struct gg_completion done = { .tag = completed + 1, .ctas_lo = 3 };

	memcpy(ram + COMPLETIONS + completed * sizeof(done), &done, sizeof(done));
	completed++;
	store(POST + (uint32_t)offsetof(struct gg_post, put), completed);
}

/* At the look at which it is time for that, the device completes tasks and boots again, before the host reads its state. */
static int memory_read(struct transport *transport, uint64_t offset, void *data, uint64_t bytes)
{
	(void)transport;
	if (offset == offsetof(struct gg_cap, state) && looks != 0 && --looks == 0) {
		for (; before != 0; before--) {
			complete();
		}
		store((uint32_t)offsetof(struct gg_cap, resets), 1);
	}
	memcpy(data, ram + offset, bytes);
	return GG_OK;
}

static int memory_write(struct transport *transport, uint64_t offset, const void *data,
			uint64_t bytes)
{
	(void)transport;
	memcpy(ram + offset, data, bytes);
	return GG_OK;
}

static int memory_ring(struct transport *transport)
{
	(void)transport;
	return GG_OK;
}

static const struct transport_kind memory_kind = { .bytes = sizeof(struct transport),
						   .read = memory_read,
						   .write = memory_write,
						   .ring = memory_ring };
static struct transport memory = { .kind = &memory_kind,
				   .bytes = BYTES,
				   .lock = PTHREAD_MUTEX_INITIALIZER };
static const struct reach window = { .transport = &memory };

/** A device with tasks on their way, of tags from 1 on. */
static struct device *device_make(struct task **tasks)
{
	struct device *device = calloc(1, sizeof(*device));

	assert_non_null(device);
	memset(ram, 0, sizeof(ram));
	completed = 0;
	looks = 0;
	before = 0;
	store((uint32_t)offsetof(struct gg_cap, state), GG_DEVICE_STATE_READY);
	device->transport = &memory;
	device->window = &window;
	device->cap.features = 1u << GG_FEATURE_RESTARTS;
	device->cap.completions_offset = COMPLETIONS;
	device->cap.completion_entries = ENTRIES;
	device->cap.post_offset = POST;
	device->cap.timebase_hz = 1;
	(void)pthread_mutex_init(&device->lock, NULL);
	(void)pthread_cond_init(&device->changed, NULL);
	for (uint32_t i = 0; i < TAGS; i++) {
		tasks[i] = task_create(device);
		assert_non_null(tasks[i]);
		tasks[i]->done.tag = i + 1;
		assert_int_equal(flight_add(&device->flight, tasks[i]), GG_OK);
	}
	return device;
}

static void drain(struct device *device)
{
	(void)pthread_mutex_lock(&device->lock);
	pump_drain(device);
	(void)pthread_mutex_unlock(&device->lock);
}

static void device_end(struct device *device, struct task **tasks)
{
	assert_int_equal(device->flight.count, 0);
	assert_int_equal(device->traffic.completed, TAGS);
	assert_int_equal(device->traffic.unknown, 0);
	for (uint32_t i = 0; i < TAGS; i++) {
		struct handle_use use = handle_enter(HANDLE_TASK, tasks[i]->handle);

		assert_int_equal(handle_release(&use), GG_OK);
		handle_leave(&use);
	}
	flight_clear(&device->flight);
	(void)pthread_cond_destroy(&device->changed);
	(void)pthread_mutex_destroy(&device->lock);
	free(device);
}

static void expect(const struct task *task, enum gg_status status)
{
	assert_true(task->ended);
	assert_int_equal(task->done.status, status);
	assert_int_equal(task->done.ctas, status == GG_OK ? 3 : 0);
}

/** A task completes after the host has looked at the completions, and before it learns of the restart: it has completed. */
static void completes_between_two_looks(void **state)
{
	for (uint32_t tasks_before = 0; tasks_before <= TAGS; tasks_before++) {
		struct task *tasks[TAGS];
		struct device *device = device_make(tasks);

		(void)state;
		before = tasks_before;
		looks = 1;
		drain(device);
		for (uint32_t i = 0; i < TAGS; i++) {
			expect(tasks[i], i < tasks_before ? GG_OK : GG_ERR_DEVICE_RESET);
		}
		assert_int_equal(device->resets, 1);
		device_end(device, tasks);
	}
}

/** While the device boots nothing ends; then what had not completed does, once. */
static void ends_when_it_is_ready(void **state)
{
	struct task *tasks[TAGS];
	struct device *device = device_make(tasks);

	(void)state;
	complete();
	store((uint32_t)offsetof(struct gg_cap, state), GG_DEVICE_STATE_BOOTING);
	store((uint32_t)offsetof(struct gg_cap, resets), 1);
	drain(device);
	expect(tasks[0], GG_OK);
	assert_false(tasks[1]->ended);
	store((uint32_t)offsetof(struct gg_cap, state), GG_DEVICE_STATE_READY);
	drain(device);
	drain(device);
	expect(tasks[1], GG_ERR_DEVICE_RESET);
	device_end(device, tasks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(completes_between_two_looks),
		cmocka_unit_test(ends_when_it_is_ready),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
