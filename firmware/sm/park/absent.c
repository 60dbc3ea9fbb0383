/* SPDX-License-Identifier: Apache-2.0 */
/* An SM of a device that parks no CTAs (firmware/cp/base/part.h): no packet asks for it. */
#include "firmware/sm/park/park.h"

void park_packet(struct sm *sm, const struct gg_packet *packet, struct sm_task *task)
{
	(void)sm;
	(void)packet;
	(void)task;
}
