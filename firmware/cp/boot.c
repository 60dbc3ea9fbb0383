/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/boot.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/host/config.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/restart.h"
#include "firmware/cp/collect/sm_lost.h"
#include "firmware/cp/graph/graph.h"
#include "firmware/cp/host/channel.h"
#include "firmware/cp/launch/launch_stop.h"
#include "firmware/cp/start/layout.h"
#include "firmware/cp/loop.h"
#include "firmware/cp/start/machine_check.h"
#include "firmware/cp/start/pool.h"
#include "firmware/cp/recover/warm.h"
#include "firmware/cp/sms/sm_start.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/task.h"
#include "firmware/link/service.h"
#include "firmware/sm/sm_area.h"
#include "hal/breadcrumb.h"
#include "hal/cpu.h"
#include "hal/doorbell.h"
#include "hal/fence.h"
#include "hal/hal.h"
#include "hal/hart.h"
#include "hal/irq.h"
#include "hal/memory.h"
#include "hal/mmio.h"
#include "hal/timer.h"

#ifndef CP_BUILD_ID
#define CP_BUILD_ID "unversioned"
#endif

static uint32_t unanswering; /* SMs that could not be stopped after a restart */

#define START_SECONDS 20u /* within which all SMs have to answer */

/** How far boot has got, for the breadcrumb. */
enum step {
	STEP_FOUND = 1,
	STEP_LAID_OUT,
	STEP_STARTED,
	STEP_READY
};

/* The board says how much an SM has. */
static void fill_geometry(struct gg_cap *cap)
{
	cap->xlen = cpu_xlen();
	cap->timebase_hz = timer_hz();
	cap->sm_ctas = hal_board.sm_ctas;
	cap->sm_warps = hal_board.sm_warps;
	cap->sm_units = hal_board.sm_units;
	cap->sm_shared_bytes = hal_board.sm_shared;
	cap->sm_private_bytes = hal_board.sm_private;
	memcpy(&cap->build0, CP_BUILD_ID, sizeof(CP_BUILD_ID) < 16 ? sizeof(CP_BUILD_ID) : 16);
}

/* Returns log2 of the bytes of a memory unit. They are a power of two, so that cores without a divider can convert
 * bytes to units by a shift. */
static uint32_t exact_shift(uint32_t bytes)
{
	assert(bytes != 0 && (bytes & (bytes - 1)) == 0);
	return bits_lowest(bytes);
}

static void fill_device(const struct gg_cap *cap, const struct layout *layout)
{
	device.resources = (struct sm_resources){
		.ctas = cap->sm_ctas,
		.warps = cap->sm_warps,
		.units = cap->sm_units,
		.shared_bytes = cap->sm_shared_bytes,
		.private_bytes = cap->sm_private_bytes,
	};
	device.unit_shared_shift = exact_shift(cap->sm_shared_bytes / cap->sm_units);
	device.unit_private_shift = exact_shift(cap->sm_private_bytes / cap->sm_units);
	device.memory_base = layout->heap;
	device.memory_bytes = layout->heap_bytes;
	device.memory = (unsigned char *)(uintptr_t)
				layout->heap; /* this hart does not translate addresses */
	device.units_base = layout->units;
	device.units_stride = sm_area_units_bytes(cap);
	device.units = (unsigned char *)(uintptr_t)layout->units;
	device.size_max = cap->xlen == 32 ? UINT32_MAX : UINT64_MAX;
}

/* Writes the capability block and clears the register blocks. The magic is cleared here first and written last, in
 * boot(), so that the host does not take the block of an earlier boot for the new one.
 * A machine that failed its check is refused at the end of this function, when the fault can be written to the
 * blocks; but at its start when the memory or the instructions for that may be missing. */
static struct layout lay_out(const struct machine_finding *finding)
{
	const struct memory_map *memory = memory_map();
	struct gg_cap *cap = (struct gg_cap *)hal_board.abi_base;
	struct layout layout;

	if (finding->fault == GG_BOARD_FAULT_RAM || finding->fault == GG_BOARD_FAULT_CORE) {
		machine_refuse(finding);
	}
	device.cap = cap; /* from here on a panic can be written to it */
	if (!restart_is_warm()) {
		mmio_write32(&cap->magic, 0);
		fence_full();
		memset(cap, 0, sizeof(*cap));
	}
	cap->state = GG_DEVICE_STATE_BOOTING;
	fill_geometry(cap);

	const struct layout_input input = {
		.abi_base = hal_board.abi_base,
		.memory_end = (uint64_t)memory->ram_base + memory->ram_bytes,
		.sms = (finding->fault != 0 ? hal_board.harts : memory->harts) - 1,
		.sm_area_bytes = SM_RUNTIME_BYTES + sm_area_units_bytes(cap),
		.sm_runtime_bytes = SM_RUNTIME_BYTES,
	};
	if (layout_make(&input, cap, &layout) != GG_OK) {
		machine_refuse(finding->fault != 0
				       ? finding
				       : &(struct machine_finding){ GG_BOARD_FAULT_ROOM,
								    memory->ram_bytes });
	}
	layout_map(cap, (unsigned char *)cap);
	fill_device(cap, &layout);
	if (restart_is_warm()) {
		unanswering = warm_stop_sms();
		warm_clear();
	} else {
		memset((unsigned char *)cap + sizeof(*cap), 0, cap->window_bytes - sizeof(*cap));
	}
	if (finding->fault != 0) {
		machine_refuse(finding);
	}
	return layout;
}

/* At boot an SM's share of the memory units is its own; throttle mode gives larger ones (S0-R22). */
static void fill_share(struct gg_sm_state *words, uint32_t sm)
{
	gg_split(&words->share_lo, &words->share_hi, device.units_base + sm * device.units_stride);
	words->share_sms = 1;
}

/* An SM that could not be stopped keeps the request to stop. Should it find it, RESET_SM brings it back. */
static void start(uint32_t sm, uint64_t area)
{
	sm_start_prepare(sm, area);
	fill_share(&device.sms[sm], sm);
	if (restart_is_warm() && !warm_sm_stopped(sm)) {
		device.sms[sm].hart_state = GG_HART_STATE_STOPPED;
		launch_stop_sm(sm);
		return;
	}

	const enum hal_status status = sm_start(sm);

	assert(status == HAL_OK);
}

static bool sm_answered(uint32_t sm)
{
	return mmio_read32(&device.sms[sm].hart_state) == GG_HART_STATE_STARTED;
}

static uint32_t sms_answered(void)
{
	uint32_t answered = 0;

	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		answered += sm_answered(sm) ? 1 : 0;
	}
	return answered;
}

/* Sleeps until all SMs have answered, or until the deadline. Both come as interrupts. */
static void wait_for_sms(void)
{
	const uint64_t deadline = timer_now() + (uint64_t)timer_hz() * START_SECONDS;

	irq_disable();
	while (sms_answered() + unanswering < device.sms_count && timer_now() < deadline) {
		timer_set(deadline); /* in every round: a timer may interrupt once without cause */
		wait_for_interrupt();
		irq_enable(); /* the handler runs here */
		irq_disable();
	}
	timer_cancel();
	irq_enable();
	fence_acquire();
}

/* The device has the features that all its SMs have. An SM that did not answer is not used. */
static void gather_sms(void)
{
	uint32_t features = restart_is_warm() ? device.cap->features : UINT32_MAX;

	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		sm_state_add(sm);
		if (sm_answered(sm)) {
			features &= device.sms[sm].features;
		} else {
			if (!restart_is_warm()) {
				sm_state_enable(sm, false);
			}
			sm_lost(sm, 0);
		}
	}
	device.cap->features =
		features | CP_PARTS | (doorbell_present() ? 1u << GG_FEATURE_DOORBELL : 0);
}

static void init_units(const struct layout *layout)
{
	pool_init((void *)(uintptr_t)layout->pool, layout->pool_bytes);
	if (part_is_here(GG_FEATURE_GRAPHS)) {
		graph_init((void *)(uintptr_t)layout->graphs, layout->graphs_bytes);
	}
	device.cap->tasks_max = task_pool_capacity();
	loop_init();
}

void boot(uintptr_t device_tree)
{
	struct machine_finding finding = { 0 };

	breadcrumb_begin();
	irq_source_enable(IRQ_SOURCE_SOFTWARE);
	if (!restart_is_warm()) { /* else the device tree is no more, and memory is in use */
		finding = machine_check(device_tree);
		breadcrumb_drop(STEP_FOUND);
		restart_init();
	}
	const struct layout layout = lay_out(&finding);

	if (restart_is_warm()) {
		device.cap->resets++;
	}
	init_units(&layout);
	if (restart_is_warm()) {
		channel_refuse_all();
	}
	(void)doorbell_init(); /* if it fails, the feature bit is 0 and the host polls */
	breadcrumb_drop(STEP_LAID_OUT);
	if (!restart_is_warm()) {
		(void)hart_gather(); /* if it fails, the missing SMs do not answer below */
	}
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		start(sm, layout.runtimes + (uint64_t)sm * SM_RUNTIME_BYTES);
	}
	wait_for_sms();
	gather_sms();
	config_init();
	breadcrumb_drop(STEP_STARTED);
	device.cap->state = GG_DEVICE_STATE_READY;
	fence_full();
	mmio_write32(&device.cap->magic, GG_ABI_MAGIC);
	breadcrumb_drop(STEP_READY);
	service_start();
	doorbell_ring_host();
}
