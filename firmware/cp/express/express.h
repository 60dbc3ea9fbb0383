/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The short way of a plain task: from the doorbell to the packet, and from the report to the completion, in straight
 * code.
 *
 * Nearly every launch is of one kind: a kernel that was launched before, with other arguments, on a device that has
 * room for it and where nothing waits. The stages of the loop ask about everything that could be otherwise, for each
 * task anew. This room asks once whether anything is. If so it leaves the turn, or what is left of it, to the stages,
 * before its own first effect on the task in question. It decides nothing in another way than they do, and leaves the
 * same state.
 */
#ifndef FIRMWARE_CP_EXPRESS_EXPRESS_H
#define FIRMWARE_CP_EXPRESS_EXPRESS_H

#include <stdbool.h>

#include "firmware/cp/base/due.h"

/** Whether the short way may be taken. On after boot; tests compare both ways. */
static inline void express_switch(bool on)
{
	due_note(DUE_DETOUR, !on);
}

/** Do the work of a turn of the loop that the short way can do.
 * @return  Whether that was all of it, so that no stage has anything to do; the host may have more for the next turn
 *          (host_interface_waits()). */
bool express_turn(void);

/** Send the CTAs of each pending task that is plain, as children and passes mostly are, or the next one of a queue, as long as nothing else
 * wants SMs and there is room for all of the task; streams for a PULL grid only if no other task is pending. While tasks are ready, those
 * that come before all of them.
 * @return  Whether nothing is left for scheduling: no task is ready, and none is pending or the task table is full. */
bool express_pending(void);

#endif /* FIRMWARE_CP_EXPRESS_EXPRESS_H */
