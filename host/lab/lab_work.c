/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lab/lab_work.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct lab_setup lab_setup;
struct lab_task *lab_tasks;

static uint64_t number(void)
{
	uint64_t value;

	if (scanf("%" SCNu64, &value) != 1) {
		fprintf(stderr, "the workload ends too early\n");
		exit(2);
	}
	return value;
}

static uint32_t word(void)
{
	return (uint32_t)number();
}

static void *array(uint64_t count, size_t bytes)
{
	void *memory = calloc(count, bytes);

	if (memory == NULL) {
		fprintf(stderr, "there is not enough memory for the workload\n");
		exit(2);
	}
	return memory;
}

static void read_task(struct lab_task *task)
{
	task->at = number();
	task->priority = word();
	task->ctas = word();
	task->threads = word();
	task->shared_bytes = word();
	task->times = word();
	task->ns = array(task->times, sizeof(task->ns[0]));
	for (uint32_t index = 0; index < task->times; index++) {
		task->ns[index] = number();
	}
}

void lab_work_read(void)
{
	lab_setup.sms = word();
	lab_setup.ctas = word();
	lab_setup.lanes = word();
	lab_setup.mode = word();
	lab_setup.block_ns = word();
	lab_setup.log = word();
	lab_setup.tasks = word();
	lab_tasks = array(lab_setup.tasks, sizeof(lab_tasks[0]));
	for (uint32_t index = 0; index < lab_setup.tasks; index++) {
		read_task(&lab_tasks[index]);
	}
}
