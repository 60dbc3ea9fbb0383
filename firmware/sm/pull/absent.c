/* SPDX-License-Identifier: Apache-2.0 */
/* An SM of a device without PULL grids (firmware/cp/base/part.h): no CTA is a stream. */
#include "firmware/sm/pull/hand.h"
#include "firmware/sm/pull/pull.h"
#include "firmware/sm/pull/run.h"

void hand_init(struct sm *sm)
{
	(void)sm;
}

void pull_prime(struct sm_task *task)
{
	(void)task;
}

void pull_packet(struct sm *sm, const struct gg_packet *packet)
{
	(void)sm;
	(void)packet;
}

bool pull_next(struct sm *sm, struct sm_cta *cta)
{
	(void)sm;
	(void)cta;
	return false;
}

void pull_ended(struct sm *sm, struct sm_cta *cta)
{
	(void)sm;
	(void)cta;
}

void pull_leave(struct sm *sm, struct sm_cta *cta, int32_t status)
{
	(void)sm;
	(void)cta;
	(void)status;
}

void pull_left(struct sm *sm, struct sm_task *task)
{
	(void)sm;
	(void)task;
}

uint32_t pull_rest(const struct sm *sm, const struct sm_task *task, uint64_t *first)
{
	(void)sm;
	(void)task;
	*first = 0;
	return 0;
}

bool pull_is_through(const struct sm_task *task)
{
	(void)task;
	return true;
}

void pull_forget(struct sm *sm, const struct sm_task *task)
{
	(void)sm;
	(void)task;
}

void run_settle(struct sm *sm, struct sm_cta *cta)
{
	(void)sm;
	(void)cta;
}
