/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/collect/sm_request.h"

#include <assert.h>
#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/accept/occupancy.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/name_table.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/base/perf.h"
#include "firmware/cp/collect/print.h"
#include "firmware/cp/life/feed.h"
#include "firmware/cp/accept/submit.h"
#include "firmware/cp/task/task_table.h"
#include "hal/fence.h"
#include "hal/mmio.h"

#define PRINT 4096u /* bytes of one PRINT request, at most */

uint32_t sm_request_taken[CP_SMS];

void sm_request_init(void)
{
	for (uint32_t sm = 0; sm < CP_SMS; sm++) {
		sm_request_taken[sm] = 0;
	}
}

/* The task of the CTA that asks; NULL when its slot has another task by now. */
static struct task *task_of(const struct gg_request *request)
{
	const uint32_t slot = gg_get(request->task, GG_REQUEST_SLOT);
	struct task *task = slot < CP_SLOTS ? task_table_holder(slot) : NULL;

	if (task == NULL || gg_get(device.slots[slot].generation, GG_REQUEST_GENERATION >> 16) !=
				    gg_get(request->task, GG_REQUEST_GENERATION)) {
		return NULL;
	}
	return task;
}

static struct task_name name_of(const struct gg_request *request)
{
	return task_name_of(request->address_lo, request->address_hi, request->argument);
}

/* Finds the queue task that a request names. A kernel may name only those of its own context. */
static struct refusal find_queue(const struct task *task, const struct gg_request *request,
				 struct task **queue)
{
	const struct task_name name = name_of(request);

	*queue = name_table_find_queue(name);
	if (*queue == NULL) {
		return refusal_of(GG_ERR_TASK, GG_FIELD_COMMAND_ADDRESS, name.address);
	}
	if ((*queue)->tmd.context != task->tmd.context) {
		return refusal_of(GG_ERR_CONTEXT, GG_FIELD_TMD_CONTEXT, (*queue)->tmd.context);
	}
	return refusal_none();
}

static struct refusal do_launch(struct task *task, const struct gg_request *request)
{
	return submit_child(task, name_of(request), false);
}

/* The bytes that a request names; NULL when they are not aligned to 4 or not readable. */
static const void *source_of(const struct gg_request *request)
{
	const uint64_t source = gg_join(request->source_lo, request->source_hi);

	return source % 4 == 0 ? device_readable(source, request->source_bytes) : NULL;
}

static struct refusal refuse_source(const struct gg_request *request)
{
	return refusal_of(GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT1,
			  gg_join(request->source_lo, request->source_hi));
}

static struct refusal do_push(struct task *task, const struct gg_request *request)
{
	struct queue_items items = { .count = request->count, .bytes = request->source_bytes };
	struct task *queue;
	struct refusal refusal = find_queue(task, request, &queue);

	if (refusal.status != GG_OK) {
		return refusal;
	}
	if (gg_join(request->source_lo, request->source_hi) != QUEUE_IN_PLACE) {
		items.from = source_of(request);
		if (items.from == NULL) {
			return refuse_source(request);
		}
	}
	return refusal_of(feed_push(queue, &items, queue == task), 0, 0);
}

static struct refusal do_print(struct task *task, const struct gg_request *request)
{
	const void *from = source_of(request);

	if (from == NULL || request->count > request->source_bytes || request->count > PRINT) {
		return refuse_source(request);
	}
	return refusal_of(print_append(task, from, request->count), 0, 0);
}

static struct refusal do_close(struct task *task, const struct gg_request *request)
{
	struct task *queue;
	const struct refusal refusal = find_queue(task, request, &queue);

	if (refusal.status == GG_OK) {
		feed_close(queue);
	}
	return refusal;
}

static struct refusal do_occupancy(struct task *task, const struct gg_request *request)
{
	if (request->count > 1) {
		return refusal_of(GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT2, request->count);
	}
	return occupancy(task, name_of(request), request->count == 1);
}

/* By kind of request. Each returns a refusal; or GG_OK with the answer in `value`, 0 when there is none. */
static struct refusal (*const rules[])(struct task *task, const struct gg_request *request) = {
	[GG_REQUEST_KIND_LAUNCH] = do_launch,       [GG_REQUEST_KIND_PUSH] = do_push,
	[GG_REQUEST_KIND_CLOSE] = do_close,         [GG_REQUEST_KIND_PRINT] = do_print,
	[GG_REQUEST_KIND_OCCUPANCY] = do_occupancy,
};

/* All requests of a task that has failed are refused. */
static struct refusal serve(const struct gg_request *request)
{
	struct task *task = task_of(request);

	if (task == NULL || task_has_failed(task)) {
		return refusal_of(GG_ERR_CANCELLED, 0, 0);
	}
	if (request->kind >= sizeof(rules) / sizeof(rules[0]) || rules[request->kind] == NULL) {
		return refusal_of(GG_ERR_OPCODE, 0, request->kind);
	}
	return rules[request->kind](task, request);
}

void sm_request_serve(uint32_t sm)
{
	struct launch_rings *rings = &device.launch[sm];
	const uint32_t put = mmio_read32(&device.sms[sm].request_put);

	assert(put - sm_request_taken[sm] <= CP_LAUNCH_ENTRIES);
	fence_acquire(); /* read the requests after the count */
	while (sm_request_taken[sm] != put) {
		const uint32_t place = sm_request_taken[sm]++ % CP_LAUNCH_ENTRIES;
		const struct refusal refusal = serve(&rings->requests[place]);
		const bool served = refusal.status == GG_OK;

		rings->answers[place].answer_status =
			served ? gg_low(refusal.value) : (uint32_t)refusal.status;
		rings->answers[place].answer_field = refusal.field;
		perf_count(&device.perf->requests);
	}
	fence_release(); /* write the answers before the count */
	mmio_write32(&rings->header.request_get, put);
	sm_interrupt(sm);
}
