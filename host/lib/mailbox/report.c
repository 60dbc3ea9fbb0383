/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/report.h"

#include <stdlib.h>
#include <string.h>

#include "host/lib/mailbox/memory.h"

void report_take(struct device *device, struct task *task)
{
	const uint64_t address = task->report;
	struct gg_graph_report head;
	uint32_t bytes;

	if (address == 0 || !task->handle)
		return;
	task->report = 0;
	if (memory_read(device, address, &head, sizeof(head)) != GG_OK)
		return;
	/* Only as many passes are copied as the report has, and as there is room for. */
	bytes = task->report_bytes - (uint32_t)sizeof(head);
	if (head.passes < bytes / sizeof(struct gg_graph_pass))
		bytes = head.passes * (uint32_t)sizeof(struct gg_graph_pass);
	task->report_bytes = (uint32_t)sizeof(head) + bytes;
	task->report_copy = malloc(task->report_bytes);
	task->report_missing = !task->report_copy;
	if (!task->report_copy)
		return;
	memcpy(task->report_copy, &head, sizeof(head));
	(void)memory_read(device, address + sizeof(head), task->report_copy + sizeof(head), bytes);
}
