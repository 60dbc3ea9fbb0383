/* SPDX-License-Identifier: Apache-2.0 */
/* A control processor that writes no trace records (firmware/cp/part.h); switching it on is refused. */
#include "firmware/cp/trace.h"

void trace_switch(bool on)
{
	(void)on;
}

bool trace_is_on(void)
{
	return false;
}

void trace_event(const struct task *task, struct trace_event event)
{
	(void)task;
	(void)event;
}

void trace_task(const struct task *task, uint64_t done)
{
	(void)task;
	(void)done;
}
