/* SPDX-License-Identifier: Apache-2.0 */
/* The fake device with the whole scheduler: a turn is one of the control processor's loop. */
#include <assert.h>
#include <stdlib.h>

#include "firmware/cp/graph/graph.h"
#include "firmware/cp/host/config.h"
#include "firmware/cp/loop.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/trace.h"
#include "tests/unit/fake_device.h"

#define GRAPHS 0x400000u /* bytes for task graphs */

void fake_rooms_init(void)
{
	static void *graphs;

	if (graphs == NULL) {
		graphs = aligned_alloc(4096, GRAPHS);
		assert(graphs != NULL);
	}
	graph_init(graphs, GRAPHS);
	loop_init();
	trace_switch(false);
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		sm_state_add(sm);
	}
	config_init();
}

bool fake_turn(void)
{
	loop_wake();
	return loop_turn();
}
