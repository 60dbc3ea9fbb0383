/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/launch/launch_trace.h"

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/launch/launch_out.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/task/trace.h"

/* Both are kept out of line, off the path of each packet. */
__attribute__((noinline)) void launch_trace_assign(uint32_t sm, const struct task *task)
{
	trace_event(task, (struct trace_event){ GG_TRACE_TYPE_ASSIGN, sm, sm, 0 });
}

__attribute__((noinline)) void launch_trace_packets(uint32_t sm, uint32_t first)
{
	for (uint32_t number = first; number != launch_written[sm]; number++) {
		const struct gg_packet *packet = launch_place(sm, number);

		trace_event(task_table_holder(gg_get(packet->task, GG_PACKET_SLOT)),
			    (struct trace_event){
				    .type = GG_TRACE_TYPE_LAUNCH,
				    .sm = sm,
				    .cta = gg_join(packet->first_lo, packet->first_hi),
				    .extra = bits_count(packet->starts),
			    });
	}
}
