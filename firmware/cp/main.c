/* SPDX-License-Identifier: Apache-2.0 */
/* The control processor: boot, then one loop.
 *
 * The loop runs the stages that are due, in the order in which work flows: host, SMs, scheduler table (TMU), task table
 * (WDU), completions. Doorbells of the host and of SMs are software interrupts, which never trap: each pass asks whether one
 * waits, and takes it back before it looks. When a pass leaves nothing to do, the loop lets the source through and sleeps.
 * `wfi` returns when an interrupt is pending although interrupts are off, so a doorbell that comes at any instruction is
 * never lost. The other interrupts, which are rare, trap, and raise the software interrupt.
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
#include "firmware/cp/task/stall.h"
#include "firmware/link/service.h"
#include "hal/atomic.h"
#include "hal/doorbell.h"
#include "hal/entry.h"
#include "hal/hart.h"
#include "hal/ipi.h"
#include "hal/irq.h"
#include "hal/mmio.h"
#include "hal/timer.h"

/* A control processor without A does all alone. */
const bool atomic_asks = true;

/* A function of its own, whose calls would cost all other interrupts a stack frame. */
static __attribute__((cold, noinline)) void timer_interrupt(void)
{
	timer_cancel();
	if (part_is_here(GG_FEATURE_WATCHDOG)) {
		watch_tick();
	}
	ipi_send(hart_id());
}

void cp_interrupt(uint32_t cause)
{
	if (cause == IRQ_CAUSE_SOFTWARE) {
		ipi_clear(); /* while it boots: what has rung is looked at in the first pass */
	} else if (cause == IRQ_CAUSE_EXTERNAL) {
		doorbell_answer();
		service_interrupt();
		ipi_send(hart_id());
	} else {
		timer_interrupt();
	}
}

static bool pass(void)
{
	if (irq_waits(IRQ_SOURCE_SOFTWARE)) {
		ipi_clear(); /* before anything is read: what comes later raises it again */
		perf_count(&device.perf->interrupts);
		loop_wake();
	}
	/* Not before the interrupt is taken back: a host that sees the heartbeat move knows that what it rings for from
	 * now on is seen. */
	mmio_write32(&device.cap->heartbeat, stall_turns() + 1);

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
	perf_count(&device.perf->sleeps);
	irq_disable();
	irq_source_enable(IRQ_SOURCE_SOFTWARE);
	wait_for_interrupt();
	irq_source_disable(IRQ_SOURCE_SOFTWARE);
	irq_enable(); /* the handler of any other runs here */
}

void cp_main(uintptr_t hart, uintptr_t device_tree)
{
	(void)hart;
	boot(device_tree);
	irq_source_disable(IRQ_SOURCE_SOFTWARE);
	loop_wake(); /* what came while it booted */
	for (;;) {
		if (!pass()) {
			sleep();
		}
	}
}
