/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "host/include/ganger_graph.h"
#include "host/lib/core/failure.h"
#include "host/lib/mailbox/device.h"

enum gg_status gg_graph_report(struct gg_task *handle, struct gg_graph_report *report,
			       struct gg_graph_pass *passes, uint32_t room, uint32_t *count)
{
	USE_TASK(task, handle);
	NEEDS(report, count);
	NEEDS_FOR(room > 0, passes);

	struct device *device = task->device;
	const uint8_t *from;
	uint32_t have;
	bool missing;

	(void)pthread_mutex_lock(&device->lock);
	from = task->report_copy;
	missing = task->report_missing;
	if (from) {
		memcpy(report, from, sizeof(*report));
		have = (task->report_bytes - (uint32_t)sizeof(*report)) / (uint32_t)sizeof(*passes);
		have = report->passes < have ? report->passes : have;
		*count = room < have ? room : have;
		if (*count > 0)
			memcpy(passes, from + sizeof(*report), *count * sizeof(*passes));
	}
	(void)pthread_mutex_unlock(&device->lock);
	if (!from && missing)
		return failure_status(GG_ERR_NO_MEMORY);
	if (!from)
		return failure_set(GG_ERR_ARGUMENT, "task", task->done.tag,
				   "Task %u has no graph report, or it has not completed yet",
				   task->done.tag);
	return GG_OK;
}
