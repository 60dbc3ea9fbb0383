/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/loop.h"

#include "firmware/cp/cga.h"
#include "firmware/cp/cga_admit.h"
#include "firmware/cp/completion.h"
#include "firmware/cp/control.h"
#include "firmware/cp/floor.h"
#include "firmware/cp/graph.h"
#include "firmware/cp/host_interface.h"
#include "firmware/cp/launch.h"
#include "firmware/cp/life.h"
#include "firmware/cp/pull.h"
#include "firmware/cp/queue.h"
#include "firmware/cp/reason.h"
#include "firmware/cp/request.h"
#include "firmware/cp/sm_state.h"
#include "firmware/cp/task_management.h"
#include "firmware/cp/task_table.h"
#include "firmware/cp/throttle.h"
#include "firmware/cp/work_distribution.h"

void loop_init(void)
{
	launch_init();
	request_init();
	sm_state_init();
	cga_init();
	life_init();
	queue_init();
	pull_init();
	task_management_init();
	task_table_init();
	floor_init();
	throttle_init();
	cga_admit_init();
	work_distribution_init();
	control_init();
	completion_init();
	host_interface_init();
}

/* Tasks that are over may make others ready, so they come before the scheduling, which ends none.
 * Graphs do. */
bool loop_turn(void)
{
	const uint32_t room = task_pool_free();

	reason_turn();

	bool more = host_interface_run();

	launch_poll();
	queue_poll();
	more = control_run() || more;
	(void)life_run();
	graph_turn();
	task_management_run();
	work_distribution_run();

	const bool posted = completion_run();

	const bool waits = host_interface_waits() || control_waits();

	more = life_is_due() || graph_is_due() || more;
	return more || (waits && (posted || task_pool_free() > room));
}

uint64_t loop_deadline(void)
{
	const uint64_t queue = queue_deadline();
	const uint64_t graph = graph_deadline();

	return queue < graph ? queue : graph;
}
