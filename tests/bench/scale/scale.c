/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The placement of CGAs by the firmware's own files, on a machine of one core: the SMs are only the blocks of
 * memory that they share with the control processor, and hold the task already. Counts instructions of cga_issue():
 * query, reservation, members, packets (S1-R49, S1-C9).
 */
#include "tests/bench/scale/scale.h"

#include <stdbool.h>
#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/cga/cga.h"
#include "firmware/cp/cga/cga_place.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/start/layout.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/sms/sm_tree.h"
#include "hal/doorbell.h"
#include "hal/ipi.h"
#include "hal/timer.h"

#define FINISHER      0x00100000u
#define FINISHER_PASS 0x5555u
#define FINISHER_FAIL 0x3333u
#define SLOT          1u

extern struct scale_job scale_job; /* scale.ld */
extern unsigned char __window[];   /* scale.ld */

void static_main(uint32_t hart);
_Noreturn void __assert_func(const char *file, int line, const char *function,
			     const char *expression);

static volatile uint32_t interrupt; /* stands for a register of the machine */
static struct task task;

void ipi_send(uint32_t hart)
{
	interrupt = hart;
}

void doorbell_ring_host(void)
{
	interrupt = 0;
}

void timer_set(uint64_t deadline)
{
	(void)deadline;
}

void timer_cancel(void)
{
}

uint64_t timer_now(void)
{
	return 0;
}

_Noreturn static void finish(uint32_t how)
{
	*(volatile uint32_t *)FINISHER = how;
	for (;;) {
	}
}

_Noreturn void __assert_func(const char *file, int line, const char *function,
			     const char *expression)
{
	(void)file;
	(void)line;
	(void)function;
	(void)expression;
	finish(FINISHER_FAIL);
}

static uint32_t instructions(void)
{
	uintptr_t count;

	__asm__ volatile("csrr %0, instret" : "=r"(count) : : "memory");
	return (uint32_t)count;
}

static void map_device(uint32_t sms)
{
	struct gg_cap *cap = (struct gg_cap *)__window;
	const struct layout_input input = {
		.abi_base = (uintptr_t)__window,
		.memory_end = 0xf0000000u,
		.sms = sms,
		.sm_area_bytes = LAYOUT_PAGE,
	};
	struct layout layout;

	if (layout_make(&input, cap, &layout) != GG_OK) {
		finish(FINISHER_FAIL);
	}
	layout_map(cap, __window);
	device.resources = (struct sm_resources){
		.ctas = 8, .warps = 64, .units = 32, .shared_bytes = 65536, .private_bytes = 2097152
	};
}

/* In a GPC eight CPCs, or fewer; TPCs of two SMs. */
static void put_gpc(uint32_t gpc, uint32_t first, uint32_t sms)
{
	const uint32_t cpc_sms = (sms + 15) / 16 * 2;

	for (uint32_t sm = 0; sm < sms; sm++) {
		sm_state_group(first + sm, gg_put(GG_CONFIG_GPC, gpc) |
						   gg_put(GG_CONFIG_CPC, sm / cpc_sms) |
						   gg_put(GG_CONFIG_TPC, sm % cpc_sms / 2));
	}
}

static void hold_task(uint32_t sm)
{
	static const struct task holder = { .turn.slot = SLOT };

	sm_state_add(sm);
	(void)sm_state_assign(sm, &holder);
	device.sms[sm].sync_ack = device.sms[sm].task_assign;
	sm_state_hear(sm);
}

/* Placement remembers nothing of the device before: a session for one SM has levels of its own. */
static void forget_device(void)
{
	static const struct task_needs needs = { .units = 1, .warps = 1 };
	static const uint32_t first_sm[CP_SM_WORDS] = { 1 };

	cga_place_begin(&needs, first_sm);
}

static void make_device(const struct scale_case *want)
{
	uint32_t sms = 0;

	for (uint32_t gpc = 0; gpc < want->gpcs; gpc++) {
		sms += want->gpc_sms[gpc];
	}
	map_device(sms);
	launch_init();
	sm_state_init();
	cga_init();
	forget_device();
	for (uint32_t sm = 0; sm < sms; sm++) {
		hold_task(sm);
	}
	sms = 0;
	for (uint32_t gpc = 0; gpc < want->gpcs; gpc++) {
		put_gpc(gpc, sms, want->gpc_sms[gpc]);
		sms += want->gpc_sms[gpc];
	}
	sm_tree_build();
}

static void make_task(const struct scale_case *want)
{
	task = (struct task){
		.turn.slot = SLOT,
		.rules.needs = { .units = 1, .warps = 1 },
		.rules.unit_mask = 1,
		.work.left = UINT32_MAX,
		.rules.shape = { .levels = 1,
				 .domain = { (uint8_t)want->domain },
				 .spread = want->spread != 0,
				 .parts = { (uint16_t)want->ctas } },
	};
}

static uint32_t cost_of_launch(void)
{
	const uint32_t before = instructions();
	const enum cga_outcome outcome = cga_issue(&task, 1, NULL);
	const uint32_t after = instructions();

	if (outcome != CGA_LAUNCHED) {
		finish(FINISHER_FAIL);
	}
	return after - before;
}

static uint32_t cost_of_query(void)
{
	const uint32_t before = instructions();

	cga_place_begin(&task.rules.needs, NULL);
	if (!cga_place_next(&task.rules.shape)) {
		finish(FINISHER_FAIL);
	}
	return instructions() - before;
}

/* The query comes where the third CGA was: what it takes in the shadow is nobody's. */
static void measure(struct scale_case *want)
{
	make_device(want);
	make_task(want);
	want->first = cost_of_launch();
	(void)cost_of_launch();
	want->query = cost_of_query();
	make_device(want);
	make_task(want);
	(void)cost_of_launch();
	(void)cost_of_launch();
	want->next = cost_of_launch();
}

void static_main(uint32_t hart)
{
	(void)hart;
	for (uint32_t number = 0; number < scale_job.count; number++) {
		measure(&scale_job.cases[number]);
		scale_job.done = number + 1;
	}
	finish(FINISHER_PASS);
}
