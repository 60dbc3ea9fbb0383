/* SPDX-License-Identifier: Apache-2.0 */
/* The control processor: boot, then one loop.
 *
 * An interrupt only sets the event word. The loop runs the stages that are due, in the order in which work flows:
 * host, SMs, scheduler table (TMU), task table (WDU), completions. When a pass leaves nothing to do, the loop looks at
 * the event word once more with interrupts off, and sleeps. `wfi` returns when an interrupt is pending although
 * interrupts are off, so a doorbell that comes at any instruction is never lost.
 *
 *      ┌──────────── pass ────────────┐  nothing left   ┌───────┐
 *  ──▶ │ host ▸ SMs ▸ TMU ▸ WDU ▸ post │ ──────────────▶ │ sleep │
 *      └──────────────────────────────┘ ◀────────────── └───────┘
 *                                         interrupt
 */
#include <stdbool.h>
#include <stdint.h>

#include "firmware/cp/boot.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/loop.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/recover/watch.h"
#include "firmware/link/service.h"
#include "hal/atomic.h"
#include "hal/doorbell.h"
#include "hal/entry.h"
#include "hal/ipi.h"
#include "hal/irq.h"
#include "hal/mmio.h"
#include "hal/timer.h"

/* A control processor without A does all alone. */
const bool atomic_asks = true;

static uint32_t event; /* set by the interrupt handler, cleared by the loop */

static inline void note_interrupt(void)
{
	mmio_write32(&event, 1);
	perf_count(&device.perf->interrupts);
}

/* A function of its own, whose calls would cost all other interrupts a stack frame. */
static __attribute__((cold, noinline)) void timer_interrupt(void)
{
	timer_cancel();
	if (part_is_here(GG_FEATURE_WATCHDOG)) {
		watch_tick();
	}
	note_interrupt();
}

void cp_interrupt(uint32_t cause)
{
	if (cause == IRQ_CAUSE_SOFTWARE) {
		ipi_clear(); /* before anything is read: what comes later raises it again */
	} else if (cause == IRQ_CAUSE_EXTERNAL) {
		doorbell_answer();
		service_interrupt();
	} else {
		timer_interrupt();
		return;
	}
	note_interrupt();
}

/* What comes while it runs interrupts, and sets the event word again. */
static bool pass(void)
{
	if (mmio_read32(&event) != 0) {
		mmio_write32(&event, 0);
		loop_wake();
	}
	/* Not before the event word is cleared: a host that sees the heartbeat move knows that what it rings for from
	 * now on is seen. */
	mmio_write32(&device.cap->heartbeat, device.cap->heartbeat + 1);
	perf_count(&device.perf->passes);

	const bool more = loop_turn();

	if (service_turn()) {
		loop_wake(); /* a frame of the host may have been a command or a doorbell */
		return true;
	}
	return more;
}

/* The timer is only touched when there is a deadline: nearly never. */
static void sleep(void)
{
	const uint64_t deadline = loop_deadline();

	if (deadline != UINT64_MAX) {
		timer_set(deadline);
	}
	irq_disable();
	if (mmio_read32(&event) == 0) {
		perf_count(&device.perf->sleeps);
		wait_for_interrupt();
		if (irq_pending(IRQ_SOURCE_SOFTWARE)) {
			cp_interrupt(IRQ_CAUSE_SOFTWARE); /* nearly always it is this: no trap */
		}
	}
	irq_enable(); /* the handler of any other runs here */
}

void cp_main(uintptr_t hart, uintptr_t device_tree)
{
	(void)hart;
	boot(device_tree);
	loop_wake(); /* what came while it booted */
	for (;;) {
		if (!pass()) {
			sleep();
		}
	}
}
