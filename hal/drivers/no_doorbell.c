/* SPDX-License-Identifier: Apache-2.0 */
/* hal/doorbell.h of a board without a way to interrupt its host. */
#include "hal/doorbell.h"

bool doorbell_init(void)
{
	return false;
}

bool doorbell_present(void)
{
	return false;
}

/* There is no external interrupt. */
void doorbell_answer(void)
{
}

void doorbell_ring_host(void)
{
}
