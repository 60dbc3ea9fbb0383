/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The control processor's units as a library for Python: a device in arrays whose clock, host and
 * SMs the caller plays. One call takes what they do before a turn of the loop, makes the turn, and
 * returns all that it changed. The HAL's calls do nothing.
 *
 * A failed assertion in the units does not end the caller: the turn is given up and says so.
 */
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/host/config.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/due.h"
#include "firmware/cp/express/express.h"
#include "firmware/cp/start/layout.h"
#include "firmware/cp/loop.h"
#include "firmware/cp/policy/policy.h"
#include "firmware/cp/start/pool.h"
#include "firmware/cp/recover/reset.h"
#include "firmware/cp/recover/watch.h"
#include "firmware/cp/schedule/issue.h"
#include "firmware/cp/sms/sm_start.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/wave/wave.h"
#include "firmware/cp/task/quarantine.h"
#include "firmware/cp/task/trace.h"
#include "hal/doorbell.h"
#include "hal/entry.h"
#include "hal/hal.h"
#include "hal/hart.h"
#include "hal/ipi.h"
#include "hal/irq.h"
#include "hal/timer.h"
#include "tests/model/driver_tell.h"

/* An order of tasks that chooses those that would be next without it. libscheduler-checked.so has it: the walk of policies
 * that choose tasks is compared with the reference, too. */
static uint32_t driver_first(struct task *const *tasks, uint32_t count)
{
	(void)tasks;
	(void)count;
	return 0;
}

extern const struct policy_order driver_order;
const struct policy_order driver_order = { .next = driver_first, .seat = driver_first };

#define HEAP       0x90000000u
#define HEAP_BYTES 0x40000u
#define WINDOW     0x400000u
#define POOL_BYTES 0x200000u
#define UNITS      0x80800000u /* units of SM 0 */

/* What is done before a turn: a word of these, then its operands. */
enum op {
	OP_POST = 1,    /* channel, 8 words: a command */
	OP_MEMORY = 2,  /* offset in the heap, words, the words */
	OP_CHANNEL = 3, /* channel, priority */
	OP_CONFIG = 4,  /* byte offset in the CONFIG block, value */
	OP_ACK = 5,     /* SM: acknowledges its assignment */
	OP_REPORT = 6,  /* SM, packet.task, starts, status, CTA */
	OP_REQUEST = 7, /* SM, 10 words: struct gg_request */
	OP_TIME = 8,    /* ticks that pass */
	OP_STOP = 9,    /* SM: has acted on its stop_slot */
	OP_COUNT =
		10, /* SM, slot: counts itself in the slot's wave; rings if that ends it, or if it is open */
	OP_WAVES = 11, /* from now on: 0 no waves, 1 open ones, 2 closed ones */
	OP_LOSE = 12,  /* SM, whether its hart sleeps at once: it says that it has stopped */
	OP_SLEEP = 13, /* SM: its hart sleeps in the start code */
	OP_BOOT = 14,  /* SM: its hart was started, and says that it runs */
	OP_WATCH = 15, /* SM: the watchdog has it reset */
	OP_LIFT = 16,  /* channel: the kernels that its tasks brought into quarantine are let out */
};

/* Whether the short way of plain tasks may be taken. */
enum express {
	EXPRESS_OFF = 0,
	EXPRESS_ON = 1,
	EXPRESS_SWITCHED = 2, /* in about half of the turns, the same ones each time */
};

/* How the device is made. */
struct model_setup {
	uint32_t sms;     /* SMs */
	uint32_t ctas;    /* CTA slots of each */
	uint32_t warps;   /* warp slots of each */
	uint32_t units;   /* memory units of each */
	uint32_t tasks;   /* places of the task pool */
	uint32_t express; /* enum express */
};

static unsigned char *window;
static unsigned char *heap;
static void *pool;
static uint64_t now;
static uint32_t asserts;
static uint32_t express;
static uint32_t turns;
static bool hart_stopped[CP_SMS]; /* the hart of each SM sleeps in the start code */
static struct sm_boot boots[CP_SMS];
static jmp_buf give_up;

void model_init(const struct model_setup *setup);
uint32_t model_turn(const uint32_t *ops, uint32_t count, uint32_t *out);
uint32_t model_slots(void);

uint64_t timer_now(void)
{
	return now;
}

uint32_t timer_hz(void)
{
	return 10000000;
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
	(void)hart;
}

const struct hal_board hal_board = { .name = "model" };

enum hart_state hart_state(uint32_t hart)
{
	return hart_stopped[hart - 1] ? HART_STOPPED : HART_STARTED;
}

enum hal_status hart_start(uint32_t hart, uintptr_t entry, uintptr_t argument)
{
	(void)entry;
	(void)argument;
	hart_stopped[hart - 1] = false;
	tell_forget(hart - 1);
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

/* What the C library's assert() calls: the library is linked so that its own is taken. */
void __assert_fail(const char *expression, const char *file, unsigned int line,
		   const char *function)
{
	fprintf(stderr, "%s:%u: %s: assertion failed: %s\n", file, line, function, expression);
	asserts++;
	longjmp(give_up, 1);
}

static void memory_clear(void)
{
	if (window == NULL) {
		window = aligned_alloc(4096, WINDOW);
		heap = aligned_alloc(4096, HEAP_BYTES);
		pool = aligned_alloc(4096, POOL_BYTES);
		if (window == NULL || heap == NULL || pool == NULL) {
			abort();
		}
		memset(window, 0, WINDOW);
	}
	if (device.cap != NULL) {
		memset(window, 0, device.cap->window_bytes);
	}
	memset(heap, 0, HEAP_BYTES);
	tell_begin();
}

void model_init(const struct model_setup *setup)
{
	const struct layout_input input = {
		.abi_base = 0x80080000u,
		.memory_end = 0xf0000000u,
		.sms = setup->sms,
		.sm_area_bytes = 4096,
	};
	struct layout layout;

	memory_clear();
	now = 1000;
	asserts = 0;
	express = setup->express;
	turns = 0;
	device = (struct device){ .cap = (struct gg_cap *)window };
	device.cap->timebase_hz = timer_hz();
	if (layout_make(&input, device.cap, &layout) != GG_OK ||
	    device.cap->window_bytes > WINDOW) {
		abort();
	}
	layout_map(device.cap, window);
	device.resources = (struct sm_resources){ .ctas = setup->ctas,
						  .warps = setup->warps,
						  .units = setup->units,
						  .shared_bytes = setup->units << 11,
						  .private_bytes = setup->units << 16 };
	device.unit_shared_shift = 11;
	device.unit_private_shift = 16;
	device.memory = heap;
	device.memory_base = HEAP;
	device.memory_bytes = HEAP_BYTES;
	device.size_max = UINT64_MAX;
	device.units_base = UNITS;
	device.units_stride = setup->units * 0x10800u;
	pool_init(pool, (uint64_t)setup->tasks * pool_bytes_of_a_task());
	loop_init();
	trace_switch(false);
	memset(hart_stopped, 0, sizeof(hart_stopped));
	for (uint32_t sm = 0; sm < setup->sms; sm++) {
		sm_start_prepare(sm, (uintptr_t)&boots[sm]);
		sm_state_add(sm);
	}
	watch_set(0); /* SMs take no interrupts here */
	config_init();
	issue_set_mode(GG_TASK_MODE_LOAD_BALANCING); /* the reference has no PULL grids */
}

/* Slots of the task table. */
uint32_t model_slots(void)
{
	return CP_SLOTS;
}

static void bell(uint32_t sm)
{
	((unsigned char *)device.bells)[sm]++;
}

static void post(uint32_t channel, const uint32_t *words)
{
	struct gg_channel *ends = &device.channels[channel];

	memcpy(&device.commands[channel].entries[ends->put % CP_CHANNEL_ENTRIES], words,
	       sizeof(struct gg_command));
	ends->put++;
	if (words[1] % 2 == 0) { /* hosts of both kinds: by the command's tag */
		device.post->rung++;
	} else {
		((unsigned char *)device.post->bells)[channel]++;
	}
}

static void report(uint32_t sm, const uint32_t *words)
{
	struct gg_sm_state *ends = &device.sms[sm];

	device.launch[sm].reports[ends->report_put % CP_LAUNCH_ENTRIES] = (struct gg_report){
		.task = words[0],
		.starts = words[1],
		.status = words[2],
		.cta_lo = words[3],
		.first_lo = gg_low(now),
		.first_hi = gg_high(now),
		.last_lo = gg_low(now),
		.last_hi = gg_high(now),
	};
	ends->report_put++;
	bell(sm);
}

static void request(uint32_t sm, const uint32_t *words)
{
	struct gg_sm_state *ends = &device.sms[sm];

	memcpy(&device.launch[sm].requests[ends->request_put % CP_LAUNCH_ENTRIES], words,
	       sizeof(struct gg_request));
	ends->request_put++;
	bell(sm);
}

/* An SM counts itself. Its acknowledgement is there, but it does not ring for that. */
static void count(uint32_t sm, uint32_t slot)
{
	struct gg_wave *entry = &device.waves[slot].entry;
	const uint32_t ticks = (uint32_t)(now - gg_join(entry->since_lo, entry->since_hi));

	entry->first = ticks < entry->first ? ticks : entry->first;
	entry->last = ticks > entry->last ? ticks : entry->last;
	entry->left--;
	device.sms[sm].wave_ack = entry->serial;
	device.sms[sm].sync_ack = tell_assigned[sm];
	if (entry->left == 0 || entry->open != 0) {
		bell(sm);
	}
}

/* No wave is launched while the device is traced. Without atomic operations waves are open. */
static void waves(uint32_t mode)
{
	wave_settle();
	trace_switch(mode == 0);
	device.cap->features = mode == 2 ? 1u << GG_FEATURE_ATOMICS : 0;
}

static void lose(uint32_t sm, bool asleep)
{
	device.sms[sm].hart_state = GG_HART_STATE_STOPPED;
	hart_stopped[sm] = asleep;
	bell(sm);
}

static void boot(uint32_t sm)
{
	device.sms[sm].features = UINT32_MAX;
	device.sms[sm].hart_state = GG_HART_STATE_STARTED;
}

/* Do one of the ops; the number of its words. */
static uint32_t act(const uint32_t *op)
{
	switch ((enum op)op[0]) {
	case OP_POST:
		post(op[1], op + 2);
		return 10;
	case OP_MEMORY:
		memcpy(heap + op[1], op + 3, op[2] * 4);
		return 3 + op[2];
	case OP_CHANNEL:
		device.channels[op[1]].priority = op[2];
		return 3;
	case OP_CONFIG:
		memcpy((unsigned char *)device.config + op[1], op + 2, 4);
		return 3;
	case OP_ACK:
		device.sms[op[1]].sync_ack = tell_assigned[op[1]];
		bell(op[1]);
		return 2;
	case OP_REPORT:
		report(op[1], op + 2);
		return 6;
	case OP_REQUEST:
		request(op[1], op + 2);
		return 12;
	case OP_TIME:
		now += op[1];
		return 2;
	case OP_STOP:
		device.sms[op[1]].stop_ack = device.sms[op[1]].stop_slot;
		bell(op[1]);
		return 2;
	case OP_COUNT:
		count(op[1], op[2]);
		return 3;
	case OP_WAVES:
		waves(op[1]);
		return 2;
	case OP_LOSE:
		lose(op[1], op[2] != 0);
		return 3;
	case OP_SLEEP:
		hart_stopped[op[1]] = true;
		return 2;
	case OP_BOOT:
		boot(op[1]);
		return 2;
	case OP_WATCH:
		wave_settle(); /* as the loop does before */
		reset_begin(op[1], SM_SERVICE_HANGS);
		return 2;
	case OP_LIFT:
		quarantine_lift(op[1]);
		return 2;
	}
	abort();
}

/* Ticks until a deadline; the most that fits for none. */
static uint32_t ticks_left(uint64_t deadline)
{
	if (deadline <= now) {
		return 0;
	}
	return deadline - now < UINT32_MAX ? (uint32_t)(deadline - now) : UINT32_MAX;
}

/* One turn: do the ops, turn, tell. Returns the number of words told; 0 after a failed assertion.
 * @param out  At least 64 KiB. */
uint32_t model_turn(const uint32_t *ops, uint32_t count, uint32_t *out)
{
	uint32_t *end = out;

	for (uint32_t at = 0; at < count;) {
		at += act(ops + at);
	}
	if (setjmp(give_up) != 0) {
		return 0;
	}
	turns++;
	express_switch(express == EXPRESS_SWITCHED ? (turns * 0x9e3779b9u >> 31) != 0
						   : express == EXPRESS_ON);
	loop_wake();
	*end++ = loop_turn();
	*end++ = ticks_left(loop_deadline());
	end = tell(end);
	return (uint32_t)(end - out);
}
