/* SPDX-License-Identifier: Apache-2.0 */
/* Panic: how the control processor ends after an exception in its own code or a failed assertion. It writes what
 * is known to the ERROR block. Then it boots again, where that is allowed (base/restart.h), or interrupts the host and
 * stops: no SM gets another CTA. */
#include <stddef.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/restart.h"
#include "firmware/link/service.h"
#include "hal/doorbell.h"
#include "hal/entry.h"
#include "hal/fence.h"
#include "hal/irq.h"
#include "hal/mmio.h"

#define CAUSE_ASSERT 0xffffffffu /* `cause` of the ERROR block: a failed assertion */

/* What picolibc's assert() calls. */
_Noreturn void __assert_func(const char *file, int line, const char *function,
			     const char *expression);

/* The record is cleared but for the number of panics: there may be one of a panic before a restart. NULL: there is no
 * place for it yet. */
static struct gg_error *begin_record(void)
{
	struct gg_error *error = device.error;

	if (part_is_here(GG_FEATURE_RESTARTS) && error != NULL) {
		const uint32_t panics = error->panics;

		memset(error, 0, sizeof(*error));
		error->panics = panics;
	}
	return error;
}

static _Noreturn void panic_end(void)
{
	irq_disable();
	if (device.error != NULL) {
		device.error->panics =
			part_is_here(GG_FEATURE_RESTARTS) ? device.error->panics + 1 : 1;
	}
	if (part_is_here(GG_FEATURE_RESTARTS) && restart_is_due()) {
		restart_now();
	}
	if (device.cap != NULL) {
		device.cap->state = GG_DEVICE_STATE_PANIC;
		fence_full();
		mmio_write32(&device.cap->magic,
			     GG_ABI_MAGIC); /* boot may not have written it yet */
		doorbell_ring_host();
	}
	irq_source_disable(IRQ_SOURCE_SOFTWARE | IRQ_SOURCE_TIMER);
	for (;;) {
		wait_for_interrupt();
		service_stand();
	}
}

void cp_panic(const struct trap_frame *frame)
{
	struct gg_error *error = begin_record();

	if (error != NULL) {
		error->cause = (uint32_t)frame->cause;
		gg_split(&error->pc_lo, &error->pc_hi, frame->pc);
		gg_split(&error->address_lo, &error->address_hi, frame->value);
		for (uint32_t x = 1; x < 32; x++) {
			gg_split(&error->registers[2 * x - 2], &error->registers[2 * x - 1],
				 frame->x[x]);
		}
	}
	panic_end();
}

void __assert_func(const char *file, int line, const char *function, const char *expression)
{
	struct gg_error *error = begin_record();

	(void)function;
	(void)expression;
	if (error != NULL) {
		error->cause = CAUSE_ASSERT;
		error->line = (uint32_t)line;
		strncpy((char *)error->file, file, sizeof(error->file) - 1);
	}
	panic_end();
}
