/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the device how many CGAs could run, with a TMD that is not submitted. */
#include "host/common/deadline.h"
#include "host/lib/core/failure.h"
#include "host/lib/mailbox/command.h"
#include "host/lib/mailbox/control.h"
#include "host/lib/work/job.h"
#include "host/lib/work/template.h"

/** A TMD that the device is asked about. */
struct question {
	struct device *device;
	uint64_t address;
	uint32_t generation;
	uint32_t timeout_ms;
	uint64_t deadline;
};

static enum gg_status ask(const struct question *question, enum gg_query_what what, uint64_t *value)
{
	struct gg_raw raw = {
		.channel = control_channel(question->device, 0),
		.opcode = GG_OPCODE_QUERY,
		.address = question->address,
		.argument = { what, question->generation },
	};

	return command_call(question->device, &raw,
			    deadline_left(question->deadline, question->timeout_ms), value);
}

/** Asks about a request in which nothing prints. */
static enum gg_status ask_both(struct question *question, const struct request *request,
			       uint64_t answers[2])
{
	struct job job = { 0 };
	enum gg_status status = template_create(request, &job);
	enum gg_status freed;

	if (status != GG_OK)
		return status;
	question->device = request->device;
	question->address = job.address;
	question->generation = job.tmd.generation;
	status = ask(question, GG_QUERY_WHAT_CLUSTERS_NOW, &answers[0]);
	if (status == GG_OK)
		status = ask(question, GG_QUERY_WHAT_CLUSTERS_MOST, &answers[1]);
	/* A question that comes too late finds another generation there, and is refused. */
	freed = template_destroy(question->device, question->address);
	return status == GG_OK ? freed : status;
}

enum gg_status gg_clusters(const struct gg_work *work, uint32_t timeout_ms, uint64_t *now,
			   uint64_t *most)
{
	NEEDS(now, most);

	struct question question = {
		.timeout_ms = timeout_ms,
		.deadline = deadline_after(timeout_ms),
	};
	struct request request;
	struct gg_work asked;
	uint64_t answers[2];
	enum gg_status status = request_open(&request, work);

	if (status != GG_OK)
		return status;
	asked = *work;
	asked.print_bytes = 0; /* Nothing runs, so nothing is printed. */
	request.work = &asked;
	status = ask_both(&question, &request, answers);
	request_close(&request);
	if (status != GG_OK)
		return status;
	*now = answers[0];
	*most = answers[1];
	return GG_OK;
}
