/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/launch/launch_trace.h"

#include "firmware/abi/field.h"
#include "firmware/cp/task/trace.h"

/* Kept out of line, off the path of each packet. */
__attribute__((noinline)) void launch_trace_packet(uint32_t sm, const struct task *task,
						   const struct gg_packet *packet)
{
	trace_write_launch(task, sm, gg_join(packet->first_lo, packet->first_hi), packet->starts);
}
