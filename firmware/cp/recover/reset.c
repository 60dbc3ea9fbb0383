/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/recover/reset.h"

#include <stddef.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/collect/inbox.h"
#include "firmware/cp/launch/launch_out.h"
#include "firmware/cp/launch/launch_stop.h"
#include "firmware/cp/sms/sm_fault.h"
#include "firmware/cp/sms/sm_start.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/wave/wave.h"
#include "hal/fence.h"
#include "hal/hart.h"
#include "hal/mmio.h"
#include "hal/timer.h"

#define LOOKS_A_SECOND 1000u /* how often an SM that is being reset is looked at */

static uint32_t under_way[CP_SM_WORDS]; /* bit per SM: it is being reset */
static uint32_t starting[CP_SM_WORDS];  /* of these: its hart was started again */
static uint32_t since[CP_SMS];          /* when it was asked to stop, or started: ticks, low word */
static uint32_t answer_ticks;           /* that it has for either */

/** The RESET_SM command that is being carried out; at most one is. */
static struct {
	bool active;                  /* there is one */
	bool over;                    /* its answer is known, and waits for room */
	uint32_t sm;                  /* the SM */
	struct command_source source; /* of the command */
	struct refusal answer;        /* the answer */
} command;

__attribute__((cold)) void reset_init(void)
{
	memset(under_way, 0, sizeof(under_way));
	memset(starting, 0, sizeof(starting));
	command.active = false;
	command.over = false;
	reset_set_answer(RESET_ANSWER_MS);
}

/* Ticks are counted in 32 bits, which are 42 s at 100 MHz. */
void reset_set_answer(uint32_t ms)
{
	const uint64_t ticks = (uint64_t)ms * (device.cap->timebase_hz / 1000u) + 1u;

	answer_ticks = ticks < INT32_MAX ? (uint32_t)ticks : INT32_MAX;
}

__attribute__((cold)) void reset_begin(uint32_t sm, enum sm_service reason)
{
	if (bits_has(under_way, sm)) {
		return;
	}
	bits_set(under_way, sm);
	bits_clear(starting, sm);
	since[sm] = (uint32_t)timer_now();
	due_set(DUE_RESET);
	sm_state_stop(sm, reason); /* it gets no more CTAs, which would only be lost */
	if (wave_is_here()) {
		wave_want(); /* so that it is known which SMs have counted themselves */
	}
	launch_stop_sm(sm);
}

__attribute__((cold)) struct refusal reset_command(uint32_t sm, const struct command_source *source)
{
	if (sm >= device.sms_count) {
		return refusal_of(GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT0, sm);
	}
	if (command.active || bits_has(under_way, sm)) {
		return refusal_of(GG_ERR_BUSY, GG_FIELD_COMMAND_ARGUMENT0,
				  command.active ? command.sm : sm);
	}
	command.active = true;
	command.sm = sm;
	command.source = *source;
	reset_begin(sm, SM_SERVICE_GIVEN);
	return refusal_none();
}

static void end(uint32_t sm, enum gg_status status)
{
	bits_clear(under_way, sm);
	if (command.active && command.sm == sm) {
		command.answer = status == GG_OK
					 ? refusal_none()
					 : refusal_of(status, GG_FIELD_COMMAND_ARGUMENT0, sm);
		command.over = true;
	}
}

/* Nothing is heard of it from now on, as if it had stopped. */
static void write_off(uint32_t sm, uint32_t fault)
{
	inbox_end(sm, fault);
	mmio_write32(&device.sms[sm].hart_state, GG_HART_STATE_STOPPED);
	sm_state_serve(sm, SM_SERVICE_LOST);
	end(sm, GG_ERR_SM_LOST);
}

/* All words through which the CP and the SM speak, as at boot. Its hart is stopped, so the CP may write those of the SM,
 * too. `come` and `gone` of its CLUSTER block stay: their bits have a meaning only in comparison. */
static void forget(uint32_t sm)
{
	struct gg_sm_state *words = &device.sms[sm];

	const uint32_t traced = words->trace_put; /* the SM goes on with its ring */

	memset(&words->sync_ack, 0, sizeof(*words) - offsetof(struct gg_sm_state, sync_ack));
	words->trace_put = traced;
	memset(&device.launch[sm].header, 0, sizeof(device.launch[sm].header));
	if (part_is_here(GG_FEATURE_PULL)) {
		memset(&device.pulls[sm], 0, sizeof(device.pulls[sm]));
	}
	launch_out_forget(sm);
	launch_stop_forget(sm);
	inbox_forget(sm);
}

static void start(uint32_t sm, uint32_t fault)
{
	inbox_end(sm, fault);
	forget(sm);
	if (sm_start(sm) != HAL_OK) {
		write_off(sm, 0);
		return;
	}
	bits_set(starting, sm);
	since[sm] = (uint32_t)timer_now();
}

/* The SM has started and was probed. It is used only if it has all that the device says of its SMs. */
static void join(uint32_t sm)
{
	const uint32_t others = CP_PARTS | 1u << GG_FEATURE_DOORBELL;

	fence_acquire(); /* the word that says that it runs before the others */
	if ((device.cap->features & ~others & ~mmio_read32(&device.sms[sm].features)) != 0) {
		write_off(sm, 0);
		return;
	}
	sm_state_regain(sm);
	perf_count(&device.perf->sms_back);
	end(sm, GG_OK);
}

/* It does not answer, so its fault record is written for it: its hart is stopped, or not heard any more. */
static void force(uint32_t sm)
{
	sm_state_stop(sm, SM_SERVICE_HANGS);
	const bool stopped = hart_reset(sm + 1) == HAL_OK;
	uint32_t slot = 0;

	while (slot < CP_SLOTS && launch_starts(sm, slot) == 0) {
		slot++;
	}
	const uint32_t fault = sm_fault_write(sm, slot < CP_SLOTS ? task_table_holder(slot) : NULL);

	if (stopped) {
		start(sm, fault);
	} else {
		write_off(sm, fault);
	}
}

static __attribute__((cold)) void step(uint32_t sm)
{
	const bool late = (uint32_t)timer_now() - since[sm] > answer_ticks;

	if (bits_has(starting, sm)) {
		if (mmio_read32(&device.sms[sm].hart_state) == GG_HART_STATE_STARTED) {
			join(sm);
		} else if (late) {
			write_off(sm, 0);
		}
	} else if (hart_state(sm + 1) == HART_STOPPED) {
		start(sm, 0);
	} else if (late) {
		force(sm);
	}
}

__attribute__((cold)) void reset_run(void)
{
	bool any = false;

	for (uint32_t sm = 0; bits_next(under_way, device.sm_words, &sm); sm++) {
		step(sm);
		any = any || bits_has(under_way, sm);
	}
	if (command.over && completion_has_room()) {
		completion_answer(&command.source, &command.answer);
		command.active = false;
		command.over = false;
	}
	if (!any && !command.active) {
		due_clear(DUE_RESET);
	}
}

__attribute__((cold)) uint64_t reset_deadline(void)
{
	return timer_now() + device.cap->timebase_hz / LOOKS_A_SECOND;
}
