/* SPDX-License-Identifier: Apache-2.0 */
/* service.h on a board whose host reaches its memory: on every board that names no driver of hal/link.h. */
#include "firmware/link/service.h"

void service_start(void)
{
}

bool service_turn(void)
{
	return false;
}

void service_stand(void)
{
}

void service_interrupt(void)
{
}
