/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The bell of an SM: its byte in the capability block and an interrupt tell the CP to look at what the
 * SM has published. It is rung once for all that was noted, before the SM leaves machine mode or sleeps.
 */
#ifndef FIRMWARE_SM_BELL_H
#define FIRMWARE_SM_BELL_H

#include "firmware/sm/sm.h"

/** Note that something was published which the CP is to look at. */
void bell_note(struct sm *sm);

/** Tell the CP that something was noted. */
void bell_send(struct sm *sm);

/** Tell the CP, if something was noted: the SM's bell byte, then an interrupt. */
static inline void bell_ring(struct sm *sm)
{
	if (sm->bell_due) {
		bell_send(sm);
	}
}

#endif /* FIRMWARE_SM_BELL_H */
