/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/loop.h"

#include "firmware/cp/base/due.h"
#include "firmware/cp/cga/cga.h"
#include "firmware/cp/cga/cga_admit.h"
#include "firmware/cp/accept/tmd_kept.h"
#include "firmware/cp/express/express.h"
#include "firmware/cp/finish/completion.h"
#include "firmware/cp/finish/retire.h"
#include "firmware/cp/host/control.h"
#include "firmware/cp/schedule/minimum_share.h"
#include "firmware/cp/schedule/slot.h"
#include "firmware/cp/graph/graph.h"
#include "firmware/cp/host/host_interface.h"
#include "firmware/cp/launch/launch.h"
#include "firmware/cp/life/feed.h"
#include "firmware/cp/life/life.h"
#include "firmware/cp/launch/launch_park.h"
#include "firmware/cp/park/park.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/recover/reset.h"
#include "firmware/cp/recover/watch.h"
#include "firmware/cp/task/quarantine.h"
#include "firmware/cp/task/queue.h"
#include "firmware/cp/task/range.h"
#include "firmware/cp/task/stall.h"
#include "firmware/cp/collect/inbox.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/schedule/task_management.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/schedule/throttle.h"
#include "firmware/cp/schedule/work_distribution.h"
#include "firmware/cp/wave/wave.h"

__attribute__((cold)) void loop_init(void)
{
	due_stages = 0;
	stall_init();
	launch_init();
	if (wave_is_here()) {
		wave_init();
	}
	inbox_init();
	sm_state_init();
	if (part_is_here(GG_FEATURE_CLUSTERS)) {
		cga_init();
		cga_admit_init();
	}
	life_init();
	if (part_is_here(GG_FEATURE_PULL) || part_is_here(GG_FEATURE_RETRIES)) {
		range_init();
	}
	if (part_is_here(GG_FEATURE_RETRIES)) {
		quarantine_init();
	}
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
	tmd_kept_init();
	if (part_is_here(GG_FEATURE_RESETS)) {
		reset_init();
	}
	if (part_is_here(GG_FEATURE_WATCHDOG)) {
		watch_init();
	}
	if (part_is_here(GG_FEATURE_PARKS)) {
		park_init();
	}
}

void loop_wake(void)
{
	due_set(DUE_HOST | DUE_INBOX);
}

/* The turn was woken. SMs take CTAs of PULL grids without ringing; the host may have rung to see how far they are. While
 * they are lent for a wave, the entry of the queue alone says that. */
static bool has_pulls(void)
{
	return (wave_is_here() ? pull_slots() & ~wave_behind : pull_slots()) != 0;
}

/* Tasks that leave their slots are taken before the next slot is filled. Returns whether a task got a slot. */
static bool fill_slots(void)
{
	const uint32_t before = task_table_entered();

	do {
		life_collect();
	} while (task_management_run());
	life_collect();
	return task_table_entered() != before;
}

static void distribute(void)
{
	if (pull_slots() != 0) {
		work_distribution_refresh();
		life_collect();
	}
	work_distribution_run();
}

/* What follows from what the host and the SMs have said. Tasks that are over may make others ready, so they come
 * before the scheduling, which ends none; graphs do, so their ends are for the next turn. Returns whether there is
 * more for the next turn. */
static bool follow(void)
{
	bool more = false;

	if (part_is_here(GG_FEATURE_WATCHDOG) && due_is(DUE_WATCH)) {
		watch_run();
	}
	if (part_is_here(GG_FEATURE_RESETS) && due_is(DUE_RESET)) {
		reset_run();
		due_set(DUE_SCHEDULE);
	}
	if (part_is_here(GG_FEATURE_PARKS) && due_is(DUE_PARK)) {
		due_set(DUE_SCHEDULE);
	}
	if (part_is_here(GG_FEATURE_QUEUES) && due_is(DUE_FEED)) {
		feed_run();
	}
	if (due_is(DUE_CONTROL)) {
		more = control_run();
		due_set(DUE_SCHEDULE);
	}
	if (due_is(DUE_RETIRE)) {
		retire_run();
		due_set(DUE_SCHEDULE);
	}
	if (part_is_here(GG_FEATURE_GRAPHS) && due_is(DUE_GRAPH)) {
		graph_turn();
		due_set(DUE_SCHEDULE);
	}
	return more;
}

/* Out of line, so that the loop keeps its registers. */
static __attribute__((cold, noinline)) void run_parks(void)
{
	if (launch_park_on || launch_park_is_used()) {
		park_run();
	}
}

bool loop_turn(void)
{
	bool posted = false;
	bool more = false;

	stall_turn();
	if (express_turn()) {
		return host_interface_waits();
	}
	const uint32_t room = task_pool_free();

	if (due_is(DUE_INBOX) && has_pulls()) {
		due_set(DUE_SCHEDULE);
	}
	if (host_interface_waits() || due_is(DUE_HOST)) {
		more = host_interface_run();
	}
	if (due_is(DUE_INBOX | DUE_WAVE)) {
		inbox_run();
	}
	due_clear(DUE_HOST | DUE_INBOX);
	if (wave_is_here() && wave_behind != 0 && due_is(DUE_STAGES)) {
		wave_settle();
	}
	if (due_is(DUE_FEED | DUE_CONTROL | DUE_RETIRE | DUE_GRAPH | DUE_RESET | DUE_WATCH |
		   DUE_PARK)) {
		more = follow() || more;
	}
	if (due_is(DUE_SCHEDULE | DUE_FILL)) {
		/* That tasks were posted changes nothing for those that are ready. */
		const bool walk = due_is(DUE_SCHEDULE);

		due_clear(DUE_SCHEDULE | DUE_FILL);
		if (!express_pending() || slot_has_drained()) {
			if (wave_is_here() && wave_behind != 0) {
				wave_settle();
			}
			if (fill_slots() || walk) {
				distribute();
			}
		}
		if (part_is_here(GG_FEATURE_PARKS)) {
			run_parks();
		}
	}
	if (part_is_here(GG_FEATURE_WATCHDOG) && due_is(DUE_TIMER) && sm_state_resident() != 0) {
		watch_arm();
	}
	if (due_is(DUE_POST)) {
		posted = host_interface_post();
	}
	const bool waits = host_interface_waits() || due_is(DUE_CONTROL);

	more = more || due_is(DUE_RETIRE | DUE_WAVE) ||
	       (part_is_here(GG_FEATURE_GRAPHS) && due_is(DUE_GRAPH) && graph_is_due());
	return more || (waits && (posted || task_pool_free() > room));
}

static uint64_t earlier(uint64_t one, uint64_t other)
{
	return one < other ? one : other;
}

static __attribute__((cold, noinline)) uint64_t first_deadline(void)
{
	const uint64_t queue =
		part_is_here(GG_FEATURE_QUEUES) && due_is(DUE_FEED) ? queue_deadline() : UINT64_MAX;
	const uint64_t graph = part_is_here(GG_FEATURE_GRAPHS) && due_is(DUE_GRAPH)
				       ? graph_deadline()
				       : UINT64_MAX;
	const uint64_t reset = part_is_here(GG_FEATURE_RESETS) && due_is(DUE_RESET)
				       ? reset_deadline()
				       : UINT64_MAX;
	const uint64_t watch = part_is_here(GG_FEATURE_WATCHDOG) ? watch_deadline() : UINT64_MAX;

	const uint64_t park =
		part_is_here(GG_FEATURE_PARKS) && due_is(DUE_PARK) ? park_deadline() : UINT64_MAX;

	return earlier(earlier(queue, graph), earlier(earlier(reset, watch), park));
}

uint64_t loop_deadline(void)
{
	return due_is(DUE_FEED | DUE_GRAPH | DUE_RESET | DUE_PARK) ? first_deadline() : UINT64_MAX;
}
