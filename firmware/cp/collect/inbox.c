/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/collect/inbox.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/cga/cga_barrier.h"
#include "firmware/cp/cga/cga_record.h"
#include "firmware/cp/collect/report.h"
#include "firmware/cp/collect/sm_request.h"
#include "firmware/cp/collect/sm_lost.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/launch/launch_out.h"
#include "firmware/cp/launch/launch_stop.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/wave/wave.h"
#include "hal/fence.h"
#include "hal/launch_unit.h"
#include "hal/mmio.h"

uint32_t inbox_taken[CP_SMS];
uint32_t inbox_heard[CP_SMS / 4];
uint32_t inbox_rung;

_Static_assert(CP_LAUNCH_ENTRIES >= CP_UNITS, "reports in flight cannot overflow a ring");

void inbox_init(void)
{
	for (uint32_t sm = 0; sm < CP_SMS; sm++) {
		inbox_taken[sm] = 0;
	}
	for (uint32_t word = 0; word < CP_SMS / 4; word++) {
		inbox_heard[word] = 0;
	}
	if (launch_unit_here()) {
		inbox_rung = 0;
	}
	sm_request_init();
}

void inbox_take_reports(uint32_t sm)
{
	struct launch_rings *rings = &device.launch[sm];
	const uint32_t put = mmio_read32(&device.sms[sm].report_put);
	uint32_t get = inbox_taken[sm];

	assert(put - get <= CP_LAUNCH_ENTRIES);
	fence_acquire(); /* read the reports after the count */
	inbox_taken[sm] = put;
	for (; get != put; get++) {
		report_take(sm, &rings->reports[get % CP_LAUNCH_ENTRIES]);
	}
	mmio_write32(&rings->header.report_get, put);
}

/* An SM that belongs to waves has rung. */
static __attribute__((cold, noinline)) void hear_waves(uint32_t sm)
{
	for (uint32_t slots = wave_slots; slots != 0; slots &= slots - 1) {
		const uint32_t slot = bits_lowest(slots);

		if (wave_is_over(slot)) {
			report_wave(slot);
		} else if (wave_counted(slot, sm)) {
			sm_state_hear(sm);
			report_counted(slot, sm);
		}
	}
	if (wave_behind != 0) {
		wave_settle(); /* the SM has said something else */
	}
}

/* Waves were opened: takes what SMs had counted before; the others will ring. */
static __attribute__((cold, noinline)) void look_at_waves(void)
{
	for (uint32_t slots = wave_look(); slots != 0; slots &= slots - 1) {
		const uint32_t slot = bits_lowest(slots);

		for (uint32_t sm = 0; sm < device.sms_count; sm++) {
			if (wave_counted(slot, sm)) {
				sm_state_hear(sm);
				report_counted(slot, sm);
			}
		}
	}
}

__attribute__((cold)) void inbox_end(uint32_t sm, uint32_t fault)
{
	if (!sm_state_is_lost(sm)) {
		inbox_take_reports(sm);
		sm_lost(sm, fault);
	}
}

__attribute__((cold)) void inbox_forget(uint32_t sm)
{
	inbox_taken[sm] = 0;
	sm_request_taken[sm] = 0;
	inbox_heard[sm / 4] &= ~(0xffu << sm % 4 * 8);
	mmio_write8((uint8_t *)device.bells + sm, 0);
	if (launch_unit_here()) {
		inbox_rung &= ~(1u << sm);
	}
}

/* Handles the news of an SM, in the order that the header gives. */
static void hear(uint32_t sm)
{
	if (sm_state_is_lost(sm)) {
		return;
	}
	if (wave_is_here() && wave_slots != 0 && wave_may_ring(sm)) {
		hear_waves(sm);
	}
	sm_state_hear(sm); /* before the last report of a task ends its assignment */
	if (cga_record_live() != 0) {
		cga_barrier_hear(sm);
	}
	if (mmio_read32(&device.sms[sm].report_put) != inbox_taken[sm]) {
		inbox_take_reports(sm);
	}
	if (sm_request_waits(sm)) {
		sm_request_serve(sm);
	}
	if (due_is(DUE_STOPS)) {
		launch_stop_next(sm);
	}
	if (inbox_has_stopped(sm)) {
		inbox_end(sm, 0);
	}
}

static void hear_word(uint32_t word, uint32_t changed)
{
	while (changed != 0) {
		const uint32_t byte = bits_lowest(changed) / 8;

		changed &= ~(0xffu << 8 * byte);
		hear(word * 4 + byte);
	}
}

static bool hear_rung(void)
{
	inbox_take_bells();
	const bool any = inbox_rung != 0;

	while (inbox_rung != 0) {
		const uint32_t sm = bits_lowest(inbox_rung);

		inbox_rung &= inbox_rung - 1;
		hear(sm);
	}
	return any;
}

void inbox_run(void)
{
	const uint32_t *bell = device.bells;
	const uint32_t *const end = bell + (launch_unit_here() ? 0 : (device.sms_count + 3) / 4);
	bool any = wave_is_here() && due_is(DUE_WAVE);

	if (any) {
		look_at_waves();
	}
	if (launch_unit_here()) {
		any = hear_rung() || any;
	}
	for (uint32_t *heard = inbox_heard; bell != end; bell++, heard++) {
		const uint32_t rung = mmio_read32(bell);
		const uint32_t changed = rung ^ *heard;

		if (changed != 0) {
			*heard = rung;
			fence_acquire(); /* read the news after the bell */
			hear_word((uint32_t)(heard - inbox_heard), changed);
			any = true;
		}
	}
	if (any) {
		due_set(DUE_SCHEDULE);
		if (cga_record_live() != 0) {
			cga_barrier_ring();
		}
	}
}
