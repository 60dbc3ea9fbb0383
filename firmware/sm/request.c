/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/request.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/kernel/gg_cta.h"
#include "firmware/sm/bell.h"
#include "firmware/sm/schedule.h"
#include "firmware/sm/units.h"
#include "hal/fence.h"
#include "hal/mmio.h"

/* Bytes from an address to the end of a region; 0 when the address is outside. */
static uintptr_t request_rest(uintptr_t address, uintptr_t base, uintptr_t bytes)
{
	return address - base < bytes ? bytes - (address - base) : 0;
}

/* Bytes that the CTA may read from `source` on, in its own memory or in its context's heap. */
static uint32_t request_readable(const struct sm *sm, const struct sm_cta *cta, uintptr_t source)
{
	const struct gg_tmd *tmd = cta->task->tmd;
	uintptr_t rest = request_rest(source, cta->base, (uintptr_t)cta->units * sm->unit_bytes);

	if (rest == 0) {
		rest = request_rest(source, (uintptr_t)gg_join(tmd->heap_lo, tmd->heap_hi),
				    (uintptr_t)gg_join(tmd->heap_bytes_lo, tmd->heap_bytes_hi));
	}
	return rest < UINT32_MAX ? (uint32_t)rest : UINT32_MAX;
}

static const uint8_t request_kinds[] = {
	[GG_CALL_LAUNCH - GG_CALL_LAUNCH] = GG_REQUEST_KIND_LAUNCH,
	[GG_CALL_QUEUE_PUSH - GG_CALL_LAUNCH] = GG_REQUEST_KIND_PUSH,
	[GG_CALL_PRINT - GG_CALL_LAUNCH] = GG_REQUEST_KIND_PRINT,
	[GG_CALL_QUEUE_CLOSE - GG_CALL_LAUNCH] = GG_REQUEST_KIND_CLOSE,
	[GG_CALL_OCCUPANCY - GG_CALL_LAUNCH] = GG_REQUEST_KIND_OCCUPANCY,
};

/* The arguments that say what memory the CP shall read, and how much of it. */
static const uintptr_t *request_source(const uintptr_t *arguments)
{
	return arguments[SM_CALL] == GG_CALL_PRINT ? arguments : arguments + 2;
}

static bool request_has_source(const uintptr_t *arguments)
{
	return arguments[SM_CALL] == GG_CALL_PRINT ||
	       (arguments[SM_CALL] == GG_CALL_QUEUE_PUSH && arguments[2] != 0);
}

static void request_write(struct sm *sm, const struct sm_cta *cta, uint32_t source_bytes)
{
	const uintptr_t *arguments = &cta->context.x[SM_A0];
	struct gg_request *request = &sm->requests[sm->request_put & (sm->cap->launch_entries - 1)];
	const uintptr_t *source = request_source(arguments);

	request->task = cta->task->name;
	request->kind = request_kinds[arguments[SM_CALL] - GG_CALL_LAUNCH];
	gg_split(&request->address_lo, &request->address_hi, arguments[0]);
	request->argument = (uint32_t)arguments[1];
	gg_split(&request->source_lo, &request->source_hi, source[0]);
	request->count = (uint32_t)source[1];
	request->source_bytes = source_bytes;
}

static void request_send(struct sm *sm)
{
	sm->request_put++;
	fence_release(); /* write the request, and what the CTA wrote, before the count that shows it */
	mmio_write32(&sm->state->request_put, sm->request_put);
	bell_note(sm);
}

void request_ask(struct sm *sm, struct sm_cta *cta)
{
	const uint32_t entries = sm->cap->launch_entries;
	uintptr_t *arguments = &cta->context.x[SM_A0];
	uint32_t source_bytes = 0;

	if (sm->request_put - sm->request_get >= entries) {
		schedule_yield(sm); /* the CTA makes the same call again at its next turn */
		return;
	}
	cta->context.pc += SM_CALL_BYTES;
	if (request_has_source(arguments)) {
		source_bytes = request_readable(sm, cta, *request_source(arguments));
		if (source_bytes == 0) {
			arguments[0] = (uintptr_t)GG_ERR_ARGUMENT;
			return;
		}
	}
	request_write(sm, cta, source_bytes);
	sm->asked[sm->request_put & (entries - 1)] = (uint8_t)cta->unit;
	cta->request = sm->request_put;
	schedule_block(sm, cta, SM_CTA_BLOCKED);
	request_send(sm);
}

/* Returns the CTA when it printed more than its task may, else NULL. */
static struct sm_cta *request_answer(struct sm *sm, uint32_t number)
{
	const uint32_t place = number & (sm->cap->launch_entries - 1);
	const int32_t status = (int32_t)sm->answers[place].answer_status;
	struct sm_cta *cta = &sm->ctas[sm->asked[place]];

	if (cta->state != SM_CTA_BLOCKED || cta->request != number) {
		return NULL;
	}
	if (status == GG_ERR_PRINT_FLOOD) {
		cta->context.pc -=
			SM_CALL_BYTES; /* back to the call: its fault record shows that */
		return cta;
	}
	cta->context.x[SM_A0] = (uintptr_t)(intptr_t)status;
	schedule_go_on(sm, cta);
	return NULL;
}

struct sm_cta *request_look(struct sm *sm)
{
	const uint32_t get = mmio_read32(&sm->rings->request_get);
	struct sm_cta *flooded = NULL;

	if (get == sm->request_get) {
		return NULL;
	}
	sm_assert(get - sm->request_get <= sm->request_put - sm->request_get);
	fence_acquire(); /* read the count before the answers that it shows */
	while (flooded == NULL && sm->request_get != get) {
		flooded = request_answer(sm, sm->request_get);
		sm->request_get++;
	}
	sm->idle_yields = 0;
	return flooded;
}
