/* SPDX-License-Identifier: Apache-2.0 */
/* One submission over several devices: parts, and what becomes of them when a device is lost. */
#include "host/include/ganger_group.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/common/deadline.h"
#include "host/lib/core/failure.h"
#include "host/lib/core/handle.h"
#include "host/lib/group/part.h"
#include "host/lib/mailbox/device.h"

#define TURN_MS   50u    /* So long one part is waited for before the others are looked at. */
#define CANCEL_MS 10000u /* Longest wait for a cancelled part. */

/** A submission. */
struct run {
	struct part_of of;
	struct gg_group_member *members;
	uint32_t count;
	uint64_t deadline;
	struct part *parts;       /**< On their way. */
	struct gg_failure failed; /**< The first that ends it; status GG_OK: none. */
	struct gg_group_done *done;
};

static bool is_lost(enum gg_status status)
{
	return status == GG_ERR_DEVICE_LOST || status == GG_ERR_PANIC || status == GG_ERR_NO_DEVICE;
}

static enum gg_status refuse(const char *name, uint64_t value, const char *text)
{
	return failure_set(GG_ERR_ARGUMENT, name, value, "%s (%s = %" PRIu64 ")", text, name,
			   value);
}

static enum gg_status check_buffer(const struct gg_group_buffer *buffer, uint32_t at)
{
	const bool split = buffer->spread == GG_SPREAD_SPLIT;

	if (buffer->data == NULL || buffer->bytes == 0 || buffer->spread > GG_SPREAD_MERGE)
		return refuse(
			"argument", at,
			"A buffer of a group has data, bytes, and a spread of enum gg_spread");
	if (split && (buffer->entry_bytes == 0 || buffer->cta_entries == 0 ||
		      buffer->bytes % buffer->entry_bytes != 0))
		return refuse("argument", at,
			      "A split buffer has whole entries, and some for each CTA");
	if (split && buffer->writes != 0 && buffer->halo != 0)
		return refuse("argument", at,
			      "Of a buffer that the kernel writes no neighbours can be seen");
	if (!split &&
	    (buffer->entry_bytes | buffer->cta_entries | buffer->halo | buffer->writes) != 0)
		return refuse("argument", at, "Entries, halo and writes are of split buffers");
	if ((buffer->spread == GG_SPREAD_MERGE) != (buffer->merge != NULL))
		return refuse(
			"argument", at,
			"A buffer that is merged, and no other, has the function that merges");
	return GG_OK;
}

static bool is_null(const struct gg_argument *argument)
{
	uint64_t address = 0;

	if (argument->data != NULL && argument->bytes <= sizeof(address))
		memcpy(&address, argument->data, argument->bytes);
	return address == 0;
}

static enum gg_status check(const struct run *run, bool *split)
{
	const struct gg_work *work = &run->of.work->work;

	if (run->count == 0 || run->count > GG_GROUP_MEMBERS_MAX)
		return refuse("members", run->count, "A group has 1 to 64 devices");
	if (work->module != NULL || work->arguments != NULL || work->argument_count != 0 ||
	    work->first_cta != 0 || work->ctas != 0)
		return refuse("work", 0,
			      "Module, arguments and the part of the grid are set for each device");
	if ((work->after_count | work->dependent_count | work->dependence_count |
	     work->memory_count | work->affinity_count | work->semaphores[0].op |
	     work->semaphores[1].op) != 0 ||
	    work->context != NULL || work->graph != NULL || work->type == GG_TASK_TYPE_QUEUE)
		return refuse("work", 0,
			      "Tasks, windows, SMs, contexts, queues and graphs are of one device: "
			      "submit it to that one");
	if (run->of.work->arguments == NULL && run->of.work->argument_count != 0)
		return refuse("arguments", run->of.work->argument_count, "The arguments are NULL");
	for (uint32_t at = 0; at < run->of.work->argument_count; at++) {
		const struct gg_group_argument *argument = &run->of.work->arguments[at];

		if (argument->buffer == NULL && argument->value.kind == GG_ARGUMENT_BUFFER &&
		    !is_null(&argument->value))
			return refuse("argument", at,
				      "An address is of one device: take a buffer of the group");
		if (argument->buffer != NULL && check_buffer(argument->buffer, at) != GG_OK)
			return GG_ERR_ARGUMENT;
		*split = *split ||
			 (argument->buffer != NULL && argument->buffer->spread == GG_SPREAD_SPLIT);
	}
	return GG_OK;
}

static enum gg_status check_member(const struct gg_group_member *member)
{
	USE_DEVICE(device, member->device);
	USE_MODULE(module, member->module);

	if (module->context->device != device)
		return failure_set(GG_ERR_HANDLE, "module", 0, "Its module is of another device");
	return GG_OK;
}

static enum gg_status check_members(const struct run *run)
{
	for (uint32_t at = 0; at < run->count; at++) {
		if (run->members[at].lost == 0 && check_member(&run->members[at]) != GG_OK)
			return failure_about("Device %u of the group: ", at);
	}
	return GG_OK;
}

/** Keeps the first failure. */
static void fail(struct run *run)
{
	if (run->failed.status == GG_OK)
		run->failed = failure_last();
}

/** Whether the parts are run and waited for, although something failed: a lost part of a kernel that may
 * not run twice leaves the results of the others. */
static bool goes_on(const struct run *run)
{
	return run->failed.status == GG_OK || is_lost((enum gg_status)run->failed.status);
}

/** Keeps the failure of a part, and says which it was. */
static void fail_part(struct run *run, uint32_t member, struct share share)
{
	(void)failure_about("CTAs %" PRIu64 " to %" PRIu64 " on device %u of the group: ",
			    share.first, share.first + share.ctas - 1, member);
	fail(run);
}

/** SMs of each member that is there; 0: it gets nothing. @return their sum. */
static uint32_t weigh(struct run *run, uint32_t *weights)
{
	uint32_t sum = 0;

	for (uint32_t at = 0; at < run->count; at++) {
		struct gg_info info;

		weights[at] = 0;
		if (run->members[at].lost == 0 &&
		    gg_device_info(run->members[at].device, &info) == GG_OK)
			weights[at] = info.sms;
		sum += weights[at];
	}
	return sum;
}

/** What a lost device had, or the whole grid, waits here to be shared out. */
struct waiting {
	struct share *shares;
	uint32_t count;
};

static enum gg_status wait_for(struct waiting *waiting, struct share share)
{
	const size_t bytes = (waiting->count + 1u) * sizeof(share);
	struct share *more = realloc(waiting->shares, bytes);

	if (more == NULL)
		return failure_set(GG_ERR_NO_MEMORY, "bytes", bytes, "%s",
				   gg_status_text(GG_ERR_NO_MEMORY));
	waiting->shares = more;
	waiting->shares[waiting->count++] = share;
	return GG_OK;
}

/** Lets a part run again. */
static void repeat(struct run *run, struct share share, struct waiting *waiting)
{
	run->done->lost_ctas += share.ctas;
	if (wait_for(waiting, share) != GG_OK)
		fail(run);
}

static void lose(struct run *run, uint32_t member, struct share share, struct waiting *waiting)
{
	if (run->members[member].lost == 0)
		run->done->lost++;
	run->members[member].lost = 1;
	if (run->of.work->again != 0) {
		repeat(run, share, waiting);
		return;
	}
	(void)failure_set(GG_ERR_DEVICE_LOST, "part", share.first,
			  "Device %u of the group was lost with CTAs %" PRIu64 " to %" PRIu64
			  "; with `again` other devices run them",
			  member, share.first, share.first + share.ctas - 1);
	fail(run);
}

/** Starts a part. A device that turns out to be lost then gives it to `waiting`. */
static void start(struct run *run, uint32_t member, struct share share, struct waiting *waiting)
{
	struct part *part;
	enum gg_status status;

	if (share.ctas > UINT32_MAX) {
		(void)refuse("ctas", share.ctas,
			     "A device runs at most 4,294,967,295 CTAs of a grid");
		fail(run);
		return;
	}
	status = part_start(&run->of, &run->members[member], share,
			    deadline_left(run->deadline, UINT32_MAX), &part);
	if (status == GG_OK) {
		part->member = member;
		part->next = run->parts;
		run->parts = part;
	} else if (is_lost(status)) {
		lose(run, member, share, waiting);
	} else {
		fail_part(run, member, share);
	}
}

/** Shares out all that waits. */
static void share_out(struct run *run, struct waiting *waiting)
{
	while (waiting->count > 0 && run->failed.status == GG_OK) {
		const struct share share = waiting->shares[--waiting->count];
		uint32_t weights[GG_GROUP_MEMBERS_MAX];
		struct share parts[GG_GROUP_MEMBERS_MAX];

		if (weigh(run, weights) == 0) {
			(void)failure_set(GG_ERR_DEVICE_LOST, "part", share.first,
					  "No device of the group is left for CTAs %" PRIu64
					  " to %" PRIu64,
					  share.first, share.first + share.ctas - 1);
			fail(run);
			return;
		}
		share_cut(share, run->of.shape.grain, weights, run->count, parts);
		for (uint32_t at = 0; at < run->count && goes_on(run); at++) {
			if (parts[at].ctas != 0)
				start(run, at, parts[at], waiting);
		}
	}
}

/** A part has ended, well or not. */
static void end(struct run *run, const struct part *part, enum gg_status status,
		const struct gg_done *completed, struct waiting *waiting)
{
	if (is_lost(status)) {
		lose(run, part->member, part->share, waiting);
	} else if (status == GG_ERR_DEVICE_RESET && run->of.work->again != 0) {
		repeat(run, part->share, waiting);
	} else if (status != GG_OK) {
		fail_part(run, part->member, part->share);
	} else {
		run->done->ctas += completed->ctas;
		run->done->member_ctas[part->member] += completed->ctas;
		run->done->parts++;
	}
}

/** Looks at each part on its way, some time at each. */
static void turn(struct run *run, struct waiting *waiting)
{
	struct part **place = &run->parts;

	while (*place != NULL) {
		struct part *part = *place;
		struct gg_done completed;
		enum gg_status status =
			gg_task_wait(part->task, deadline_left(run->deadline, TURN_MS), &completed);

		if (status == GG_ERR_TIMEOUT && completed.complete == 0) {
			place = &part->next;
			continue;
		}
		*place = part->next;
		if (status == GG_OK)
			status = part_fetch(&run->of, part);
		end(run, part, status, &completed, waiting);
		part_drop(&run->of, part, false);
	}
}

/** Ends the parts that are on their way. */
static void cancel(struct run *run)
{
	for (struct part *part = run->parts; part != NULL; part = part->next) {
		if (gg_task_cancel(part->task, CANCEL_MS) != GG_OK)
			continue; /* It has completed, or its device is lost. */
	}
	while (run->parts != NULL) {
		struct part *part = run->parts;
		struct gg_done completed = { 0 };
		const enum gg_status status = gg_task_wait(part->task, CANCEL_MS, &completed);

		run->parts = part->next;
		part_drop(&run->of, part, status == GG_ERR_TIMEOUT && completed.complete == 0);
	}
}

enum gg_status gg_group_run(struct gg_group_member *members, uint32_t count,
			    const struct gg_group_work *work, uint32_t timeout_ms,
			    struct gg_group_done *done)
{
	NEEDS(members, work, done);

	struct run run = { .of = { .work = work },
			   .members = members,
			   .count = count,
			   .deadline = deadline_after(timeout_ms),
			   .done = done };
	struct waiting waiting = { 0 };
	bool split = false;
	enum gg_status status = check(&run, &split);

	memset(done, 0, sizeof(*done));
	if (status == GG_OK)
		status = check_members(&run);
	if (status == GG_OK)
		status = share_shape(&work->work, split, &run.of.shape);
	if (status == GG_OK)
		status = wait_for(&waiting, (struct share){ 0, run.of.shape.ctas });
	if (status != GG_OK)
		return status;
	share_out(&run, &waiting);
	while (run.parts != NULL && goes_on(&run) && deadline_left(run.deadline, 1) != 0) {
		turn(&run, &waiting);
		share_out(&run, &waiting);
	}
	if (run.parts != NULL && goes_on(&run)) {
		(void)failure_set(GG_ERR_TIMEOUT, "timeout", timeout_ms,
				  "Parts did not complete in %u ms, and were cancelled",
				  timeout_ms);
		run.failed = failure_last();
	}
	cancel(&run);
	free(waiting.shares);
	return run.failed.status == GG_OK ? GG_OK : failure_again(&run.failed);
}
