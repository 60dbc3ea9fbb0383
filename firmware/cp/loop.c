/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/loop.h"

#include "firmware/cp/cga/cga.h"
#include "firmware/cp/cga/cga_admit.h"
#include "firmware/cp/finish/completion.h"
#include "firmware/cp/finish/retire.h"
#include "firmware/cp/host/control.h"
#include "firmware/cp/schedule/minimum_share.h"
#include "firmware/cp/graph/graph.h"
#include "firmware/cp/host/host_interface.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/life/feed.h"
#include "firmware/cp/life/life.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/task/queue.h"
#include "firmware/cp/task/stall.h"
#include "firmware/cp/collect/inbox.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/schedule/task_management.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/schedule/throttle.h"
#include "firmware/cp/schedule/work_distribution.h"

void loop_init(void)
{
	launch_init();
	inbox_init();
	sm_state_init();
	if (part_is_here(GG_FEATURE_CLUSTERS)) {
		cga_init();
	}
	life_init();
	if (part_is_here(GG_FEATURE_QUEUES)) {
		queue_init();
	}
	if (part_is_here(GG_FEATURE_PULL)) {
		pull_init();
	}
	task_management_init();
	task_table_init();
	minimum_share_init();
	throttle_init();
	work_distribution_init();
	control_init();
	completion_init();
	host_interface_init();
}

/* Tasks that leave their slots are taken before the next slot is filled. */
static void fill_slots(void)
{
	while (task_management_run()) {
		life_collect();
	}
	life_collect();
}

static void distribute(void)
{
	if (pull_slots() != 0) {
		work_distribution_refresh();
		life_collect();
	}
	work_distribution_run();
}

/* Tasks that are over may make others ready, so they come before the scheduling, which ends none.
 * Graphs do. */
bool loop_turn(void)
{
	const uint32_t room = task_pool_free();

	stall_turn();

	bool more = host_interface_run();

	inbox_run();
	if (part_is_here(GG_FEATURE_QUEUES)) {
		feed_run();
	}
	more = control_run() || more;
	(void)retire_run();
	if (part_is_here(GG_FEATURE_GRAPHS)) {
		graph_turn();
	}
	fill_slots();
	distribute();

	const bool posted = host_interface_post();

	const bool waits = host_interface_waits() || control_waits();

	more = life_has_over() || (part_is_here(GG_FEATURE_GRAPHS) && graph_is_due()) || more;
	return more || (waits && (posted || task_pool_free() > room));
}

uint64_t loop_deadline(void)
{
	const uint64_t queue = part_is_here(GG_FEATURE_QUEUES) ? queue_deadline() : UINT64_MAX;
	const uint64_t graph = part_is_here(GG_FEATURE_GRAPHS) ? graph_deadline() : UINT64_MAX;

	return queue < graph ? queue : graph;
}
