/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/launch/launch_trace.h"

#include "firmware/cp/base/bits.h"
#include "firmware/cp/task/trace.h"

/* Kept out of line, off the path of each packet. */
__attribute__((noinline)) void launch_trace_packet(uint32_t sm, const struct task *task,
						   const struct gg_packet *packet)
{
	trace_write_now(task, trace_kind(GG_TRACE_TYPE_LAUNCH, sm), packet->first_lo,
			bits_count(packet->starts));
}
