/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lab/lab_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/graph/graph.h"
#include "firmware/cp/host/config.h"
#include "firmware/cp/loop.h"
#include "firmware/cp/recover/watch.h"
#include "firmware/cp/schedule/work_distribution.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/start/layout.h"
#include "firmware/cp/start/pool.h"
#include "firmware/cp/task/trace.h"
#include "hal/doorbell.h"
#include "hal/entry.h"
#include "hal/hal.h"
#include "hal/hart.h"
#include "hal/ipi.h"
#include "hal/irq.h"
#include "hal/timer.h"

#define HEAP       0x90000000u
#define CODE_BYTES 4096u       /* the kernels' code, before the TMDs */
#define UNITS      0x80800000u /* units of SM 0 */
#define HZ         1000000000u
#define SPARE      256u     /* places of the task pool beside those of the tasks */
#define POOL       20000u   /* most places of the task pool */
#define GRAPHS     0x10000u /* bytes for task graphs, of which there are none */
#define GPCS       8u

uint64_t lab_now;
uint64_t lab_blocks;

static bool is_rung[CP_SMS];  /* SMs that were interrupted */
static uint32_t rung[CP_SMS]; /* the same SMs, in the order of the interrupts */
static uint32_t rung_count;

void __sanitizer_cov_trace_pc(void);

/* The compiler puts a call of this into each basic block of the control processor's files. */
void __sanitizer_cov_trace_pc(void)
{
	lab_blocks++;
}

uint64_t timer_now(void)
{
	return lab_now;
}

uint32_t timer_hz(void)
{
	return HZ;
}

void timer_set(uint64_t deadline)
{
	(void)deadline;
}

void timer_cancel(void)
{
}

void ipi_send(uint32_t hart)
{
	const uint32_t sm = hart - 1;

	if (!is_rung[sm]) {
		is_rung[sm] = true;
		rung[rung_count++] = sm;
	}
}

const struct hal_board hal_board = { .name = "lab" };

enum hart_state hart_state(uint32_t hart)
{
	(void)hart;
	return HART_STARTED;
}

enum hal_status hart_start(uint32_t hart, uintptr_t entry, uintptr_t argument)
{
	(void)hart;
	(void)entry;
	(void)argument;
	return HAL_OK;
}

enum hal_status hart_reset(uint32_t hart)
{
	(void)hart;
	return HAL_ERR_UNSUPPORTED;
}

void ipi_clear(void)
{
}

void wait_for_interrupt(void)
{
}

/* Nobody asks for a restart of the control processor here. */
_Noreturn void hal_restart(void)
{
	abort();
}

void doorbell_ring_host(void)
{
}

/* Memory that reads as zero; the system gives a page when it is touched. */
static void *memory(uint64_t bytes)
{
	void *found = calloc(1, bytes + LAYOUT_PAGE);

	if (found == NULL) {
		fprintf(stderr, "there is not enough memory for the device\n");
		exit(2);
	}
	return (unsigned char *)found + LAYOUT_PAGE - (uintptr_t)found % LAYOUT_PAGE;
}

static void map(const struct lab_setup *setup)
{
	const struct layout_input input = { .abi_base = 0x80080000u,
					    .memory_end = 0xf0000000u,
					    .sms = setup->sms,
					    .sm_area_bytes = LAYOUT_PAGE };
	const uint64_t heap_bytes = CODE_BYTES + (uint64_t)setup->tasks * sizeof(struct gg_tmd);
	static struct gg_cap cap;
	struct layout layout;

	cap.timebase_hz = HZ;
	if (layout_make(&input, &cap, &layout) != GG_OK) {
		fprintf(stderr, "%u SMs do not fit into the memory of a device\n", setup->sms);
		exit(2);
	}
	device = (struct device){ 0 };
	void *window = memory(cap.window_bytes);
	memcpy(window, &cap, sizeof(cap));
	layout_map(window, window);
	device.resources = (struct sm_resources){ .ctas = setup->ctas,
						  .warps = 64,
						  .units = 32,
						  .shared_bytes = 65536,
						  .private_bytes = 2097152 };
	device.unit_shared_shift = 11;
	device.unit_private_shift = 16;
	device.memory = memory(heap_bytes);
	device.memory_base = HEAP;
	device.memory_bytes = heap_bytes;
	device.size_max = UINT64_MAX;
	device.units_base = UNITS;
	device.units_stride = LAYOUT_PAGE;
}

/* GPCs of the same size, of two CPCs each; every SM is a TPC. */
static void add_sms(uint32_t sms)
{
	const uint32_t gpc_sms = (sms + GPCS - 1) / GPCS;
	const uint32_t cpc_sms = (gpc_sms + 1) / 2;

	for (uint32_t sm = 0; sm < sms; sm++) {
		const uint32_t in_gpc = sm % gpc_sms;

		sm_state_add(sm);
		sm_state_group(sm, gg_put(GG_CONFIG_GPC, sm / gpc_sms) |
					   gg_put(GG_CONFIG_CPC, in_gpc / cpc_sms) |
					   gg_put(GG_CONFIG_TPC, in_gpc % cpc_sms));
	}
}

void lab_device_init(const struct lab_setup *setup)
{
	const uint64_t places = (setup->tasks < POOL ? setup->tasks : POOL) + SPARE;
	const uint64_t pool_bytes = places * pool_bytes_of_a_task();

	lab_now = 1000;
	map(setup);
	pool_init(memory(pool_bytes), pool_bytes);
	graph_init(memory(GRAPHS), GRAPHS);
	loop_init();
	trace_switch(false);
	add_sms(setup->sms);
	watch_set(0);
	config_init();
	work_distribution_set_mode((enum gg_task_mode)setup->mode);
}

bool lab_device_rung(uint32_t *sm)
{
	if (rung_count == 0) {
		return false;
	}
	*sm = rung[--rung_count];
	is_rung[*sm] = false;
	return true;
}

static struct gg_tmd tmd_of(const struct lab_task *task)
{
	return (struct gg_tmd){
		.header = gg_put(GG_TMD_VERSION, GG_TMD_VERSION_1) |
			  gg_put(GG_TMD_PRIORITY, task->priority) |
			  gg_put(GG_TMD_MODE, GG_TASK_MODE_DEVICE) | GG_TMD_SHORT,
		.entry_lo = HEAP,
		.code_lo = HEAP,
		.code_bytes = CODE_BYTES,
		.grid_x = task->ctas,
		.grid_yz = 0x00010001,
		.block_xy = 0x00010000 | task->threads,
		.block_z = 1,
		.shared_bytes = task->shared_bytes,
		.private_bytes = 1024,
	};
}

bool lab_device_post(uint32_t number, const struct lab_task *task)
{
	struct gg_channel *words = &device.channels[0];
	const uint64_t offset = CODE_BYTES + (uint64_t)number * sizeof(struct gg_tmd);
	const struct gg_tmd tmd = tmd_of(task);

	if (words->put - words->get >= CP_CHANNEL_ENTRIES) {
		return false;
	}
	memcpy(device.memory + offset, &tmd, sizeof(tmd));
	device.commands[0].entries[words->put % CP_CHANNEL_ENTRIES] =
		(struct gg_command){ .header = GG_OPCODE_SUBMIT,
				     .tag = number,
				     .address_lo = gg_low(HEAP + offset),
				     .address_hi = gg_high(HEAP + offset) };
	words->put++;
	((unsigned char *)device.post->bells)[0]++;
	return true;
}

bool lab_device_completion(struct gg_completion *done)
{
	struct gg_post *post = device.post;

	if (post->get == post->put) {
		return false;
	}
	*done = device.completions[post->get % CP_COMPLETION_ENTRIES];
	post->get++;
	post->rung++;
	return true;
}
