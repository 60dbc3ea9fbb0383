/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/loop.h"

#include "firmware/cp/completion.h"
#include "firmware/cp/host_interface.h"
#include "firmware/cp/launch.h"
#include "firmware/cp/sm_state.h"
#include "firmware/cp/task_management.h"
#include "firmware/cp/work_distribution.h"

void loop_init(void)
{
	launch_init();
	sm_state_init();
	task_management_init();
	work_distribution_init();
	completion_init();
	host_interface_init();
}

bool loop_turn(void)
{
	const bool more = host_interface_run();

	launch_poll();
	task_management_run();
	work_distribution_run();

	const bool posted = completion_run();

	return more || (posted && host_interface_waits());
}
