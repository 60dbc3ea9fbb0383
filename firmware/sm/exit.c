/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/exit.h"

#include "firmware/abi/ganger_abi.h"
#include "firmware/sm/cta.h"
#include "firmware/sm/pull/run.h"
#include "firmware/sm/report.h"
#include "firmware/sm/sm_run.h"

void sm_exited(struct sm *sm, uintptr_t status)
{
	struct sm_cta *cta = sm->current;

	sm_run_arrive(sm);
	sm->idle_yields = 0;
	if (status == 0) {
		cta_exit(sm, cta);
	} else {
		run_settle(sm, cta);
		cta_fail(sm, cta, GG_ERR_ABORTED, 0);
		report_settle(sm, cta->task);
	}
	sm_run(sm);
}
