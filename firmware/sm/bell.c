/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/bell.h"

#include "hal/fence.h"
#include "hal/ipi.h"
#include "hal/launch_unit.h"
#include "hal/mmio.h"

#define CP_HART 0u

void bell_note(struct sm *sm)
{
	sm->bells++;
	sm->bell_due = true;
}

SM_APART void bell_send(struct sm *sm)
{
	sm->bell_due = false;
	if (launch_unit_here()) {
		launch_unit_bell();
		return;
	}
	fence_release(); /* what it announces before the bell */
	mmio_write8(sm->bell, (uint8_t)sm->bells);
	ipi_send(CP_HART);
}
